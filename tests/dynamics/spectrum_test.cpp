// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Spectra of records with closed forms, spectra of codes, and sums of modes.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/design_spectrum.hpp"
#include "setka/dynamics/modal_sum.hpp"
#include "setka/dynamics/record_spectrum.hpp"

namespace setka::dynamics {
namespace {

constexpr double pi = std::numbers::pi;

TEST(RecordSpectrum, OfAStep) {
  const std::vector<double> step(201, 2.0);  // 2 s long
  for (const double frequency : {0.7, 1.0, 3.3, 25.0, 180.0}) {
    const double w = 2 * pi * frequency;
    for (const double damping : {0.0, 0.02, 0.2}) {
      const double overshoot = std::exp(-damping * pi / std::sqrt(1 - damping * damping));
      const SpectralValues at = spectral_values(step, 0.01, frequency, damping);
      // Undamped it may swing on higher when the step ends.
      if (damping > 0.1) {
        EXPECT_NEAR(at.displacement, 2 / (w * w) * (1 + overshoot), 1e-5 * at.displacement) << frequency;
      } else {
        EXPECT_GE(at.displacement, 2 / (w * w) * (1 + overshoot) * (1 - 1e-5)) << frequency;
      }
      EXPECT_DOUBLE_EQ(at.pseudo_velocity, w * at.displacement);
      EXPECT_DOUBLE_EQ(at.pseudo_acceleration, w * w * at.displacement);
    }
  }
}

TEST(RecordSpectrum, CyclesInResonanceGrowByPiEach) {
  // q = (sin wt - wt cos wt) / 2w² under sin wt: after n cycles pi n / w², and no more.
  for (const int cycles : {1, 3, 10}) {
    const int samples = 400;  // of a cycle: the sine is straight between them, 1e-5 off
    std::vector<double> record;
    for (int i = 0; i <= cycles * samples; ++i) record.push_back(std::sin(2 * pi * i / samples));
    const double w = 2 * pi * 2.5;
    const SpectralValues at = spectral_values(record, 1 / (2.5 * samples), 2.5, 0);
    EXPECT_NEAR(at.displacement * w * w, pi * cycles, 1e-4 * cycles) << cycles;
  }
}

TEST(RecordSpectrum, OfAHalfSine) {
  // The shock spectrum of a pulse as long as d; b = T / 2d. While it lasts the peak is
  // sin(2 pi b / (1 + b)) / (1 - b), for 1/3 < b < 1; of the free motion 2 b cos(pi / 2b) / (b² - 1).
  const int samples = 1000;
  std::vector<double> pulse;
  for (int i = 0; i <= samples; ++i) pulse.push_back(std::sin(pi * i / samples));
  for (const double b : {0.4, 0.6, 0.9}) {
    const SpectralValues at = spectral_values(pulse, 1.0 / samples, 1 / (2 * b), 0);
    EXPECT_NEAR(at.pseudo_acceleration, std::sin(2 * pi * b / (1 + b)) / (1 - b), 2e-5) << b;
  }
  for (const double b : {1.2, 2.0, 10.0}) {
    const SpectralValues at = spectral_values(pulse, 1.0 / samples, 1 / (2 * b), 0);
    EXPECT_NEAR(at.pseudo_acceleration, 2 * b * std::cos(pi / (2 * b)) / (b * b - 1), 2e-5) << b;
  }
}

TEST(RecordSpectrum, RigidAndSoftLimits) {
  const std::vector<double> record{0, 1, -3, 2, 0.5, 0};
  EXPECT_NEAR(spectral_values(record, 0.1, 1000, 0.05).pseudo_acceleration, 3, 0.05);
  // A soft one stays where it is while the base goes: its displacement is the largest one of the base.
  double largest = 0;
  const IntegratedCurve base(Curve({{0, 0}, {0.1, 1}, {0.2, -3}, {0.3, 2}, {0.4, 0.5}, {0.5, 0}}), 0);
  for (int i = 0; i <= 5000; ++i) largest = std::max(largest, std::abs(base.position(0.0001 * i)));
  EXPECT_GE(spectral_values(record, 0.1, 1e-3, 0.01).displacement, 0.99 * largest);
}

TEST(RecordSpectrum, DoesNotDependOnThreadsAndHasItsOrder) {
  std::vector<double> record(300);
  for (std::size_t i = 0; i < record.size(); ++i) {
    const auto x = static_cast<double>(i);
    record[i] = std::sin(0.3 * x) * std::cos(0.011 * x * x);
  }
  const std::vector<double> frequencies{0.5, 2, 9};
  const std::vector<double> dampings{0.02, 0.05};
  const auto one = record_spectrum(record, 0.01, frequencies, dampings, 1);
  const auto two = record_spectrum(record, 0.01, frequencies, dampings, 2);
  ASSERT_EQ(one.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(one[i].displacement, two[i].displacement);
  EXPECT_EQ(one[4].displacement, spectral_values(record, 0.01, 2, 0.05).displacement);
  EXPECT_THROW(spectral_values(record, 0.01, 2, 1), Error);
  EXPECT_THROW(spectral_values(record, 0, 2, 0), Error);
}

TEST(RecordSpectrum, ARangeHasItsEnds) {
  const std::vector<double> range = logarithmic_range(0.1, 10, 5);
  ASSERT_EQ(range.size(), 5U);
  EXPECT_EQ(range.front(), 0.1);
  EXPECT_NEAR(range[2], 1, 1e-14);
  EXPECT_EQ(range.back(), 10);
}

TEST(DesignSpectrum, StraightLinesOverLogarithms) {
  using Point = DesignSpectrum::Point;
  const DesignSpectrum spectrum(
      std::vector<Point>{{1, 0.02, 2}, {100, 0.02, 8}, {1, 0.06, 1}, {10, 0.06, 0}});
  EXPECT_NEAR(spectrum.value(10, 0.02), 4, 1e-12);
  EXPECT_NEAR(spectrum.value(0.1, 0.02), 2, 1e-12);
  EXPECT_NEAR(spectrum.value(1e4, 0), 8, 1e-12);
  EXPECT_NEAR(spectrum.value(1, 0.03), 1.75, 1e-12);
  EXPECT_NEAR(spectrum.value(std::sqrt(10), 0.5), 0.5, 1e-12);
  EXPECT_NEAR(spectrum.rigid_frequency(0.01), 100, 1e-9);
  EXPECT_NEAR(spectrum.rigid_frequency(0.05), 10, 1e-9);
  EXPECT_THROW(DesignSpectrum(std::vector<Point>{}), Error);
  EXPECT_THROW(DesignSpectrum(std::vector<Point>{{2, 0, 1}, {1, 0, 1}}), Error);
}

TEST(ModalSum, CorrelationOfEqualDampings) {
  for (const double z : {0.02, 0.05, 0.3}) {
    for (const double r : {0.3, 0.9, 1.0, 1.7}) {
      const double expected = 8 * z * z * (1 + r) * std::pow(r, 1.5) /
                              (std::pow(1 - r * r, 2) + 4 * z * z * r * std::pow(1 + r, 2));
      EXPECT_NEAR(correlation({5, z}, {5 * r, z}), expected, 1e-13);
    }
  }
  EXPECT_NEAR(correlation({5, 0.02}, {6, 0.1}), correlation({6, 0.1}, {5, 0.02}), 1e-14);
  EXPECT_EQ(correlation({5, 0}, {5, 0}), 1);
  EXPECT_EQ(correlation({5, 0}, {6, 0}), 0);
}

TEST(ModalSum, Rules) {
  const std::vector<DampedFrequency> modes{{10, 0.05}, {10.9, 0.05}, {30, 0.05}};
  const std::vector<double> r{3, -4, 12};
  EXPECT_DOUBLE_EQ(ModalCombination(ModalRule::absolute, modes)(r), 19);
  EXPECT_DOUBLE_EQ(ModalCombination(ModalRule::srss, modes)(r), 13);
  EXPECT_NEAR(ModalCombination(ModalRule::ten_percent, modes)(r), std::sqrt(169 + 24), 1e-12);
  const double together = correlation(modes[0], modes[1]);
  EXPECT_GT(together, 0.5);
  EXPECT_NEAR(
      std::pow(ModalCombination(ModalRule::cqc, modes)(r), 2),
      169 - 24 * together + 72 * correlation(modes[0], modes[2]) - 96 * correlation(modes[1], modes[2]),
      1e-10);
}

TEST(ModalSum, CqcIsSrssOfModesApartAndTheSumOfModesTogether) {
  const std::vector<double> r{3, 4};
  EXPECT_NEAR(ModalCombination(ModalRule::cqc, {{1, 0.02}, {1000, 0.02}})(r), 5, 1e-6);
  const ModalCombination same(ModalRule::cqc, {{7, 0.05}, {7, 0.05}});
  EXPECT_NEAR(same(r), 7, 1e-12);
  EXPECT_NEAR(same(std::vector<double>{3, -3}), 0, 1e-7);  // their signs count
  EXPECT_THROW(same(std::vector<double>{1}), Error);
}

TEST(IntegratedCurve, IsExactThroughJumpsAndFromWithin) {
  const IntegratedCurve curve(Curve({{1, 2}, {2, 4}, {2, -1}, {3, -1}}), 0.5);
  EXPECT_EQ(curve.velocity(0.2), 0);
  EXPECT_EQ(curve.position(0.2), 0);
  EXPECT_NEAR(curve.velocity(1), 1, 1e-14);  // constant before its first point
  EXPECT_NEAR(curve.position(1), 0.25, 1e-14);
  EXPECT_NEAR(curve.velocity(1.5), 1 + 1.25, 1e-14);
  EXPECT_NEAR(curve.velocity(2), 4, 1e-14);
  EXPECT_NEAR(curve.position(2), 0.25 + 1 + 2.0 / 2 + 2.0 / 6, 1e-14);
  EXPECT_NEAR(curve.velocity(4), 2, 1e-14);
}

}  // namespace
}  // namespace setka::dynamics
