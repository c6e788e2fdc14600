# Called at build time: installs the packages into OUT/node_modules when the lock file has changed, then bundles WEB/src.
# Needs NODE, NPM, WEB, OUT. Never fails: see CMakeLists.txt.
file(REMOVE ${OUT}/bundled)

# try(WHAT COMMAND...): on failure writes the empty bundle and says so.
function(try what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${OUT} RESULT_VARIABLE status OUTPUT_FILE ${OUT}/${what}.log
                  ERROR_FILE ${OUT}/${what}.log TIMEOUT 300)
  if(NOT status EQUAL 0)
    file(STRINGS ${OUT}/${what}.log log LIMIT_COUNT 4 REGEX "[Ee]rror")
    list(JOIN log "\n" log)
    configure_file(${WEB}/empty_bundle.cpp ${OUT}/report_bundle.cpp COPYONLY)
    message("${log}")
    message("warning: ${what} failed (${status}), so that 'stickslip campaign report' and 'view' will not be available; everything else is "
            "built. The whole output is in ${OUT}/${what}.log; build again to try again.")
    set(failed TRUE PARENT_SCOPE)
  endif()
endfunction()

set(failed FALSE)
file(SHA256 ${WEB}/package-lock.json wanted)
set(installed "")
if(EXISTS ${OUT}/installed)
  file(READ ${OUT}/installed installed)
endif()
if(NOT installed STREQUAL wanted)
  file(COPY ${WEB}/package.json ${WEB}/package-lock.json DESTINATION ${OUT})
  try(npm ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=1000
      --fetch-timeout=60000)
  if(NOT failed)
    file(WRITE ${OUT}/installed ${wanted})
  endif()
endif()
if(NOT failed)
  try(bundling ${NODE} ${WEB}/build.mjs ${OUT}/node_modules ${OUT})
endif()
if(NOT failed)
  file(TOUCH ${OUT}/bundled)
endif()
