// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *BUCKLE against Euler's columns and a plate in compression, and what its matrices and methods have in
// common.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "analysis/deck_run.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/job.hpp"
#include "setka/analysis/preload.hpp"
#include "setka/analysis/stress_stiffness.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/modes/find.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka {
namespace {

using model::ElementType;
using std::numbers::pi;
using ::testing::HasSubstr;
using Place = std::function<bool(double, double, double)>;

/// A bar along x.
struct Column {
  double length = 20;
  double width = 1.5;
  double height = 1;  // the smaller: it bends along z
  double e = 2e5;

  double area() const { return width * height; }
  /// Euler's load of half waves of a length, lowered by what shear gives way (Engesser; 5/6 of the section),
  /// and by what the stress takes of the stiffness along the bar, which solids count.
  double load(double half_wave) const {
    const double euler = pi * pi * e * width * std::pow(height, 3) / 12 / (half_wave * half_wave);
    return euler / (1 + euler / (5.0 / 6 * e / 2 * area()) + euler / (e * area()));
  }
};

model::Model column_model(const Column& column, std::array<int, 3> cells, ElementType type) {
  return test::block_model(
      cells, type,
      [=](double s, double t, double r) {
        return std::array<double, 3>{s * column.length, t * column.width, r * column.height};
      },
      column.e, 0);
}

void hold_all(model::Model& model, const std::vector<int>& directions, const Place& where) {
  for (const std::int32_t node : test::nodes_where(model.mesh, where)) {
    for (const int direction : directions) test::prescribe(model, node, direction, 0);
  }
}

const Place at_root = [](double x, double, double) { return x == 0; };

Place at_tip(const Column& column) {
  return [=](double x, double, double) { return test::near(x, column.length); };
}

/// Held at one end, pressed at the other with a stress.
model::Model cantilever(const Column& column, std::array<int, 3> cells, ElementType type, double stress) {
  model::Model model = column_model(column, cells, type);
  hold_all(model, {1, 2, 3}, at_root);
  test::press(model, stress, at_tip(column));
  return model;
}

void buckle(model::Model& model, int factors) {
  model::BuckleStep procedure;
  procedure.factors = factors;
  model.steps.back().procedure = procedure;
}

std::vector<model::BucklingTable> tables_of(const model::Model& model, const analysis::Computing& computing) {
  Monitor monitor;
  const analysis::Setup setup = analysis::prepare(model, monitor);
  std::vector<model::BucklingTable> tables;
  analysis::StepServices services;
  services.factors = [&](const model::BucklingTable& table) { tables.push_back(table); };
  analysis::run_steps(
      setup, computing, [](const model::Step&, const model::Frame&) {}, monitor, {}, services);
  return tables;
}

class Buckling : public test::OnDevice {
 protected:
  analysis::Computing computing(modes::Method method = modes::Method::automatic) const {
    analysis::Computing made;
    made.device = device();
    made.modes = method;
    return made;
  }

