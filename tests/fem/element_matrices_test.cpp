// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/elements.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "support/on_device.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using fem::Element;

class ElementMatricesOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ElementMatricesOn);

/// Element e of a group, [rows, rows], from the stored triangles on the host.
Dense whole(const std::vector<double>& stored, int rows, std::int64_t e) {
  Dense k(rows, rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = i; j < rows; ++j) {
      const std::int64_t at = interleaved(e / block_lanes, triangle_size(rows), triangle_entry(rows, i, j),
                                          static_cast<int>(e % block_lanes));
      k(i, j) = k(j, i) = stored[static_cast<std::size_t>(at)];
    }
  }
  return k;
}

std::vector<double> to_host(const exec::Device& device, exec::View<const double> values) {
  std::vector<double> host(static_cast<std::size_t>(values.size));
  exec::copy_async<double>(device, values, exec::View<double>{host.data(), values.size});
  device.synchronize();
  return host;
}

Dense mass_of(Element type, const std::vector<double>& x, double density, const Dense& d) {
  Dense m = square(x.size());
  mass(type, x, density, m.values(), at_points(type, d));
  return m;
}

/// Every matrix of the set against one made on the host, within a relative bound of its largest entry.
template <class Expected>
void expect_matrices(const ElementSet& set, const ElementMatrices& matrices, const Expected& expected) {
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    const ElementGroup& group = set.groups()[g];
    const std::vector<double> stored = to_host(set.device(), matrices.group(g));
    for (std::int64_t e = 0; e < group.size(); ++e) {
      const Dense right = expected(static_cast<std::size_t>(group.elements()[static_cast<std::size_t>(e)]));
      const Dense found = whole(stored, matrices.components() * group.nodes(), e);
      EXPECT_LE(largest(found - right), 1e-12 * largest(right))
          << fem::name(group.type()) << " element " << e;
    }
  }
}

/// 12 hexahedra, or 24 wedges, or 72 tetrahedra: part of a block of 32, and two and a bit.
TEST_P(ElementMatricesOn, StiffnessIsThatOfTheHostFunctions) {
  for (const Element type : solids) {
    for (const Elasticity kind : {Elasticity::isotropic, Elasticity::general}) {
      const SmallModel model = small_model(type, kind);
      const auto set = model.set(device());
      ElementMatrices matrices(*set);
      model.stiffness(set)->integrate(device(), matrices);
      expect_matrices(*set, matrices,
                      [&](std::size_t e) { return stiffness_of(type, model.x(e), model.d(e)); });
    }
  }
}

TEST_P(ElementMatricesOn, MassIsThatOfTheHostFunctions) {
  for (const Element type : solids) {
    const SmallModel model = small_model(type, Elasticity::general);
    const auto set = model.set(device());
    ElementMatrices matrices(*set);
    model.mass(set)->integrate(device(), matrices);
    expect_matrices(*set, matrices,
                    [&](std::size_t e) { return mass_of(type, model.x(e), model.density(e), model.d(e)); });
  }
}

/// Several types in one set: a group each, elements found by their numbers.
TEST_P(ElementMatricesOn, GroupsOfSeveralTypes) {
  SmallModel model = small_model(Element::hex20, Elasticity::general, {2, 1, 1});
  add_block(model, Element::tet4, {2, 2, 2});
  add_block(model, Element::hex20, {1, 1, 2});
  add_block(model, Element::hex8, {3, 4, 3});
  const auto set = model.set(device());
  ASSERT_EQ(set->groups().size(), 3U);
  EXPECT_EQ(set->element_count(), 2 + 48 + 2 + 36);
  ElementMatrices matrices(*set);
  model.stiffness(set)->integrate(device(), matrices);
  expect_matrices(*set, matrices,
                  [&](std::size_t e) { return stiffness_of(model.type[e], model.x(e), model.d(e)); });
}

Dense inverse(const Dense& a) {
  return solution(a, Dense::identity(a.rows()));
}

/// K of a plane quadrilateral from its definition, sum of B^T D B w over 2 x 2 points with B written out.
Dense quad_by_hand(const std::vector<double>& x, const Dense& d) {
  using Functions = mesh::ShapeFunctions<mesh::Cell::quad4>;
  Dense k(8, 8);
  const double at = 1 / std::sqrt(3.0);
  for (const double r : {-at, at}) {
    for (const double s : {-at, at}) {
      const double place[2] = {r, s};
      double dn[8];
      Functions::gradients(place, dn);
      Dense j(2, 2);
      for (int i = 0; i < 4; ++i) {
        for (int a = 0; a < 2; ++a) {
          for (int b = 0; b < 2; ++b) j(a, b) += dn[2 * i + a] * x[static_cast<std::size_t>(3 * i + b)];
        }
      }
      const double determinant = j(0, 0) * j(1, 1) - j(0, 1) * j(1, 0);
      Dense strain(3, 8);
      for (int i = 0; i < 4; ++i) {
        const std::vector<double> g = inverse(j) * std::array{dn[2 * i], dn[2 * i + 1]};
        strain(0, 2 * i) = strain(2, 2 * i + 1) = g[0];
        strain(1, 2 * i + 1) = strain(2, 2 * i) = g[1];
      }
      k = k + determinant * (strain.transposed() * d * strain);
    }
  }
  return k;
}

