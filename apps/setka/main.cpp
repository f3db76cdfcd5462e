// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka: the command line, in one process. Under mpirun setka-mpi takes its place.
#include "program.hpp"
#include "ranks.hpp"
#include "standard_streams.hpp"

int main(int argc, char** argv) {
  using namespace setka::app;
  guard_standard_streams();
  const Fail fail_alone = [](const Failure& failure) { return fail(failure.code, failure.text.c_str()); };
  if (started_by_mpi() || petsc_options(argc, argv)) return become_setka_mpi(argv);
  return code_after_output(run_program(argc, argv, fail_alone));
}
