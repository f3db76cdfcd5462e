// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::solve {

struct FsaiOptions {
  /// Blocks below this part of the two diagonal blocks they couple are left out of the pattern.
  double drop = 0.05;
  bool single_precision = true;
};

/// The lower triangular G, with blocks where the lower triangle of A has them (less those dropped), for which
/// G A G' has unit diagonal blocks and G A is zero in the rest of G's own pattern (Kolotilina and Yeremin
/// 1993). On the device of A, one small Cholesky factorisation a block row; the same bits for every number of
/// threads. A place that is no unknown (its row of A is zero) has zeros in G; an unknown whose pivot is lost
/// keeps its diagonal alone.
sparse::BlockCsr<double> approximate_inverse_factor(const sparse::BlockCsr<double>& a, double drop);

/// Factorised sparse approximate inverse as a preconditioner: z = G'(G r), two sparse products that a GPU
/// does as well as any. G and its transpose are stored; together they have as many blocks as A (less those
/// dropped) and one diagonal more.
class Fsai final : public Operator {
 public:
  /// a: symmetric, with blocks of the sizes of sparse/block_shapes.hpp; the factor is made on the device.
  Fsai(const exec::Device& device, const sparse::BlockCsr<double>& a, const FsaiOptions& options);

  const exec::Device& device() const override { return device_; }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

  std::int64_t blocks() const;  // of G
  std::size_t bytes() const;

 private:
  template <class T>
  struct Factor {
    sparse::BlockCsr<T> g;
    sparse::BlockCsr<T> transposed;
  };
  using AnyFactor = std::variant<Factor<float>, Factor<double>>;
  static AnyFactor factor_of(const exec::Device& device, const sparse::BlockCsr<double>& a,
                             const FsaiOptions& options);

  exec::Device device_;
  std::int64_t rows_;
  AnyFactor factor_;
};

struct PreconditionerInput;
std::unique_ptr<Operator> make_fsai(const PreconditionerInput& input, Monitor& monitor);

}  // namespace setka::solve
