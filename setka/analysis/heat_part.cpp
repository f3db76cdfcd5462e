// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_part.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "setka/exec/copy.hpp"
#include "setka/exec/entries.hpp"
#include "setka/modes/shifted_matrix.hpp"

namespace setka::analysis {
HeatPart::HeatPart(const Setup& setup, const Computing& computing, HeatSpace space,
                   std::span<const double> temperature, std::span<const FaceLoss> losses, bool steady)
    : setup_(setup),
      device_(computing.device),
      steady_(steady),
      field_(setup, computing, std::move(space), !steady),
      solver_(field_.space(), computing),
      owned_nodes_(field_.node_count()),
      owned_rows_(field_.dofs().size()),
      state_(device_),
      began_(device_),
      trial_(device_, field_.node_count()),
      lack_(device_, field_.node_count()),
      work_(device_, field_.node_count()),
      change_(device_, steady ? 0 : field_.node_count()),
      right_(device_, field_.dofs().size()),
      correction_(device_, field_.dofs().size()),
      sources_(device_, field_.node_count()) {
  start(temperature, losses);
}

HeatPart::HeatPart(const Setup& setup, const Computing& computing, const exec::Member& member,
                   const domains::SpaceParts& parts, std::span<const double> temperature,
                   std::span<const FaceLoss> losses, bool steady)
    : setup_(setup),
      device_(member.device()),
      member_(member),
      parts_(&parts),
      steady_(steady),
      field_(setup, member, computing.cpu, parts, !steady),
      solver_(member, parts, computing),
      owned_nodes_(parts.owned_nodes(member.number())),
      owned_rows_(static_cast<std::int64_t>(parts.part(member.number()).rows.size())),
      number_(static_cast<std::size_t>(setup.solids.node_count()), -1),
      ghosts_(std::make_unique<exec::Ghosts<double>>(member, 1, parts.part(member.number()).links)),
      state_(device_),
      began_(device_),
      trial_(device_, field_.node_count()),
      lack_(device_, field_.node_count()),
      work_(device_, field_.node_count()),
      change_(device_, steady ? 0 : field_.node_count()),
      right_(device_, field_.dofs().size()),
      correction_(device_, field_.dofs().size()),
      sources_(device_, field_.node_count()) {
  const std::span<const std::int32_t> nodes = parts.nodes(member.number());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    number_[static_cast<std::size_t>(nodes[i])] = static_cast<std::int32_t>(i);
  std::vector<std::int8_t> here(static_cast<std::size_t>(setup.solids.element_count()), 0);
  for (const std::int32_t e : parts.elements(member.number())) here[static_cast<std::size_t>(e)] = 1;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (here[static_cast<std::size_t>(losses[i].element)] != 0) loss_.push_back(i);
  }
  start(temperature, losses);
}

void HeatPart::start(std::span<const double> temperature, std::span<const FaceLoss> losses) {
  state_ = exec::Array<double>(device_, own_of(temperature));
  began_ = exec::Array<double>(device_, state_.size());
  exec::copy_async<double>(device_, state_, trial_);
  loses_ = !losses.empty();
  faces_.emplace(faces_of_losses(setup_, own_losses(losses), field_.space(), number_, device_));
  device_.synchronize();
}

std::vector<double> HeatPart::own_of(std::span<const double> of_all) const {
  if (!member_) return {of_all.begin(), of_all.end()};
  std::vector<double> own;
  for (const std::int32_t node : parts_->nodes(member_->number()))
    own.push_back(of_all[static_cast<std::size_t>(node)]);
  return own;
}

void HeatPart::put(const std::vector<double>& own, std::span<double> all) const {
  if (!member_) {
    std::ranges::copy(own, all.begin());
    return;
  }
  const std::span<const std::int32_t> nodes = parts_->nodes(member_->number());
  for (std::size_t i = 0; i < static_cast<std::size_t>(owned_nodes_); ++i)
    all[static_cast<std::size_t>(nodes[i])] = own[i];
}

