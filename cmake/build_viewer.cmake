# Run by scree_embed_viewer: installs the packages of viewer/package-lock.json when they have changed (`npm ci` of some
# versions insists on packages of other platforms, which a registry may not have), builds the viewer and
# writes it as a source file. When that fails (no network at the first build, say) and the viewer is not required, the
# program is built without it.
set(stamp ${SOURCES}/node_modules/.package-lock.json)
if(NOT EXISTS ${stamp} OR ${SOURCES}/package-lock.json IS_NEWER_THAN ${stamp})
  execute_process(COMMAND ${NPM} install --no-save --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${SOURCES} RESULT_VARIABLE failed OUTPUT_QUIET)
  if(NOT failed)
    file(TOUCH ${stamp})
  endif()
endif()
if(NOT failed)
  execute_process(COMMAND ${NODE} node_modules/typescript/bin/tsc --noEmit WORKING_DIRECTORY ${SOURCES} RESULT_VARIABLE wrong)
  if(wrong)
    message(FATAL_ERROR "the viewer has errors of type")
  endif()
  execute_process(COMMAND ${NODE} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${BUILT} --emptyOutDir WORKING_DIRECTORY ${SOURCES} RESULT_VARIABLE failed)
endif()
if(NOT failed)
  execute_process(COMMAND ${NODE} ${SOURCES}/embed.mjs ${BUILT} ${OUTPUT} RESULT_VARIABLE failed)
endif()
if(failed AND REQUIRED STREQUAL "ON")
  message(FATAL_ERROR "the viewer could not be built")
elseif(failed)
  message(WARNING "the viewer could not be built, so scree is built without it; the next build tries again")
  file(WRITE ${OUTPUT} "#include \"view/viewer_files.h\"\n\nconst scree::view::ViewerFiles& scree::view::viewer_files() {\n    static const ViewerFiles none;\n    return none;\n}\n")
  # Older than all it is made from, so that the next build tries again.
  execute_process(COMMAND touch -d @1 ${OUTPUT})
endif()
