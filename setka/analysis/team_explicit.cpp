// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/explicit_body.hpp"
#include "setka/analysis/explicit_parts.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/balance.hpp"
#include "setka/dynamics/explicit_dynamics.hpp"

namespace setka::analysis {
namespace {

using domains::Balancing;
using dynamics::ExplicitDynamics;
using dynamics::ExplicitEnergies;
using dynamics::ExplicitMemory;
using dynamics::ExplicitOptions;
using dynamics::StableStep;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A body that may be shared out anew.
template <class T>
struct SharedBody {
  const Setup& setup;
  const ExplicitModel& model;
  exec::Device cpu;
  Balancing balancing;
  std::vector<exec::Device> devices;
  std::optional<exec::Team> processes;  // which share as they are
  std::shared_ptr<const ExplicitParts<T>> parts = nullptr;
  double cost = 0;  // seconds that it took to make them

  void share_out(const std::vector<double>& shares) {
    const double began = now();
    parts.reset();  // before others need the room that they have
    parts = std::make_shared<const ExplicitParts<T>>(processes ? *processes : exec::Team(devices, shares),
                                                     setup, model, cpu);
    cost = now() - began;
  }
};

template <class T>
class TeamExplicit final : public dynamics::ExplicitMotion<T> {
 public:
  using typename dynamics::ExplicitMotion<T>::Factor;

  TeamExplicit(std::shared_ptr<SharedBody<T>> body, const ExplicitOptions& options)
      : body_(std::move(body)),
        options_(options),
        balance_(body_->parts->team().shares(), body_->cost),
        parts_(body_->parts) {
    make_members();
  }

  void set_displacements(std::span<const double> u) override {
    each([&](int p) { member(p).set_displacements(parts_->taken(p, u, 3)); });
  }
  void set_velocities(std::span<const double> v) override {
    each([&](int p) { member(p).set_velocities(parts_->taken(p, v, 3)); });
  }
  void add_load(std::span<const double> force, Factor factor) override {
    loads_.push_back({{force.begin(), force.end()}, std::move(factor)});
    give_load(loads_.back());
  }
  void add_motion(std::span<const double> values, Factor factor) override {
    motions_.push_back({{values.begin(), values.end()}, std::move(factor)});
    give_motion(motions_.back());
  }
  void hold(std::span<const std::int32_t> dofs) override {
    held_.assign(at(3 * parts_->nodes()), 0);
    for (const std::int32_t dof : dofs) held_[at(dof)] = 1;
    give_held();
  }
  void watch(std::span<const std::int32_t> nodes) override {
    watched_.assign(nodes.begin(), nodes.end());
    give_watched();
  }

  void advance(std::int64_t steps) override {
    while (steps > 0) {
      const bool looks = body_->balancing == Balancing::measured;
      const std::int64_t now = looks ? std::min(steps, look_at_ - steps_done()) : steps;
      parts_->team().run([&](const exec::Member& of) { member(of.number()).advance(now); });
      steps -= now;
      if (looks && steps_done() >= look_at_) look_at_times();
    }
  }
  void wait() const override {}  // a team's work is done when it returns
  double time() const override { return first().time(); }
  std::int64_t steps_done() const override { return first().steps_done(); }

  ExplicitEnergies look() override {
    ExplicitEnergies seen;
    parts_->team().run([&](const exec::Member& of) {
      const ExplicitEnergies own = member(of.number()).look();
      if (is_first(of)) seen = own;
    });
    return seen;
  }
  double hourglass_energy() override {
    double energy = 0;
    parts_->team().run([&](const exec::Member& of) {
      const double own = member(of.number()).hourglass_energy();
      if (is_first(of)) energy = own;
    });
    return energy;
  }
  StableStep least_stable_step() const override {
    std::vector<StableStep> found(members_.size());
    parts_->team().run(
        [&](const exec::Member& of) { found[at(of.number())] = member(of.number()).least_stable_step(); });
    return parts_->least(found);
  }

  std::vector<double> displacements() const override {
    return collected(&ExplicitDynamics<T>::displacements);
  }
  std::vector<double> seen_velocities() const override {
    return collected(&ExplicitDynamics<T>::seen_velocities);
  }
  std::vector<double> seen_forces() const override { return collected(&ExplicitDynamics<T>::seen_forces); }