  model::BucklingTable table(model::Model& model, int factors,
                             modes::Method method = modes::Method::automatic) const {
    buckle(model, factors);
    model::BucklingTable found = tables_of(model, computing(method)).at(0);
    EXPECT_TRUE(found.converged) << found.trouble;
    EXPECT_EQ(found.modes.size(), static_cast<std::size_t>(factors));
    return found;
  }
};
SETKA_ON_ALL_DEVICES(Buckling);

TEST_P(Buckling, ColumnHeldAtOneEnd) {
  const Column column;
  const double expected = column.load(2 * column.length) / column.area();
  struct Case {
    const char* element;
    std::array<int, 3> cells;
    double tolerance;
  };
  for (const Case& one :
       {Case{"C3D20R", {10, 1, 2}, 2e-3}, Case{"C3D20", {10, 1, 1}, 2e-3}, Case{"C3D10", {12, 1, 1}, 1e-2},
        Case{"C3D8I", {40, 1, 2}, 5e-3}, Case{"C3D15", {12, 1, 1}, 5e-3}}) {
    model::Model model = cantilever(column, one.cells, deck::element(one.element), 1);
    const model::BucklingTable found = table(model, 1);
    EXPECT_NEAR(found.modes[0].factor, expected, one.tolerance * expected) << one.element;
  }
}

TEST_P(Buckling, ColumnWithHingesAtBothEnds) {
  const Column column;
  model::Model model = column_model(column, {12, 1, 2}, deck::element("C3D20R"));
  const auto in_the_middle = [&](double, double, double z) { return test::near(z, column.height / 2); };
  hold_all(model, {2}, [](double, double, double) { return true; });
  hold_all(model, {3}, [&](double x, double y, double z) {
    return in_the_middle(x, y, z) && (x == 0 || test::near(x, column.length));
  });
  hold_all(model, {1}, [&](double x, double y, double z) { return in_the_middle(x, y, z) && x == 0; });
  test::press(model, 1, at_tip(column));
  test::press(model, 1, at_root);
  const model::BucklingTable found = table(model, 3);
  for (int n = 1; n <= 3; ++n) {
    const double expected = column.load(column.length / n) / column.area();
    EXPECT_NEAR(found.modes[static_cast<std::size_t>(n) - 1].factor, expected, 3e-3 * expected) << n;
  }
}

/// CalculiX passes the first factor over where the loads are far above it.
TEST_P(Buckling, TheSizeOfTheLoadsDoesNotMatter) {
  const double critical = 470437.10;
  Column column{500, 60, 40, 210000};
  column.width = critical / column.load(2 * column.length) * column.width;
  for (const modes::Method method : {modes::Method::automatic, modes::Method::lobpcg}) {
    for (const double times : {1e-3, 1.0, 1e3}) {
      model::Model model =
          cantilever(column, {16, 2, 2}, deck::element("C3D20R"), times * critical / column.area());
      const model::BucklingTable found = table(model, 2, method);
      EXPECT_NEAR(found.modes[0].factor * times, 1, 3e-3) << times;
      EXPECT_GT(found.modes[1].factor * times, 1.1) << times;  // about the other axis
    }
  }
}

/// Pressed, pressed twice as much, and under its own weight (Greenhill: 7.837 E I / l^2).
TEST_P(Buckling, EachStepHasLoadsOfItsOwn) {
  const Column column;
  model::Model model = cantilever(column, {8, 1, 2}, deck::element("C3D20R"), 1);
  model.materials.front().density = {{0, {1}}};
  buckle(model, 1);
  model.steps.resize(3, model.steps.front());
  for (model::DistributedLoad& load : model.steps[1].distributed_loads) load.value *= 2;
  model.steps[2].distributed_loads.clear();
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    model::DistributedLoad weight;
    weight.element = e;
    weight.kind = model::DistributedKind::gravity;
    weight.value = 1;
    weight.direction = {-1, 0, 0};
    model.steps[2].distributed_loads.push_back(weight);
  }
  const std::vector<model::BucklingTable> found = tables_of(model, computing());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0].modes[0].factor / found[1].modes[0].factor, 2, 1e-6);
  const double weight =
      7.837 * column.e * column.width * std::pow(column.height, 3) / 12 / (column.length * column.length);
  EXPECT_NEAR(found[2].modes[0].factor * column.area() * column.length, weight, 0.01 * weight);
}

/// Held at both ends and heated by one degree.
TEST_P(Buckling, HeatBucklesAColumnThatCannotGrow) {
  const Column column;
  const double expansion = 1e-5;
  model::Model model = column_model(column, {10, 1, 2}, deck::element("C3D20R"));
  hold_all(model, {1, 2, 3},
           [&](double x, double y, double z) { return at_root(x, y, z) || at_tip(column)(x, y, z); });
  model.materials.front().expansion = {{0, {expansion}}};
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    model.initial_temperatures.push_back({n, 20, -1});
    model.steps.back().temperatures.push_back({n, 21, -1});
  }
  const model::BucklingTable found = table(model, 1);
  const double expected = column.load(column.length / 2) / (column.e * column.area() * expansion);
  EXPECT_NEAR(found.modes[0].factor, expected, 5e-3 * expected);
}

