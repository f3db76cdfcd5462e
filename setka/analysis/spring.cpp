// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/spring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "setka/analysis/small_vectors.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {
namespace {

/// From the first node to the second.
std::array<double, 3> difference(std::span<const double> x) {
  return {x[3] - x[0], x[4] - x[1], x[5] - x[2]};
}

}  // namespace

std::array<double, 6> Spring::gradient(std::span<const double> x) const {
  std::array<double, 6> g{};
  if (kind == SpringKind::axial) {
    const std::array<double, 3> along = difference(x);
    for (std::size_t i = 0; i < 3; ++i) {
      g[3 + i] = along[i] / length(along);
      g[i] = -g[3 + i];
    }
    return g;
  }
  const auto add = [&](std::size_t node, int direction, double sign) {
    const auto d = static_cast<std::size_t>(direction - 1);
    model::Axes axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (system != nullptr) axes = model::axes_at(*system, x.subspan(3 * node).first<3>());
    for (std::size_t k = 0; k < 3; ++k) g[3 * node + k] = sign * axes[d][k];
  };
  add(0, first_direction, 1);
  if (kind == SpringKind::relative) add(1, second_direction, -1);
  return g;
}

Spring::Response Spring::response(double change) const {
  if (curve.empty()) return {constant * change, constant, constant * change * change / 2};
  const auto at = [&](double elongation) {  // energy since the first point
    const std::array<double, 2>& first = curve.front();
    if (elongation < first[0]) return Response{first[1], 0, (elongation - first[0]) * first[1]};
    double energy = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const auto& [from, force] = curve[i - 1];
      const double slope = (curve[i][1] - force) / (curve[i][0] - from);
      if (elongation < curve[i][0]) {
        const double further = elongation - from;
        return Response{force + slope * further, slope, energy + (force + slope * further / 2) * further};
      }
      energy += (force + curve[i][1]) / 2 * (curve[i][0] - from);
    }
    const std::array<double, 2>& last = curve.back();
    return Response{last[1], 0, energy + (elongation - last[0]) * last[1]};
  };
  Response response = at(change);
  response.energy -= at(0).energy;
  return response;
}

void Spring::stiffness(std::span<const double> x, std::span<double> k) const {
  const std::array<double, 6> g = gradient(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) k[i * x.size() + j] = constant * g[i] * g[j];
  }
}

void Spring::damping(double constant, std::span<const double> x, std::span<double> c) {
  Spring{SpringKind::axial, constant}.stiffness(x, c);
}

void Spring::stiffness_at(std::span<const double> x, std::span<const double> u, std::span<double> k) const {
  if (kind != SpringKind::axial) {
    const std::array<double, 6> g = gradient(x);
    double change = 0;
    for (std::size_t i = 0; i < x.size(); ++i) change += g[i] * u[i];
    const double slope = response(change).slope;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) k[i * x.size() + j] = slope * g[i] * g[j];
    }
    return;
  }
  std::array<double, 6> moved{};
  for (std::size_t i = 0; i < 6; ++i) moved[i] = x[i] + u[i];
  const std::array<double, 6> g = gradient(moved);
  const double now = length(difference(moved));
  const Response stretched = response(now - length(difference(x)));
  const double pull = stretched.force / now;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double sign = i / 3 == j / 3 ? 1 : -1;
      k[6 * i + j] = stretched.slope * g[i] * g[j] + pull * ((i % 3 == j % 3 ? sign : 0.0) - g[i] * g[j]);
    }
  }
}

void Spring::stress_stiffness(std::span<const double> x, std::span<const double> u,
                              std::span<double> k) const {
  std::ranges::fill(k, 0.0);
  if (kind != SpringKind::axial) return;
  const std::array<double, 6> g = gradient(x);
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
  // Directions of the others are those of the undeformed place.
  const std::array<double, 6> g = gradient(kind == SpringKind::axial ? std::span<const double>(moved) : x);
  double change = 0;
  if (kind == SpringKind::axial) {
    change = length(difference(moved)) - length(difference(x));
  } else {
    for (std::size_t i = 0; i < u.size(); ++i) change += g[i] * u[i];
  }
  const Response answer = response(change);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = answer.force * g[i];
  return answer.energy;
}

}  // namespace setka::analysis
