// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/form.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using ::testing::HasSubstr;

class FormsOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(FormsOn);

std::vector<double> table_of(const SmallModel& model) {
  std::vector<double> table;
  for (const ElementMaterial& material : model.materials)
    table.insert(table.end(), material.d.begin(), material.d.end());
  return table;
}

std::vector<double> values_of(const exec::Device& device, const ElementMatrices& matrices) {
  std::vector<double> all;
  for (std::size_t g = 0; g < matrices.group_count(); ++g) {
    const exec::View<const double> from = matrices.group(g);
    std::vector<double> own(static_cast<std::size_t>(from.size));
    exec::detail::copy_to_host(device, from.data, own.data(), own.size() * sizeof(double));
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

void expect_same(const exec::Device& device, const ElementMatrices& found, const ElementMatrices& right) {
  const std::vector<double> expected = values_of(device, right);
  EXPECT_TRUE(setka::test::all_near(values_of(device, found), expected, 1e-12 * largest(expected)));
}

int points_of(Element type) {
  return with_element("points_of", type, []<Element t>() { return kernel::Integrated<t>::points; });
}

/// A row for each point, the same at all points of an element: by which the general way is taken.
std::vector<std::int32_t> point_rows(const SmallModel& model) {
  std::vector<std::int32_t> rows;
  for (std::size_t e = 0; e < model.type.size(); ++e)
    rows.insert(rows.end(), static_cast<std::size_t>(points_of(model.type[e])), model.material_of[e]);
  return rows;
}

/// The tuned kernels and the general way call for the same integral.
TEST_P(FormsOn, ElasticityAndMassAreThoseOfTheTunedKernels) {
  for (const Element type : standard_solids()) {
    SCOPED_TRACE(std::string(fem::name(type)));
    const SmallModel model = small_model(type, Elasticity::general);
    const auto set = model.set(device());
    ElementMatrices tuned(*set);
    ElementMatrices general(*set);
    model.stiffness(set)->integrate(device(), tuned);
    Form(FormKind::elasticity, set, 3, table_of(model), point_rows(model)).integrate(device(), general);
    expect_same(device(), general, tuned);
    model.mass(set)->integrate(device(), tuned);
    const std::vector<double> density{model.materials[0].density, model.materials[1].density};
    Form(FormKind::mass, set, 3, density, point_rows(model)).integrate(device(), general);
    expect_same(device(), general, tuned);
  }
  const SmallModel quads = small_model(Element::quad4, Elasticity::general, {7, 5, 0});
  const auto set = quads.set(device());
  ElementMatrices tuned(*set);
  ElementMatrices general(*set);
  quads.stiffness(set)->integrate(device(), tuned);
  Form(FormKind::elasticity, set, 2, table_of(quads), point_rows(quads)).integrate(device(), general);
  expect_same(device(), general, tuned);
}

/// A D for each point: what the host's function of an element computes with.
TEST_P(FormsOn, CoefficientsMayVaryFromPointToPoint) {
  for (const Element type : solids) {
    SCOPED_TRACE(std::string(fem::name(type)));
    const SmallModel model = small_model(type, Elasticity::general);
    const auto set = std::make_shared<ElementSet>(device(), model.region());
    const auto points = static_cast<std::size_t>(point_count(type));
    std::vector<double> table;
    std::vector<std::int32_t> row_of;
    for (std::size_t e = 0; e < model.type.size(); ++e) {
      for (std::size_t p = 0; p < points; ++p) {
        for (const double value : model.materials[(e + p) % 2].d)
          table.push_back(value * (1 + 0.1 * static_cast<double>(p)));
        row_of.push_back(static_cast<std::int32_t>(row_of.size()));
      }
    }
    const auto form = std::make_shared<const Form>(FormKind::elasticity, set, 3, table, row_of);
    auto matrices = std::make_shared<ElementMatrices>(*set);
    form->integrate(device(), *matrices);
    const Constraints constraints = constraints_of(model, Tied::picks);
    const Dense dense = assembled(model, constraints, [&](std::size_t e) {
      const std::vector<double> x = model.x(e);
      Dense k = square(x.size());
      stiffness(type, x, std::span(table).subspan(36 * points * e, 36 * points), k.values());
      return k;
    });
    const auto dofs = std::make_shared<const DofMap>(device(), space_of(model, constraints));
    const std::vector<double> x = setka::test::random_values<double>(dofs->size(), 3);
    const exec::Array<double> from(device(), x);
    exec::Array<double> to(device(), dofs->size());
    const double bound = 1e-12 * setka::test::largest_row_sum(dense);
    StoredElementOperator(set, matrices, dofs).apply(device(), from, to);
    EXPECT_TRUE(setka::test::all_near(to.to_vector(), dense * x, bound)) << "stored";
    if (!is_plain(type)) continue;
    matrix_free(form, dofs)->apply(device(), from, to);
    EXPECT_TRUE(setka::test::all_near(to.to_vector(), dense * x, bound)) << "matrix-free";
  }
}

/// Every kind on every element: the product without matrices is that of the stored ones, for several columns
/// and constraints that pick and that tie.
TEST_P(FormsOn, ProductsWithAndWithoutMatricesAgree) {
  const std::vector<double> tensor{2, 3, 4, 0.5, -0.3, 0.2, 1, 1, 1, 0, 0, 0.1};
  const std::vector<double> density{2, 5};
  for (const Element type : standard_elements()) {
    SCOPED_TRACE(std::string(fem::name(type)));
    const int dimension = dimension_of(type);
    const SmallModel model =
        small_model(type, Elasticity::general, dimension == 3 ? std::array{3, 2, 2} : std::array{7, 5, 0});
    const auto set = std::make_shared<ElementSet>(device(), model.region());
    struct Case {
      FormKind kind;
      int components;
      std::vector<double> table;
    };
    for (const Case& one :
         {Case{FormKind::conduction, 1, tensor}, Case{FormKind::mass, 1, density},
          Case{FormKind::mass, dimension, density}, Case{FormKind::elasticity, dimension, table_of(model)}}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(one.kind) << " of " << one.components);
      const auto form =
          std::make_shared<const Form>(one.kind, set, one.components, one.table, model.material_of);
      auto matrices = std::make_shared<ElementMatrices>(*set, one.components);
      form->integrate(device(), *matrices);
      const std::int32_t count = one.components * model.region().node_count();
      ConstraintBuilder held(
          count, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; });
      for (std::int32_t dof = 0; dof < count; dof += 5) held.prescribe(dof, 0, {});
      const Constraints picked = held.build();
      held.add_equation(std::vector<Term>{{1, 2}, {3, -1}, {8, 0.5}}, 0, {});
      for (const Constraints& constraints : {picked, held.build()}) {
        const auto dofs =
            std::make_shared<const DofMap>(device(), Space(model.region(), one.components, constraints));
        const StoredElementOperator stored(set, matrices, dofs);
        const StoredElementOperator scattered(set, matrices, dofs, ElementScheme::scatter);
        const FormOperator free(form, dofs);
        for (const std::int64_t columns : {1, 3, 20}) {
          const exec::MultiVector<double> x(device(), dofs->size(), columns,
                                            setka::test::random_values<double>(dofs->size() * columns, 9));
          exec::MultiVector<double> y(device(), dofs->size(), columns);
          stored.apply(device(), x, y);
          const std::vector<double> expected = y.values().to_vector();
          free.apply(device(), x, y);
          const double bound = 1e-11 * largest(expected);
          EXPECT_TRUE(setka::test::all_near(y.values().to_vector(), expected, bound));
          scattered.apply(device(), x, y);
          EXPECT_TRUE(setka::test::all_near(y.values().to_vector(), expected, bound));
        }
        if (!constraints.row(1).empty() && constraints.row(1).size() == 1) {
          // The diagonal of the assembled matrix is that of the elements.
          const DeviceSystem system = assemble(device(), *set, *matrices, *dofs);
          exec::Array<double> d(device(), dofs->size());
          diagonal(device(), *set, *matrices, *dofs, d);
          const exec::Array<double> e(device(),
                                      std::vector<double>(static_cast<std::size_t>(dofs->size()), 1));
          EXPECT_EQ(system.matrix.height(), one.components);
          exec::Array<double> by_matrix(device(), dofs->size());
          exec::Array<double> by_elements(device(), dofs->size());
          solve::BlockCsrOperator(system.matrix).apply(device(), e, by_matrix);
          stored.apply(device(), e, by_elements);
          EXPECT_TRUE(setka::test::all_near(by_matrix.to_vector(), by_elements.to_vector(),
                                            1e-12 * largest(d.to_vector())));
        }
      }
    }
  }
}

