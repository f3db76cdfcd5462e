// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/pieces_kernel.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::sparse {
namespace {

using kernel::RowPiece;

/// The blocks of a few rows, all of them.
std::vector<RowPiece> whole_rows(const BlockCsr<double>& a, std::span<const std::int32_t> rows) {
  const std::vector<std::int32_t> offset = a.offset().to_vector();
  std::vector<RowPiece> pieces;
  pieces.reserve(rows.size());
  for (const std::int32_t row : rows) {
    const auto r = static_cast<std::size_t>(row);
    pieces.push_back({row, offset[r], offset[r + 1] - offset[r]});
  }
  return pieces;
}

std::vector<std::int32_t> offsets_of(std::span<const RowPiece> pieces) {
  std::vector<std::int32_t> offset{0};
  offset.reserve(pieces.size() + 1);
  for (const RowPiece& piece : pieces) offset.push_back(offset.back() + piece.count);
  return offset;
}

std::vector<std::int32_t> numbers(std::int32_t first, std::int32_t last) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(last - first));
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// A matrix of one piece a row.
BlockCsr<double> made_of(const BlockCsr<double>& a, const std::vector<RowPiece>& pieces, std::int32_t columns,
                         std::int32_t shift) {
  const exec::Device& device = a.device();
  exec::Array<std::int32_t> offset(device, offsets_of(pieces));
  const std::int64_t blocks =
      std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                      [](std::int64_t sum, const RowPiece& piece) { return sum + piece.count; });
  exec::Array<std::int32_t> column(device, blocks);
  exec::Array<double> value(device, blocks * a.height() * a.width());
  const exec::Array<RowPiece> piece(device, pieces);
  exec::parallel_for(device, piece.size(),
                     kernel::CopyPiece{a.view(), piece.data(), a.height(), a.width(), shift, 0, nullptr,
                                       offset.data(), column.data(), value.data()});
  return {static_cast<std::int32_t>(pieces.size()),
          columns,
          a.height(),
          a.width(),
          std::move(offset),
          std::move(column),
          std::move(value)};
}

}  // namespace

BlockCsr<double> rows_of(const BlockCsr<double>& a, std::span<const std::int32_t> rows) {
  return made_of(a, whole_rows(a, rows), a.columns(), 0);
}

BlockCsr<double> rows_between(const BlockCsr<double>& a, std::int32_t first, std::int32_t last) {
  return rows_of(a, numbers(first, last));
}

BlockCsr<double> columns_between(const BlockCsr<double>& a, std::int32_t first, std::int32_t last) {
  return columns_between(a, a.rows(), first, last);
}

BlockCsr<double> columns_between(const BlockCsr<double>& a, std::int32_t rows, std::int32_t first,
                                 std::int32_t last) {
  require(rows <= a.rows(), [&] { return fmt::format("columns_between: {} of {} rows", rows, a.rows()); });
  exec::Array<RowPiece> pieces(a.device(), rows);
  exec::parallel_for(a.device(), rows, kernel::FindColumns{a.view(), first, last, pieces.data()});
  return made_of(a, pieces.to_vector(), last - first, -first);
}

BlockCsr<double> side_by_side(const BlockCsr<double>& a, const BlockCsr<double>& b) {
  require(b.rows() <= a.rows() && a.height() == b.height() && a.width() == b.width(), [&] {
    return fmt::format("side_by_side: {} rows of {} x {} beside {} of {} x {}", a.rows(), a.height(),
                       a.width(), b.rows(), b.height(), b.width());
  });
  const exec::Device& device = a.device();
  const std::vector<RowPiece> left = whole_rows(a, numbers(0, a.rows()));
  const std::vector<RowPiece> right = whole_rows(b, numbers(0, b.rows()));
  const std::int32_t alone = a.rows() - b.rows();
  std::vector<RowPiece> both = left;
  std::vector<std::int32_t> skip;
  skip.reserve(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    RowPiece& row = both[static_cast<std::size_t>(alone) + i];
    skip.push_back(row.count);
    row.count += right[i].count;
  }
  exec::Array<std::int32_t> offset(device, offsets_of(both));
  const std::int64_t blocks = a.blocks() + b.blocks();
  exec::Array<std::int32_t> column(device, blocks);
  exec::Array<double> value(device, blocks * a.height() * a.width());
  const exec::Array<RowPiece> of_a(device, left);
  const exec::Array<RowPiece> of_b(device, right);
  const exec::Array<std::int32_t> after(device, skip);
  exec::parallel_for(device, of_a.size(),
                     kernel::CopyPiece{a.view(), of_a.data(), a.height(), a.width(), 0, 0, nullptr,
                                       offset.data(), column.data(), value.data()});
  exec::parallel_for(device, of_b.size(),
                     kernel::CopyPiece{b.view(), of_b.data(), a.height(), a.width(), a.columns(), alone,
                                       after.data(), offset.data(), column.data(), value.data()});
  return {a.rows(),          a.columns() + b.columns(), a.height(),      a.width(),
          std::move(offset), std::move(column),         std::move(value)};
}

