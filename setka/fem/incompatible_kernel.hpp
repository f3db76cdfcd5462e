// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/mesh/quadrature_kernel.hpp"

/// C3D8I: the trilinear hexahedron with three internal modes a direction, 1 - r^2 for each reference
/// coordinate r (Wilson; Taylor, Beresford and Wilson 1976). As in CalculiX 2.20 the modes' gradients use the
/// Jacobian at the centre, without the factor det J(0) / det J of Taylor: elements whose Jacobian varies
/// linearly do not pass the patch test. In CalculiX the modes are unknowns of the system; here they are
/// eliminated, which gives the same statics.
namespace setka::fem::kernel {

struct Incompatible {
  using Functions = mesh::ShapeFunctions<mesh::Cell::hex8>;
  using Points = mesh::GaussHex<2>;
  static constexpr int nodes = 8;
  static constexpr int modes = 3;
  static constexpr int rows = 3 * (nodes + modes);  // 24 of the nodes, 9 inside

  /// g: [11, 3]: gradients of the shape functions, then of the modes; returns det J at r.
  SETKA_HD static double gradients(const double* x, const double* r, const double* centre_inverse,
                                   double* g) {
    const double determinant = space_gradients<Functions>(x, r, g);
    for (int m = 0; m < modes; ++m) {
      for (int b = 0; b < 3; ++b) g[3 * (nodes + m) + b] = -2 * r[m] * centre_inverse[3 * b + m];
    }
    return determinant;
  }

  SETKA_HD static void centre_inverse(const double* x, double* inverse) {
    const double r[3] = {0, 0, 0};
    double dn[3 * nodes];
    double j[9];
    Functions::gradients(r, dn);
    jacobian<nodes>(x, dn, j);
    invert3(j, inverse);
  }

  /// k: [33, 33] with the modes last.
  SETKA_HD static void whole_stiffness(const double* x, const double* d, double* k) {
    double centre[9];
    centre_inverse(x, centre);
    for (int i = 0; i < rows * rows; ++i) k[i] = 0;
    for (int p = 0; p < Points::points; ++p) {
      double r[3];
      double g[rows];
      const double weight = Points::at(p, r);
      const double determinant = gradients(x, r, centre, g);
      add_stiffness<nodes + modes>(g, row<36>(d, p), weight * determinant, k);
    }
    mirror_blocks<nodes + modes>(k);
  }

  /// The Cholesky factor of the modes' block, in place of its lower triangle.
  SETKA_HD static void factor_modes(double* k) {
    for (int j = 24; j < rows; ++j) {
      for (int i = j; i < rows; ++i) {
        double sum = k[i * rows + j];
        for (int m = 24; m < j; ++m) sum -= k[i * rows + m] * k[j * rows + m];
        k[i * rows + j] = i == j ? std::sqrt(sum) : sum / k[j * rows + j];
      }
    }
  }

  /// b: [9] := Kaa^-1 b with the factor above.
  SETKA_HD static void solve_modes(const double* k, double* b) {
    for (int i = 0; i < 9; ++i) {
      for (int m = 0; m < i; ++m) b[i] -= k[(24 + i) * rows + 24 + m] * b[m];
      b[i] /= k[(24 + i) * rows + 24 + i];
    }
    for (int i = 8; i >= 0; --i) {
      for (int m = i + 1; m < 9; ++m) b[i] -= k[(24 + m) * rows + 24 + i] * b[m];
      b[i] /= k[(24 + i) * rows + 24 + i];
    }
  }

  SETKA_HD static void stiffness(const double* x, const double* d, double* k) {
    double whole[rows * rows];
    whole_stiffness(x, d, whole);
    factor_modes(whole);
    for (int j = 0; j < 24; ++j) {
      double a[9];
      for (int m = 0; m < 9; ++m) a[m] = whole[j * rows + 24 + m];
      solve_modes(whole, a);
      for (int i = 0; i <= j; ++i) {
        double sum = whole[i * rows + j];
        for (int m = 0; m < 9; ++m) sum -= whole[i * rows + 24 + m] * a[m];
        k[i * 24 + j] = k[j * 24 + i] = sum;
      }
    }
  }

