// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/heat_steps.hpp"

#include <limits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat_ways.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::grid {
namespace {

template <class T>
exec::Array<T> on_device(const exec::Device& device, const std::vector<double>& values) {
  const std::vector<T> rounded(values.begin(), values.end());
  return {device, rounded};
}

void check_problem(const HeatProblem& problem, double step) {
  detail::check_heat_axes("HeatSteps", problem.axes, step);
  const auto check = [&](const char* what, const std::vector<double>& field) {
    const auto size = static_cast<std::int64_t>(field.size());
    require(field.empty() || size == problem.nodes(), [&] {
      return fmt::format("HeatSteps: {} has {} values but the grid has {} cells", what, size,
                         problem.nodes());
    });
  };
  check("diffusivity", problem.diffusivity);
  check("reaction", problem.reaction);
  check("source", problem.source);
}

template <class T>
const T* data_or_null(const exec::Array<T>& array) {
  return array.empty() ? nullptr : array.data();
}

}  // namespace

std::int64_t HeatProblem::nodes() const {
  return detail::nodes_of(axes);
}

double longest_explicit_step(const exec::Device& device, const HeatProblem& problem) {
  check_problem(problem, 1);
  const exec::Array<double> diffusivity(device, problem.diffusivity);
  const exec::Array<double> reaction(device, problem.reaction);
  exec::Array<double> bounds(device, problem.nodes());
  kernel::HeatCells<double> cells = detail::cells_of<double>(problem.axes);
  cells.diffusivity = data_or_null(diffusivity);
  cells.reaction = data_or_null(reaction);
  cells.uniform_reaction = problem.uniform_reaction;
  exec::parallel_for(device.stream(), problem.nodes(), kernel::HeatBound<double>{cells, bounds.data()});
  const auto bound = exec::largest<double>(device, bounds);
  return bound > 0 ? 2 / bound : std::numeric_limits<double>::infinity();
}

template <class T>
HeatSteps<T>::HeatSteps(const exec::Device& device, const HeatProblem& problem, HeatScheme scheme,
                        double step)
    : device_(device),
      axes_(problem.axes),
      scheme_(scheme),
      step_(step),
      nodes_((check_problem(problem, step), problem.nodes())),
      diffusivity_(on_device<T>(device, problem.diffusivity)),
      reaction_(on_device<T>(device, problem.reaction)),
      source_(on_device<T>(device, problem.source)),
      other_(device, scheme == HeatScheme::lod ? 0 : nodes_),
      cells_(detail::cells_of<T>(problem.axes)) {
  require(scheme != HeatScheme::peaceman_rachford || axes_.size() == 2, [&] {
    return fmt::format("HeatSteps: Peaceman and Rachford's scheme has two axes, not {}; take Douglas's",
                       axes_.size());
  });
  cells_.diffusivity = data_or_null(diffusivity_);
  cells_.reaction = data_or_null(reaction_);
  cells_.source = data_or_null(source_);
  cells_.uniform_reaction = T(problem.uniform_reaction);
  if (scheme == HeatScheme::explicit_euler) {
    const double longest = longest_explicit_step(device, problem);
    require(step <= longest * (1 + 1e-9), [&] {
      return fmt::format("HeatSteps: an explicit step of {} is not stable; the longest is {}", step, longest);
    });
    return;
  }
  make_rows(scheme == HeatScheme::lod ? step : step / 2);
}

template <class T>
void HeatSteps<T>::make_rows(double weight) {
  const double share = 1 / static_cast<double>(axes_.size());
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    if (diffusivity_.empty() && reaction_.empty()) {
      matrices_.push_back(
          detail::implicit_rows<T>(axes_[k], weight, double(cells_.uniform_reaction) * share));
      continue;
    }
    Rows& rows = rows_.emplace_back(device_, nodes_);
    exec::parallel_for(device_.stream(), nodes_,
                       kernel::HeatRows<T>{cells_, static_cast<int>(k), T(share), T(weight),
                                           rows.lower.data(), rows.diagonal.data(), rows.upper.data()});
    matrices_.push_back(Tridiagonal<T>::each(rows.lower, rows.diagonal, rows.upper));
  }
}

template <class T>
void HeatSteps<T>::sweep_axis(std::size_t axis, exec::Array<T>& values) const {
  SweepOptions options;
  options.periodic = axes_[axis].ends == Ends::periodic;
  sweep<T>(device_, detail::lines_along(axes_, axis), matrices_[axis], values, values, options);
}

template <class T>
void HeatSteps<T>::change(int axis, T keep, double step, const exec::Array<T>& u,
                          exec::Array<T>& next) const {
  const bool all = axis < 0;
  change_heat(device_.stream(), nodes_,
              kernel::HeatChange<T>{cells_,
                                    {all || axis == 0, all || axis == 1, all || axis == 2},
                                    T(all ? 1.0 : 1 / static_cast<double>(axes_.size())),
                                    keep,
                                    T(step),
                                    u.data(),
                                    next.data()});
}

template <class T>
void HeatSteps<T>::advance_lod(exec::Array<T>& u) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Lines lines = detail::lines_along(axes_, k);
    if (!source_.empty()) exec::axpy<T>(device_, T(step_ / static_cast<double>(axes_.size())), source_, u);
    if (detail::supplies(axes_[k])) {
      exec::parallel_for(device_.stream(), lines.count(),
                         kernel::HeatSupply<T>{cells_, lines, static_cast<int>(k), T(step_), u.data()});
    }
    sweep_axis(k, u);
  }
}

template <class T>
void HeatSteps<T>::advance(exec::Array<T>& u) {
  require(u.size() == nodes_, [&] {
    return fmt::format("HeatSteps: u has {} values but the grid has {} cells", u.size(), nodes_);
  });
  switch (scheme_) {
    case HeatScheme::lod:
      return advance_lod(u);
    case HeatScheme::explicit_euler:
      change(-1, T(1), step_, u, other_);
      std::swap(u, other_);
      return;
    case HeatScheme::peaceman_rachford:
      change(1, T(1), step_ / 2, u, other_);
      sweep_axis(0, other_);
      change(0, T(1), step_ / 2, other_, u);
      sweep_axis(1, u);
      return;
    case HeatScheme::douglas:
      // The change of u is what all axes want, then each makes its share of it implicit.
      change(-1, T(0), step_, u, other_);
      for (std::size_t k = 0; k < axes_.size(); ++k) sweep_axis(k, other_);
      exec::axpy<T>(device_, T(1), other_, u);
  }
}

template class HeatSteps<float>;
template class HeatSteps<double>;

}  // namespace setka::grid
