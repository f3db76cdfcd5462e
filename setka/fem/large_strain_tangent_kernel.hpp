// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/large_strain_kernel.hpp"

/// How the forces of an element under large displacements change with them: what the law's tangent makes of
/// a direction v at a state u, dP = dG S + (I + G) dS with dG = dv/dX.
namespace setka::fem::kernel {

/// As point_forces() has them; hv: [3, 3], slopes of v; p: [3, 3], changes of forces by reference slope.
template <class Law, class Real>
SETKA_HD inline void point_tangent(const Real* c, const Real& r, const Real* hu, const Real* hv,
                                   const Real& weight, const Law& law, const History<Real>& history,
                                   Real* p) {
  Real g[9];
  Real dg[9];
  SETKA_UNROLL
  for (int i = 0; i < 3; ++i) {
    SETKA_UNROLL
    for (int b = 0; b < 3; ++b) {
      const Real* const at = row<3>(c, b);
      g[3 * i + b] = r * (at[0] * hu[i] + at[1] * hu[3 + i] + at[2] * hu[6 + i]);
      dg[3 * i + b] = r * (at[0] * hv[i] + at[1] * hv[3 + i] + at[2] * hv[6 + i]);
    }
  }
  Real e[6];
  Real de[6];
  Real s[6];
  Real ds[6];
  green_strain(static_cast<const Real*>(g), e);
  SETKA_UNROLL
  for (int k = 0; k < 6; ++k) {
    const int a = k < 3 ? k : (k < 5 ? 0 : 1);
    const int b = k < 3 ? k : (k < 4 ? 1 : 2);
    de[k] = dg[3 * a + b] + dg[3 * b + a];
    SETKA_UNROLL
    for (int i = 0; i < 3; ++i) de[k] += g[3 * i + a] * dg[3 * i + b] + dg[3 * i + a] * g[3 * i + b];
    de[k] *= Real(0.5);
  }
  law.stress(g, e, history, s);
  law.tangent(g, e, history, de, ds);
  constexpr int at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};  // of a symmetric tensor
  SETKA_UNROLL
  for (int i = 0; i < 3; ++i) {
    Real first[3];
    SETKA_UNROLL
    for (int b = 0; b < 3; ++b) {
      first[b] = ds[at[3 * i + b]];
      SETKA_UNROLL
      for (int a = 0; a < 3; ++a)
        first[b] += dg[3 * i + a] * s[at[3 * a + b]] + g[3 * i + a] * ds[at[3 * a + b]];
      first[b] *= weight;
    }
    SETKA_UNROLL
    for (int a = 0; a < 3; ++a) p[3 * a + i] = first[0] * c[a] + first[1] * c[3 + a] + first[2] * c[6 + a];
  }
}

/// A material without stress: what is left of hex8_uniform are its springs, whose forces are linear in u.
template <class Real>
struct NoStress {
  static constexpr int constants = 0;
  static constexpr int history_size = 0;
  SETKA_HD void stress(const Real* /*g*/, const Real* /*e*/, const History<Real>& /*history*/,
                       Real* s) const {
    for (int i = 0; i < 6; ++i) s[i] = Real(0);
  }
  SETKA_HD Real energy(const Real* /*g*/, const Real* /*e*/, const History<Real>& /*history*/) const {
    return Real(0);
  }
};

/// df: [nodes, 3] for v: [nodes, 3], from what an element has loaded.
template <Element type, class Real, class Law, class Source>
SETKA_HD inline void element_tangent(const LargeStrainGroup<double>& group, const Source& geometry,
                                     const Real* x, const Real* u, const Real* v, const Law& law,
                                     const Real& resistance, const History<Real>& history, Real* df) {
  constexpr int nodes = Solid<type>::nodes;
  if constexpr (type == Element::hex8_uniform) {
    uniform_forces(geometry, v, NoStress<Real>{}, resistance, {}, false, df);
    Real b[24];
    Real one[9];
    Real hu[9];
    Real hv[9];
    Real p[9];
    for (int i = 0; i < 24; ++i) b[i] = geometry.load(i);
    for (int i = 0; i < 9; ++i) one[i] = Real(i % 4 == 0 ? 1 : 0);
    slopes<8>(u, b, hu);
    slopes<8>(v, b, hv);
    point_tangent(one, Real(1), hu, hv, Real(geometry.load(24)), law, history, p);
    for (int i = 0; i < 8; ++i) {
      for (int k = 0; k < 3; ++k)
        df[3 * i + k] += b[3 * i] * p[k] + b[3 * i + 1] * p[3 + k] + b[3 * i + 2] * p[6 + k];
    }
  } else {
    for (int i = 0; i < 3 * nodes; ++i) df[i] = Real(0);
    for (int point = 0; point < Solid<type>::points; ++point) {
      const double* const dn = row<3 * nodes>(group.gradients, point);
      Real j[9];
      Real c[9];
      Real hu[9];
      Real hv[9];
      Real p[9];
      slopes<nodes>(x, dn, j);
      slopes<nodes>(u, dn, hu);
      slopes<nodes>(v, dn, hv);
      const Real r = Real(1) / adjugate3(j, c);
      point_tangent(c, r, hu, hv, Real(group.weights[point]), law, history.template at<Law>(point), p);
      for (int i = 0; i < nodes; ++i) {
        const double* const at = row<3>(dn, i);
        SETKA_UNROLL
        for (int k = 0; k < 3; ++k)
          df[3 * i + k] += Real(at[0]) * p[k] + Real(at[1]) * p[3 + k] + Real(at[2]) * p[6 + k];
      }
    }
  }
}

