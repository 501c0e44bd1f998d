# One folder, one library:
#   firstword_folder(NAME [CONCURRENT_TESTS] [OPTIMISED_TESTS]
#                    [LINKS ...] [PRIVATE_LINKS ...] [TEST_LINKS ...])
#
# Takes every .cc of the folder: x_test.cc go into one test binary of the folder, each
# x_bench.cc and x_fuzz.cc becomes a binary of its own, main.cc is left to the caller.
# LINKS are the folders and packages its headers need, PRIVATE_LINKS only its sources.
#
# `unit_tests` builds the test binaries of the tree, `benchmarks` every x_bench.cc, which the
# default build leaves out.
#
# Which tests a build tree has is FIRSTWORD_TESTS: `unit` all of them, `concurrent` those of
# folders that use threads (for ThreadSanitizer), `optimised` those that say something only
# without a sanitizer, `integration` the whole-binary tests under tests/.

add_custom_target(unit_tests)
add_custom_target(benchmarks)

function(firstword_folder name)
  cmake_parse_arguments(ARG "CONCURRENT_TESTS;OPTIMISED_TESTS" "" "LINKS;PRIVATE_LINKS;TEST_LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  set(benches ${sources})
  set(fuzzers ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$|/main\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")

  add_library(firstword_${name} STATIC ${sources})
  target_include_directories(firstword_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(firstword_${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})

  set(wanted OFF)
  if("unit" IN_LIST FIRSTWORD_TESTS
     OR ("concurrent" IN_LIST FIRSTWORD_TESTS AND ARG_CONCURRENT_TESTS)
     OR ("optimised" IN_LIST FIRSTWORD_TESTS AND ARG_OPTIMISED_TESTS))
    set(wanted ON)
  endif()
  if(wanted AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE
      firstword_${name} ${ARG_TEST_LINKS} ${ARG_PRIVATE_LINKS} GTest::gtest_main GTest::gmock)
    target_compile_definitions(${name}_test PRIVATE FIRSTWORD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_dependencies(unit_tests ${name}_test)
    firstword_test(${name}_test unit COMMAND ${name}_test)
  endif()
  if(FIRSTWORD_BUILD_BENCH)
    foreach(file ${benches})
      get_filename_component(bench ${file} NAME_WE)
      add_executable(${bench} EXCLUDE_FROM_ALL ${file})
      add_dependencies(benchmarks ${bench})
      target_link_libraries(${bench} PRIVATE firstword_${name} ${ARG_TEST_LINKS} ${ARG_PRIVATE_LINKS} benchmark::benchmark)
      target_compile_definitions(${bench} PRIVATE FIRSTWORD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endforeach()
  endif()
  if(FIRSTWORD_BUILD_FUZZ)
    foreach(file ${fuzzers})
      get_filename_component(fuzzer ${file} NAME_WE)
      add_executable(${fuzzer} ${file})
      target_link_libraries(${fuzzer} PRIVATE firstword_${name} ${ARG_TEST_LINKS} ${ARG_PRIVATE_LINKS})
      target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
      # libFuzzer adds what it finds to the first folder, so that is one of the build tree.
      file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${fuzzer}_found)
      firstword_test(${fuzzer} fuzz COMMAND ${fuzzer}
        -max_total_time=${FIRSTWORD_FUZZ_SECONDS} -rss_limit_mb=2048 -timeout=10 -verbosity=0
        -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/
        ${CMAKE_CURRENT_BINARY_DIR}/${fuzzer}_found
        ${CMAKE_CURRENT_SOURCE_DIR}/testdata/${fuzzer}_corpus)
    endforeach()
  endif()
endfunction()

#   firstword_test(NAME LABEL COMMAND ... [SKIPPED_IF TEXT])
# Registers a test under a name that says which build it runs in. gtest passes when it skips;
# with SKIPPED_IF ctest says "Skipped" when the output has that text.
function(firstword_test name label)
  cmake_parse_arguments(ARG "" "SKIPPED_IF" "COMMAND" ${ARGN})
  set(full_name ${name})
  if(FIRSTWORD_SANITIZE MATCHES "thread")
    set(full_name tsan.${name})
  elseif(FIRSTWORD_SANITIZE MATCHES "address")
    set(full_name asan.${name})
  endif()
  add_test(NAME ${full_name} COMMAND ${ARG_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${full_name} PROPERTIES LABELS ${label} TIMEOUT 600)
  if(ARG_SKIPPED_IF)
    set_tests_properties(${full_name} PROPERTIES SKIP_REGULAR_EXPRESSION "${ARG_SKIPPED_IF}")
  endif()
endfunction()
