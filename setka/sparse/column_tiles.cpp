// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/column_tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/block_csr_columns_kernel.hpp"

namespace setka::sparse {
namespace {

/// Tiles are made in ranges of so many rows, one beside the other.
constexpr std::int32_t range_rows = 1 << 16;

struct Structure {
  std::vector<std::int32_t> offset;
  std::vector<std::int32_t> column;

  std::span<const std::int32_t> row(std::int32_t i) const {
    const auto first = static_cast<std::size_t>(offset[static_cast<std::size_t>(i)]);
    return std::span(column).subspan(
        first, static_cast<std::size_t>(offset[static_cast<std::size_t>(i) + 1]) - first);
  }
};

/// Tiles of one range of rows, as the arrays of ColumnTiles have them, offsets from zero.
struct TilesOfRange {
  std::vector<std::int32_t> first_column{0};
  std::vector<std::int32_t> column;
  std::vector<std::int32_t> first_pair{0};
  std::vector<std::int32_t> pair;
  std::vector<std::int32_t> first_entry{0};
  std::vector<std::uint32_t> entry;
};

class TileMaker {
 public:
  TileMaker(const Structure& structure, std::int32_t first, std::int32_t last, const TileLimits& limits)
      : structure_(structure),
        first_(first),
        last_(last),
        limits_(limits),
        taken_(static_cast<std::size_t>(last - first), false),
        single_(static_cast<std::size_t>(last - first), false),
        touched_(static_cast<std::size_t>(last - first), -1),
        present_(static_cast<std::size_t>(last - first), 0),
        inside_(static_cast<std::size_t>(last - first), 0),
        in_tile_(structure.offset.size() - 1, -1),
        local_(structure.offset.size() - 1, 0) {}

  TilesOfRange make() {
    for (std::int32_t seed = first_; seed < last_; ++seed) {
      if (taken_[own(seed)]) continue;
      grow(seed);
      emit();
      ++tile_;
    }
    return std::move(made_);
  }

 private:
  std::size_t own(std::int32_t row) const { return static_cast<std::size_t>(row - first_); }
  bool in_range(std::int32_t row) const { return row >= first_ && row < last_; }

  void grow(std::int32_t seed) {
    rows_.clear();
    columns_.clear();
    candidates_.clear();
    blocks_ = 0;
    add(seed);
    while (static_cast<int>(rows_.size()) < limits_.rows) {
      std::int32_t best = -1;
      int least = 0;
      int most_inside = 0;
      std::erase_if(candidates_, [&](std::int32_t row) { return taken_[own(row)]; });
      for (const std::int32_t row : candidates_) {
        const int missing = static_cast<int>(structure_.row(row).size()) - present_[own(row)];
        const int inside = inside_[own(row)];
        const bool better =
            best < 0 || missing < least ||
            (missing == least && (inside > most_inside || (inside == most_inside && row < best)));
        if (!better) continue;
        best = row;
        least = missing;
        most_inside = inside;
      }
      if (best < 0 || static_cast<int>(columns_.size()) + least > limits_.columns) return;
      // Each pair is filled up to a whole group.
      const auto filled = static_cast<int>(structure_.row(best).size()) + tile_group;
      if (blocks_ + filled > limits_.blocks) return;
      add(best);
    }
  }

  /// For matrices whose structure is symmetric the rows that meet a column are the columns of its row; for
  /// others the counts are a guess, and the tiles are as right but less good.
  void add(std::int32_t row) {
    taken_[own(row)] = true;
    rows_.push_back(row);
    blocks_ += static_cast<int>(structure_.row(row).size()) + tile_group;
    for (const std::int32_t column : structure_.row(row)) {
      if (in_range(column) && !taken_[own(column)] && count(inside_, column)++ == 0)
        candidates_.push_back(column);
      if (in_tile_[static_cast<std::size_t>(column)] == tile_) continue;
      in_tile_[static_cast<std::size_t>(column)] = tile_;
      columns_.push_back(column);
      for (const std::int32_t other : structure_.row(column)) {
        if (in_range(other) && !taken_[own(other)]) ++count(present_, other);
      }
    }
  }

  int& count(std::vector<int>& counts, std::int32_t row) {
    if (touched_[own(row)] != tile_) {
      touched_[own(row)] = tile_;
      present_[own(row)] = 0;
      inside_[own(row)] = 0;
    }
    return counts[own(row)];
  }

