// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "setka/analysis/shapes.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "setka/model/element_type.hpp"

/// What a deck holds, and what would stop a run of it, found without solving.
namespace setka::analysis {

struct ElementCount {
  model::ElementType type;
  std::int64_t count;
};

struct SetSummary {
  std::string name;
  std::string_view kind;  // "nodes", "elements", "surface of faces", "surface of nodes"
  std::int64_t size;
};

struct MaterialSummary {
  std::string name;
  std::vector<std::string> defined;  // "elastic", "density", "expansion"
  std::int64_t elements = 0;
  double volume = 0;           // of solid, plane and axisymmetric elements; the latter as whole rings
  std::optional<double> mass;  // where there is a density; at the initial temperatures
};

/// One step as a run would begin it, with what earlier steps left in force.
struct StepCheck {
  int step = 1;
  std::string_view kind;                 // "static", "frequency"
  std::optional<std::int64_t> unknowns;  // none: an error is in the way
  std::int64_t prescribed = 0;           // directions of nodes with a value
  std::int64_t point_loads = 0;
  std::int64_t distributed_loads = 0;
  std::int64_t temperatures = 0;
  std::vector<std::string> free_motions;  // one text a body that is not held
};

struct DeckCheck {
  std::int64_t nodes = 0;
  std::int64_t equations = 0;
  std::int64_t parts = 0;                  // of the mesh that hang together by no node
  std::vector<std::int32_t> unused_nodes;  // by number: of no element and no equation
  std::vector<ElementCount> elements;      // by type
  std::vector<SetSummary> sets;
  std::vector<MaterialSummary> materials;
  double volume = 0;
  std::optional<double> mass;                   // where all elements have a density
  std::optional<std::array<double, 3>> center;  // of mass; of volume where there is no mass
  std::array<double, 3> least{};                // corners of the box around all nodes of elements
  std::array<double, 3> most{};
  ShapeSurvey shapes;
  std::vector<StepCheck> steps;
  std::vector<deck::Unsupported> unsupported;
  std::vector<std::string> errors;  // each as a run would say it
  std::vector<std::string> warnings;

  bool could_run() const { return errors.empty() && unsupported.empty(); }
  std::int64_t element_count() const;
};

/// deck: read with Completeness::unchecked.
DeckCheck check_deck(const deck::Deck& deck, Monitor& monitor);

namespace detail {

/// The steps' part of it: constraints, loads and free motions; errors go to check.errors.
void check_steps(const model::Model& model, bool elements_complete, DeckCheck& check, Monitor& monitor);

/// Adds an error unless it was told already.
void add_error(DeckCheck& check, const std::string& text);

}  // namespace detail

}  // namespace setka::analysis
