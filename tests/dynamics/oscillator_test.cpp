// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/oscillator.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/superposition.hpp"

namespace {

using setka::dynamics::damped_by_ratio;
using setka::dynamics::damped_by_rayleigh;
using setka::dynamics::Motion;
using setka::dynamics::Oscillator;
using setka::dynamics::OscillatorStep;

constexpr double omega = 3;

/// The steps multiply rounding by about their number.
double bound(double size, int steps = 1) {
  return 1e-14 * steps * (1 + std::abs(size));
}

TEST(Oscillator, FreeDecayOfAllDampings) {
  const double t = 1.7;
  for (const double ratio : {0.0, 0.05, 0.7, 0.999999, 1.0, 1.000001, 1.05, 3.0, 40.0}) {
    const Motion end = OscillatorStep(damped_by_ratio(omega * omega, ratio), t).advance({1, 0}, 0, 0);
    const double delta = ratio * omega;
    const std::complex<double> w = std::sqrt(std::complex<double>(omega * omega - delta * delta));
    // exp(-delta t) (cos wt + delta / w sin wt), whose parts are large where damping is heavy
    const std::complex<double> i(0, 1);
    const std::complex<double> up = std::exp((-delta + i * w) * t);
    const std::complex<double> down = std::exp((-delta - i * w) * t);
    const double expected = std::abs(w) < 1e-6 * omega
                                ? std::exp(-delta * t) * (1 + delta * t)
                                : ((up + down) / 2.0 + delta / w * (up - down) / (2.0 * i)).real();
    const double lost = std::abs(w) > 0 ? 1 + delta / std::abs(w) : 1;
    EXPECT_NEAR(end.position, expected, 10 * bound(lost)) << ratio;
  }
}

TEST(Oscillator, CriticalDampingHasItsOwnForm) {
  const double t = 0.9;
  const Motion end = OscillatorStep(damped_by_ratio(omega * omega, 1), t).advance({0, 1}, 0, 0);
  EXPECT_NEAR(end.position, t * std::exp(-omega * t), bound(1));
  EXPECT_NEAR(end.velocity, (1 - omega * t) * std::exp(-omega * t), bound(1));
}

TEST(Oscillator, StepAndRampOfAnUndampedOne) {
  for (const double t : {1e-3, 0.1, 0.4, 2.0, 55.0}) {
    const OscillatorStep step({omega * omega, 0}, t);
    const Motion jump = step.advance({}, 2, 2);
    EXPECT_NEAR(jump.position, 4 * std::pow(std::sin(omega * t / 2) / omega, 2), bound(1)) << t;
    EXPECT_NEAR(jump.velocity, 2 * std::sin(omega * t) / omega, bound(1)) << t;
    const Motion ramp = step.advance({}, 0, t);
    EXPECT_NEAR(ramp.position, (t - std::sin(omega * t) / omega) / (omega * omega), bound(t)) << t;
  }
}

TEST(Oscillator, SmallStepsKeepTheirDigits) {
  // 1 - cos x for x = 3e-7: a difference would have two digits left.
  const double t = 1e-7;
  const Motion end = OscillatorStep({omega * omega, 0}, t).advance({}, 1, 1);
  EXPECT_NEAR(end.position / (t * t / 2), 1, 1e-13);
}

TEST(Oscillator, RigidMotionsFreeAndDamped) {
  const double t = 4;
  const Motion drift = OscillatorStep({0, 0}, t).advance({1, 2}, 3, 3 + 5 * t);
  EXPECT_NEAR(drift.position, 1 + 2 * t + 3 * t * t / 2 + 5 * t * t * t / 6, bound(100));
  EXPECT_NEAR(drift.velocity, 2 + 3 * t + 5 * t * t / 2, bound(100));
  const double c = 2;
  const Motion slowed = OscillatorStep({0, c}, t).advance({0, 0}, 1, 1);
  EXPECT_NEAR(slowed.velocity, (1 - std::exp(-c * t)) / c, bound(1));
  EXPECT_NEAR(slowed.position, (t - (1 - std::exp(-c * t)) / c) / c, bound(1));
}

TEST(Oscillator, NegativeStiffnessGrows) {
  const double t = 1.5;
  const Motion end = OscillatorStep({-4, 0}, t).advance({1, 0}, 0, 0);
  EXPECT_NEAR(end.position, std::cosh(2 * t), bound(20));
}

TEST(Oscillator, ALinearLoadIsExactWhateverTheStep) {
  const double end_time = 3;
  for (const Oscillator mode : {Oscillator{0, 0}, Oscillator{0, 0.7}, Oscillator{1e-8, 5}, Oscillator{9, 0},
                                damped_by_ratio(9, 0.02), damped_by_ratio(9, 1), damped_by_ratio(9, 1.1),
                                damped_by_ratio(9, 20), damped_by_rayleigh(1e6, 2, 1e-4)}) {
    const auto load = [](double t) { return 1 - 2 * t; };
    const Motion start{0.3, -0.2};
    const Motion once = OscillatorStep(mode, end_time).advance(start, load(0), load(end_time));
    for (const int steps : {3, 64, 3000}) {
      Motion state = start;
      const double h = end_time / steps;
      const OscillatorStep step(mode, h);
      for (int i = 0; i < steps; ++i) state = step.advance(state, load(i * h), load((i + 1) * h));
      EXPECT_NEAR(state.position, once.position, bound(once.position, steps))
          << mode.stiffness << ' ' << steps;
      EXPECT_NEAR(state.velocity, once.velocity, bound(10 + once.velocity, steps)) << mode.stiffness;
    }
  }
}

TEST(Oscillator, ASineThroughStraightPiecesConverges) {
  // The only error is that of the straight pieces: a quarter with half the step.
  const Oscillator mode = damped_by_ratio(omega * omega, 0.1);
  const double drive = 2;
  const double end_time = 7;
  const std::complex<double> i(0, 1);
  const std::complex<double> steady = setka::dynamics::harmonic_response(mode, 0, drive, -i);  // of sin
  const double delta = mode.damping / 2;
  const double w = std::sqrt(omega * omega - delta * delta);
  const double q0 = -steady.real();
  const double v0 = -(i * drive * steady).real();
  const double free = std::exp(-delta * end_time) *
                      (q0 * std::cos(w * end_time) + (v0 + delta * q0) / w * std::sin(w * end_time));
  const double expected = (steady * std::exp(i * drive * end_time)).real() + free;
  std::vector<double> errors;
  for (const int steps : {100, 200}) {
    const double h = end_time / steps;
    const OscillatorStep step(mode, h);
    Motion state;
    for (int k = 0; k < steps; ++k)
      state = step.advance(state, std::sin(drive * k * h), std::sin(drive * (k + 1) * h));
    errors.push_back(std::abs(state.position - expected));
  }
  EXPECT_LT(errors[0], 1e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.1);
}

TEST(Oscillator, HarmonicResponse) {
  const Oscillator mode = damped_by_ratio(omega * omega, 0.1);
  // In resonance ninety degrees behind, 1 / (2 zeta) times the static answer.
  const std::complex<double> resonant = setka::dynamics::harmonic_response(mode, 0, omega, 1);
  EXPECT_NEAR(resonant.real(), 0, bound(1));
  EXPECT_NEAR(resonant.imag(), -5 / (omega * omega), bound(1));
  const std::complex<double> slow = setka::dynamics::harmonic_response(mode, 0, 0, 1);
  EXPECT_NEAR(slow.real(), 1 / (omega * omega), bound(1));
  const std::complex<double> structural =
      setka::dynamics::harmonic_response({omega * omega, 0}, 0.2, omega, 1);
  EXPECT_NEAR(structural.imag(), -5 / (omega * omega), bound(1));
}

TEST(ModalMotion, EachModeMovesByItself) {
  setka::dynamics::ModalMotion motion({{4, 0}, {9, 0}});
  const std::vector<double> load{1, 0};
  motion.advance(0.5, load, load);
  motion.advance(0.5, load, load);
  EXPECT_NEAR(motion.state()[0].position, (1 - std::cos(2.0)) / 4, bound(1));
  EXPECT_EQ(motion.state()[1].position, 0);
  EXPECT_THROW(motion.advance(0.5, load, {}), setka::Error);
  EXPECT_THROW(motion.advance(0.0, load, load), setka::Error);
}

// Two modes of one frequency that a dashpot couples: their sum is damped, their difference is not.
TEST(ModalMotion, ADashpotCouplesModes) {
  constexpr double stiffness = 50;
  constexpr double constant = 1.5;
  setka::Dense coupling(2, 2);
  for (const int i : {0, 1}) {
    for (const int j : {0, 1}) coupling(i, j) = constant;
  }
  setka::dynamics::ModalMotion coupled({{stiffness, 0.2}, {stiffness, 0.2}}, coupling);
  setka::dynamics::ModalMotion apart({{stiffness, 0.2 + 2 * constant}, {stiffness, 0.2}});
  coupled.set_state({{0.3, -1}, {0.1, 2}});
  apart.set_state({{0.4, 1}, {0.2, -3}});
  for (const double length : {0.1, 0.1, 1.7}) {
    const std::vector<double> before{1, -2};
    const std::vector<double> after{4, 5};
    coupled.advance(length, before, after);
    apart.advance(length, std::vector<double>{-1, 3}, std::vector<double>{9, -1});
    const auto both = coupled.state();
    EXPECT_NEAR(both[0].position + both[1].position, apart.state()[0].position, bound(1, 100));
    EXPECT_NEAR(both[0].position - both[1].position, apart.state()[1].position, bound(1, 100));
    EXPECT_NEAR(both[0].velocity + both[1].velocity, apart.state()[0].velocity, bound(10, 100));
    EXPECT_NEAR(both[0].velocity - both[1].velocity, apart.state()[1].velocity, bound(10, 100));
  }
  EXPECT_NEAR(coupled.coupling_forces()[0], -constant * apart.state()[0].velocity, bound(10, 100));
  EXPECT_THROW(coupled.advance(0.0, std::vector<double>{1, 1}, std::vector<double>{1, 1}), setka::Error);
  EXPECT_THROW(setka::dynamics::ModalMotion({{1, 0}}, coupling), setka::Error);
}

}  // namespace