/// Simply supported at its edges, pressed along x: k = 4.
TEST_P(Buckling, SquarePlateInCompression) {
  const double thickness = 0.01;
  const double e = 2e5;
  const double nu = 0.3;
  model::Model model = test::block_model(
      {8, 8, 1}, deck::element("C3D20R"),
      [=](double s, double t, double r) {
        return std::array<double, 3>{s, t, thickness * r};
      },
      e, nu);
  const auto edge = [](double s) { return s == 0 || test::near(s, 1); };
  const auto half_way = [=](double z) { return test::near(z, thickness / 2); };
  hold_all(model, {3}, [&](double x, double y, double z) { return half_way(z) && (edge(x) || edge(y)); });
  hold_all(model, {1, 2}, [&](double x, double y, double z) {
    return half_way(z) && test::near(x, 0.5) && test::near(y, 0.5);
  });
  hold_all(model, {2},
           [&](double x, double y, double z) { return half_way(z) && x == 0 && test::near(y, 0.5); });
  test::press(model, 1, [&](double x, double, double) { return x == 0; });
  test::press(model, 1, [&](double x, double, double) { return test::near(x, 1); });
  const model::BucklingTable found = table(model, 2);
  const double k = found.modes[0].factor * 12 * (1 - nu * nu) / (pi * pi * e * thickness * thickness);
  EXPECT_NEAR(k, 4, 0.06);
  // Two half waves: k = (2 + 1 / 2)^2.
  EXPECT_NEAR(found.modes[1].factor / found.modes[0].factor, 6.25 / 4, 0.03);
}

TEST_P(Buckling, MethodsAgree) {
  const Column column{10, 1.5, 1, 2e5};
  std::vector<modes::Method> methods{modes::Method::dense, modes::Method::lobpcg};
  if (solve::Cholesky::available()) methods.push_back(modes::Method::lanczos);
  std::vector<model::BucklingTable> found;
  for (const modes::Method method : methods) {
    model::Model model = cantilever(column, {10, 2, 2}, deck::element("C3D8I"), 3);
    found.push_back(table(model, 6, method));
  }
  for (std::size_t m = 1; m < found.size(); ++m) {
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_NEAR(found[m].modes[j].factor, found[0].modes[j].factor, 1e-6 * found[0].modes[j].factor)
          << found[m].method << ", factor " << j + 1;
  }
  if (found.size() > 2) {
    EXPECT_THAT(found[2].check, HasSubstr("6 factors between 0 and"));
    EXPECT_THAT(found[2].check, HasSubstr("by inertia, 6 found"));
  }
}

TEST_P(Buckling, MultigridOfTheLoadsServesTheFactors) {
  const Column column{10, 1.5, 1, 2e5};
  model::Model model = cantilever(column, {10, 2, 2}, deck::element("C3D8I"), 3);
  const model::BucklingTable alone = table(model, 3, modes::Method::dense);
  analysis::Computing by_iteration = computing(modes::Method::lobpcg);
  by_iteration.solver.method = solve::Method::cg;
  const model::BucklingTable shared = tables_of(model, by_iteration).at(0);
  EXPECT_EQ(shared.method, "LOBPCG with multigrid");
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_NEAR(shared.modes.at(j).factor, alone.modes[j].factor, 1e-6 * alone.modes[j].factor);
}

