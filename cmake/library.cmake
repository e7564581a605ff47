# The libraries for other programs: libscree, which is everything but the command, and libscree-geometry, triangulation and
# distance alone. Both are made of the objects of the layers. libscree has its own copy of the geometry, so that calls
# inside a library are direct; a program links one of the two.
#
# scree_library(COMPONENT LAYERS layers... [LIBS libs...]) makes scree::COMPONENT; the name of the file is libscree for the
# component scree, libscree-COMPONENT for others.
option(BUILD_SHARED_LIBS "Shared libraries; OFF makes static ones, whose users link HDF5, fmt and toml++ too" ON)

set(SCREE_FETCHED "-Wl,-u,_ZN5scree10read_startERKNS_5SceneE")

function(scree_library component)
  cmake_parse_arguments(arg "" "" "LAYERS;LIBS" ${ARGN})
  set(objects)
  foreach(layer ${arg_LAYERS})
    get_target_property(type scree_${layer} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      # Files compiled once per instruction set are sources of their layer, as objects.
      get_target_property(sources scree_${layer} SOURCES)
      list(FILTER sources INCLUDE REGEX "TARGET_OBJECTS")
      list(APPEND objects $<TARGET_OBJECTS:scree_${layer}> ${sources})
    endif()
  endforeach()
  set(target libscree-${component})
  set(file scree-${component})
  if(component STREQUAL scree)
    set(target libscree)
    set(file scree)
  endif()
  add_library(${target} ${objects})
  add_library(scree::${component} ALIAS ${target})
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_libraries(${target} PRIVATE ${arg_LIBS})
  # Within 0.x a minor version may change the interface: it is part of the name that programs ask for.
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${component} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  if(NOT BUILD_SHARED_LIBS AND component STREQUAL scree)
    # The engine knows the reader of checkpoints by a weak name (engine/simulation.h), which fetches nothing from an archive.
    target_link_options(${target} INTERFACE ${SCREE_FETCHED})
  endif()
  if(BUILD_SHARED_LIBS)
    # Templates of std:: would be exported by their own headers' word: only scree:: leaves. Threads may sleep in the code
    # as long as the process lives: it is never unloaded.
    set(names ${PROJECT_SOURCE_DIR}/cmake/install/exports.map)
    target_link_options(${target} PRIVATE LINKER:--version-script=${names} LINKER:-Bsymbolic-functions LINKER:-z,nodelete
      LINKER:--no-undefined)
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${names})
  endif()

  install(TARGETS ${target} EXPORT ${file}-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib${file} NAMELINK_COMPONENT dev
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${file}-targets NAMESPACE scree:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree COMPONENT dev)
  scree_pkg_config(${component} ${file} ${arg_LIBS})
endfunction()

# NAME.pc, which finds its libraries and headers from where it lies.
function(scree_pkg_config component file)
  set(PC_NAME ${file})
  set(PC_DESCRIPTION "${PROJECT_DESCRIPTION}")
  if(component STREQUAL geometry)
    set(PC_DESCRIPTION "Regular triangulation of spheres and distance of convex bodies")
  endif()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE PC_LIBDIR)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE PC_INCLUDEDIR)
  string(REGEX REPLACE "[^/]+" ".." up ${PC_LIBDIR}/pkgconfig)
  set(PC_PREFIX "\${pcfiledir}/${up}")
  # For static linking: a library of CMake is named by its pkg-config module or its file.
  set(PC_REQUIRES)
  set(PC_FETCHED)
  if(NOT BUILD_SHARED_LIBS AND component STREQUAL scree)
    set(PC_FETCHED "${SCREE_FETCHED} ")
  endif()
  set(PC_LIBS)
  foreach(library ${ARGN})
    if(library STREQUAL "Threads::Threads")
      list(APPEND PC_LIBS -pthread)
    elseif(library MATCHES "^(fmt|tomlplusplus)::")
      list(APPEND PC_REQUIRES ${CMAKE_MATCH_1})
    elseif(library STREQUAL "ZLIB::ZLIB")
      list(APPEND PC_REQUIRES zlib)
    elseif(NOT library MATCHES "::")
      list(APPEND PC_LIBS ${library})
    endif()
  endforeach()
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND PC_LIBS -lstdc++ -lm)
  endif()
  if(BUILD_SHARED_LIBS)  # which name themselves what they need
    set(PC_REQUIRES)
    set(PC_LIBS)
  endif()
  list(JOIN PC_REQUIRES " " PC_REQUIRES)
  list(JOIN PC_LIBS " " PC_LIBS)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/install/scree.pc.in ${PROJECT_BINARY_DIR}/generated/${file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

# scree_install_config() installs what find_package(scree) reads.
function(scree_install_config)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
  set(SCREE_STATIC ON)
  if(BUILD_SHARED_LIBS)
    set(SCREE_STATIC OFF)
  endif()
  include(CMakePackageConfigHelpers)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/install/scree-config.cmake.in ${generated}/scree-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
  write_basic_package_version_file(${generated}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${generated}/scree-config.cmake ${generated}/scree-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree COMPONENT dev)
endfunction()
