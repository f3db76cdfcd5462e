// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_dynamics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/solids.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/elements.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::dynamics::test {
namespace {

using fem::Derivatives;
using fem::Element;
using fem::LawMaterial;
using fem::mooney_rivlin;
using fem::neo_hooke;
using fem::saint_venant_kirchhoff;

class ExplicitOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ExplicitOn);

/// All of the list that large strains have a formulation for.
const std::vector<Element> all_types = [] {
  std::vector<Element> all(fem::test::solids.begin(), fem::test::solids.end());
  std::erase(all, Element::hex8_incompatible);
  return all;
}();

struct Body {
  mesh::BlockMesh block;
  std::vector<Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> material_of;

  std::span<const double> x() const { return block.mesh.coordinates(); }
  fem::Region region() const { return {x(), type, first_node, node}; }

  template <class T = double>
  std::shared_ptr<const ExplicitElements<T>> elements(const exec::Device& device,
                                                      const std::vector<LawMaterial>& materials,
                                                      const fem::LargeStrainOptions& options = {}) const {
    return std::make_shared<const ExplicitElements<T>>(device, region(), materials, material_of, options);
  }
};

/// Materials are given out in turn.
Body body(Element type, std::array<int, 3> cells, const mesh::BlockPosition& position, int materials = 1) {
  mesh::BlockGrid grid;
  for (std::size_t axis = 0; axis < 3; ++axis) grid.cells[axis] = {cells[axis]};
  Body made;
  made.block = mesh::block_mesh(grid, fem::cell_of(type), position);
  const mesh::Mesh& mesh = made.block.mesh;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    made.node.insert(made.node.end(), mesh.nodes(e).begin(), mesh.nodes(e).end());
    made.type.push_back(type);
    made.first_node.push_back(static_cast<std::int64_t>(made.node.size()));
    made.material_of.push_back(e % materials);
  }
  return made;
}

std::array<double, 3> bent(double s, double t, double r) {
  return {s + 0.11 * std::sin(2 * t + 3 * r), t + 0.09 * std::sin(3 * s - r) + 0.1 * s * t,
          r + 0.07 * std::sin(2 * s + 2 * t) - 0.1 * s * r};
}

mesh::BlockPosition box(double a, double b, double c) {
  return [=](double s, double t, double r) { return std::array<double, 3>{a * s, b * t, c * r}; };
}

std::vector<LawMaterial> all_laws() {
  return {saint_venant_kirchhoff(1000, 0.3, 7), neo_hooke(150, 0.004, 8), mooney_rivlin(100, 60, 0.003, 9)};
}

struct Forces {
  std::vector<double> f;  // [nodes, 3]
  double energy;
};

template <class T>
Forces internal_forces(const ExplicitElements<T>& elements, const std::vector<double>& u) {
  const exec::Device& device = elements.device();
  const exec::Array<T> on_device(device, std::vector<T>(u.begin(), u.end()));
  exec::Array<T> values(device, elements.set().element_vector_size(3));
  exec::Array<double> energy(device, 1);
  elements.form().forces(device, on_device, values, energy.data());
  const std::vector<T> all = values.to_vector();
  exec::Array<std::int64_t> first(device, elements.node_count() + 1);
  exec::Array<std::int32_t> place(device, elements.set().slot().size);
  exec::copy_async<std::int64_t>(device, elements.set().first_of_node(), first);
  exec::copy_async<std::int32_t>(device, elements.set().slot(), place);
  const std::vector<std::int64_t> begin = first.to_vector();
  const std::vector<std::int32_t> at = place.to_vector();
  Forces made{std::vector<double>(u.size(), 0.0), energy.to_vector()[0]};
  for (std::size_t n = 0; n + 1 < begin.size(); ++n) {
    for (std::int64_t p = begin[n]; p < begin[n + 1]; ++p) {
      for (std::size_t c = 0; c < 3; ++c)
        made.f[3 * n + c] += static_cast<double>(all[static_cast<std::size_t>(
            fem::slot_row(at[static_cast<std::size_t>(p)], 3, static_cast<int>(c)))]);
    }
  }
  return made;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// A turn of the body about an axis that lies askew, with 1.2 rad; displacements.
std::vector<double> turn(std::span<const double> x, double angle) {
  const double n[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
  std::vector<double> u;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const double* const p = x.data() + i;
    const double along = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
    const double cross[3] = {n[1] * p[2] - n[2] * p[1], n[2] * p[0] - n[0] * p[2], n[0] * p[1] - n[1] * p[0]};
    for (int c = 0; c < 3; ++c)
      u.push_back((std::cos(angle) - 1) * (p[c] - along * n[c]) + std::sin(angle) * cross[c]);
  }
  return u;
}

TEST_P(ExplicitOn, ForcesAreTheSlopeOfTheEnergy) {
  for (const Element type : all_types) {
    for (const int law : {0, 1, 2, 3}) {  // 3: all in turn
      SCOPED_TRACE(::testing::Message() << fem::name(type) << ", law " << law);
      const auto laws = all_laws();
      const std::vector<LawMaterial> own = law == 3 ? laws : std::vector{laws[static_cast<std::size_t>(law)]};
      const Body made = body(type, {2, 2, 1}, bent, static_cast<int>(own.size()));
      const auto elements = made.elements(device(), own);
      std::vector<double> u = turn(made.x(), 1.2);
      const auto wild = setka::test::random_values<double>(static_cast<std::int64_t>(u.size()), 5);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] += 0.03 * wild[i];
      const Forces at = internal_forces(*elements, u);
      EXPECT_GT(at.energy, 0);
      const double bound = 1e-6 * largest(at.f) * std::sqrt(static_cast<double>(u.size()));
      for (unsigned trial = 0; trial < 3; ++trial) {
        const auto way = setka::test::random_values<double>(static_cast<std::int64_t>(u.size()), 6 + trial);
        const double h = 1e-5;
        std::vector<double> more = u;
        std::vector<double> less = u;
        double expected = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
          more[i] += h * way[i];
          less[i] -= h * way[i];
          expected += at.f[i] * way[i];
        }
        const double slope =
            (internal_forces(*elements, more).energy - internal_forces(*elements, less).energy) / (2 * h);
        EXPECT_NEAR(slope, expected, bound);
      }
    }
  }
}

