// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/mesh/quadrature_kernel.hpp"

/// C3D8R: the uniform strain hexahedron of Flanagan and Belytschko (1981). One point at the centre, the mean
/// gradients of the shape functions over the exact volume, and an elastic resistance to the four hourglass
/// patterns of each direction.
///
/// We differ from the paper where CalculiX 2.20 does, whose results are the reference: the hourglass vectors
/// are made orthogonal to the field z alone, not to x and y. In elements whose opposite edges are not
/// parallel linear fields so meet a little hourglass resistance (0.0005 of the modulus), even turns about x
/// and y.
namespace setka::fem::kernel {

struct UniformStrain {
  using Functions = mesh::ShapeFunctions<mesh::Cell::hex8>;
  using Points = mesh::GaussHex<1>;
  using VolumePoints = mesh::GaussHex<2>;  // exact for the volume and the mean gradients
  static constexpr int nodes = 8;

  /// b: [8, 3], mean gradients; returns the volume.
  SETKA_HD static double mean_gradients(const double* x, double* b) {
    double volume = 0;
    for (int i = 0; i < 24; ++i) b[i] = 0;
    for (int p = 0; p < VolumePoints::points; ++p) {
      double r[3];
      double g[24];
      const double weight = VolumePoints::at(p, r);
      const double w = weight * space_gradients<Functions>(x, r, g);
      volume += w;
      for (int i = 0; i < 24; ++i) b[i] += w * g[i];
    }
    for (int i = 0; i < 24; ++i) b[i] /= volume;
    return volume;
  }

  SETKA_HD static double volume(const double* x) {
    double sum = 0;
    for (int p = 0; p < VolumePoints::points; ++p) {
      double r[3];
      const double weight = VolumePoints::at(p, r);
      sum += weight * determinant_at<Functions>(x, r);
    }
    return sum;
  }

  /// What the hourglass resistance is measured by: Young's modulus of an isotropic material, D_xxxx of
  /// others.
  SETKA_HD static double modulus(const double* d) {
    const double shear = d[21];
    const double lame = d[1];
    const bool isotropic = is_isotropic(d, 1e-9 * d[0]);
    return isotropic ? shear * (3 * lame + 2 * shear) / (lame + shear) : d[0];
  }

  SETKA_HD static void stiffness(const double* x, const double* d, double* k) {
    double b[24];
    const double volume = mean_gradients(x, b);
    for (int i = 0; i < 24 * 24; ++i) k[i] = 0;
    add_stiffness<8>(b, d, volume, k);
    mirror_blocks<8>(k);

    double square = 0;
    for (const double value : b) square += value * value;
    const double c = 0.0005 * modulus(d) * volume * square;
    for (int pattern = 0; pattern < 4; ++pattern) {
      double gamma[8];
      double z = 0;
      for (int i = 0; i < 8; ++i) {
        gamma[i] = hourglass(pattern, i);
        z += gamma[i] * x[3 * i + 2];
      }
      for (int i = 0; i < 8; ++i) gamma[i] -= z * b[3 * i + 2];
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
          for (int a = 0; a < 3; ++a) k[(3 * i + a) * 24 + 3 * j + a] += c * gamma[i] * gamma[j];
        }
      }
    }
  }

  SETKA_HD static void mass(const double* x, double density, double* m) {
    const double share = density * volume(x) / 64;
    for (int i = 0; i < 24; ++i) {
      for (int j = 0; j < 24; ++j) m[i * 24 + j] = i % 3 == j % 3 ? share : 0;
    }
  }

  SETKA_HD static void strains(const double* x, const double* u, double* e) {
    double b[24];
    mean_gradients(x, b);
    for (int a = 0; a < 6; ++a) e[a] = 0;
    for (int i = 0; i < 8; ++i) add_strain(row<3>(b, i), row<3>(u, i), e);
  }

  SETKA_HD static void internal_force(const double* x, const double* stress, double* f) {
    double b[24];
    const double volume = mean_gradients(x, b);
    for (int i = 0; i < 24; ++i) f[i] = 0;
    for (int i = 0; i < 8; ++i) add_force(row<3>(b, i), stress, volume, row<3>(f, i));
  }

  SETKA_HD static void body_force(const double* x, const double* force, double* f) {
    const double share = volume(x) / 8;
    for (int i = 0; i < 24; ++i) f[i] = share * force[i % 3];
  }

  /// Sign of a node in the four hourglass patterns.
  SETKA_HD static constexpr int hourglass(int pattern, int i) {
    const int x = mesh::detail::corner_x(i);
    const int y = mesh::detail::corner_y(i);
    const int z = mesh::detail::corner_z(i);
    if (pattern == 0) return y * z;
    if (pattern == 1) return x * z;
    if (pattern == 2) return x * y;
    return x * y * z;
  }
};

}  // namespace setka::fem::kernel
