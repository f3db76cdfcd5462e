// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/dynamics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "bench/time_step.hpp"
#include "bench/timing.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/form.hpp"
#include "setka/solve/block_jacobi.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

/// K, M and M + k K of all elements on a device, formed as often as one likes.
class StepMatrices {
 public:
  StepMatrices(const Device& device, const TimeStep& problem)
      : stiffness_(problem.model.stiffness(device)),
        set_(stiffness_->set()),
        mass_(problem.model.mass(set_)),
        unknowns_(std::make_shared<const fem::DofMap>(device, problem.space())),
        k_(std::make_shared<fem::ElementMatrices>(*set_)),
        m_(std::make_shared<fem::ElementMatrices>(*set_)),
        a_(std::make_shared<fem::ElementMatrices>(*set_)) {}

  void form(const exec::Stream& stream, double of_stiffness) {
    stiffness_->integrate(stream, *k_);
    mass_->integrate(stream, *m_);
    for (std::size_t g = 0; g < k_->group_count(); ++g)
      exec::combine<double>(stream, of_stiffness, k_->group(g), 1.0, m_->group(g), a_->group(g));
  }

  std::shared_ptr<const solve::Operator> stiffness() const { return product(k_); }
  std::shared_ptr<const solve::Operator> mass() const { return product(m_); }
  std::shared_ptr<const solve::Operator> matrix() const { return product(a_); }

  std::shared_ptr<const solve::Operator> jacobi(const Device& device) const {
    Array<double> inverse(device, unknowns_->size());
    fem::diagonal(device, *set_, *a_, *unknowns_, inverse);
    exec::reciprocal<double>(device, inverse, inverse);
    return std::make_shared<solve::BlockJacobi>(device, 1, std::move(inverse));
  }

 private:
  std::shared_ptr<const solve::Operator> product(std::shared_ptr<const fem::ElementMatrices> matrices) const {
    return std::make_shared<fem::StoredElementOperator>(set_, std::move(matrices), unknowns_);
  }

  std::shared_ptr<const fem::Form> stiffness_;
  std::shared_ptr<const fem::ElementSet> set_;
  std::shared_ptr<const fem::Form> mass_;
  std::shared_ptr<const fem::DofMap> unknowns_;
  std::shared_ptr<fem::ElementMatrices> k_;
  std::shared_ptr<fem::ElementMatrices> m_;
  std::shared_ptr<fem::ElementMatrices> a_;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The load is constant from time zero on, so that its work is f u.
DynamicsRow measure(const Device& device, const TimeStep& problem, const dynamics::Newmark& scheme, int steps,
                    Monitor& monitor) {
  DynamicsRow row;
  row.device = device.label();
  StepMatrices matrices(device, problem);
  matrices.form(device, scheme.of_stiffness());
  solve::SolverOptions options;
  options.tolerance = dynamics_tolerance;
  options.max_iterations = 5000;
  options.ahead = 3;
  dynamics::CgStepSolver solver(
      device,
      [&](double, double of_stiffness, Monitor&) {
        matrices.form(device, of_stiffness);
        return dynamics::CgStepSolver::System{matrices.matrix(), matrices.jacobi(device)};
      },
      options);
  dynamics::ImplicitDynamics motion({matrices.stiffness(), matrices.mass(), nullptr, 0, 0}, solver,
                                    {problem.load});
  const std::array<double, 1> factor{1.0};
  const exec::Stream stream = device.stream();
  // With some stiffness: masses of linear tetrahedra from one point leave patterns of motion without any.
  row.converged = motion.begin(factor, scheme.of_stiffness() / 100, monitor).converged;
  solver.set(scheme.of_damping(), scheme.of_stiffness(), monitor);

  constexpr int warm_ups = 3;
  std::vector<double> forming;
  std::vector<double> loading;
  std::vector<double> solving;
  std::vector<double> total;
  for (int s = 0; s < warm_ups + steps; ++s) {
    device.synchronize();
    const auto started = std::chrono::steady_clock::now();
    const exec::Event begin = stream.record();
    matrices.form(stream, scheme.of_stiffness());
    const exec::Event formed = stream.record();
    motion.form_right_side(scheme, factor, {});
    const exec::Event loaded = stream.record();
    const dynamics::StepSolve report = motion.solve_step(monitor);
    motion.accept();
    const exec::Event solved = stream.record();
    solved.synchronize();
    const std::chrono::duration<double> clock = std::chrono::steady_clock::now() - started;
    row.converged = row.converged && report.converged;
    row.residual = std::max(row.residual, report.residual);
    if (s < warm_ups) continue;
    forming.push_back(formed.seconds_since(begin));
    loading.push_back(loaded.seconds_since(formed));
    solving.push_back(solved.seconds_since(loaded));
    total.push_back(clock.count());
    row.iterations += static_cast<double>(report.iterations) / steps;
  }
  row.times = {median(forming), median(loading), median(solving), median(total)};
  const std::vector<double> u = motion.displacements();
  const dynamics::BodyEnergies energies = motion.energies();
  const double work = dot(problem.load, u);
  row.balance = std::abs(energies.kinetic + energies.elastic - work) / std::abs(work);
  row.tip = work / dot(problem.load, problem.load);
  return row;
}

}  // namespace

std::span<const PaperStep> paper_steps() {
  static constexpr std::array<PaperStep, 3> table{{{"CPU + OpenMP", 7.75, 4.13, 2.23},
                                                   {"OpenMP + OpenMP", 1.46, 2.11, 2.22},
                                                   {"OpenMP + CUDA", 1.45, 2.11, 0.11}}};
  return table;
}

DynamicsTable dynamics_table(const Device& cpu, const std::optional<Device>& gpu, bool quick,
                             const std::function<void(const DynamicsTable&)>& begin,
                             const std::function<void(const DynamicsRow&)>& show, Monitor& monitor) {
  const std::array<int, 3> cells = quick ? std::array<int, 3>{40, 3, 3} : dynamics_cells;
  const TimeStep problem = time_step(fem::Element::tet4, cells);
  DynamicsTable table;
  table.elements = problem.model.elements();
  table.nodes = problem.model.nodes();
  table.unknowns = static_cast<std::int64_t>(problem.load.size());
  const fem::ElementMaterial& steel = problem.model.materials.front();
  table.step = dynamics_cells_a_step / std::sqrt(steel.d[0] / steel.density);  // cells have the side 1
  table.steps = quick ? 5 : 20;
  begin(table);
  const auto scheme = dynamics::Newmark::average_acceleration(table.step);
  std::vector<Device> devices{Device::cpu(1)};
  if (cpu.threads() > 1) devices.push_back(cpu);
  if (gpu) devices.push_back(*gpu);
  for (const Device& device : devices) {
    DynamicsRow row;
    const std::string lack =
        unless_out_of_memory([&] { row = measure(device, problem, scheme, table.steps, monitor); });
    if (!lack.empty()) {
      row.device = device.label();
      row.skipped = lack;
    }
    if (!device.is_cuda()) row.device += " x" + std::to_string(device.threads());
    show(row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace setka::bench
