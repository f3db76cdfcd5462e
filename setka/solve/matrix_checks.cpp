// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/matrix_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::solve {
namespace {

constexpr double asymmetry_allowed = 1e-12;

/// Rounding of the file's digits must not make a singular matrix, where the two are equal, an indefinite one.
constexpr double minor_allowed = 1 + 1e-6;

constexpr const char* general_remedy = "check how the matrix was made, or use --solver gmres";
constexpr const char* indefinite_remedy = "check how the matrix was made, or use --solver minres";

[[noreturn]] void refuse(const std::string& name, std::string message, std::string remedy) {
  throw Error(Fault::input, std::move(message), std::move(remedy), {name, 0});
}

/// An entry and how bad it is; more than 0: to be told.
struct Finding {
  std::int32_t row = -1;
  std::int32_t column = -1;
  double badness = 0;
};

/// The worst entry by badness(i, j, value); the first of equals, for any number of threads.
template <class Badness>
Finding worst_entry(const sparse::Csr& matrix, int threads, const Badness& badness) {
  constexpr std::int64_t chunk = 4096;  // rows
  const std::int64_t chunks = (matrix.rows + chunk - 1) / chunk;
  std::vector<Finding> found(static_cast<std::size_t>(chunks));
  exec::host::for_each(threads, chunks, 1, [&](std::int64_t c) {
    Finding& worst = found[static_cast<std::size_t>(c)];
    const auto last = static_cast<std::int32_t>(std::min<std::int64_t>((c + 1) * chunk, matrix.rows));
    for (auto i = static_cast<std::int32_t>(c * chunk); i < last; ++i) {
      const std::int64_t end = matrix.offset[static_cast<std::size_t>(i) + 1];
      for (std::int64_t k = matrix.offset[static_cast<std::size_t>(i)]; k < end; ++k) {
        const std::int32_t j = matrix.column[static_cast<std::size_t>(k)];
        const double bad = badness(i, j, matrix.value[static_cast<std::size_t>(k)]);
        if (bad > worst.badness) worst = {i, j, bad};
      }
    }
  });
  Finding worst;
  for (const Finding& one : found) {
    if (one.badness > worst.badness) worst = one;
  }
  return worst;
}

std::vector<double> diagonal_of(const sparse::Csr& matrix, int threads) {
  std::vector<double> diagonal(static_cast<std::size_t>(matrix.rows));
  exec::host::for_each(threads, matrix.rows, 256, [&](std::int64_t i) {
    diagonal[static_cast<std::size_t>(i)] =
        matrix.at(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
  });
  return diagonal;
}

}  // namespace

void check_shape(const sparse::Triplets& list, const std::string& name, MatrixKind kind, bool mirrored) {
  if (list.rows != list.columns) {
    refuse(name, fmt::format("the matrix has {} rows and {} columns", list.rows, list.columns),
           "only a square system can be solved");
  }
  if (list.rows == 0 || list.size() == 0)
    refuse(name, fmt::format("the matrix of {0} x {0} has no entries", list.rows),
           "there is nothing to solve");
  const bool by_diagonal = kind == MatrixKind::positive_definite;
  if (list.size() * (mirrored && !by_diagonal ? 2 : 1) < list.rows) {
    refuse(name,
           fmt::format("the matrix of {0} x {0} has fewer entries than rows ({1}): it is singular", list.rows,
                       list.size()),
           by_diagonal ? "every row needs its diagonal entry" : "every row needs an entry");
  }
}

void check_symmetry(const sparse::Csr& matrix, const std::string& name, int threads) {
  check_symmetry(matrix, name, threads, general_remedy);
}

void check_symmetry(const sparse::Csr& matrix, const std::string& name, int threads,
                    const std::string& remedy) {
  std::vector<double> scale = diagonal_of(matrix, threads);
  for (double& entry : scale) entry = std::sqrt(std::abs(entry));
  const Finding worst = worst_entry(matrix, threads, [&](std::int32_t i, std::int32_t j, double value) {
    if (i == j) return 0.0;
    const double other = matrix.at(j, i);
    const double largest =
        std::max({std::abs(value), std::abs(other),
                  scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)]});
    const double apart = std::abs(value - other) / largest;
    return apart > asymmetry_allowed ? apart : 0.0;
  });
  if (worst.row < 0) return;
  refuse(name,
         fmt::format("the matrix is not symmetric: entry ({}, {}) is {:.6g}, but ({}, {}) is {:.6g}",
                     worst.row + 1, worst.column + 1, matrix.at(worst.row, worst.column), worst.column + 1,
                     worst.row + 1, matrix.at(worst.column, worst.row)),
         remedy);
}

void check_matrix(const sparse::Csr& matrix, const std::string& name, MatrixKind kind, bool mirrored,
                  int threads) {
  check_finite(matrix, name, threads);
  if (kind != MatrixKind::general && !mirrored) check_symmetry(matrix, name, threads);
  if (kind == MatrixKind::positive_definite) check_definiteness(matrix, name, threads);
}

void check_finite(const sparse::Csr& matrix, const std::string& name, int threads) {
  const Finding infinite = worst_entry(matrix, threads, [&](std::int32_t, std::int32_t, double value) {
    return std::isfinite(value) ? 0.0 : 1.0;
  });
  if (infinite.row >= 0) {
    refuse(name,
           fmt::format("the entries of place ({}, {}) add up to {}", infinite.row + 1, infinite.column + 1,
                       matrix.at(infinite.row, infinite.column)),
           "scale the matrix");
  }
}

void check_definiteness(const sparse::Csr& matrix, const std::string& name, int threads) {
  const std::vector<double> diagonal = diagonal_of(matrix, threads);
  for (std::int32_t i = 0; i < matrix.rows; ++i) {
    const double entry = diagonal[static_cast<std::size_t>(i)];
    if (entry > 0) continue;
    refuse(name,
           fmt::format("the matrix is not positive definite: the diagonal entry of row {} is {:.6g}", i + 1,
                       entry),
           indefinite_remedy);
  }
  const Finding minor = worst_entry(matrix, threads, [&](std::int32_t i, std::int32_t j, double value) {
    const double most =
        std::sqrt(diagonal[static_cast<std::size_t>(i)]) * std::sqrt(diagonal[static_cast<std::size_t>(j)]);
    return i != j && std::abs(value) > minor_allowed * most ? std::abs(value) / most : 0.0;
  });
  if (minor.row < 0) return;
  refuse(name,
         fmt::format("the matrix is not positive definite: entry ({}, {}) is {:.6g}, beside the diagonal "
                     "entries {:.6g} and {:.6g}",
                     minor.row + 1, minor.column + 1, matrix.at(minor.row, minor.column),
                     diagonal[static_cast<std::size_t>(minor.row)],
                     diagonal[static_cast<std::size_t>(minor.column)]),
         indefinite_remedy);
}

}  // namespace setka::solve
