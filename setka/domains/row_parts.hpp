// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "setka/exec/ghosts.hpp"

namespace setka::domains {

/// The block rows that one part has, and what it needs of others.
struct RowsOfPart {
  std::vector<std::int32_t> rows;    // of the whole: inner ones, without columns of others; then the rest
  std::int32_t inner = 0;            // how many of them are
  std::vector<std::int32_t> ghosts;  // rows of the whole that others have, by their part, ascending
  std::vector<exec::Link> links;     // by part

  std::int32_t boundary() const { return static_cast<std::int32_t>(rows.size()) - inner; }
};

/// The rows of parts, from which part has each of them. inner: [rows] whether it has no column of others;
/// needed: [parts] the rows of others that a part has columns of, in any order and as often as may be.
std::vector<RowsOfPart> rows_of_parts(std::span<const std::int32_t> owner, std::span<const std::int8_t> inner,
                                      std::vector<std::vector<std::int32_t>> needed);

/// Of a list of scalar rows those of one part: where they are in the list, and which rows of the part they
/// are.
struct RowsChosen {
  std::vector<std::size_t> place;
  std::vector<std::int32_t> row;
};

/// Block rows in parts, each row in one of them.
class RowParts {
 public:
  /// block: scalar rows of a block row.
  RowParts(int block, std::vector<RowsOfPart> parts) : block_(block), parts_(std::move(parts)) {}

  int count() const { return static_cast<int>(parts_.size()); }
  int block() const { return block_; }
  const RowsOfPart& part(int p) const { return parts_[static_cast<std::size_t>(p)]; }
  std::int64_t scalar_rows() const;

  /// [parts] a list of scalar rows of the whole, by the parts that have them.
  std::vector<RowsChosen> by_part(std::span<const std::int32_t> rows) const;

  // Different parts may be taken and put by several threads at once.

  /// Of so many values a block row those of the part's rows.
  std::vector<double> values_of(int p, std::span<const double> all, int width) const;

  /// Of so many values a block row those of the part's rows, then those of its ghosts.
  template <class T = double>
  std::vector<T> values_with_ghosts(int p, std::type_identity_t<std::span<const T>> all, int width) const;

  /// The values of the part's rows of a vector over all scalar rows, and back.
  std::vector<double> values_of(int p, std::span<const double> all) const {
    return values_of(p, all, block_);
  }
  template <class T = double>
  void put(int p, std::type_identity_t<std::span<const T>> values, std::type_identity_t<std::span<T>> all,
           int width) const;
  void put(int p, std::span<const double> values, std::span<double> all) const {
    put(p, values, all, block_);
  }

 private:
  int block_;
  std::vector<RowsOfPart> parts_;
};

template <class T>
std::vector<T> RowParts::values_with_ghosts(int p, std::type_identity_t<std::span<const T>> all,
                                            int width) const {
  const auto n = static_cast<std::size_t>(width);
  std::vector<T> values;
  values.reserve(n * (part(p).rows.size() + part(p).ghosts.size()));
  for (const auto* rows : {&part(p).rows, &part(p).ghosts}) {
    for (const std::int32_t row : *rows) {
      const auto block = all.subspan(n * static_cast<std::size_t>(row), n);
      values.insert(values.end(), block.begin(), block.end());
    }
  }
  return values;
}

template <class T>
void RowParts::put(int p, std::type_identity_t<std::span<const T>> values,
                   std::type_identity_t<std::span<T>> all, int width) const {
  const auto n = static_cast<std::size_t>(width);
  for (std::size_t i = 0; i < part(p).rows.size(); ++i)
    std::ranges::copy(
        values.subspan(n * i, n),
        all.begin() + static_cast<std::ptrdiff_t>(n * static_cast<std::size_t>(part(p).rows[i])));
}

}  // namespace setka::domains
