// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/cavity.hpp"
#include "setka/analysis/heat_field.hpp"
#include "setka/analysis/heat_loads.hpp"
#include "setka/analysis/heat_part.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/exec/team.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// One attempt at an increment.
struct HeatSolve {
  int iterations = 0;   // of Newton's method
  int inner = 0;        // of conjugate gradients
  double change = 0;    // the largest of a temperature that is not prescribed, in the first iteration
  double residual = 0;  // heat out of balance over what passes, at the end
  bool converged = true;
  std::string trouble;
};

/// Temperatures in balance: C (T - T0) / dt + K T = f - what faces give off, solved for T by Newton's method.
/// As in CalculiX T0 has the new value where one is prescribed that jumps: it gives its neighbours no heat at
/// once. What follows an amplitude does not jump.
/// K and C may change with T; then they are made anew in every iteration, and their own change is left to the
/// iteration. On a team each member has the temperatures of its part.
class HeatBalance {
 public:
  /// temperature: [mesh nodes] at the start; steady: nothing is kept (no C).
  HeatBalance(const Setup& setup, const LoadState& loads, const Computing& computing,
              std::span<const double> temperature, bool steady, Monitor& monitor);

  /// Tries an increment that ends at a time; the state stays what it was until accept(). most_change: above,
  /// the first iteration's change ends the attempt. length: of the increment; of no account where steady.
  HeatSolve advance(const HeatTime& time, double length, double most_change, Monitor& monitor);
  void accept();

  std::int64_t unknowns() const { return space_.space.unknown_count(); }
  const std::string& method() const { return first().method(); }
  int hierarchies() const { return first().hierarchies(); }

  // Of the state.
  std::vector<double> temperatures() const;  // [solid nodes]
  void fill_frame(const Wanted& wanted, model::Frame& frame) const;

 private:
  using Put = void (HeatPart::*)(std::span<double> all) const;

  void share_out(Monitor& monitor);
  void make_parts();
  /// Error(Fault::input) where a part of a steady model takes any temperature: nothing is prescribed in it,
  /// and no face of it loses heat.
  void require_held() const;
  void take_sources(const HeatTime& time, Monitor& monitor);
  std::span<const std::int8_t> jumps();
  std::vector<PrescribedChange> changes_by(const HeatTime& time);
  void take_constraints(const HeatTime& time, Monitor& monitor);
  void update_coefficients(Monitor& monitor);
  void take_losses(const HeatTime& time);
  void give_losses();
  void assemble(double per_time, Monitor& monitor);
  bool nonlinear() const {
    return first().materials().conductivity_varies() || first().materials().capacity_varies() || radiates_;
  }

  std::size_t solid_nodes() const { return static_cast<std::size_t>(setup_.solids.node_count()); }
  /// The part of this process, or the first one.
  HeatPart& first() const {
    return *parts_[team_ ? static_cast<std::size_t>(std::max(0, team_->only())) : 0];
  }
  /// Lets all parts do something together; what the first gave.
  template <class Do>
  auto together(Monitor& monitor, const Do& work) const;
  /// What all parts put, for everybody.
  std::vector<double> collected(Put put, std::size_t size) const;

  const Setup& setup_;
  const LoadState& loads_;
  const Computing& computing_;
  std::optional<exec::Team> team_;  // none: one device computes
  bool steady_;
  std::vector<double> start_;  // [mesh nodes]
  HeatSpace space_;
  std::shared_ptr<const domains::SpaceParts> shared_;  // where there is a team
  std::vector<std::int8_t> elements_here_;             // of this process's part; empty: all
  std::vector<std::unique_ptr<HeatPart>> parts_;       // [members]
  std::vector<FaceLoss> losses_;
  std::vector<std::int32_t> loss_amplitudes_;
  std::vector<double> loss_factors_;  // of these and of the share of the step, as losses_ has them
  std::optional<Cavities> cavities_;
  bool radiates_ = false;
  double zero_ = 0;
  std::optional<double> made_for_;  // 1 / dt of the matrix that the solver has; none: of other materials
  std::vector<FaceLoss> made_with_;
  std::vector<HeatSource> sources_;
  std::vector<bool> computed_;   // [sources] parts have them
  std::vector<double> factors_;  // of the sources as parts have added them up
  bool has_sources_ = false;
  bool has_coefficients_ = false;
  bool varies_;  // with time: what is prescribed
  bool couples_;
  bool fits_ = false;                      // the state has what is prescribed, for good
  std::vector<std::int8_t> jumps_;         // [solid nodes], where it was asked for
  std::vector<double> shifts_;             // [solid nodes] what the state has; empty: of before the step
  std::vector<double> first_shifts_;       // of the first increment that is tried
  std::vector<PrescribedChange> changes_;  // of what is tried
};

}  // namespace setka::analysis