  std::vector<double> seen_of_watched() const override {
    std::vector<double> seen(9 * watched_.size());
    each([&](int p) {
      const std::vector<std::size_t>& places = watched_of_[at(p)];
      if (places.empty()) return;
      const std::vector<double> own = member(p).seen_of_watched();
      for (std::size_t k = 0; k < places.size(); ++k) {
        for (std::size_t i = 0; i < 9; ++i) seen[9 * places[k] + i] = own[9 * k + i];
      }
    });
    parts_->team().collect(seen);
    return seen;
  }

  ExplicitMemory<T> memory() const override {
    ExplicitMemory<T> all;
    all.steps_done = steps_done();
    const auto put = [&]<class Value>(int p, const std::vector<Value>& own, std::vector<Value>& to,
                                      int width) {
      if (own.empty()) return;
      to.resize(at(width * parts_->nodes()));
      parts_->template put<Value>(p, own, to, width);
    };
    each([&](int p) {
      const ExplicitMemory<T> own = member(p).memory();
      put(p, own.u, all.u, 3);
      put(p, own.v, all.v, 3);
      put(p, own.work, all.work, 1);
      put(p, own.loss, all.loss, 1);
    });
    collect(all.u);
    collect(all.v);
    collect(all.work);
    collect(all.loss);
    return all;
  }
  void restore(const ExplicitMemory<T>& memory) override {
    const auto taken = [&]<class Value>(int p, const std::vector<Value>& all, int width) {
      if (all.empty()) return std::vector<Value>();
      return parts_->template taken<Value>(p, all, width);
    };
    each([&](int p) {
      member(p).restore({memory.steps_done, taken(p, memory.u, 3), taken(p, memory.v, 3),
                         taken(p, memory.work, 1), taken(p, memory.loss, 1)});
    });
    looked_at_ = memory.steps_done;
    look_at_ = looked_at_ + first_look;
  }

 private:
  struct Pattern {
    std::vector<double> values;
    Factor factor;
  };

  // Steps from one look at the times of members to the next, which costs a few computations of forces: soon
  // after the start, then ever more seldom.
  static constexpr std::int64_t first_look = 8;
  static constexpr std::int64_t most_between_looks = 1024;
  static constexpr int computations = 3;

  ExplicitDynamics<T>& member(int p) const { return *members_[at(p)]; }
  ExplicitDynamics<T>& first() const { return member(std::max(0, parts_->team().only())); }
  bool is_first(const exec::Member& of) const { return of.number() == std::max(0, parts_->team().only()); }

  /// Those of this process.
  template <class Body>
  void each(const Body& body) const {
    for (int p = 0; p < static_cast<int>(members_.size()); ++p) {
      if (parts_->team().here(p)) body(p);
    }
  }

  /// What each process knows of its part, for all: the same numbers, as a double has every float.
  template <class Value>
  void collect(std::vector<Value>& values) const {
    if (parts_->team().transport() == nullptr) return;
    std::vector<double> all(values.begin(), values.end());
    parts_->team().collect(all);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(all[i]);
  }

  void make_members() {
    members_.resize(at(parts_->team().size()));
    watched_of_.assign(members_.size(), {});
    parts_->team().run(
        [&](const exec::Member& of) { members_[at(of.number())] = parts_->motion_of(of, options_); });
  }

  void give_load(const Pattern& load) {
    each([&](int p) { member(p).add_load(parts_->template taken<double>(p, load.values, 3), load.factor); });
  }
  void give_motion(const Pattern& motion) {
    each([&](int p) {
      member(p).add_motion(parts_->template taken<double>(p, motion.values, 3), motion.factor);
    });
  }
  void give_held() {
    each([&](int p) {
      const std::vector<std::int8_t> local = parts_->template taken<std::int8_t>(p, held_, 3);
      std::vector<std::int32_t> own;
      for (std::size_t d = 0; d < local.size(); ++d) {
        if (local[d] != 0) own.push_back(static_cast<std::int32_t>(d));
      }
      member(p).hold(own);
    });
  }
  void give_watched() {
    std::vector<std::vector<std::size_t>> places(at(parts_->nodes()));  // in the list
    for (std::size_t i = 0; i < watched_.size(); ++i) places[at(watched_[i])].push_back(i);
    each([&](int p) {
      std::vector<std::int32_t> own;
      watched_of_[at(p)].clear();
      const std::vector<std::int32_t>& moved = parts_->moved(p);
      for (std::size_t k = 0; k < moved.size(); ++k) {
        for (const std::size_t place : places[at(moved[k])]) {
          own.push_back(static_cast<std::int32_t>(k));
          watched_of_[at(p)].push_back(place);
        }
      }
      member(p).watch(own);
    });
  }

