// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// What all steps of a run share. The model must outlive it.
struct Setup {
  const model::Model* model = nullptr;
  std::vector<std::int32_t> section_of;  // [elements] into model->sections; -1: a spring
  std::vector<std::int32_t> spring_of;   // [elements] into model->springs; -1: no spring
  Solids solids;
  model::PointLayout points;                // integration points of the solids
  std::vector<double> initial_temperature;  // [mesh nodes]; empty: zero everywhere

  /// Nodes from this one on are of the imaginary part of a sector, which no rigid motion has.
  std::int32_t imaginary_nodes = std::numeric_limits<std::int32_t>::max();

  bool is_spring(std::int32_t element) const { return spring_of[static_cast<std::size_t>(element)] >= 0; }

  /// Of one that is.
  const model::SpringSection& spring_section(std::int32_t element) const {
    return model->springs[static_cast<std::size_t>(spring_of[static_cast<std::size_t>(element)])];
  }

  /// Of an element that is no spring.
  const model::Material& material(std::int32_t element) const {
    const auto section = static_cast<std::size_t>(section_of[static_cast<std::size_t>(element)]);
    return model->materials[static_cast<std::size_t>(model->sections[section].material)];
  }
  std::int64_t first_point(std::int32_t element) const {
    return points.first_point[static_cast<std::size_t>(element)];
  }
};

/// Makes the solids and all else that steps share, without checks: elements without a section and of bad
/// shape are let through. Elements that are not computed yet are an Error.
Setup set_up(const model::Model& model);

/// The same for a run: an element without a section is an Error, elements of bad shape are BadElements.
Setup prepare(const model::Model& model, Monitor& monitor);

/// Whether nothing but solids has stiffness: no springs, bars, shells, beams and superelements, which may
/// leave motions free.
bool solids_alone(const Setup& setup);

/// Coordinates of an element's nodes, [n, 3].
void element_coordinates(const Solids& solids, std::int32_t element, std::vector<double>& x);

/// Of values at all nodes, [nodes, 3], those of an element's nodes, [n, 3].
void element_values(const Solids& solids, std::int32_t element, std::span<const double> values,
                    std::vector<double>& own);

}  // namespace setka::analysis
