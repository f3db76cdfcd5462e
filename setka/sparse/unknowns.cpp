// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/unknowns.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "setka/sparse/blocked.hpp"

namespace setka::sparse {

SymmetricCsr over_unknowns(const BlockCsr<double>& matrix, std::span<const std::int32_t> place) {
  if (matrix.device().is_cuda()) return over_unknowns(matrix.to(exec::Device::cpu(1)), place);
  if (place.empty()) return upper_triangle(matrix);
  const BlockCsrView<double> a = matrix.view();
  const auto all = static_cast<std::size_t>(matrix.scalar_rows());
  std::vector<std::int32_t> unknown(all, -1);
  for (std::size_t q = 0; q < place.size(); ++q)
    unknown[static_cast<std::size_t>(place[q])] = static_cast<std::int32_t>(q);
  const int size = matrix.height();
  SymmetricCsr csr;
  csr.rows = static_cast<std::int32_t>(place.size());
  csr.offset.reserve(place.size() + 1);
  csr.column.reserve(static_cast<std::size_t>(matrix.value().size() / 2 + csr.rows));
  csr.value.reserve(csr.column.capacity());
  std::vector<std::pair<std::int32_t, double>> entries;  // of a row
  for (std::int32_t q = 0; q < csr.rows; ++q) {
    const std::int32_t own = place[static_cast<std::size_t>(q)];
    const std::int32_t begin = a.offset[own / size];
    const std::int64_t width = size * std::int64_t{a.offset[own / size + 1] - begin};
    const double* const values = a.value + size * std::int64_t{size} * begin + own % size * width;
    entries.clear();
    for (std::int64_t l = 0; l < width; ++l) {
      const std::int32_t across =
          unknown[static_cast<std::size_t>(size * std::int64_t{a.column[begin + l / size]} + l % size)];
      if (across >= q) entries.emplace_back(across, values[l]);
    }
    const auto by_column = [](const auto& x, const auto& y) { return x.first < y.first; };
    if (!std::ranges::is_sorted(entries, by_column)) std::ranges::sort(entries, by_column);
    for (const auto& [column, value] : entries) {
      csr.column.push_back(column);
      csr.value.push_back(value);
    }
    csr.offset.push_back(static_cast<std::int64_t>(csr.column.size()));
  }
  return csr;
}

std::vector<double> collect(std::span<const std::int32_t> place, std::vector<double> values) {
  if (place.empty()) return values;
  std::vector<double> q(place.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = values[static_cast<std::size_t>(place[i])];
  return q;
}

std::vector<double> spread(std::span<const std::int32_t> place, std::int64_t rows, std::vector<double> q) {
  if (place.empty()) return q;
  std::vector<double> values(static_cast<std::size_t>(rows), 0.0);
  for (std::size_t i = 0; i < q.size(); ++i) values[static_cast<std::size_t>(place[i])] = q[i];
  return values;
}

}  // namespace setka::sparse
