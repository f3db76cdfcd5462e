// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::bench {

/// How cuSPARSE multiplies.
enum class CusparseWay {
  plain,         // its default algorithm, nothing prepared
  preprocessed,  // an algorithm that looks at the matrix first: CSR_ALG1 for vectors, CSR_ALG2 for blocks
};

/// A matrix as plain CSR in cuSPARSE, with the entries of its blocks in the same order, zeros included: what
/// our products are held against in the same run. GPUs alone; without CUDA nothing makes one.
class CusparsePeer {
 public:
  /// columns: how many vectors it will be multiplied with at once.
  CusparsePeer(const exec::Device& gpu, const sparse::BlockCsr<double>& a, std::int64_t columns,
               CusparseWay way);
  ~CusparsePeer();

  /// y = A x in the main stream of the device; x and y row-major, contiguous, of that many columns.
  void multiply(exec::View<const double> x, exec::View<double> y);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace setka::bench