  /// m: [11, 11], the same for each direction, with the modes last: what CalculiX has in eigenvalue problems.
  SETKA_HD static void whole_mass(const double* x, double density, double* m) {
    for (int i = 0; i < 11 * 11; ++i) m[i] = 0;
    for (int p = 0; p < Points::points; ++p) {
      double r[3];
      double n[nodes + modes];
      const double weight = Points::at(p, r);
      const double w = density * weight * determinant_at<Functions>(x, r);
      Functions::values(r, n);
      for (int i = 0; i < modes; ++i) n[nodes + i] = 1 - r[i] * r[i];
      for (int i = 0; i < 11; ++i) {
        for (int j = 0; j < 11; ++j) m[i * 11 + j] += w * n[i] * n[j];
      }
    }
  }

  /// The mass of CalculiX, which the modes have too, seen by the nodes when the modes follow statically:
  /// T^T M T with T = [1; -Kaa^-1 Kau].
  SETKA_HD static void mass(const double* x, double density, const double* d, double* m) {
    double whole[rows * rows];
    whole_stiffness(x, d, whole);
    factor_modes(whole);
    double t[9 * 24];  // [9, 24]
    for (int j = 0; j < 24; ++j) {
      double a[9];
      for (int i = 0; i < 9; ++i) a[i] = -whole[j * rows + 24 + i];
      solve_modes(whole, a);
      for (int i = 0; i < 9; ++i) t[i * 24 + j] = a[i];
    }
    double scalar[11 * 11];
    whole_mass(x, density, scalar);
    for (int i = 0; i < 24; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = i % 3 == j % 3 ? scalar[i / 3 * 11 + j / 3] : 0;
        for (int a = 0; a < 9; ++a) {
          if (a % 3 == i % 3) sum += scalar[i / 3 * 11 + 8 + a / 3] * t[a * 24 + j];
          if (a % 3 == j % 3) sum += scalar[j / 3 * 11 + 8 + a / 3] * t[a * 24 + i];
          for (int b = a % 3; b < 9; b += 3) {
            sum += t[a * 24 + i] * scalar[(8 + a / 3) * 11 + 8 + b / 3] * t[b * 24 + j];
          }
        }
        m[i * 24 + j] = m[j * 24 + i] = sum;
      }
    }
  }

  /// initial: [8, 6] stresses that are there without strain, or null.
  SETKA_HD static void strains(const double* x, const double* u, const double* d, const double* initial,
                               double* e) {
    double whole[rows * rows];
    whole_stiffness(x, d, whole);
    double a[9];
    for (int m = 0; m < 9; ++m) {
      a[m] = 0;
      for (int i = 0; i < 24; ++i) a[m] -= whole[(24 + m) * rows + i] * u[i];
    }
    if (initial != nullptr) {
      double f[rows];
      whole_force(x, initial, f);
      for (int m = 0; m < 9; ++m) a[m] -= f[24 + m];
    }
    factor_modes(whole);
    solve_modes(whole, a);
    double centre[9];
    centre_inverse(x, centre);
    for (int p = 0; p < Points::points; ++p) {
      double r[3];
      double g[rows];
      Points::at(p, r);
      gradients(x, r, centre, g);
      for (int c = 0; c < 6; ++c) e[6 * p + c] = 0;
      for (int i = 0; i < nodes; ++i) add_strain(row<3>(g, i), row<3>(u, i), row<6>(e, p));
      for (int m = 0; m < modes; ++m) add_strain(row<3>(g, nodes + m), row<3>(a, m), row<6>(e, p));
    }
  }

  /// f: [24]; with d the modes follow: f_u - Kua Kaa^-1 f_a; with d null they are held.
  SETKA_HD static void internal_force(const double* x, const double* stress, const double* d, double* f) {
    double all[rows];
    whole_force(x, stress, all);
    for (int i = 0; i < 24; ++i) f[i] = all[i];
    if (d == nullptr) return;
    double whole[rows * rows];
    whole_stiffness(x, d, whole);
    factor_modes(whole);
    solve_modes(whole, all + 24);
    for (int i = 0; i < 24; ++i) {
      for (int m = 0; m < 9; ++m) f[i] -= whole[i * rows + 24 + m] * all[24 + m];
    }
  }

 private:
  /// f: [33]
  SETKA_HD static void whole_force(const double* x, const double* stress, double* f) {
    double centre[9];
    centre_inverse(x, centre);
    for (int i = 0; i < rows; ++i) f[i] = 0;
    for (int p = 0; p < Points::points; ++p) {
      double r[3];
      double g[rows];
      const double weight = Points::at(p, r);
      const double w = weight * gradients(x, r, centre, g);
      for (int i = 0; i < nodes + modes; ++i) add_force(row<3>(g, i), row<6>(stress, p), w, row<3>(f, i));
    }
  }
};

}  // namespace setka::fem::kernel