/// A block of the unit cube or square, smoothly bent, with its boundary.
struct Domain {
  std::vector<double> coordinates;
  std::vector<Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;
  std::vector<bool> boundary;  // [nodes]

  Region region() const { return {coordinates, type, first_node, node}; }

  Domain(Element element, int cells) {
    mesh::BlockGrid grid;
    const int dimension = dimension_of(element);
    for (int axis = 0; axis < dimension; ++axis) grid.cells[static_cast<std::size_t>(axis)] = {cells};
    std::vector<std::array<double, 3>> reference;
    const mesh::BlockMesh made = mesh::block_mesh(grid, cell_of(element), [&](double s, double t, double r) {
      return std::array<double, 3>{s, t, dimension == 3 ? r : 0.0};
    });
    for (std::int32_t n = 0; n < made.mesh.node_count(); ++n) {
      const auto at = made.mesh.coordinates(n);
      bool outside = false;
      for (int i = 0; i < dimension; ++i) {
        const double x = at[static_cast<std::size_t>(i)];
        outside = outside || x < 1e-9 || x > 1 - 1e-9;
      }
      boundary.push_back(outside);
      const double z = dimension == 3 ? at[2] : 0.0;
      coordinates.insert(coordinates.end(),
                         {at[0] + 0.06 * std::sin(2 * at[1] + z), at[1] + 0.05 * std::sin(2 * at[0] - z),
                          dimension == 3 ? z + 0.05 * std::sin(at[0] + at[1]) : 0.0});
    }
    for (std::int32_t e = 0; e < made.mesh.element_count(); ++e) {
      const auto nodes = made.mesh.nodes(e);
      node.insert(node.end(), nodes.begin(), nodes.end());
      first_node.push_back(static_cast<std::int64_t>(node.size()));
      type.push_back(element);
    }
  }
};

