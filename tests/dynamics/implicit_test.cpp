// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Newmark's method on every device: small systems with a known motion, and a beam of elements.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/block_model.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/dynamics/step_control.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/elements.hpp"
#include "setka/modes/dense_modes.hpp"
#include "setka/modes/shifted_matrix.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/sparse/unknowns.hpp"
#include "support/on_device.hpp"

namespace setka::dynamics {
namespace {

using exec::Array;
using exec::Device;
using solve::BlockCsrOperator;
using sparse::BlockCsr;

constexpr double pi = std::numbers::pi;

/// K and M on a device, and steps with them by conjugate gradients.
struct Body {
  std::shared_ptr<const BlockCsr<double>> k;
  std::shared_ptr<const BlockCsr<double>> m;
  double by_mass = 0;
  double by_stiffness = 0;

  const Device& device() const { return k->device(); }

  MotionOperators operators() const {
    return {std::make_shared<BlockCsrOperator>(*k), std::make_shared<BlockCsrOperator>(*m), nullptr, by_mass,
            by_stiffness};
  }

  std::unique_ptr<StepSolver> solver(double tolerance = 1e-13) const {
    solve::SolverOptions options;
    options.tolerance = tolerance;
    options.max_iterations = 2000;
    return std::make_unique<CgStepSolver>(
        device(),
        [this](double c, double s, Monitor&) {
          // m M + k K with C in them.
          BlockCsr<double> scaled = modes::shifted_matrix(*m, (s + c * by_stiffness) / (1 + c * by_mass), *k);
          exec::scale<double>(device(), 1 + c * by_mass, scaled.value());
          auto matrix = std::make_shared<BlockCsrOperator>(std::move(scaled));
          auto jacobi =
              std::make_shared<solve::BlockJacobi>(device(), 1, solve::inverse_diagonal(matrix->matrix()));
          return CgStepSolver::System{std::move(matrix), std::move(jacobi)};
        },
        options);
  }
};

/// Degrees of freedom that know nothing of each other: diagonal matrices.
Body oscillators(const Device& device, const std::vector<double>& stiffness,
                 const std::vector<double>& mass) {
  const auto diagonal = [&](const std::vector<double>& values) {
    const auto n = static_cast<std::int32_t>(values.size());
    std::vector<std::int32_t> offset(values.size() + 1);
    std::vector<std::int32_t> column(values.size());
    for (std::int32_t i = 0; i < n; ++i) {
      offset[static_cast<std::size_t>(i) + 1] = i + 1;
      column[static_cast<std::size_t>(i)] = i;
    }
    return std::make_shared<const BlockCsr<double>>(n, n, 1, 1, Array<std::int32_t>(device, offset),
                                                    Array<std::int32_t>(device, column),
                                                    Array<double>(device, values));
  };
  return {diagonal(stiffness), diagonal(mass)};
}

struct Trace {
  std::vector<double> u;  // of the first unknown, a step
  std::vector<BodyEnergies> energy;
  int iterations = 0;
};

/// Under a constant load from time zero on.
Trace run(const Body& body, const std::vector<double>& load, const std::vector<double>& u0,
          const std::vector<double>& v0, const Newmark& scheme, int steps, bool with_energy = false) {
  Monitor monitor;
  const auto solver = body.solver();
  ImplicitDynamics motion(body.operators(), *solver, {load});
  motion.set_state(u0, v0);
  const std::vector<double> one{1.0};
  EXPECT_TRUE(motion.begin(one, 0, monitor).converged);
  Trace trace;
  if (with_energy) trace.energy.push_back(motion.energies());
  for (int s = 0; s < steps; ++s) {
    const StepSolve report = motion.advance(scheme, one, {}, monitor);
    EXPECT_TRUE(report.converged) << report.trouble;
    trace.iterations += report.iterations;
    motion.accept();
    trace.u.push_back(motion.displacements().front());
    if (with_energy) trace.energy.push_back(motion.energies());
  }
  return trace;
}

class ImplicitDynamicsOn : public test::OnDevice {};

// One degree of freedom, omega = 2 pi, under a load that begins at once: u = (1 - cos) f / k.
TEST_P(ImplicitDynamicsOn, IsOfSecondOrderInTime) {
  const double k = 4 * pi * pi;
  const Body body = oscillators(device(), {k}, {1.0});
  const auto error = [&](double alpha, int steps) {
    const Newmark scheme = Newmark::hilber_hughes_taylor(alpha, 0.7 / steps);
    const Trace trace = run(body, {k}, {0.0}, {0.0}, scheme, steps);
    return std::abs(trace.u.back() - (1 - std::cos(2 * pi * 0.7)));
  };
  for (const double alpha : {0.0, -0.05, -0.3}) {
    const double order = std::log2(error(alpha, 64) / error(alpha, 128));
    EXPECT_NEAR(order, 2, 0.1) << alpha;
    EXPECT_LT(error(alpha, 128), 2e-3) << alpha;
  }
}

// One step by hand: the closed form of the trapezoidal rule, whose frequency is 2 atan(w dt / 2) / dt.
TEST_P(ImplicitDynamicsOn, TrapezoidalRuleTurnsByItsOwnFrequency) {
  const double w = 3;
  const double step = 0.4;
  const Body body = oscillators(device(), {w * w * 2}, {2.0});
  const Trace trace = run(body, {0.0}, {1.0}, {0.0}, Newmark::average_acceleration(step), 50);
  const double turn = 2 * std::atan(w * step / 2);
  for (std::size_t s = 0; s < trace.u.size(); ++s)
    EXPECT_NEAR(trace.u[s], std::cos(turn * static_cast<double>(s + 1)), 1e-12) << s;
}

// Rayleigh damping of three degrees of freedom against the exact answer of an oscillator.
TEST_P(ImplicitDynamicsOn, RayleighDampingDecays) {
  Body body = oscillators(device(), {9.0, 25.0, 1.0}, {1.0, 2.0, 0.5});
  body.by_mass = 0.3;
  body.by_stiffness = 0.02;
  const double step = 1e-3;
  const Trace trace =
      run(body, {9.0, 1.0, 1.0}, {0.0, 0.5, 0.0}, {1.0, 0.0, 0.0}, Newmark::average_acceleration(step), 1000);
  const double c = 0.3 + 0.02 * 9;
  const double w = std::sqrt(9 - c * c / 4);
  // u = 1 + exp(-c t / 2) (-cos w t + (1 - c / 2) / w sin w t) for u0 = 0, v0 = 1.
  const double exact = 1 + std::exp(-c / 2) * (-std::cos(w) + (1 - c / 2) / w * std::sin(w));
  EXPECT_NEAR(trace.u.back(), exact, 2e-6);
}

TEST_P(ImplicitDynamicsOn, AlphaDampsWhatTheStepsAreTooLongFor) {
  const Body body = oscillators(device(), {1e4, 1.0}, {1.0, 1.0});
  const auto left = [&](double alpha) {
    const Trace trace =
        run(body, {0.0, 0.0}, {1.0, 1.0}, {0.0, 0.0}, Newmark::hilber_hughes_taylor(alpha, 0.2), 100, true);
    return trace.energy.back().kinetic + trace.energy.back().elastic;
  };
  // The first one has the energy 5000, the second one 1/2: of the first nothing is left.
  EXPECT_NEAR(left(0), 5000.5, 1e-6);
  EXPECT_LT(left(-0.3), 0.5);
  EXPECT_GT(left(-0.3), 0.4) << "what the steps resolve stays";
  EXPECT_GT(left(-0.05), left(-0.3));
}

/// A bar of hexahedra that is held at one end.
struct Bar {
  std::shared_ptr<const bench::BlockModel> model;
  fem::Space space;
  Body body;
  std::vector<double> load;  // across the free end, in blocks
};

Bar bar(const Device& device, int cells) {
  const auto made =
      std::make_shared<bench::BlockModel>(bench::block_model(fem::Element::hex8, {cells, 1, 1}));
  bench::BlockModel& model = *made;
  // Light and soft, so that numbers are of the order of one.
  for (fem::ElementMaterial& material : model.materials) {
    for (double& d : material.d) d /= 2.1e11;
    material.density = 1;
  }
  const fem::Space space = bench::space_of(model, bench::fixed_at_x0(model));
  const fem::DofMap dofs(device, space);
  const auto stiffness = model.stiffness(device);
  const fem::DeviceAssembly assembly(device, *stiffness->set(), dofs);
  const auto assembled = [&](const fem::Form& form) {
    return std::make_shared<const BlockCsr<double>>(assembly.assemble(device, form, dofs).matrix);
  };
  Bar bar{made, space, {}, {}};
  bar.body.k = assembled(*stiffness);
  bar.body.m = assembled(*model.mass(stiffness->set()));
  std::vector<double> force(model.coordinates.size(), 0.0);
  for (std::size_t n = 0; n < force.size(); n += 3) {
    if (model.coordinates[n] == cells) force[n + 1] = 1e-3;
  }
  bar.load = space.spread(space.constraints().restrict_forces(force));
  return bar;
}

TEST_P(ImplicitDynamicsOn, AverageAccelerationKeepsTheEnergyOfABeam) {
  const Bar beam = bar(device(), 8);
  const auto rows = static_cast<std::size_t>(beam.space.size());
  const std::vector<double> zero(rows, 0.0);
  // v0: a blow at the end.
  const Trace trace = run(beam.body, zero, zero, beam.load, Newmark::average_acceleration(2.0), 400, true);
  const double first = trace.energy.front().kinetic;
  double largest_elastic = 0;
  for (const BodyEnergies& at : trace.energy) {
    EXPECT_NEAR((at.kinetic + at.elastic) / first, 1, 1e-9);  // 400 solves to 1e-13
    largest_elastic = std::max(largest_elastic, at.elastic);
  }
  EXPECT_GT(largest_elastic, 0.3 * first) << "it swings";
}

TEST_P(ImplicitDynamicsOn, BeamMovesAsTheSumOfItsModes) {
  const Bar beam = bar(device(), 4);
  const Device cpu = Device::cpu(1);
  const std::vector<double> load = beam.space.collect(beam.load);
  modes::Request request;
  request.count = static_cast<std::int64_t>(load.size());
  const modes::Modes all = modes::dense(sparse::over_unknowns(*beam.body.k, beam.space.places()),
                                        sparse::over_unknowns(*beam.body.m, beam.space.places()), request);
  const auto count = static_cast<std::size_t>(all.count());
  ASSERT_EQ(count, load.size());
  const double time = 12;
  std::vector<double> exact(load.size(), 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    double on_mode = 0;
    for (std::size_t i = 0; i < load.size(); ++i) on_mode += all.shape[i * count + j] * load[i];
    const double q = on_mode / all.lambda[j] * (1 - std::cos(std::sqrt(all.lambda[j]) * time));
    for (std::size_t i = 0; i < load.size(); ++i) exact[i] += q * all.shape[i * count + j];
  }
  const auto difference = [&](int steps) {
    Monitor monitor;
    const auto solver = beam.body.solver();
    ImplicitDynamics motion(beam.body.operators(), *solver, {beam.load});
    const std::vector<double> one{1.0};
    motion.begin(one, 0, monitor);
    for (int s = 0; s < steps; ++s) {
      motion.advance(Newmark::average_acceleration(time / steps), one, {}, monitor);
      motion.accept();
    }
    const std::vector<double> u = beam.space.collect(motion.displacements());
    double most = 0;
    double size = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      most = std::max(most, std::abs(u[i] - exact[i]));
      size = std::max(size, std::abs(exact[i]));
    }
    return most / size;
  };
  const double coarse = difference(240);
  const double fine = difference(480);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.8);
}

