# Debian packages by CPack, one for each component of what is installed: cpack -G DEB in the build folder, as ./run package does.
# What a package depends on is read from its libraries (dpkg-shlibdeps).
set(CPACK_PACKAGE_VENDOR "stickslip")
set(CPACK_PACKAGE_CONTACT "stickslip developers <stickslip@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/package)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# The libraries of this build are found before those that may be installed.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)

string(CONCAT common
  "\n.\nBodies touch, stick and slide: stickslip computes the impulses between\nthem, with Coulomb's law at every contact, for "
  "grains, masonry, robots and\nhair. Every result is measured on the problem as it was given.")

# stickslip_deb(COMPONENT PACKAGE SECTION DESCRIPTION [DEPENDS text] [RECOMMENDS text] [SUGGESTS text] [SCRIPTS file...]): one package, with
# its licence and the list of changes; scripts that dpkg runs. CPack has one summary for all of them, the project's.
function(stickslip_deb component package section description)
  cmake_parse_arguments(DEB "" "DEPENDS;RECOMMENDS;SUGGESTS" "SCRIPTS" ${ARGN})
  string(TOUPPER ${component} name)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${description}${common}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "${DEB_DEPENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_RECOMMENDS "${DEB_RECOMMENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_SUGGESTS "${DEB_SUGGESTS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_CONTROL_EXTRA "${DEB_SCRIPTS}" PARENT_SCOPE)
  set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian_copyright DESTINATION ${folder} RENAME copyright COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${folder} RENAME changelog.Debian.gz COMPONENT ${component})
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

# Debian's form of the list of changes: it says where the long one is.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/changelog
  "stickslip (${PROJECT_VERSION}-1) unstable; urgency=medium\n\n  * Version ${PROJECT_VERSION}; CHANGELOG.md of the source has the changes.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9nf changelog WORKING_DIRECTORY ${PROJECT_BINARY_DIR} COMMAND_ERROR_IS_FATAL ANY)

# dpkg looks for libraries anew by its own trigger.
file(WRITE ${PROJECT_BINARY_DIR}/library/triggers "activate-noawait ldconfig\n")
# What Python compiles when a module is first used would be left behind by dpkg.
file(WRITE ${PROJECT_BINARY_DIR}/python_scripts/postinst "#!/bin/sh\nset -e\nif [ \"$1\" = configure ] && command -v py3compile >/dev/null; then py3compile -p python3-stickslip; fi\n")
file(WRITE ${PROJECT_BINARY_DIR}/python_scripts/prerm "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then py3clean -p python3-stickslip; fi\n")
file(CHMOD ${PROJECT_BINARY_DIR}/python_scripts/postinst ${PROJECT_BINARY_DIR}/python_scripts/prerm
  PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(exact "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_COMPONENTS_ALL)
stickslip_deb(library libstickslip${STICKSLIP_ABI} libs
  "This package has the shared libraries core, io and dynamics." SCRIPTS ${PROJECT_BINARY_DIR}/library/triggers)
stickslip_deb(development libstickslip-dev libdevel
  "This package has the headers for C++ and C, a module for Fortran, and the\nfiles for CMake and pkg-config."
  DEPENDS "libstickslip${STICKSLIP_ABI} ${exact}")
if(STICKSLIP_APP)
  stickslip_deb(tools stickslip science
    "This package has the command stickslip: solve, check, generate and convert\nproblems, run campaigns and simulate scenes."
    RECOMMENDS "librsvg2-bin" SUGGESTS "chromium, nodejs")
endif()
if(STICKSLIP_WITH_MPI)
  stickslip_deb(mpi stickslip-mpi science
    "This package has the module by which the command stickslip solves one problem\nwith several processes, and the library, the header and the files for CMake and\npkg-config of the component mpi."
    DEPENDS "libstickslip${STICKSLIP_ABI} ${exact}" RECOMMENDS "stickslip, openmpi-bin" SUGGESTS "libstickslip-dev, libopenmpi-dev")
endif()
if(STICKSLIP_WITH_PETSC)
  stickslip_deb(petsc stickslip-petsc science
    "This package has the module by which several processes solve the linear systems\nof second-order methods: solve --petsc."
    DEPENDS "stickslip-mpi ${exact}")
endif()
# The Python module installs itself as the component `python`. It is compiled for one version of Python.
if(TARGET stickslip_python)
  set(python ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR})
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  stickslip_deb(python python3-stickslip python
    "This package has the module stickslip for Python 3."
    DEPENDS "python3 (>= ${python}), python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy, python3-scipy" RECOMMENDS "stickslip, python3-matplotlib"
    SCRIPTS ${PROJECT_BINARY_DIR}/python_scripts/postinst ${PROJECT_BINARY_DIR}/python_scripts/prerm)
endif()
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
include(CPack)