using Field = std::function<double(std::span<const double, 3> x, int component)>;

/// The L2 norm of u - exact over the elements, by their own points.
template <Element type>
double error_of(const Domain& domain, int components, const std::vector<double>& u, const Field& exact) {
  using Own = kernel::Integrated<type>;
  double sum = 0;
  const Region region = domain.region();
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    const auto nodes = region.nodes(e);
    for (int p = 0; p < Own::points; ++p) {
      std::array<double, 3> r{};
      std::array<double, Own::nodes> value{};
      std::array<double, Own::nodes * Own::dimension> slope{};
      std::array<double, Own::nodes * Own::dimension> g{};
      std::array<double, Own::nodes * Own::dimension> x{};
      const double weight = Own::Points::at(p, r.data());
      Own::Functions::values(r.data(), value.data());
      Own::Functions::gradients(r.data(), slope.data());
      std::array<double, 3> at{};
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto own = region.coordinates_of(nodes[i]);
        for (std::size_t k = 0; k < 3; ++k) at[k] += value[i] * own[k];
        for (std::size_t k = 0; k < Own::dimension; ++k) x[i * Own::dimension + k] = own[k];
      }
      const double volume = weight * kernel::space_gradients_of<Own::nodes, Own::dimension>(
                                         static_cast<const double*>(x.data()), slope.data(), g.data());
      for (int c = 0; c < components; ++c) {
        double found = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i)
          found += value[i] * u[static_cast<std::size_t>(components * nodes[i] + c)];
        sum += volume * std::pow(found - exact(at, c), 2);
      }
    }
  }
  return std::sqrt(sum);
}

enum class Way { assembled, stored, matrix_free };

