// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "setka/dynamics/explicit_elements.hpp"

namespace setka::dynamics {

struct ExplicitOptions {
  double step = 0;  // 0: safety x the stable step of the undeformed body
  double safety = 0.9;
  double damping = 0;  // per unit of mass: force = - damping m v
  int energy_every =
      0;  // steps from one sample of energies to the next; 0: none, and no check of their drift
  double energy_drift = 0.05;  // beyond this share of the largest energy the run stops
  StableStep stable = {};      // where it is known already; element -1: found anew
};

/// At a time of the run. Their balance is kinetic + internal + damping - external.
struct ExplicitEnergies {
  double time = 0;
  double kinetic = 0;
  double internal = 0;
  double external = 0;  // work of loads and of what moves held nodes
  double damping = 0;   // work lost
  double balance() const { return kinetic + internal + damping - external; }
};

/// All that a run needs to go on with the same bits.
template <class T>
struct ExplicitMemory {
  std::int64_t steps_done = 0;
  std::vector<T> u;  // [nodes, 3]
  std::vector<T> v;
  std::vector<double> work;  // [nodes] or empty
  std::vector<double> loss;
};

/// A body that moves by explicit steps in time, on one device or on several. Vectors are of all its nodes,
/// [nodes, 3].
template <class T>
class ExplicitMotion {
 public:
  using Factor = std::function<double(double time)>;  // empty: 1 at all times

  ExplicitMotion() = default;
  ExplicitMotion(const ExplicitMotion&) = delete;
  ExplicitMotion& operator=(const ExplicitMotion&) = delete;
  virtual ~ExplicitMotion() = default;

  /// Before the first step. Both are zero where they are not given.
  virtual void set_displacements(std::span<const double> u) = 0;
  virtual void set_velocities(std::span<const double> v) = 0;

  /// Nodal forces times a factor at each time, beside those that are there already.
  virtual void add_load(std::span<const double> force, Factor factor) = 0;

  /// Degrees of freedom (3 node + direction) that stay where they start, or follow motions. Before the first
  /// step.
  virtual void hold(std::span<const std::int32_t> dofs) = 0;

  /// Displacements of held directions times a factor, beside those that are there already. Before the first
  /// step.
  virtual void add_motion(std::span<const double> values, Factor factor) = 0;

  /// So many steps. A GPU may still have work to do when it returns; wait() waits for that.
  virtual void advance(std::int64_t steps) = 0;
  virtual void wait() const = 0;

  virtual double time() const = 0;
  virtual std::int64_t steps_done() const = 0;
  virtual std::vector<double> displacements() const = 0;

  /// What is to be seen at the time of the displacements: the forces of the elements are computed once more,
  /// and the run goes on as if nothing had been. Returns the energies; waits.
  virtual ExplicitEnergies look() = 0;
  /// As the last look() saw them: velocities at the time of the displacements, and the forces of the
  /// elements' stresses.
  virtual std::vector<double> seen_velocities() const = 0;
  virtual std::vector<double> seen_forces() const = 0;
  /// Displacements, and these two, of some nodes: [watched, 9]. Nothing else crosses the bus.
  virtual void watch(std::span<const std::int32_t> nodes) = 0;
  virtual std::vector<double> seen_of_watched() const = 0;

  /// Part of the internal energy, now; 0 without C3D8R.
  virtual double hourglass_energy() = 0;

  /// About the displacements that there are.
  virtual StableStep least_stable_step() const = 0;

  virtual ExplicitMemory<T> memory() const = 0;
  /// Goes on from there; the body, its loads and what is held are given as they were.
  virtual void restore(const ExplicitMemory<T>& memory) = 0;
};

/// What such motions are made of.
template <class T>
class ExplicitBody {
 public:
  ExplicitBody() = default;
  ExplicitBody(const ExplicitBody&) = delete;
  ExplicitBody& operator=(const ExplicitBody&) = delete;
  virtual ~ExplicitBody() = default;

  /// About displacements [nodes, 3]; empty: none.
  virtual StableStep least_stable_step(std::span<const double> u) const = 0;

  /// Error(Fault::input) where the step asked for is not below the stable one, which it names. The body
  /// outlives it.
  virtual std::unique_ptr<ExplicitMotion<T>> motion(const ExplicitOptions& options) const = 0;
};

}  // namespace setka::dynamics
