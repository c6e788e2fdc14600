# Compile options of our own code, and the helpers that make one target for each folder of the house.

add_library(stickslip_options INTERFACE)
target_compile_options(stickslip_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  $<$<BOOL:${STICKSLIP_WERROR}>:-Werror>
  # GCC 12 misreads its own AVX-512 headers (bug 105593) and std::string (bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi;-Wno-uninitialized;-Wno-maybe-uninitialized;-Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-psabi>
  # Joined sources see each other's private names, and their private types look like those of headers.
  $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-shadow>
  $<$<AND:$<BOOL:${CMAKE_UNITY_BUILD}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
target_compile_definitions(stickslip_options INTERFACE EIGEN_MPL2_ONLY)
target_compile_options(stickslip_options INTERFACE -fno-math-errno)  # std::sqrt as one instruction
if(STICKSLIP_NATIVE)
  target_compile_options(stickslip_options INTERFACE -march=native)
endif()
if(STICKSLIP_BUILD_FUZZERS)
  # As below: without the checks that take a third of the compile time.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=null,alignment,object-size,vptr
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(STICKSLIP_SANITIZE)
  add_compile_options(-fsanitize=${STICKSLIP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # These checks take a third of the compile time; what they find is found by the address sanitizer where it does harm.
  add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  add_link_options(-fsanitize=${STICKSLIP_SANITIZE})
endif()

# stickslip_may_know(FOLDER [rooms...]): a line of the one table of who may include whom. FOLDER is a path below the top; rooms
# are named as targets are, without stickslip_; what they know themselves is known too. OWNS: the public headers of the
# folder. tests/house holds every #include against the table.
function(stickslip_may_know folder)
  cmake_parse_arguments(FOLDER "" "" "OWNS" ${ARGN})
  string(JOIN " " rooms ${FOLDER_UNPARSED_ARGUMENTS})
  string(JOIN " " headers ${FOLDER_OWNS})
  set_property(GLOBAL APPEND_STRING PROPERTY STICKSLIP_MAY_KNOW "${folder}: ${rooms}: ${headers}\n")
endfunction()

# stickslip_room(FOLDER [WITH subfolders...] [HEADERS names...] [DEPENDS rooms...] [LINKS libraries...]): FOLDER/*.cpp as one
# static library, stickslip_PATH, where PATH is that of the folder below src, or below the top, with _ for /. HEADERS: the
# public headers include/stickslip/NAME.hpp that the room implements; one with another ending is named with it. A room links only to the rooms that it names, and its
# tests to nothing more, so that the linker keeps the architecture true (docs/architecture.md).
function(stickslip_room folder)
  cmake_parse_arguments(ROOM "" "" "WITH;HEADERS;DEPENDS;LINKS" ${ARGN})
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  string(REGEX REPLACE "^src/" "" name ${path})
  string(REPLACE "/" "_" name ${name})
  stickslip_may_know(${path} ${ROOM_DEPENDS} OWNS ${ROOM_HEADERS})
  list(TRANSFORM ROOM_WITH PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/)
  list(TRANSFORM ROOM_WITH APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp ${ROOM_WITH})
  add_library(stickslip_${name} STATIC ${sources})
  target_include_directories(stickslip_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  if(NOT path MATCHES "^src/")
    target_include_directories(stickslip_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  endif()
  target_link_libraries(stickslip_${name} PRIVATE stickslip_options)
  foreach(room IN LISTS ROOM_DEPENDS)
    target_link_libraries(stickslip_${name} PUBLIC stickslip_${room})
  endforeach()
  target_link_libraries(stickslip_${name} PUBLIC ${ROOM_LINKS})
  set_property(GLOBAL APPEND PROPERTY STICKSLIP_ROOMS stickslip_${name})
  set_property(GLOBAL APPEND PROPERTY STICKSLIP_HEADERS ${ROOM_HEADERS})
endfunction()

# Before 1.0 a minor version may change the interface, and a library is then another one.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(STICKSLIP_ABI ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
  set(STICKSLIP_ABI ${PROJECT_VERSION_MAJOR})
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/stickslip.map CONTENT "STICKSLIP_${STICKSLIP_ABI} { *; };\n")

# All parts that are built.
add_library(stickslip INTERFACE)
add_library(stickslip::stickslip ALIAS stickslip)

# stickslip_library(PART [APART] [USES parts...] [BORROWS rooms...] [LINKS libraries...] [PACKAGES names...]): the rooms made since the
# last library as one that is installed with their public headers: libstickslip_PART, stickslip::PART, component PART of the
# package. USES: parts that it is linked to. BORROWS: rooms of theirs whose insides it needs, which a shared library does not
# show. PACKAGES: what pkg-config calls the libraries. APART: no part of stickslip::stickslip, and installed as a component of its own: who wants it names it.
function(stickslip_library part)
  cmake_parse_arguments(LIBRARY "APART" "" "USES;BORROWS;LINKS;PACKAGES" ${ARGN})
  get_property(rooms GLOBAL PROPERTY STICKSLIP_ROOMS)
  get_property(headers GLOBAL PROPERTY STICKSLIP_HEADERS)
  set_property(GLOBAL PROPERTY STICKSLIP_ROOMS)
  set_property(GLOBAL PROPERTY STICKSLIP_HEADERS)
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  set(target stickslip_part_${part})
  add_library(${target} ${objects})
  add_library(stickslip::${part} ALIAS ${target})
  set(apart)
  if(LIBRARY_APART)
    set(apart APART)
  else()
    target_link_libraries(stickslip INTERFACE ${target})
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME stickslip_${part} EXPORT_NAME ${part} LINKER_LANGUAGE CXX
                        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
                        VERSION ${PROJECT_VERSION} SOVERSION ${STICKSLIP_ABI})
  # Symbols carry the version of the interface, so that two of them can live in one process.
  if(BUILD_SHARED_LIBS AND NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/stickslip.map)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_BINARY_DIR}/stickslip.map)
  endif()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Installed, it is the package file that asks for C++20, and only of projects that use C++.
  target_compile_features(${target} PRIVATE cxx_std_20 INTERFACE $<BUILD_INTERFACE:cxx_std_20>)
  list(TRANSFORM LIBRARY_USES PREPEND stickslip_part_ OUTPUT_VARIABLE uses)
  target_link_libraries(${target} PUBLIC ${uses} PRIVATE ${LIBRARY_LINKS})
  if(BUILD_SHARED_LIBS AND LIBRARY_BORROWS)
    foreach(room IN LISTS LIBRARY_BORROWS)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:stickslip_${room}>)
    endforeach()
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  endif()
  stickslip_install(${part} ${apart} HEADERS ${headers} USES ${LIBRARY_USES} PACKAGES ${LIBRARY_PACKAGES})
