// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/form_kernel.hpp"

namespace setka::fem::kernel {

/// Fluxes at the points of one element.
template <Element type, class Form>
struct PointFlux {
  static constexpr int dimension = Integrated<type>::dimension;
  static constexpr int width = (Form::of_gradients ? dimension : 1) * Form::components;
  ElementGroupView group;
  CoefficientView coefficients;
  const double* u;                  // [mesh nodes, components]
  const std::int64_t* first_point;  // [elements of the group]
  double* out;                      // [points of the set, width]

  SETKA_HD void operator()(std::int64_t e) const {
    using Own = Integrated<type>;
    constexpr int n = Own::nodes;
    constexpr int c = Form::components;
    const std::int64_t block = e / block_lanes;
    const int lane = static_cast<int>(e % block_lanes);
    double x[dimension * n];
    double own[c * n];
    for (int i = 0; i < n; ++i) {
      const std::int64_t node = group.node[interleaved(block, n, i, lane)];
      for (int k = 0; k < dimension; ++k) x[dimension * i + k] = group.coordinates[3 * node + k];
      for (int k = 0; k < c; ++k) own[c * i + k] = u[c * node + k];
    }
    double* const to = out + first_point[e] * width;
    if constexpr (is_standard<type> || Form::of_any_formulation) {
      for (int p = 0; p < Own::points; ++p)
        at_point(x, own, p, coefficient(block, lane, p), row<width>(to, p));
    } else {
      by_formulation(x, own, block, lane, to);
    }
  }

 private:
  SETKA_HD const double* coefficient(std::int64_t block, int lane, int p) const {
    const int points = coefficients.varies ? Integrated<type>::points : 1;
    const std::int32_t row = coefficients.row[interleaved(block, points, coefficients.varies ? p : 0, lane)];
    return coefficients.table + std::int64_t{row} * Form::coefficients;
  }

  SETKA_HD void at_point(const double* x, const double* own, int p, const double* coefficient,
                         double* to) const {
    constexpr int n = Integrated<type>::nodes;
    constexpr int c = Form::components;
    double at[width];
    for (int k = 0; k < width; ++k) at[k] = 0;
    if constexpr (Form::of_gradients) {
      double g[n * dimension];
      space_gradients_of<n, dimension>(x, row<n * dimension>(group.reference.gradients, p),
                                       static_cast<double*>(g));
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < width; ++k) at[k] += g[dimension * i + k / c] * own[c * i + k % c];
      }
    } else {
      const double* const value = row<n>(group.reference.values, p);
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < width; ++k) at[k] += value[i] * own[c * i + k];
      }
    }
    Form::flux(coefficient, static_cast<const double*>(at), to);
  }

  /// Elasticity of elements whose strains are more than gradients at points.
  SETKA_HD void by_formulation(const double* x, const double* own, std::int64_t block, int lane,
                               double* to) const {
    constexpr int points = Integrated<type>::points;
    double d[36 * points];
    double e[6 * points];
    for (int i = 0; i < 36 * points; ++i) d[i] = coefficient(block, lane, i / 36)[i % 36];
    Solid<type>::strains(x, own, d, nullptr, e);
    for (int p = 0; p < points; ++p) {
      double s[6];
      linear_stress<6>(row<36>(static_cast<const double*>(d), p), row<6>(static_cast<const double*>(e), p),
                       static_cast<double*>(s));
      for (int k = 0; k < 9; ++k)
        to[9 * p + k] = s[k / 3 <= k % 3 ? voigt(k / 3, k % 3) : voigt(k % 3, k / 3)];
    }
  }
};

}  // namespace setka::fem::kernel

namespace setka::fem {

/// Calls body.operator()<element, Form>() for all that fluxes are computed of: as with_form(), and elasticity
/// of elements with a formulation of their own.
template <class Body>
void with_flux(FormKind kind, int components, Element element, const Body& body) {
  with_form(kind, components, element, body);
  if (kind != FormKind::elasticity) return;
  with_element("Form", element, [&]<Element type>() {
    if constexpr (!kernel::is_standard<type>)
      body.template operator()<type, kernel::forms::Elasticity<3, 3>>();
  });
}

namespace cuda {

/// Defined in form_flux.cu.
void flux_at_points(const exec::Stream& stream, FormKind kind, int components, Element element,
                    std::int64_t elements, const ElementGroupView& group, const CoefficientView& coefficients,
                    const double* u, const std::int64_t* first_point, double* out);

}  // namespace cuda
}  // namespace setka::fem
