// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/user_material.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_shape.hpp"
#include "setka/fem/elements.hpp"
#include "setka/mesh/parts.hpp"
#include "setka/model/attributes.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

void count_elements(const mesh::Mesh& mesh, DeckCheck& check) {
  std::map<std::pair<mesh::Cell, std::uint8_t>, std::int64_t> counts;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) ++counts[{mesh.cell(e), mesh.attribute(e)}];
  for (const deck::NamedElement& known : deck::elements()) {
    const auto found = counts.find({known.type.cell, known.type.attribute()});
    if (found != counts.end()) check.elements.push_back({known.type, found->second});
  }
}

void list_sets(const model::Model& model, DeckCheck& check) {
  const auto size = [](const auto& members) { return static_cast<std::int64_t>(members.size()); };
  for (const model::NodeSet& set : model.node_sets)
    check.sets.push_back({set.name, "nodes", size(set.nodes)});
  for (const model::ElementSet& set : model.element_sets)
    check.sets.push_back({set.name, "elements", size(set.elements)});
  for (const model::Surface& surface : model.surfaces) {
    if (surface.of_nodes)
      check.sets.push_back({surface.name, "surface of nodes", size(surface.nodes)});
    else
      check.sets.push_back({surface.name, "surface of faces", size(surface.faces)});
  }
}

/// The box of the nodes that elements have, and the nodes that nothing has.
void look_at_nodes(const model::Model& model, DeckCheck& check) {
  const mesh::Mesh& mesh = model.mesh;
  const mesh::Parts parts = mesh::connected_parts(mesh);
  check.parts = parts.count();
  std::vector<char> in_equation(static_cast<std::size_t>(mesh.node_count()), 0);
  for (const model::Equation& equation : model.equations) {
    for (const model::EquationTerm& term : equation.terms)
      in_equation[static_cast<std::size_t>(term.node)] = 1;
  }
  if (mesh.element_count() > 0) {
    check.least.fill(std::numeric_limits<double>::infinity());
    check.most.fill(-std::numeric_limits<double>::infinity());
  }
  for (std::int32_t n = 0; n < mesh.node_count(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    if (parts.of_node[i] < 0) {
      if (in_equation[i] == 0) check.unused_nodes.push_back(mesh.node_label(n));
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      check.least[k] = std::min(check.least[k], mesh.coordinates(n)[k]);
      check.most[k] = std::max(check.most[k], mesh.coordinates(n)[k]);
    }
  }
  if (!check.unused_nodes.empty()) {
    const bool one = check.unused_nodes.size() == 1;
    check.warnings.push_back(fmt::format("{} {} to no element: {}", one ? "a node" : "nodes",
                                         one ? "belongs" : "belong", some_numbers(check.unused_nodes)));
  }
}

/// [mesh nodes], zero where none is given.
std::vector<double> initial_temperatures(const model::Model& model) {
  std::vector<double> temperature(static_cast<std::size_t>(model.mesh.node_count()), 0.0);
  for (const model::NodeTemperature& given : model.initial_temperatures)
    temperature[static_cast<std::size_t>(given.node)] = given.value;
  return temperature;
}

std::vector<MaterialSummary> material_summaries(const model::Model& model) {
  std::vector<MaterialSummary> summaries;
  for (const model::Material& material : model.materials) {
    MaterialSummary& summary = summaries.emplace_back();
    summary.name = material.name;
    if (!material.elastic.empty()) summary.defined.emplace_back("elastic");
    if (!material.hyperelastic.empty()) summary.defined.emplace_back("hyperelastic");
    if (!material.density.empty()) {
      summary.defined.emplace_back("density");
      summary.mass = 0;
    }
    if (!material.expansion.empty()) summary.defined.emplace_back("expansion");
    if (!material.conductivity.empty()) summary.defined.emplace_back("conductivity");
    if (!material.specific_heat.empty()) summary.defined.emplace_back("specific heat");
  }
  return summaries;
}

void measure(const model::Model& model, DeckCheck& check) {
  const mesh::Mesh& mesh = model.mesh;
  const std::vector<double> temperature = initial_temperatures(model);
  const std::vector<std::int32_t> section_of = model::sections_of_elements(model);
  check.materials = material_summaries(model);
  check.mass = 0;
  std::array<double, 3> of_volume{};
  std::array<double, 3> of_mass{};
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const std::int32_t section = section_of[static_cast<std::size_t>(e)];
    const model::Section* own = section < 0 ? nullptr : &model.sections[static_cast<std::size_t>(section)];
    if (own != nullptr) ++check.materials[static_cast<std::size_t>(own->material)].elements;
    if (model::is_spring(model::family(mesh, e))) continue;  // no volume, no mass
    fem::ElementMeasure size = fem::element_measure(mesh, e, own == nullptr ? 1 : own->thickness);
    const double sign = size.volume < 0 ? -1 : 1;  // an element inside out takes its space all the same
    size.volume *= sign;
    check.volume += size.volume;
    for (std::size_t k = 0; k < 3; ++k) of_volume[k] += sign * size.moment[k];
    if (own == nullptr) check.mass.reset();
    double mean = 0;
    for (const std::int32_t node : mesh.nodes(e)) mean += temperature[static_cast<std::size_t>(node)];
    mean /= static_cast<double>(mesh.nodes(e).size());
    for (std::int32_t s = section; s >= 0; s = model.sections[static_cast<std::size_t>(s)].layer_above) {
      const model::Section& layer = model.sections[static_cast<std::size_t>(s)];
      const double share = (layer.layer[1] - layer.layer[0]) / 2;
      const model::Material& material = model.materials[static_cast<std::size_t>(layer.material)];
      MaterialSummary& summary = check.materials[static_cast<std::size_t>(layer.material)];
      summary.volume += share * size.volume;
      if (material.density.empty()) {
        check.mass.reset();
        continue;
      }
      const double density = share * analysis::density(model, material, mean);
      *summary.mass += density * size.volume;
      if (check.mass) *check.mass += density * size.volume;
      for (std::size_t k = 0; k < 3; ++k) of_mass[k] += density * sign * size.moment[k];
    }
  }
  const bool heavy = check.mass && *check.mass > 0;
  if (!heavy && !(check.volume > 0)) return;
  check.center = heavy ? of_mass : of_volume;
  for (double& x : *check.center) x /= heavy ? *check.mass : check.volume;
}

