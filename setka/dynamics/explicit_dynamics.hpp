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
#include "setka/dynamics/explicit_motion.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/large_strain_form.hpp"

namespace setka::dynamics {

/// The part of a body that a member of a team moves: the first of its nodes. The others are ghosts, which
/// come from those who move them, in the order of the links.
template <class T>
struct ExplicitShare {
  exec::Member member;
  std::int64_t nodes = 0;
  std::vector<exec::Link> links;  // in nodes
  /// Elements that the member computes, since its nodes have them, and another one counts; of the same nodes.
  /// May be none.
  std::shared_ptr<const fem::LargeStrainForm<T>> beside = nullptr;
};

/// Central differences in time with lumped mass for a body under large displacements. Every sum has a fixed
/// order: a run has the same bits each time, on the CPU with any number of threads.
///
/// On a GPU steps are put in the stream without waiting; samples of energies come back 64 at a time.
///
/// Of a member of a team vectors are of its nodes and of ghosts; all members do everything together but what
/// is given before the first step, and energies are those of the whole body.
template <class T>
class ExplicitDynamics final : public ExplicitMotion<T> {
 public:
  using typename ExplicitMotion<T>::Factor;

  /// Error(Fault::input) where the step asked for is not below the stable one, which it names. With a share
  /// the stable step is given, and no energies are sampled.
  explicit ExplicitDynamics(std::shared_ptr<const ExplicitElements<T>> elements,
                            const ExplicitOptions& options = {},
                            std::optional<ExplicitShare<T>> share = std::nullopt);

  void set_displacements(std::span<const double> u) override;
  void set_velocities(std::span<const double> v) override;

  /// Nodal forces, [nodes, 3], times a factor at each time. A second call replaces the first.
  void set_load(std::span<const double> force, Factor factor = {});

  void add_load(std::span<const double> force, Factor factor = {}) override;

  void hold(std::span<const std::int32_t> dofs) override { hold(dofs, {}, {}); }

  /// Degrees of freedom (3 node + direction) whose displacements are values x factor. Before the first step.
  /// Where all values are zero they stay where they start.
  void hold(std::span<const std::int32_t> dofs, std::span<const double> values, Factor factor = {});

  void add_motion(std::span<const double> values, Factor factor = {}) override;

  /// So many steps; returns the samples of energies taken meanwhile. Error(Fault::input) where the balance of
  /// energies drifts; checked when samples come back. Without samples it does not wait.
  std::vector<ExplicitEnergies> run(std::int64_t steps);

  void advance(std::int64_t steps) override { run(steps); }
  void wait() const override { u_.device().synchronize(); }

  double step() const { return step_; }
  double stable_step() const { return stable_.step; }              // of the undeformed body
  std::int32_t stable_element() const { return stable_.element; }  // that demands it
  std::int64_t steps_done() const override { return done_; }
  double time() const override { return static_cast<double>(done_) * step_; }

  std::vector<double> displacements() const override;
  /// [nodes, 3], half a step before the time of the displacements.
  std::vector<double> velocities() const;

  ExplicitEnergies look() override;
  std::vector<double> seen_velocities() const override;
  std::vector<double> seen_forces() const override;
  void watch(std::span<const std::int32_t> nodes) override {
    watched_ = exec::Array<std::int32_t>(u_.device(), nodes);
  }
  std::vector<double> seen_of_watched() const override { return seen_at(watched_); }
  /// The same of nodes that are on the device.
  std::vector<double> seen_at(const exec::Array<std::int32_t>& nodes) const;

  double hourglass_energy() override;
  StableStep least_stable_step() const override { return elements_->least_stable_step(u_.device(), u_); }

  /// That a computation of the elements' forces takes, the shortest of so many. Forces are not kept from one
  /// step to the next, and the run goes on as if nothing had been.
  double seconds_of_forces(int computations);

  ExplicitMemory<T> memory() const override;
  void restore(const ExplicitMemory<T>& memory) override;
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
  std::int64_t moved() const { return share_ ? share_->nodes : elements_->node_count(); }
  double over_team(double value) const { return share_ ? share_->member.sum(value) : value; }
  /// Where others have moved the ghosts to.
  void exchange(const exec::Stream& stream);
  kernel::ExplicitStep<T> step_body() const;
  void set_factors(kernel::ExplicitStep<T>& body);  // at the present time
  void collect(std::vector<ExplicitEnergies>& samples);
  void check_balance(const ExplicitEnergies& sample);
  void check_size(std::span<const double> values, const char* what) const;
  void check_not_started(const char* what) const;

  std::shared_ptr<const ExplicitElements<T>> elements_;
  ExplicitOptions options_;
  std::optional<ExplicitShare<T>> share_;
  std::optional<exec::Ghosts<T>> ghosts_;
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
  exec::Array<std::int32_t> watched_;
  StableStep stable_;
  double step_;
  std::int64_t done_ = 0;
  std::vector<double> sample_times_;  // of samples that are still on the device
  std::optional<double> first_balance_;
  double largest_energy_ = 0;
};

}  // namespace setka::dynamics
