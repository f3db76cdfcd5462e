// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/rigid_motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <Eigen/Dense>

#include "setka/base/text.hpp"

namespace setka::fem {
namespace {

using Row6 = Eigen::Matrix<double, 1, 6>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct Frame {
  std::array<double, 3> center{};
  double size = 1;
};

Frame frame_of(const Solids& solids) {
  Frame frame;
  std::array<double, 3> least{1e300, 1e300, 1e300};
  std::array<double, 3> most{-1e300, -1e300, -1e300};
  for (const std::int32_t node : solids.node) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = solids.coordinates[3 * static_cast<std::size_t>(node) + k];
      least[k] = std::min(least[k], x);
      most[k] = std::max(most[k], x);
    }
  }
  double diagonal = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    frame.center[k] = (least[k] + most[k]) / 2;
    diagonal += (most[k] - least[k]) * (most[k] - least[k]);
  }
  if (diagonal > 0) frame.size = std::sqrt(diagonal);
  return frame;
}

/// Movement of a degree of freedom under three translations and three rotations about the centre, scaled to
/// one size.
Row6 movement(const Solids& solids, const Frame& frame, std::int32_t dof) {
  std::array<double, 3> x{};
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = (solids.coordinates[3 * static_cast<std::size_t>(dof / 3) + k] - frame.center[k]) / frame.size;
  }
  const Eigen::Matrix<double, 3, 6> all{
      {1, 0, 0, 0, x[2], -x[1]}, {0, 1, 0, -x[2], 0, x[0]}, {0, 0, 1, x[1], -x[0], 0}};
  return all.row(dof % 3);
}

std::string in_words(const Eigen::Matrix<double, 6, 1>& motion) {
  static constexpr std::array names{"translation along x", "translation along y", "translation along z",
                                    "rotation about x",    "rotation about y",    "rotation about z"};
  std::vector<std::string> parts;
  const double most = motion.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < 6; ++i) {
    if (std::abs(motion[i]) > 0.05 * most) parts.emplace_back(names[static_cast<std::size_t>(i)]);
  }
  return join_words(parts, "with");
}

}  // namespace

std::vector<std::string> free_rigid_motions(const Solids& solids, const Constraints& constraints) {
  const Frame frame = frame_of(solids);
  std::vector<std::int8_t> used(solids.coordinates.size() / 3, 0);
  for (const std::int32_t node : solids.node) used[static_cast<std::size_t>(node)] = 1;

  // An unknown moves as the first degree of freedom that is just it.
  std::vector<std::int32_t> dof_of(static_cast<std::size_t>(constraints.unknown_count()), -1);
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    const auto row = constraints.row(d);
    if (row.size() == 1 && row[0].coefficient == 1 && dof_of[static_cast<std::size_t>(row[0].index)] < 0) {
      dof_of[static_cast<std::size_t>(row[0].index)] = d;
    }
  }
  Matrix6 held = Matrix6::Zero();
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    if (used[static_cast<std::size_t>(d / 3)] == 0) continue;
    Row6 difference = movement(solids, frame, d);
    bool known = true;
    for (const Term& term : constraints.row(d)) {
      const std::int32_t source = dof_of[static_cast<std::size_t>(term.index)];
      known = known && source >= 0;
      if (known) difference -= term.coefficient * movement(solids, frame, source);
    }
    if (known) held += difference.transpose() * difference;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(held);
  const double scale = std::max(1.0, eigen.eigenvalues()[5]);
  std::vector<std::string> free;
  for (Eigen::Index i = 0; i < 6; ++i) {
    if (eigen.eigenvalues()[i] < 1e-12 * scale) free.push_back(in_words(eigen.eigenvectors().col(i)));
  }
  return free;
}

}  // namespace setka::fem
