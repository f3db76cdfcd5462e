// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What a case on a grid will take, from the profile of this machine.
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "calls.hpp"
#include "python.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/cases/grid_model.hpp"
#include "setka/cases/grid_stationary.hpp"
#include "setka/cases/grid_steps.hpp"
#include "setka/io/grid_case.hpp"
#include "setka/plan/calibrate.hpp"
#include "setka/plan/decide.hpp"
#include "setka/plan/profile.hpp"

namespace setka::python {
namespace {

using exec::Device;

py::dict as_dict(const plan::Choice& choice) {
  py::dict terms;
  for (const plan::Term& term : choice.cost.terms) terms[py::str(term.what)] = term.seconds;
  py::dict made;
  made["name"] = choice.name;
  made["seconds"] = choice.cost.seconds();
  made["device_bytes"] = choice.cost.device_bytes;
  made["lacks"] = choice.lacks;
  made["terms"] = terms;
  return made;
}

py::dict as_dict(const plan::Decision& decision) {
  py::list choices;
  for (const plan::Choice& choice : decision.choices) choices.append(as_dict(choice));
  py::dict made;
  made["choices"] = choices;
  made["chosen"] = decision.chosen;
  made["why"] = decision.why;
  return made;
}

py::dict plan_case(const std::string& path, const Device& device) {
  const plan::Decision decision = unlocked([&] {
    const model::GridCase grid = io::read_grid_case(path);
    std::string why;
    const auto profile = plan::profile_for(device, why);
    if (!profile) {
      throw Error(Fault::input, why, fmt::format("call setka.calibrate(\"{}\") first", device.label()));
    }
    const int bytes = cases::value_bytes(grid);
    if (is_stationary(grid.scheme)) {
      return plan::decide_stationary(*profile, cases::stationary_heat(grid), bytes, grid.most_iterations,
                                     cases::memory_of(grid, device));
    }
    const grid::HeatProblem problem = cases::heat_problem(grid);
    return plan::decide_heat(*profile, problem.axes, bytes, grid.step, grid.steps, device.info().free_memory,
                             plan::fields_of(device, problem));
  });
  return as_dict(decision);
}

/// Writes the profile, and returns where it is.
std::string calibrate(const Device& device, bool quick, py::object progress) {
  Watch watch(std::move(progress));
  return unlocked([&] {
    const plan::MachineProfile machine{version, {plan::calibrate(device, quick, watch.monitor())}};
    const std::filesystem::path path = plan::profile_path();
    plan::write_profile(path, machine);
    return path.string();
  });
}

}  // namespace

void add_plan(py::module_& module) {
  module.def("plan", &plan_case, py::arg("case"), py::arg("device"));
  module.def("calibrate", &calibrate, py::arg("device"), py::arg("quick"), py::arg("progress"));
  module.def("profile_path", [] { return plan::profile_path().string(); });
}

}  // namespace setka::python
