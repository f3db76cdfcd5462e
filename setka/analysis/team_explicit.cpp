// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/explicit_body.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/decomposition.hpp"
#include "setka/domains/graph.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/dynamics/explicit_dynamics.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/large_strain_form.hpp"
#include "setka/fem/space.hpp"

namespace setka::analysis {
namespace {

using dynamics::ExplicitDynamics;
using dynamics::ExplicitElements;
using dynamics::ExplicitEnergies;
using dynamics::ExplicitMemory;
using dynamics::ExplicitOptions;
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

/// The elements of a body in the parts of a team.
template <class T>
class TeamBody final : public dynamics::ExplicitBody<T> {
 public:
  TeamBody(const exec::Team& team, const Setup& setup, const ExplicitModel& model, const exec::Device& cpu)
      : team_(team), members_(at(team.size())) {
    const fem::Region region = setup.solids.region();
    if (region.element_count() < team.size())
      throw Error(
          Fault::usage,
          fmt::format("*DYNAMIC, EXPLICIT: {} elements for {} devices", region.element_count(), team.size()),
          "name fewer devices");
    const domains::Partition elements =
        domains::partition(domains::element_graph(region, cpu.threads()), team.size());
    log::debug("elements are shared out by {}", elements.method);
    const auto decomposition = domains::Decomposition::by_elements(region, elements);
    const fem::Space space(region, 3, fem::Constraints::none(3 * region.node_count()));
    parts_ = std::make_shared<const domains::SpaceParts>(space, decomposition, cpu);
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

  StableStep least_stable_step(std::span<const double> u) const override {
    std::vector<StableStep> found(members_.size());
    team_.run([&](const exec::Member& member) {
      const int p = member.number();
      const std::vector<double> own = with_ghosts(p, u);
      const exec::Array<T> given(member.device(), std::vector<T>(own.begin(), own.end()));
      found[at(p)] = named(p, members_[at(p)].elements->least_stable_step(member.device(), given));
    });
    return least(found);
  }

  std::unique_ptr<dynamics::ExplicitMotion<T>> motion(const ExplicitOptions& options) const override;

  const exec::Team& team() const { return team_; }
  const domains::SpaceParts& parts() const { return *parts_; }

  std::unique_ptr<ExplicitDynamics<T>> motion_of(const exec::Member& member,
                                                 const ExplicitOptions& options) const {
    const Own& own = members_[at(member.number())];
    const domains::RowsOfPart& part = parts_->part(member.number());
    return std::make_unique<ExplicitDynamics<T>>(
        own.elements, options,
        dynamics::ExplicitShare<T>{member, static_cast<std::int64_t>(part.rows.size()), part.links,
                                   own.beside});
  }

  /// Of values of all nodes those that a member computes with; zeros where there are none.
  template <class Value>
  std::vector<Value> with_ghosts(int p, std::span<const Value> all, int width = 3) const {
    const domains::RowsOfPart& part = parts_->part(p);
    std::vector<Value> own;
    own.reserve(at(width) * (part.rows.size() + part.ghosts.size()));
    for (const auto* nodes : {&part.rows, &part.ghosts}) {
      for (const std::int32_t node : *nodes) {
        for (int i = 0; i < width; ++i)
          own.push_back(all.empty() ? Value(0) : all[at(std::int64_t{width} * node + i)]);
      }
    }
    return own;
  }
  std::vector<double> with_ghosts(int p, std::span<const double> all) const {
    return with_ghosts<double>(p, all, 3);
  }

  /// Puts the values of the nodes that a member moves.
  template <class Value>
  void put(int p, std::span<const Value> own, std::vector<Value>& all, int width = 3) const {
    const std::vector<std::int32_t>& nodes = parts_->part(p).rows;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      for (int i = 0; i < width; ++i)
        all[at(std::int64_t{width} * nodes[k] + i)] = own[at(width) * k + at(i)];
    }
  }

  std::int64_t nodes() const { return parts_->scalar_rows() / 3; }

  /// With the element as the model numbers it.
  StableStep named(int p, StableStep own) const {
    if (own.element >= 0) own.element = parts_->elements(p)[at(own.element)];
    return own;
  }

