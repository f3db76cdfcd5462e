// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_kernel.hpp"

namespace setka::sparse {

/// A sparse matrix of dense blocks, all of one shape, in the memory of a device. Blocks of 1 x 1 make it a
/// plain CSR matrix. The shapes that products know are in block_shapes.hpp.
///
/// The values of a block row lie scalar row by scalar row: [height, blocks in the row, width]. So every
/// scalar row is contiguous, which is what a dot product on vector registers and a coalesced read both want,
/// and one column index serves a whole block.
template <class T>
class BlockCsr {
 public:
  /// rows and columns count blocks; offset: [rows + 1]; column: [blocks], ascending within a row.
  BlockCsr(std::int32_t rows, std::int32_t columns, int height, int width, exec::Array<std::int32_t> offset,
           exec::Array<std::int32_t> column, exec::Array<T> value);

  const exec::Device& device() const { return value_.device(); }
  std::int32_t rows() const { return rows_; }
  std::int32_t columns() const { return columns_; }
  int height() const { return height_; }
  int width() const { return width_; }
  std::int64_t blocks() const { return column_.size(); }
  std::int64_t scalar_rows() const { return std::int64_t{rows_} * height_; }
  std::int64_t scalar_columns() const { return std::int64_t{columns_} * width_; }
  std::size_t bytes() const { return offset_.bytes() + column_.bytes() + value_.bytes(); }

  const exec::Array<std::int32_t>& offset() const { return offset_; }
  const exec::Array<std::int32_t>& column() const { return column_; }
  const exec::Array<T>& value() const { return value_; }
  exec::Array<T>& value() { return value_; }

  BlockCsrView<T> view() const { return {rows_, columns_, offset_.data(), column_.data(), value_.data()}; }

  /// The same matrix on a device, in double or single precision. One that is not needed any more stays as it
  /// is when it is there already.
  BlockCsr to(const exec::Device& device) const&;
  BlockCsr to(const exec::Device& device) &&;
  template <class U>
  BlockCsr<U> cast() const;

  /// The same matrix in the same memory, which has to be there for as long.
  BlockCsr lent() const;

 private:
  std::int32_t rows_;
  std::int32_t columns_;
  int height_;
  int width_;
  exec::Array<std::int32_t> offset_;
  exec::Array<std::int32_t> column_;
  exec::Array<T> value_;
};

/// y = A x; reads each stored value once. y is not x.
template <class T>
void multiply(const exec::Stream& stream, const BlockCsr<T>& a, exec::ViewOf<const T> x, exec::ViewOf<T> y);

/// y = s A x + t z; z may be y, and is not read when t = 0.
template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const BlockCsr<T>& a,
              exec::ViewOf<const T> x, std::type_identity_t<T> t, exec::ViewOf<const T> z, exec::ViewOf<T> y);

/// Y = A X for every column; reads each stored value once for up to 64 columns.
template <class T>
void multiply(const exec::Stream& stream, const BlockCsr<T>& a, exec::MultiViewOf<const T> x,
              exec::MultiViewOf<T> y);

/// Y = s A X + t Z for every column; Z may be Y, and is not read when t = 0.
template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const BlockCsr<T>& a,
              exec::MultiViewOf<const T> x, std::type_identity_t<T> t, exec::MultiViewOf<const T> z,
              exec::MultiViewOf<T> y);

}  // namespace setka::sparse
