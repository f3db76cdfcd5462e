// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/elements.hpp"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "support/on_device.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using fem::Element;

class ElementDiagonalOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ElementDiagonalOn);

TEST_P(ElementDiagonalOn, DiagonalsAreThoseOfTheAssembledMatrix) {
  for (const SmallModel& model :
       {mixed_model(), small_model(Element::hex8_incompatible, Elasticity::general)}) {
    for (const Tied tied : {Tied::free, Tied::picks, Tied::equations}) {
      const Constraints constraints = constraints_of(model, tied);
      const Parts parts(device(), model, constraints);
      const Dense dense = assembled(model, constraints, stiffness_by_host(model));
      for (const int block : {1, 2, 3}) {
        if (dense.rows() % block != 0) continue;
        exec::Array<double> d(device(), dense.rows() * block);
        diagonal(device(), *parts.set, *parts.matrices, *parts.unknowns, d, block);
        std::vector<double> right;
        for (std::int64_t i = 0; i < dense.rows(); ++i) {
          for (std::int64_t j = i / block * block; j < i / block * block + block; ++j)
            right.push_back(dense(i, j));
        }
        EXPECT_TRUE(setka::test::all_near(d.to_vector(), right, 1e-12 * largest(right))) << block;
      }
    }
  }
}

TEST_P(ElementDiagonalOn, NodeBlocksHaveTheIdentityWhereNothingIsUnknown) {
  const SmallModel model = mixed_model();
  const Constraints all = constraints_of(model, Tied::free);
  const Constraints picked = constraints_of(model, Tied::picks);
  const Parts parts(device(), model, picked);
  const Dense dense = assembled(model, all, stiffness_by_host(model));
  exec::Array<double> blocks(device(), std::int64_t{3} * model.dofs());
  node_blocks(device(), *parts.set, *parts.matrices, *parts.unknowns, blocks);
  std::vector<double> right;
  for (std::int32_t node = 0; node < model.dofs() / 3; ++node) {
    for (std::int32_t c = 0; c < 9; ++c) {
      const std::int32_t i = 3 * node + c / 3;
      const std::int32_t j = 3 * node + c % 3;
      const bool free = !picked.row(i).empty() && !picked.row(j).empty();
      right.push_back(free ? dense(i, j) : (i == j ? 1.0 : 0.0));
    }
  }
  EXPECT_TRUE(setka::test::all_near(blocks.to_vector(), right, 1e-12 * largest(dense)));
}

TEST(ElementDiagonals, RefuseWhatDoesNotFit) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel model = small_model(Element::hex8_uniform, Elasticity::isotropic, {2, 1, 1});
  const Parts parts(cpu, model, constraints_of(model, Tied::picks));
  const Parts tied(cpu, model, constraints_of(model, Tied::equations));
  exec::Array<double> blocks(cpu, std::int64_t{3} * model.dofs());
  EXPECT_THAT(refusal([&] { node_blocks(cpu, *tied.set, *tied.matrices, *tied.unknowns, blocks); }),
              ::testing::HasSubstr("only where constraints pick unknowns"));
  exec::Array<double> short_one(cpu, 3);
  EXPECT_THAT(refusal([&] { diagonal(cpu, *parts.set, *parts.matrices, *parts.unknowns, short_one); }),
              ::testing::HasSubstr("room for 3 entries, but there are 36 unknowns in blocks of 1"));
}

}  // namespace
}  // namespace setka::fem::test