/// What is multiplied at which state, and where it goes.
struct TangentProduct {
  LargeStrainGroup<double> group;
  const double* u;  // [mesh nodes, 3]
  DofSource v;      // of products
  int columns;      // of v; 0: the matrices of the elements are wanted
  double* to;       // [blocks, rows, 32, columns], or [blocks, entries, 32]

  /// Vectors that an element of so many rows multiplies.
  SETKA_HD int count(int rows) const { return columns > 0 ? columns : rows; }

  /// Row i of vector k of an element: one of v, or the unit vector of row k.
  SETKA_HD double direction(int nodes, std::int64_t block, int i, int lane, int k) const {
    if (columns == 0) return i == k ? 1.0 : 0.0;
    return GatheredRows<3>{group.node, nodes, v}(block, i, lane, k);
  }

  /// What vector k gave in row i; of matrices the upper triangle is kept.
  SETKA_HD void put(int rows, std::int64_t block, int i, int lane, int k, double value) const {
    if (columns > 0) {
      to[interleaved(block, rows, i, lane) * columns + k] = value;
    } else if (i <= k) {
      to[interleaved(block, triangle_size(rows), triangle_entry(rows, i, k), lane)] = value;
    }
  }
};

/// A thread an element and vector: GPUs.
template <Element type, template <class> class Law>
struct ElementTangent {
  TangentProduct on;

  SETKA_HD void operator()(std::int64_t thread) const {
    constexpr int nodes = Solid<type>::nodes;
    constexpr int rows = 3 * nodes;
    constexpr int width = Law<double>::constants + 1;
    constexpr int remembered = Solid<type>::points * Law<double>::history_size;
    const std::int64_t elements = on.group.blocks * block_lanes;
    const std::int64_t e = thread % elements;
    const int k = static_cast<int>(thread / elements);
    const std::int64_t block = e / block_lanes;
    const int lane = static_cast<int>(e % block_lanes);
    double x[rows];
    double u[rows];
    double v[rows];
    double df[rows];
    for (int i = 0; i < rows; ++i) {
      const std::int64_t at = 3 * std::int64_t{on.group.node[interleaved(block, nodes, i / 3, lane)]} + i % 3;
      x[i] = on.group.coordinates[at];
      u[i] = on.u[at];
      v[i] = on.direction(nodes, block, i, lane, k);
    }
    double before[remembered > 0 ? remembered : 1];
    double after[remembered > 0 ? remembered : 1];
    for (int i = 0; i < remembered; ++i) before[i] = on.group.before[interleaved(block, remembered, i, lane)];
    const ConstantsOf<double> constant{on.group.constants + std::int64_t{on.group.material[e]} * width};
    const LaneSource<double> geometry{geometry_of<type, false>(on.group, block, lane)};
    element_tangent<type>(on.group, geometry, static_cast<const double*>(x), static_cast<const double*>(u),
                          static_cast<const double*>(v), Law<double>::of(constant), constant(width - 1),
                          History<double>{before, after}, static_cast<double*>(df));
    for (int i = 0; i < rows; ++i) on.put(rows, block, i, lane, k, df[i]);
  }
};

}  // namespace setka::fem::kernel

namespace setka::fem::cuda {

/// Defined in large_strain_tangent.cu.
void large_strain_tangent(const exec::Stream& stream, Element element, Law law,
                          const kernel::TangentProduct& on);

}  // namespace setka::fem::cuda
