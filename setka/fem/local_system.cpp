// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/local_system.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "setka/base/error.hpp"

namespace setka::fem {
namespace {

using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector minus(const Vector& a, const Vector& b, double factor) {
  return {a[0] - factor * b[0], a[1] - factor * b[1], a[2] - factor * b[2]};
}

Vector unit(const Vector& a, double scale, const SourceLine& line, const char* trouble) {
  const double length = std::sqrt(dot(a, a));
  if (!(length > 1e-10 * scale))
    throw Error(Fault::input, trouble, "give two points that set the axes", line);
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// Turns the other two axes about one of them.
void turn(Axes& axes, int about, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const auto i = static_cast<std::size_t>(about % 3);
  const auto j = static_cast<std::size_t>((about + 1) % 3);
  const Vector first = axes[i];
  const Vector second = axes[j];
  for (std::size_t k = 0; k < 3; ++k) {
    axes[i][k] = std::cos(angle) * first[k] + std::sin(angle) * second[k];
    axes[j][k] = std::cos(angle) * second[k] - std::sin(angle) * first[k];
  }
}

}  // namespace

Axes axes_at(const model::Model& model, const model::LocalSystem& system, std::span<const double, 3> point) {
  const SourceLine line = model.source(system.line);
  Axes axes;
  if (system.cylindrical) {
    const Vector along = minus(system.b, system.a, 1);
    axes[2] = unit(along, 0, line, "the two points on the axis of a cylindrical system are the same");
    const Vector from_a{point[0] - system.a[0], point[1] - system.a[1], point[2] - system.a[2]};
    const Vector radial = minus(from_a, axes[2], dot(from_a, axes[2]));
    const double scale = std::sqrt(dot(from_a, from_a) + dot(along, along));
    axes[0] = unit(radial, scale, line,
                   "a point lies on the axis of a cylindrical system, where there is no radial direction");
    axes[1] = cross(axes[2], axes[0]);
  } else {
    axes[0] = unit(system.a, 0, line, "the first point of a rectangular system is the origin");
    const double scale = std::sqrt(dot(system.b, system.b));
    axes[2] = unit(cross(axes[0], system.b), scale, line,
                   "the two points of a rectangular system are in line with the origin");
    axes[1] = cross(axes[2], axes[0]);
  }
  if (system.turned_about > 0) turn(axes, system.turned_about, system.turned_by);
  return axes;
}

std::array<double, 36> stress_rotation(const Axes& axes) {
  constexpr std::array<std::array<std::size_t, 2>, 6> pair{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  std::array<double, 36> m{};
  for (std::size_t row = 0; row < 6; ++row) {
    const auto [i, j] = pair[row];
    for (std::size_t column = 0; column < 6; ++column) {
      const auto [k, l] = pair[column];
      // global s_ij = sum over local k, l of a_ki a_lj s_kl; the two equal shear components together.
      m[6 * row + column] = axes[k][i] * axes[l][j] + (k == l ? 0.0 : axes[l][i] * axes[k][j]);
    }
  }
  return m;
}

}  // namespace setka::fem
