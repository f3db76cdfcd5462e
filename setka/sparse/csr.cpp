// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/csr.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "setka/exec/parallel.hpp"

namespace setka::sparse {
namespace {

/// Entries of each row, at offset[row + 1].
void count_rows(const Triplets& list, bool mirrored, std::vector<std::int64_t>& offset) {
  for (std::size_t k = 0; k < list.value.size(); ++k) {
    ++offset[static_cast<std::size_t>(list.row[k]) + 1];
    if (mirrored && list.row[k] != list.column[k]) ++offset[static_cast<std::size_t>(list.column[k]) + 1];
  }
}

/// Sorts a row by columns, adds up what is in the same place, and returns how many places there are.
std::int64_t sort_row(std::int32_t* column, double* value, std::int64_t size) {
  // Files are mostly sorted, and then this moves nothing.
  if (!std::is_sorted(column, column + size)) {
    thread_local std::vector<std::pair<std::int32_t, double>> row;
    row.resize(static_cast<std::size_t>(size));
    for (std::int64_t k = 0; k < size; ++k) row[static_cast<std::size_t>(k)] = {column[k], value[k]};
    std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::int64_t k = 0; k < size; ++k) {
      column[k] = row[static_cast<std::size_t>(k)].first;
      value[k] = row[static_cast<std::size_t>(k)].second;
    }
  }
  std::int64_t places = 0;
  for (std::int64_t k = 0; k < size; ++k) {
    if (places > 0 && column[places - 1] == column[k]) {
      value[places - 1] += value[k];
    } else {
      column[places] = column[k];
      value[places] = value[k];
      ++places;
    }
  }
  return places;
}

/// Moves the rows, of which only `places` entries are left, to one another.
void close_gaps(Csr& matrix, const std::vector<std::int64_t>& places) {
  std::int64_t to = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t from = matrix.offset[i];
    if (from != to) {
      std::copy_n(matrix.column.begin() + from, places[i], matrix.column.begin() + to);
      std::copy_n(matrix.value.begin() + from, places[i], matrix.value.begin() + to);
    }
    matrix.offset[i] = to;
    to += places[i];
  }
  matrix.offset.back() = to;
  matrix.column.resize(static_cast<std::size_t>(to));
  matrix.value.resize(static_cast<std::size_t>(to));
}

}  // namespace

SymmetricRows rows_of(const SymmetricCsr& a) {
  const auto first = [&a](std::int64_t row) {
    return a.value.begin() + a.offset[static_cast<std::size_t>(row)];
  };
  return {&a, [first](std::int64_t row, double* values) { std::copy(first(row), first(row + 1), values); },
          [first](std::int64_t row) { return *first(row); }};
}

double Csr::at(std::int32_t i, std::int32_t j) const {
  const auto first = column.begin() + offset[static_cast<std::size_t>(i)];
  const auto last = column.begin() + offset[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(first, last, j);
  return found != last && *found == j ? value[static_cast<std::size_t>(found - column.begin())] : 0.0;
}

Csr compressed(Triplets list, bool mirrored, int threads) {
  Csr matrix;
  matrix.rows = list.rows;
  matrix.columns = list.columns;
  matrix.offset.assign(static_cast<std::size_t>(list.rows) + 1, 0);
  count_rows(list, mirrored, matrix.offset);
  for (std::size_t i = 1; i < matrix.offset.size(); ++i) matrix.offset[i] += matrix.offset[i - 1];
  matrix.column.resize(static_cast<std::size_t>(matrix.stored()));
  matrix.value.resize(static_cast<std::size_t>(matrix.stored()));
  std::vector<std::int64_t> next(matrix.offset.begin(), matrix.offset.end() - 1);
  const auto put = [&](std::int32_t i, std::int32_t j, double value) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++);
    matrix.column[at] = j;
    matrix.value[at] = value;
  };
  for (std::size_t k = 0; k < list.value.size(); ++k) {
    put(list.row[k], list.column[k], list.value[k]);
    if (mirrored && list.row[k] != list.column[k]) put(list.column[k], list.row[k], list.value[k]);
  }
  list = {};
  exec::host::for_each(threads, matrix.rows, 256, [&](std::int64_t i) {
    const std::int64_t begin = matrix.offset[static_cast<std::size_t>(i)];
    const std::int64_t size = matrix.offset[static_cast<std::size_t>(i) + 1] - begin;
    next[static_cast<std::size_t>(i)] =
        sort_row(matrix.column.data() + begin, matrix.value.data() + begin, size);
  });
  close_gaps(matrix, next);
  return matrix;
}

}  // namespace setka::sparse
