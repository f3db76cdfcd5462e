// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "setka/dynamics/explicit_elements.hpp"
#include "setka/dynamics/explicit_kernel.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"

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

/// Central differences in time with lumped mass for a body under large displacements. Every sum has a fixed
/// order: a run has the same bits each time, on the CPU with any number of threads.
///
/// On a GPU steps are put in the stream without waiting; samples of energies come back 64 at a time.
template <class T>
class ExplicitDynamics {
 public:
  using Factor = std::function<double(double time)>;  // empty: 1 at all times

  /// Error(Fault::input) where the step asked for is not below the stable one, which it names.
  explicit ExplicitDynamics(std::shared_ptr<const ExplicitElements<T>> elements,
                            const ExplicitOptions& options = {});

  /// Before the first step. [nodes, 3]; both are zero where they are not given.
  void set_displacements(std::span<const double> u);
  void set_velocities(std::span<const double> v);

  /// Nodal forces, [nodes, 3], times a factor at each time. A second call replaces the first.
  void set_load(std::span<const double> force, Factor factor = {});

  /// The same beside those that are there already.
  void add_load(std::span<const double> force, Factor factor = {});

  /// Degrees of freedom (3 node + direction) whose displacements are values x factor. Before the first step.
  /// Where all values are zero they stay where they start.
  void hold(std::span<const std::int32_t> dofs, std::span<const double> values = {}, Factor factor = {});

  /// Displacements of held directions, [nodes, 3], times a factor, beside those that are there already.
  /// Before the first step.
  void add_motion(std::span<const double> values, Factor factor = {});

  /// So many steps; returns the samples of energies taken meanwhile. Error(Fault::input) where the balance of
  /// energies drifts; checked when samples come back. Without samples it does not wait.
  std::vector<ExplicitEnergies> run(std::int64_t steps);

  double step() const { return step_; }
  double stable_step() const { return stable_.step; }              // of the undeformed body
  std::int32_t stable_element() const { return stable_.element; }  // that demands it
  std::int64_t steps_done() const { return done_; }
  double time() const { return static_cast<double>(done_) * step_; }

  /// [nodes, 3]. Velocities are those half a step before the time of the displacements.
  std::vector<double> displacements() const;
  std::vector<double> velocities() const;

  /// What is to be seen at the time of the displacements: the forces of the elements are computed once more,
  /// and the run goes on as if nothing had been. Returns the energies; waits.
  ExplicitEnergies look();
  /// As the last look() saw them, [nodes, 3]: velocities at the time of the displacements, and the forces of
  /// the elements' stresses.
  std::vector<double> seen_velocities() const;
  std::vector<double> seen_forces() const;
  /// Displacements, and these two, of some nodes: [chosen, 9]. Nothing else crosses the bus.
  std::vector<double> seen_at(const exec::Array<std::int32_t>& nodes) const;
  /// Part of the internal energy, now; 0 without C3D8R.
  double hourglass_energy() { return elements_->form().hourglass_energy(u_.device(), u_, forces_); }

  ExplicitMemory<T> memory() const;
  /// Goes on from there; the body, its loads and what is held are given as they were.
  void restore(const ExplicitMemory<T>& memory);
  exec::View<const T> displacement_view() const { return u_; }
  exec::View<const T> velocity_view() const { return v_; }
  const ExplicitElements<T>& elements() const { return *elements_; }

 private:
  /// A sum of vectors, each by its factor at a time.
  struct Varying {
    struct Pattern {
      exec::Array<T> values;
      Factor factor;
    };
    struct Now {
      const T* values = nullptr;  // null: none
      T factor = 0;
    };
    explicit Varying(const exec::Device& device) : sum(device) {}
    Now at(double time);

    std::vector<Pattern> patterns;
    exec::Array<T> sum;           // of several
    std::vector<double> factors;  // that are in it
  };
  kernel::ExplicitStep<T> step_body() const;
  void set_factors(kernel::ExplicitStep<T>& body);  // at the present time
  void collect(std::vector<ExplicitEnergies>& samples);
  void check_balance(const ExplicitEnergies& sample);
  void check_size(std::span<const double> values, const char* what) const;
  void check_not_started(const char* what) const;

  std::shared_ptr<const ExplicitElements<T>> elements_;
  ExplicitOptions options_;
  exec::Array<T> u_;
  exec::Array<T> v_;
  exec::Array<T> mass_;
  exec::Array<T> forces_;  // element vector
  Varying loads_;
  Varying motions_;  // none: held directions rest
  exec::Array<std::uint8_t> held_;
  exec::Array<double> work_;
  exec::Array<double> loss_;
  exec::Array<kernel::NodeEnergies> of_nodes_;
  exec::Array<kernel::NodeEnergies> node_samples_;
  exec::Array<double> internal_samples_;
  exec::Array<T> seen_v_;
  exec::Array<T> seen_f_;
  StableStep stable_;
  double step_;
  std::int64_t done_ = 0;
  std::vector<double> sample_times_;  // of samples that are still on the device
  std::optional<double> first_balance_;
  double largest_energy_ = 0;
};

}  // namespace setka::dynamics
