// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "setka/base/config.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/block_shapes.hpp"

/// Products of block rows with many columns and what follows them fused in, as block_csr_product.hpp has them
/// for one: an Epilogue's columns<H, V>(i, first, sums) is called for each block row and each group of V
/// columns with the sums (A X)_i of columns first .. first + V - 1 in sums[H][V]; its in_words(v) says
/// whether a GPU may move v columns of what it reads and writes at once.
namespace setka::sparse {

namespace host {

// Defined in block_csr_columns_host.hpp for the .cpp files that call product_columns().
template <int H, int W, class T, class Epilogue>
void product_columns(int threads, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue);

}  // namespace host

namespace cuda {

// Defined in block_csr_columns.cuh for the .cu files; instantiated there for each epilogue.
template <int H, int W, class T, class Epilogue>
void product_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue);

}  // namespace cuda

/// Reads each stored value once for up to 64 columns. An epilogue that is marked `square` is for square
/// blocks.
template <class T, class Epilogue>
void product_columns(const exec::Stream& stream, const BlockCsr<T>& a, exec::MultiViewOf<const T> x,
                     const Epilogue& epilogue) {
  static_assert(std::is_trivially_copyable_v<Epilogue>, "an epilogue travels to the device as bytes");
  if (x.columns == 0) return;
  with_block_shape("product_columns", a.height(), a.width(), [&](auto height, auto width) {
    if constexpr (requires { Epilogue::square; } && height() != width()) {
      throw Error(Fault::usage, "product_columns: square blocks are needed");
    } else {
      if constexpr (with_cuda) {
        if (stream.is_cuda()) {
          return cuda::product_columns<height(), width()>(stream, a.view(), x, epilogue);
        }
      }
      host::product_columns<height(), width()>(stream.device().threads(), a.view(), x, epilogue);
    }
  });
}

}  // namespace setka::sparse