/// A bar that is held in its middle: one half is pressed, the other pulled half as much.
TEST_P(Buckling, LoadsTheOtherWayRound) {
  const Column column;
  for (const modes::Method method : {modes::Method::dense, modes::Method::lanczos}) {
    if (method == modes::Method::lanczos && !solve::Cholesky::available()) continue;
    model::Model model = column_model(column, {8, 1, 1}, deck::element("C3D20"));
    hold_all(model, {1, 2, 3}, [&](double x, double, double) { return test::near(x, column.length / 2); });
    test::press(model, 2, at_root);
    test::press(model, -1, at_tip(column));
    const model::BucklingTable found = table(model, 1, method);
    ASSERT_TRUE(found.reversed) << found.method;
    EXPECT_NEAR(*found.reversed / found.modes[0].factor, -2, 1e-4) << found.method;
  }
}

/// Loads of earlier steps end before *BUCKLE, its own end with it; a preload takes its part of the factor.
TEST_P(Buckling, StepsAndPreload) {
  const Column column;
  const double critical = column.load(2 * column.length) / column.area();
  model::Model model = cantilever(column, {10, 1, 1}, deck::element("C3D20"), 1);
  buckle(model, 1);
  const model::Step first = model.steps.front();
  model.steps.push_back(first);  // twice the load
  model.steps.back().prescribed.clear();
  for (model::DistributedLoad& load : model.steps.back().distributed_loads) load.value = 2;
  model.steps.push_back(model.steps.back());  // a quarter of what it bears
  model.steps.back().procedure = model::StaticStep{};
  for (model::DistributedLoad& load : model.steps.back().distributed_loads) load.value = critical / 4;
  model.steps.push_back(model.steps[1]);  // the rest of it
  model.steps.back().perturbation = true;
  model.steps.push_back(model.steps[1]);  // not about it
  const std::vector<model::BucklingTable> found = tables_of(model, computing());
  ASSERT_EQ(found.size(), 4U);
  const auto factor = [&](std::size_t j) { return found[j].modes.at(0).factor; };
  EXPECT_NEAR(factor(0), critical, 2e-3 * critical);
  EXPECT_NEAR(factor(1), factor(0) / 2, 1e-6 * factor(0));
  EXPECT_NEAR(factor(2) / factor(1), 0.75, 3e-3);
  EXPECT_NEAR(factor(3), factor(1), 1e-6 * factor(1));
}

/// Shapes come after the state under the loads, with K-norm one.
TEST_P(Buckling, Frames) {
  const Column column;
  model::Model model = cantilever(column, {6, 1, 1}, deck::element("C3D20"), 7);
  buckle(model, 2);
  Monitor monitor;
  const analysis::Setup setup = analysis::prepare(model, monitor);
  std::vector<model::Frame> frames;
  analysis::run_steps(
      setup, computing(), [&](const model::Step&, const model::Frame& frame) { frames.push_back(frame); },
      monitor);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_FALSE(frames[0].buckling);
  const std::int32_t tip = test::nodes_where(model.mesh, at_tip(column)).front();
  EXPECT_NEAR(test::value_at(frames[0], "U", tip, 0), -7 * column.length / column.e, 1e-9);
  EXPECT_NEAR(test::value_at(frames[0], "S", tip, 0), -7, 1e-3);
  for (std::size_t j = 1; j < 3; ++j) {
    ASSERT_TRUE(frames[j].buckling);
    EXPECT_EQ(frames[j].buckling->number, static_cast<int>(j));
    EXPECT_EQ(frames[j].time, frames[0].time);
    // Bending along z first, along y then.
    const double along_z = std::abs(test::value_at(frames[j], "U", tip, 2));
    const double along_y = std::abs(test::value_at(frames[j], "U", tip, 1));
    EXPECT_GT(j == 1 ? along_z : along_y, 100 * (j == 1 ? along_y : along_z));
    // A cantilever's phi' K phi is pi^4 E I / 32 L^3 of its tip's displacement squared.
    const double inertia = j == 1 ? column.width * std::pow(column.height, 3) / 12
                                  : column.height * std::pow(column.width, 3) / 12;
    const double norm = std::pow(pi, 4) * column.e * inertia / (32 * std::pow(column.length, 3)) *
                        std::pow(j == 1 ? along_z : along_y, 2);
    EXPECT_NEAR(norm, 1, 2e-2);
  }
}

