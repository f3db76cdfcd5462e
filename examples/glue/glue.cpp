// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Two plates glued along an edge by Lagrange multipliers: operators that are made of operators.
//
// Each unit square conducts heat, by 1 and by 10, and is heated evenly by 1; the edges x = 0 and x = 2 are
// held at zero, and both plates are meshed by themselves. That the temperatures agree along x = 1 is a
// constraint of its own, whose multipliers are the heat that flows across:
//
//   [K1   0   B1' ] [u1]   [f1]
//   [ 0   K2 -B2' ] [u2] = [f2],   B: the values at the edge.
//   [B1 -B2    0  ] [q ]   [ 0]
//
// The matrix is symmetric and indefinite: MINRES solves it. The preconditioner is a cycle of multigrid for
// each plate, and for the multipliers s^2 B1 K1 B1' + (1 - s)^2 B2 K2 B2' with the share s of the second
// plate in the conductivities, in the place of the inverse of what elimination of the plates leaves there:
// the lumped preconditioner of Farhat and Roux (1991). Iterations grow as the root of the cells along an
// edge.
//
// Temperatures depend on x alone, and those of linear elements are exact at the nodes.
//
// Sample runs:
//   glue 20
//   glue 60 cpu
//
// Usage: glue [cells along an edge] [auto|cpu|cuda]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/select.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/problem.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/minres.hpp"
#include "setka/solve/operators.hpp"
#include "setka/sparse/spgemm.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;
using setka::fem::Constraints;
using setka::fem::Element;
using setka::fem::Region;
using setka::solve::BlockCsrOperator;
using setka::solve::BlockOperator;
using setka::solve::OperatorPointer;
using setka::solve::ProductOperator;
using setka::solve::ScaledOperator;
using setka::solve::SumOperator;
using setka::sparse::BlockCsr;

constexpr double conductivities[] = {1, 10};

/// One of the squares, with the far edge held.
struct Plate {
  Plate(const Device& device, int cells, bool left, setka::Monitor& monitor) {
    std::vector<std::int32_t> held;
    std::vector<std::int32_t> edge;
    for (int j = 0; j <= cells; ++j) {
      for (int i = 0; i <= cells; ++i) {
        x.insert(x.end(),
                 {static_cast<double>(i) / cells + (left ? 0 : 1), static_cast<double>(j) / cells, 0.0});
        if (i == (left ? 0 : cells)) held.push_back(j * (cells + 1) + i);
        if (i == (left ? cells : 0)) edge.push_back(j * (cells + 1) + i);
        if (i == cells || j == cells) continue;
        const std::int32_t corner = j * (cells + 1) + i;
        node.insert(node.end(), {corner, corner + 1, corner + cells + 2, corner + cells + 1});
        first.push_back(static_cast<std::int64_t>(node.size()));
      }
    }
    elements.assign(first.size() - 1, Element::quad4);
    const auto nodes = static_cast<std::int32_t>(x.size() / 3);
    space.emplace(Region{x, elements, first, node}, 1, Constraints::fixed(nodes, held));
    problem.emplace(device, *space);
    const double k = conductivities[left ? 0 : 1];
    problem->add(setka::fem::FormKind::conduction, std::vector<double>{k, k, k, 0, 0, 0});

    const BlockCsr<double>& matrix = problem->matrix(monitor);
    stiffness = std::make_shared<BlockCsrOperator>(matrix);
    inverse = std::make_shared<setka::solve::Amg>(device, matrix, space->amg_geometry(Device::cpu()),
                                                  setka::solve::AmgOptions{}, monitor);
    heat = space->restrict_forces(problem->forces_of(std::vector<double>(x.size() / 3, 1.0)), Device::cpu());

    // B: a row for each node of the edge, with a one.
    std::vector<std::int32_t> offset(edge.size() + 1);
    std::iota(offset.begin(), offset.end(), 0);
    std::vector<std::int32_t> column;
    column.reserve(edge.size());
    for (const std::int32_t n : edge) column.push_back(space->place_of_dof()[static_cast<std::size_t>(n)]);
    BlockCsr<double> picks(static_cast<std::int32_t>(edge.size()), space->blocks(), 1, 1,
                           Array<std::int32_t>(device, offset), Array<std::int32_t>(device, column),
                           Array<double>(device, std::vector<double>(edge.size(), 1.0)));
    to_edge = std::make_shared<BlockCsrOperator>(setka::sparse::transpose(picks));
    at_edge = std::make_shared<BlockCsrOperator>(std::move(picks));
  }

