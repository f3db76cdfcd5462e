// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/unknowns.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "setka/exec/parallel.hpp"
#include "setka/sparse/blocked.hpp"

namespace setka::sparse {
namespace {

constexpr std::int64_t few_rows = 1024;  // not worth a team of threads

/// The entries of unknowns, from the diagonal on.
class UpperEntries {
 public:
  UpperEntries(const BlockCsrView<double>& a, int size, std::span<const std::int32_t> place)
      : a_(a), size_(size), place_(place), unknown_(static_cast<std::size_t>(a.rows * size), -1) {
    for (std::size_t q = 0; q < place.size(); ++q)
      unknown_[static_cast<std::size_t>(place[q])] = static_cast<std::int32_t>(q);
  }

  /// visit(column, value) for those of unknown q.
  template <class Visit>
  void each(std::int64_t q, const Visit& visit) const {
    const std::int32_t own = place_[static_cast<std::size_t>(q)];
    const std::int32_t begin = a_.offset[own / size_];
    const std::int32_t end = a_.offset[own / size_ + 1];
    const std::int64_t row = own % size_;
    const double* value = a_.value + size_ * (size_ * std::int64_t{begin} + row * (end - begin));
    for (std::int32_t k = begin; k < end; ++k, value += size_) {
      const std::int32_t* const across = unknown_.data() + size_ * std::int64_t{a_.column[k]};
      for (int j = 0; j < size_; ++j) {
        if (across[j] >= q) visit(across[j], value + j);
      }
    }
  }

  double diagonal(std::int64_t q) const {
    const std::int32_t own = place_[static_cast<std::size_t>(q)];
    const std::int32_t row = own / size_;
    const std::int32_t* const begin = a_.column + a_.offset[row];
    const std::int32_t* const end = a_.column + a_.offset[row + 1];
    const std::int32_t* const block = std::lower_bound(begin, end, row);
    if (block == end || *block != row) return 0;
    const std::int64_t width = std::int64_t{size_} * (end - begin);
    return a_.value[std::int64_t{size_} * size_ * a_.offset[row] + own % size_ * width +
                    size_ * (block - begin) + own % size_];
  }

 private:
  BlockCsrView<double> a_;
  int size_;
  std::span<const std::int32_t> place_;
  std::vector<std::int32_t> unknown_;  // of each row, or -1
};

}  // namespace

SymmetricCsr structure_over_unknowns(const BlockCsrView<double>& pattern, int size,
                                     std::span<const std::int32_t> place, int threads) {
  const UpperEntries entries(pattern, size, place);
  SymmetricCsr csr;
  csr.rows = static_cast<std::int32_t>(place.size());
  csr.offset.assign(place.size() + 1, 0);
  exec::host::for_each(threads, csr.rows, few_rows, [&](std::int64_t q) {
    std::int64_t count = 0;
    entries.each(q, [&](std::int32_t /*column*/, const double* /*value*/) { ++count; });
    csr.offset[static_cast<std::size_t>(q) + 1] = count;
  });
  std::partial_sum(csr.offset.begin(), csr.offset.end(), csr.offset.begin());
  csr.column.resize(static_cast<std::size_t>(csr.stored()));
  exec::host::for_each(threads, csr.rows, few_rows, [&](std::int64_t q) {
    const auto first = csr.column.begin() + csr.offset[static_cast<std::size_t>(q)];
    auto next = first;
    entries.each(q, [&](std::int32_t column, const double* /*value*/) { *next++ = column; });
    if (!std::is_sorted(first, next)) std::sort(first, next);
  });
  return csr;
}

SymmetricRows rows_over_unknowns(const BlockCsr<double>& matrix, std::span<const std::int32_t> place,
                                 const SymmetricCsr& pattern) {
  const auto entries = std::make_shared<const UpperEntries>(matrix.view(), matrix.height(), place);
  const auto values = [entries, &pattern](std::int64_t q, double* to) {
    const auto first = pattern.column.begin() + pattern.offset[static_cast<std::size_t>(q)];
    const auto last = pattern.column.begin() + pattern.offset[static_cast<std::size_t>(q) + 1];
    auto next = first;
    entries->each(q, [&](std::int32_t column, const double* value) {
      // Columns of places that do not ascend were sorted.
      if (next == last || *next != column) next = std::lower_bound(first, last, column);
      to[next - first] = *value;
      ++next;
    });
  };
  return {&pattern, values, [entries](std::int64_t q) { return entries->diagonal(q); }};
}

SymmetricCsr over_unknowns(const BlockCsr<double>& matrix, std::span<const std::int32_t> place) {
  if (matrix.device().is_cuda()) return over_unknowns(matrix.to(exec::Device::cpu(1)), place);
  if (place.empty()) return upper_triangle(matrix);
  SymmetricCsr csr =
      structure_over_unknowns(matrix.view(), matrix.height(), place, matrix.device().threads());
  csr.value.resize(static_cast<std::size_t>(csr.stored()));
  const SymmetricRows rows = rows_over_unknowns(matrix, place, csr);
  exec::host::for_each(matrix.device().threads(), csr.rows, few_rows, [&](std::int64_t q) {
    rows.values(q, csr.value.data() + csr.offset[static_cast<std::size_t>(q)]);
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
