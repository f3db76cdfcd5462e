// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace setka::sparse {

/// A symmetric matrix of which the upper triangle, diagonal included, is stored by rows; columns of a row
/// ascend.
struct SymmetricCsr {
  std::int32_t rows = 0;
  std::vector<std::int64_t> offset{0};  // [rows + 1]
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t stored() const { return offset.back(); }
};

/// Such a matrix whose values are where they are, for who puts them in places of his own and needs no copy.
/// The functions may be called by several threads at a time.
struct SymmetricRows {
  const SymmetricCsr* pattern = nullptr;                         // its own values are not read
  std::function<void(std::int64_t row, double* values)> values;  // those of the row's entries, in their order
  std::function<double(std::int64_t row)> diagonal;
};

/// The rows of a matrix that has its values; it has to outlive them.
SymmetricRows rows_of(const SymmetricCsr& a);

/// Any matrix of numbers by rows, in host memory; columns of a row ascend.
struct Csr {
  std::int32_t rows = 0;
  std::int32_t columns = 0;
  std::vector<std::int64_t> offset{0};  // [rows + 1]
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t stored() const { return offset.back(); }

  /// 0 where nothing is stored.
  double at(std::int32_t i, std::int32_t j) const;
};

/// Entries of a matrix in any order, counted from 0; those in the same place add up.
struct Triplets {
  std::int32_t rows = 0;
  std::int32_t columns = 0;
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t size() const { return static_cast<std::int64_t>(value.size()); }
};

/// By rows. mirrored: the list has one triangle of a symmetric matrix, the result both. Entries of one place
/// are added in the order of the list. Takes 12 bytes an entry beside the list, and 8 a row; a mirrored entry
/// counts twice.
Csr compressed(Triplets list, bool mirrored, int threads);

}  // namespace setka::sparse
