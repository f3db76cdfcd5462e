// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace setka::test {

/// Uniform in [-1, 1]; the seed is an argument so that a failure can name it.
template <class T>
std::vector<T> random_values(std::int64_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(uniform(generator));
  return values;
}

}  // namespace setka::test