  /// Local numbers ascend with the columns: neighbours in a row are then mostly neighbours in the tile, which
  /// lie in different banks of the fast memory.
  void emit() {
    std::ranges::sort(columns_);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      local_[static_cast<std::size_t>(columns_[i])] = static_cast<int>(i);
    made_.column.insert(made_.column.end(), columns_.begin(), columns_.end());
    made_.first_column.push_back(static_cast<std::int32_t>(made_.column.size()));
    std::ranges::sort(rows_);
    for (const std::int32_t row : rows_) single_[own(row)] = true;
    std::int32_t alone = -1;
    for (const std::int32_t row : rows_) {
      if (!single_[own(row)]) continue;
      single_[own(row)] = false;
      std::int32_t partner = nearest_single(row);
      if (partner < 0) std::swap(partner, alone);
      if (partner < 0) {
        alone = row;
        continue;
      }
      single_[own(partner)] = false;
      emit_pair(row, partner);
    }
    if (alone >= 0) emit_pair(alone, -1);
    made_.first_pair.push_back(static_cast<std::int32_t>(made_.pair.size() / 2));
  }

  /// Of the neighbours of a row, the one in the tile without partner that has most columns in common with it;
  /// -1: none.
  std::int32_t nearest_single(std::int32_t row) const {
    std::int32_t nearest = -1;
    int most = 0;
    for (const std::int32_t other : structure_.row(row)) {
      if (!in_range(other) || !single_[own(other)]) continue;
      const int common = in_common(row, other);
      if (common <= most) continue;
      most = common;
      nearest = other;
    }
    return nearest;
  }

  int in_common(std::int32_t a, std::int32_t b) const {
    const auto first = structure_.row(a);
    const auto second = structure_.row(b);
    int common = 0;
    for (std::size_t p = 0, q = 0; p < first.size() && q < second.size();) {
      if (first[p] == second[q]) ++common;
      const bool step = first[p] <= second[q];
      const bool other = second[q] <= first[p];
      p += step ? 1 : 0;
      q += other ? 1 : 0;
    }
    return common;
  }

  void emit_pair(std::int32_t a, std::int32_t b) {
    const auto first = structure_.row(a);
    const auto second = b < 0 ? std::span<const std::int32_t>() : structure_.row(b);
    made_.pair.insert(made_.pair.end(), {a, b});
    for (std::size_t p = 0, q = 0; p < first.size() || q < second.size();) {
      const bool in_first = p < first.size() && (q == second.size() || first[p] <= second[q]);
      const bool in_second = q < second.size() && (p == first.size() || second[q] <= first[p]);
      const std::int32_t column = in_first ? first[p] : second[q];
      made_.entry.push_back(TileEntry::pack(local_[static_cast<std::size_t>(column)],
                                            in_first ? static_cast<int>(p) : TileEntry::none,
                                            in_second ? static_cast<int>(q) : TileEntry::none));
      p += in_first ? 1 : 0;
      q += in_second ? 1 : 0;
    }
    while (made_.entry.size() % tile_group != 0)
      made_.entry.push_back(TileEntry::pack(0, TileEntry::none, TileEntry::none));
    made_.first_entry.push_back(static_cast<std::int32_t>(made_.entry.size()));
  }

