// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/matrix_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/solve/matrix_checks.hpp"

namespace setka::modes {
namespace {

constexpr double minor_allowed = 1 + 1e-6;  // rounding of the file's digits

constexpr const char* symmetric_remedy = "setka modes takes symmetric matrices; check how it was made";
constexpr const char* mass_remedy = "a mass is positive semidefinite; check how it was made";

[[noreturn]] void refuse(const std::string& name, std::string message, std::string remedy) {
  throw Error(Fault::input, std::move(message), std::move(remedy), {name, 0});
}

/// visit(i, j, value) for all entries.
template <class Visit>
void each_entry(const sparse::Csr& matrix, const Visit& visit) {
  for (std::int32_t i = 0; i < matrix.rows; ++i) {
    const std::int64_t end = matrix.offset[static_cast<std::size_t>(i) + 1];
    for (std::int64_t k = matrix.offset[static_cast<std::size_t>(i)]; k < end; ++k)
      visit(i, matrix.column[static_cast<std::size_t>(k)], matrix.value[static_cast<std::size_t>(k)]);
  }
}

}  // namespace

void check_square(const sparse::Triplets& list, const std::string& name) {
  if (list.rows != list.columns) {
    refuse(name, fmt::format("the matrix has {} rows and {} columns", list.rows, list.columns),
           "only square matrices have modes");
  }
  if (list.rows == 0 || list.size() == 0) {
    refuse(name, fmt::format("the matrix of {0} x {0} has no entries", list.rows),
           "there is nothing that could vibrate");
  }
}

void check_entries(const sparse::Csr& matrix, const std::string& name, int threads) {
  each_entry(matrix, [&](std::int32_t i, std::int32_t j, double value) {
    if (!std::isfinite(value))
      refuse(name, fmt::format("the entries of place ({}, {}) add up to {}", i + 1, j + 1, value),
             "scale the matrix");
  });
  solve::check_symmetry(matrix, name, threads, symmetric_remedy);
}

void check_mass(const sparse::Csr& mass, const std::string& name, std::int32_t rows) {
  if (mass.rows != rows) {
    refuse(name, fmt::format("the mass has {} rows, but the stiffness has {}", mass.rows, rows),
           "give two matrices over the same unknowns");
  }
  std::vector<double> diagonal(static_cast<std::size_t>(rows), 0.0);
  each_entry(mass, [&](std::int32_t i, std::int32_t j, double value) {
    if (i != j) return;
    if (value < 0) {
      refuse(name, fmt::format("the mass is negative: the diagonal entry of row {} is {:.6g}", i + 1, value),
             mass_remedy);
    }
    diagonal[static_cast<std::size_t>(i)] = value;
  });
  if (std::all_of(diagonal.begin(), diagonal.end(), [](double value) { return value == 0; }))
    refuse(name, "no unknown has mass: the diagonal is zero", mass_remedy);
  each_entry(mass, [&](std::int32_t i, std::int32_t j, double value) {
    const double first = diagonal[static_cast<std::size_t>(i)];
    const double second = diagonal[static_cast<std::size_t>(j)];
    if (i == j || std::abs(value) <= minor_allowed * std::sqrt(first) * std::sqrt(second)) return;
    refuse(name,
           fmt::format("the mass is indefinite: entry ({}, {}) is {:.6g}, beside the diagonal entries {:.6g} "
                       "and {:.6g}",
                       i + 1, j + 1, value, first, second),
           mass_remedy);
  });
}

}  // namespace setka::modes
