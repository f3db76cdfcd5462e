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

struct SolidInfo {
  std::string_view name;
  mesh::Cell cell;
  model::Integration integration;
};

constexpr auto solids = std::to_array<SolidInfo>({
#define SETKA_INFO(name, cell, integration, ...) {#name, mesh::Cell::cell, model::Integration::integration},
    SETKA_SOLID_ELEMENTS(SETKA_INFO)
#undef SETKA_INFO
});

}  // namespace

std::string_view name(Element element) {
  if (is_solid(element)) return solids[static_cast<std::size_t>(element)].name;
  return element == Element::quad4 ? "quad4" : "spring";
}

mesh::Cell cell_of(Element element) {
  if (is_solid(element)) return solids[static_cast<std::size_t>(element)].cell;
  return element == Element::quad4 ? mesh::Cell::quad4 : mesh::Cell::point1;
}

model::Integration integration_of(Element element) {
  return is_solid(element) ? solids[static_cast<std::size_t>(element)].integration : model::Integration::full;
}

bool is_solid(Element element) {
  return static_cast<std::size_t>(element) < solids.size();
}

std::optional<Element> find_solid(mesh::Cell cell, model::Integration integration) {
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (solids[i].cell == cell && solids[i].integration == integration) return static_cast<Element>(i);
  }
  return std::nullopt;
}

void refuse_element(std::string_view what, Element element) {
  std::vector<std::string> names;
  names.reserve(solids.size());
  for (const SolidInfo& solid : solids) names.emplace_back(solid.name);
  throw Error(Fault::usage, fmt::format("{}: {} is not a solid element", what, name(element)),
              "the solids are " + join_words(names));
}

}  // namespace setka::fem