  static StableStep least(const std::vector<StableStep>& of_members) {
    StableStep least;
    for (const StableStep& own : of_members) {
      if (own.element >= 0 && (least.element < 0 || own.step < least.step)) least = own;
    }
    return least;
  }

 private:
  struct Own {
    std::shared_ptr<const ExplicitElements<T>> elements;
    std::shared_ptr<const fem::LargeStrainForm<T>> beside;
  };

  exec::Team team_;
  std::shared_ptr<const domains::SpaceParts> parts_;
  std::vector<Own> members_;
};

template <class T>
class TeamExplicit final : public dynamics::ExplicitMotion<T> {
 public:
  using typename dynamics::ExplicitMotion<T>::Factor;

  TeamExplicit(const TeamBody<T>& body, const ExplicitOptions& options)
      : body_(body), members_(at(body.team().size())), watched_(members_.size()) {
    body_.team().run([&](const exec::Member& member) {
      members_[at(member.number())] = body_.motion_of(member, options);
    });
  }

  void set_displacements(std::span<const double> u) override {
    each([&](int p) { members_[at(p)]->set_displacements(body_.with_ghosts(p, u)); });
  }
  void set_velocities(std::span<const double> v) override {
    each([&](int p) { members_[at(p)]->set_velocities(body_.with_ghosts(p, v)); });
  }
  void add_load(std::span<const double> force, Factor factor) override {
    each([&](int p) { members_[at(p)]->add_load(body_.with_ghosts(p, force), factor); });
  }
  void add_motion(std::span<const double> values, Factor factor) override {
    each([&](int p) { members_[at(p)]->add_motion(body_.with_ghosts(p, values), factor); });
  }
  void hold(std::span<const std::int32_t> dofs) override {
    std::vector<std::int8_t> held(at(3 * body_.nodes()), 0);
    for (const std::int32_t dof : dofs) held[at(dof)] = 1;
    each([&](int p) {
      const std::vector<std::int8_t> local =
          body_.template with_ghosts<std::int8_t>(p, std::span<const std::int8_t>(held), 3);
      std::vector<std::int32_t> own;
      for (std::size_t d = 0; d < local.size(); ++d) {
        if (local[d] != 0) own.push_back(static_cast<std::int32_t>(d));
      }
      members_[at(p)]->hold(own);
    });
  }

  void advance(std::int64_t steps) override {
    body_.team().run([&](const exec::Member& member) { members_[at(member.number())]->advance(steps); });
  }
  void wait() const override {}  // a team's work is done when it returns
  double time() const override { return members_.front()->time(); }
  std::int64_t steps_done() const override { return members_.front()->steps_done(); }

  ExplicitEnergies look() override {
    ExplicitEnergies seen;
    body_.team().run([&](const exec::Member& member) {
      const ExplicitEnergies own = members_[at(member.number())]->look();
      if (member.number() == 0) seen = own;
    });
    return seen;
  }
  double hourglass_energy() override {
    double energy = 0;
    body_.team().run([&](const exec::Member& member) {
      const double own = members_[at(member.number())]->hourglass_energy();
      if (member.number() == 0) energy = own;
    });
    return energy;
  }
  StableStep least_stable_step() const override {
    std::vector<StableStep> found(members_.size());
    body_.team().run([&](const exec::Member& member) {
      const int p = member.number();
      found[at(p)] = body_.named(p, members_[at(p)]->least_stable_step());
    });
    return TeamBody<T>::least(found);
  }

  std::vector<double> displacements() const override {
    return collected(&ExplicitDynamics<T>::displacements);
  }
  std::vector<double> seen_velocities() const override {
    return collected(&ExplicitDynamics<T>::seen_velocities);
  }
  std::vector<double> seen_forces() const override { return collected(&ExplicitDynamics<T>::seen_forces); }

