// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/heat_loads.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/robin_faces.hpp"
#include "setka/fem/space.hpp"

namespace setka::analysis {

/// The faces of losses, in their order; space: of temperatures. number: of the solids' nodes among those of
/// the space; empty: the same.
fem::RobinFaces faces_of_losses(const Setup& setup, std::span<const FaceLoss> losses, const fem::Space& space,
                                std::span<const std::int32_t> number, const exec::Device& device);

std::vector<fem::RobinValues> values_of(std::span<const FaceLoss> losses);

}  // namespace setka::analysis
