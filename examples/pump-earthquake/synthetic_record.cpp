// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "synthetic_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/core.h>

#include "setka/dynamics/superposition.hpp"
#include "setka/io/output_file.hpp"

namespace {

using setka::dynamics::damped_by_ratio;
using setka::dynamics::Motion;
using setka::dynamics::Oscillator;
using setka::dynamics::OscillatorStep;

/// Normal deviates by Box and Muller: those of the standard library differ from one to the next.
std::vector<double> white_noise(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; };
  std::vector<double> noise(count);
  for (double& value : noise)
    value = std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  return noise;
}

/// Rises in the first sixth, stays to the middle, dies out.
double envelope(double part) {
  if (part < 1.0 / 6) return 36 * part * part;
  return part < 0.5 ? 1.0 : std::exp(-10 * (part - 0.5));
}

/// What an oscillator on a base that accelerates passes on: the forces of its spring and its dashpot.
std::vector<double> passed_on(const std::vector<double>& base, const Oscillator& oscillator, double step) {
  const OscillatorStep advance(oscillator, step);
  Motion motion;
  std::vector<double> felt(base.size(), 0.0);
  for (std::size_t i = 1; i < base.size(); ++i) {
    motion = advance.advance(motion, -base[i - 1], -base[i]);
    felt[i] = -oscillator.damping * motion.velocity - oscillator.stiffness * motion.position;
  }
  return felt;
}

}  // namespace

setka::io::Record synthetic_record(const Ground& ground, double seconds, double step, unsigned seed) {
  setka::io::Record record;
  record.title = fmt::format("synthetic, seed {}", seed);
  record.step = step;
  std::vector<double> noise = white_noise(static_cast<std::size_t>(std::lround(seconds / step)) + 1, seed);
  for (std::size_t i = 0; i < noise.size(); ++i)
    noise[i] *= envelope(static_cast<double>(i) / static_cast<double>(noise.size() - 1));
  const double w = ground.angular_frequency;
  const std::vector<double> soil = passed_on(noise, damped_by_ratio(w * w, ground.damping), step);
  // The motion relative to the slow oscillator's base is that of the soil without what is slower still.
  const double slow = ground.least_frequency;
  const std::vector<double> drift = passed_on(soil, damped_by_ratio(slow * slow, 0.6), step);
  double peak = 0;
  for (std::size_t i = 0; i < soil.size(); ++i) {
    record.acceleration.push_back(soil[i] - drift[i]);
    peak = std::max(peak, std::abs(record.acceleration.back()));
  }
  for (double& value : record.acceleration) value *= ground.peak / peak;
  return record;
}

void write_record(const std::filesystem::path& path, const setka::io::Record& record) {
  setka::io::OutputFile file(path);
  file.write(
      fmt::format("SYNTHETIC RECORD IN THE FORM OF PEER\n{}\nACCELERATION TIME SERIES IN UNITS OF G\n"
                  "NPTS= {}, DT= {} SEC\n",
                  record.title, record.acceleration.size(), record.step));
  for (std::size_t i = 0; i < record.acceleration.size(); ++i)
    file.write(fmt::format(" {:15.8E}{}", record.acceleration[i] / setka::io::standard_gravity,
                           i % 5 == 4 || i + 1 == record.acceleration.size() ? "\n" : ""));
  file.commit();
}