/// The form on a device, its product without a matrix and the host's function of an element.
TEST_P(Buckling, StressStiffnessIsTheSameEveryWay) {
  for (const char* name : {"C3D4", "C3D6", "C3D8", "C3D8I", "C3D8R", "C3D10", "C3D15", "C3D20", "C3D20R"}) {
    SCOPED_TRACE(name);
    model::Model model = cantilever({2, 1.5, 1, 2e5}, {3, 2, 2}, deck::element(name), 1);
    Monitor monitor;
    const analysis::Setup setup = analysis::prepare(model, monitor);
    const analysis::ElementState state(setup, {});
    const std::int32_t dofs = 3 * model.mesh.node_count();
    const fem::Space space(setup.solids.region(), 3, fem::Constraints::none(dofs));
    const auto points = static_cast<std::size_t>(setup.points.first_point.back());
    const std::vector<double> stresses =
        test::random_values<double>(static_cast<std::int64_t>(6 * points), 1);
    const std::vector<double> x = test::random_values<double>(dofs, 2);

    const exec::Device cpu = exec::Device::cpu();
    const sparse::BlockCsr<double> expected =
        fem::assemble(
            space,
            [&](std::int32_t e, std::span<double> k) {
              std::vector<double> at;
              element_coordinates(setup.solids, e, at);
              std::ranges::fill(k, 0.0);
              const auto first = static_cast<std::size_t>(setup.first_point(e));
              const auto own = static_cast<std::size_t>(setup.first_point(e + 1)) - first;
              analysis::add_stress_stiffness(setup.solids.type[static_cast<std::size_t>(e)], at,
                                             std::span(stresses).subspan(6 * first, 6 * own), k);
            },
            cpu, monitor)
            .matrix;
    const exec::Array<double> on_host(cpu, x);
    exec::Array<double> right(cpu, dofs);
    solve::BlockCsrOperator(expected).apply(cpu, on_host, right);
    const std::vector<double> y = right.to_vector();
    double largest = 0;
    for (const double value : y) largest = std::max(largest, std::abs(value));
    ASSERT_GT(largest, 0);

    const exec::Array<double> there(device(), x);
    exec::Array<double> product(device(), dofs);
    const sparse::BlockCsr<double> assembled =
        analysis::stress_stiffness(setup, state, space, {}, stresses, device(), cpu, monitor);
    solve::BlockCsrOperator(assembled).apply(device(), there, product);
    EXPECT_TRUE(test::all_near(product.to_vector(), y, 1e-12 * largest));

    std::vector<std::int32_t> row_of(points);
    std::iota(row_of.begin(), row_of.end(), 0);
    const auto set = std::make_shared<const fem::ElementSet>(device(), setup.solids.region());
    const auto form =
        std::make_shared<const fem::Form>(fem::FormKind::stress_stiffness, set, 3, stresses, row_of);
    const auto on_device = std::make_shared<const fem::DofMap>(device(), space);
    const sparse::BlockCsr<double> by_form =
        fem::DeviceAssembly(device(), *set, *on_device).assemble(device(), *form, *on_device).matrix;
    solve::BlockCsrOperator(by_form).apply(device(), there, product);
    EXPECT_TRUE(test::all_near(product.to_vector(), y, 1e-12 * largest));
    fem::FormOperator(form, on_device).apply(device(), there, product);
    EXPECT_TRUE(test::all_near(product.to_vector(), y, 1e-12 * largest));
  }
}

const std::string cube =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1000,0.3\n"
    "*SOLID SECTION,ELSET=E,MATERIAL=M\n";
