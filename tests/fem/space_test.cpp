// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/space.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/sparse/unknowns.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using ::testing::HasSubstr;

exec::Device cpu() {
  return exec::Device::cpu(1);
}

ConstraintBuilder builder(std::int32_t dofs) {
  return {dofs, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; }};
}

/// Some components held, one tied to others, one prescribed.
Constraints some_constraints(std::int32_t dofs) {
  ConstraintBuilder held = builder(dofs);
  for (std::int32_t dof = 3; dof < dofs; dof += 7) held.prescribe(dof, 0.25, {});
  held.add_equation(std::vector<Term>{{0, 2}, {5, -1}, {8, 0.5}}, 0, {});
  return held.build();
}

/// Symmetric, and another one for each element.
double entry(std::int32_t e, std::size_t i, std::size_t j) {
  return 1.0 / (1.0 + static_cast<double>(i + j)) + 0.01 * e + (i == j ? 3.0 : 0.0);
}

TEST(Space, EveryNumberOfComponentsAssemblesWhatItsConstraintsSay) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {3, 2, 2});
  const Region region = model.region();
  for (int components = 1; components <= max_components; ++components) {
    SCOPED_TRACE(components);
    const Constraints constraints = some_constraints(components * region.node_count());
    const Space space(region, components, constraints);
    EXPECT_FALSE(space.picks());
    const auto rows = 8 * static_cast<std::size_t>(components);
    Monitor monitor;
    const System system = assemble(
        space,
        [&](std::int32_t e, std::span<double> k) {
          ASSERT_EQ(k.size(), rows * rows);
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < rows; ++j) k[i * rows + j] = entry(e, i, j);
          }
        },
        cpu(), monitor);
    EXPECT_EQ(system.matrix.height(), components);

    // K of all degrees of freedom, dense; then T'KT and T'Kg.
    Dense full(constraints.dof_count(), constraints.dof_count());
    for (std::int32_t e = 0; e < region.element_count(); ++e) {
      const auto nodes = region.nodes(e);
      const auto dof = [&](std::size_t i) {
        const auto c = static_cast<std::size_t>(components);
        return components * nodes[i / c] + static_cast<std::int32_t>(i % c);
      };
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) full(dof(i), dof(j)) += entry(e, i, j);
      }
    }
    const std::vector<double> q = setka::test::random_values<double>(constraints.unknown_count(), 5);
    const std::vector<double> expected =
        constraints.restrict_forces(full * constraints.homogeneous().expand(q));
    const sparse::SymmetricCsr upper = sparse::over_unknowns(system.matrix, space.places());
    ASSERT_EQ(upper.rows, constraints.unknown_count());
    std::vector<double> found(q.size(), 0.0);
    for (std::size_t i = 0; i < q.size(); ++i) {
      for (auto k = static_cast<std::size_t>(upper.offset[i]);
           k < static_cast<std::size_t>(upper.offset[i + 1]); ++k) {
        const auto j = static_cast<std::size_t>(upper.column[k]);
        found[i] += upper.value[k] * q[j];
        if (j != i) found[j] += upper.value[k] * q[i];
      }
    }
    const double bound = 1e-12 * setka::test::largest_row_sum(full);
    EXPECT_TRUE(setka::test::all_near(found, expected, bound));
    const std::vector<double> g(constraints.shifts().begin(), constraints.shifts().end());
    EXPECT_TRUE(setka::test::all_near(space.collect(system.from_shifts),
                                      constraints.restrict_forces(full * g), bound));
  }
}

TEST(Space, PlacesAndDegreesOfFreedomFindEachOther) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {2, 2, 1});
  for (int components = 1; components <= max_components; ++components) {
    const std::int32_t dofs = components * model.region().node_count();
    ConstraintBuilder held = builder(dofs);
    for (std::int32_t dof = 0; dof < dofs; dof += 4) held.prescribe(dof, 0, {});
    const Space space(model.region(), components, held.build());
    ASSERT_TRUE(space.picks());
    EXPECT_EQ(space.size() % components, 0);
    for (std::int32_t q = 0; q < space.unknown_count(); ++q) {
      const std::int32_t place = space.places()[static_cast<std::size_t>(q)];
      const std::int32_t dof = space.dof_of_place()[static_cast<std::size_t>(place)];
      EXPECT_EQ(dof, space.constraints().unknown_dofs()[static_cast<std::size_t>(q)]);
      EXPECT_EQ(space.place_of_dof()[static_cast<std::size_t>(dof)], place);
      EXPECT_EQ(place % components, dof % components);
    }
    const auto filled = std::count(space.dof_of_place().begin(), space.dof_of_place().end(), -1);
    EXPECT_EQ(filled, space.size() - space.unknown_count());
  }
}

