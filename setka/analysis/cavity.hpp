// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/heat_loads.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/view_factors.hpp"

namespace setka::analysis {

/// Faces that radiate to each other (*RADIATE with R1CR to R6CR), by cavities. Faces are grey and diffuse, of
/// one radiosity each. A cavity is open to the ambient temperature of each face, by what its factors lack to
/// one, unless that temperature is below absolute zero: then its factors are made to sum to one.
class Cavities {
 public:
  /// losses: of face_losses(), whose last ones are those of loads.radiation().
  Cavities(const Setup& setup, const LoadState& loads, std::span<const FaceLoss> losses, int threads);

  bool empty() const { return cavities_.empty(); }

  /// Sets what faces of cavities have far away (FaceLoss::far), which is what they see of each other at
  /// temperatures of the solids' nodes, and of what is around. zero: absolute.
  void look_around(std::span<const double> temperature, double zero, std::span<FaceLoss> losses) const;

 private:
  struct Cavity {
    std::vector<std::size_t> loss;            // [faces] into the losses
    std::vector<double> factors;              // [faces, faces]
    std::vector<double> lacks;                // [faces] 1 - sum of factors
    std::vector<std::vector<double>> shares;  // [faces] of T^4 at each point, by area
    std::vector<std::vector<std::int32_t>> nodes;
    std::vector<std::vector<double>> shapes;  // [faces][points, nodes]
  };

  Cavity made(const Setup& setup, std::span<const FaceLoss> losses, std::vector<std::size_t> own, bool closed,
              bool rings, int threads) const;

  bool of_means_;  // faces radiate by their mean temperatures, as in CalculiX; else by the means of T^4
  std::vector<Cavity> cavities_;
};

}  // namespace setka::analysis
