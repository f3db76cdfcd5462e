// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/exec/device.hpp"
#include "setka/modes/modes.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/blocked.hpp"
#include "setka/sparse/csr.hpp"
#include "setka/sparse/unknowns.hpp"
#include "solve/elastic_block.hpp"

namespace setka::test {

/// A problem with plain entries, K and M in blocks of one.
struct ModesProblem {
  sparse::BlockCsr<double> k;
  sparse::BlockCsr<double> m;

  sparse::SymmetricCsr stiffness() const { return sparse::upper_triangle(k); }
  sparse::SymmetricCsr mass() const { return sparse::upper_triangle(m); }
};

inline sparse::BlockCsr<double> from_entries(sparse::Triplets list) {
  const exec::Device cpu = exec::Device::cpu(1);
  return sparse::blocked(cpu, sparse::compressed(std::move(list), true, 1), 1);
}

inline void add(sparse::Triplets& list, std::int32_t i, std::int32_t j, double value) {
  list.row.push_back(i);
  list.column.push_back(j);
  list.value.push_back(value);
}

inline sparse::BlockCsr<double> diagonal(const std::vector<double>& values) {
  const auto n = static_cast<std::int32_t>(values.size());
  sparse::Triplets list{n, n, {}, {}, {}};
  for (std::int32_t i = 0; i < n; ++i) add(list, i, i, values[static_cast<std::size_t>(i)]);
  return from_entries(std::move(list));
}

/// Copies of a chain of masses between two walls: every eigenvalue as many times as there are copies. Free:
/// the walls are taken away.
inline ModesProblem chains(std::int32_t length, std::int32_t copies, double mass = 1, bool free = false) {
  const std::int32_t n = length * copies;
  sparse::Triplets list{n, n, {}, {}, {}};
  for (std::int32_t i = 0; i < n; ++i) {
    const bool first = i % length == 0;
    const bool last = i % length == length - 1;
    add(list, i, i, free && (first || last) ? 1 : 2);
    if (!last) add(list, i + 1, i, -1);
  }
  return {from_entries(std::move(list)), diagonal(std::vector<double>(static_cast<std::size_t>(n), mass))};
}

inline double chain_lambda(std::int32_t length, int mode) {
  const double half = std::sin(mode * std::numbers::pi / (2.0 * (length + 1)));
  return 4 * half * half;
}

/// 1, 1 + apart, 1 + 2 apart, .. in groups of a size, then 2, 2 + apart, ..
inline std::vector<double> clusters(std::size_t count, std::size_t size, double apart) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t group = 1 + i / size;
    values[i] = static_cast<double>(group) + apart * static_cast<double>(i % size);
  }
  return values;
}

/// Eigenvalues of copies of a chain, ascending.
inline std::vector<double> chain_spectrum(std::int32_t length, std::int32_t copies, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < count; ++j)
    values.push_back(chain_lambda(length, static_cast<int>(j / copies) + 1));
  return values;
}

/// The largest entry of Phi'M Phi - I.
inline double departure_from_orthonormal(const sparse::SymmetricCsr& m, const modes::Modes& modes) {
  const auto n = static_cast<std::size_t>(modes.rows);
  const auto count = modes.lambda.size();
  std::vector<double> x(n * count);
  std::vector<double> y(n * count);
  for (std::size_t k = 0; k < x.size(); ++k) x[(k % count) * n + k / count] = modes.shape[k];
  modes::multiply(m, x, y, static_cast<std::int64_t>(count));
  double worst = 0;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      double sum = a == b ? -1.0 : 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += x[a * n + i] * y[b * n + i];
      worst = std::max(worst, std::abs(sum));
    }
  }
  return worst;
}

inline ::testing::AssertionResult same_lambda(const std::vector<double>& computed,
                                              const std::vector<double>& expected, double relative) {
  if (computed.size() != expected.size()) {
    return ::testing::AssertionFailure() << computed.size() << " modes, expected " << expected.size();
  }
  for (std::size_t j = 0; j < computed.size(); ++j) {
    if (!(std::abs(computed[j] - expected[j]) <= relative * std::abs(expected[j]))) {
      return ::testing::AssertionFailure() << "lambda " << j << " is " << computed[j] << ", expected "
                                           << expected[j] << " within " << relative << " of it";
    }
  }
  return ::testing::AssertionSuccess();
}

/// A steel block: stiffness and mass in blocks of three, and what multigrid wants to know.
struct ElasticModes {
  ElasticSystem stiffness;
  ElasticSystem mass;

  explicit ElasticModes(const ElasticBlock& block)
      : stiffness(assemble(block)), mass(assemble_mass(block, 7800)) {}

  sparse::SymmetricCsr k() const {
    return sparse::over_unknowns(stiffness.system.matrix, stiffness.space.places());
  }
  sparse::SymmetricCsr m() const { return sparse::over_unknowns(mass.system.matrix, mass.space.places()); }

  /// K + alpha M, of which multigrid makes a preconditioner for a body that is free.
  sparse::BlockCsr<double> shifted(double alpha) const {
    sparse::BlockCsr<double> sum =
        std::as_const(stiffness.system.matrix).to(stiffness.system.matrix.device());
    const auto more = mass.system.matrix.value().host();
    const auto values = sum.value().host();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += alpha * more[i];
    return sum;
  }
};

}  // namespace setka::test