/// The motions that no form resists: constants, and rotations of displacements.
struct Modes {
  int modes;
  std::vector<double> values;

  explicit Modes(const NearNullspace& found) : modes(found.modes), values(found.values.to_vector()) {}
};

TEST(Space, NearNullspaceHasTheMotionsOfItsField) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {2, 2, 2});
  const Region region = model.region();
  const auto modes_of = [&](int components) {
    const Space space(region, components, Constraints::none(components * region.node_count()));
    EXPECT_THAT(space.block_coordinates(cpu()), ::testing::ElementsAreArray(model.coordinates));
    return Modes(space.near_nullspace(cpu()));
  };
  for (const int components : {1, 4, 5, 6}) {
    const Modes found = modes_of(components);
    ASSERT_EQ(found.modes, components);
    for (std::size_t i = 0; i < found.values.size(); ++i) {
      const auto width = static_cast<std::size_t>(components);
      EXPECT_EQ(found.values[i], i / width % width == i % width ? 1.0 : 0.0);
    }
  }
  const Modes plane = modes_of(2);
  ASSERT_EQ(plane.modes, 3);
  const Modes space = modes_of(3);
  ASSERT_EQ(space.modes, 6);
  const auto at = [](const Modes& of, std::size_t row, std::size_t mode) {
    return of.values[row * static_cast<std::size_t>(of.modes) + mode];
  };
  // The rotation of the plane is that about z in space; both are antisymmetric in the gradient.
  for (std::size_t n = 0; n < model.coordinates.size() / 3; ++n) {
    for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(at(plane, 2 * n + c, 2), at(space, 3 * n + c, 5));
    const std::size_t m = n + 1 < model.coordinates.size() / 3 ? n + 1 : 0;
    for (std::size_t mode = 3; mode < 6; ++mode) {
      double stretch = 0;  // of the line from one node to another: a rigid motion has none
      for (std::size_t c = 0; c < 3; ++c) {
        stretch += (at(space, 3 * m + c, mode) - at(space, 3 * n + c, mode)) *
                   (model.coordinates[3 * m + c] - model.coordinates[3 * n + c]);
      }
      EXPECT_NEAR(stretch, 0, 1e-14);
    }
  }
}

/// Equations that only rename: a row of T through the general way gives the motions of the short one.
TEST(Space, NearNullspaceOfTurnedAxesIsTheSameMotion) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {2, 2, 1});
  const Constraints turned = constraints_of(model, Tied::equations);
  const Space space(model.region(), 3, turned);
  ASSERT_FALSE(space.picks());
  const Modes found(space.near_nullspace(cpu()));
  const Space free(model.region(), 3, Constraints::none(model.dofs()));
  const Modes all(free.near_nullspace(cpu()));
  // Nodes 4 and 6 have turned axes: their unknowns give back the motion of the node.
  for (const std::int32_t node : {4, 6}) {
    for (std::size_t mode = 0; mode < 6; ++mode) {
      for (std::int32_t c = 0; c < 3; ++c) {
        double u = 0;
        bool held = false;
        for (std::int32_t d = 0; d < 3; ++d) held = held || turned.row(3 * node + d).empty();
        for (const Term& term : turned.row(3 * node + c))
          u += term.coefficient * found.values[6 * static_cast<std::size_t>(space.place(term)) + mode];
        if (held) continue;
        EXPECT_NEAR(u, all.values[6 * static_cast<std::size_t>(3 * node + c) + mode], 1e-14) << node;
      }
    }
  }
}

TEST(Space, RefusesWhatDoesNotFit) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {1, 1, 1});
  EXPECT_THAT(refusal([&] { const Space bad(model.region(), 7, Constraints::none(56)); }),
              HasSubstr("7 components; 1 to 6 are right"));
  EXPECT_THAT(refusal([&] { const Space bad(model.region(), 2, Constraints::none(24)); }),
              HasSubstr("24 degrees of freedom for 8 nodes; 2 a node are right"));
  const Space space(model.region(), 1, Constraints::none(8));
  EXPECT_THAT(refusal([&] { space.prescribing(Constraints::none(7)); }), HasSubstr("other unknowns"));
}

}  // namespace
}  // namespace setka::fem::test
