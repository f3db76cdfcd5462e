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

/// A basis of the same motions that is easy to name: rotations first, each motion with its own leading
/// component, which the others have not.
void make_plain(Eigen::MatrixXd& motions) {
  motions =
      motions.colwise().reverse().eval();  // rows: rotations about z, y, x, then translations along z, y, x
  Eigen::Index done = 0;
  for (Eigen::Index row = 0; row < 6 && done < motions.cols(); ++row) {
    Eigen::Index best = 0;
    const double lead = motions.row(row).tail(motions.cols() - done).cwiseAbs().maxCoeff(&best);
    if (lead < 1e-6) continue;
    motions.col(done).swap(motions.col(done + best));
    motions.col(done) /= motions(row, done);
    for (Eigen::Index other = 0; other < motions.cols(); ++other) {
      if (other != done) motions.col(other) -= motions(row, other) * motions.col(done);
    }
    ++done;
  }
  motions = motions.colwise().reverse().eval();
}

/// A turn is named by its axes alone: where its centre lies is a matter of translations.
std::string in_words(const Eigen::Matrix<double, 6, 1>& motion) {
  static constexpr std::array axes{"x", "y", "z"};
  const bool turns = motion.tail<3>().cwiseAbs().maxCoeff() > 1e-6;
  const Eigen::Vector3d part = turns ? motion.tail<3>() : motion.head<3>();
  std::vector<std::string> along;
  for (Eigen::Index i = 0; i < 3; ++i) {
    if (std::abs(part[i]) > 1e-6 * part.cwiseAbs().maxCoeff())
      along.emplace_back(axes[static_cast<std::size_t>(i)]);
  }
  return (turns ? "rotation about " : "translation along ") + join_words(along);
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
  Eigen::Index count = 0;
  while (count < 6 && eigen.eigenvalues()[count] < 1e-12 * scale) ++count;
  Eigen::MatrixXd motions = eigen.eigenvectors().leftCols(count);
  make_plain(motions);
  std::vector<std::string> free;
  for (Eigen::Index i = 0; i < count; ++i) free.push_back(in_words(motions.col(i)));
  return free;
}

}  // namespace setka::fem
