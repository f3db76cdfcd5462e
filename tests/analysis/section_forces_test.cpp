// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Forces through surfaces against those that were applied. Comparison with CalculiX: tests/calculix/own.
#include <string_view>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

using model::ElementType;

/// The bar x in [0, 2], y in [0, 1], z in [0, 3], pulled along x by 5 per area, with its end as surface 0.
model::Frame pulled(ElementType type) {
  model::Model model = test::block_model(
      {2, 2, 2}, type,
      [](double s, double t, double r) -> std::array<double, 3> {
        return {2 * s, t, 3 * r};
      },
      1000, 0.3);
  const auto at_zero = [](double x) { return test::near(x, 0); };
  for (const auto n : test::nodes_where(model.mesh, [&](double x, double, double) { return at_zero(x); }))
    test::prescribe(model, n, 1, 0);
  for (const auto n : test::nodes_where(model.mesh, [&](double, double y, double) { return at_zero(y); }))
    test::prescribe(model, n, 2, 0);
  for (const auto n : test::nodes_where(model.mesh, [&](double, double, double z) { return at_zero(z); }))
    test::prescribe(model, n, 3, 0);
  test::press(model, -5, [](double x, double, double) { return test::near(x, 2); });
  model::Surface& surface = model.surfaces.emplace_back();
  for (const model::DistributedLoad& load : model.steps.back().distributed_loads)
    surface.faces.push_back({load.element, load.face});
  model::OutputRequest request;
  request.kind = model::OutputKind::section_print;
  request.set = 0;
  request.variables = {"SOF"};
  model.steps.back().output.push_back(request);
  return test::solve(model);
}

TEST(SectionForces, ThroughTheEndOfABar) {
  for (const ElementType type :
       {deck::element("C3D4"), deck::element("C3D6"), deck::element("C3D8"), deck::element("C3D8R"),
        deck::element("C3D10"), deck::element("C3D15"), deck::element("C3D20"), deck::element("C3D20R")}) {
    const model::Frame frame = pulled(type);
    const std::string_view name = deck::name(type);
    ASSERT_EQ(frame.sections.size(), 1U);
    const model::SectionForces& section = frame.sections.front();
    EXPECT_EQ(section.surface, 0);
    EXPECT_NEAR(section.area, 3, 1e-12) << name;
    // Weights from points to nodes are decimals of four or five places.
    EXPECT_NEAR(section.force[0], 15, 15e-4) << name;
    EXPECT_NEAR(section.normal_force, 15, 15e-4) << name;
    EXPECT_NEAR(section.shear_force, 0, 15e-4) << name;
    EXPECT_NEAR(section.normal[0], 1, 1e-12) << name;
    EXPECT_NEAR(section.center[1], 0.5, 1e-12) << name;
    EXPECT_NEAR(section.center[2], 1.5, 1e-12) << name;
    EXPECT_NEAR(section.moment[1], 15 * 1.5, 30e-4) << name;
    EXPECT_NEAR(section.moment[2], -15 * 0.5, 15e-4) << name;
    EXPECT_NEAR(section.bending_moment, 0, 15e-4) << name;
  }
}

}  // namespace
}  // namespace setka
