// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/analysis/explicit_model.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/domains/balance.hpp"
#include "setka/dynamics/explicit_motion.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"

namespace setka::analysis {

/// The body of an explicit step on a device. T: float or double.
template <class T>
std::unique_ptr<dynamics::ExplicitBody<T>> explicit_body(const exec::Device& device, const Setup& setup,
                                                         const ExplicitModel& model);

/// The body of an explicit step over a team: each member computes the elements of the nodes that it moves,
/// and tells its neighbours after each step where they are. They begin with the shares of the team. Set-up
/// and model outlive the body.
template <class T>
std::unique_ptr<dynamics::ExplicitBody<T>> explicit_body(
    const exec::Team& team, const Setup& setup, const ExplicitModel& model, const exec::Device& cpu,
    domains::Balancing balancing = domains::Balancing::given);

}  // namespace setka::analysis
