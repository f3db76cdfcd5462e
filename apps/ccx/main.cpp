// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Setka under the name of CalculiX's solver, for programs that call it.
#include <string>
#include <utility>
#include <vector>

#include "ccx.hpp"
#include "standard_streams.hpp"

int main(int argc, char** argv) {
  setka::app::guard_standard_streams();
  std::vector<std::string> arguments;
  if (argc > 0) arguments.assign(argv + 1, argv + argc);
  return setka::app::code_after_output(setka::app::run_ccx("ccx", std::move(arguments)));
}
