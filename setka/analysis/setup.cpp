// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/setup.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/attributes.hpp"

namespace setka::analysis {
namespace {

/// Each element's section; an element without one is an Error.
std::vector<std::int32_t> checked_sections(const model::Model& model) {
  std::vector<std::int32_t> section_of = model::sections_of_elements(model);
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    if (section_of[static_cast<std::size_t>(e)] < 0) {
      throw Error(Fault::input, fmt::format("element {} has no section", model.mesh.element_label(e)),
                  "add *SOLID SECTION for a set that holds it");
    }
  }
  return section_of;
}

void check_shapes(const model::Model& model, const fem::Solids& solids, Monitor& monitor) {
  const Stage stage = monitor.stage("check the elements");
  std::vector<double> x;
  std::int64_t bad = 0;
  std::int32_t first = -1;
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    element_coordinates(solids, e, x);
    if (fem::least_jacobian(solids.type[static_cast<std::size_t>(e)], x) > 0) continue;
    if (bad++ == 0) first = e;
  }
  if (bad > 0) {
    throw Error(Fault::input,
                fmt::format("element {} ({}) is flat or inside out{}", model.mesh.element_label(first),
                            mesh::info(model.mesh.type(first)).name,
                            bad > 1 ? fmt::format(", and {} more", bad - 1) : std::string()),
                "check the order and the places of its nodes");
  }
}

}  // namespace

void element_coordinates(const fem::Solids& solids, std::int32_t element, std::vector<double>& x) {
  const auto nodes = solids.nodes(element);
  x.resize(3 * nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      x[3 * i + k] = solids.coordinates[3 * static_cast<std::size_t>(nodes[i]) + k];
  }
}

Setup prepare(const model::Model& model, Monitor& monitor) {
  Setup setup;
  setup.model = &model;
  setup.section_of = checked_sections(model);
  setup.solids = fem::make_solids(model, setup.section_of);
  check_shapes(model, setup.solids, monitor);
  setup.points.first_point.assign(1, 0);
  for (const mesh::ElementType type : setup.solids.type) {
    setup.points.first_point.push_back(setup.points.first_point.back() + fem::point_count(type));
  }
  if (!model.initial_temperatures.empty()) {
    setup.initial_temperature.assign(static_cast<std::size_t>(model.mesh.node_count()), 0.0);
    for (const model::NodeTemperature& given : model.initial_temperatures) {
      setup.initial_temperature[static_cast<std::size_t>(given.node)] = given.value;
    }
  }
  return setup;
}

}  // namespace setka::analysis
