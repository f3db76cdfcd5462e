// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/setup.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/shapes.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/attributes.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

const char* section_keyword(const model::Model& model, std::int32_t element) {
  const model::Family family = model::family(model.mesh, element);
  if (family == model::Family::shell) return "*SHELL SECTION";
  if (family == model::Family::membrane) return "*MEMBRANE SECTION";
  if (family == model::Family::beam) return "*BEAM SECTION";
  return model::is_spring(family) ? "*SPRING" : "*SOLID SECTION";
}

void require_sections(const model::Model& model) {
  const std::vector<std::int32_t> without = model::elements_without_section(model);
  if (without.empty()) return;
  throw Error(Fault::input, fmt::format("element {} has no section", model.mesh.element_label(without[0])),
              fmt::format("add {} for a set that holds it", section_keyword(model, without[0])));
}

double longest_edge(const mesh::Mesh& mesh, std::int32_t element) {
  const auto nodes = mesh.nodes(element);
  const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh.cell(element)));
  double longest = 0;
  for (std::size_t i = 0; i < corners; ++i) {
    const auto a = mesh.coordinates(nodes[i]);
    const auto b = mesh.coordinates(nodes[(i + 1) % corners]);
    longest = std::max(longest, std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
  }
  return longest;
}

/// Thickness over edge that layers are computed for. Shear over a thin layer, which has to cancel out, is
/// stiffer than its plane by the square of edge over thickness. A layer in plane stress grows thinner and
/// thicker as it likes; what holds that is, over what holds its slopes, the same square. Beyond, rounding
/// shows in the sixth digit.
constexpr double thinnest = 1e-5;
constexpr double thickest = 1e5;

void require_layers(const model::Model& model, const std::vector<std::int32_t>& section_of) {
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    const std::int32_t section = section_of[static_cast<std::size_t>(e)];
    const model::Family family = model::family(model.mesh, e);
    const bool stress = family == model::Family::plane_stress;
    if (section < 0 || (!stress && family != model::Family::plane_strain)) continue;
    const model::Section& own = model.sections[static_cast<std::size_t>(section)];
    const double edge = longest_edge(model.mesh, e);
    const bool thick = stress && own.thickness > thickest * edge;
    if (!thick && !(own.thickness < thinnest * edge)) continue;
    throw Error(Fault::input,
                fmt::format("element {} ({}) is {:.3g} thick, but its longest edge is {:.3g}: plane elements "
                            "are computed {} {:.0e} times the edge",
                            model.mesh.element_label(e), deck::name(model.mesh, e), own.thickness, edge,
                            thick ? "up to" : "from", thick ? thickest : thinnest),
                thick ? "give a smaller thickness and divide the loads by as much, or use plane strain (CPE)"
                      : "give a larger thickness and multiply the loads by as much",
                model.source(own.line));
  }
}

}  // namespace

void loaded_coordinates(const Solids& solids, std::int32_t mesh_element, std::vector<double>& x) {
  x.clear();
  for (const std::int32_t node : solids.loaded_nodes(mesh_element)) {
    const double* const at = solids.coordinates.data() + 3 * static_cast<std::size_t>(node);
    x.insert(x.end(), at, at + 3);
  }
}

void element_values(const Solids& solids, std::int32_t element, std::span<const double> values,
                    std::vector<double>& own) {
  const auto nodes = solids.nodes(element);
  own.resize(3 * nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) own[3 * i + k] = values[3 * static_cast<std::size_t>(nodes[i]) + k];
  }
}

void refuse_parts(const Setup& setup, std::string_view what) {
  if (setup.solids.wholes.empty()) return;
  const std::int32_t element = setup.solids.wholes.front().element;
  const auto section = static_cast<std::size_t>(setup.section_of[static_cast<std::size_t>(element)]);
  const model::Section& own = setup.model->sections[section];
  throw Error(Fault::input,
              fmt::format("{} is not computed with composite shells, pipes and boxes, as element {} is", what,
                          setup.element_label(element)),
              "use another section, or solid elements", setup.model->source(own.line));
}

bool solids_alone(const Setup& setup) {
  if (!setup.model->superelements.empty()) return false;
  const mesh::Mesh& mesh = setup.model->mesh;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::Family family = model::family(mesh, e);
    if (family == model::Family::truss || model::is_spring(family) || model::has_profile(family))
      return false;
  }
  return true;
}

