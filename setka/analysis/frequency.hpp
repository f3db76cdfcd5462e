// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// The loaded state about which a perturbation step moves: the end of the last static step before it.
struct Preload {
  std::vector<double> displacements;  // [3 solid nodes]
  std::vector<double> stresses;       // [points, 6]
  std::vector<double> temperature;    // [mesh nodes]; empty: zero

  /// Loads in force that change as the body moves, with their values: pressures, which turn with their faces,
  /// and centrifugal ones.
  std::vector<model::DistributedLoad> loads;
};

/// Of modes by nodal diameters: a shape and its imaginary part are those of the first sector, that of the
/// mesh; s sectors on, turned by s times the angle, it is the real part of (shape + i imaginary) e^(i
/// diameter s angle).
struct ModesOfWheel {
  double angle = 0;                            // radians, about the axis of *CYCLIC SYMMETRY MODEL
  std::vector<std::vector<double>> imaginary;  // [modes]

  /// What a mode is on a sector, from 1: so much of its shape, so much of the imaginary part.
  std::array<double, 2> parts(const model::Mode& mode, int sector) const;
};

/// The modes that later steps are sums of.
struct ModalBasis {
  bool of_temperature = false;              // shapes are temperatures of the solids' nodes then
  std::vector<model::Mode> modes;           // those between the two frequencies of the step
  std::vector<std::vector<double>> shapes;  // [modes] displacements of the solids' nodes, unit modal mass
                                            // of the body, of a wheel that of all sectors
  std::vector<std::int32_t> unknown_dofs;   // what was free to move, of what the user moves
  std::optional<Preload> preload;           // that they are about
  std::vector<double> temperature;          // [solid nodes] of materials, where they are of temperatures
  std::optional<ModesOfWheel> wheel;        // where they are by nodal diameters
};

/// Takes what a frequency step gives: all its modes, then the shape of each one that the user wants to see.
struct ModeSink {
  std::function<void(const model::ModeTable& table)> table;
  std::function<void(const model::Frame& frame)> shape;
};

/// An Error where a material of an element has none; asked_by: "*FREQUENCY".
void require_density(const Setup& setup, std::string_view asked_by);

/// What makes a frequency step impossible, as an Error: more modes than unknowns, a material without density.
void check_frequency(const Setup& setup, const model::Step& step, std::int32_t unknowns);

/// The lowest modes of the body that prescribed values hold at zero; loads have no part in it. Shapes are
/// scaled to unit modal mass, the largest entry is positive. preload: null where there is none;
/// basis: takes the shapes, unless null.
model::ModeTable solve_frequency(const Setup& setup, const LoadState& loads, const model::Step& step,
                                 int number, double total_time, const Preload* preload,
                                 const Computing& computing, const ModeSink& sink, Monitor& monitor,
                                 ModalBasis* basis = nullptr);

}  // namespace setka::analysis
