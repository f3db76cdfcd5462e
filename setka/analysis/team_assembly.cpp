// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/team_assembly.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "setka/base/log.hpp"
#include "setka/domains/decomposition.hpp"

namespace setka::analysis {
namespace {

/// A matrix without rows.
sparse::BlockCsr<double> no_rows(const exec::Device& device, int block) {
  return {0,
          0,
          block,
          block,
          exec::Array<std::int32_t>(device, std::vector<std::int32_t>{0}),
          exec::Array<std::int32_t>(device),
          exec::Array<double>(device)};
}

}  // namespace

bool TeamAssembly::possible(const Setup& setup, const fem::Space& space, int members) {
  return setup.solids.element_count() >= members && solids_alone(setup) &&
         domains::SpaceParts::possible(space);
}

TeamAssembly::TeamAssembly(const Setup& setup, const ElementState& state, const fem::Space& space,
                           const exec::Team& team, const exec::Device& cpu, Monitor& monitor)
    : setup_(setup), team_(team), cpu_(cpu), on_devices_(static_cast<std::size_t>(team.size())) {
  const Stage stage = monitor.stage("share out");
  parts_ = std::make_shared<const domains::SpaceParts>(
      space, domains::Decomposition::for_team(space.region(), team, cpu.threads()), cpu, team.only());
  if (!std::ranges::any_of(team.devices(), &exec::Device::is_cuda)) return;
  materials_ = element_materials(setup, state);
  if (!materials_.trouble.empty()) log::debug("assembled on the CPU: {}", materials_.trouble);
}

TeamAssembly::OnDevice& TeamAssembly::on_device(const exec::Member& member) {
  std::unique_ptr<OnDevice>& own = on_devices_[static_cast<std::size_t>(member.number())];
  if (own != nullptr) return *own;
  const fem::Space& space = parts_->space(member.number());
  const exec::Device& device = member.device();
  auto set = std::make_shared<const fem::ElementSet>(device, space.region());
  fem::DofMap dofs(device, space);
  fem::DeviceAssembly assembly(device, *set, dofs);
  own = std::make_unique<OnDevice>(OnDevice{std::move(set),
                                            materials_.of_elements(setup_, parts_->elements(member.number())),
                                            std::move(dofs), std::move(assembly)});
  return *own;
}

TeamAssembly::Rows TeamAssembly::rows_of(const exec::Member& member, const fem::ElementMatrix& element_matrix,
                                         FormOf form) {
  const int p = member.number();
  const exec::Device& device = member.device();
  const fem::Space& space = parts_->space(p);
  const auto owned = static_cast<std::int32_t>(parts_->part(p).rows.size());
  if (space.blocks() == 0) return {no_rows(device, parts_->block()), {}};
  const std::int64_t values = std::int64_t{parts_->block()} * owned;
  if (device.is_cuda() && form != nullptr && materials_.trouble.empty()) {
    const OnDevice& own = on_device(member);
    fem::DeviceSystem system = own.assembly.assemble(device, *(own.materials.*form)(own.set), own.dofs);
    std::vector<double> shifts;
    if (space.constraints().shifted()) shifts = system.from_shifts.to_vector();
    shifts.resize(static_cast<std::size_t>(values), 0.0);
    return {std::move(system.matrix), std::move(shifts)};
  }
  Monitor silent;
  const std::span<const std::int32_t> elements = parts_->elements(p);
  const exec::Device on =
      device.is_cuda() ? exec::Device::cpu(std::max(1, cpu_.threads() / team_.size())) : device;
  fem::System system = fem::assemble(
      space,
      [&](std::int32_t e, std::span<double> k) { element_matrix(elements[static_cast<std::size_t>(e)], k); },
      on, silent);
  system.from_shifts.resize(static_cast<std::size_t>(values));
  if (on != device) return {system.matrix.to(device), std::move(system.from_shifts)};
  return {std::move(system.matrix), std::move(system.from_shifts)};
}

SharedSystem TeamAssembly::assemble(const fem::ElementMatrix& element_matrix, FormOf form, Monitor& monitor) {
  const Stage stage = monitor.stage("assemble");
  SharedSystem made;
  made.from_shifts.assign(static_cast<std::size_t>(parts_->scalar_rows()), 0.0);
  made.matrix = std::make_shared<domains::DistributedMatrix>(team_, parts_, [&](const exec::Member& member) {
    Rows rows = rows_of(member, element_matrix, form);
    parts_->put(member.number(), rows.from_shifts, made.from_shifts);
    return std::move(rows.matrix);
  });
  team_.collect(made.from_shifts);
  return made;
}

}  // namespace setka::analysis
