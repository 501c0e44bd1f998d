# Language level, warnings, sanitizers and build speed, in one place.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  message(FATAL_ERROR
    "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines (double frees at run time). "
    "Install clang 19 with 'apt-get install clang-19' and configure with a preset "
    "('cmake --preset release'), or use g++ 13 or later.")
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR
    "clang ${CMAKE_CXX_COMPILER_VERSION} is too old for this code. "
    "Install clang 19 with 'apt-get install clang-19'.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(FIRSTWORD_TESTS "unit;integration" CACHE STRING
    "Which tests to build: any of unit, concurrent, optimised, integration")
set(FIRSTWORD_FUZZ_SECONDS 10 CACHE STRING "How long a fuzz target runs as a test")
set(FIRSTWORD_TIDY_SECONDS 0 CACHE STRING "How long clang-tidy may take as a test; 0: no such test")
option(FIRSTWORD_BUILD_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(FIRSTWORD_BUILD_BENCH "Build the micro-benchmarks" ON)
set(FIRSTWORD_SANITIZE "" CACHE STRING "Sanitizers: address,undefined or thread")

find_program(FIRSTWORD_CCACHE ccache)
if(FIRSTWORD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${FIRSTWORD_CCACHE}")
endif()
find_program(FIRSTWORD_MOLD mold)
if(FIRSTWORD_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Werror -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Options are structs; naming only the fields that differ from their defaults is the point.
  add_compile_options(-Wthread-safety -Wno-missing-designated-field-initializers)
endif()
if(FIRSTWORD_SANITIZE)
  add_compile_options(-fsanitize=${FIRSTWORD_SANITIZE} -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${FIRSTWORD_SANITIZE})
  if(FIRSTWORD_SANITIZE MATCHES "address")
    # Coverage instrumentation lets the fuzz targets reuse the very same libraries.
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