TEST_P(ExplicitOn, StoredDerivativesAndSinglePrecisionGiveTheSameForces) {
  for (const Element type : all_types) {
    SCOPED_TRACE(fem::name(type));
    const Body made = body(type, {3, 2, 2}, bent, 3);
    std::vector<double> u = turn(made.x(), 0.5);
    for (double& value : u) value *= 0.9;
    const Forces right = internal_forces(*made.elements(device(), all_laws()), u);
    const Forces stored =
        internal_forces(*made.elements(device(), all_laws(), {.derivatives = Derivatives::stored}), u);
    const Forces single = internal_forces(*made.elements<float>(device(), all_laws()), u);
    EXPECT_TRUE(setka::test::all_near(stored.f, right.f, 1e-12 * 1000));
    EXPECT_NEAR(stored.energy, right.energy, 1e-12 * right.energy);
    // Strains have the error of the displacements, moduli are about 1000.
    EXPECT_TRUE(setka::test::all_near(single.f, right.f, setka::test::rounding<float>(100, 1000)));
    EXPECT_NEAR(single.energy, right.energy, 1e-4 * right.energy);
  }
}

TEST_P(ExplicitOn, RigidTurnsMeetNoForce) {
  for (const Element type : all_types) {
    SCOPED_TRACE(fem::name(type));
    const Body made = body(type, {2, 1, 2}, bent, 3);
    const auto elements = made.elements(device(), all_laws());
    const Forces turned = internal_forces(*elements, turn(made.x(), 2.1));
    EXPECT_LT(largest(turned.f), 1e-11 * 1000);
    EXPECT_LT(std::abs(turned.energy), 1e-11 * 1000);
  }
}

/// C3D8R resists hourglasses, and only these: a uniform stretch has the energy of C3D8.
TEST_P(ExplicitOn, HourglassesMeetForceUniformStrainsDoNot) {
  const Body reduced = body(Element::hex8_uniform, {1, 1, 1}, bent);
  const Body full = body(Element::hex8, {1, 1, 1}, bent);
  const std::vector<LawMaterial> laws{all_laws()[1]};
  std::vector<double> stretch;
  for (std::size_t i = 0; i < reduced.x().size(); ++i)
    stretch.push_back(0.1 * reduced.x()[i] + 0.05 * reduced.x()[i - i % 3]);
  const double energy = internal_forces(*full.elements(device(), laws), stretch).energy;
  EXPECT_NEAR(internal_forces(*reduced.elements(device(), laws), stretch).energy, energy, 1e-12 * energy);

  std::vector<double> hourglass;
  for (std::size_t n = 0; n < 8; ++n) {
    const double sign = (reduced.x()[3 * n + 1] > 0.5) == (reduced.x()[3 * n + 2] > 0.5) ? 0.01 : -0.01;
    hourglass.insert(hourglass.end(), {sign, 0, 0});
  }
  const auto with = reduced.elements(device(), laws);
  const auto without = reduced.elements(device(), laws, {.hourglass = 0});
  EXPECT_GT(internal_forces(*with, hourglass).energy, 3 * internal_forces(*without, hourglass).energy);
}

