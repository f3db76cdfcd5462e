// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/local_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace setka::model {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector scaled(const Vector& a, double factor) {
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}

Vector difference(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Of length 1; zero where a has no direction. Numbers whose squares would be too small or too large are none
/// the worse for it.
Vector direction(const Vector& a) {
  const double largest = std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])});
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  const Vector b{a[0] / largest, a[1] / largest, a[2] / largest};
  return scaled(b, 1 / std::sqrt(dot(b, b)));
}

/// The axis of a cylindrical system, or what stands on both vectors of a rectangular one; of length 1, or
/// zero where there is none.
Vector third_direction(const LocalSystem& system) {
  if (system.cylindrical) return direction(difference(system.b, system.a));
  constexpr double least_sine = 1e-12;
  const Vector across = cross(direction(system.a), direction(system.b));
  return dot(across, across) > least_sine * least_sine ? direction(across) : Vector{};
}

Vector any_across(const Vector& axis) {
  int least = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(axis[static_cast<std::size_t>(i)]) < std::abs(axis[static_cast<std::size_t>(least)]))
      least = i;
  }
  Vector v{};
  v[static_cast<std::size_t>(least)] = 1;
  v = difference(v, scaled(axis, dot(v, axis)));
  return scaled(v, 1 / std::sqrt(dot(v, v)));
}

Axes cylindrical_axes(const LocalSystem& system, const Vector& axial, const Vector& point) {
  const Vector arm = difference(point, system.a);
  const Vector across = difference(arm, scaled(axial, dot(arm, axial)));
  const double radius = std::sqrt(dot(across, across));
  const double size = std::sqrt(dot(arm, arm));
  const Vector radial = radius > 1e-10 * size ? scaled(across, 1 / radius) : any_across(axial);
  return {radial, cross(axial, radial), axial};
}

}  // namespace

bool spans_axes(const LocalSystem& system) {
  return third_direction(system) != Vector{};
}

Axes axes_at(const LocalSystem& system, std::span<const double, 3> point) {
  const Vector third = third_direction(system);
  if (third == Vector{}) {
    throw Error(Fault::input, fmt::format("local system {}: its two points span no system", system.name),
                system.cylindrical ? "give two different points of the axis"
                                   : "give two vectors that are not parallel and not zero");
  }
  const Vector first = direction(system.a);
  Axes axes = system.cylindrical ? cylindrical_axes(system, third, {point[0], point[1], point[2]})
                                 : Axes{first, cross(third, first), third};
  if (system.turned_about != 0 && system.turned_by != 0) {
    const double angle = system.turned_by * std::numbers::pi / 180;
    const auto i = static_cast<std::size_t>(system.turned_about % 3);  // the two directions that turn
    const auto j = (i + 1) % 3;
    const Vector u = axes[i];
    const Vector v = axes[j];
    for (std::size_t k = 0; k < 3; ++k) {
      axes[i][k] = std::cos(angle) * u[k] + std::sin(angle) * v[k];
      axes[j][k] = std::cos(angle) * v[k] - std::sin(angle) * u[k];
    }
  }
  return axes;
}

std::array<double, 3> to_local(const Axes& axes, std::span<const double, 3> vector) {
  const Vector v{vector[0], vector[1], vector[2]};
  return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}

std::array<double, 6> to_local(const Axes& axes, std::span<const double, 6> tensor) {
  const std::array<Vector, 3> rows{Vector{tensor[0], tensor[3], tensor[4]},
                                   Vector{tensor[3], tensor[1], tensor[5]},
                                   Vector{tensor[4], tensor[5], tensor[2]}};
  const auto component = [&](std::size_t i, std::size_t j) {
    return dot(axes[i], {dot(rows[0], axes[j]), dot(rows[1], axes[j]), dot(rows[2], axes[j])});
  };
  return {component(0, 0), component(1, 1), component(2, 2),
          component(0, 1), component(0, 2), component(1, 2)};
}

}  // namespace setka::model
