// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/grid_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace setka::model {

std::string_view name(GridScheme scheme) {
  switch (scheme) {
    case GridScheme::lod:
      return "lod";
    case GridScheme::peaceman_rachford:
      return "adi (peaceman-rachford)";
    case GridScheme::douglas:
      return "adi (douglas)";
    case GridScheme::explicit_euler:
      return "explicit";
    case GridScheme::jacobi:
      return "jacobi";
    case GridScheme::weighted_jacobi:
      return "weighted-jacobi";
    default:
      return "sor";
  }
}

bool is_stationary(GridScheme scheme) {
  return scheme == GridScheme::jacobi || scheme == GridScheme::weighted_jacobi ||
         scheme == GridScheme::red_black_sor;
}

bool GridShape::holds(const std::array<double, 3>& point) const {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(point[k] >= from[k] && point[k] <= to[k])) return false;
    if (static_cast<int>(k) != axis) square += (point[k] - centre[k]) * (point[k] - centre[k]);
  }
  if (kind == Kind::disc) return square <= radius * radius;
  if (kind == Kind::stripes) {
    const double along = (point[static_cast<std::size_t>(axis)] - offset) / period;
    return (along - std::floor(along)) * period < width;
  }
  return true;
}

double GridCase::spacing(int axis) const {
  const auto k = static_cast<std::size_t>(axis);
  return lengths[k] / static_cast<double>(cells[k]);
}

std::int64_t GridCase::points(int axis) const {
  return cells[static_cast<std::size_t>(axis)] + (is_stationary(scheme) && axis < axes ? 1 : 0);
}

std::int64_t GridCase::point_count() const {
  return points(0) * points(1) * points(2);
}

double GridCase::place(int axis, std::int64_t point) const {
  const double first = is_stationary(scheme) ? 0 : 0.5;
  return origin[static_cast<std::size_t>(axis)] + (static_cast<double>(point) + first) * spacing(axis);
}

std::int64_t GridCase::nearest_point(int axis, double at) const {
  const double away = (at - place(axis, 0)) / spacing(axis);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(away + 0.5)), 0, points(axis) - 1);
}

std::vector<std::int64_t> GridCase::shape() const {
  if (axes == 2) return {points(1), points(0)};
  return {points(2), points(1), points(0)};
}

}  // namespace setka::model
