// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// What a step of modes is a sum of, displacements or temperatures: what drives the modes, and what is
/// written of a sum.
class ModalField {
 public:
  virtual ~ModalField() = default;
  ModalField(const ModalField&) = delete;
  ModalField& operator=(const ModalField&) = delete;

  const ModalLoads& loads() const { return loads_; }

  /// Whether rates of a sum are written.
  virtual bool has_velocities() const = 0;
  virtual bool has_accelerations() const = 0;

  /// u, its rate v and its second rate a at the solids' nodes; empty where they are not written.
  virtual void fill(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& a,
                    model::Frame& frame) const = 0;

 protected:
  explicit ModalField(ModalLoads loads) : loads_(std::move(loads)) {}
  ModalLoads loads_;
};

/// Setup, basis and computing outlive it.
std::unique_ptr<const ModalField> modal_field(const Setup& setup, const LoadState& loads,
                                              const model::Step& step, const ModalBasis& basis,
                                              const Computing& computing, Monitor& monitor);

}  // namespace setka::analysis
