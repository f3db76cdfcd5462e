// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "solve/elastic_block.hpp"

namespace setka::bench {

/// An assembled block of C3D8 with cubic cells, held at x = 0, and a load on it.
struct ElasticModel {
  std::shared_ptr<const test::ElasticSystem> system;
  std::vector<double> load;
};

inline std::vector<double> random_values(std::size_t size) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(size);
  for (double& value : values) value = uniform(generator);
  return values;
}

inline ElasticModel held_block(std::array<int, 3> cells) {
  test::ElasticBlock block;
  block.cells = cells;
  for (std::size_t i = 0; i < 3; ++i) block.size[i] = static_cast<double>(cells[i]) / cells[2];
  auto system = std::make_shared<test::ElasticSystem>(test::assemble(block));
  const auto size = static_cast<std::size_t>(system->space.size());
  return {std::move(system), std::vector<double>(size, 0.0)};
}

/// With a random load.
inline ElasticModel random_block(std::array<int, 3> cells) {
  ElasticModel model = held_block(cells);
  model.load = random_values(model.load.size());
  return model;
}

/// With a force in z at every node of its free end.
inline ElasticModel cantilever(std::array<int, 3> cells) {
  ElasticModel model = held_block(cells);
  const double length = static_cast<double>(cells[0]) / cells[2];
  for (std::size_t b = 0; b < model.load.size() / 3; ++b) {
    if (model.system->geometry.coordinates[3 * b] > length * (1 - 1e-9)) model.load[3 * b + 2] = 1;
  }
  return model;
}

}  // namespace setka::bench