/// K u = M f with u given on the boundary. Assembled: by multigrid, in few iterations; else by Jacobi.
std::vector<double> solution(const exec::Device& device, const Domain& domain, FormKind kind, int components,
                             const std::vector<double>& coefficients, const Field& exact, const Field& force,
                             Way way) {
  const Region region = domain.region();
  const std::int32_t count = components * region.node_count();
  ConstraintBuilder held(
      count, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; });
  std::vector<double> f;
  for (std::int32_t n = 0; n < region.node_count(); ++n) {
    for (int c = 0; c < components; ++c) {
      if (domain.boundary[static_cast<std::size_t>(n)])
        held.prescribe(components * n + c, exact(region.coordinates_of(n), c), {});
      f.push_back(force(region.coordinates_of(n), c));
    }
  }
  const Space space(region, components, held.build());
  const auto set = std::make_shared<const ElementSet>(device, region);
  const std::vector<std::int32_t> same(region.type.size(), 0);
  const auto form = std::make_shared<const Form>(kind, set, components, coefficients, same);
  const auto dofs = std::make_shared<const DofMap>(device, space);
  auto k = std::make_shared<ElementMatrices>(*set, components);
  form->integrate(device, *k);

  // M f of all degrees of freedom.
  const auto all =
      std::make_shared<const DofMap>(device, Space(region, components, Constraints::none(count)));
  const auto mass =
      std::make_shared<const Form>(FormKind::mass, set, components, std::vector<double>{1.0}, same);
  const exec::Array<double> nodal(device, f);
  exec::Array<double> loads(device, count);
  FormOperator(mass, all).apply(device, nodal, loads);
  std::vector<double> b = space.spread(space.constraints().restrict_forces(loads.to_vector()));
  const DeviceSystem system = assemble(device, *set, *k, *dofs);
  const std::vector<double> lifting = system.from_shifts.to_vector();
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= lifting[i];

  std::unique_ptr<solve::Operator> a;
  std::unique_ptr<solve::Operator> preconditioner;
  Monitor monitor;
  if (way == Way::assembled) {
    a = std::make_unique<solve::BlockCsrOperator>(system.matrix);
    preconditioner = std::make_unique<solve::Amg>(
        device, system.matrix, space.amg_geometry(exec::Device::cpu(1)), solve::AmgOptions(), monitor);
  } else {
    if (way == Way::stored) {
      a = std::make_unique<StoredElementOperator>(set, k, dofs);
    } else {
      a = std::make_unique<FormOperator>(form, dofs);
    }
    preconditioner = std::make_unique<solve::BlockJacobi>(device, 1, solve::inverse_diagonal(system.matrix));
  }
  const exec::Array<double> right(device, b);
  exec::Array<double> x(device, std::vector<double>(b.size(), 0.0));
  solve::Cg cg;
  cg.options().tolerance = 1e-11;
  const solve::Outcome outcome = cg.solve(device, *a, *preconditioner, right, x, monitor);
  EXPECT_TRUE(outcome.converged());
  EXPECT_LE(outcome.iterations, way == Way::assembled ? 40 : 1000);
  return space.constraints().expand(space.collect(x.to_vector()));
}

bool quadratic(Element type) {
  return mesh::node_count(cell_of(type)) > mesh::corner_count(cell_of(type));
}

void expect_order(const exec::Device& device, Element type, FormKind kind, int components,
                  const std::vector<double>& coefficients, const Field& exact, const Field& force, Way way) {
  const int cells = dimension_of(type) == 3 ? (quadratic(type) ? 2 : 4) : (quadratic(type) ? 5 : 10);
  std::array<double, 2> error{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Domain domain(type, cells << i);
    const std::vector<double> u = solution(device, domain, kind, components, coefficients, exact, force, way);
    with_element("error", type, [&]<Element t>() { error[i] = error_of<t>(domain, components, u, exact); });
  }
  const double order = std::log2(error[0] / error[1]);
  EXPECT_GT(order, quadratic(type) ? 2.8 : 1.9) << error[0] << " " << error[1];
  EXPECT_LT(order, quadratic(type) ? 4.5 : 3.0) << "too good to be true";
}

/// div(k grad u) + f = 0 with u = sin(a x), for which f = a'k a sin(a x).
TEST_P(FormsOn, ConductionConvergesWithTheOrderOfItsElements) {
  const std::vector<double> k{2, 3, 1.5, 0.4, -0.2, 0.3};
  for (const Element type : standard_elements()) {
    if (type == Element::hex20_fibre) continue;  // fields across a fibre are those of the whole it is part of
    SCOPED_TRACE(std::string(fem::name(type)));
    const int dimension = dimension_of(type);
    const std::array<double, 3> a{1.5, 2, dimension == 3 ? -1.0 : 0.0};
    double resistance = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        resistance += a[i] * a[j] *
                      k[static_cast<std::size_t>(
                          kernel::voigt(static_cast<int>(std::min(i, j)), static_cast<int>(std::max(i, j))))];
    }
    const Field exact = [&](std::span<const double, 3> x, int) {
      return std::sin(a[0] * x[0] + a[1] * x[1] + a[2] * x[2]);
    };
    const Field force = [&](std::span<const double, 3> x, int c) { return resistance * exact(x, c); };
    expect_order(device(), type, FormKind::conduction, 1, k, exact, force, Way::assembled);
    if (type == Element::hex8 || type == Element::tet10) {
      expect_order(device(), type, FormKind::conduction, 1, k, exact, force, Way::stored);
      expect_order(device(), type, FormKind::conduction, 1, k, exact, force, Way::matrix_free);
    }
  }
}

