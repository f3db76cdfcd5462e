// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "setka/exec/annotations.hpp"
#include "setka/exec/arithmetic.hpp"
#include "setka/fem/element_kernel.hpp"

/// Laws: what a material does at a point. One struct each says how strains become stresses, what energy they
/// hold, and how stresses change with strains; the forms of elasticity and explicit dynamics call it.
///
/// A struct Law<Real> has
///
///   constants, history_size        how many a material and a point have
///   of(constant)                   the law of a material from constant(0), constant(1), ..
///   stress(g, e, history, s)       S by G and E; what the point is to remember goes to history.after
///   energy(g, e, history)          per initial volume
///   tangent(g, e, history, de, ds) dS by dE, the change of stress() with E
///
/// with G = dU/dX at [i, b], E = (G + G' + G'G) / 2 of Green and Lagrange, S the second tensor of Piola and
/// Kirchhoff. Symmetric tensors are xx yy zz xy xz yz with the shear of the tensor, not that of engineers. A
/// Real is a float, a double or exec::Simd of them.
namespace setka::fem {

/// To add a law: a line here, and its struct below; tests, dispatch and kernels of every device follow.
#define SETKA_LAWS(X)                             \
  X(linear_elastic, LinearElastic)                \
  X(saint_venant_kirchhoff, SaintVenantKirchhoff) \
  X(mooney_rivlin, MooneyRivlin)

enum class Law : std::uint8_t {
#define SETKA_ENUMERATOR(name, ...) name,
  SETKA_LAWS(SETKA_ENUMERATOR)
#undef SETKA_ENUMERATOR
};

std::string_view name(Law law);  // "mooney_rivlin"

namespace kernel {

using exec::inverse_cube_root;

/// What points remember: that of the last state that was accepted, and where that of the present one goes.
/// [points, values of the law] of an element, [values] of a point; null where a law remembers nothing.
template <class Real>
struct History {
  const Real* before = nullptr;
  Real* after = nullptr;

  template <class Law>
  SETKA_HD History at(int point) const {
    if constexpr (Law::history_size == 0) {
      return {};
    } else {
      return {before + point * Law::history_size, after + point * Law::history_size};
    }
  }
};

/// e: E from g.
template <class Real>
SETKA_HD inline void green_strain(const Real* g, Real* e) {
  SETKA_UNROLL
  for (int k = 0; k < 6; ++k) {
    const int a = k < 3 ? k : (k < 5 ? 0 : 1);
    const int b = k < 3 ? k : (k < 4 ? 1 : 2);
    e[k] =
        Real(0.5) * (g[3 * a + b] + g[3 * b + a] + g[a] * g[b] + g[3 + a] * g[3 + b] + g[6 + a] * g[6 + b]);
  }
}

/// Sums of symmetric tensors' entries.
template <class Real>
SETKA_HD inline Real trace(const Real* e) {
  return e[0] + e[1] + e[2];
}
/// Sum of the three principal minors.
template <class Real>
SETKA_HD inline Real second_invariant(const Real* e) {
  return e[0] * e[1] + e[1] * e[2] + e[0] * e[2] - e[3] * e[3] - e[4] * e[4] - e[5] * e[5];
}
/// a : b
template <class Real>
SETKA_HD inline Real contraction(const Real* a, const Real* b) {
  const Real mixed = a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + mixed + mixed;
}
/// det(I + G) - 1, where small strains do not drown in the ones of F.
template <class Real>
SETKA_HD inline Real dilation(const Real* g) {
  const Real minors = g[0] * g[4] - g[1] * g[3] + g[4] * g[8] - g[5] * g[7] + g[0] * g[8] - g[2] * g[6];
  return g[0] + g[4] + g[8] + minors + determinant3(g);
}

/// s = D e for strains with the shear of engineers, xx yy zz xy xz yz, or xx yy xy of the plane; d: [6, 6],
/// anything with [].
template <int strains, class D, class Real>
SETKA_HD inline void linear_stress(const D& d, const Real* e, Real* s) {
  const auto place = [](int strain) { return strains == 3 && strain == 2 ? 3 : strain; };
  SETKA_UNROLL
  for (int i = 0; i < strains; ++i) {
    s[i] = 0;
    SETKA_UNROLL
    for (int j = 0; j < strains; ++j) s[i] += d[6 * place(i) + place(j)] * e[j];
  }
}

namespace laws {

/// S = D E. Constants: D, [6, 6], symmetric, for strains with the shear of engineers.
template <class Real>
struct LinearElastic {
  static constexpr int constants = 36;
  static constexpr int history_size = 0;
  Real upper[21];  // of D, row by row

