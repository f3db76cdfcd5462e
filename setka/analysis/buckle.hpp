// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// What a *BUCKLE step gives, in its order: the state under its loads, its factors, the shape of each.
struct BuckleSink {
  std::function<void(const model::Frame& frame)> frame;
  std::function<void(const model::BucklingTable& table)> table;
};

/// What makes a *BUCKLE step impossible, as an Error: no loads, temperatures, more factors than unknowns,
/// bodies that nothing holds. of_users: constraints of what the user moves.
void check_buckle(const Setup& setup, const LoadState& loads, const model::Step& step,
                  const fem::Constraints& of_users);

/// *BUCKLE: the lowest positive factors f with (K + f S) phi = 0, where S is the stiffness of the stresses
/// under the loads of the step, and K that of the body at rest or about a preload (null: none). Shapes are
/// scaled to phi' K phi = 1, the largest entry is positive. time: at the beginning of the step, at which
/// CalculiX shows all of it.
model::BucklingTable solve_buckle(const Setup& setup, const LoadState& loads, const model::Step& step,
                                  int number, double time, const Preload* preload, const Computing& computing,
                                  const BuckleSink& sink, Monitor& monitor);

}  // namespace setka::analysis