void HeatPart::put_flux(std::span<double> all) const {
  const std::vector<double> own = field_.flux_at_points(*conduction_, state_);
  if (!member_) {
    std::ranges::copy(own, all.begin());
    return;
  }
  auto from = own.begin();
  const std::span<const std::int32_t> elements = parts_->elements(member_->number());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto e = static_cast<std::size_t>(elements[i]);
    const auto first = 3 * setup_.points.first_point[e];
    const auto count = 3 * setup_.points.first_point[e + 1] - first;
    if (parts_->counts(member_->number(), static_cast<std::int32_t>(i)))
      std::copy(from, from + count, all.begin() + first);
    from += count;
  }
}

double HeatPart::norm(exec::View<const double> of_owned) const {
  const auto own = exec::norm<double>(device_, of_owned);
  return member_ ? std::sqrt(member_->sum(own * own)) : own;
}

double HeatPart::largest(const exec::Array<double>& nodes) const {
  const auto own = exec::largest<double>(device_, nodes);
  return member_ ? std::ranges::max(member_->each(own)) : own;
}

std::vector<FaceLoss> HeatPart::own_losses(std::span<const FaceLoss> losses) const {
  if (!member_) return {losses.begin(), losses.end()};
  std::vector<FaceLoss> own;
  own.reserve(loss_.size());
  for (const std::size_t i : loss_) own.push_back(losses[i]);
  return own;
}

void HeatPart::take_source(std::size_t i, std::span<const double> heat) {
  while (source_.size() <= i) source_.emplace_back(device_);
  source_[i] = exec::Array<double>(device_, own_of(heat));
}

void HeatPart::add_sources(std::span<const double> factors) {
  exec::fill(device_, sources_.view(), 0.0);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] != 0) exec::axpy(device_, factors[i], source_[i], sources_);
  }
}

void HeatPart::try_state() {
  exec::copy_async<double>(device_, state_, trial_);
  exec::copy_async<double>(device_, state_, began_);
  stands_ = true;
}

void HeatPart::try_state(const fem::Constraints& now, std::span<const std::int8_t> jumps) {
  stands_ = false;
  const std::vector<double> state = state_.to_vector();
  const auto node_of = [&](std::size_t i) {
    return member_ ? parts_->nodes(member_->number())[i] : static_cast<std::int32_t>(i);
  };
  const auto here = [&](std::int32_t node) {
    return static_cast<std::size_t>(member_ ? number_[static_cast<std::size_t>(node)] : node);
  };
  // T q + g with the unknowns of the state, one a row in their order, and what is prescribed now.
  std::vector<double> q(static_cast<std::size_t>(owned_rows_));
  for (std::size_t row = 0; row < q.size(); ++row) {
    const auto unknown = member_ ? static_cast<std::size_t>(parts_->part(member_->number()).rows[row]) : row;
    // Of a copy that is an unknown of its own: how much warmer it is than its node.
    const std::int32_t node = now.unknown_dofs()[unknown];
    const std::int32_t origin = setup_.solids.origin_of(node);
    q[row] = state[here(node)] - (origin != node ? state[here(origin)] : 0.0);
  }
  const exec::Array<double> unknowns(device_, q);
  exec::copy_async<double>(device_, unknowns, mine(correction_));
  take_ghosts();
  field_.dofs().expand(device_, column(std::as_const(correction_).view()), column(work_.view()));
  std::vector<double> temperature = work_.to_vector();
  for (std::size_t i = 0; i < temperature.size(); ++i) temperature[i] += now.shift(node_of(i));
  trial_ = exec::Array<double>(device_, temperature);
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    const std::int32_t node = node_of(i);
    if (jumps[static_cast<std::size_t>(node)] == 0 || is_unknown(now, node)) temperature[i] = state[i];
  }
  began_ = exec::Array<double>(device_, temperature);
}

