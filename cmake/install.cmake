# Headers, library, command, man page; find_package(stickslip) and pkg-config.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stickslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS stickslip EXPORT stickslipTargets)
if(STICKSLIP_DYNAMICS)
  install(TARGETS stickslip_dynamics EXPORT stickslipTargets)  # find_package(stickslip COMPONENTS dynamics)
  set(STICKSLIP_PC_LIBS -lmuparser)
endif()
install(TARGETS stickslip_command)
install(FILES ${PROJECT_SOURCE_DIR}/docs/stickslip.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(EXPORT stickslipTargets NAMESPACE stickslip:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/stickslipConfig.cmake.in
  ${CMAKE_BINARY_DIR}/stickslipConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/stickslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/stickslipConfig.cmake ${CMAKE_BINARY_DIR}/stickslipConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)

# The prefix as seen from the .pc file, so that the installed tree may be moved.
file(RELATIVE_PATH STICKSLIP_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" STICKSLIP_PREFIX_FROM_PC "${STICKSLIP_PREFIX_FROM_PC}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/stickslip.pc.in ${CMAKE_BINARY_DIR}/stickslip.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/stickslip.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