endfunction()

# stickslip_test(NAME sources... [LINKS libraries...] [SHARDS n] [LABELS labels...] [LONG filter]): one GoogleTest program, known
# to ctest as one test, or as n that share its cases; those of the filter are an entry NAME.long with the label `slow`. Thousands of cases take seconds in one process and minutes in one each. Under the
# thread sanitizer only those with the label `threads` are made.
function(stickslip_test name)
  cmake_parse_arguments(TEST "" "SHARDS;LONG" "LINKS;LABELS" ${ARGN})
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE STICKSLIP_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)  # the tests need not be fast, their build must
  if(STICKSLIP_SANITIZE)
    # What is looked at is the library: undefined behaviour in its sources, memory everywhere.
    target_compile_options(${name} PRIVATE -O0 $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=undefined>)
  endif()
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>)  # bug 105593 again, at -O1
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE stickslip_options ${TEST_LINKS} GTest::gmock GTest::gtest_main)
  if(STICKSLIP_SANITIZE MATCHES "thread" AND NOT "threads" IN_LIST TEST_LABELS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  if(NOT TEST_SHARDS)
    set(TEST_SHARDS 1)
  endif()
  set(filter "*")
  if(TEST_LONG)
    set(filter "*-${TEST_LONG}")
    add_test(NAME ${name}.long COMMAND ${name} --gtest_brief=1 --gtest_filter=${TEST_LONG})
    set_tests_properties(${name}.long PROPERTIES TIMEOUT 900 LABELS "${TEST_LABELS};slow")
  endif()
  foreach(shard RANGE 1 ${TEST_SHARDS})
    set(entry ${name})
    if(TEST_SHARDS GREATER 1)
      set(entry ${name}.${shard}of${TEST_SHARDS})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${entry} COMMAND ${name} --gtest_brief=1 --gtest_filter=${filter})
    set_tests_properties(${entry} PROPERTIES TIMEOUT 900 LABELS "${TEST_LABELS}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()
