# Compile options of our own code, and the helper that makes one target for each folder of the house.

add_library(stickslip_options INTERFACE)
target_compile_options(stickslip_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Werror
  # GCC 12 misreads its own AVX-512 headers (bug 105593) and std::string (bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi;-Wno-maybe-uninitialized;-Wno-restrict>)
target_compile_definitions(stickslip_options INTERFACE EIGEN_MPL2_ONLY)
target_compile_options(stickslip_options INTERFACE -fno-math-errno)  # std::sqrt as one instruction
if(STICKSLIP_NATIVE)
  target_compile_options(stickslip_options INTERFACE -march=native)
endif()
if(STICKSLIP_BUILD_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(STICKSLIP_SANITIZE)
  add_compile_options(-fsanitize=${STICKSLIP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STICKSLIP_SANITIZE})
endif()

# stickslip_room(FOLDER [WITH subfolders...] [DEPENDS rooms...] [LINKS libraries...]): FOLDER/*.cpp as one static library,
# stickslip_PATH, where PATH is that of the folder below src, or below the top of the tree, with _ for /. Each room links only to
# the rooms that it names; the tests of a room link to nothing more, so that the linker keeps the architecture true
# (docs/architecture.md).
function(stickslip_room folder)
  cmake_parse_arguments(ROOM "" "" "WITH;DEPENDS;LINKS" ${ARGN})
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  string(REGEX REPLACE "^src/" "" name ${path})
  string(REPLACE "/" "_" name ${name})
  list(TRANSFORM ROOM_WITH PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/)
  list(TRANSFORM ROOM_WITH APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp ${ROOM_WITH})
  add_library(stickslip_${name} STATIC ${sources})
  target_include_directories(stickslip_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  if(NOT path MATCHES "^src/")
    target_include_directories(stickslip_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  endif()
  target_link_libraries(stickslip_${name} PRIVATE stickslip_options)
  foreach(room IN LISTS ROOM_DEPENDS)
    target_link_libraries(stickslip_${name} PUBLIC stickslip_${room})
  endforeach()
  target_link_libraries(stickslip_${name} PUBLIC ${ROOM_LINKS})
  set_property(GLOBAL APPEND PROPERTY STICKSLIP_ROOMS stickslip_${name})
endfunction()

# stickslip_test(NAME sources... [LINKS libraries...]): one GoogleTest program, its cases known to ctest one by one.
function(stickslip_test name)
  cmake_parse_arguments(TEST "" "" "LINKS" ${ARGN})
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE STICKSLIP_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)  # the tests need not be fast, their build must
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>)  # bug 105593 again, at -O1
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE stickslip_options ${TEST_LINKS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 ${STICKSLIP_TEST_PROPERTIES})
endfunction()
