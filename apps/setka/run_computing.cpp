// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// How a deck is computed, from what the user asks for.
#include <fmt/core.h>

#include "ranks.hpp"
#include "run.hpp"
#include "setka/base/error.hpp"

namespace setka::app {
namespace {

bool is_single(const RunOptions& options) {
  if (options.precision != "double" && options.precision != "single")
    throw Error(Fault::usage, fmt::format("--precision {} is unknown", options.precision),
                "it is double or single");
  if (!(options.checkpoint_every >= 0))
    throw Error(Fault::usage, fmt::format("--checkpoint-every {} is no time", options.checkpoint_every),
                "give seconds, or leave it out");
  return options.precision == "single";
}

domains::Balancing balancing_of(const RunOptions& options) {
  if (options.balance == "given") return domains::Balancing::given;
  if (options.balance == "measured") return domains::Balancing::measured;
  throw Error(Fault::usage, fmt::format("--balance {} is unknown", options.balance),
              "it is given or measured");
}

}  // namespace

void take_devices(const std::vector<exec::Device>& devices, const DeviceOptions& options,
                  analysis::Computing& computing) {
  const exec::Device& first = devices.front();
  const bool several = devices.size() > 1;
  const exec::Team team = options.team(devices);
  if (team.size() > 1 || ranks() != nullptr) computing.team = team;
  if (!several && computing.balancing == domains::Balancing::measured)
    throw Error(Fault::usage, "--balance measured is of several devices, and one computes",
                "name them by --devices, or leave it out");
  computing.cpu = first.is_cuda() || several ? exec::Device::cpu(options.threads) : first;
  computing.device = first.is_cuda() ? first : computing.cpu;
  if (several && ranks() == nullptr && computing.solver.method == solve::Method::automatic)
    computing.solver.method = solve::Method::cg;
}

analysis::Computing computing_of(const RunOptions& options, const DeviceOptions& device) {
  analysis::Computing computing;
  computing.solver = options.solver.choice(options.modes == "reduced");
  if (options.solver.in_substructures()) computing.substructures = options.solver.parts.of_substructures();
  computing.operator_kind = analysis::operator_of(options.operator_kind);
  if (options.modes == "reduced") {
    computing.modes = modes::Method::lobpcg;
    computing.reduction = domains::Reduction{options.solver.parts.parts.value_or(0)};
  } else {
    computing.modes = modes::method_of(options.modes, "reduced");
  }
  computing.single_precision = is_single(options);
  computing.balancing = balancing_of(options);
  computing.ranks = ranks();
  computing.mode_tolerance = options.solver.tolerance;
  computing.mode_iterations = options.solver.max_iterations;
  if (device.named()) computing.shortage = modes::Shortage::stop;
  return computing;
}

}  // namespace setka::app
