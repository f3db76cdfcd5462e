// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/block_model.hpp"

#include <cstddef>

#include "setka/deck/element_names.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/elements.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/model/element_type.hpp"

namespace setka::bench {

std::string_view label(fem::Element element, PlaneState plane) {
  model::Family family = model::Family::solid;
  if (fem::dimension_of(element) == 2)
    family = plane == PlaneState::stress ? model::Family::plane_stress : model::Family::plane_strain;
  return deck::name({fem::cell_of(element), family, fem::integration_of(element)});
}

std::shared_ptr<const fem::Form> BlockModel::stiffness(const exec::Device& device) const {
  return fem::elastic_form(std::make_shared<const fem::ElementSet>(device, region()), materials, material_of);
}

std::shared_ptr<const fem::Form> BlockModel::mass(const std::shared_ptr<const fem::ElementSet>& set) const {
  return fem::mass_form(set, materials, material_of);
}

BlockModel block_model(fem::Element type, std::array<int, 3> cells, PlaneState state) {
  mesh::BlockGrid grid;
  const bool plane = fem::dimension_of(type) == 2;
  for (std::size_t axis = 0; axis < (plane ? 2U : 3U); ++axis) grid.cells[axis] = {cells[axis]};
  const mesh::BlockMesh block = mesh::block_mesh(grid, fem::cell_of(type), [&](double s, double t, double r) {
    return std::array<double, 3>{s * cells[0], t * cells[1], plane ? 0.0 : r * cells[2]};
  });
  BlockModel model;
  model.coordinates.assign(block.mesh.coordinates().begin(), block.mesh.coordinates().end());
  const auto elements = static_cast<std::size_t>(block.mesh.element_count());
  model.type.assign(elements, type);
  model.material_of.assign(elements, 0);
  const std::array<double, 36> steel = fem::isotropic_elasticity(2.1e11, 0.3);
  model.materials.push_back(
      {plane && state == PlaneState::stress ? fem::plane_stress_elasticity(steel) : steel, 7800});
  model.first_node.reserve(elements + 1);
  for (std::int32_t e = 0; e < block.mesh.element_count(); ++e) {
    const auto nodes = block.mesh.nodes(e);
    model.node.insert(model.node.end(), nodes.begin(), nodes.end());
    model.first_node.push_back(static_cast<std::int64_t>(model.node.size()));
  }
  return model;
}

fem::Space space_of(const BlockModel& model, const fem::Constraints& constraints) {
  return {model.region(), model.dimension(), constraints};
}

fem::Constraints fixed_at_x0(const BlockModel& model) {
  const int components = model.dimension();
  std::vector<std::int32_t> fixed;
  const auto dofs = static_cast<std::int32_t>(components * model.nodes());
  for (std::int32_t dof = 0; dof < dofs; ++dof) {
    if (model.coordinates[3 * static_cast<std::size_t>(dof / components)] == 0) fixed.push_back(dof);
  }
  return fem::Constraints::fixed(dofs, fixed);
}

}  // namespace setka::bench
