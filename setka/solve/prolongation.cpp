// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/prolongation.hpp"

#include <cstdint>
#include <utility>

#include "setka/exec/parallel.hpp"
#include "setka/exec/scan.hpp"
#include "setka/solve/prolongation_kernel.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
Tentative tentative_prolongation(const sparse::BlockCsr<double>& a, const Aggregates& aggregates,
                                 exec::View<const double> modes, int m) {
  const exec::Device& device = a.device();
  const int n = a.height();
  const std::int32_t rows = a.rows();
  const std::int64_t blocks = aggregates.member.size();
  exec::Array<std::int32_t> offset(device, std::int64_t{rows} + 1);
  exec::parallel_for(device, rows, kernel::CountJoined{aggregates.of.data(), offset.data()});
  exec::exclusive_scan<std::int32_t>(device, offset, offset);
  exec::Array<std::int32_t> column(device, blocks);
  exec::Array<double> value(device, blocks * n * m);
  exec::Array<double> coarse(device, std::int64_t{aggregates.count} * m * m);
  const kernel::Orthonormalise orthonormalise{n,
                                              m,
                                              aggregates.first.data(),
                                              aggregates.member.data(),
                                              offset.data(),
                                              modes.data,
                                              column.data(),
                                              value.data(),
                                              coarse.data()};
  exec::parallel_for(device, aggregates.count, orthonormalise);
  return {sparse::BlockCsr<double>(rows, aggregates.count, n, m, std::move(offset), std::move(column),
                                   std::move(value)),
          std::move(coarse)};
}

sparse::BlockCsr<double> smooth_prolongation(const sparse::BlockCsr<double>& a,
                                             exec::View<const double> inverse_blocks, double omega,
                                             const sparse::BlockCsr<double>& tentative) {
  sparse::BlockCsr<double> p = sparse::multiply(a, tentative);
  smooth_product(inverse_blocks, omega, tentative, p);
  return p;
}

void smooth_product(exec::View<const double> inverse_blocks, double omega,
                    const sparse::BlockCsr<double>& tentative, sparse::BlockCsr<double>& product) {
  sparse::with_block_size("smooth_product", product.height(), [&](auto size) {
    exec::parallel_for(
        product.device(), product.rows(),
        kernel::SmoothRow<size()>{omega, tentative.width(), inverse_blocks.data, tentative.view(),
                                  product.offset().data(), product.column().data(), product.value().data()});
  });
}

}  // namespace setka::solve
