// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/preconditioner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/chebyshev_preconditioner.hpp"
#include "setka/solve/fsai.hpp"

namespace setka::solve {
namespace {

/// A good preconditioner that makes no progress for a hundred iterations will not make any.
constexpr int global_window = 100;

/// A local one has to carry a load from end to end before the residual falls: slender cantilevers of
/// quadratic tetrahedra, 40 times as long as thick, have plateaus of 33 and 29 times the square root of their
/// 9600 and 28 224 unknowns with diagonal blocks, those 10 times as long of 8 to 9 times.
constexpr int min_local_window = 1000;
constexpr double local_window_over_root = 35;

/// A new preconditioner is a line here and a make function beside its class.
const auto& list() {
  static const std::array all{
      PreconditionerKind{"jacobi", "the diagonal", true, true, true, true, true, 0, make_jacobi},
      PreconditionerKind{"block-jacobi", "block diagonal", true, false, true, true, true, 0,
                         make_block_jacobi},
      PreconditionerKind{"fsai", "approximate inverse", false, false, false, false, true, 0, make_fsai},
      PreconditionerKind{"chebyshev", "polynomial", true, false, false, true, true, 4, make_chebyshev},
      PreconditionerKind{"amg", "multigrid", false, false, false, true, false, 0, make_amg},
  };
  return all;
}

bool takes(const PreconditionerKind& one, MatrixKind kind) {
  return kind == MatrixKind::positive_definite || (kind == MatrixKind::symmetric && one.for_symmetric) ||
         (kind == MatrixKind::general && one.for_general);
}

std::string words_for(MatrixKind kind, std::span<const std::string_view> others = {}) {
  std::vector<std::string> words{"auto"};
  for (const PreconditionerKind& one : list()) {
    if (takes(one, kind)) words.emplace_back(one.word);
  }
  words.insert(words.end(), others.begin(), others.end());
  return join_words(words, "or");
}

}  // namespace

int PreconditionerKind::stagnation_window(std::int64_t rows) const {
  if (!local) return global_window;
  return std::max(min_local_window,
                  static_cast<int>(local_window_over_root * std::sqrt(static_cast<double>(rows))));
}

std::span<const PreconditionerKind> preconditioners() {
  return list();
}

std::string preconditioner_words(std::span<const std::string_view> others) {
  return words_for(MatrixKind::positive_definite, others);
}

std::string preconditioner_words_from_diagonal() {
  std::vector<std::string> words;
  for (const PreconditionerKind& one : list()) {
    if (one.from_diagonal) words.emplace_back(one.word);
  }
  return join_words(words, "or");
}

const PreconditionerKind& preconditioner_of(std::string_view word, MatrixKind kind) {
  if (word == "auto") word = kind == MatrixKind::positive_definite ? "amg" : "jacobi";
  const auto* const found =
      std::ranges::find_if(list(), [&](const PreconditionerKind& one) { return one.word == word; });
  if (found == list().end()) {
    throw Error(Fault::usage, fmt::format("'{}' is no preconditioner", word), "give " + words_for(kind));
  }
  require_takes(*found, kind);
  return *found;
}

void require_takes(const PreconditionerKind& preconditioner, MatrixKind kind) {
  if (takes(preconditioner, kind)) return;
  throw Error(Fault::usage,
              fmt::format("the preconditioner {} is for positive definite matrices", preconditioner.word),
              "give " + words_for(kind));
}

}  // namespace setka::solve
