// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/block_model.hpp"

#include <map>
#include <string>
#include <utility>

#include "setka/deck/element_names.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/material.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/model/element_type.hpp"

namespace setka::bench {
std::string_view label(fem::Element element) {
  const bool plane = element == fem::Element::quad4;
  return deck::name({fem::cell_of(element), plane ? model::Family::plane_stress : model::Family::solid,
                     fem::integration_of(element)});
}

fem::ElementSet BlockModel::set(const exec::Device& device) const {
  return {device, {coordinates, type, first_node, node}, materials, material_of};
}

BlockModel block_model(fem::Element type, std::array<int, 3> cells) {
  mesh::BlockGrid grid;
  const bool plane = type == fem::Element::quad4;
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
  model.materials.push_back({plane ? fem::plane_stress_elasticity(steel) : steel, 7800});
  model.first_node.reserve(elements + 1);
  for (std::int32_t e = 0; e < block.mesh.element_count(); ++e) {
    const auto nodes = block.mesh.nodes(e);
    model.node.insert(model.node.end(), nodes.begin(), nodes.end());
    model.first_node.push_back(static_cast<std::int64_t>(model.node.size()));
  }
  return model;
}

namespace {

fem::ConstraintBuilder builder_for(const BlockModel& model) {
  return {static_cast<std::int32_t>(model.coordinates.size()),
          [](std::int32_t dof) { return std::to_string(dof); }, [](model::Line) { return SourceLine{}; }};
}

}  // namespace

fem::Space space_of(const BlockModel& model, const fem::Constraints& constraints) {
  return {model.region(), 3, constraints};
}

fem::Constraints fixed_at_x0(const BlockModel& model) {
  fem::ConstraintBuilder builder = builder_for(model);
  const auto dofs = static_cast<std::int32_t>(model.coordinates.size());
  for (std::int32_t dof = 0; dof < dofs; ++dof) {
    if (model.coordinates[3 * static_cast<std::size_t>(dof / 3)] == 0) builder.prescribe(dof, 0, {});
  }
  return builder.build();
}

fem::Constraints plane_layer_fixed_at_x0(const BlockModel& model) {
  const auto nodes = static_cast<std::int32_t>(model.nodes());
  const auto place = [&](std::int32_t node) {
    return &model.coordinates[3 * static_cast<std::size_t>(node)];
  };
  std::map<std::pair<double, double>, std::int32_t> below;  // both layers have the same bits
  for (std::int32_t n = 0; n < nodes; ++n) {
    if (place(n)[2] == 0) below[{place(n)[0], place(n)[1]}] = n;
  }
  fem::ConstraintBuilder builder = builder_for(model);
  for (std::int32_t n = 0; n < nodes; ++n) {
    builder.prescribe(3 * n + 2, 0, {});
    for (std::int32_t direction = 0; direction < 2; ++direction) {
      const std::int32_t dof = 3 * n + direction;
      if (place(n)[0] == 0) {
        builder.prescribe(dof, 0, {});
      } else if (place(n)[2] != 0) {
        const std::int32_t same = 3 * below.at({place(n)[0], place(n)[1]}) + direction;
        builder.add_equation(std::array<fem::Term, 2>{{{dof, 1}, {same, -1}}}, 0, {});
      }
    }
  }
  return builder.build();
}

}  // namespace setka::bench
