// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/dense.hpp"
#include "setka/base/monitor.hpp"
#include "setka/dynamics/oscillator.hpp"

namespace setka::analysis {

/// Prescribed values that vary by one amplitude, and what they are for a factor of one.
struct BasePattern {
  std::int32_t amplitude;
  bool imaginary;
  bool acceleration;
  bool of_imaginary_values;  // value_of is asked of these
  PrescribedNow value_of;
};

std::vector<BasePattern> base_patterns(const LoadState& loads, const model::Step& step);

/// With the values of a pattern; those of the imaginary part are prescribed where the real part's are.
fem::Constraints constraints_of(const Setup& setup, const LoadState& loads, const BasePattern& pattern);

/// All forces that vary by one amplitude, for a factor of one.
struct ModalForce {
  std::int32_t amplitude = -1;
  bool imaginary = false;
  int sector = 1;                // of a wheel that it acts on, as that sector sees it
  std::vector<double> force;     // [3 solid nodes]
  std::vector<double> on_modes;  // [modes] its work on each shape
};

/// All prescribed values that vary by one amplitude, for a factor of one.
struct BaseShape {
  std::int32_t amplitude = -1;
  bool imaginary = false;
  bool acceleration = false;     // the amplitude is that of the acceleration
  std::vector<double> shape;     // [3 solid nodes] displacements where they act slowly
  std::vector<double> on_modes;  // [modes] shape' M mode, of what is free
};

/// What drives the modes of a step: u = sum of factor times base shape + sum of q times mode.
struct ModalLoads {
  std::vector<ModalForce> forces;
  std::vector<BaseShape> bases;
};

/// What a dashpot does to the modes: its force is constant times how fast it grows longer.
struct ModalDashpot {
  const model::Table* constant = nullptr;  // over the frequency
  std::vector<double> on_modes;            // [modes] how much longer each makes it
};

/// The modes with the damping of the step.
struct DampedModes {
  std::vector<dynamics::Oscillator> modes;
  std::vector<double> loss;  // [modes] structural
  double of_base = 0;        // damping force on a mode per velocity of a base's on_modes
  std::vector<ModalDashpot> dashpots;
  bool damped() const;

  /// What all dashpots do at a frequency (cycles per time), [modes, modes]; of size 0 without any.
  Dense coupling(double frequency) const;
};

/// Refuses what a step of modes cannot have: no modes before it, *TEMPERATURE.
void check_modal(const Setup& setup, const LoadState& loads, const model::Step& step,
                 const ModalBasis* basis);

/// M u, element after element. u: [3 solid nodes]
std::vector<double> mass_times(const Setup& setup, const ElementState& state, const std::vector<double>& u);

ModalLoads modal_loads(const Setup& setup, const LoadState& loads, const model::Step& step,
                       const ModalBasis& basis, const ElementState& state, const Computing& computing,
                       Monitor& monitor);

DampedModes damped_modes(const Setup& setup, const model::Step& step, const ModalBasis& basis);

/// An Error where a base moves the ends of dashpots, which is not computed.
void require_dashpots_on_modes(const Setup& setup, const model::Step& step, const ModalLoads& loads);

/// Materials and preload as the modes have them; basis must outlive it.
ElementState modal_state(const Setup& setup, const ModalBasis& basis);

/// The sum of shapes; q: [modes], base: [bases]. Returns [3 solid nodes].
std::vector<double> superposed(const ModalBasis& basis, const ModalLoads& loads, std::span<const double> q,
                               std::span<const double> base, int threads);

}  // namespace setka::analysis
