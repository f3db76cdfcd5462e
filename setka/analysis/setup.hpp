// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/base/monitor.hpp"
#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// What all steps of a run share. The model must outlive it.
struct Setup {
  const model::Model* model = nullptr;
  std::vector<std::int32_t> section_of;  // [solids' elements] into model->sections; -1: a spring
  std::vector<std::int32_t> spring_of;   // [solids' elements] into model->springs; -1: no spring
  Solids solids;
  model::PointLayout points;                // integration points of the solids
  model::PointLayout points_of_parts;       // likewise, of the mesh's elements; empty: they are the same
  std::vector<double> initial_temperature;  // [mesh nodes]; empty: zero everywhere

  /// Nodes from this one on are of the imaginary part of a sector, which no rigid motion has.
  std::int32_t imaginary_nodes = std::numeric_limits<std::int32_t>::max();

  /// Where CalculiX chooses something that a deck leaves open, and Setka something else for its accuracy,
  /// that of CalculiX is taken: lengths of increments in *DYNAMIC without DIRECT, places that see each other
  /// in cavities.
  bool as_calculix = false;

  /// OUTPUT=3D, where anything becomes a solid: the fields of a frame have values at all nodes of the solids,
  /// after those of the mesh.
  bool shows_solids = false;

  /// Whose values the fields of a frame have.
  std::size_t result_nodes() const {
    return static_cast<std::size_t>(shows_solids ? solids.node_count() : model->mesh.node_count());
  }

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
  /// The points of each element of the mesh, as results have them: of its parts one after the other.
  const model::PointLayout& result_points() const {
    return points_of_parts.first_point.empty() ? points : points_of_parts;
  }

  /// As the user numbers it.
  std::int32_t element_label(std::int32_t element) const {
    return model->mesh.element_label(solids.mesh_element(element));
  }

  std::int64_t first_point(std::int32_t element) const {
    return points.first_point[static_cast<std::size_t>(element)];
  }
};

/// Makes the solids and all else that steps share, without checks: elements without a section and of bad
/// shape are let through. Elements that are not computed yet are an Error.
Setup set_up(const model::Model& model);

/// Values at the points of the solids, [points, components], in the order of result_points().
std::vector<double> result_point_values(const Setup& setup, int components, std::vector<double> values);

/// And back.
std::vector<double> solid_point_values(const Setup& setup, int components, std::vector<double> values);

/// Of values of the solids' elements the sums over the parts of each element of the mesh.
void add_up_parts(const Setup& setup, std::vector<double>& values);

/// The same for a run: an element without a section is an Error, elements of bad shape are BadElements.
Setup prepare(const model::Model& model, Monitor& monitor);

/// Error where an element is made of parts (Solids::wholes), for what is not computed with them. what: begins
/// the message.
void refuse_parts(const Setup& setup, std::string_view what);

/// Whether nothing but solids has stiffness: no springs, bars, shells, beams and superelements, which may
/// leave motions free.
bool solids_alone(const Setup& setup);

/// Coordinates of an element's nodes, [n, 3].
void element_coordinates(const Solids& solids, std::int32_t element, std::vector<double>& x);

/// Likewise of the nodes that loads on an element act on, Solids::loaded_nodes().
void loaded_coordinates(const Solids& solids, std::int32_t mesh_element, std::vector<double>& x);

/// Of values at all nodes, [nodes, 3], those of an element's nodes, [n, 3].
void element_values(const Solids& solids, std::int32_t element, std::span<const double> values,
                    std::vector<double>& own);

}  // namespace setka::analysis
