// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// P'AP by parts of its rows, where A P as a whole needs more memory than there is.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "setka/exec/copy.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scan.hpp"
#include "setka/sparse/galerkin_kernel.hpp"
#include "setka/sparse/pieces_kernel.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::sparse {
namespace {

using exec::Array;

/// Rows of a matrix that are not next to each other.
struct SomeRows {
  Array<std::int32_t> place;  // [rows of the whole + 1] how many are among them before
  BlockCsr<double> matrix;
};

SomeRows rows_that_meet(const BlockCsr<double>& a, const BlockCsr<double>& p, std::int32_t first,
                        std::int32_t last) {
  const exec::Device& device = a.device();
  Array<std::int32_t> place(device, std::int64_t{a.rows()} + 1);
  exec::parallel_for(device, place.size(),
                     kernel::MeetsColumns{structure_of(p.view()), first, last, place.data()});
  exec::exclusive_scan<std::int32_t>(device, place, place);
  const std::int32_t count = exec::value_at(device, place.view().part(a.rows(), 1));
  Array<std::int32_t> row(device, count);
  Array<std::int32_t> offset(device, std::int64_t{count} + 1);
  exec::parallel_for(device, a.rows(),
                     kernel::ListRows{place.data(), a.offset().data(), row.data(), offset.data()});
  exec::exclusive_scan<std::int32_t>(device, offset, offset);
  const std::int32_t blocks = exec::value_at(device, offset.view().part(count, 1));
  const int size = a.height() * a.width();
  Array<std::int32_t> column(device, blocks);
  Array<double> value(device, std::int64_t{blocks} * size);
  exec::parallel_for(
      device, std::int64_t{count} * kernel::TakeRows::shares,
      kernel::TakeRows{a.view(), row.data(), offset.data(), size, column.data(), value.data()});
  return {std::move(place), BlockCsr<double>(count, a.columns(), a.height(), a.width(), std::move(offset),
                                             std::move(column), std::move(value))};
}

/// Rows first .. last - 1, with columns by their places among the rows of the other factor.
BlockCsr<double> row_range(const BlockCsr<double>& r, std::int32_t first, std::int32_t last,
                           const SomeRows& among) {
  const exec::Device& device = r.device();
  const std::int32_t begin = exec::value_at(device, r.offset().view().part(first, 1));
  const std::int64_t blocks = exec::value_at(device, r.offset().view().part(last, 1)) - begin;
  const std::int64_t size = std::int64_t{r.height()} * r.width();
  Array<std::int32_t> offset(device, std::int64_t{last - first} + 1);
  exec::parallel_for(device, offset.size(),
                     kernel::ShiftOffsets{r.offset().data() + first, -begin, offset.data()});
  Array<std::int32_t> column(device, blocks);
  exec::copy_async<std::int32_t>(device, r.column().view().part(begin, blocks), column);
  exec::parallel_for(device, blocks, kernel::Renumber{among.place.data(), column.data()});
  Array<double> value(device, blocks * size);
  exec::copy_async<double>(device, r.value().view().part(begin * size, blocks * size), value);
  return {last - first,      among.matrix.rows(), r.height(),      r.width(),
          std::move(offset), std::move(column),   std::move(value)};
}

/// Parts, one below the other.
BlockCsr<double> stacked(std::vector<BlockCsr<double>>& parts, std::int32_t rows) {
  const BlockCsr<double>& front = parts.front();
  const exec::Device device = front.device();
  const std::int32_t columns = front.columns();
  const int height = front.height();
  const int width = front.width();
  std::int64_t blocks = 0;
  for (const BlockCsr<double>& part : parts) blocks += part.blocks();
  Array<std::int32_t> offset(device, std::int64_t{rows} + 1);
  Array<std::int32_t> column(device, blocks);
  Array<double> value(device, blocks * height * width);
  std::int64_t row = 0;
  std::int64_t before = 0;
  for (BlockCsr<double>& part : parts) {
    const std::int64_t count = part.blocks();
    exec::parallel_for(
        device, std::int64_t{part.rows()} + 1,
        kernel::ShiftOffsets{part.offset().data(), static_cast<std::int32_t>(before), offset.data() + row});
    exec::copy_async<std::int32_t>(device, part.column(), column.view().part(before, count));
    exec::copy_async<double>(device, part.value(),
                             value.view().part(before * height * width, count * height * width));
    row += part.rows();
    before += count;
    const BlockCsr<double> done = std::move(part);  // its memory goes
  }
  return {rows, columns, height, width, std::move(offset), std::move(column), std::move(value)};
}

}  // namespace

BlockCsr<double> galerkin_in_parts(const BlockCsr<double>& r, const BlockCsr<double>& a,
                                   const BlockCsr<double>& p, std::int32_t rows_at_once) {
  std::vector<BlockCsr<double>> parts;
  for (std::int32_t first = 0; first < r.rows(); first += rows_at_once) {
    const std::int32_t last = std::min(r.rows(), first + rows_at_once);
    const SomeRows fine = rows_that_meet(a, p, first, last);
    parts.push_back(multiply(row_range(r, first, last, fine), multiply(fine.matrix, p)));
  }
  return stacked(parts, r.rows());
}

}  // namespace setka::sparse
