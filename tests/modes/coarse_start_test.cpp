// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/coarse_start.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "modes/problems.hpp"
#include "setka/exec/array.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "support/on_device.hpp"

namespace setka::modes {
namespace {

class CoarseStartOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(CoarseStartOn);

double dot(const std::vector<double>& x, const std::vector<double>& y, std::int64_t columns, std::size_t j) {
  double sum = 0;
  for (std::size_t i = j; i < x.size(); i += static_cast<std::size_t>(columns)) sum += x[i] * y[i];
  return sum;
}

/// A slender beam; the problem is written as buckling has it, -M phi = nu K phi with nu = -1 / lambda.
struct Beam {
  test::ElasticModes made;
  sparse::BlockCsr<double> k;
  sparse::BlockCsr<double> minus_m;

  static test::ElasticBlock block() {
    test::ElasticBlock block;
    block.cells = {40, 5, 5};
    block.size = {1, 0.08, 0.12};
    return block;
  }

  explicit Beam(const exec::Device& device)
      : made(block()),
        k(std::as_const(made.stiffness.system.matrix).to(device)),
        minus_m(std::as_const(made.mass.system.matrix).to(exec::Device::cpu(1))) {
    for (double& value : minus_m.value().host()) value = -value;
    minus_m = std::as_const(minus_m).to(device);
  }

  solve::Amg multigrid(const exec::Device& device, int max_levels = 12) const {
    solve::AmgOptions options;
    options.keeps_coarse = true;
    options.max_levels = max_levels;
    Monitor monitor;
    return solve::Amg(device, k, made.stiffness.geometry, options, monitor);
  }
};

TEST_P(CoarseStartOn, KnowsTheModesBeforeTheFinestLevelDoes) {
  constexpr std::int64_t count = 6;
  const Beam beam(device());
  const solve::BlockCsrOperator s(beam.minus_m);
  const solve::BlockCsrOperator k(beam.k);
  solve::Amg multigrid = beam.multigrid(device());
  Request request;
  request.count = count;
  Monitor monitor;
  const Modes by_noise = lobpcg(device(), s, k, multigrid, request, monitor);
  ASSERT_TRUE(by_noise.converged) << by_noise.trouble;

  const exec::Stream stream = device();
  const Start start =
      coarse_start(stream, multigrid, &beam.minus_m, nullptr, columns_of_pass(request), monitor);
  EXPECT_EQ(multigrid.coarse(), nullptr);
  ASSERT_EQ(start.rows, k.rows());
  ASSERT_GE(start.columns, count);
  const std::int64_t size = start.rows * start.columns;
  exec::Array<double> sx(device(), size);
  exec::Array<double> kx(device(), size);
  s.apply(stream, start.view(), {sx.data(), start.rows, start.columns, start.columns});
  k.apply(stream, start.view(), {kx.data(), start.rows, start.columns, start.columns});
  stream.synchronize();
  const std::vector<double> x = start.values.to_vector();
  const std::vector<double> by_s = sx.to_vector();
  const std::vector<double> by_k = kx.to_vector();
  for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j) {
    const double nu = dot(x, by_s, start.columns, j) / dot(x, by_k, start.columns, j);
    EXPECT_GE(nu, by_noise.lambda[j] * (1 + 1e-6)) << j;  // from above, by Rayleigh
    // The pieces that the coarse level consists of bend too stiffly, by less than their own stiffness.
    EXPECT_NEAR(nu, by_noise.lambda[j], -0.5 * by_noise.lambda[j]) << j;
  }

  LobpcgOptions options;
  options.start = start.view();
  const Modes begun = lobpcg(device(), s, k, multigrid, request, monitor, options);
  EXPECT_TRUE(begun.converged) << begun.trouble;
  EXPECT_LT(begun.iterations, by_noise.iterations);
  for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
    EXPECT_NEAR(begun.lambda[j], by_noise.lambda[j], -1e-9 * by_noise.lambda[j]) << j;
}

TEST_P(CoarseStartOn, IsEmptyWithoutACoarseLevel) {
  const Beam beam(device());
  Monitor monitor;
  solve::Amg one_level = beam.multigrid(device(), 1);
  EXPECT_EQ(coarse_start(device(), one_level, &beam.minus_m, nullptr, 8, monitor).columns, 0);
  solve::Amg multigrid = beam.multigrid(device());
  const std::int64_t many = multigrid.coarse()->scalar_rows();
  EXPECT_GT(many, 0);
  multigrid.release_coarse();
  EXPECT_EQ(coarse_start(device(), multigrid, &beam.minus_m, nullptr, 8, monitor).columns, 0);
}

}  // namespace
}  // namespace setka::modes
