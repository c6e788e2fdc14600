# The package: find_package(stickslip COMPONENTS core io …) and pkg-config stickslip-core, stickslip-io, … and stickslip, all
# there is. Included before the first part is made. What is installed has a component, of which cmake/debian.cmake makes
# packages: library, development, tools, python, and one for each part that stands apart (mpi).
include(CMakePackageConfigHelpers)

set(STICKSLIP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)
# The prefix as seen from a .pc file, so that the installed tree may be moved.
file(RELATIVE_PATH STICKSLIP_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" STICKSLIP_PREFIX_FROM_PC "${STICKSLIP_PREFIX_FROM_PC}")

# stickslip_pkg_config(NAME DESCRIPTION LIBS REQUIRES REQUIRES_PRIVATE): NAME.pc.
function(stickslip_pkg_config name description libs requires requires_private)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/stickslip.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  if(NOT development)
    set(development development)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${development})
endfunction()

# stickslip_install(PART [APART] HEADERS names... [USES parts...] [PACKAGES names...]): see stickslip_library.
function(stickslip_install part)
  cmake_parse_arguments(PART "APART" "" "HEADERS;USES;PACKAGES" ${ARGN})
  set(library library)
  set(development development)
  set(list STICKSLIP_PARTS)
  if(PART_APART)
    set(library ${part})
    set(development ${part})
    set(list STICKSLIP_PARTS_APART)
  endif()
  list(TRANSFORM PART_HEADERS REPLACE "^([^.]+)$" "\\1.hpp")
  list(TRANSFORM PART_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/stickslip/")
  install(FILES ${PART_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stickslip COMPONENT ${development})
  install(TARGETS stickslip_part_${part} EXPORT stickslip_${part}
          LIBRARY COMPONENT ${library} NAMELINK_COMPONENT ${development} ARCHIVE COMPONENT ${development})
  install(EXPORT stickslip_${part} NAMESPACE stickslip:: FILE stickslip_${part}.cmake DESTINATION ${STICKSLIP_PACKAGE_DIR}
          COMPONENT ${development})
  list(TRANSFORM PART_USES PREPEND stickslip-)
  list(JOIN PART_USES " " uses)
  if(BUILD_SHARED_LIBS)
    set(PART_PACKAGES)  # the library brings them itself
  endif()
  list(JOIN PART_PACKAGES " " packages)
  stickslip_pkg_config(stickslip-${part} "${PROJECT_DESCRIPTION}: ${part}" "-L\${libdir} -lstickslip_${part}" "${uses}" "${packages}")
  set_property(GLOBAL APPEND PROPERTY ${list} ${part})
endfunction()

# stickslip_install_package(): what is written when every part is known.
function(stickslip_install_package)
  get_property(parts GLOBAL PROPERTY STICKSLIP_PARTS)
  list(TRANSFORM parts PREPEND stickslip- OUTPUT_VARIABLE requires)
  list(JOIN requires " " requires)
  stickslip_pkg_config(stickslip "${PROJECT_DESCRIPTION}" "" "${requires}" "")
  get_property(apart GLOBAL PROPERTY STICKSLIP_PARTS_APART)
  set(STICKSLIP_PARTS "${parts}")
  set(STICKSLIP_PARTS_APART "${apart}")
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/stickslipConfig.cmake.in ${PROJECT_BINARY_DIR}/stickslipConfig.cmake
    INSTALL_DESTINATION ${STICKSLIP_PACKAGE_DIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/stickslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/stickslipConfig.cmake ${PROJECT_BINARY_DIR}/stickslipConfigVersion.cmake
    DESTINATION ${STICKSLIP_PACKAGE_DIR} COMPONENT development)
endfunction()
