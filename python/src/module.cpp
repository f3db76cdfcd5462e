// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "python.hpp"

PYBIND11_MODULE(_setka, module) {
  using namespace setka::python;
  module.doc() = "What the package setka calls; import setka, not this.";
  add_errors(module);
  add_devices(module);
  add_arrays(module);
  add_grid(module);
  add_operators(module);
  add_solvers(module);
  add_modes(module);
  add_decks(module);
  add_problems(module);
  add_motion(module);
  add_plan(module);
}