const std::string held_below = "*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n4,1,3\n";
const std::string pressed = "*DLOAD\nE,P2,1\n";

std::string buckle_step(const std::string& data, const std::string& loads) {
  return "*STEP\n*BUCKLE\n" + data + "\n" + loads + "*END STEP\n";
}

TEST(BuckleRefusals, OfSteps) {
  using test::refusal_of_deck;
  EXPECT_THAT(refusal_of_deck(cube + held_below + buckle_step("1", "")),
              HasSubstr("*BUCKLE: the step has no loads"));
  EXPECT_THAT(refusal_of_deck(cube + held_below + buckle_step("1", pressed) + buckle_step("1", "")),
              HasSubstr("those of earlier steps have ended"));
  EXPECT_THAT(refusal_of_deck(cube + held_below + buckle_step("1", "*CLOAD\n1,1,1\n")),
              HasSubstr("make no stresses"));
  EXPECT_THAT(refusal_of_deck(cube + held_below + buckle_step("13", pressed)),
              HasSubstr("*BUCKLE asks for 13 factors, but the model has 12 unknowns"));
  EXPECT_THAT(refusal_of_deck(cube + buckle_step("1", pressed)), HasSubstr("*BUCKLE: the model is not held"));
  EXPECT_THAT(refusal_of_deck(cube + "*INITIAL CONDITIONS,TYPE=TEMPERATURE\n5,0\n" + held_below +
                              "*STEP\n*STATIC\n*END STEP\n*STEP,PERTURBATION\n*BUCKLE\n1\n" + pressed +
                              "*TEMPERATURE\n5,10\n*END STEP\n"),
              HasSubstr("*TEMPERATURE in a *BUCKLE step about a preload"));
  // Several load cases are several steps; CalculiX has LOAD CASE for harmonic loads alone.
  EXPECT_THAT(refusal_of_deck(cube + held_below + buckle_step("1", "*DLOAD,LOAD CASE=2\nE,P2,1\n")),
              HasSubstr("*DLOAD, LOAD CASE=2 outside *STEADY STATE DYNAMICS"));
  EXPECT_THAT(refusal_of_deck(cube + held_below + buckle_step("1", "*CLOAD,LOAD CASE=2\n5,3,-1\n")),
              HasSubstr("*CLOAD, LOAD CASE=2 outside *STEADY STATE DYNAMICS"));
  // Pulled without lateral contraction, nothing buckles.
  std::string straight = cube;
  straight.replace(straight.find("1000,0.3"), 8, "1000,0");
  EXPECT_THAT(refusal_of_deck(straight + held_below + buckle_step("1", "*DLOAD\nE,P2,-1\n")),
              HasSubstr("at no positive factor; the other way round they would, at a factor of"));
  // The same of a body that is not computed densely: its corners are pressed a little.
  model::Model pulled = cantilever({20, 1.5, 1, 2e5}, {10, 2, 2}, deck::element("C3D20R"), -1);
  pulled.materials.front().elastic = {{0, {2e5, 0.3}}};
  buckle(pulled, 1);
  const auto message = [&] {
    try {
      tables_of(pulled, analysis::Computing::on_cpu(1));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  if (solve::Cholesky::available()) {  // an iteration without a factor looks the one way alone
    EXPECT_THAT(message(),
                HasSubstr("at no positive factor; the other way round they would, at a factor of 103.2"));
  }
  // Far beyond what it bears.
  EXPECT_THAT(refusal_of_deck(straight + held_below + "*STEP\n*STATIC\n*DLOAD\nE,P2,1e5\n*END STEP\n" +
                              "*STEP,PERTURBATION\n*BUCKLE\n1\n*DLOAD\nE,P2,1\n*END STEP\n"),
              HasSubstr("has buckled under the preload already"));
}

}  // namespace
}  // namespace setka
