// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "setka/sparse/block_csr.hpp"

namespace setka::test {

/// A block matrix on the CPU with its dense twin.
struct RandomMatrix {
  sparse::BlockCsr<double> sparse;
  std::vector<double> dense;  // [scalar rows, scalar columns]
};

/// Up to `most` blocks a row, some rows empty; values in [-1, 1].
inline RandomMatrix random_matrix(std::int32_t rows, std::int32_t columns, int height, int width, int most,
                                  unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> values;
  const std::size_t across = static_cast<std::size_t>(columns) * static_cast<std::size_t>(width);
  std::vector<double> dense(static_cast<std::size_t>(rows) * static_cast<std::size_t>(height) * across, 0.0);
  for (std::int32_t i = 0; i < rows; ++i) {
    std::set<std::int32_t> chosen;
    const auto count = columns == 0 ? 0 : random() % static_cast<unsigned>(most + 1);
    for (unsigned k = 0; k < count; ++k)
      chosen.insert(static_cast<std::int32_t>(random() % static_cast<unsigned>(columns)));
    for (int r = 0; r < height; ++r) {
      for (const std::int32_t j : chosen) {
        for (int c = 0; c < width; ++c) {
          values.push_back(value(random));
          dense[static_cast<std::size_t>(i * height + r) * across + static_cast<std::size_t>(j * width + c)] =
              values.back();
        }
      }
    }
    column.insert(column.end(), chosen.begin(), chosen.end());
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  const exec::Device cpu = exec::Device::cpu();
  return {sparse::BlockCsr<double>(rows, columns, height, width, exec::Array<std::int32_t>(cpu, offset),
                                   exec::Array<std::int32_t>(cpu, column), exec::Array<double>(cpu, values)),
          std::move(dense)};
}

}  // namespace setka::test