TEST_P(ExplicitOn, MassIsPositiveAndWhole) {
  for (const Element type : all_types) {
    SCOPED_TRACE(fem::name(type));
    const Body made = body(type, {3, 2, 2}, [](double s, double t, double r) {
      return std::array<double, 3>{2 * s + 0.3 * t * t, t, r + 0.2 * s};
    });
    const auto elements = made.elements(device(), {all_laws()[0]});
    exec::Array<double> copy(device(), elements->node_count());
    exec::copy_async<double>(device(), elements->mass(), copy);
    double sum = 0;
    for (const double m : copy.to_vector()) {
      EXPECT_GT(m, 0);
      sum += m;
    }
    // The block has the volume 2, and every shape but straight ones follows its bend by chords.
    EXPECT_NEAR(sum, 14, 1e-12 * 14);
  }
}

/// A long bar without lateral contraction is pulled at x = 0 by a constant stress: behind the front the
/// velocity is s / (rho c), and the front goes with c. At the time L / 2c it is halfway.
TEST_P(ExplicitOn, AWaveInABarArrivesOnTime) {
  const int cells = 200;
  const Body bar = body(Element::hex8, {cells, 1, 1}, box(2, 0.01, 0.01));
  const auto elements = bar.elements(device(), {saint_venant_kirchhoff(100, 0, 4)});  // c = 5
  ExplicitDynamics<double> run(elements, {.energy_every = 10, .energy_drift = 1e-4});
  std::vector<double> load(bar.x().size(), 0.0);
  const double stress = 1e-6;
  for (std::size_t n = 0; n < bar.x().size() / 3; ++n) {
    if (bar.x()[3 * n] == 0) load[3 * n] = stress * 1e-4 / 4;
  }
  run.set_load(load);
  const double time = 0.2;
  const auto energies = run.run(static_cast<std::int64_t>(std::round(time / run.step())));
  const std::vector<double> v = run.velocities();
  const double speed = stress / (4 * 5);
  double momentum = 0;
  for (std::size_t n = 0; n < v.size() / 3; ++n) {
    const double x = bar.x()[3 * n];
    momentum += v[3 * n] * (x == 0 || x == 2 ? 0.5 : 1) * 0.01 / 4;
    if (x > 0.2 && x < 0.7) {
      EXPECT_NEAR(v[3 * n], speed, 0.1 * speed) << "x = " << x;
    }
    if (x > 1.1) {
      EXPECT_LT(std::abs(v[3 * n]), 0.02 * speed) << "x = " << x;
    }
  }
  EXPECT_NEAR(momentum, speed * 5 * time, 0.01 * speed * 5 * time);
  EXPECT_GT(energies.back().external, 0);
  EXPECT_NEAR(energies.back().kinetic, energies.back().internal, 0.02 * energies.back().kinetic);
}

/// A body that spins freely, with half a turn, keeps its momentum and its angular momentum, whatever it does.
TEST_P(ExplicitOn, AFreeBodyKeepsItsAngularMomentum) {
  for (const Element type : {Element::hex8, Element::tet10, Element::hex8_uniform}) {
    SCOPED_TRACE(fem::name(type));
    const Body made = body(type, {3, 2, 2}, box(1, 0.5, 0.5), 3);
    const auto elements = made.elements(device(), all_laws());
    ExplicitDynamics<double> run(elements, {.energy_every = 20, .energy_drift = 0.02});
    std::vector<double> v;
    for (std::size_t n = 0; n < made.x().size() / 3; ++n) {
      const double* const x = made.x().data() + 3 * n;
      v.insert(v.end(), {-4 * (x[1] - 0.25), 4 * (x[0] - 0.5), 0.3 * std::sin(3 * x[0])});
    }
    run.set_velocities(v);
    exec::Array<double> mass(device(), elements->node_count());
    exec::copy_async<double>(device(), elements->mass(), mass);
    const std::vector<double> m = mass.to_vector();
    const auto spin = [&] {
      std::array<double, 3> sum{};
      const std::vector<double> u = run.displacements();
      const std::vector<double> now = run.velocities();
      for (std::size_t n = 0; n < m.size(); ++n) {
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t a = 3 * n + (c + 1) % 3;
          const std::size_t b = 3 * n + (c + 2) % 3;
          sum[c] += m[n] * ((made.x()[a] + u[a]) * now[b] - (made.x()[b] + u[b]) * now[a]);
        }
      }
      return sum;
    };
    run.run(1);
    const auto before = spin();
    run.run(static_cast<std::int64_t>(std::numbers::pi / 4 / run.step()));
    const auto after = spin();
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(after[c], before[c], 1e-10 * before[2]);
    EXPECT_GT(largest(run.displacements()), 0.8);  // it has turned
  }
}

