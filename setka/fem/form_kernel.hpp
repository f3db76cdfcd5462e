// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/fem/element_matrices_kernel.hpp"
#include "setka/fem/element_operator_kernel.hpp"
#include "setka/fem/laws.hpp"
#include "setka/fem/solid_kernel.hpp"

/// Forms: what happens at a point. One function each says how a field's gradients, or its values, become
/// fluxes; element matrices, products without them and fluxes at points all call it. A Real is a double or
/// Lanes; coefficients are anything with [].
namespace setka::fem {

/// To add a form: a line here, and its struct below.
#define SETKA_FORMS(X)      \
  X(elasticity, Elasticity) \
  X(conduction, Conduction) \
  X(mass, Mass)             \
  X(stress_stiffness, StressStiffness)

enum class FormKind {
#define SETKA_ENUMERATOR(name, ...) name,
  SETKA_FORMS(SETKA_ENUMERATOR)
#undef SETKA_ENUMERATOR
};

namespace kernel::forms {

/// Stresses by strains. Coefficients: D, [6, 6], of which plane elements use rows and columns xx, yy and xy.
template <int dimension_, int components_>
struct Elasticity {
  static constexpr int components = dimension_;
  static constexpr bool possible = components_ == dimension_;
  static constexpr int coefficients = 36;
  static constexpr bool of_gradients = true;
  static constexpr bool of_any_formulation = false;

  /// g: d u_c / d x_b at [b, c]; f: stress at [b, c].
  template <class D, class Real>
  SETKA_HD static void flux(const D& d, const Real* g, Real* f) {
    constexpr int m = dimension_;
    constexpr int strains = m == 3 ? 6 : 3;
    Real e[strains];
    Real s[strains];
    SETKA_UNROLL
    for (int i = 0; i < m; ++i) e[i] = g[std::ptrdiff_t{m + 1} * i];
    if constexpr (m == 3) {
      e[3] = g[1] + g[3];
      e[4] = g[2] + g[6];
      e[5] = g[5] + g[7];
    } else {
      e[2] = g[1] + g[2];
    }
    linear_stress<strains>(d, e, s);
    SETKA_UNROLL
    for (int b = 0; b < m; ++b) {
      SETKA_UNROLL
      for (int c = 0; c < m; ++c) f[m * b + c] = s[b == c ? b : (m == 3 ? voigt(b, c) : 2)];
    }
  }
};

/// Flux by the gradient of a scalar. Coefficients: xx yy zz xy xz yz of a symmetric tensor.
template <int dimension_, int components_>
struct Conduction {
  static constexpr int components = 1;
  static constexpr bool possible = components_ == 1;
  static constexpr int coefficients = 6;
  static constexpr bool of_gradients = true;
  static constexpr bool of_any_formulation = false;

  template <class K, class Real>
  SETKA_HD static void flux(const K& k, const Real* g, Real* f) {
    SETKA_UNROLL
    for (int i = 0; i < dimension_; ++i) {
      f[i] = 0;
      SETKA_UNROLL
      for (int j = 0; j < dimension_; ++j) f[i] += k[i < j ? voigt(i, j) : voigt(j, i)] * g[j];
    }
  }
};

/// Inertia, or capacity of a scalar. Coefficient: what a volume has of it.
template <int dimension_, int components_>
struct Mass {
  static constexpr int components = components_;
  static constexpr bool possible = true;
  static constexpr int coefficients = 1;
  static constexpr bool of_gradients = false;
  static constexpr bool of_any_formulation = false;

  /// u, f: [components]
  template <class C, class Real>
  SETKA_HD static void flux(const C& density, const Real* u, Real* f) {
    SETKA_UNROLL
    for (int c = 0; c < components; ++c) f[c] = density[0] * u[c];
  }
};

/// What stresses that are there already do when their material turns: grad v_c . sigma grad u_c, summed over
/// the components. Coefficients: the stresses xx yy zz xy xz yz. Internal modes of elements and what resists
/// hourglasses do not feel them: the integral over the points is all there is to it, of any formulation.
template <int dimension_, int components_>
struct StressStiffness {
  static constexpr int components = dimension_;
  static constexpr bool possible = components_ == dimension_;
  static constexpr int coefficients = 6;
  static constexpr bool of_gradients = true;
  static constexpr bool of_any_formulation = true;

