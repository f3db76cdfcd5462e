// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/mean_motion.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/base/small_vectors.hpp"

namespace setka::model {
namespace {

Vector3 scaled(double factor, const Vector3& a) {
  return plus({}, factor, a);
}

/// Of a symmetric matrix; none where it is singular against its trace.
std::optional<std::array<Vector3, 3>> inverse(const std::array<Vector3, 3>& a) {
  const std::array<Vector3, 3> adjoint{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])};
  const double det = dot(a[0], adjoint[0]);
  const double trace = a[0][0] + a[1][1] + a[2][2];
  if (!(std::abs(det) > 1e-10 * std::abs(trace * trace * trace))) return std::nullopt;
  return std::array<Vector3, 3>{scaled(1 / det, adjoint[0]), scaled(1 / det, adjoint[1]),
                                scaled(1 / det, adjoint[2])};
}

}  // namespace

std::optional<Conflict> add_mean_displacement(EquationMaker& equations, const MeanDisplacement& mean) {
  double sum = 0;
  for (const NodeShare& share : mean.shares) sum += share.weight;
  const Axes axes = equations.axes(mean.reference);
  std::vector<EquationTerm> terms;
  for (std::int32_t direction = 1; direction <= 3; ++direction) {
    const std::array<double, 3>& along = axes[static_cast<std::size_t>(direction - 1)];
    terms = {{mean.reference, direction, -1.0}};
    for (const NodeShare& share : mean.shares)
      equations.add_terms(terms, share.node, scaled(share.weight / sum, along));
    std::size_t lead = terms.size();
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (equations.taken(terms[t].node, terms[t].direction)) continue;
      if (lead == terms.size() || std::abs(terms[t].coefficient) > std::abs(terms[lead].coefficient))
        lead = t;
    }
    if (lead == terms.size()) {
      const EquationTerm& last = terms.back();
      return Conflict{last.node, last.direction, *equations.taken(last.node, last.direction)};
    }
    std::swap(terms.front(), terms[lead]);
    equations.add(terms, mean.line);
  }
  return std::nullopt;
}

MeanMotionFault add_mean_motion(EquationMaker& equations, const mesh::Mesh& mesh, const MeanMotion& mean) {
  for (const std::int32_t node : {mean.reference, mean.rotation}) {
    for (std::int32_t direction = 1; direction <= 3; ++direction) {
      if (equations.taken(node, direction)) return MeanMotionFault::taken;
    }
  }
  const auto place = [&](std::int32_t node) {
    const auto x = mesh.coordinates(node);
    return Vector3{x[0], x[1], x[2]};
  };
  double sum = 0;
  Vector3 center{};
  for (const NodeShare& share : mean.shares) {
    sum += share.weight;
    const Vector3 x = place(share.node);
    for (std::size_t k = 0; k < 3; ++k) center[k] += share.weight * x[k];
  }
  center = scaled(1 / sum, center);
  const auto from_center = [&](std::int32_t node) {
    Vector3 r = place(node);
    for (std::size_t k = 0; k < 3; ++k) r[k] -= center[k];
    return r;
  };
  std::array<Vector3, 3> moments{};
  for (const NodeShare& share : mean.shares) {
    const Vector3 r = from_center(share.node);
    for (std::size_t i = 0; i < 3; ++i) {
      moments[i][i] += share.weight / sum * dot(r, r);
      for (std::size_t j = 0; j < 3; ++j) moments[i][j] -= share.weight / sum * r[i] * r[j];
    }
  }
  const auto turn = inverse(moments);
  if (!turn) return MeanMotionFault::in_line;

  const Vector3 away = from_center(mean.reference);
  std::vector<EquationTerm> terms;
  const Axes rotation_axes = equations.axes(mean.rotation);
  const Axes axes = equations.axes(mean.reference);
  for (std::int32_t direction = 1; direction <= 3; ++direction) {
    // e . theta = sum w (I^-1 e) . (r x u) = sum w u . ((I^-1 e) x r)
    const Vector3& e = rotation_axes[static_cast<std::size_t>(direction - 1)];
    const Vector3 turned{dot((*turn)[0], e), dot((*turn)[1], e), dot((*turn)[2], e)};
    terms = {{mean.rotation, direction, 1.0}};
    for (const NodeShare& share : mean.shares)
      equations.add_terms(terms, share.node,
                          scaled(-share.weight / sum, cross(turned, from_center(share.node))));
    equations.add(terms, mean.line);
  }
  for (std::int32_t direction = 1; direction <= 3; ++direction) {
    const Vector3& e = axes[static_cast<std::size_t>(direction - 1)];
    terms = {{mean.reference, direction, 1.0}};
    for (const NodeShare& share : mean.shares)
      equations.add_terms(terms, share.node, scaled(-share.weight / sum, e));
    equations.add_terms(terms, mean.rotation,
                        scaled(-1, cross(away, e)));  // e . (theta x d) = theta . (d x e)
    equations.add(terms, mean.line);
  }
  return MeanMotionFault::none;
}

}  // namespace setka::model
