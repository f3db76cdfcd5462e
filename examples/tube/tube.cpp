// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat through the wall of a tube: conduction of a scalar, in the plane.
//
// A quarter of a ring, radii 1 and 2, is held at 100 degrees inside and at 20 outside; its straight edges let
// nothing through. The temperature falls with the logarithm of the radius, whatever the conductivity.
//
// Sample runs:
//   tube 40
//   tube 100 cpu
//
// Usage: tube [cells through the wall] [auto|cpu|cuda]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/select.hpp"
#include "setka/fem/problem.hpp"

namespace {

using setka::fem::Constraints;
using setka::fem::Element;
using setka::fem::Problem;
using setka::fem::Region;
using setka::fem::Solution;
using setka::fem::Space;

constexpr double inside = 100;
constexpr double outside = 20;

int run(int through, const std::string& backend) {
  const int around = 2 * through;
  const std::int32_t nodes = (through + 1) * (around + 1);
  std::vector<double> x;
  std::vector<std::int32_t> held;
  std::vector<double> temperatures;
  std::vector<double> exact;
  for (int j = 0; j <= around; ++j) {
    for (int i = 0; i <= through; ++i) {
      const double radius = 1 + static_cast<double>(i) / through;
      const double angle = std::numbers::pi / 2 * j / around;
      x.insert(x.end(), {radius * std::cos(angle), radius * std::sin(angle), 0.0});
      exact.push_back(inside + (outside - inside) * std::log2(radius));
      if (i > 0 && i < through) continue;
      held.push_back(j * (through + 1) + i);
      temperatures.push_back(i == 0 ? inside : outside);
    }
  }
  std::vector<std::int32_t> node;
  std::vector<std::int64_t> first{0};
  for (int j = 0; j < around; ++j) {
    for (int i = 0; i < through; ++i) {
      const std::int32_t corner = j * (through + 1) + i;
      node.insert(node.end(), {corner, corner + 1, corner + through + 2, corner + through + 1});
      first.push_back(static_cast<std::int64_t>(node.size()));
    }
  }
  const std::vector<Element> elements(first.size() - 1, Element::quad4);

  const setka::exec::Device device = setka::exec::select_devices(backend).front();
  setka::Monitor monitor;
  setka::solve::SolverChoice choice;
  choice.method = setka::solve::Method::cg;
  choice.preconditioner = "amg";

  const Region region{x, elements, first, node};
  const Space space(region, 1, Constraints::fixed(nodes, held, temperatures));
  Problem problem(device, space);
  const std::vector<double> conductivity{45, 45, 45, 0, 0, 0};  // xx yy zz xy xz yz
  problem.add(setka::fem::FormKind::conduction, conductivity);
  const Solution solution = problem.solve(std::vector<double>(exact.size(), 0.0), choice, monitor);

  double error = 0;
  for (std::size_t n = 0; n < exact.size(); ++n) error = std::max(error, std::abs(solution.u[n] - exact[n]));
  fmt::print("{} unknowns on {}: {}, {} iterations; off by {:.1e} degrees at most\n", space.unknown_count(),
             device.label(), solution.report.method, solution.report.iterations, error);
  // Second order: 20 degrees times the square of the cell's share of the wall.
  return solution.report.converged && error < 20.0 / (through * through) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoi(argv[1]) : 200, argc > 2 ? argv[2] : "auto");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "tube: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
