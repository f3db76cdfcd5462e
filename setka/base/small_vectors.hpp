// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

/// Vectors in space.
namespace setka {

using Vector3 = std::array<double, 3>;

inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vector3 plus(const Vector3& a, double factor, const Vector3& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

inline double length(const Vector3& a) {
  return std::sqrt(dot(a, a));
}

/// Of unit length; zero stays zero.
inline Vector3 unit(const Vector3& a) {
  const double size = length(a);
  return size > 0 ? Vector3{a[0] / size, a[1] / size, a[2] / size} : a;
}

}  // namespace setka