  void look_at_times() {
    std::vector<double> seconds(members_.size());
    parts_->team().run([&](const exec::Member& of) {
      of.meet();
      seconds[at(of.number())] = member(of.number()).seconds_of_forces(computations);
    });
    const auto shares = balance_.look(seconds, steps_done() - looked_at_);
    looked_at_ = steps_done();
    look_at_ = looked_at_ + std::min(most_between_looks, std::max(first_look, looked_at_));
    if (shares) share_out(*shares);
  }

  void share_out(const std::vector<double>& shares) {
    const double began = now();
    const ExplicitMemory<T> memory = this->memory();
    members_.clear();
    parts_.reset();
    body_->share_out(shares);
    parts_ = body_->parts;
    make_members();
    if (!held_.empty()) give_held();
    for (const Pattern& load : loads_) give_load(load);
    for (const Pattern& motion : motions_) give_motion(motion);
    give_watched();
    const std::int64_t next_look = look_at_;
    restore(memory);
    look_at_ = next_look;
    const double cost = now() - began;
    std::string told;
    for (const double share : shares) told += fmt::format("{}{:.3g}", told.empty() ? "" : " : ", 100 * share);
    log::info("after {} steps elements are shared out anew, as {} %: {:.3g} s were lost by waiting",
              steps_done(), told, balance_.lost());
    balance_.shared_out(shares, cost);
  }

  std::vector<double> collected(std::vector<double> (ExplicitDynamics<T>::*values)() const) const {
    std::vector<double> all(at(3 * parts_->nodes()), 0.0);
    each([&](int p) { parts_->template put<double>(p, (member(p).*values)(), all, 3); });
    parts_->team().collect(all);
    return all;
  }

  std::shared_ptr<SharedBody<T>> body_;
  ExplicitOptions options_;
  domains::Balance balance_;
  std::shared_ptr<const ExplicitParts<T>> parts_;
  std::vector<std::unique_ptr<ExplicitDynamics<T>>> members_;
  // As they were given, of the whole body.
  std::vector<Pattern> loads_;
  std::vector<Pattern> motions_;
  std::vector<std::int8_t> held_;  // [nodes, 3] or none
  std::vector<std::int32_t> watched_;
  std::vector<std::vector<std::size_t>> watched_of_;  // [members] places in that list
  std::int64_t looked_at_ = 0;                        // after so many steps
  std::int64_t look_at_ = first_look;
};

template <class T>
class TeamBody final : public dynamics::ExplicitBody<T> {
 public:
  TeamBody(const SharedBody<T>& body, const std::vector<double>& shares)
      : body_(std::make_shared<SharedBody<T>>(body)) {
    body_->share_out(shares);
  }

  StableStep least_stable_step(std::span<const double> u) const override {
    return body_->parts->least_stable_step(u);
  }

  std::unique_ptr<dynamics::ExplicitMotion<T>> motion(const ExplicitOptions& options) const override {
    ExplicitOptions with_stable = options;
    if (options.stable.element < 0) with_stable.stable = least_stable_step({});
    return std::make_unique<TeamExplicit<T>>(body_, with_stable);
  }

 private:
  std::shared_ptr<SharedBody<T>> body_;
};

}  // namespace

template <class T>
std::unique_ptr<dynamics::ExplicitBody<T>> explicit_body(const exec::Team& team, const Setup& setup,
                                                         const ExplicitModel& model, const exec::Device& cpu,
                                                         domains::Balancing balancing) {
  return std::make_unique<TeamBody<T>>(
      SharedBody<T>{setup, model, cpu, balancing, team.devices(),
                    team.transport() != nullptr ? std::optional(team) : std::nullopt},
      team.shares());
}

template std::unique_ptr<dynamics::ExplicitBody<float>> explicit_body(const exec::Team&, const Setup&,
                                                                      const ExplicitModel&,
                                                                      const exec::Device&,
                                                                      domains::Balancing);
template std::unique_ptr<dynamics::ExplicitBody<double>> explicit_body(const exec::Team&, const Setup&,
                                                                       const ExplicitModel&,
                                                                       const exec::Device&,
                                                                       domains::Balancing);

}  // namespace setka::analysis
