# scree_embed_templates(TARGET FILES...) compiles text files into the target, as told by app/templates.h.
function(scree_embed_templates target)
  set(rows "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND rows "    {\"${name}\", R\"scene(${text})scene\"},\n")
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/generated/templates.cpp)
  file(WRITE ${output}.new "#include \"templates.h\"\n\nnamespace scree::app {\n\nstatic const Template table[] = {\n${rows}};\n\nstd::span<const Template> templates() { return table; }\n\n}  // namespace scree::app\n")
  file(COPY_FILE ${output}.new ${output} ONLY_IF_DIFFERENT)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/app)
endfunction()

# scree_embed_viewer(TARGET) builds viewer/ with npm and compiles it into the target, as told by view/viewer_files.h. Without
# Node.js, or with SCREE_VIEWER=OFF, the target gets an empty viewer, and `scree view` tells how to build it.
set(SCREE_VIEWER AUTO CACHE STRING "build the viewer: ON (fail when that is not possible), OFF, or AUTO (if node and npm are there)")
function(scree_embed_viewer target)
  find_program(SCREE_NODE NAMES node nodejs)
  find_program(SCREE_NPM npm)
  set(output ${CMAKE_BINARY_DIR}/generated/viewer_files.cpp)
  if(SCREE_VIEWER AND SCREE_NODE AND SCREE_NPM)
    set(sources ${PROJECT_SOURCE_DIR}/viewer)
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${sources}/src/*)
    list(APPEND inputs ${sources}/index.html ${sources}/package.json ${sources}/package-lock.json ${sources}/vite.config.ts ${sources}/tsconfig.json ${sources}/embed.mjs)
    add_custom_command(OUTPUT ${output} DEPENDS ${inputs}
      COMMAND ${CMAKE_COMMAND} -DNPM=${SCREE_NPM} -DNODE=${SCREE_NODE} -DSOURCES=${sources} -DBUILT=${CMAKE_BINARY_DIR}/viewer -DOUTPUT=${output}
              -DREQUIRED=${SCREE_VIEWER} -P ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake
      COMMENT "Building the viewer with npm" VERBATIM)
  elseif(SCREE_VIEWER STREQUAL "ON")
    message(FATAL_ERROR "SCREE_VIEWER=ON needs node and npm (Debian: nodejs, npm)")
  else()
    message(STATUS "The viewer is left out: it takes node and npm to build")
    file(WRITE ${output} "#include \"view/viewer_files.h\"\n\nconst scree::view::ViewerFiles& scree::view::viewer_files() {\n    static const ViewerFiles none;\n    return none;\n}\n")
  endif()
  target_sources(${target} PRIVATE ${output})
endfunction()
