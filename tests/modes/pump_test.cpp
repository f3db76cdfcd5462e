// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The pump unit of `setka example pump`: its methods agree, and what the paper says of its modes holds.
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/modal_model.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/space.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/unknowns.hpp"
#include "support/on_device.hpp"

namespace setka {
namespace {

constexpr int count = 27;

struct PumpMatrices {
  bench::ModalModel model;
  fem::Space space;
  solve::BlockCsrOperator k;
  solve::BlockCsrOperator m;
};

PumpMatrices pump(const exec::Device& device, std::int64_t size) {
  Monitor monitor;
  bench::ModalModel model = bench::modal_model({"pump", size, "C3D8I"}, monitor);
  const fem::Space space(model.solids.region(), 3, model.constraints);
  const fem::DofMap dofs(device, space);
  const auto set = std::make_shared<const fem::ElementSet>(device, model.solids.region());
  const fem::DeviceAssembly assembly(device, *set, dofs);
  const auto assembled = [&](const fem::Form& form) { return assembly.assemble(device, form, dofs).matrix; };
  sparse::BlockCsr<double> k = assembled(*fem::elastic_form(set, model.materials, model.material_of));
  sparse::BlockCsr<double> m = assembled(*fem::mass_form(set, model.materials, model.material_of));
  return {std::move(model), space, solve::BlockCsrOperator(std::move(k)),
          solve::BlockCsrOperator(std::move(m))};
}

modes::Modes by_lobpcg(const exec::Device& device, const PumpMatrices& pump) {
  Monitor monitor;
  const solve::Amg amg(device, pump.k.matrix(), pump.space.amg_geometry(exec::Device::cpu()), {}, monitor);
  modes::Request request;
  request.count = count;
  return modes::lobpcg(device, pump.k, pump.m, amg, request, monitor);
}

modes::Modes by_lanczos(const PumpMatrices& pump) {
  Monitor monitor;
  modes::LanczosOptions options;
  options.max_inertia_flops = 0;  // counting pivots would take as long as all the rest
  const auto unknowns = [&](const solve::BlockCsrOperator& a) {
    return sparse::over_unknowns(a.matrix(), pump.space.places());
  };
  modes::Request request;
  request.count = count;
  return modes::lanczos(unknowns(pump.k), unknowns(pump.m), request, monitor, options);
}

void expect_same_frequencies(const modes::Modes& a, const modes::Modes& b) {
  ASSERT_TRUE(a.converged && b.converged) << a.trouble << b.trouble;
  ASSERT_EQ(a.count(), count);
  ASSERT_EQ(b.count(), count);
  for (std::size_t j = 0; j < a.lambda.size(); ++j)
    EXPECT_NEAR(std::sqrt(a.lambda[j] / b.lambda[j]), 1, 1e-6) << "mode " << j + 1;
}

class PumpOn : public test::OnDevice {};

TEST_P(PumpOn, LobpcgAgreesWithLanczos) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no CHOLMOD in this build";
  const PumpMatrices matrices = pump(device(), 8000);
  expect_same_frequencies(by_lobpcg(device(), matrices), by_lanczos(matrices));
}

SETKA_ON_ALL_DEVICES(PumpOn);

// As many modes lie below 200 Hz as in the paper: 27.
TEST(Pump, MethodsAgreeOnFiftyThousandUnknowns) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no CHOLMOD in this build";
  const exec::Device cpu = exec::Device::cpu();
  const PumpMatrices matrices = pump(cpu, 50000);
  const modes::Modes found = by_lobpcg(cpu, matrices);
  expect_same_frequencies(found, by_lanczos(matrices));
  EXPECT_LT(std::sqrt(found.lambda.back()) / (2 * std::numbers::pi), 200);
  EXPECT_LE(found.iterations, 40);  // 55 with one visit of every level of multigrid
}

}  // namespace
}  // namespace setka