  template <class Constant>
  SETKA_HD static LinearElastic of(const Constant& constant) {
    LinearElastic made;
    int at = 0;
    SETKA_UNROLL
    for (int i = 0; i < 6; ++i) {
      SETKA_UNROLL
      for (int j = i; j < 6; ++j) made.upper[at++] = constant(6 * i + j);
    }
    return made;
  }
  SETKA_HD void stress(const Real* /*g*/, const Real* e, const History<Real>& /*history*/, Real* s) const {
    Real strain[6];
    SETKA_UNROLL
    for (int i = 0; i < 6; ++i) strain[i] = i < 3 ? e[i] : e[i] + e[i];
    linear_stress<6>(Whole{upper}, strain, s);
  }
  SETKA_HD Real energy(const Real* g, const Real* e, const History<Real>& history) const {
    Real s[6];
    stress(g, e, history, s);
    return Real(0.5) * contraction(static_cast<const Real*>(s), e);
  }
  SETKA_HD void tangent(const Real* g, const Real* /*e*/, const History<Real>& history, const Real* de,
                        Real* ds) const {
    stress(g, de, history, ds);
  }

 private:
  /// All of D.
  struct Whole {
    const Real* upper;
    SETKA_HD const Real& operator[](int k) const {
      const int i = k / 6 < k % 6 ? k / 6 : k % 6;
      const int j = k / 6 < k % 6 ? k % 6 : k / 6;
      return upper[i * (11 - i) / 2 + j];
    }
  };
};

/// S = lambda tr(E) I + 2 mu E. Constants: lambda, mu.
template <class Real>
struct SaintVenantKirchhoff {
  static constexpr int constants = 2;
  static constexpr int history_size = 0;
  Real lame;
  Real shear;

  template <class Constant>
  SETKA_HD static SaintVenantKirchhoff of(const Constant& constant) {
    return {constant(0), constant(1)};
  }
  SETKA_HD void stress(const Real* /*g*/, const Real* e, const History<Real>& /*history*/, Real* s) const {
    const Real pressure = lame * trace(e);
    const Real twice = shear + shear;
    SETKA_UNROLL
    for (int i = 0; i < 3; ++i) {
      s[i] = pressure + twice * e[i];
      s[i + 3] = twice * e[i + 3];
    }
  }
  SETKA_HD Real energy(const Real* /*g*/, const Real* e, const History<Real>& /*history*/) const {
    const Real sum = trace(e);
    const Real square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    const Real mixed = e[3] * e[3] + e[4] * e[4] + e[5] * e[5];
    return lame * sum * sum * Real(0.5) + shear * (square + mixed + mixed);
  }
  SETKA_HD void tangent(const Real* g, const Real* /*e*/, const History<Real>& history, const Real* de,
                        Real* ds) const {
    stress(g, de, history, ds);
  }
};

/// W = C10 (J^-2/3 I1 - 3) + C01 (J^-4/3 I2 - 3) + (J - 1)^2 / D1 of Mooney and Rivlin, without C01 that of
/// Neo-Hooke, as in CalculiX. J - 1 and the invariants of C are taken from G and E. Constants: C10, C01, 2 /
/// D1.
template <class Real>
struct MooneyRivlin {
  static constexpr int constants = 3;
  static constexpr int history_size = 0;
  Real c10;
  Real c01;
  Real bulk;  // 2 / D1

  template <class Constant>
  SETKA_HD static MooneyRivlin of(const Constant& constant) {
    return {constant(0), constant(1), constant(2)};
  }

  SETKA_HD void stress(const Real* g, const Real* e, const History<Real>& /*history*/, Real* s) const {
    const Parts at(*this, g, e);
    Real adjugate[6];
    adjugate_of_c(e, adjugate);
    SETKA_UNROLL
    for (int i = 0; i < 3; ++i) {
      s[i] = at.of_one + at.of_strain * e[i] + at.of_adjugate * adjugate[i];
      s[i + 3] = at.of_strain * e[i + 3] + at.of_adjugate * adjugate[i + 3];
    }
  }

  SETKA_HD Real energy(const Real* g, const Real* e, const History<Real>& /*history*/) const {
    const Real more = dilation(g);
    const Real j = more + Real(1);
    const Real root = inverse_cube_root(j);
    const Real t = root * root;
    // t^3 J^2 = 1, so that t - 1 = (1 / J^2 - 1) / (t^2 + t + 1).
    const Real t_more = Real(0) - more * (more + Real(2)) / (j * j * (t * t + t + Real(1)));
    const Real t2_more = t_more * (t_more + Real(2));
    const Real i1_more = trace(e) + trace(e);
    const Real i2_more = Real(4) * (trace(e) + second_invariant(e));
    return c10 * (Real(3) * t_more + i1_more * t) + c01 * (Real(3) * t2_more + i2_more * t * t) +
           bulk * more * more * Real(0.5);
  }

