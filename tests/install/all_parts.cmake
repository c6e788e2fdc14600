# Installs the build tree under itself; then projects that take everything, the core, or the files.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
call("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# Everything is where it belongs: the command, the man page, every public header and nothing else.
foreach(path bin/stickslip ${MANDIR}/man1/stickslip.1 ${LIBDIR}/pkgconfig/stickslip.pc ${LIBDIR}/pkgconfig/stickslip-core.pc
             ${LIBDIR}/pkgconfig/stickslip-io.pc ${LIBDIR}/cmake/stickslip/stickslipConfig.cmake
             ${LIBDIR}/cmake/stickslip/stickslipConfigVersion.cmake)
  if(NOT EXISTS ${prefix}/${path})
    message(FATAL_ERROR "${path} was not installed")
  endif()
endforeach()
file(GLOB_RECURSE expected RELATIVE ${TREE}/include ${TREE}/include/*)
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

outside(everything)
nothing_but(hidden fmt)
outside(core ${hidden})
needs_no(${WORK}/core/outside libhdf5)
nothing_but(hidden fmt HDF5)
outside(files ${hidden})

# Static libraries need what they were built with; what is missing is named.
if(NOT SHARED)
  nothing_but(hidden fmt)
  configure_outside(command files ${WORK}/files_refused ${hidden})
  refuse("io without HDF5" "component 'io' of stickslip needs HDF5, which was not found (Debian: libhdf5-dev)" ${command})
endif()
configure_outside(command unknown ${WORK}/unknown)
refuse("a component that nobody has" "this installation of stickslip has no component 'tribology'; it has: core, io" ${command})

by_pkg_config(stickslip everything)
by_pkg_config(stickslip-core core)
needs_no(${WORK}/stickslip-core libhdf5)
by_pkg_config(stickslip-io files)
