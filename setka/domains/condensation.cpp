// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/condensation.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::domains {
namespace {

/// Right-hand sides at a time: a factor is read once for all of them, and they stay in the cache with it.
constexpr std::int64_t columns_together = 64;

/// A smaller pivot, as a part of its diagonal, is what rounding leaves of none.
constexpr double least_pivot = 1e-13;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Rows of entries that come in any order.
template <class Matrix>
void sort_rows(Matrix& a) {
  std::vector<std::pair<std::int32_t, double>> row;
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const std::size_t begin = at(a.offset[at(i)]);
    const std::size_t end = at(a.offset[at(i) + 1]);
    row.clear();
    for (std::size_t k = begin; k < end; ++k) row.emplace_back(a.column[k], a.value[k]);
    const auto by_column = [](const auto& x, const auto& y) { return x.first < y.first; };
    if (std::ranges::is_sorted(row, by_column)) continue;
    std::ranges::sort(row, by_column);
    for (std::size_t k = begin; k < end; ++k) std::tie(a.column[k], a.value[k]) = row[k - begin];
  }
}

/// A matrix whose entries `each(put)` tells twice: once to be counted, once to be placed.
template <class Matrix, class Each>
void fill(Matrix& a, const Each& each) {
  a.offset.assign(at(a.rows) + 1, 0);
  each([&](std::int32_t i, std::int32_t, double) { ++a.offset[at(i) + 1]; });
  for (std::size_t i = 0; i < at(a.rows); ++i) a.offset[i + 1] += a.offset[i];
  a.column.resize(at(a.offset.back()));
  a.value.resize(at(a.offset.back()));
  std::vector<std::int64_t> next(a.offset.begin(), a.offset.end() - 1);
  each([&](std::int32_t i, std::int32_t j, double value) {
    const std::size_t k = at(next[at(i)]++);
    a.column[k] = j;
    a.value[k] = value;
  });
  sort_rows(a);
}

}  // namespace

std::vector<std::int32_t> inner_unknowns(std::int32_t unknowns, std::span<const std::int32_t> boundary) {
  std::vector<char> is_boundary(at(unknowns), 0);
  for (const std::int32_t b : boundary) is_boundary[at(b)] = 1;
  std::vector<std::int32_t> inner;
  inner.reserve(at(unknowns) - boundary.size());
  for (std::int32_t i = 0; i < unknowns; ++i) {
    if (is_boundary[at(i)] == 0) inner.push_back(i);
  }
  return inner;
}

SplitMatrix split(const sparse::SymmetricCsr& a, std::span<const std::int32_t> boundary) {
  const std::vector<std::int32_t> inner = inner_unknowns(a.rows, boundary);
  // Where each unknown went: inner ones from 0 on, boundary ones from -1 down.
  std::vector<std::int32_t> place(at(a.rows), 0);
  for (std::size_t i = 0; i < inner.size(); ++i) place[at(inner[i])] = static_cast<std::int32_t>(i);
  for (std::size_t b = 0; b < boundary.size(); ++b)
    place[at(boundary[b])] = -1 - static_cast<std::int32_t>(b);
  const auto each_entry = [&](auto&& take) {
    for (std::int32_t i = 0; i < a.rows; ++i) {
      for (std::int64_t k = a.offset[at(i)]; k < a.offset[at(i) + 1]; ++k)
        take(place[at(i)], place[at(a.column[at(k)])], a.value[at(k)]);
    }
  };
  SplitMatrix parts;
  parts.inner.rows = static_cast<std::int32_t>(inner.size());
  parts.boundary.rows = parts.coupling.rows = static_cast<std::int32_t>(boundary.size());
  parts.coupling.columns = parts.inner.rows;
  fill(parts.inner, [&](auto&& put) {
    each_entry([&](std::int32_t i, std::int32_t j, double value) {
      if (i >= 0 && j >= 0) put(std::min(i, j), std::max(i, j), value);
    });
  });
  fill(parts.boundary, [&](auto&& put) {
    each_entry([&](std::int32_t i, std::int32_t j, double value) {
      if (i < 0 && j < 0) put(std::min(-1 - i, -1 - j), std::max(-1 - i, -1 - j), value);
    });
  });
  fill(parts.coupling, [&](auto&& put) {
    each_entry([&](std::int32_t i, std::int32_t j, double value) {
      if ((i < 0) != (j < 0)) put(-1 - std::min(i, j), std::max(i, j), value);
    });
  });
  return parts;
}

Dense dense(const sparse::SymmetricCsr& a) {
  Dense full(a.rows, a.rows);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t k = a.offset[at(i)]; k < a.offset[at(i) + 1]; ++k)
      full(i, a.column[at(k)]) = full(a.column[at(k)], i) = a.value[at(k)];
  }
  return full;
}

void add_product(double s, const sparse::Csr& a, ConstDenseView x, DenseView<double> y) {
  for (std::int64_t c = 0; c < x.columns; ++c) {
    for (std::int32_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (std::int64_t k = a.offset[at(i)]; k < a.offset[at(i) + 1]; ++k)
        sum += a.value[at(k)] * x(a.column[at(k)], c);
      y(i, c) += s * sum;
    }
  }
}

Condensation::Condensation(SplitMatrix k) : k_(std::move(k)) {
  if (!solve::Cholesky::available()) {
    throw Error(Fault::usage, "this build of setka has no factorisation, which a reduction needs",
                "build it with SuiteSparse (libsuitesparse-dev)");
  }
  if (k_.inner.rows == 0) return;
  loose_ = factor_.factorise(k_.inner);
  if (loose_ >= 0) return;
  const solve::Cholesky::Pivot pivot = factor_.min_pivot();
  if (pivot.share < least_pivot) loose_ = pivot.row;
}

Dense Condensation::inner_solution(const Dense& b) const {
  Dense x(b.rows(), b.columns());
  if (b.rows() > 0 && b.columns() > 0) factor_.solve(b.values(), x.values(), b.columns());
  return x;
}

Dense Condensation::constraint_modes(std::int64_t first, std::int64_t count) const {
  Dense forces(inner_count(), count);
  const sparse::Csr& k = k_.coupling;
  for (std::int64_t c = 0; c < count; ++c) {
    for (std::int64_t l = k.offset[at(first + c)]; l < k.offset[at(first + c) + 1]; ++l)
      forces(k.column[at(l)], c) = -k.value[at(l)];
  }
  return inner_solution(forces);
}

void Condensation::each_constraint_modes(
    Monitor& monitor, const std::function<void(std::int64_t first, const Dense& psi)>& take) const {
  Stage stage = monitor.stage("constraint modes", boundary_count(), "modes");
  for (std::int64_t first = 0; first < boundary_count(); first += columns_together) {
    const std::int64_t count = std::min(columns_together, boundary_count() - first);
    take(first, constraint_modes(first, count));
    stage.advance(count);
  }
}

Dense Condensation::schur_complement(Monitor& monitor) const {
  Dense s = dense(k_.boundary);
  each_constraint_modes(monitor, [&](std::int64_t first, const Dense& psi) {
    add_product(1, k_.coupling, psi, s.column_range(first, psi.columns()));
  });
  return symmetric_part(s);
}

}  // namespace setka::domains
