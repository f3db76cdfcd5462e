// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/grid/sweep_split_kernel.hpp"
#include "setka/grid/sweep_ways.hpp"

namespace setka::grid {

template <class T>
void sweep_split(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  const std::int64_t count = lines.count();
  const std::int64_t pieces = (lines.rows + kernel::piece_rows - 1) / kernel::piece_rows;
  const std::int64_t size = pieces * count;
  const kernel::PieceRows<T> rows{lines, bands, d};
  const exec::Scratch<kernel::Elimination<T>> elimination(stream, size);
  const exec::Scratch<T> reduced(stream, 4 * size);
  T* const lower = reduced.data();
  T* const diagonal = lower + size;
  T* const upper = diagonal + size;
  T* const right = upper + size;
  exec::parallel_for(stream, size, kernel::EliminatePieces<T>{rows, elimination.data()});
  exec::parallel_for(
      stream, size,
      kernel::ReducePieces<T>{count, pieces, elimination.data(), lower, diagonal, upper, right});

  Lines ends;  // one row a piece
  ends.rows = pieces;
  ends.inner = count;
  ends.outer_stride = size;
  ends.row_stride = count;
  ends.inner_stride = 1;
  const kernel::Bands<T> of_ends{lower, diagonal, upper, size, count, 1, {}, bands.periodic};
  sweep_as_fits(stream, ends, of_ends, right, right);

  exec::parallel_for(stream, size, kernel::SolvePieces<T>{rows, pieces, right, x});
}

template void sweep_split<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template void sweep_split<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace setka::grid
