# The test itself; its variables are set in CMakeLists.txt.
cmake_minimum_required(VERSION 3.22)

# call(WHAT COMMAND...): runs the command and ends the test with its output when it fails.
function(call what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  message(STATUS "${what}: good")
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix} ${WORK}/outside)
call("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# Everything is where it belongs: the command, the man page, every public header and nothing else.
foreach(path bin/stickslip ${MANDIR}/man1/stickslip.1 ${LIBDIR}/pkgconfig/stickslip.pc
             ${LIBDIR}/cmake/stickslip/stickslipConfig.cmake ${LIBDIR}/cmake/stickslip/stickslipConfigVersion.cmake)
  if(NOT EXISTS ${prefix}/${path})
    message(FATAL_ERROR "${path} was not installed")
  endif()
endforeach()
file(GLOB_RECURSE expected RELATIVE ${HEADERS} ${HEADERS}/*)
file(GLOB_RECURSE installed RELATIVE ${prefix}/include ${prefix}/include/*)
if(NOT "${installed}" STREQUAL "${expected}")
  message(FATAL_ERROR "headers: installed ${installed}\nexpected ${expected}")
endif()
call("bin/stickslip --version" ${prefix}/bin/stickslip --version)
if(NOT output STREQUAL "stickslip ${VERSION}\n")
  message(FATAL_ERROR "bin/stickslip --version says ${output}")
endif()
# No path of the build or source folder may be left in what others read.
file(GLOB texts ${prefix}/${LIBDIR}/cmake/stickslip/*.cmake ${prefix}/${LIBDIR}/pkgconfig/*.pc)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  string(REPLACE "${prefix}" "" content "${content}")
  string(FIND "${content}" "${BUILD}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${text} names the build folder")
  endif()
endforeach()

set(flags)
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()

# By CMake.
call("find_package: configure" ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/outside -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -DCMAKE_CXX_FLAGS=${flags})
call("find_package: build" ${CMAKE_COMMAND} --build ${WORK}/outside)
call("find_package: run" ${WORK}/outside/outside ${WORK}/outside/by_cmake.hdf5)
message(STATUS "${output}")

# By pkg-config.
if(NOT PKG_CONFIG)
  message(STATUS "pkg-config is not there: that way was not tried")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
set(static)
if(NOT SHARED)
  set(static --static)
endif()
call("pkg-config" ${PKG_CONFIG} ${static} --cflags --libs stickslip)
separate_arguments(options UNIX_COMMAND "${output}")
call("pkg-config: build" ${COMPILER} -std=c++20 ${flags} ${SOURCE}/main.cpp -o ${WORK}/outside/by_pkg_config ${options})
set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
call("pkg-config: run" ${WORK}/outside/by_pkg_config ${WORK}/outside/by_pkg_config.hdf5)
message(STATUS "${output}")