  const Structure& structure_;
  std::int32_t first_;
  std::int32_t last_;
  TileLimits limits_;
  std::vector<bool> taken_;            // by a tile
  std::vector<bool> single_;           // in the tile that is written, without partner
  std::vector<std::int32_t> touched_;  // the last tile that counted this row
  std::vector<int> present_;           // columns of the row that the tile has
  std::vector<int> inside_;            // neighbours of the row that the tile has
  std::vector<std::int32_t> in_tile_;  // the last tile that has this column
  std::vector<int> local_;             // of a column, in the tile
  std::vector<std::int32_t> rows_;     // of the tile
  std::vector<std::int32_t> columns_;
  std::vector<std::int32_t> candidates_;
  int blocks_ = 0;  // of the tile, each row filled up
  std::int32_t tile_ = 0;
  TilesOfRange made_;
};

/// All of `more` behind `all`; offsets go on from the last one.
void append_offsets(std::vector<std::int32_t>& all, const std::vector<std::int32_t>& more) {
  const std::int32_t base = all.back();
  for (std::size_t i = 1; i < more.size(); ++i) all.push_back(base + more[i]);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The largest difference of neighbours.
template <class At>
int longest(std::size_t count, const At& at) {
  int most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, at(i + 1) - at(i));
  return most;
}

}  // namespace

ColumnTiles::ColumnTiles(const exec::Device& device)
    : first_column_(device),
      column_(device),
      first_pair_(device),
      pair_(device),
      first_entry_(device),
      entry_(device) {}

std::optional<ColumnTiles> ColumnTiles::of(const BlockCsr<double>& a, const TileLimits& limits) {
  require(limits.rows > 0 && limits.columns > 0 && limits.columns < TileEntry::none && limits.blocks > 0,
          [&] {
            return fmt::format("ColumnTiles: limits of {} rows, {} columns and {} blocks", limits.rows,
                               limits.columns, limits.blocks);
          });
  if (a.height() != 3 || a.width() != 3 || a.rows() != a.columns() || a.rows() == 0) return std::nullopt;
  const Structure structure{a.offset().to_vector(), a.column().to_vector()};
  for (std::int32_t i = 0; i < a.rows(); ++i) {
    if (structure.row(i).size() > static_cast<std::size_t>(limits.columns)) return std::nullopt;
  }
  const std::int64_t ranges = (std::int64_t{a.rows()} + range_rows - 1) / range_rows;
  std::vector<TilesOfRange> made(static_cast<std::size_t>(ranges));
  exec::host::for_each(exec::Device::cpu().threads(), ranges, 1, [&](std::int64_t r) {
    const auto first = static_cast<std::int32_t>(r * range_rows);
    const std::int32_t last = std::min(a.rows(), first + range_rows);
    made[static_cast<std::size_t>(r)] = TileMaker(structure, first, last, limits).make();
  });
  TilesOfRange all;
  for (const TilesOfRange& range : made) {
    append_offsets(all.first_column, range.first_column);
    append(all.column, range.column);
    append_offsets(all.first_pair, range.first_pair);
    append(all.pair, range.pair);
    append_offsets(all.first_entry, range.first_entry);
    append(all.entry, range.entry);
  }

  ColumnTiles tiles(a.device());
  tiles.rows_ = a.rows();
  const std::size_t count = all.first_column.size() - 1;
  tiles.most_columns_ = longest(count, [&](std::size_t i) { return all.first_column[i]; });
  tiles.most_pairs_ = longest(count, [&](std::size_t i) { return all.first_pair[i]; });
  tiles.most_entries_ = longest(
      count, [&](std::size_t i) { return all.first_entry[static_cast<std::size_t>(all.first_pair[i])]; });
  const exec::Device& device = a.device();
  tiles.first_column_ = exec::Array<std::int32_t>(device, all.first_column);
  tiles.column_ = exec::Array<std::int32_t>(device, all.column);
  tiles.first_pair_ = exec::Array<std::int32_t>(device, all.first_pair);
  tiles.pair_ = exec::Array<std::int32_t>(device, all.pair);
  tiles.first_entry_ = exec::Array<std::int32_t>(device, all.first_entry);
  tiles.entry_ = exec::Array<std::uint32_t>(device, all.entry);
  return tiles;
}

std::size_t ColumnTiles::bytes() const {
  return first_column_.bytes() + column_.bytes() + first_pair_.bytes() + pair_.bytes() +
         first_entry_.bytes() + entry_.bytes();
}

double ColumnTiles::loads() const {
  return static_cast<double>(column_.size()) / static_cast<double>(rows_);
}

ColumnTilesView ColumnTiles::view() const {
  return {count(),        most_columns_,      most_entries_, most_pairs_,         first_column_.data(),
          column_.data(), first_pair_.data(), pair_.data(),  first_entry_.data(), entry_.data()};
}

void multiply(const exec::Stream& stream, const BlockCsr<double>& a, const ColumnTiles& tiles,
              exec::MultiViewOf<const double> x, exec::MultiViewOf<double> y) {
  require(tiles.rows() == a.rows() && x.rows == a.scalar_columns() && y.rows == a.scalar_rows() &&
              x.columns == y.columns,
          [&] {
            return fmt::format(
                "multiply: matrix is [{} x {}], X [{} x {}], Y [{} x {}], the tiles have {} rows",
                a.scalar_rows(), a.scalar_columns(), x.rows, x.columns, y.rows, y.columns, tiles.rows() * 3);
          });
  std::int64_t done = 0;
  if constexpr (with_cuda) {
    if (stream.is_cuda() && kernel::in_words(x, 2) && kernel::in_words(y, 2)) {
      done = x.columns / 16 * 16;
      if (done > 0) {
        cuda::multiply_tiles(stream, a.view(), tiles.view(), {x.data, x.rows, done, x.stride},
                             {y.data, y.rows, done, y.stride});
      }
    }
  }
  if (done == x.columns) return;
  const std::int64_t left = x.columns - done;
  multiply<double>(stream, a, exec::MultiView<const double>{x.data + done, x.rows, left, x.stride},
                   exec::MultiView<double>{y.data + done, y.rows, left, y.stride});
}

}  // namespace setka::sparse