// A beam that is damped comes to rest at its static deflection. Then forces balance, and of what is left of
// them little more than rounding no residual can be a small part.
TEST_P(ImplicitDynamicsOn, ComesToRestAtTheStaticDeflection) {
  Bar beam = bar(device(), 8);
  beam.body.by_stiffness = 100;
  Monitor monitor;
  const auto solver = beam.body.solver(1e-8);
  ImplicitDynamics motion(beam.body.operators(), *solver, {beam.load});
  const std::vector<double> one{1.0};
  motion.begin(one, 0, monitor);
  for (int s = 0; s < 200; ++s) {
    const StepSolve report = motion.advance(Newmark::hilber_hughes_taylor(-0.3, 25), one, {}, monitor);
    ASSERT_TRUE(report.converged) << s << ": " << report.trouble;
    motion.accept();
  }
  const BlockCsrOperator k(*beam.body.k);
  const Array<double> u(device(), motion.displacements());
  Array<double> f(device(), u.size());
  k.apply(device(), u, f);
  const std::vector<double> forces = f.to_vector();
  for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_NEAR(forces[i], beam.load[i], 1e-9) << i;
}

TEST_P(ImplicitDynamicsOn, RefusesWhatIsNoStep) {
  Monitor monitor;
  const Body body = oscillators(device(), {1.0}, {1.0});
  const auto solver = body.solver();
  ImplicitDynamics motion(body.operators(), *solver, {{1.0}});
  const std::vector<double> one{1.0};
  EXPECT_THROW(motion.advance(Newmark::average_acceleration(0), one, {}, monitor), Error);
  EXPECT_THROW(motion.advance({0, 0.2, 0.5, 1.0}, one, {}, monitor), Error) << "beta too small";
  EXPECT_THROW(motion.advance(Newmark::average_acceleration(1), {}, {}, monitor), Error);
  EXPECT_THROW(ImplicitDynamics(body.operators(), *solver, {{1.0, 2.0}}), Error);
  const std::vector<double> two{1.0, 2.0};
  EXPECT_THROW(motion.set_state(two, two), Error);
}

