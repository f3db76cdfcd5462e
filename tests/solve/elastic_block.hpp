// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/solve/amg.hpp"

namespace setka::test {

/// A block from the origin, divided into cells; the face x = 0 is held.
struct ElasticBlock {
  fem::Element element = fem::Element::hex8;
  std::array<int, 3> cells{8, 8, 8};
  std::array<double, 3> size{1, 1, 1};
  std::function<std::array<double, 3>(const std::array<double, 3>& x)> place = [](const auto& x) {
    return x;
  };
  double poisson = 0.3;
  std::function<double(double x, double y, double z)> modulus = [](double, double, double) { return 2.1e11; };
  bool held = true;
  /// Beyond the face: whether the node at a place is held in a direction.
  std::function<bool(const double* at, int direction)> also_held = [](const double*, int) { return false; };
};

struct ElasticSystem {
  std::shared_ptr<const analysis::Solids> solids;  // the region of the space
  fem::Space space;
  fem::System system;
  solve::AmgGeometry geometry;
};

inline std::vector<double> isotropic(double modulus, double poisson, int points) {
  const double lambda = modulus * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const double mu = modulus / (2 * (1 + poisson));
  std::vector<double> d(static_cast<std::size_t>(36 * points), 0.0);
  for (std::size_t p = 0; p < static_cast<std::size_t>(points); ++p) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) d[36 * p + 6 * i + j] = lambda + (i == j ? 2 * mu : 0.0);
      d[36 * p + 7 * (i + 3)] = mu;
    }
  }
  return d;
}

/// Writes the matrix of an element, [3 n, 3 n], from its nodes [n, 3] and its middle.
using BlockElementMatrix =
    std::function<void(std::span<const double> x, const std::array<double, 3>& middle, std::span<double> k)>;

inline ElasticSystem assemble(const ElasticBlock& block, const BlockElementMatrix& element_matrix) {
  mesh::BlockGrid grid;
  for (std::size_t i = 0; i < 3; ++i) grid.cells[i] = {block.cells[i]};
  const mesh::BlockMesh made =
      mesh::block_mesh(grid, fem::cell_of(block.element), [&](double s, double t, double r) {
        return block.place({s * block.size[0], t * block.size[1], r * block.size[2]});
      });
  auto made_solids = std::make_shared<analysis::Solids>();
  analysis::Solids& solids = *made_solids;
  const auto coordinates = made.mesh.coordinates();
  solids.coordinates.assign(coordinates.begin(), coordinates.end());
  for (std::int32_t e = 0; e < made.mesh.element_count(); ++e) {
    const auto nodes = made.mesh.nodes(e);
    solids.type.push_back(block.element);
    solids.node.insert(solids.node.end(), nodes.begin(), nodes.end());
    solids.first_node.push_back(static_cast<std::int64_t>(solids.node.size()));
  }
  solids.user_dofs = 3 * solids.node_count();
  fem::ConstraintBuilder builder(
      solids.user_dofs, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; });
  for (std::int32_t n = 0; n < solids.node_count(); ++n) {
    const double* const at = &coordinates[3 * static_cast<std::size_t>(n)];
    const bool on_face = block.held && std::abs(at[0]) <= 1e-9 * block.size[0];
    for (std::int32_t i = 0; i < 3; ++i)
      if (on_face || block.also_held(at, i)) builder.prescribe(3 * n + i, 0, {});
  }
  const exec::Device cpu = exec::Device::cpu();
  const fem::Space space(solids.region(), 3, builder.build());
  Monitor monitor;
  fem::System system = fem::assemble(
      space,
      [&](std::int32_t e, std::span<double> k) {
        std::array<double, 60> x{};
        std::array<double, 3> middle{};
        const auto nodes = solids.nodes(e);
        for (std::size_t i = 0; i < 3 * nodes.size(); ++i) {
          x[i] = solids.coordinates[3 * static_cast<std::size_t>(nodes[i / 3]) + i % 3];
          middle[i % 3] += x[i] / static_cast<double>(nodes.size());
        }
        element_matrix({x.data(), 3 * nodes.size()}, middle, k);
      },
      cpu, monitor);
  return {std::move(made_solids), space, std::move(system), space.amg_geometry(cpu)};
}

/// Its stiffness.
inline ElasticSystem assemble(const ElasticBlock& block) {
  return assemble(block, [&](std::span<const double> x, const std::array<double, 3>& at,
                             std::span<double> k) {
    const double modulus = block.modulus(at[0], at[1], at[2]);
    fem::stiffness(block.element, x, isotropic(modulus, block.poisson, fem::point_count(block.element)), k);
  });
}

/// Its consistent mass.
inline ElasticSystem assemble_mass(const ElasticBlock& block, double density) {
  return assemble(block, [&](std::span<const double> x, const std::array<double, 3>&, std::span<double> m) {
    fem::mass(block.element, x, density, m);
  });
}

}  // namespace setka::test