/// Error of the displacement at a time, against steps of a sixteenth.
TEST_P(ExplicitOn, CentralDifferencesAreOfSecondOrder) {
  const Body made = body(Element::hex8, {2, 1, 1}, bent);
  const auto elements = made.elements(device(), {all_laws()[2]});
  const double stable =
      elements->stable_step(device(), exec::Array<double>(device(), std::vector<double>(made.x().size())));
  const auto after = [&](int steps) {
    ExplicitDynamics<double> run(elements, {.step = 8 * stable / steps, .damping = 3});
    std::vector<double> v;
    std::vector<double> load;
    for (const double x : made.x()) {
      v.push_back(3 * std::sin(2 * x));
      load.push_back(std::cos(x));
    }
    run.set_velocities(v);
    run.set_load(load, [](double time) { return std::sin(9 * time); });
    run.run(steps);
    return run.displacements();
  };
  const std::vector<double> right = after(16 * 80);
  double errors[2] = {0, 0};
  for (const int k : {0, 1}) {
    const std::vector<double> u = after(40 << k);
    for (std::size_t i = 0; i < u.size(); ++i) errors[k] = std::max(errors[k], std::abs(u[i] - right[i]));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15) << errors[0] << " " << errors[1];
}

TEST_P(ExplicitOn, EnergyDoesNotDriftInTenThousandSteps) {
  const Body made = body(Element::hex8, {2, 1, 1}, bent);
  const auto elements = made.elements(device(), {all_laws()[1]});
  const double stable =
      elements->stable_step(device(), exec::Array<double>(device(), std::vector<double>(made.x().size())));
  ExplicitDynamics<double> run(elements, {.step = 0.1 * stable, .energy_every = 50, .energy_drift = 1e-3});
  std::vector<double> v;
  for (const double x : made.x()) v.push_back(std::sin(2 * x));
  run.set_velocities(v);
  const auto energies = run.run(10000);
  ASSERT_EQ(energies.size(), 200U);
  double most = 0;
  double late = 0;
  for (const ExplicitEnergies& at : energies) most = std::max(most, at.internal);
  // It sways with the square of the step; its mean stays.
  for (std::size_t i = 0; i < 50; ++i)
    late += (energies[150 + i].balance() - energies[50 + i].balance()) / 50;
  EXPECT_LT(std::abs(late), 3e-4 * energies.front().kinetic);
  EXPECT_GT(most, 0.2 * energies.front().kinetic);  // it does swing
}

/// Work of loads, of moved supports and of damping closes the balance.
TEST_P(ExplicitOn, WorkClosesTheBalanceOfEnergies) {
  const Body made = body(Element::hex20_reduced, {2, 1, 1}, box(1, 0.5, 0.5));
  const auto elements = made.elements(device(), {all_laws()[0]});
  ExplicitDynamics<double> run(elements, {.damping = 40, .energy_every = 5, .energy_drift = 0.002});
  std::vector<std::int32_t> held;
  std::vector<double> values;
  std::vector<double> load(made.x().size(), 0.0);
  for (std::size_t n = 0; n < made.x().size() / 3; ++n) {
    for (std::int32_t c = 0; c < 3 && made.x()[3 * n] == 0; ++c)
      held.push_back(static_cast<std::int32_t>(3 * n) + c);
    if (made.x()[3 * n] == 1) {
      held.push_back(static_cast<std::int32_t>(3 * n));
      load[3 * n + 1] = 0.3;
    }
  }
  values.reserve(held.size());
  for (const std::int32_t dof : held)
    values.push_back(made.x()[static_cast<std::size_t>(dof - dof % 3)] == 0 ? 0 : 0.1);
  run.hold(held, values, [](double time) { return std::min(time / 0.1, 1.0); });
  run.set_load(load);
  const auto energies = run.run(static_cast<std::int64_t>(0.6 / run.step()));
  const ExplicitEnergies& last = energies.back();
  EXPECT_GT(last.damping, 0.1 * last.external);
  EXPECT_LT(last.kinetic, 0.01 * last.internal);  // it has come to rest
  EXPECT_NEAR(last.internal + last.damping, last.external, 0.01 * last.external);
  // Stretched by 10 % the rod, whose ends are held, is about E A / L u^2 / 2 or a little more.
  EXPECT_NEAR(last.internal, 1000 * 0.25 * 0.01 / 2, 0.4 * 1.25);
  for (const std::int32_t dof : held) {
    const auto at = static_cast<std::size_t>(dof);
    EXPECT_NEAR(run.displacements()[at], made.x()[at - at % 3] == 0 ? 0 : 0.1, 1e-12);
  }
}

