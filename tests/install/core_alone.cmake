# Configures, builds and installs the core where nothing but Eigen and fmt is to be had, as a shared library; then the files
# beside it. What the libraries show is the public interface and nothing else.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

set(prefix ${WORK}/prefix)
set(producer ${WORK}/build)
file(REMOVE_RECURSE ${WORK})
set(SHARED ON)

# produce(packages... OPTIONS options...): the tree itself, with no other package of ours in sight.
function(produce)
  cmake_parse_arguments(PRODUCE "" "" "OPTIONS" ${ARGN})
  nothing_but(hidden ${PRODUCE_UNPARSED_ARGUMENTS})
  file(REMOVE ${producer}/CMakeCache.txt)
  set(command ${CMAKE_COMMAND} -S ${TREE} -B ${producer} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=${TYPE} -DSTICKSLIP_NATIVE=${NATIVE} -DSTICKSLIP_WERROR=${WERROR} -DBUILD_SHARED_LIBS=ON
    -DSTICKSLIP_BUILD_TESTS=OFF -DSTICKSLIP_BUILD_BENCH=OFF -DSTICKSLIP_APP=OFF -DSTICKSLIP_CAMPAIGN=OFF -DSTICKSLIP_DYNAMICS=OFF ${hidden})
  # A part that is on says what it misses.
  refuse("files without HDF5" "STICKSLIP_IO is on and needs HDF5, which was not found; install it (Debian: libhdf5-dev), or leave \
the part out: -DSTICKSLIP_IO=OFF" ${command} -DSTICKSLIP_IO=ON -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON)
  file(REMOVE ${producer}/CMakeCache.txt)
  call("configure" ${command} ${PRODUCE_OPTIONS})
  call("build" ${CMAKE_COMMAND} --build ${producer})
  call("install" ${CMAKE_COMMAND} --install ${producer} --prefix ${prefix})
endfunction()

# shows_only_what_is_public(PART): the dynamic symbols of a shared library.
function(shows_only_what_is_public part)
  set(library ${prefix}/${LIBDIR}/libstickslip_${part}.so)
  call("nm ${library}" ${NM} -DC --defined-only ${library})
  string(FIND "${output}" " T stickslip::" shown)
  if(shown EQUAL -1)
    message(FATAL_ERROR "${library} shows nothing of the public interface")
  endif()
  string(REGEX MATCHALL "[^\n]*(stickslip::internal|Eigen::| T fmt::)[^\n]*" inside "${output}")
  if(inside)
    list(JOIN inside "\n" inside)
    message(FATAL_ERROR "${library} shows its insides:\n${inside}")
  endif()
  set(symbols "${output}" PARENT_SCOPE)
endfunction()

produce(Eigen3 fmt OPTIONS -DSTICKSLIP_IO=OFF)
shows_only_what_is_public(core)
if(EXISTS ${prefix}/include/stickslip/io.hpp)
  message(FATAL_ERROR "the header of a part that was not built is installed")
endif()
nothing_but(hidden)
outside(core ${hidden})
by_pkg_config(stickslip-core core)
configure_outside(command files ${WORK}/files_refused)
refuse("a component that was not built" "this installation of stickslip has no component 'io'; it has: core" ${command})

if(WITH_IO)
  produce(Eigen3 fmt HDF5 OPTIONS -DSTICKSLIP_IO=ON)
  shows_only_what_is_public(io)
  # Symbols of the core in both libraries would be two of each.
  string(REGEX MATCH "[^\n]* T stickslip::solve[^\n]*" twice "${symbols}")
  if(twice)
    message(FATAL_ERROR "libstickslip_io.so holds a part of the core: ${twice}")
  endif()
  outside(files)
  outside(everything)
endif()
