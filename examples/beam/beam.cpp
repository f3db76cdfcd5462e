// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// A cantilever on a mesh of one's own: linear elasticity by conjugate gradients with multigrid.
//
// A beam of steel, 10 x 1 x 1, is clamped at x = 0 and loaded across at its other end. By beam theory
// (Timoshenko's, with the shear correction 10 (1 + nu) / (12 + 11 nu)) it sinks by P L^3 / (3 E I) + P L / (k
// A G), which hexahedra with incompatible modes meet within a percent.
//
// Sample runs:
//   beam 4
//   beam 6 cpu
//
// Usage: beam [cells across] [auto|cpu|cuda]
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/select.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/problem.hpp"

namespace {

using setka::fem::Constraints;
using setka::fem::Element;
using setka::fem::Problem;
using setka::fem::Region;
using setka::fem::Solution;
using setka::fem::Space;

constexpr double length = 10;
constexpr double young = 2.1e11;
constexpr double poisson = 0.3;
constexpr double load = 1e6;

/// A grid of hexahedra as any mesher would give it: nodes, and eight of them for each element.
struct Mesh {
  std::vector<double> x;
  std::vector<Element> elements;
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> node;

  explicit Mesh(int n) {
    const int along = static_cast<int>(length) * n;
    const auto at = [&](int i, int j, int k) { return (k * (n + 1) + j) * (along + 1) + i; };
    for (int k = 0; k <= n; ++k) {
      for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= along; ++i)
          x.insert(x.end(),
                   {i / static_cast<double>(n), j / static_cast<double>(n), k / static_cast<double>(n)});
      }
    }
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < along; ++i) {
          for (int above = 0; above < 2; ++above) {
            node.insert(node.end(), {at(i, j, k + above), at(i + 1, j, k + above),
                                     at(i + 1, j + 1, k + above), at(i, j + 1, k + above)});
          }
          elements.push_back(Element::hex8_incompatible);
          first.push_back(static_cast<std::int64_t>(node.size()));
        }
      }
    }
  }
  std::int32_t dofs() const { return static_cast<std::int32_t>(x.size()); }
};

int run(int across, const std::string& backend) {
  const Mesh mesh(across);
  std::vector<std::int32_t> clamped;
  std::vector<double> forces(mesh.x.size(), 0.0);
  for (std::int32_t dof = 0; dof < mesh.dofs(); ++dof) {
    const double x = mesh.x[3 * static_cast<std::size_t>(dof / 3)];
    if (x == 0) clamped.push_back(dof);
    if (x == length && dof % 3 == 2) forces[static_cast<std::size_t>(dof)] = -load / std::pow(across + 1, 2);
  }

  const setka::exec::Device device = setka::exec::select_devices(backend).front();
  setka::Monitor monitor;
  setka::solve::SolverChoice choice;
  choice.method = setka::solve::Method::cg;
  choice.preconditioner = "amg";

  const Region region{mesh.x, mesh.elements, mesh.first, mesh.node};
  const Constraints held = Constraints::fixed(mesh.dofs(), clamped);
  const Space space(region, 3, held);
  Problem problem(device, space);
  problem.add(setka::fem::FormKind::elasticity, setka::fem::isotropic_elasticity(young, poisson));
  const Solution solution = problem.solve(forces, choice, monitor);

  double sinks = 0;
  for (std::size_t n = 0; n < mesh.x.size(); n += 3) {
    if (mesh.x[n] == length) sinks -= solution.u[n + 2] / std::pow(across + 1, 2);
  }
  const double shear = young / (2 * (1 + poisson));
  const double correction = 10 * (1 + poisson) / (12 + 11 * poisson);
  const double theory = load * std::pow(length, 3) / (3 * young / 12) + load * length / (correction * shear);
  fmt::print("{} unknowns on {}: {}, {} iterations; the end sinks by {:.6f}, in theory by {:.6f}\n",
             space.unknown_count(), device.label(), solution.report.method, solution.report.iterations, sinks,
             theory);
  return solution.report.converged && std::abs(sinks / theory - 1) < 0.01 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoi(argv[1]) : 8, argc > 2 ? argv[2] : "auto");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "beam: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