TEST_P(ExplicitOn, AnUnstableStepIsRefusedByTheStableOne) {
  const Body bar = body(Element::hex8, {4, 1, 1}, box(4, 1, 1));
  const auto elements = bar.elements(device(), {saint_venant_kirchhoff(100, 0, 4)});
  ExplicitDynamics<double> good(elements);
  // A cube with nu = 0 in a pressure wave: all of its mass at two faces, w = 2 c / h.
  EXPECT_NEAR(good.stable_step(), 1.0 / 5, 0.02 / 5);
  EXPECT_NEAR(good.step(), 0.9 * good.stable_step(), 1e-15);
  try {
    const ExplicitDynamics<double> bad(elements, {.step = 1.01 * good.stable_step()});
    FAIL() << "the step was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("not stable"));
    EXPECT_THAT(error.remedy(), ::testing::HasSubstr(fmt::format("{:.6g}", good.stable_step())));
  }
}

/// Where a body is crushed far enough its stable step shrinks, and the energies say so.
TEST_P(ExplicitOn, DriftOfEnergyStopsTheRun) {
  const Body made = body(Element::hex8, {3, 3, 3}, box(1, 1, 1));
  const auto elements = made.elements(device(), {neo_hooke(1, 0.02, 1)});
  ExplicitDynamics<double> run(elements, {.safety = 1, .energy_every = 5});
  std::vector<double> v;
  for (const double x : made.x()) v.push_back(-40 * (x - 0.5));
  run.set_velocities(v);
  try {
    run.run(2000);
    FAIL() << "no drift was seen";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("balance of energies"));
  }
}

TEST_P(ExplicitOn, RunsHaveTheSameBits) {
  const Body made = body(Element::hex8, {7, 5, 5}, bent, 3);
  const auto run = [&]<class T>(const exec::Device& on, std::int64_t split) {
    ExplicitDynamics<T> one(made.elements<T>(on, all_laws()), {.damping = 1, .energy_every = 10});
    std::vector<double> v;
    for (const double x : made.x()) v.push_back(std::sin(7 * x));
    one.set_velocities(v);
    auto energies = one.run(split);
    const auto more = one.run(20 - split);
    energies.insert(energies.end(), more.begin(), more.end());
    std::vector<double> all = one.displacements();
    for (const ExplicitEnergies& at : energies)
      all.insert(all.end(), {at.kinetic, at.internal, at.external, at.damping});
    return all;
  };
  const auto same = []<class V>(const V& a, const V& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
  };
  const auto first = run.operator()<double>(device(), 20);
  EXPECT_TRUE(same(first, run.operator()<double>(device(), 13)));
  const auto single = run.operator()<float>(device(), 20);
  EXPECT_TRUE(same(single, run.operator()<float>(device(), 13)));
  if (!device().is_cuda()) {
    EXPECT_TRUE(same(first, run.operator()<double>(exec::Device::cpu(3), 20)));
    EXPECT_TRUE(same(single, run.operator()<float>(exec::Device::cpu(3), 20)));
  }
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_NEAR(single[i], first[i], 1e-3 * (1 + std::abs(first[i])));
}

TEST_P(ExplicitOn, MisuseIsRefused) {
  const Body made = body(Element::hex8_incompatible, {1, 1, 1}, bent);
  EXPECT_THROW(made.elements(device(), {all_laws()[0]}), Error);
  const Body good = body(Element::hex8, {1, 1, 1}, bent);
  ExplicitDynamics<double> run(good.elements(device(), {all_laws()[0]}));
  EXPECT_THROW(run.set_velocities(std::vector<double>(3)), Error);
  EXPECT_THROW(run.hold(std::vector<std::int32_t>{24}), Error);
  run.run(1);
  EXPECT_THROW(run.set_velocities(std::vector<double>(24)), Error);
}

}  // namespace
}  // namespace setka::dynamics::test
