// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/detail/motion_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "setka/base/text.hpp"

namespace setka::analysis::detail {
namespace {

/// Below, a component of a motion is taken for rounding: of motions of size one.
constexpr double least = 1e-6;

/// A basis of the same motions that is easy to name: rotations first, each motion with its own leading
/// component, which the others have not.
void make_plain(Dense& motions) {
  const std::int64_t count = motions.columns();
  std::int64_t done = 0;
  for (std::int64_t row = 5; row >= 0 && done < count; --row) {
    std::int64_t best = done;
    for (std::int64_t j = done; j < count; ++j) {
      if (std::abs(motions(row, j)) > std::abs(motions(row, best))) best = j;
    }
    const double lead = motions(row, best);
    if (std::abs(lead) < least) continue;
    std::ranges::swap_ranges(motions.column(done), motions.column(best));
    for (double& value : motions.column(done)) value /= lead;
    for (std::int64_t other = 0; other < count; ++other) {
      if (other == done) continue;
      const double factor = motions(row, other);
      for (std::int64_t i = 0; i < 6; ++i) motions(i, other) -= factor * motions(i, done);
    }
    ++done;
  }
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// A turn is named by its axes alone: where its centre lies is a matter of translations.
std::string in_words_alone(std::span<const double> motion) {
  static constexpr std::array axes{"x", "y", "z"};
  const bool turns = largest(motion.last(3)) > least;
  const std::span<const double> part = turns ? motion.last(3) : motion.first(3);
  std::vector<std::string> along;
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(part[i]) > least * largest(part)) along.emplace_back(axes[i]);
  }
  return (turns ? "rotation about " : "translation along ") + join_words(along);
}

}  // namespace

std::vector<std::string> in_words(Dense motions) {
  make_plain(motions);
  std::vector<std::string> words;
  for (std::int64_t i = 0; i < motions.columns(); ++i) words.push_back(in_words_alone(motions.column(i)));
  return words;
}

}  // namespace setka::analysis::detail
