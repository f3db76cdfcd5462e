// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/problem.hpp"

#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element_matrices.hpp"

namespace setka::fem {

Problem::Problem(const exec::Device& device, const Space& space)
    : set_(std::make_shared<const ElementSet>(device, space.region())),
      dofs_(std::make_shared<const DofMap>(device, space)) {}

void Problem::add(FormKind kind, std::span<const double> coefficients) {
  const std::vector<std::int32_t> same(static_cast<std::size_t>(set_->element_count()), 0);
  add(kind, coefficients, same);
}

void Problem::add(FormKind kind, std::span<const double> table, std::span<const std::int32_t> row_of) {
  forms_.emplace_back(kind, set_, space().components(), table, row_of);
  matrix_.reset();
}

void Problem::assemble(Monitor& monitor) {
  require(!forms_.empty(), "Problem: there is no form; add one");
  if (!space().picks()) return assemble_on_host(monitor);
  const Stage stage = monitor.stage("assemble");
  if (!pattern_) pattern_.emplace(device(), *set_, *dofs_);
  DeviceSystem sum = pattern_->assemble(device(), forms_.front(), *dofs_);
  for (std::size_t i = 1; i < forms_.size(); ++i) {
    const DeviceSystem own = pattern_->assemble(device(), forms_[i], *dofs_);
    exec::axpy<double>(device(), 1.0, own.matrix.value(), sum.matrix.value());
    exec::axpy<double>(device(), 1.0, own.from_shifts, sum.from_shifts);
    device().synchronize();  // its values are dropped here
  }
  matrix_.emplace(std::move(sum.matrix));
  from_shifts_ = sum.from_shifts.to_vector();
}

void Problem::assemble_on_host(Monitor& monitor) {
  ElementMatrices sum(*set_, space().components());
  forms_.front().integrate(device(), sum);
  ElementMatrices own(*set_, space().components());
  for (std::size_t i = 1; i < forms_.size(); ++i) {
    forms_[i].integrate(device(), own);
    for (std::size_t g = 0; g < own.group_count(); ++g)
      exec::axpy<double>(device(), 1.0, own.group(g), sum.group(g));
  }
  device().synchronize();
  System system = fem::assemble(space(), element_matrices_on_host(*set_, sum), exec::Device::cpu(), monitor);
  matrix_.emplace(std::move(system.matrix));
  from_shifts_ = std::move(system.from_shifts);
}

const sparse::BlockCsr<double>& Problem::matrix(Monitor& monitor) {
  if (!matrix_) assemble(monitor);
  return *matrix_;
}

std::vector<double> Problem::forces_of(std::span<const double> density) const {
  const std::int32_t count = space().constraints().dof_count();
  require(density.size() == static_cast<std::size_t>(count), [&] {
    return fmt::format("Problem: a density of {} values for {} degrees of freedom", density.size(), count);
  });
  const int components = space().components();
  const std::vector<std::int32_t> same(static_cast<std::size_t>(set_->element_count()), 0);
  const std::vector<double> one{1.0};
  const auto mass = std::make_shared<const Form>(FormKind::mass, set_, components, one, same);
  const auto all =
      std::make_shared<const DofMap>(device(), Space(space().region(), components, Constraints::none(count)));
  const exec::Array<double> from(device(), density);
  exec::Array<double> to(device(), count);
  FormOperator(mass, all).apply(device(), from, to);
  return to.to_vector();
}

Solution Problem::solve(std::span<const double> forces, const solve::SolverChoice& choice, Monitor& monitor) {
  const Constraints& constraints = space().constraints();
  require(forces.size() == static_cast<std::size_t>(constraints.dof_count()), [&] {
    return fmt::format("Problem: {} forces for {} degrees of freedom", forces.size(),
                       constraints.dof_count());
  });
  const exec::Device cpu = exec::Device::cpu();
  solve::LinearSystem system;
  system.matrix = &matrix(monitor);
  system.unknown_count = space().unknown_count();
  system.place = space().places();
  system.geometry = [&] { return space().amg_geometry(cpu); };
  std::vector<double> b = space().restrict_forces(forces, cpu);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= from_shifts_[i];
  solve::SolveResult result = solve::solve(device(), system, b, choice, monitor);
  if (result.report.singular >= 0) {
    throw Error(Fault::input, "the matrix is singular: nothing holds a part of the field",
                "prescribe its value somewhere");
  }
  return {space().expand(result.x, cpu), std::move(result.report)};
}

}  // namespace setka::fem