void element_coordinates(const Solids& solids, std::int32_t element, std::vector<double>& x) {
  element_values(solids, element, solids.coordinates, x);
}

Setup set_up(const model::Model& model) {
  Setup setup;
  setup.model = &model;
  setup.section_of = model::sections_of_elements(model);
  require_layers(model, setup.section_of);
  setup.spring_of = model::springs_of_elements(model);
  setup.solids = make_solids(model, setup.section_of);
  setup.shows_solids = !setup.solids.origin.empty() && !model.steps.empty() &&
                       std::ranges::any_of(model.steps.front().output, &model::OutputRequest::expanded);
  setup.points.first_point.assign(1, 0);
  for (const fem::Element type : setup.solids.type) {
    setup.points.first_point.push_back(setup.points.first_point.back() + fem::point_count(type));
  }
  const Solids& solids = setup.solids;
  setup.section_of.insert(setup.section_of.end(), solids.part_section.begin(), solids.part_section.end());
  setup.spring_of.resize(setup.section_of.size(), -1);
  if (!solids.wholes.empty()) {
    setup.points_of_parts.first_point.assign(1, 0);
    for (std::int32_t e = 0; e < solids.mesh_element_count(); ++e) {
      const auto [first, last] = solids.further_parts(e);
      setup.points_of_parts.first_point.push_back(setup.points_of_parts.first_point.back() +
                                                  setup.first_point(e + 1) - setup.first_point(e) +
                                                  setup.first_point(last) - setup.first_point(first));
    }
  }
  if (!model.initial_temperatures.empty()) {
    setup.initial_temperature.assign(static_cast<std::size_t>(model.mesh.node_count()), 0.0);
    for (const model::NodeTemperature& given : model.initial_temperatures) {
      setup.initial_temperature[static_cast<std::size_t>(given.node)] = given.value;
    }
  }
  return setup;
}

namespace {

/// Calls visit(first, last) with runs of points of the solids, in the order that results have them: of layers
/// one after the other, of fibres section by section.
template <class Visit>
void for_each_run(const Setup& setup, const Visit& visit) {
  for (std::int32_t e = 0; e < setup.solids.mesh_element_count(); ++e) {
    const auto [first, last] = setup.solids.further_parts(e);
    if (setup.solids.type[static_cast<std::size_t>(e)] == fem::Element::hex20_fibre) {
      for (std::int64_t p = 0; p < fem::point_count(fem::Element::hex20_fibre); ++p) {
        visit(setup.first_point(e) + p, setup.first_point(e) + p + 1);
        for (std::int32_t part = first; part < last; ++part)
          visit(setup.first_point(part) + p, setup.first_point(part) + p + 1);
      }
      continue;
    }
    visit(setup.first_point(e), setup.first_point(e + 1));
    visit(setup.first_point(first), setup.first_point(last));
  }
}

}  // namespace

std::vector<double> result_point_values(const Setup& setup, int components, std::vector<double> values) {
  if (setup.solids.wholes.empty() || values.empty()) return values;
  std::vector<double> ordered;
  ordered.reserve(values.size());
  for_each_run(setup, [&](std::int64_t first, std::int64_t last) {
    ordered.insert(ordered.end(), values.begin() + components * first, values.begin() + components * last);
  });
  return ordered;
}

std::vector<double> solid_point_values(const Setup& setup, int components, std::vector<double> values) {
  if (setup.solids.wholes.empty() || values.empty()) return values;
  std::vector<double> ordered(values.size());
  auto next = values.begin();
  for_each_run(setup, [&](std::int64_t first, std::int64_t last) {
    const auto end = next + components * (last - first);
    std::copy(next, end, ordered.begin() + components * first);
    next = end;
  });
  return ordered;
}

void add_up_parts(const Setup& setup, std::vector<double>& values) {
  const auto own = static_cast<std::size_t>(setup.solids.mesh_element_count());
  if (values.size() <= own) return;
  for (std::size_t i = own; i < values.size(); ++i)
    values[static_cast<std::size_t>(setup.solids.part_of[i - own])] += values[i];
  values.resize(own);
}

Setup prepare(const model::Model& model, Monitor& monitor) {
  require_sections(model);
  ShapeSurvey shapes = survey_shapes(model.mesh, monitor);
  if (!shapes.bad.empty()) throw BadElements(model.mesh, std::move(shapes.bad));
  const Stage stage = monitor.stage("solids");
  return set_up(model);
}

}  // namespace setka::analysis
