// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/spring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "setka/analysis/small_vectors.hpp"

namespace setka::analysis {
namespace {

/// From the first node to the second.
std::array<double, 3> difference(std::span<const double> x) {
  return {x[3] - x[0], x[4] - x[1], x[5] - x[2]};
}

/// The change of length of the spring is g times the displacements; g: [3n].
std::array<double, 6> gradient(const Spring& spring, std::span<const double> x) {
  std::array<double, 6> g{};
  if (spring.kind == SpringKind::axial) {
    const std::array<double, 3> along = difference(x);
    for (std::size_t i = 0; i < 3; ++i) {
      g[3 + i] = along[i] / length(along);
      g[i] = -g[3 + i];
    }
    return g;
  }
  g[static_cast<std::size_t>(spring.first_direction - 1)] = 1;
  if (spring.kind == SpringKind::relative) g[2 + static_cast<std::size_t>(spring.second_direction)] = -1;
  return g;
}

}  // namespace

void Spring::stiffness(std::span<const double> x, std::span<double> k) const {
  const std::array<double, 6> g = gradient(*this, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) k[i * x.size() + j] = constant * g[i] * g[j];
  }
}

void Spring::damping(double constant, std::span<const double> x, std::span<double> c) {
  Spring{SpringKind::axial, constant}.stiffness(x, c);
}

void Spring::stiffness_at(std::span<const double> x, std::span<const double> u, std::span<double> k) const {
  if (kind != SpringKind::axial) return stiffness(x, k);
  std::array<double, 6> moved{};
  for (std::size_t i = 0; i < 6; ++i) moved[i] = x[i] + u[i];
  stiffness(moved, k);
  const std::array<double, 6> g = gradient(*this, moved);
  const double now = length(difference(moved));
  const double pull = constant * (now - length(difference(x))) / now;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double sign = i / 3 == j / 3 ? 1 : -1;
      k[6 * i + j] += pull * ((i % 3 == j % 3 ? sign : 0.0) - g[i] * g[j]);
    }
  }
}

void Spring::stress_stiffness(std::span<const double> x, std::span<const double> u,
                              std::span<double> k) const {
  std::ranges::fill(k, 0.0);
  if (kind != SpringKind::axial) return;
  const std::array<double, 6> g = gradient(*this, x);
  double change = 0;
  for (std::size_t i = 0; i < 6; ++i) change += g[i] * u[i];
  const double pull = constant * change / length(difference(x));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double sign = i / 3 == j / 3 ? 1 : -1;
      k[6 * i + j] = pull * ((i % 3 == j % 3 ? sign : 0.0) - g[i] * g[j]);
    }
  }
}

double Spring::force(std::span<const double> x, std::span<const double> u, std::span<double> f) const {
  std::array<double, 6> moved{};
  for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[i] + u[i];
  const std::array<double, 6> g = gradient(*this, std::span(moved).first(x.size()));
  double change = 0;
  if (kind == SpringKind::axial) {
    change = length(difference(moved)) - length(difference(x));
  } else {
    for (std::size_t i = 0; i < u.size(); ++i) change += g[i] * u[i];
  }
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = constant * change * g[i];
  return constant * change * change / 2;
}

}  // namespace setka::analysis
