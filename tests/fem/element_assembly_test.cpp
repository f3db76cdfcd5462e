// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_assembly.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/elements.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using fem::Element;

class ElementAssemblyOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ElementAssemblyOn);

std::vector<double> product(const solve::Operator& a, const std::vector<double>& x) {
  const exec::Array<double> from(a.device(), x);
  exec::Array<double> to(a.device(), a.rows());
  a.apply(a.device(), from, to);
  return to.to_vector();
}

void expect_assembled(const exec::Device& device, const SmallModel& model, Tied tied) {
  const Constraints constraints = constraints_of(model, tied);
  const Space space = space_of(model, constraints);
  const Parts parts(device, model, constraints);
  const Dense dense = assembled(model, constraints, stiffness_by_host(model));
  const double bound = 1e-12 * setka::test::largest_row_sum(dense);
  const std::vector<double> x = setka::test::random_values<double>(space.size(), 3);
  const std::vector<double> expected = dense * x;

  const DeviceSystem system = assemble(device, *parts.set, *parts.matrices, *parts.unknowns);
  EXPECT_TRUE(setka::test::all_near(product(solve::BlockCsrOperator(system.matrix), x), expected, bound));

  // K g by the free operator, restricted.
  const std::vector<double> g(constraints.shifts().begin(), constraints.shifts().end());
  const Dense full = assembled(model, constraints_of(model, Tied::free), stiffness_by_host(model));
  EXPECT_TRUE(setka::test::all_near(system.from_shifts.to_vector(),
                                    space.spread(constraints.restrict_forces(full * g)), bound));
}

TEST_P(ElementAssemblyOn, EveryTypeIsTheDenseAssembly) {
  for (const Element type : solids) {
    SCOPED_TRACE(std::string(fem::name(type)));
    for (const Tied tied : {Tied::free, Tied::picks})
      expect_assembled(device(), small_model(type, Elasticity::isotropic, {2, 2, 1}), tied);
  }
}

TEST_P(ElementAssemblyOn, SeveralTypes) {
  expect_assembled(device(), mixed_model(), Tied::picks);
}

/// Ranges of one block of elements at a time, in the order of the elements: the same bits.
TEST_P(ElementAssemblyOn, RangesOfElementsAddUpToTheSameBits) {
  const SmallModel model = mixed_model();
  const Constraints constraints = constraints_of(model, Tied::picks);
  const Parts parts(device(), model, constraints);
  const DeviceAssembly assembly(device(), *parts.set, *parts.unknowns);
  const DeviceSystem whole = assembly.assemble(device(), *parts.set, *parts.matrices, *parts.unknowns);
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{300000}, DeviceAssembly::usual_bytes}) {
    const DeviceSystem parted = assembly.assemble(device(), *parts.stiffness, *parts.unknowns, bytes);
    EXPECT_EQ(parted.matrix.value().to_vector(), whole.matrix.value().to_vector());
    EXPECT_EQ(parted.from_shifts.to_vector(), whole.from_shifts.to_vector());
  }
}

TEST_P(ElementAssemblyOn, EquationsAreTheHosts) {
  const SmallModel model = mixed_model();
  const Constraints constraints = constraints_of(model, Tied::equations);
  const Parts parts(device(), model, constraints);
  EXPECT_THAT(refusal([&] { assemble(device(), *parts.set, *parts.matrices, *parts.unknowns); }),
              ::testing::HasSubstr("assembled on the host"));
  const ElementMatrix on_host = element_matrices_on_host(*parts.set, *parts.matrices);
  for (const std::size_t e : {std::size_t{0}, model.type.size() / 2, model.type.size() - 1}) {
    const Dense expected = stiffness_by_host(model)(e);
    std::vector<double> k(expected.values().size());
    on_host(static_cast<std::int32_t>(e), k);
    EXPECT_TRUE(setka::test::all_near(k, expected.values(), 1e-12 * largest(expected)));
  }
}

}  // namespace
}  // namespace setka::fem::test
