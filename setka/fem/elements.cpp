// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/elements.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/model/element_type.hpp"

namespace setka::fem {
namespace {

struct ElementInfo {
  std::string_view name;
  mesh::Cell cell;
  model::Integration integration;
};

#define SETKA_INFO(name, cell, integration, ...) {#name, mesh::Cell::cell, model::Integration::integration},
constexpr auto solids = std::to_array<ElementInfo>({SETKA_SOLID_ELEMENTS(SETKA_INFO)});
constexpr auto all = std::to_array<ElementInfo>({SETKA_SOLID_ELEMENTS(SETKA_INFO) SETKA_PLANE_ELEMENTS(
    SETKA_INFO){"spring", mesh::Cell::point1, model::Integration::full}});
#undef SETKA_INFO

const ElementInfo& info(Element element) {
  return all[static_cast<std::size_t>(element)];
}

}  // namespace

std::string_view name(Element element) {
  return info(element).name;
}

mesh::Cell cell_of(Element element) {
  return info(element).cell;
}

model::Integration integration_of(Element element) {
  return info(element).integration;
}

bool is_solid(Element element) {
  return static_cast<std::size_t>(element) < solids.size();
}

int dimension_of(Element element) {
  if (is_solid(element)) return 3;
  return element == Element::spring ? 0 : 2;
}

std::optional<Element> find_solid(mesh::Cell cell, model::Integration integration) {
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (solids[i].cell == cell && solids[i].integration == integration) return static_cast<Element>(i);
  }
  return std::nullopt;
}

Element element_of(const model::ElementType& type) {
  if (model::is_spring(type.family)) return Element::spring;
  if (type.family == model::Family::truss) return Element::hex8_incompatible;
  // S4 and B31 bend: their solids have incompatible modes.
  if (model::has_rotations(type.family) && type.integration == model::Integration::full &&
      (type.cell == mesh::Cell::quad4 || type.cell == mesh::Cell::line2))
    return Element::hex8_incompatible;
  if (type.family == model::Family::beam && type.integration == model::Integration::reduced &&
      type.cell == mesh::Cell::line3)
    return Element::hex20_kronrod;
  const auto layer = [&] {
    switch (type.cell) {
      case mesh::Cell::tri3:
        return mesh::Cell::wedge6;
      case mesh::Cell::tri6:
        return mesh::Cell::wedge15;
      case mesh::Cell::quad4:
      case mesh::Cell::line2:
        return mesh::Cell::hex8;
      case mesh::Cell::quad8:
      case mesh::Cell::line3:
        return mesh::Cell::hex20;
      default:
        return type.cell;
    }
  };
  const std::optional<Element> found = find_solid(layer(), type.integration);
  require(found.has_value(), [&] {
    return fmt::format("no element has the nodes of {} and the integration asked for", name(layer()));
  });
  return *found;
}

void refuse_element(std::string_view what, Element element) {
  std::vector<std::string> names;
  names.reserve(solids.size());
  for (const ElementInfo& solid : solids) names.emplace_back(solid.name);
  throw Error(Fault::usage, fmt::format("{}: {} is not a solid element", what, name(element)),
              "the solids are " + join_words(names));
}

}  // namespace setka::fem
