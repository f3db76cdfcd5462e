// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/heat_steps.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/common.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat_ways.hpp"
#include "setka/grid/shares.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::grid {
namespace {

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

/// The planes of a member of a team, in cells.
Share cells_of_member(const std::vector<HeatAxis>& axes, const exec::Member& member) {
  const std::int64_t width = detail::nodes_of(axes) / axes.front().nodes;
  const Share planes = share_of(axes.front().nodes, member.number(), member.size());
  return {planes.first * width, planes.last * width};
}

template <class T>
exec::Array<T> room_for(const std::vector<exec::Device>& devices, const std::vector<HeatAxis>& axes,
                        std::int64_t size) {
  const std::int64_t planes = size > 0 ? axes.front().nodes : 0;
  const std::int64_t width = planes > 0 ? size / planes : 0;
  return exec::common_array<T>(devices, ends_of_planes(planes, width, devices.size()));
}

template <class T>
exec::Array<T> rounded_on(const std::vector<exec::Device>& devices, const std::vector<HeatAxis>& axes,
                          const std::vector<double>& values) {
  const std::vector<T> rounded(values.begin(), values.end());
  const auto size = static_cast<std::int64_t>(rounded.size());
  exec::Array<T> made = room_for<T>(devices, axes, size);
  exec::copy(exec::View<const T>{rounded.data(), size}, made);
  return made;
}

}  // namespace

std::int64_t HeatProblem::nodes() const {
  return detail::nodes_of(axes);
}

double longest_explicit_step(const exec::Device& device, const HeatProblem& problem) {
  return longest_explicit_step(std::vector{device}, problem);
}

double longest_explicit_step(const std::vector<exec::Device>& devices, const HeatProblem& problem) {
  check_problem(problem, 1);
  const auto diffusivity = rounded_on<double>(devices, problem.axes, problem.diffusivity);
  const auto reaction = rounded_on<double>(devices, problem.axes, problem.reaction);
  kernel::HeatCells<double> cells = detail::cells_of<double>(problem.axes);
  cells.diffusivity = data_or_null(diffusivity);
  cells.reaction = data_or_null(reaction);
  cells.uniform_reaction = problem.uniform_reaction;
  std::vector<double> found(devices.size(), 0);
  exec::Team(devices).run([&](const exec::Member& member) {
    const Share own = cells_of_member(problem.axes, member);
    if (own.count() == 0) return;
    exec::Array<double> bounds(member.device(), own.count());
    exec::parallel_for(member.device().stream(), own.count(),
                       kernel::HeatBound<double>{cells, bounds.data(), own.first});
    found[static_cast<std::size_t>(member.number())] = exec::largest<double>(member.device(), bounds);
  });
  const double bound = *std::ranges::max_element(found);
  return bound > 0 ? 2 / bound : std::numeric_limits<double>::infinity();
}

/// What one device does of a step. Before others' values are read or written that they may still be at, all
/// wait for all.
template <class T>
class HeatSteps<T>::Work {
 public:
  Work(const HeatSteps& steps, const exec::Member& member)
      : all_(steps),
        member_(member),
        stream_(member.device().stream()),
        planes_(cells_of_member(steps.axes_, member)),
        columns_(columns_of(detail::lines_along(steps.axes_, 0).inner, member.number(), member.size())) {}

  /// From u to u or, by explicit steps, to `other`.
  void step(T* u, T* other) const {
    const auto axes = static_cast<int>(all_.axes_.size());
    switch (all_.scheme_) {
      case HeatScheme::lod:
        for (int k = 0; k < axes; ++k) {
          add_source(u);
          if (k == 0) wait_for_all();
          add_supply(k, u);
          sweep_axis(k, u);
          if (k == 0) wait_for_all();
        }
        return;
      case HeatScheme::explicit_euler:
        change(-1, T(1), all_.step_, u, other);
        wait_for_all();
        return;
      case HeatScheme::peaceman_rachford:
        change(1, T(1), all_.step_ / 2, u, other);
        sweep_all_lines(other);
        change(0, T(1), all_.step_ / 2, other, u);
        sweep_axis(1, u);
        wait_for_all();
        return;
      case HeatScheme::douglas:
        // The change of u is what all axes want, then each makes its share of it implicit.
        change(-1, T(0), all_.step_, u, other);
        sweep_all_lines(other);
        for (int k = 1; k < axes; ++k) sweep_axis(k, other);
        exec::axpy<T>(stream_, T(1), own(other), own(u));
        wait_for_all();
    }
  }

  void make_rows(int axis, double share, double weight, Rows& rows) const {
    exec::parallel_for(stream_, planes_.count(),
                       kernel::HeatRows<T>{all_.cells_, axis, T(share), T(weight), rows.lower.data(),
                                           rows.diagonal.data(), rows.upper.data(), planes_.first});
  }

 private:
  void wait_for_all() const { member_.wait_for_all(stream_); }
  exec::View<T> own(T* values) const { return {values + planes_.first, planes_.count()}; }

  /// Lines along axis 0 are shared out by columns, others lie in the planes.
  Share cells_along(int axis) const {
    return axis == 0 ? Share{columns_.first, columns_.first + lines_along(0).span()} : planes_;
  }
  Lines lines_along(int axis) const {
    if (axis == 0) {
      Lines lines = detail::lines_along(all_.axes_, 0);
      lines.inner = columns_.count();
      return lines;
    }
    std::vector<HeatAxis> axes = all_.axes_;
    axes.front().nodes = share_of(axes.front().nodes, member_.number(), member_.size()).count();
    return detail::lines_along(axes, static_cast<std::size_t>(axis));
  }

