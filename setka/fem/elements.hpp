// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "setka/mesh/cell.hpp"

/// The one list of solid elements: name, cell, how it is integrated, the integration points of the cell and
/// those of its triangular and quadrilateral faces. A line here is an element on every device, in every
/// operator, and in the tests; solid_kernel.hpp has the formulation of those that need one of their own.
/// What decks call them is in deck/element_names.cpp.
///
/// Points are rules of mesh/quadrature_kernel.hpp; none: the cell has no such faces.
#define SETKA_SOLID_ELEMENTS(X)                                                 \
  X(tet4, tet4, full, GaussTet<1>, GaussTri<1>, NoPoints)                       \
  X(wedge6, wedge6, full, GaussWedge1x2, GaussTri<1>, GaussQuad<1>)             \
  X(hex8, hex8, full, GaussHex<2>, NoPoints, GaussQuad<2>)                      \
  X(hex8_incompatible, hex8, incompatible, GaussHex<2>, NoPoints, GaussQuad<2>) \
  X(hex8_uniform, hex8, reduced, GaussHex<1>, NoPoints, GaussQuad<1>)           \
  X(tet10, tet10, full, GaussTet<4>, GaussTri<3>, NoPoints)                     \
  X(wedge15, wedge15, full, GaussWedge3x3, GaussTri<3>, GaussQuad<2>)           \
  X(hex20, hex20, full, GaussHex<3>, NoPoints, GaussQuad<3>)                    \
  X(hex20_reduced, hex20, reduced, GaussHex<2>, NoPoints, GaussQuad<2>)         \
  X(wedge15_layer, wedge15, reduced, GaussWedge3x2, GaussTri<3>, GaussQuad<2>)  \
  X(hex20_kronrod, hex20, reduced, GaussKronrodBeam, NoPoints, GaussQuad<2>)    \
  X(hex20_fibre, hex20, reduced, GaussFibre, NoPoints, GaussQuad<2>)

/// Elements in the plane of x and y, of unit thickness, likewise: name, cell, how it is integrated, points.
#define SETKA_PLANE_ELEMENTS(X)       \
  X(tri3, tri3, full, GaussTri<1>)    \
  X(quad4, quad4, full, GaussQuad<2>) \
  X(tri6, tri6, full, GaussTri<3>)    \
  X(quad8, quad8, full, GaussQuad<3>)

namespace setka::model {
enum class Integration : std::uint8_t;
struct ElementType;
}  // namespace setka::model

namespace setka::fem {

/// What is computed with: a cell, its integration points and a formulation.
enum class Element : std::uint8_t {
#define SETKA_ENUMERATOR(name, ...) name,
  SETKA_SOLID_ELEMENTS(SETKA_ENUMERATOR) SETKA_PLANE_ELEMENTS(SETKA_ENUMERATOR)
#undef SETKA_ENUMERATOR
      spring,  // nothing to integrate
};
inline constexpr int element_kinds = static_cast<int>(Element::spring) + 1;

std::string_view name(Element element);  // "hex20_reduced"

/// That of a spring is a point: it has neither edges nor faces.
mesh::Cell cell_of(Element element);

model::Integration integration_of(Element element);  // full where there is nothing to integrate

/// Whether it is in the list of solids.
bool is_solid(Element element);

/// Of its reference coordinates: 3 of a solid, 2 of a plane element, 0 of a spring.
int dimension_of(Element element);

/// The solid on a cell with this integration, if there is one: the first in the list.
std::optional<Element> find_solid(mesh::Cell cell, model::Integration integration);

/// What a user's element is computed as: a solid, the one that a layer of it is, or a spring.
Element element_of(const model::ElementType& type);

/// Error(Fault::usage): what was asked for solids alone, or for what is integrated.
[[noreturn]] void refuse_element(std::string_view what, Element element);

/// Calls body.operator()<element>() with the element as a constant.
template <class Body>
auto with_solid(std::string_view what, Element element, Body&& body) {
  switch (element) {
#define SETKA_CASE(name, ...) \
  case Element::name:         \
    return body.template operator()<Element::name>();
    SETKA_SOLID_ELEMENTS(SETKA_CASE)
#undef SETKA_CASE
    default:
      refuse_element(what, element);
  }
}

/// Likewise for solids and plane elements.
template <class Body>
auto with_element(std::string_view what, Element element, Body&& body) {
  switch (element) {
#define SETKA_CASE(name, ...) \
  case Element::name:         \
    return body.template operator()<Element::name>();
    SETKA_SOLID_ELEMENTS(SETKA_CASE)
    SETKA_PLANE_ELEMENTS(SETKA_CASE)
#undef SETKA_CASE
    default:
      refuse_element(what, element);
  }
}

}  // namespace setka::fem
