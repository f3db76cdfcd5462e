// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/form.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

class FormFluxOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(FormFluxOn);

using Vector = std::vector<double>;

Vector fluxes(const exec::Device& device, const Form& form, const Vector& u, std::int64_t points) {
  const exec::Array<double> from(device, u);
  exec::Array<double> to(device, Vector(static_cast<std::size_t>(points * form.flux_size()), -7.0));
  form.flux_at_points(device, PointPlaces(*form.set()), from, to);
  return to.to_vector();
}

std::int64_t points_of(const SmallModel& model) {
  std::int64_t points = 0;
  for (const Element type : model.type)
    points += with_element("points_of", type, []<Element t>() { return kernel::Integrated<t>::points; });
  return points;
}

/// Two blocks of each solid, so that groups and elements are in different orders.
TEST_P(FormFluxOn, StressesAreThoseOfTheElementsStrains) {
  for (const Element type : solids) {
    SCOPED_TRACE(std::string(name(type)));
    SmallModel model = small_model(type, Elasticity::general, {3, 3, 4});
    add_block(model, Element::tet10, {1, 1, 1});
    add_block(model, type, {1, 1, 1});
    const auto set = std::make_shared<const ElementSet>(device(), model.region());
    Vector table;
    for (const ElementMaterial& material : model.materials)
      table.insert(table.end(), material.d.begin(), material.d.end());
    const Form form(FormKind::elasticity, set, 3, table, model.material_of);
    ASSERT_EQ(form.flux_size(), 9);
    const Vector u =
        setka::test::random_values<double>(static_cast<std::int64_t>(model.coordinates.size()), 2);
    const Vector found = fluxes(device(), form, u, points_of(model));
    Vector expected;
    for (std::size_t e = 0; e < model.type.size(); ++e) {
      const auto points = static_cast<std::size_t>(point_count(model.type[e]));
      const Dense d = model.d(e);
      Vector own;
      for (std::int64_t i = model.first_node[e]; i < model.first_node[e + 1]; ++i) {
        const auto at = 3 * static_cast<std::size_t>(model.node[static_cast<std::size_t>(i)]);
        own.insert(own.end(), {u[at], u[at + 1], u[at + 2]});
      }
      Vector all;
      for (std::size_t p = 0; p < points; ++p) all.insert(all.end(), d.values().begin(), d.values().end());
      Vector strain(6 * points);
      strains(model.type[e], model.x(e), own, all, strain);
      for (std::size_t p = 0; p < points; ++p) {
        std::array<double, 6> s{};
        for (std::size_t i = 0; i < 6; ++i) {
          for (std::size_t j = 0; j < 6; ++j) s[i] += all[6 * i + j] * strain[6 * p + j];
        }
        expected.insert(expected.end(), {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]});
      }
    }
    double most = 0;
    for (const double value : expected) most = std::max(most, std::abs(value));
    EXPECT_TRUE(setka::test::all_near(found, expected, 1e-12 * most));
  }
}

/// A linear field has the same flux everywhere, and mass has the field itself; a table row for each point.
TEST_P(FormFluxOn, LinearFieldsHaveTheFluxOfTheirGradient) {
  for (const Element type : standard_elements()) {
    SCOPED_TRACE(std::string(name(type)));
    const int dimension = dimension_of(type);
    const SmallModel model = small_model(type, Elasticity::general, {3, 2, dimension == 3 ? 2 : 0});
    const auto set = std::make_shared<const ElementSet>(device(), model.region());
    const std::array<double, 3> slope{2, -3, 5};
    const std::array<double, 6> k{2, 3, 1.5, 0.4, -0.2, 0.3};
    Vector u;
    for (std::size_t i = 0; i < model.coordinates.size(); i += 3) {
      double value = 1;
      for (std::size_t c = 0; c < static_cast<std::size_t>(dimension); ++c)
        value += slope[c] * model.coordinates[i + c];
      u.push_back(value);
    }
    const std::int64_t points = points_of(model);
    Vector table;
    std::vector<std::int32_t> rows;
    for (std::int64_t p = 0; p < points; ++p) {
      for (const double value : k) table.push_back(value * static_cast<double>(p + 1));
      rows.push_back(static_cast<std::int32_t>(p));
    }
    const Vector found = fluxes(device(), Form(FormKind::conduction, set, 1, table, rows), u, points);
    Vector expected;
    for (std::int64_t p = 0; p < points; ++p) {
      for (int i = 0; i < dimension; ++i) {
        double flux = 0;
        for (int j = 0; j < dimension; ++j)
          flux += k[static_cast<std::size_t>(kernel::voigt(std::min(i, j), std::max(i, j)))] *
                  slope[static_cast<std::size_t>(j)];
        expected.push_back(flux * static_cast<double>(p + 1));
      }
    }
    EXPECT_TRUE(setka::test::all_near(found, expected, 1e-12 * 20 * static_cast<double>(points)));

    const Form mass(FormKind::mass, set, 1, Vector{3.0}, std::vector<std::int32_t>(model.type.size(), 0));
    const Vector constant(u.size(), 2.0);
    EXPECT_TRUE(setka::test::all_near(fluxes(device(), mass, constant, points),
                                      Vector(static_cast<std::size_t>(points), 6.0), 1e-13));
  }
}

TEST_P(FormFluxOn, SizesAreChecked) {
  const SmallModel model = small_model(Element::tet4, Elasticity::general);
  const auto set = std::make_shared<const ElementSet>(device(), model.region());
  const Form form(FormKind::mass, set, 1, Vector{3.0}, std::vector<std::int32_t>(model.type.size(), 0));
  EXPECT_THAT(refusal([&] { fluxes(device(), form, Vector(2), points_of(model)); }),
              ::testing::HasSubstr("2 values of nodes"));
}

}  // namespace
}  // namespace setka::fem::test