/// Elastic constants at the temperatures where they are given.
void check_materials(const model::Model& model, DeckCheck& check) {
  for (const model::Material& material : model.materials) {
    for (const model::TableRow& row : material.elastic) {
      try {
        elastic_matrix(model, material, row.temperature);
      } catch (const Error& error) {
        detail::add_error(check, error.what());
      }
    }
  }
}

void check_shapes(const mesh::Mesh& mesh, DeckCheck& check, Monitor& monitor) {
  check.shapes = survey_shapes(mesh, monitor);
  if (!check.shapes.bad.empty()) detail::add_error(check, BadElements(mesh, check.shapes.bad).what());
  for (const PoorElements& poor : check.shapes.poor) {
    if (poor.count > 0) check.warnings.push_back(poor_elements_text(mesh, poor));
  }
}

}  // namespace

std::int64_t DeckCheck::element_count() const {
  std::int64_t sum = 0;
  for (const ElementCount& entry : elements) sum += entry.count;
  return sum;
}

void detail::add_error(DeckCheck& check, const std::string& text) {
  if (std::ranges::find(check.errors, text) == check.errors.end()) check.errors.push_back(text);
}

DeckCheck check_deck(const deck::Deck& deck, Monitor& monitor) {
  const model::Model& model = deck.model;
  DeckCheck check;
  check.unsupported = deck.unsupported;
  check.warnings = deck.warnings;
  check.nodes = model.mesh.node_count();
  check.equations = static_cast<std::int64_t>(model.equations.size());
  for (const Error& error : deck::missing_from(deck)) check.errors.emplace_back(error.what());
  const bool complete = check.errors.empty();
  count_elements(model.mesh, check);
  list_sets(model, check);
  {
    const Stage stage = monitor.stage("measure");
    look_at_nodes(model, check);
    measure(model, check);
  }
  check_shapes(model.mesh, check, monitor);
  check_materials(model, check);
  detail::check_steps(model, complete && check.errors.empty(), check, monitor);
  return check;
}

}  // namespace setka::analysis
