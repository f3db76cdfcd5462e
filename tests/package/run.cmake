# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# run(COMMAND..) sets `output`; a failure ends the script with what was printed.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(failed)
    message(FATAL_ERROR "${ARGV}\nfailed:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

# Builds and runs the project in SOURCE against the package in WORK/prefix.
function(build_and_run_consumer)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/consumer)
  if(NOT output STREQUAL "setka ${VERSION}: norm 5\n")
    message(FATAL_ERROR "the consumer printed: ${output}")
  endif()
endfunction()
