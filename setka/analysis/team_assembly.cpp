// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/team_assembly.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/base/log.hpp"
#include "setka/domains/decomposition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/fem/region.hpp"
#include "setka/sparse/pieces.hpp"

namespace setka::analysis {

std::string obstacle_to_parts(const Setup& setup, int members) {
  if (setup.solids.element_count() < members)
    return fmt::format("it has fewer elements ({}) than there are devices or processes ({})",
                       setup.solids.element_count(), members);
  if (!setup.model->superelements.empty()) return "the matrix of a superelement is of all its nodes at once";
  return {};
}

std::shared_ptr<const domains::SpaceParts> parts_for(const fem::Space& space, const exec::Team& team,
                                                     const exec::Device& cpu, Monitor& monitor) {
  const Stage stage = monitor.stage("share out");
  return std::make_shared<const domains::SpaceParts>(
      space, domains::Decomposition::for_team(space.region(), team, cpu.threads()), cpu, team.only());
}

domains::UnassembledPart part_of_elements(const domains::SpaceParts& parts, int p,
                                          const fem::ElementMatrix& element_matrix, const exec::Device& cpu) {
  // A region of these elements alone, of the same nodes.
  const fem::Space& all = parts.space(p);
  const fem::Region& whole = all.region();
  const int block = all.components();
  std::vector<fem::Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> elements;
  std::vector<std::int8_t> has(static_cast<std::size_t>(all.blocks()), 0);
  for (std::int32_t e = 0; e < whole.element_count(); ++e) {
    if (!parts.counts(p, e)) continue;
    type.push_back(whole.type[static_cast<std::size_t>(e)]);
    elements.push_back(parts.elements(p)[static_cast<std::size_t>(e)]);
    for (const std::int32_t i : whole.nodes(e)) {
      node.push_back(i);
      for (std::int32_t dof = block * i; dof < block * (i + 1); ++dof) {
        for (const fem::Term& term : all.constraints().row(dof))
          has[static_cast<std::size_t>(all.place(term) / block)] = 1;
      }
    }
    first_node.push_back(static_cast<std::int64_t>(node.size()));
  }
  const fem::Space space(fem::Region{whole.coordinates, type, first_node, node, whole.whole}, block,
                         all.constraints());
  Monitor silent;
  const fem::System system = fem::assemble(
      space,
      [&](std::int32_t e, std::span<double> k) { element_matrix(elements[static_cast<std::size_t>(e)], k); },
      cpu, silent);
  // Without the rows of blocks that none of them has.
  const std::vector<std::int32_t>& owned = parts.part(p).rows;
  const std::vector<std::int32_t>& ghosts = parts.part(p).ghosts;
  std::vector<std::int32_t> kept;
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> number(has.size(), -1);
  for (std::size_t b = 0; b < has.size(); ++b) {
    if (has[b] == 0) continue;
    number[b] = static_cast<std::int32_t>(kept.size());
    kept.push_back(static_cast<std::int32_t>(b));
    rows.push_back(b < owned.size() ? owned[b] : ghosts[b - owned.size()]);
  }
  const auto count = static_cast<std::int32_t>(kept.size());
  return {sparse::renumbered_columns(sparse::rows_of(system.matrix, kept), number, count), std::move(rows)};
}

TeamAssembly::TeamAssembly(const Setup& setup, const ElementState& state, const fem::Space& space,
                           const exec::Team& team, const exec::Device& cpu, Monitor& monitor)
    : setup_(setup),
      team_(team),
      cpu_(cpu),
      parts_(parts_for(space, team, cpu, monitor)),
      on_devices_(static_cast<std::size_t>(team.size())) {
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
  if (space.blocks() == 0) return {domains::no_rows(device, parts_->block()), {}};
  const std::int64_t values = std::int64_t{parts_->block()} * owned;
  if (device.is_cuda() && form != nullptr && materials_.trouble.empty() && space.picks()) {
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
