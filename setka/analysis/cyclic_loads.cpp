// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/cyclic_loads.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "setka/analysis/small_vectors.hpp"
#include "setka/model/cyclic_symmetry.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {
namespace {

Vector3 times(const model::Axes& turn, const Vector3& v) {
  Vector3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i] += turn[i][k] * v[k];
  }
  return result;
}

/// Which *TRANSFORM a node has; null: none.
const model::Transform* transform_of(const model::Model& model, std::int32_t node) {
  const model::Transform* found = nullptr;
  for (const model::Transform& transform : model.transforms) {
    if (std::ranges::count(model.node_sets[static_cast<std::size_t>(transform.node_set)].nodes, node) > 0)
      found = &transform;
  }
  return found;
}

/// One load a direction of the node.
void add_turned(const Setup& setup, const model::PointLoad& load, const model::Axes& back,
                std::vector<model::PointLoad>& turned) {
  const model::Transform* const transform = transform_of(*setup.model, load.node);
  if (transform != nullptr && transform->system.cylindrical) {
    turned.push_back(load);
    return;
  }
  const std::int32_t first = load.direction > 3 ? 4 : 1;
  const Vector3 along = times(back, setup.solids.axis_of(load.node, load.direction - first));
  for (std::int32_t k = 0; k < 3; ++k) {
    const Vector3 axis = setup.solids.axis_of(load.node, k);
    const double share = along[0] * axis[0] + along[1] * axis[1] + along[2] * axis[2];
    if (share == 0) continue;
    model::PointLoad part = load;
    part.direction = first + k;
    part.value = load.value * share;
    turned.push_back(part);
  }
}

}  // namespace

std::vector<int> loaded_sectors(const LoadState& loads) {
  std::set<int> sectors;
  for (const model::PointLoad& load : loads.point_loads()) sectors.insert(load.sector);
  for (const model::DistributedLoad& load : loads.distributed_loads()) sectors.insert(load.sector);
  return {sectors.begin(), sectors.end()};
}

LoadState loads_of_sector(const Setup& setup, const LoadState& loads, int sector, double angle) {
  std::vector<model::PointLoad> points = loads.point_loads();
  std::vector<model::DistributedLoad> distributed = loads.distributed_loads();
  const auto elsewhere = [sector](const auto& load) { return load.sector != sector; };
  std::erase_if(points, elsewhere);
  std::erase_if(distributed, elsewhere);
  if (sector == 1) return loads.with(std::move(points), std::move(distributed));
  const model::CyclicSymmetry& cyclic = *setup.model->cyclic;
  const model::Axes back = model::rotation(cyclic, -(sector - 1) * angle);
  std::vector<model::PointLoad> turned;
  for (const model::PointLoad& load : points) add_turned(setup, load, back, turned);
  for (model::DistributedLoad& load : distributed) {
    load.direction = times(back, load.direction);
    Vector3 arm{};
    for (std::size_t k = 0; k < 3; ++k) arm[k] = load.point[k] - cyclic.a[k];
    arm = times(back, arm);
    for (std::size_t k = 0; k < 3; ++k) load.point[k] = cyclic.a[k] + arm[k];
  }
  return loads.with(std::move(turned), std::move(distributed));
}

}  // namespace setka::analysis
