// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "fem/solids.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "support/random.hpp"

namespace setka::fem::test {

/// A few distorted elements, with materials given out in turn.
struct SmallModel {
  std::vector<double> coordinates;
  std::vector<fem::Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;
  std::vector<ElementMaterial> materials;
  std::vector<std::int32_t> material_of;

  Region region() const { return {coordinates, type, first_node, node}; }
  std::int32_t dofs() const { return static_cast<std::int32_t>(coordinates.size()); }
  std::vector<double> x(std::size_t element) const {
    std::vector<double> own;
    for (std::int64_t i = first_node[element]; i < first_node[element + 1]; ++i) {
      const auto at = 3 * static_cast<std::size_t>(node[static_cast<std::size_t>(i)]);
      own.insert(own.end(), coordinates.begin() + static_cast<std::ptrdiff_t>(at),
                 coordinates.begin() + static_cast<std::ptrdiff_t>(at + 3));
    }
    return own;
  }
  Dense d(std::size_t element) const {
    return setka::test::from_rows(materials[static_cast<std::size_t>(material_of[element])].d, 6, 6);
  }
  std::shared_ptr<const Form> stiffness(const std::shared_ptr<const ElementSet>& set) const {
    return elastic_form(set, materials, material_of);
  }
  std::shared_ptr<const Form> mass(const std::shared_ptr<const ElementSet>& set) const {
    return mass_form(set, materials, material_of);
  }
  std::shared_ptr<const ElementSet> set(const exec::Device& device) const {
    return std::make_shared<const ElementSet>(device, region());
  }
  double density(std::size_t element) const {
    return materials[static_cast<std::size_t>(material_of[element])].density;
  }
};

inline ElementMaterial material(const Dense& d, double density) {
  ElementMaterial made;
  std::ranges::copy(d.values(), made.d.begin());
  made.density = density;
  return made;
}

enum class Elasticity { isotropic, general };

/// Two materials: isotropic ones, or full symmetric positive definite matrices.
inline std::vector<ElementMaterial> materials(Elasticity kind) {
  std::vector<ElementMaterial> made;
  for (unsigned i = 0; i < 2; ++i) {
    Dense d = isotropic(1000 + 500.0 * i, 0.3 - 0.1 * i);
    if (kind == Elasticity::general) {
      const std::vector<double> r = setka::test::random_values<double>(36, 7 + i);
      const Dense a = setka::test::from_rows(r, 6, 6);
      d = d + 100 * (a * a.transposed());
    }
    made.push_back(material(d, 7 + i));
  }
  return made;
}

/// A bent block of cells in x, y, z (plane types: in x and y), appended to the model with nodes of its own.
inline void add_block(SmallModel& model, fem::Element type, std::array<int, 3> cells) {
  mesh::BlockGrid grid;
  const bool plane = mesh::dimension(fem::cell_of(type)) == 2;
  for (std::size_t axis = 0; axis < (plane ? 2U : 3U); ++axis) grid.cells[axis] = {cells[axis]};
  const mesh::BlockMesh block = mesh::block_mesh(grid, cell_of(type), [&](double s, double t, double r) {
    return std::array<double, 3>{s + 0.11 * std::sin(2 * t + 3 * r),
                                 t + 0.09 * std::sin(3 * s - r) + 0.1 * s * t,
                                 plane ? 0.0 : r + 0.07 * std::sin(2 * s + 2 * t) - 0.1 * s * r};
  });
  const auto first = static_cast<std::int32_t>(model.coordinates.size() / 3);
  model.coordinates.insert(model.coordinates.end(), block.mesh.coordinates().begin(),
                           block.mesh.coordinates().end());
  for (std::int32_t e = 0; e < block.mesh.element_count(); ++e) {
    for (const std::int32_t node : block.mesh.nodes(e)) model.node.push_back(first + node);
    model.type.push_back(type);
    model.first_node.push_back(static_cast<std::int64_t>(model.node.size()));
    model.material_of.push_back(e % 2);
  }
}

inline SmallModel small_model(fem::Element type, Elasticity kind, std::array<int, 3> cells = {3, 2, 2}) {
  SmallModel model;
  model.materials = materials(kind);
  add_block(model, type, cells);
  return model;
}

}  // namespace setka::fem::test
