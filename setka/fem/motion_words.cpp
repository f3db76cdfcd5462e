// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/detail/motion_words.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "setka/base/text.hpp"

namespace setka::fem::detail {
namespace {

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
std::string in_words_alone(const Eigen::Matrix<double, 6, 1>& motion) {
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

std::vector<std::string> in_words(Eigen::MatrixXd motions) {
  make_plain(motions);
  std::vector<std::string> words;
  for (Eigen::Index i = 0; i < motions.cols(); ++i) words.push_back(in_words_alone(motions.col(i)));
  return words;
}

}  // namespace setka::fem::detail
