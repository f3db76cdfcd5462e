// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/element_names.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::deck {
namespace {

using mesh::Cell;
using model::Family;
using model::Integration;

constexpr auto table = std::to_array<NamedElement>({
    {"C3D4", {Cell::tet4}},
    {"C3D6", {Cell::wedge6}},
    {"C3D8", {Cell::hex8}},
    {"C3D8I", {Cell::hex8, Family::solid, Integration::incompatible}},
    {"C3D8R", {Cell::hex8, Family::solid, Integration::reduced}},
    {"C3D10", {Cell::tet10}},
    {"C3D15", {Cell::wedge15}},
    {"C3D20", {Cell::hex20}},
    {"C3D20R", {Cell::hex20, Family::solid, Integration::reduced}},
    {"CPS3", {Cell::tri3, Family::plane_stress}},
    {"CPS4", {Cell::quad4, Family::plane_stress}},
    {"CPS4R", {Cell::quad4, Family::plane_stress, Integration::reduced}},
    {"CPS6", {Cell::tri6, Family::plane_stress}},
    {"CPS8", {Cell::quad8, Family::plane_stress}},
    {"CPS8R", {Cell::quad8, Family::plane_stress, Integration::reduced}},
    {"CPE3", {Cell::tri3, Family::plane_strain}},
    {"CPE4", {Cell::quad4, Family::plane_strain}},
    {"CPE4R", {Cell::quad4, Family::plane_strain, Integration::reduced}},
    {"CPE6", {Cell::tri6, Family::plane_strain}},
    {"CPE8", {Cell::quad8, Family::plane_strain}},
    {"CPE8R", {Cell::quad8, Family::plane_strain, Integration::reduced}},
    {"CAX3", {Cell::tri3, Family::axisymmetric}},
    {"CAX4", {Cell::quad4, Family::axisymmetric}},
    {"CAX4R", {Cell::quad4, Family::axisymmetric, Integration::reduced}},
    {"CAX6", {Cell::tri6, Family::axisymmetric}},
    {"CAX8", {Cell::quad8, Family::axisymmetric}},
    {"CAX8R", {Cell::quad8, Family::axisymmetric, Integration::reduced}},
    {"T3D2", {Cell::line2, Family::truss}},
    {"S3", {Cell::tri3, Family::shell}},
    {"S4", {Cell::quad4, Family::shell}},
    {"S4R", {Cell::quad4, Family::shell, Integration::reduced}},
    {"S6", {Cell::tri6, Family::shell}},
    {"S8", {Cell::quad8, Family::shell}},
    {"S8R", {Cell::quad8, Family::shell, Integration::reduced}},
    {"M3D3", {Cell::tri3, Family::membrane}},
    {"M3D4", {Cell::quad4, Family::membrane}},
    {"M3D4R", {Cell::quad4, Family::membrane, Integration::reduced}},
    {"M3D6", {Cell::tri6, Family::membrane}},
    {"M3D8", {Cell::quad8, Family::membrane}},
    {"M3D8R", {Cell::quad8, Family::membrane, Integration::reduced}},
    {"B31", {Cell::line2, Family::beam}},
    {"B31R", {Cell::line2, Family::beam, Integration::reduced}},
    {"B32", {Cell::line3, Family::beam}},
    {"B32R", {Cell::line3, Family::beam, Integration::reduced}},
    {"SPRING1", {Cell::point1, Family::spring}},
    {"SPRING2", {Cell::line2, Family::spring}},
    {"SPRINGA", {Cell::line2, Family::axial_spring}},
    {"DASHPOTA", {Cell::line2, Family::dashpot}},
    {"MASS", {Cell::point1, Family::mass}},
});

}  // namespace

std::span<const NamedElement> elements() {
  return table;
}

std::optional<model::ElementType> find_element(std::string_view name) {
  // Abaqus has names of its own for elements in heat transfer; CalculiX drops the D as well.
  const bool of_heat = name.starts_with("DC3D") || name.starts_with("DCAX");
  if (of_heat && name.back() >= '0' && name.back() <= '9') name.remove_prefix(1);
  const auto* const found = std::ranges::find(table, name, &NamedElement::name);
  if (found == table.end()) return std::nullopt;
  return found->type;
}

model::ElementType element(std::string_view name) {
  const std::optional<model::ElementType> found = find_element(name);
  require(found.has_value(), [&] { return fmt::format("decks have no element named {}", name); });
  return *found;
}

std::string_view name(const model::ElementType& type) {
  const auto* const found = std::ranges::find(table, type, &NamedElement::type);
  return found == table.end() ? mesh::name(type.cell) : found->name;
}

std::string_view name(const mesh::Mesh& mesh, std::int32_t element) {
  return name(model::element_type(mesh, element));
}

}  // namespace setka::deck
