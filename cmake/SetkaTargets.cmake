# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# The library target, its flags, and setka_module(), with which each folder adds its files.
add_library(setka_library)
add_library(setka::setka ALIAS setka_library)
set_target_properties(setka_library PROPERTIES
  OUTPUT_NAME setka EXPORT_NAME setka VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(setka_library PUBLIC cxx_std_20)
target_link_libraries(setka_library
  PUBLIC OpenMP::OpenMP_CXX fmt::fmt
  PRIVATE Eigen3::Eigen $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> spdlog::spdlog ZLIB::ZLIB)
target_compile_definitions(setka_library PRIVATE EIGEN_DONT_PARALLELIZE)  # the loops around Eigen are ours
if(SETKA_WITH_CUDA)
  target_link_libraries(setka_library PUBLIC CUDA::cudart PRIVATE ${CMAKE_DL_LIBS})  # cuBLAS is loaded when it is needed
endif()

# Flags of our own targets; none of them is passed on to users of the library.
add_library(setka_flags INTERFACE)
set(warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-maybe-uninitialized)  # GCC bug 105593: false alarms in its own AVX-512 header
endif()
target_compile_options(setka_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic>
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-fopenmp;--expt-relaxed-constexpr>")
if(SETKA_MARCH)
  target_compile_options(setka_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${SETKA_MARCH}>)
elseif(SETKA_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native SETKA_MARCH_NATIVE)
  if(SETKA_MARCH_NATIVE)
    target_compile_options(setka_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
  endif()
endif()
if(SETKA_SANITIZE)
  # The checks of every pointer (null, alignment, object size, virtual table) double the time to compile and find little that
  # the address sanitizer does not; the fuzzers of the readers, where bytes become numbers, keep them.
  set(sanitize -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
  target_compile_options(setka_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitize}>)
  target_link_options(setka_flags INTERFACE ${sanitize})
endif()
target_link_libraries(setka_library PRIVATE $<BUILD_INTERFACE:setka_flags>)

# Precompiled headers, where they were tried; clang-tidy and the fuzzers read every source without them.
set(SETKA_PRECOMPILE OFF)
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(SETKA_PRECOMPILE ON)
  target_precompile_headers(setka_library PRIVATE ${PROJECT_SOURCE_DIR}/setka/precompiled.hpp)
endif()

target_sources(setka_library PUBLIC
  FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
  FILE_SET generated_headers TYPE HEADERS BASE_DIRS ${PROJECT_BINARY_DIR}/include)

# setka_module([TOGETHER] HEADERS a.hpp.. SOURCES a.cpp.. APART b.cpp.. CUDA a.cu.. CUDA_HEADERS a.cuh.. NO_CUDA stub.cpp..)
# adds a folder's files to the library; NO_CUDA files stand in for the CUDA files where there is no nvcc.
# TOGETHER: eight SOURCES at a time are compiled as one, in nearly half the time. For folders that read, write and decide: in
# larger units the compiler inlines kernels in other ways, which does not matter under sanitizers: there all folders are.
# A source with names that another has belongs to those APART.
set(together_size 8)
set_target_properties(setka_library PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
function(setka_module)
  cmake_parse_arguments(PARSE_ARGV 0 arg "TOGETHER" "" "HEADERS;SOURCES;APART;CUDA;CUDA_HEADERS;NO_CUDA")
  target_sources(setka_library PRIVATE ${arg_SOURCES} ${arg_APART})
  if(arg_TOGETHER OR SETKA_SANITIZE)
    list(GET arg_SOURCES 0 first)
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR}/setka ${CMAKE_CURRENT_SOURCE_DIR}/${first})
    string(MAKE_C_IDENTIFIER ${group} group)
    set(k 0)
    foreach(source IN LISTS arg_SOURCES)
      math(EXPR piece "${k} / ${together_size}")
      set_source_files_properties(${source} TARGET_DIRECTORY setka_library PROPERTIES UNITY_GROUP ${group}_${piece})
      math(EXPR k "${k} + 1")
    endforeach()
  endif()
  target_sources(setka_library PUBLIC FILE_SET HEADERS FILES ${arg_HEADERS})
  if(SETKA_WITH_CUDA)
    target_sources(setka_library PRIVATE ${arg_CUDA})
    foreach(header IN LISTS arg_CUDA_HEADERS)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
      install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
    endforeach()
  else()
    target_sources(setka_library PRIVATE ${arg_NO_CUDA})
  endif()
endfunction()

# setka_folder(NAME USES folders..): adds a folder of the library. What its files include of others is checked whenever one of
# them changes.
add_custom_target(setka_arrows)
add_dependencies(setka_library setka_arrows)
function(setka_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
  add_subdirectory(${name})
  string(REPLACE ";" "," uses "${arg_USES}")
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${name}-arrows)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.hpp ${name}/*.cpp ${name}/*.cu ${name}/*.cuh)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=setka/${name} -DUSES=${uses} -DSTAMP=${stamp}
            -P ${PROJECT_SOURCE_DIR}/cmake/CheckArrows.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/CheckArrows.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Checking what setka/${name} stands on")
  add_custom_target(setka_arrows_${name} DEPENDS ${stamp})
  add_dependencies(setka_arrows setka_arrows_${name})
endfunction()
