# What the tests of the installation share; their variables are set in CMakeLists.txt.

# call(WHAT COMMAND...): runs the command and ends the test with its output when it fails.
function(call what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  message(STATUS "${what}: good")
  set(output "${output}" PARENT_SCOPE)
endfunction()

# refuse(WHAT MESSAGE COMMAND...): the command must fail with a text that holds the message.
function(refuse what expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake breaks lines
  string(FIND "${output}" "${expected}" place)
  if(status EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "${what}: expected a failure with '${expected}', got ${status}:\n${output}")
  endif()
  message(STATUS "${what}: refused as it should be")
endfunction()

set(flags)
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()

# nothing_but(RESULT packages...): the options that hide every package of ours from find_package but those named.
function(nothing_but result)
  set(options)
  foreach(package Eigen3 fmt HDF5 SQLite3 CLI11 nlohmann_json GTest PkgConfig)
    if(NOT package IN_LIST ARGN)
      list(APPEND options -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
    endif()
  endforeach()
  set(${result} ${options} PARENT_SCOPE)
endfunction()

# configure_outside(RESULT PROJECT FOLDER [options...]): the command that configures HERE/PROJECT against the prefix.
function(configure_outside result project folder)
  set(${result} ${CMAKE_COMMAND} -S ${HERE}/${project} -B ${folder} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_C_FLAGS=${flags} ${ARGN} PARENT_SCOPE)
endfunction()

# outside(PROJECT [options...]): configures, builds and runs it.
function(outside project)
  set(folder ${WORK}/${project})
  file(REMOVE_RECURSE ${folder})
  configure_outside(command ${project} ${folder} ${ARGN})
  call("${project}: configure" ${command})
  call("${project}: build" ${CMAKE_COMMAND} --build ${folder})
  call("${project}: run" ${folder}/outside ${folder}/by_cmake.hdf5)
  message(STATUS "${output}")
endfunction()

# by_pkg_config(PACKAGE PROJECT): the project's program compiled by hand.
function(by_pkg_config package project)
  if(NOT PKG_CONFIG)
    message(STATUS "pkg-config is not there: that way was not tried")
    return()
  endif()
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  set(static --static)
  if(SHARED)
    set(static)
  endif()
  call("pkg-config ${package}" ${PKG_CONFIG} ${static} --cflags --libs ${package})
  separate_arguments(options UNIX_COMMAND "${output}")
  set(program ${WORK}/${package})
  if(EXISTS ${HERE}/${project}/main.c)
    call("${package}: build in C" cc ${flags} ${HERE}/${project}/main.c -o ${program} ${options})
  else()
    call("${package}: build" ${COMPILER} -std=c++20 ${flags} ${HERE}/${project}/main.cpp -o ${program} ${options})
  endif()
  set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
  call("${package}: run" ${program} ${program}.hdf5)
  message(STATUS "${output}")
endfunction()

# needs_no(PROGRAM LIBRARY): the program was not linked to the library.
function(needs_no program library)
  execute_process(COMMAND readelf -d ${program} OUTPUT_VARIABLE output)
  string(FIND "${output}" "${library}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${program} is linked to ${library}")
  endif()
endfunction()