  /// B K B'
  OperatorPointer stiffness_of_edge() const {
    return std::make_shared<ProductOperator>(at_edge, std::make_shared<ProductOperator>(stiffness, to_edge));
  }

  std::vector<double> x;
  std::vector<Element> elements;
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> node;
  std::optional<setka::fem::Space> space;
  std::optional<setka::fem::Problem> problem;
  OperatorPointer stiffness;  // K
  OperatorPointer inverse;    // nearly
  OperatorPointer at_edge;    // B
  OperatorPointer to_edge;    // B'
  std::vector<double> heat;   // f
};

/// What flows across x = 1, and the temperature.
struct Exact {
  double left = conductivities[0];
  double right = conductivities[1];
  double turn = (1.5 / right + 0.5 / left) / (1 / right + 1 / left);  // where nothing flows

  double flow() const { return 1 - turn; }
  double temperature(double x) const {
    return x <= 1 ? (turn * x - x * x / 2) / left : ((4 - x * x) / 2 - turn * (2 - x)) / right;
  }
};

int run(int cells, const std::string& backend) {
  const Device device = setka::exec::select_devices(backend).front();
  setka::Monitor monitor;
  const Plate left(device, cells, true, monitor);
  const Plate right(device, cells, false, monitor);
  const auto minus = [](const OperatorPointer& a) { return std::make_shared<ScaledOperator>(-1, a); };

  const BlockOperator matrix({{left.stiffness, nullptr, left.to_edge},
                              {nullptr, right.stiffness, minus(right.to_edge)},
                              {left.at_edge, minus(right.at_edge), nullptr}});
  const double share = conductivities[1] / (conductivities[0] + conductivities[1]);
  const OperatorPointer of_edge = std::make_shared<SumOperator>(
      share * share, left.stiffness_of_edge(), (1 - share) * (1 - share), right.stiffness_of_edge());
  const BlockOperator preconditioner(
      {{left.inverse, nullptr, nullptr}, {nullptr, right.inverse, nullptr}, {nullptr, nullptr, of_edge}});

  std::vector<double> b = left.heat;
  b.insert(b.end(), right.heat.begin(), right.heat.end());
  b.resize(static_cast<std::size_t>(matrix.rows()), 0.0);
  const Array<double> right_side(device, b);
  Array<double> solution(device, matrix.rows());
  setka::exec::fill(device, solution, 0.0);
  setka::solve::SolverOptions options;
  options.tolerance = 1e-10;
  const setka::solve::Outcome outcome =
      setka::solve::Minres(options).solve(device, matrix, preconditioner, right_side, solution, monitor);

  const Exact exact;
  const std::vector<double> values = solution.to_vector();
  double error = 0;
  for (const Plate* plate : {&left, &right}) {
    const std::int64_t begin = matrix.row_offsets()[plate == &left ? 0 : 1];
    const std::vector<double> u = plate->space->expand(
        {values.data() + begin, static_cast<std::size_t>(plate->space->size())}, Device::cpu());
    for (std::size_t n = 0; n < u.size(); ++n)
      error = std::max(error, std::abs(u[n] - exact.temperature(plate->x[3 * n])));
  }
  const double flow = std::accumulate(values.begin() + matrix.row_offsets()[2], values.end(), 0.0);
  fmt::print(
      "{} unknowns and {} multipliers on {}: {} iterations; off by {:.1e} at most; {:.6f} flows across, "
      "exactly {:.6f}\n",
      matrix.row_offsets()[2], matrix.rows() - matrix.row_offsets()[2], device.label(), outcome.iterations,
      error, flow, exact.flow());
  return outcome.converged() && error < 1e-7 && std::abs(flow - exact.flow()) < 1e-7 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoi(argv[1]) : 200, argc > 2 ? argv[2] : "auto");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "glue: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