void HeatPart::try_state(std::span<const PrescribedChange> changes) {
  try_state();
  stands_ = false;
  const auto update = [&](exec::Array<double>& temperature, bool jumping) {
    std::vector<std::int32_t> at;
    std::vector<double> keep;
    std::vector<double> add;
    for (const PrescribedChange& change : changes) {
      const std::int32_t node = member_ ? number_[static_cast<std::size_t>(change.node)] : change.node;
      if (node < 0 || (jumping && !change.jumps)) continue;
      at.push_back(node);
      keep.push_back(change.alone ? 0.0 : 1.0);
      add.push_back(change.alone ? change.value : change.by);
    }
    if (at.empty()) return;
    const exec::Array<std::int32_t> places(device_, at);
    const exec::Array<double> factors(device_, keep);
    const exec::Array<double> values(device_, add);
    exec::update_entries(device_, places, factors, values, temperature);
    device_.synchronize();
  };
  update(trial_, false);
  update(began_, true);
}

void HeatPart::take_conductivity() {
  conduction_ = field_.conduction(trial_.to_vector());
  k_.reset();
}

void HeatPart::take_capacity() {
  capacity_ = field_.capacity(trial_.to_vector());
  c_.reset();
}

HeatPart::Balance HeatPart::balance(double per_time, double zero) {
  Balance found;
  found.passes = norm(owned(sources_));
  fem::FormOperator(conduction_, field_.all_nodes()).apply(device_, trial_, lack_);
  found.passes += norm(owned(lack_));
  if (!steady_ && !stands_) {
    exec::combine(device_, per_time, trial_, -per_time, began_, change_);
    fem::FormOperator(capacity_, field_.all_nodes()).apply(device_, change_, work_);
    found.passes += norm(owned(work_));
    exec::axpy(device_, 1.0, work_, lack_);
  }
  exec::axpby(device_, 1.0, sources_, -1.0, lack_);
  if (loses_) {  // some part does: all add up the norm
    faces_->give_off(device_, zero, trial_, work_);
    found.passes += norm(owned(work_));
    exec::axpy(device_, -1.0, work_, lack_);
  }
  field_.dofs().restrict_forces(device_, column(lack_.view()), column(right_.view()));
  found.lacks = norm(std::as_const(right_).view().part(0, owned_rows_));
  return found;
}

void HeatPart::assemble(double per_time, double zero, Monitor& monitor) {
  {
    const Stage stage = monitor.stage("assemble");
    if (!k_) k_.emplace(field_.assemble(*conduction_, monitor));
    if (!steady_ && !c_) c_.emplace(field_.assemble(*capacity_, monitor));
  }
  sparse::BlockCsr<double> a = steady_ ? k_->to(device_) : modes::shifted_matrix(*k_, per_time, *c_);
  if (!faces_->empty()) faces_->add_tangent(device_, zero, trial_, a);
  solver_.set(std::move(a), monitor);
}

dynamics::StepSolve HeatPart::solve(Monitor& monitor) {
  dynamics::StepSolve solved = solver_.solve(device_, mine(right_), mine(correction_), monitor);
  take_ghosts();
  return solved;
}

void HeatPart::take_ghosts() {
  if (!member_) return;
  ghosts_->begin(device_, column(exec::View<const double>(mine(correction_))));
  const exec::MultiView<const double> came = ghosts_->finish(device_);
  exec::copy_async<double>(device_, exec::View<const double>{came.data, came.rows},
                           correction_.view().part(owned_rows_, came.rows));
}

HeatPart::Correction HeatPart::correct() {
  field_.dofs().expand(device_, column(std::as_const(correction_).view()), column(work_.view()));
  exec::axpy(device_, 1.0, work_, trial_);
  stands_ = false;
  return {largest(work_), largest(trial_)};
}

void HeatPart::accept() {
  exec::copy_async<double>(device_, trial_, state_);
  device_.synchronize();
}

}  // namespace setka::analysis
