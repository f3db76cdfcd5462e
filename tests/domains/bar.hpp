// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fem/element_meshes.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains::test {

/// A straight bar of cubes, so many along each axis.
inline fem::test::SmallModel bar(fem::Element type, std::array<int, 3> cells) {
  fem::test::SmallModel model = fem::test::small_model(type, fem::test::Elasticity::isotropic, cells);
  mesh::BlockGrid grid;
  for (std::size_t axis = 0; axis < 3; ++axis) grid.cells[axis] = {cells[axis]};
  const mesh::BlockMesh straight =
      mesh::block_mesh(grid, fem::cell_of(type), [&](double s, double t, double r) {
        return std::array<double, 3>{s * cells[0], t * cells[1], r * cells[2]};
      });
  model.coordinates.assign(straight.mesh.coordinates().begin(), straight.mesh.coordinates().end());
  return model;
}

/// Of the elements of a model, which outlives it, with springs at their nodes.
inline fem::ElementMatrix element_stiffness(const fem::test::SmallModel& model, double spring = 0) {
  return [&model, spring](std::int32_t e, std::span<double> k) {
    const auto at = static_cast<std::size_t>(e);
    std::vector<double> d;  // of each point
    for (int p = 0; p < fem::point_count(model.type[at]); ++p) {
      const auto& of_element = model.materials[static_cast<std::size_t>(model.material_of[at])].d;
      d.insert(d.end(), of_element.begin(), of_element.end());
    }
    fem::stiffness(model.type[at], model.x(at), d, k);
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(k.size()))));
    for (std::size_t i = 0; i < n; ++i) k[i * n + i] += spring;
  };
}

/// The stiffness of a model whose nodes stand on springs, so that nothing else has to hold it.
inline sparse::BlockCsr<double> stiffness_on_springs(const fem::test::SmallModel& model, double spring) {
  const fem::Space space(model.region(), 3, fem::Constraints::none(model.dofs()));
  Monitor monitor;
  return fem::assemble(space, element_stiffness(model, spring), exec::Device::cpu(1), monitor).matrix;
}

}  // namespace setka::domains::test