  void watch(std::span<const std::int32_t> nodes) override {
    count_watched_ = nodes.size();
    std::vector<std::vector<std::size_t>> places(at(body_.nodes()));  // in the list
    for (std::size_t i = 0; i < nodes.size(); ++i) places[at(nodes[i])].push_back(i);
    each([&](int p) {
      std::vector<std::int32_t> own;
      watched_[at(p)].clear();
      const std::vector<std::int32_t>& moved = body_.parts().part(p).rows;
      for (std::size_t k = 0; k < moved.size(); ++k) {
        for (const std::size_t place : places[at(moved[k])]) {
          own.push_back(static_cast<std::int32_t>(k));
          watched_[at(p)].push_back(place);
        }
      }
      members_[at(p)]->watch(own);
    });
  }
  std::vector<double> seen_of_watched() const override {
    std::vector<double> seen(9 * count_watched_);
    each([&](int p) {
      if (watched_[at(p)].empty()) return;
      const std::vector<double> own = members_[at(p)]->seen_of_watched();
      for (std::size_t k = 0; k < watched_[at(p)].size(); ++k) {
        for (std::size_t i = 0; i < 9; ++i) seen[9 * watched_[at(p)][k] + i] = own[9 * k + i];
      }
    });
    return seen;
  }

  ExplicitMemory<T> memory() const override {
    ExplicitMemory<T> all;
    all.steps_done = steps_done();
    const auto put = [&]<class Value>(int p, const std::vector<Value>& own, std::vector<Value>& to,
                                      int width) {
      if (own.empty()) return;
      to.resize(at(width * body_.nodes()));
      body_.template put<Value>(p, std::span<const Value>(own), to, width);
    };
    each([&](int p) {
      const ExplicitMemory<T> own = members_[at(p)]->memory();
      put(p, own.u, all.u, 3);
      put(p, own.v, all.v, 3);
      put(p, own.work, all.work, 1);
      put(p, own.loss, all.loss, 1);
    });
    return all;
  }
  void restore(const ExplicitMemory<T>& memory) override {
    const auto take = [&]<class Value>(int p, const std::vector<Value>& all, int width) {
      if (all.empty()) return std::vector<Value>();
      return body_.template with_ghosts<Value>(p, std::span<const Value>(all), width);
    };
    each([&](int p) {
      members_[at(p)]->restore({memory.steps_done, take(p, memory.u, 3), take(p, memory.v, 3),
                                take(p, memory.work, 1), take(p, memory.loss, 1)});
    });
  }

 private:
  template <class Body>
  void each(const Body& body) const {
    for (int p = 0; p < body_.team().size(); ++p) body(p);
  }
  std::vector<double> collected(std::vector<double> (ExplicitDynamics<T>::*values)() const) const {
    std::vector<double> all(at(3 * body_.nodes()), 0.0);
    each([&](int p) {
      const std::vector<double> own = ((*members_[at(p)]).*values)();
      body_.template put<double>(p, std::span<const double>(own), all);
    });
    return all;
  }

  const TeamBody<T>& body_;
  std::vector<std::unique_ptr<ExplicitDynamics<T>>> members_;
  std::vector<std::vector<std::size_t>> watched_;  // [members] places in the list that is watched
  std::size_t count_watched_ = 0;
};

template <class T>
std::unique_ptr<dynamics::ExplicitMotion<T>> TeamBody<T>::motion(const ExplicitOptions& options) const {
  ExplicitOptions with_stable = options;
  if (options.stable.element < 0) with_stable.stable = least_stable_step({});
  return std::make_unique<TeamExplicit<T>>(*this, with_stable);
}

}  // namespace

template <class T>
std::unique_ptr<dynamics::ExplicitBody<T>> explicit_body(const exec::Team& team, const Setup& setup,
                                                         const ExplicitModel& model,
                                                         const exec::Device& cpu) {
  return std::make_unique<TeamBody<T>>(team, setup, model, cpu);
}

template std::unique_ptr<dynamics::ExplicitBody<float>> explicit_body(const exec::Team&, const Setup&,
                                                                      const ExplicitModel&,
                                                                      const exec::Device&);
template std::unique_ptr<dynamics::ExplicitBody<double>> explicit_body(const exec::Team&, const Setup&,
                                                                       const ExplicitModel&,
                                                                       const exec::Device&);

}  // namespace setka::analysis
