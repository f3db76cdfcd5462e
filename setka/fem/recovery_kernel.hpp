// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/extrapolation_kernel.hpp"
#include "setka/fem/solid_kernel.hpp"

/// What output makes of values at integration points.
namespace setka::fem::kernel {

/// The entries of a tensor of nine that are xx yy zz xy xz yz.
SETKA_HD constexpr int tensor_entry(int component) {
  if (component < 3) return 4 * component;
  return component == 5 ? 5 : component - 2;
}

/// From the points of elements to their nodes; for loops over the slots of a group.
template <Element type, int components>
struct ToNodes {
  static constexpr int width = components == 6 ? 9 : components;
  std::int64_t elements;            // of the group
  const std::int64_t* first_point;  // of each
  const double* at_points;          // [points of the set, width]
  double* to;                       // [blocks, nodes, components, 32]

  SETKA_HD void operator()(std::int64_t slot) const {
    constexpr int nodes = Solid<type>::nodes;
    const std::int64_t e = slot / (std::int64_t{nodes} * block_lanes) * block_lanes + slot % block_lanes;
    if (e >= elements) return;  // what fills a block up
    const int node = static_cast<int>(slot / block_lanes % nodes);
    double sum[components] = {};
    for (int p = 0; p < Solid<type>::points; ++p) {
      const double weight = extrapolation_weight<type>(node, p);
      const double* const from = at_points + (first_point[e] + p) * width;
      for (int c = 0; c < components; ++c) sum[c] += weight * from[components == 6 ? tensor_entry(c) : c];
    }
    for (int c = 0; c < components; ++c) to[slot_row(slot, components, c)] = sum[c];
  }
};

/// The mean over the elements of a node, in the order of its slots.
template <int components>
struct NodeMeans {
  const std::int64_t* first_of_node;
  const std::int32_t* slot;
  const double* values;  // of slots
  double* mean;          // [nodes, components]

  SETKA_HD void operator()(std::int64_t node) const {
    const std::int64_t first = first_of_node[node];
    const std::int64_t last = first_of_node[node + 1];
    double sum[components] = {};
    for (std::int64_t p = first; p < last; ++p) {
      for (int c = 0; c < components; ++c) sum[c] += values[slot_row(slot[p], components, c)];
    }
    for (int c = 0; c < components; ++c)
      mean[components * node + c] = last > first ? sum[c] / static_cast<double>(last - first) : 0.0;
  }
};

/// Half of stress : strain at each point.
struct EnergyDensity {
  const double* stress;  // [points, 9]
  const double* strain;  // [points, 9]
  double* energy;        // [points]

  SETKA_HD void operator()(std::int64_t p) const {
    double sum = 0;
    for (int k = 0; k < 9; ++k) sum += stress[9 * p + k] * strain[9 * p + k];
    energy[p] = sum / 2;
  }
};

struct PrincipalRange {
  double least;
  double largest;
};

/// The least and the largest eigenvalue of a symmetric tensor, [3, 3], by Jacobi's rotations as
/// principal_values() has them.
SETKA_HD inline PrincipalRange principal_range(const double* t) {
  double size = 0;
  for (int k = 0; k < 9; ++k) size = std::fmax(size, std::fabs(t[k]));
  if (!(size > 0)) return {0, 0};
  // To about 1 by a power of two, so that squares neither overflow nor vanish.
  const int exponent = std::ilogb(size);
  const double scale = std::scalbn(1.0, -exponent);
  double d[3] = {scale * t[0], scale * t[4], scale * t[8]};
  double beside[3] = {scale * t[5], scale * t[2], scale * t[1]};  // of the two other axes
  constexpr double least = 1e-150;                                // stands for zero
  double left = 1;
  for (int sweep = 0; sweep < 12 && left > 1e-17; ++sweep) {
    for (int axis = 0; axis < 3; ++axis) {
      const int p = (axis + 1) % 3;
      const int q = (axis + 2) % 3;
      const double entry = beside[axis];
      const double gap = d[q] - d[p];
      const double root = std::sqrt(gap * gap + 4 * entry * entry) + least;
      const double tangent = 2 * entry / (gap + std::copysign(root, gap));
      const double cosine = 1 / std::sqrt(tangent * tangent + 1);
      const double sine = tangent * cosine;
      d[p] -= tangent * entry;
      d[q] += tangent * entry;
      beside[axis] = 0;
      const double of_p = beside[q];
      const double of_q = beside[p];
      beside[q] = cosine * of_p - sine * of_q;
      beside[p] = sine * of_p + cosine * of_q;
    }
    left = std::fmax(std::fabs(beside[0]), std::fmax(std::fabs(beside[1]), std::fabs(beside[2])));
  }
  const double back = std::scalbn(1.0, exponent);
  return {back * std::fmin(d[0], std::fmin(d[1], d[2])), back * std::fmax(d[0], std::fmax(d[1], d[2]))};
}

/// Of each element: how much the principal stress of largest size varies over its points, in percent of its
/// largest value, and the largest stress of von Mises.
struct StressOfElement {
  std::int64_t points;              // an element
  const std::int64_t* first_point;  // of each
  const double* stress;             // [points of the set, 9]
  double* variation;                // [elements of the group]
  double* mises;                    // [elements of the group]

  SETKA_HD void operator()(std::int64_t e) const {
    double low[2] = {0, 0};  // of the largest and of the least principal stress
    double high[2] = {0, 0};
    double square = 0;
    for (std::int64_t p = 0; p < points; ++p) {
      const double* const s = stress + 9 * (first_point[e] + p);
      const PrincipalRange range = principal_range(s);
      const double principal[2] = {range.largest, range.least};
      for (int i = 0; i < 2; ++i) {
        low[i] = p == 0 ? principal[i] : std::fmin(low[i], principal[i]);
        high[i] = p == 0 ? principal[i] : std::fmax(high[i], principal[i]);
      }
      const double a = s[0] - s[4];
      const double b = s[4] - s[8];
      const double c = s[8] - s[0];
      const double own = (a * a + b * b + c * c) / 2 + 3 * (s[1] * s[1] + s[2] * s[2] + s[5] * s[5]);
      square = std::fmax(square, own);
    }
    const double size[2] = {std::fmax(std::fabs(low[0]), std::fabs(high[0])),
                            std::fmax(std::fabs(low[1]), std::fabs(high[1]))};
    const int worst = size[0] >= size[1] ? 0 : 1;
    variation[e] = size[worst] > 0 ? 100 * (high[worst] - low[worst]) / size[worst] : 0;
    mises[e] = std::sqrt(square);
  }
};

}  // namespace setka::fem::kernel