// Steps that follow the error are as accurate as many short ones where little moves most of the time: a slow
// and a quick oscillator, the quick one damped.
TEST_P(ImplicitDynamicsOn, StepsThatFollowTheErrorAreFewer) {
  Body body = oscillators(device(), {1.0, 400.0}, {1.0, 1.0});
  body.by_stiffness = 0.02;
  const auto exact = [](double w, double time) {
    const double c = 0.02 * w * w;
    const double own = w * w - c * c / 4;
    if (own > 0) {
      const double d = std::sqrt(own);
      return std::exp(-c * time / 2) * (std::cos(d * time) + c / 2 / d * std::sin(d * time));
    }
    return 0.0;  // long gone
  };
  Monitor monitor;
  const auto solver = body.solver();
  ImplicitDynamics motion(body.operators(), *solver, {});
  motion.set_state(std::vector<double>{1.0, 1.0}, std::vector<double>{0.0, 0.0});
  motion.begin({}, 0, monitor);
  const double period = 10;
  StepControl control(1e-3, 1e-6, 1e30, 1e-4);
  int tried = 0;
  int steps = 0;
  double shortest = 1;
  double longest = 0;
  double largest = 0;
  double size = 0;
  for (double time = 0; time < period;) {
    const double length = control.length(period - time);
    motion.advance(Newmark::average_acceleration(length), {}, {}, monitor);
    const LocalError error = motion.local_error();
    ++tried;
    size = std::max(size, error.size);
    if (!control.judge(error.error / size)) continue;
    motion.accept();
    ++steps;
    time += length;
    if (period - time < 1e-9) time = period;
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
    largest = std::max(largest, std::abs(motion.displacements().front() - exact(1, time)));
  }
  EXPECT_LT(largest, 100 * 1e-4);
  EXPECT_LT(shortest, longest / 4) << "short while the quick one moves";
  EXPECT_LT(steps, static_cast<int>(period / shortest) / 3);
  EXPECT_LT(tried, steps + 10);
  EXPECT_LT(solver->preparations(), 25) << "few matrices";
}

