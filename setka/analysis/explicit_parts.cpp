// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/explicit_parts.hpp"

#include <array>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/domains/decomposition.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/large_strain_form.hpp"
#include "setka/fem/space.hpp"

namespace setka::analysis {
namespace {

using dynamics::ExplicitDynamics;
using dynamics::ExplicitElements;
using dynamics::StableStep;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Some elements of a region, with all of its nodes.
struct SomeElements {
  std::vector<fem::Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> material_of;

  void add(const fem::Region& region, std::int32_t element, std::int32_t material) {
    type.push_back(region.type[at(element)]);
    const auto nodes = region.nodes(element);
    node.insert(node.end(), nodes.begin(), nodes.end());
    first_node.push_back(static_cast<std::int64_t>(node.size()));
    material_of.push_back(material);
  }
};

}  // namespace

template <class T>
ExplicitParts<T>::ExplicitParts(const exec::Team& team, const Setup& setup, const ExplicitModel& model,
                                const exec::Device& cpu)
    : team_(team), members_(at(team.size())) {
  const fem::Region region = setup.solids.region();
  if (region.element_count() < team.size())
    throw Error(
        Fault::usage,
        fmt::format("*DYNAMIC, EXPLICIT: {} elements for {} devices", region.element_count(), team.size()),
        "name fewer devices");
  const auto decomposition = domains::Decomposition::for_team(region, team, cpu.threads());
  const fem::Space space(region, 3, fem::Constraints::none(3 * region.node_count()));
  parts_ = std::make_shared<const domains::SpaceParts>(space, decomposition, cpu, team.only());
  team.run([&](const exec::Member& member) {
    const int p = member.number();
    const fem::Region& own = parts_->space(p).region();
    const auto of_whole = parts_->elements(p);
    std::vector<std::int32_t> material_of;
    SomeElements beside;
    for (std::size_t e = 0; e < of_whole.size(); ++e) {
      const std::int32_t element = of_whole[e];
      material_of.push_back(model.material_of[at(element)]);
      // Counted where its first node is moved: a part of few elements may move none of their nodes.
      if (decomposition.owner_of_node()[at(region.nodes(element)[0])] != p)
        beside.add(own, static_cast<std::int32_t>(e), material_of.back());
    }
    Own& made = members_[at(p)];
    made.elements =
        std::make_shared<const ExplicitElements<T>>(member.device(), own, model.laws, material_of);
    if (beside.type.empty()) return;
    made.beside = std::make_shared<const fem::LargeStrainForm<T>>(
        member.device(), fem::Region{own.coordinates, beside.type, beside.first_node, beside.node},
        model.laws, beside.material_of);
  });
}

template <class T>
StableStep ExplicitParts<T>::least_stable_step(std::span<const double> u) const {
  const std::vector<double> zeros(u.empty() ? at(3 * nodes()) : 0, 0.0);
  std::vector<StableStep> found(members_.size());
  team_.run([&](const exec::Member& member) {
    const int p = member.number();
    const std::vector<double> own = taken<double>(p, u.empty() ? std::span<const double>(zeros) : u, 3);
    const exec::Array<T> given(member.device(), std::vector<T>(own.begin(), own.end()));
    found[at(p)] = members_[at(p)].elements->least_stable_step(member.device(), given);
  });
  return least(found);
}

template <class T>
StableStep ExplicitParts<T>::least(std::span<const StableStep> of_members) const {
  std::vector<StableStep> found(of_members.begin(), of_members.end());
  for (std::size_t p = 0; p < found.size(); ++p) {
    if (found[p].element >= 0) found[p].element = parts_->elements(static_cast<int>(p))[at(found[p].element)];
  }
  if (team_.transport() != nullptr) {
    const StableStep& here = found[at(team_.only())];
    const std::array<double, 2> own{here.step, static_cast<double>(here.element)};
    const std::vector<double> of_all = team_.transport()->gather(own);
    for (std::size_t p = 0; p < found.size(); ++p)
      found[p] = {of_all[2 * p], static_cast<std::int32_t>(of_all[2 * p + 1])};
  }
  StableStep least;
  for (const StableStep& own : found) {
    if (own.element < 0 || (least.element >= 0 && !(own.step < least.step))) continue;
    least = own;
  }
  return least;
}

template <class T>
std::unique_ptr<ExplicitDynamics<T>> ExplicitParts<T>::motion_of(
    const exec::Member& member, const dynamics::ExplicitOptions& options) const {
  const Own& own = members_[at(member.number())];
  const domains::RowsOfPart& part = parts_->part(member.number());
  return std::make_unique<ExplicitDynamics<T>>(
      own.elements, options,
      dynamics::ExplicitShare<T>{member, static_cast<std::int64_t>(part.rows.size()), part.links,
                                 own.beside});
}

template class ExplicitParts<float>;
template class ExplicitParts<double>;

}  // namespace setka::analysis
