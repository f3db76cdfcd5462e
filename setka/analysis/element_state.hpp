// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/analysis/spring.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {

/// Materials at the integration points, in global axes, at given temperatures.
class ElementState {
 public:
  /// temperature: [mesh nodes] or [solid nodes] now; empty: the initial ones.
  ElementState(const Setup& setup, std::span<const double> temperature);

  /// For small motions about a state, such as modes: strains and stresses of temperature and initial ones are
  /// no part of them. Materials stay as they are at the temperature.
  void leave_out_free_strains() { leaves_out_free_strains_ = true; }

  /// The state that such motions are about: displacements of the solids' nodes, [3 nodes], which must outlive
  /// this; empty: the body at rest.
  void set_preload(std::span<const double> displacements) { preload_ = displacements; }
  std::span<const double> preload() const { return preload_; }

  /// The stiffness of a solid or a spring, [3n, 3n]. May be called from several threads at once.
  void element_matrix(std::int32_t element, std::span<double> k) const;

  /// Whether the material is one matrix throughout: no temperatures, no axes of its own.
  bool is_plain(std::int32_t element) const;

  /// Materials; d: [points, 36]
  void stiffness(std::int32_t element, std::vector<double>& d) const;

  /// Thermal strain and initial strain, engineering shear; e0: [points, 6]. False, and nothing written, when
  /// there is none.
  bool free_strain(std::int32_t element, std::vector<double>& e0) const;

  /// Whether strainless_stress() has something to say of the element; cheap.
  bool has_strainless_stress(std::int32_t element) const;

  /// The stress that is there without strain, initial stress - D free strain; d: of stiffness(); s: [points,
  /// 6]. False, and nothing written, when there is none.
  bool strainless_stress(std::int32_t element, std::span<const double> d, std::vector<double>& s) const;

  /// Initial stress; s0: [points, 6]. False, and nothing written, when there is none.
  bool initial_stress(std::int32_t element, std::vector<double>& s0) const;

  double density(std::int32_t element) const;

  /// With its constant at the mean temperature of its nodes, or its curve.
  Spring spring(std::int32_t element) const;

 private:
  void temperatures(std::int32_t element, std::span<const double> at_solid_nodes,
                    std::vector<double>& at_points) const;
  std::vector<double> point_places(std::int32_t element) const;  // [points, 3]
  const model::LocalSystem* orientation(std::int32_t element) const;

  /// Directions of the material at the points of an element.
  struct PointAxes {
    const model::LocalSystem* system = nullptr;
    std::optional<model::Axes> of_shell;  // at all points
    std::vector<double> places;           // [points, 3] of others
    model::Axes at(std::size_t point) const;
  };

  /// Whether its material has directions of its own.
  bool is_turned(std::int32_t element) const;
  PointAxes point_axes(std::int32_t element) const;  // of one that has

  const Setup& setup_;
  bool leaves_out_free_strains_ = false;
  std::span<const double> preload_;
  std::vector<double> temperature_;          // [solid nodes]; empty: zero
  std::vector<double> initial_temperature_;  // [solid nodes]; empty: zero
  std::vector<std::vector<double>> plain_;   // [materials] D where it is one matrix everywhere, else empty
  std::vector<std::vector<double>> initial_stress_;  // [elements with initial stress: points, 6]; empty: none
  std::vector<std::vector<double>> initial_strain_;
};

/// How a spring acts, without its constant.
Spring spring_directions(const Setup& setup, std::int32_t element);

}  // namespace setka::analysis