/// Plane strain and plane stress: u = (sin(x + 2 y), cos(2 x - y)), whose force is that of Navier's equation
/// with the Lame constants of the case.
TEST_P(FormsOn, PlaneElementsConvergeInPlaneStrainAndPlaneStress) {
  const double young = 3;
  const double poisson = 0.3;
  const double mu = young / (2 * (1 + poisson));
  const double in_space = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  std::array<double, 36> d{};
  std::ranges::copy(isotropic(young, poisson).values(), d.begin());
  for (const bool stress : {false, true}) {
    const double lame = stress ? 2 * in_space * mu / (in_space + 2 * mu) : in_space;
    const std::array<double, 36> own = stress ? plane_stress_elasticity(d) : d;
    const Field exact = [](std::span<const double, 3> x, int c) {
      return c == 0 ? std::sin(x[0] + 2 * x[1]) : std::cos(2 * x[0] - x[1]);
    };
    const Field force = [&](std::span<const double, 3> x, int c) {
      const double p = x[0] + 2 * x[1];
      const double q = 2 * x[0] - x[1];
      const double of_divergence = c == 0 ? -std::sin(p) + 2 * std::cos(q) : -2 * std::sin(p) - std::cos(q);
      return -((lame + mu) * of_divergence - 5 * mu * exact(x, c));
    };
    for (const Element type : plane_elements) {
      SCOPED_TRACE(::testing::Message() << fem::name(type) << (stress ? " in stress" : " in strain"));
      const std::vector<double> table(own.begin(), own.end());
      expect_order(device(), type, FormKind::elasticity, 2, table, exact, force, Way::assembled);
      if (type == Element::tri6)
        expect_order(device(), type, FormKind::elasticity, 2, table, exact, force, Way::matrix_free);
    }
  }
}

TEST(Forms, RefuseWhatDoesNotFit) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic);
  const auto set = std::make_shared<const ElementSet>(cpu, model.region());
  const std::vector<double> k{1, 1, 1, 0, 0, 0};
  const std::vector<std::int32_t> same(model.type.size(), 0);
  EXPECT_THAT(refusal([&] { const Form bad(FormKind::conduction, set, 3, k, same); }),
              HasSubstr("conduction of 3 components on hex8 is nothing that exists"));
  EXPECT_THAT(
      refusal([&] { const Form bad(FormKind::conduction, set, 1, std::vector<double>(7, 1.0), same); }),
      HasSubstr("7 coefficients are no table of 6 each"));
  EXPECT_THAT(
      refusal([&] { const Form bad(FormKind::conduction, set, 1, k, std::vector<std::int32_t>(5, 0)); }),
      HasSubstr("rows for 5 places, but there are 12 elements with 96 points"));
  EXPECT_THAT(refusal([&] {
                const Form bad(FormKind::conduction, set, 1, k, std::vector<std::int32_t>(same.size(), 1));
              }),
              HasSubstr("row 1 of a table of 1"));
  ElementMatrices displacements(*set);
  const auto form = std::make_shared<const Form>(FormKind::conduction, set, 1, k, same);
  EXPECT_THAT(refusal([&] { form->integrate(cpu, displacements); }), HasSubstr("not those of this form"));
  const auto dofs = std::make_shared<const DofMap>(cpu, space_of(model, Constraints::none(model.dofs())));
  EXPECT_THAT(refusal([&] { const FormOperator bad(form, dofs); }),
              HasSubstr("the unknowns have 3 components a node, the elements 1"));
  EXPECT_THAT(refusal([&] { const ElementMatrices bad(*set, 2); }), HasSubstr("2 components"));
  const SmallModel uniform = small_model(Element::hex8_uniform, Elasticity::isotropic);
  const auto other = std::make_shared<const ElementSet>(cpu, uniform.region());
  EXPECT_THAT(refusal([&] { const Form bad(FormKind::conduction, other, 1, k, same); }),
              HasSubstr("conduction on hex8_uniform, which has a formulation of its own"));
  const SmallModel bending = small_model(Element::hex8_incompatible, Elasticity::isotropic);
  const auto with_modes = bending.set(cpu);
  ElementMatrices masses(*with_modes);
  const Form mass(FormKind::mass, with_modes, 3, std::vector<double>{1}, same);
  EXPECT_THAT(refusal([&] { mass.integrate(cpu, masses); }), HasSubstr("depends on their elasticity"));
}

}  // namespace
}  // namespace setka::fem::test
