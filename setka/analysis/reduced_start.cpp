// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/reduced_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "setka/base/error.hpp"

namespace setka::analysis {

domains::ReducedModes reduced_start(const modes::EigenSystem& system, const modes::Request& request,
                                    const Computing& computing, Monitor& monitor) {
  if (!system.assembled())
    throw Error(Fault::usage, "--modes reduced needs assembled matrices", "leave --operator out");
  if (request.count == 0)
    throw Error(Fault::usage, "--modes reduced needs to know how many modes, and *FREQUENCY gives a limit",
                "give *FREQUENCY a number of modes, or use --modes lobpcg");
  const std::int64_t unknowns = system.unknown_count();
  const std::int64_t guards = std::max<std::int64_t>(8, request.count / 4);
  return domains::reduced_modes(*system.stiffness.assembled, *system.mass.assembled, system.place,
                                std::min(request.count + guards, unknowns), *computing.reduction,
                                computing.cpu, monitor);
}

model::ReducedModel worth_of(const domains::ReducedModes& reduced, const modes::Modes& found) {
  model::ReducedModel worth;
  worth.parts = reduced.parts;
  worth.unknowns = reduced.unknowns;
  worth.interface = reduced.interface;
  worth.reduced = reduced.reduced;
  const std::size_t count = std::min(found.lambda.size(), reduced.modes.lambda.size());
  for (std::size_t j = 0; j < count; ++j) {
    worth.residual = std::max(worth.residual, reduced.modes.residual[j]);
    if (!(found.lambda[j] > found.zero)) continue;  // a free motion has no frequency to be off from
    const double ratio = std::sqrt(std::max(0.0, reduced.modes.lambda[j] / found.lambda[j]));
    worth.frequency_error = std::max(worth.frequency_error, std::abs(ratio - 1));
  }
  return worth;
}

}  // namespace setka::analysis
