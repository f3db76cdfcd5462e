// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/time_step.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/timing.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/form.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

/// Matrices K + a0 M of all elements; memory for both while they are made.
std::shared_ptr<fem::ElementMatrices> step_matrices(const Device& device, const TimeStep& step,
                                                    const std::shared_ptr<const fem::ElementSet>& set) {
  const fem::ElementMaterial& steel = step.model.materials.front();
  const std::vector<double> density{steel.density};
  const int components = set->dimension();
  const double a0 = step.a0;
  auto k = std::make_shared<fem::ElementMatrices>(*set);
  fem::ElementMatrices m(*set);
  fem::Form(fem::FormKind::elasticity, set, components, steel.d, step.model.material_of)
      .integrate(device, *k);
  fem::Form(fem::FormKind::mass, set, components, density, step.model.material_of).integrate(device, m);
  for (std::size_t g = 0; g < k->group_count(); ++g) exec::axpy(device, a0, m.group(g), k->group(g));
  device.synchronize();
  return k;
}

SolveTime solve(const Device& device, const solve::Operator& a, const solve::Operator& jacobi,
                const std::vector<double>& load, double max_seconds, Monitor& monitor) {
  const Array<double> b(device, load);
  Array<double> x(device, a.rows());
  solve::Cg cg;
  cg.options().tolerance = time_step_tolerance;
  const auto from_zero = [&](int max_iterations) {
    cg.options().max_iterations = max_iterations;
    cg.options().stagnation_window = max_iterations;
    exec::fill(device, x, 0.0);
    return cg.solve(device, a, jacobi, b, x, monitor);
  };
  solve::Outcome outcome;
  const auto timed = [&](int max_iterations) {
    device.synchronize();
    const exec::Event begin = device.stream().record();
    outcome = from_zero(max_iterations);
    return device.stream().record().seconds_since(begin);
  };
  from_zero(5);  // warms up: scratch memory, kernels
  constexpr int few = 20;
  const double most = std::max<double>(few, few * max_seconds / timed(few));
  const int max_iterations = static_cast<int>(std::min(most, 100000.0));
  std::vector<double> seconds;
  do {
    seconds.push_back(timed(max_iterations));
  } while (seconds.size() < 3 && seconds.back() < 1);
  const bool stopped = outcome.status == solve::Status::max_iterations && most < 100000;
  return {median(seconds), outcome.iterations, outcome.residual, outcome.converged(), stopped};
}

sparse::BlockCsr<double> assembled(const TimeStep& step, const fem::Space& space, const Device& device) {
  const auto set = std::make_shared<const fem::ElementSet>(device, step.model.region());
  const auto matrices = step_matrices(device, step, set);
  return fem::assemble(device, *set, *matrices, fem::DofMap(device, space)).matrix;
}

}  // namespace

TimeStep time_step(fem::Element type, std::array<int, 3> cells) {
  TimeStep step;
  step.model = block_model(type, cells, PlaneState::strain);
  step.constraints = fixed_at_x0(step.model);
  const auto components = static_cast<std::size_t>(fem::dimension_of(type));
  std::vector<double> force(components * static_cast<std::size_t>(step.model.nodes()), 0.0);
  for (std::size_t n = 0; n < step.model.coordinates.size() / 3; ++n) {
    if (step.model.coordinates[3 * n] == cells[0]) force[components * n + 1] = 1;
  }
  step.load = step.constraints.restrict_forces(force);
  const fem::ElementMaterial& steel = step.model.materials.front();
  const double wave_speed_squared = steel.d[0] / steel.density;  // (lambda + 2 mu) / density
  const double length = cells[0];
  step.a0 = 4 * wave_speed_squared / (length * length);
  return step;
}

SolveTime solve_assembled(const TimeStep& step, const Device& device, double max_seconds, Monitor& monitor) {
  const fem::Space space = step.space();
  const solve::BlockCsrOperator a(assembled(step, space, device));
  const solve::BlockJacobi jacobi(device, 1, solve::inverse_diagonal(a.matrix()));
  return solve(device, a, jacobi, space.spread(step.load), max_seconds, monitor);
}

SolveTime solve_by_elements(const TimeStep& step, const Device& device, double max_seconds,
                            Monitor& monitor) {
  const auto set = std::make_shared<const fem::ElementSet>(device, step.model.region());
  const auto matrices = step_matrices(device, step, set);
  const auto unknowns = std::make_shared<const fem::DofMap>(device, step.space());
  const fem::StoredElementOperator a(set, matrices, unknowns);
  solve::PreconditionerInput input;
  input.diagonal_blocks = [&](int block) {
    Array<double> d(device, unknowns->size() * block);
    fem::diagonal(device, *set, *matrices, *unknowns, d, block);
    return d;
  };
  const auto jacobi = solve::preconditioner_of("jacobi").make(input, monitor);
  return solve(device, a, *jacobi, unknowns->space().spread(step.load), max_seconds, monitor);
}

}  // namespace setka::bench