Dense plane_part(const Dense& d) {
  constexpr int at[3] = {0, 1, 3};
  Dense part(3, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) part(i, j) = d(at[i], at[j]);
  }
  return part;
}

/// D of plane stress as the inverse of the part of the compliance, which is its definition.
Dense sheet_of(const Dense& d) {
  return inverse(plane_part(inverse(d)));
}

TEST_P(ElementMatricesOn, PlaneQuadrilaterals) {
  for (const bool stress : {false, true}) {
    for (const Elasticity kind : {Elasticity::isotropic, Elasticity::general}) {
      const SmallModel model = small_model(Element::quad4, kind, {7, 5, 0});
      std::vector<ElementMaterial> materials = model.materials;
      for (ElementMaterial& material : materials) {
        if (stress) material.d = plane_stress_elasticity(material.d);
      }
      const auto set = model.set(device());
      const auto form = elastic_form(set, materials, model.material_of);
      ElementMatrices matrices(*set);
      form->integrate(device(), matrices);
      const auto expected = [&](std::size_t e) {
        return quad_by_hand(model.x(e), stress ? sheet_of(model.d(e)) : plane_part(model.d(e)));
      };
      expect_matrices(*set, matrices, expected);
      if (!device().is_cuda()) continue;
      for (const IntegrationLevel level :
           {IntegrationLevel::thread_per_element, IntegrationLevel::thread_per_point,
            IntegrationLevel::shared_blocks}) {
        ElementMatrices other(*set);
        form->integrate(device(), other, level);
        expect_matrices(*set, other, expected);
      }
    }
  }
}

TEST_P(ElementMatricesOn, LevelsOfTheGpuAgree) {
  if (!device().is_cuda()) GTEST_SKIP() << "levels are ways to share work out on a GPU";
  for (const Elasticity kind : {Elasticity::isotropic, Elasticity::general}) {
    const SmallModel model = small_model(Element::hex8, kind, {5, 3, 3});
    const auto set = model.set(device());
    for (const IntegrationLevel level :
         {IntegrationLevel::thread_per_element, IntegrationLevel::thread_per_point,
          IntegrationLevel::shared_blocks}) {
      ElementMatrices matrices(*set);
      model.stiffness(set)->integrate(device(), matrices, level);
      expect_matrices(*set, matrices,
                      [&](std::size_t e) { return stiffness_of(Element::hex8, model.x(e), model.d(e)); });
    }
  }
}

TEST_P(ElementMatricesOn, SameBitsAtEveryRun) {
  for (const Element type : {Element::hex8, Element::tet10, Element::hex20}) {
    const SmallModel model = small_model(type, Elasticity::isotropic);
    const auto set = model.set(device());
    ElementMatrices once(*set);
    ElementMatrices again(*set);
    model.stiffness(set)->integrate(device(), once);
    model.stiffness(set)->integrate(device(), again);
    const std::vector<double> a = to_host(device(), once.group(0));
    const std::vector<double> b = to_host(device(), again.group(0));
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << fem::name(type);
  }
}

TEST_P(ElementMatricesOn, NoElements) {
  const SmallModel model;
  const auto set = model.set(device());
  ElementMatrices matrices(*set);
  model.stiffness(set)->integrate(device(), matrices);
  model.mass(set)->integrate(device(), matrices);
  EXPECT_EQ(set->element_count(), 0);
  EXPECT_EQ(matrices.bytes(), 0U);
}

TEST(ElementSets, RefuseWhatDoesNotFit) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel good = small_model(Element::hex8, Elasticity::isotropic, {1, 1, 1});
  const auto make = [&](const SmallModel& model) { const auto set = model.set(cpu); };
  SmallModel model = good;
  model.node[3] = 99;
  EXPECT_THAT(refusal([&] { make(model); }), ::testing::HasSubstr("an element has node 99 of 8"));
  model = good;
  model.type[0] = Element::wedge6;
  EXPECT_THAT(refusal([&] { make(model); }), ::testing::HasSubstr("element 0 has 8 nodes, but wedge6 has 6"));
  model = good;
  model.first_node.push_back(8);
  EXPECT_THAT(refusal([&] { make(model); }), ::testing::HasSubstr("1 elements but 3 starts of their nodes"));
  model = good;
  model.node.push_back(0);
  EXPECT_THAT(refusal([&] { make(model); }),
              ::testing::HasSubstr("9 nodes of elements given, but the starts say 8"));
}

TEST(ElementSets, MatricesAreThoseOfTheSet) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel small = small_model(Element::hex8, Elasticity::isotropic, {1, 1, 1});
  const SmallModel large = small_model(Element::hex8, Elasticity::isotropic, {4, 4, 4});
  const auto set = small.set(cpu);
  const auto other = large.set(cpu);
  ElementMatrices matrices(*other);
  EXPECT_THAT(refusal([&] { small.stiffness(set)->integrate(cpu, matrices); }),
              ::testing::HasSubstr("the matrices are not those of this form's elements"));
  ElementMatrices own(*set);
  EXPECT_THAT(refusal([&] { small.stiffness(set)->integrate(cpu, own, IntegrationLevel::thread_per_point); }),
              ::testing::HasSubstr("elasticity of hex8 on cpu has no levels of integration"));
}

}  // namespace
}  // namespace setka::fem::test
