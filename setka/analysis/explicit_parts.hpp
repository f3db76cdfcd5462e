// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/analysis/explicit_model.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/dynamics/explicit_dynamics.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"

namespace setka::analysis {

/// The elements of a body in the parts of a team, each on its device. T: float or double.
template <class T>
class ExplicitParts {
 public:
  /// By the shares of the team. Error(Fault::usage) where there are more devices than elements.
  ExplicitParts(const exec::Team& team, const Setup& setup, const ExplicitModel& model,
                const exec::Device& cpu);

  const exec::Team& team() const { return team_; }
  std::int64_t nodes() const { return parts_->scalar_rows() / 3; }
  /// Those that a member moves.
  const std::vector<std::int32_t>& moved(int p) const { return parts_->part(p).rows; }

  /// About displacements [nodes, 3]; empty: none. The element is that of the model.
  dynamics::StableStep least_stable_step(std::span<const double> u) const;
  /// Of what each member found among its elements.
  dynamics::StableStep least(std::span<const dynamics::StableStep> of_members) const;

  std::unique_ptr<dynamics::ExplicitDynamics<T>> motion_of(const exec::Member& member,
                                                           const dynamics::ExplicitOptions& options) const;

  /// Of values of all nodes those that a member computes with, and of those that it moves back.
  template <class Value>
  std::vector<Value> taken(int p, std::span<const Value> all, int width) const {
    return parts_->template values_with_ghosts<Value>(p, all, width);
  }
  template <class Value>
  void put(int p, std::span<const Value> own, std::span<Value> all, int width) const {
    parts_->template put<Value>(p, own, all, width);
  }

 private:
  struct Own {
    std::shared_ptr<const dynamics::ExplicitElements<T>> elements;
    std::shared_ptr<const fem::LargeStrainForm<T>> beside;  // computed, and counted by another member
  };

  exec::Team team_;
  std::shared_ptr<const domains::SpaceParts> parts_;
  std::vector<Own> members_;
};

}  // namespace setka::analysis
