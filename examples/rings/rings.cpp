// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat in many rings by implicit steps: periodic tridiagonal systems, all rings of a step at once.
//
//   u_t = a u_xx on each ring,   u_i - r (u_{i-1} - 2 u_i + u_{i+1}) = u_i of the step before,   r = a dt /
//   h^2
//
// Ring l starts as the wave cos(2 pi k x), k = 1 + l mod 7, and every step divides a wave by 1 + 4 r sin^2(pi
// k / n): so each value of the answer is known.
//
// Sample runs:
//   rings 1000 128 10
//   rings 64 1023 5 cpu
//
// Usage: rings [rings] [values a ring] [steps] [auto|cpu|cuda]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/select.hpp"
#include "setka/grid/sweep.hpp"

namespace {

constexpr double r = 2.5;

int run(std::int64_t rings, std::int64_t n, int steps, const std::string& backend) {
  setka::require(rings >= 1 && n >= 3 && steps >= 1, "rings: at least one ring of three values and one step");
  const setka::exec::Device device = setka::exec::select_devices(backend).front();
  const auto wave = [&](std::int64_t ring) { return static_cast<double>(1 + ring % 7); };
  const double pi = std::numbers::pi;
  std::vector<double> start(static_cast<std::size_t>(rings * n));
  for (std::int64_t l = 0; l < rings; ++l) {
    for (std::int64_t i = 0; i < n; ++i)
      start[static_cast<std::size_t>(l * n + i)] =
          std::cos(2 * pi * wave(l) * static_cast<double>(i) / static_cast<double>(n));
  }

  // [rings, n], the lines along the last index; all rows of all rings are alike.
  using namespace setka::grid;
  const Lines lines = Lines::along(1, {rings, n});
  const auto matrix = Tridiagonal<double>::constant(-r, 1 + 2 * r, -r);
  SweepOptions options;
  options.periodic = true;
  setka::exec::Array<double> u(device, start);
  const auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < steps; ++step) sweep<double>(device, lines, matrix, u, u, options);
  device.synchronize();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  const std::vector<double> answer = u.to_vector();
  double error = 0;
  for (std::int64_t l = 0; l < rings; ++l) {
    const double sine = std::sin(pi * wave(l) / static_cast<double>(n));
    const double factor = std::pow(1 + 4 * r * sine * sine, -steps);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(l * n + i);
      error = std::max(error, std::abs(answer[at] - factor * start[at]));
    }
  }
  fmt::print("{} rings of {} values, {} steps, on {}\n", rings, n, steps, device.label());
  fmt::print("  largest error  {:.1e}\n", error);
  fmt::print("  time           {}, {} values a second\n", setka::format_seconds(seconds),
             setka::format_count(static_cast<double>(rings * n) * steps / seconds));
  const bool right = error < 1e-13 * steps;
  if (!right) fmt::print(stderr, "rings: the answer is not within its bounds\n");
  return static_cast<int>(right ? setka::ExitCode::done : setka::ExitCode::not_converged);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoll(argv[1]) : 10000, argc > 2 ? std::atoll(argv[2]) : 1024,
               argc > 3 ? std::atoi(argv[3]) : 100, argc > 4 ? argv[4] : "auto");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "rings: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