  /// g: d u_c / d x_b at [b, c]; f: sigma grad u_c at [b, c].
  template <class S, class Real>
  SETKA_HD static void flux(const S& stress, const Real* g, Real* f) {
    constexpr int m = dimension_;
    SETKA_UNROLL
    for (int b = 0; b < m; ++b) {
      SETKA_UNROLL
      for (int c = 0; c < m; ++c) {
        f[m * b + c] = 0;
        SETKA_UNROLL
        for (int a = 0; a < m; ++a) f[m * b + c] += stress[a < b ? voigt(a, b) : voigt(b, a)] * g[m * a + c];
      }
    }
  }
};

}  // namespace kernel::forms

/// Coefficients of a form at the points of a group of elements.
struct CoefficientView {
  const double* table;      // [rows, coefficients]
  const std::int32_t* row;  // [blocks, points or 1, 32]
  bool varies;              // from point to point
};

/// Calls body.operator()<element, Form>() for the form of a kind on an element, for so many components.
template <class Body>
void with_form(FormKind kind, int components, Element element, Body&& body) {
  with_element("Form", element, [&]<Element type>() {
    constexpr int dimension = kernel::Integrated<type>::dimension;
    const auto of_components = [&]<int c>() {
      switch (kind) {
#define SETKA_CASE(name, type_of)                                                            \
  case FormKind::name: {                                                                     \
    using Form = kernel::forms::type_of<dimension, c>;                                       \
    if constexpr (Form::possible && (kernel::is_standard<type> || Form::of_any_formulation)) \
      body.template operator()<type, Form>();                                                \
    return;                                                                                  \
  }
        SETKA_FORMS(SETKA_CASE)
#undef SETKA_CASE
      }
    };
    components == 1 ? of_components.template operator()<1>() : of_components.template operator()<dimension>();
  });
}

namespace kernel {

/// k: [components, components] for s: sum over points of w g_a g_b^T, where coefficients are the same at all
/// of them.
template <class Form, int dimension, class C, class Real>
SETKA_HD inline void form_block(const C& coefficient, const Real* s, Real* k) {
  constexpr int c = Form::components;
  if constexpr (Form::of_gradients) {
    SETKA_UNROLL
    for (int i = 0; i < c * c; ++i) k[i] = 0;
    SETKA_UNROLL
    for (int column = 0; column < c; ++column) {
      SETKA_UNROLL
      for (int i = 0; i < dimension; ++i) {
        Real g[dimension * c];
        Real f[dimension * c];
        SETKA_UNROLL
        for (int j = 0; j < dimension * c; ++j) g[j] = j % c == column ? s[dimension * i + j / c] : Real(0);
        Form::flux(coefficient, g, f);
        SETKA_UNROLL
        for (int row = 0; row < c; ++row) k[c * row + column] += f[c * i + row];
      }
    }
  } else {
    SETKA_UNROLL
    for (int column = 0; column < c; ++column) {
      Real u[c];
      Real f[c];
      SETKA_UNROLL
      for (int j = 0; j < c; ++j) u[j] = j == column ? s[0] : Real(0);
      Form::flux(coefficient, u, f);
      SETKA_UNROLL
      for (int row = 0; row < c; ++row) k[c * row + column] = f[row];
    }
  }
}

/// Gradients in space, [nodes, dimension], from those in the reference element; returns det(dx/dr).
template <int nodes, int dimension, class X, class G>
SETKA_HD inline auto space_gradients_of(const X& x, const double* dn, G g) {
  if constexpr (dimension == 3) {
    return map_gradients<nodes>(x, dn, g);
  } else {
    return map_plane_gradients<nodes>(x, dn, g);
  }
}

/// f = K u of one element without K; x: [nodes, dimension], u, f: [nodes, components]; coefficient(p): those
/// of a point.
template <Element type, class Form, class X, class U, class Coefficients, class Real>
SETKA_HD inline void form_product(const X& x, const U& u, const ReferenceView& reference,
                                  const Coefficients& coefficient, Real* f) {
  using Own = Integrated<type>;
  constexpr int n = Own::nodes;
  constexpr int m = Own::dimension;
  constexpr int c = Form::components;
  for (int i = 0; i < n * c; ++i) f[i] = 0;
  for (int p = 0; p < Own::points; ++p) {
    Real g[n * m];
    const Real w = reference.weights[p] * space_gradients_of<n, m>(x, row<n * m>(reference.gradients, p), g);
    const double* const value = row<n>(reference.values, p);
    constexpr int size = Form::of_gradients ? m * c : c;
    Real at[size];
    Real flux[size];
    for (int i = 0; i < size; ++i) at[i] = 0;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < size; ++k) {
        if constexpr (Form::of_gradients) {
          at[k] += g[m * i + k / c] * u[c * i + k % c];
        } else {
          at[k] += value[i] * u[c * i + k];
        }
      }
    }
    Form::flux(coefficient(p), at, flux);
    for (int k = 0; k < size; ++k) flux[k] *= w;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < size; ++k) {
        if constexpr (Form::of_gradients) {
          f[c * i + k % c] += g[m * i + k / c] * flux[k];
        } else {
          f[c * i + k] += value[i] * flux[k];
        }
      }
    }
  }
}

}  // namespace kernel

namespace cuda {

// Defined in form.cu.
void integrate_form(const exec::Stream& stream, FormKind kind, int components, Element element,
                    const ElementGroupView& group, const CoefficientView& coefficients, double* k);
void multiply_form(const exec::Stream& stream, FormKind kind, int components, Element element,
                   const ElementGroupView& group, const CoefficientView& coefficients,
                   const kernel::DofSource& u, int columns, double* values);

}  // namespace cuda
}  // namespace setka::fem