  void add_source(T* u) const {
    if (all_.source_.empty()) return;
    exec::axpy<T>(stream_, T(all_.step_ / static_cast<double>(all_.axes_.size())),
                  all_.source_.view().part(planes_.first, planes_.count()), own(u));
  }

  void add_supply(int axis, T* u) const {
    const Lines lines = lines_along(axis);
    if (!detail::supplies(all_.axes_[static_cast<std::size_t>(axis)]) || lines.count() == 0) return;
    // Cells are counted from the first of these on; places along the axis stay what they are.
    const std::int64_t first = cells_along(axis).first;
    kernel::HeatCells<T> cells = all_.cells_;
    if (cells.diffusivity != nullptr) cells.diffusivity += first;
    exec::parallel_for(stream_, lines.count(),
                       kernel::HeatSupply<T>{cells, lines, axis, T(all_.step_), u + first});
  }

  void sweep_axis(int axis, T* values) const {
    const auto k = static_cast<std::size_t>(axis);
    const Lines lines = lines_along(axis);
    if (lines.count() == 0) return;
    const Share cells = cells_along(axis);
    const auto part = [&](exec::View<const T> all) { return all.part(cells.first, cells.count()); };
    Tridiagonal<T> matrix = all_.matrices_[k];
    if (matrix.kind == Coefficients::each)
      matrix = Tridiagonal<T>::each(part(matrix.lower), part(matrix.diagonal), part(matrix.upper));
    SweepOptions options;
    options.periodic = all_.axes_[k].ends == Ends::periodic;
    const exec::View<T> swept{values + cells.first, cells.count()};
    sweep<T>(stream_, lines, matrix, swept, swept, options);
  }

  void sweep_all_lines(T* values) const {
    wait_for_all();
    sweep_axis(0, values);
    wait_for_all();
  }

  /// next = keep u + step (F - A u), A of one axis or, with -1, of all.
  void change(int axis, T keep, double step, const T* u, T* next) const {
    if (planes_.count() == 0) return;
    const bool all = axis < 0;
    change_heat(stream_, planes_.count(),
                kernel::HeatChange<T>{all_.cells_,
                                      {all || axis == 0, all || axis == 1, all || axis == 2},
                                      T(all ? 1.0 : 1 / static_cast<double>(all_.axes_.size())),
                                      keep,
                                      T(step),
                                      u,
                                      next,
                                      planes_.first});
  }

  const HeatSteps& all_;
  const exec::Member& member_;
  exec::Stream stream_;
  Share planes_;   // in cells
  Share columns_;  // of a plane
};

template <class T>
HeatSteps<T>::HeatSteps(const exec::Device& device, const HeatProblem& problem, HeatScheme scheme,
                        double step)
    : HeatSteps(std::vector{device}, problem, scheme, step) {}

template <class T>
HeatSteps<T>::HeatSteps(const std::vector<exec::Device>& devices, const HeatProblem& problem,
                        HeatScheme scheme, double step)
    : team_(devices),
      axes_(problem.axes),
      scheme_(scheme),
      step_(step),
      nodes_((check_problem(problem, step), problem.nodes())),
      diffusivity_(rounded_on<T>(devices, axes_, problem.diffusivity)),
      reaction_(rounded_on<T>(devices, axes_, problem.reaction)),
      source_(rounded_on<T>(devices, axes_, problem.source)),
      other_(room_for<T>(devices, axes_, scheme == HeatScheme::lod ? 0 : nodes_)),
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
    const double longest = longest_explicit_step(devices, problem);
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
  const auto room = [&] { return room_for<T>(team_.devices(), axes_, nodes_); };
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    if (diffusivity_.empty() && reaction_.empty()) {
      matrices_.push_back(
          detail::implicit_rows<T>(axes_[k], weight, double(cells_.uniform_reaction) * share));
      continue;
    }
    Rows& rows = rows_.emplace_back(Rows{room(), room(), room()});
    team_.run([&](const exec::Member& member) {
      Work(*this, member).make_rows(static_cast<int>(k), share, weight, rows);
    });
    matrices_.push_back(Tridiagonal<T>::each(rows.lower, rows.diagonal, rows.upper));
  }
}

template <class T>
exec::Array<T> HeatSteps<T>::on_devices(std::span<const T> u) const {
  const auto size = static_cast<std::int64_t>(u.size());
  require(size == nodes_,
          [&] { return fmt::format("HeatSteps: u has {} values but the grid has {} cells", size, nodes_); });
  exec::Array<T> values = room_for<T>(team_.devices(), axes_, nodes_);
  exec::copy(exec::View<const T>{u.data(), size}, values);
  return values;
}

template <class T>
void HeatSteps<T>::advance(exec::Array<T>& u, std::int64_t steps) {
  require(u.size() == nodes_, [&] {
    return fmt::format("HeatSteps: u has {} values but the grid has {} cells", u.size(), nodes_);
  });
  exec::require_reach("HeatSteps", team_.devices(), u);
  const bool moves = scheme_ == HeatScheme::explicit_euler;
  if (team_.size() > 1) u.device().synchronize();  // what was given to its stream before
  team_.run([&](const exec::Member& member) {
    const Work work(*this, member);
    T* now = u.data();
    T* other = other_.data();
    for (std::int64_t k = 0; k < steps; ++k) {
      work.step(now, other);
      if (moves) std::swap(now, other);
    }
  });
  if (moves && steps % 2 == 1) std::swap(u, other_);
}

template class HeatSteps<float>;
template class HeatSteps<double>;

}  // namespace setka::grid