  /// dJ = J C^-1 : dE; all else by the rules of products.
  SETKA_HD void tangent(const Real* g, const Real* e, const History<Real>& /*history*/, const Real* de,
                        Real* ds) const {
    const Parts at(*this, g, e);
    Real adjugate[6];
    Real change[6];  // of the adjugate
    adjugate_of_c(e, adjugate);
    adjugate_change(e, de, change);
    const Real inverse = Real(1) / at.j;
    const Real sum = trace(de);
    const Real dj = contraction(static_cast<const Real*>(adjugate), de) * inverse;
    const Real by_root = Real(-2.0 / 3) * dj * inverse;  // dt / t
    const Real da = at.a * by_root;
    const Real db = (at.b + at.b) * by_root;
    const Real di1 = sum + sum;
    const Real di2 = Real(4) * (sum + trace(e) * sum - contraction(e, de));
    const Real d_one = da + db * (at.i1 - Real(1)) + at.b * di1;
    const Real d_strain = Real(0) - db - db;
    const Real d_parts = da * at.i1 + at.a * di1 + (db + db) * at.i2 + (at.b + at.b) * di2;
    const Real d_adjugate = (bulk * (at.j + at.more) * dj - d_parts * Real(1.0 / 3)) * inverse * inverse -
                            (at.of_adjugate + at.of_adjugate) * dj * inverse;
    SETKA_UNROLL
    for (int i = 0; i < 6; ++i) {
      ds[i] = d_strain * e[i] + at.of_strain * de[i] + d_adjugate * adjugate[i] + at.of_adjugate * change[i];
      if (i < 3) ds[i] += d_one;
    }
  }

 private:
  /// S = of_one I + of_strain E + of_adjugate adj(C), where C^-1 = adj(C) / J^2.
  struct Parts {
    Real more;  // J - 1
    Real j;
    Real i1;
    Real i2;
    Real a;
    Real b;
    Real of_one;
    Real of_strain;
    Real of_adjugate;

    SETKA_HD Parts(const MooneyRivlin& law, const Real* g, const Real* e) {
      more = dilation(g);
      j = more + Real(1);
      const Real root = inverse_cube_root(j);
      const Real t = root * root;  // J^-2/3
      const Real sum = trace(e);
      i1 = Real(3) + sum + sum;
      i2 = Real(3) + Real(4) * (sum + second_invariant(e));
      a = (law.c10 + law.c10) * t;
      b = (law.c01 + law.c01) * t * t;
      of_one = a + b * (i1 - Real(1));
      of_strain = Real(0) - b - b;
      of_adjugate = (law.bulk * more * j - (a * i1 + (b + b) * i2) * Real(1.0 / 3)) / (j * j);
    }
  };

  SETKA_HD static void adjugate_of_c(const Real* e, Real* to) {
    Real c[6];
    SETKA_UNROLL
    for (int i = 0; i < 6; ++i) c[i] = e[i] + e[i] + Real(i < 3 ? 1 : 0);
    to[0] = c[1] * c[2] - c[5] * c[5];
    to[1] = c[0] * c[2] - c[4] * c[4];
    to[2] = c[0] * c[1] - c[3] * c[3];
    to[3] = c[4] * c[5] - c[3] * c[2];
    to[4] = c[3] * c[5] - c[4] * c[1];
    to[5] = c[3] * c[4] - c[5] * c[0];
  }
  SETKA_HD static void adjugate_change(const Real* e, const Real* de, Real* to) {
    Real c[6];
    Real d[6];
    SETKA_UNROLL
    for (int i = 0; i < 6; ++i) {
      c[i] = e[i] + e[i] + Real(i < 3 ? 1 : 0);
      d[i] = de[i] + de[i];
    }
    to[0] = c[1] * d[2] + d[1] * c[2] - (c[5] + c[5]) * d[5];
    to[1] = c[0] * d[2] + d[0] * c[2] - (c[4] + c[4]) * d[4];
    to[2] = c[0] * d[1] + d[0] * c[1] - (c[3] + c[3]) * d[3];
    to[3] = c[4] * d[5] + d[4] * c[5] - c[3] * d[2] - d[3] * c[2];
    to[4] = c[3] * d[5] + d[3] * c[5] - c[4] * d[1] - d[4] * c[1];
    to[5] = c[3] * d[4] + d[3] * c[4] - c[5] * d[0] - d[5] * c[0];
  }
};

}  // namespace laws
}  // namespace kernel

/// Calls body.operator()<Law>() with the struct of a law; the body returns nothing.
template <class Body>
void with_law(Law law, const Body& body) {
  switch (law) {
#define SETKA_CASE(name, Struct) \
  case Law::name:                \
    return body.template operator()<kernel::laws::Struct>();
    SETKA_LAWS(SETKA_CASE)
#undef SETKA_CASE
  }
}

}  // namespace setka::fem
