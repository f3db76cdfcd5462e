// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/unknowns.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "setka/exec/parallel.hpp"
#include "setka/sparse/blocked.hpp"

namespace setka::sparse {
namespace {

constexpr std::int64_t few_rows = 1024;  // not worth a team of threads

}  // namespace

SymmetricCsr over_unknowns(const BlockCsr<double>& matrix, std::span<const std::int32_t> place) {
  if (matrix.device().is_cuda()) return over_unknowns(matrix.to(exec::Device::cpu(1)), place);
  if (place.empty()) return upper_triangle(matrix);
  const BlockCsrView<double> a = matrix.view();
  const auto all = static_cast<std::size_t>(matrix.scalar_rows());
  std::vector<std::int32_t> unknown(all, -1);
  for (std::size_t q = 0; q < place.size(); ++q)
    unknown[static_cast<std::size_t>(place[q])] = static_cast<std::int32_t>(q);
  const int size = matrix.height();
  // visit(column, value) for the entries of the row of unknown q, from the diagonal on
  const auto each_entry = [&](std::int64_t q, const auto& visit) {
    const std::int32_t own = place[static_cast<std::size_t>(q)];
    const std::int32_t begin = a.offset[own / size];
    const std::int32_t end = a.offset[own / size + 1];
    const std::int64_t row = own % size;
    const double* value = a.value + size * (size * std::int64_t{begin} + row * (end - begin));
    for (std::int32_t k = begin; k < end; ++k, value += size) {
      const std::int32_t* const across = unknown.data() + size * std::int64_t{a.column[k]};
      for (int j = 0; j < size; ++j) {
        if (across[j] >= q) visit(across[j], value[j]);
      }
    }
  };
  SymmetricCsr csr;
  csr.rows = static_cast<std::int32_t>(place.size());
  csr.offset.assign(place.size() + 1, 0);
  const int threads = matrix.device().threads();
  exec::host::for_each(threads, csr.rows, few_rows, [&](std::int64_t q) {
    std::int64_t count = 0;
    each_entry(q, [&](std::int32_t /*column*/, double /*value*/) { ++count; });
    csr.offset[static_cast<std::size_t>(q) + 1] = count;
  });
  std::partial_sum(csr.offset.begin(), csr.offset.end(), csr.offset.begin());
  csr.column.resize(static_cast<std::size_t>(csr.stored()));
  csr.value.resize(static_cast<std::size_t>(csr.stored()));
  exec::host::for_each(threads, csr.rows, few_rows, [&](std::int64_t q) {
    const auto first = static_cast<std::size_t>(csr.offset[static_cast<std::size_t>(q)]);
    std::size_t next = first;
    bool ascend = true;
    each_entry(q, [&](std::int32_t column, double value) {
      ascend = ascend && (next == first || csr.column[next - 1] < column);
      csr.column[next] = column;
      csr.value[next++] = value;
    });
    if (ascend) return;
    std::vector<std::pair<std::int32_t, double>> entries;
    for (std::size_t k = first; k < next; ++k) entries.emplace_back(csr.column[k], csr.value[k]);
    std::ranges::sort(entries, {}, &std::pair<std::int32_t, double>::first);
    for (std::size_t k = first; k < next; ++k) std::tie(csr.column[k], csr.value[k]) = entries[k - first];
  });
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
