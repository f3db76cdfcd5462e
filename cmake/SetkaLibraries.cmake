# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Finds what Setka stands on. Required libraries stop the configuration; optional ones are recorded
# with what they are for and what serves without them, for the summary here and for `setka info`.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(CHOLMOD QUIET)
set(SETKA_WITH_CHOLMOD ${CHOLMOD_FOUND})
find_package(ZLIB REQUIRED)
find_path(SETKA_TOMLPLUSPLUS_INCLUDE toml++/toml.h DOC "The folder that holds toml++/toml.h")
set(SETKA_WITH_TOMLPLUSPLUS FALSE)
set(tomlplusplus_version "")
if(SETKA_TOMLPLUSPLUS_INCLUDE)
  set(SETKA_WITH_TOMLPLUSPLUS TRUE)
  file(GLOB version_header ${SETKA_TOMLPLUSPLUS_INCLUDE}/toml++/impl/version.h*)
  foreach(part MAJOR MINOR PATCH)
    if(version_header)
      file(STRINGS "${version_header}" found REGEX "define TOML_LIB_${part}[ \t]+[0-9]+")
      string(REGEX MATCH "[0-9]+" found "${found}")
      list(APPEND tomlplusplus_version ${found})
    endif()
  endforeach()
  list(JOIN tomlplusplus_version "." tomlplusplus_version)
endif()

set(SETKA_LIBRARY_ROWS "")

# setka_record(NAME found version purpose without): one row of `setka info`.
function(setka_record name found version purpose without)
  if(found)
    set(state true)
  else()
    set(state false)
    set(version "")
  endif()
  string(APPEND SETKA_LIBRARY_ROWS
         "      {\"${name}\", \"${version}\", ${state}, \"${purpose}\", \"${without}\"},\n")
  set(SETKA_LIBRARY_ROWS "${SETKA_LIBRARY_ROWS}" PARENT_SCOPE)
  if(found)
    message(STATUS "setka: ${name} ${version}: ${purpose}")
  else()
    message(STATUS "setka: ${name} not found: ${without}")
  endif()
endfunction()

setka_record("OpenMP" TRUE "${OpenMP_CXX_VERSION}" "CPU threads" "")
setka_record("Eigen" TRUE "${Eigen3_VERSION}" "small dense matrices" "")
setka_record("fmt" TRUE "${fmt_VERSION}" "text" "")
setka_record("spdlog" TRUE "${spdlog_VERSION}" "log" "")
setka_record("nlohmann-json" TRUE "${nlohmann_json_VERSION}" "JSON" "")
setka_record("CLI11" TRUE "${CLI11_VERSION}" "command line" "")
setka_record("zlib" TRUE "${ZLIB_VERSION_STRING}" "compressed result files" "")
setka_record("CUDA" "${SETKA_WITH_CUDA}" "${CUDAToolkit_VERSION}" "GPUs: cuBLAS, CUB"
             "no GPU back end; install the CUDA toolkit (12.4 or newer) and configure again")
setka_record("CHOLMOD" "${SETKA_WITH_CHOLMOD}" "${CHOLMOD_VERSION}" "sparse Cholesky"
             "no direct solver, conjugate gradients instead; install libsuitesparse-dev and configure again")
setka_record("toml++" "${SETKA_WITH_TOMLPLUSPLUS}" "${tomlplusplus_version}" "case files of setka grid"
             "no setka grid; install libtomlplusplus-dev and configure again")
