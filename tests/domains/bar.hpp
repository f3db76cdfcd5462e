// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "fem/element_meshes.hpp"

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

}  // namespace setka::domains::test