SETKA_ON_ALL_DEVICES(ImplicitDynamicsOn);

TEST(CholeskyStepSolver, SolvesWithOneFactorAndTellsASingularMatrix) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no Cholesky in this build";
  Monitor monitor;
  const Device cpu = Device::cpu(1);
  CholeskyStepSolver solver(cpu, {[](double, double k, Monitor&) {
                                    return sparse::SymmetricCsr{2, {0, 1, 2}, {0, 1}, {2 * k, 3 * k}};
                                  },
                                  {}});
  solver.set(0, 1, monitor);
  solver.set(0, 1, monitor);
  EXPECT_EQ(solver.preparations(), 1);
  const Array<double> b(cpu, std::vector<double>{4.0, 9.0});
  Array<double> x(cpu, 2);
  EXPECT_TRUE(solver.solve(cpu, b, x, 1, monitor).converged);
  EXPECT_THAT(x.to_vector(), ::testing::ElementsAre(::testing::DoubleEq(2.0), ::testing::DoubleEq(3.0)));
  solver.set(0, 0, monitor);
  EXPECT_TRUE(solver.singular());
  EXPECT_FALSE(solver.solve(cpu, b, x, 1, monitor).converged);
}

TEST(StepControl, HalvesAndDoubles) {
  StepControl control(1.0, 0.2, 3.0, 1e-3);
  EXPECT_EQ(control.length(100), 1.0);
  EXPECT_FALSE(control.judge(2e-3));
  EXPECT_EQ(control.length(100), 0.5);
  EXPECT_FALSE(control.judge(2e-3));
  EXPECT_EQ(control.length(100), 0.25);
  EXPECT_TRUE(control.judge(2e-3)) << "half of it would be below the least";
  EXPECT_EQ(control.shortest_kept(), 1);
  for (int i = 0; i < 20; ++i) control.judge(1e-6);
  EXPECT_EQ(control.length(100), 2.0) << "the power of two below the longest";
  EXPECT_EQ(control.length(3.0), 1.5) << "two equal ones to the end";
  EXPECT_EQ(control.length(2.0), 2.0);
}

TEST(StepControl, RefusesLimitsThatLeaveNothing) {
  EXPECT_THROW(StepControl(0.0, 0.1, 1.0, 1e-3), Error);
  EXPECT_THROW(StepControl(1.0, 2.0, 0.5, 1e-3), Error);
  EXPECT_THROW(StepControl(1.0, 0.1, 1.0, 0), Error);
}

}  // namespace
}  // namespace setka::dynamics