BlockCsr<double> stacked(const std::vector<const BlockCsr<double>*>& parts) {
  require(!parts.empty(), "stacked: no parts");
  const BlockCsr<double>& first = *parts.front();
  const exec::Device& device = first.device();
  std::int32_t rows = 0;
  std::int64_t blocks = 0;
  for (const BlockCsr<double>* part : parts) {
    require(part->columns() == first.columns() && part->height() == first.height() &&
                part->width() == first.width(),
            [&] {
              return fmt::format("stacked: {} columns of {} x {} above {} of {} x {}", first.columns(),
                                 first.height(), first.width(), part->columns(), part->height(),
                                 part->width());
            });
    rows += part->rows();
    blocks += part->blocks();
  }
  const std::int64_t size = std::int64_t{first.height()} * first.width();
  exec::Array<std::int32_t> offset(device, std::int64_t{rows} + 1);
  exec::Array<std::int32_t> column(device, blocks);
  exec::Array<double> value(device, blocks * size);
  std::int64_t row = 0;
  std::int64_t block = 0;
  const exec::Stream stream = device;
  for (const BlockCsr<double>* part : parts) {
    exec::copy_async<std::int32_t>(stream, part->offset(),
                                   offset.view().part(row, std::int64_t{part->rows()} + 1));
    exec::parallel_for(stream, std::int64_t{part->rows()} + 1,
                       kernel::Shift{static_cast<std::int32_t>(block), offset.data() + row});
    exec::copy_async<std::int32_t>(stream, part->column(), column.view().part(block, part->blocks()));
    exec::copy_async<double>(stream, part->value(), value.view().part(block * size, part->blocks() * size));
    row += part->rows();
    block += part->blocks();
  }
  stream.synchronize();  // the parts may go
  return {rows,
          first.columns(),
          first.height(),
          first.width(),
          std::move(offset),
          std::move(column),
          std::move(value)};
}

BlockCsr<double> sum(const BlockCsr<double>& a, const BlockCsr<double>& b) {
  require(a.rows() == b.rows() && a.columns() == b.columns() && a.height() == b.height() &&
              a.width() == b.width(),
          "sum of matrices of different shapes");
  std::vector<std::int32_t> row(2 * static_cast<std::size_t>(a.rows()));
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(a.rows()));
  return multiply(transpose(rows_of_identity(a.device(), a.height(), row, a.rows())), stacked({&a, &b}));
}

BlockCsr<double> renumbered_columns(BlockCsr<double> a, std::span<const std::int32_t> number,
                                    std::int32_t columns) {
  const exec::Array<std::int32_t> on_device(a.device(), number);
  exec::Array<std::int32_t> column = a.column().to(a.device());
  exec::parallel_for(a.device(), column.size(), kernel::Renumber{on_device.data(), column.data()});
  return {a.rows(),
          columns,
          a.height(),
          a.width(),
          a.offset().to(a.device()),
          std::move(column),
          std::move(a.value())};
}

BlockCsr<double> rows_of_identity(const exec::Device& device, int block,
                                  const std::vector<std::int32_t>& column, std::int32_t columns) {
  const auto rows = static_cast<std::int32_t>(column.size());
  const auto n = static_cast<std::size_t>(block);
  std::vector<double> value(column.size() * n * n, 0.0);
  for (std::size_t at = 0; at < value.size(); at += n * n) {
    for (std::size_t r = 0; r < n; ++r) value[at + r * (n + 1)] = 1;
  }
  return {rows,
          columns,
          block,
          block,
          exec::Array<std::int32_t>(device, numbers(0, rows + 1)),
          exec::Array<std::int32_t>(device, column),
          exec::Array<double>(device, value)};
}

}  // namespace setka::sparse
