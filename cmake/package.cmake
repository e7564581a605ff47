# The manual page and completions, made by the command itself; the documents; and Debian packages by `cpack -G DEB`.

set(manual ${PROJECT_BINARY_DIR}/generated/manual)
file(MAKE_DIRECTORY ${manual})
add_custom_command(OUTPUT ${manual}/scree.1.gz ${manual}/scree.bash ${manual}/_scree ${manual}/scree.fish
  COMMAND scree help --man > ${manual}/scree.1
  COMMAND gzip -9nf ${manual}/scree.1
  COMMAND scree help --completions bash > ${manual}/scree.bash
  COMMAND scree help --completions zsh > ${manual}/_scree
  COMMAND scree help --completions fish > ${manual}/scree.fish
  DEPENDS scree COMMENT "Writing the manual page and completions" VERBATIM)
add_custom_target(scree_manual ALL DEPENDS ${manual}/scree.1.gz)

install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT scree)
install(FILES ${manual}/scree.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT scree)
install(FILES ${manual}/scree.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME scree COMPONENT scree)
install(FILES ${manual}/_scree DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT scree)
install(FILES ${manual}/scree.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT scree)
install(FILES README.md ARCHITECTURE.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING
  PATTERN "*.md" PATTERN "*.toml" PATTERN "*.csv" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.jpg")

# Components of the installation, and the packages they become.
set(CPACK_COMPONENTS_ALL scree libscree libscree-geometry dev doc)
if(SCREE_PYTHON_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_SCREE_PACKAGE_NAME scree)
set(CPACK_DEBIAN_LIBSCREE_PACKAGE_NAME libscree${version})
set(CPACK_DEBIAN_LIBSCREE-GEOMETRY_PACKAGE_NAME libscree-geometry${version})
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libscree-dev)
set(CPACK_DEBIAN_DOC_PACKAGE_NAME scree-doc)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-scree)
set(CPACK_DEBIAN_SCREE_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBSCREE_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBSCREE-GEOMETRY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(what "scree computes how grains move: spheres, discs and bodies of other shapes\nthat collide, rub and roll among walls, by time steps or from collision to\ncollision.")
set(CPACK_COMPONENT_SCREE_DESCRIPTION "${what}\n\nThis package has the command.")
set(CPACK_COMPONENT_LIBSCREE_DESCRIPTION "${what}\n\nThis package has the library for other programs.")
set(CPACK_COMPONENT_LIBSCREE-GEOMETRY_DESCRIPTION "Exact regular (weighted Delaunay) triangulations of spheres that are repaired\nas the spheres move, and the distance of convex bodies.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "${what}\n\nThis package has the headers, for CMake and pkg-config.")
set(CPACK_COMPONENT_DOC_DESCRIPTION "${what}\n\nThis package has the documents and example scenes.")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${what}\n\nThis package has the module for Python.")
# The module is for one minor version of Python.
set(python_minor ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR})
math(EXPR python_next "${Python3_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${python_minor}), python3 (<< ${Python3_VERSION_MAJOR}.${python_next}), \
python3-numpy, libscree${version} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, jupyter-notebook")
# Depends of what is linked is found by dpkg-shlibdeps, which looks for libscree among the libraries of this build.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
foreach(component SCREE LIBSCREE LIBSCREE-GEOMETRY PYTHON)
  set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
endforeach()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${PROJECT_BINARY_DIR}/generated/triggers "activate-noawait ldconfig\n")
foreach(component LIBSCREE LIBSCREE-GEOMETRY)
  set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/generated/triggers)
endforeach()
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libscree${version} (= ${PROJECT_VERSION}-1), libscree-geometry${version} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_SCREE_PACKAGE_SUGGESTS scree-doc)

set(SCREE_MAINTAINER "The authors of scree <scree@packages.debian.org>" CACHE STRING "Maintainer of Debian packages: Name <address>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_CONTACT "${SCREE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${SCREE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
# What Debian wants in every package: its changes and its licence.
configure_file(cmake/install/copyright.in ${PROJECT_BINARY_DIR}/generated/copyright @ONLY)
configure_file(cmake/install/changelog.Debian.in ${PROJECT_BINARY_DIR}/generated/changelog.Debian @ONLY)
configure_file(cmake/install/debian_files.cmake.in ${PROJECT_BINARY_DIR}/generated/debian_files.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/generated/debian_files.cmake)
include(CPack)
