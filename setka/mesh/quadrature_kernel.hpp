// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"

/// Quadrature rules of the reference elements of shape_functions_kernel.hpp, in the point order of CalculiX:
/// the first coordinate runs fastest. Each has `points`, `dimension` and at(p, r), which fills r: [dimension]
/// and returns the weight. Weights sum to the size of the reference element.
namespace setka::mesh {

/// Gauss-Legendre with n points on [-1, 1]; exact to degree 2 n - 1.
template <int n>
struct GaussLine {
  static_assert(n >= 1 && n <= 3);
  static constexpr int dimension = 1;
  static constexpr int points = n;
  SETKA_HD static double at(int p, double* r) {
    if constexpr (n == 1) {
      r[0] = 0;
      return 2;
    } else if constexpr (n == 2) {
      r[0] = p == 0 ? -0.57735026918962576451 : 0.57735026918962576451;
      return 1;
    } else {
      r[0] = (p - 1) * 0.77459666924148337704;
      return p == 1 ? 8.0 / 9 : 5.0 / 9;
    }
  }
};

template <int n>
struct GaussQuad {
  static constexpr int dimension = 2;
  static constexpr int points = n * n;
  SETKA_HD static double at(int p, double* r) {
    return GaussLine<n>::at(p % n, r) * GaussLine<n>::at(p / n, r + 1);
  }
};

template <int n>
struct GaussHex {
  static constexpr int dimension = 3;
  static constexpr int points = n * n * n;
  SETKA_HD static double at(int p, double* r) {
    return GaussLine<n>::at(p % n, r) * GaussLine<n>::at(p / n % n, r + 1) *
           GaussLine<n>::at(p / (n * n), r + 2);
  }
};

/// 1 point: degree 1. 3 points (inside): degree 2. 7 points: degree 5 (Radon).
template <int n>
struct GaussTri {
  static_assert(n == 1 || n == 3 || n == 7);
  static constexpr int dimension = 2;
  static constexpr int points = n;
  SETKA_HD static double at(int p, double* r) {
    if constexpr (n == 1) {
      r[0] = r[1] = 1.0 / 3;
      return 0.5;
    } else if constexpr (n == 3) {
      r[0] = p == 1 ? 2.0 / 3 : 1.0 / 6;
      r[1] = p == 2 ? 2.0 / 3 : 1.0 / 6;
      return 1.0 / 6;
    } else {
      if (p == 0) {
        r[0] = r[1] = 1.0 / 3;
        return 0.1125;
      }
      // a = (6 -+ sqrt(15)) / 21, weight (155 -+ sqrt(15)) / 2400
      const double root = p < 4 ? -3.87298334620741688518 : 3.87298334620741688518;
      const double a = (6 + root) / 21;
      const int turn = (p - 1) % 3;
      r[0] = turn == 1 ? 1 - 2 * a : a;
      r[1] = turn == 2 ? 1 - 2 * a : a;
      return (155 + root) / 2400;
    }
  }
};

/// 1 point: degree 1. 4 points: degree 2. 15 points: degree 5 (Keast).
template <int n>
struct GaussTet {
  static_assert(n == 1 || n == 4 || n == 15);
  static constexpr int dimension = 3;
  static constexpr int points = n;
  SETKA_HD static double at(int p, double* r) {
    if constexpr (n == 1) {
      r[0] = r[1] = r[2] = 0.25;
      return 1.0 / 6;
    } else if constexpr (n == 4) {
      constexpr double a = 0.13819660112501051518;
      corner(p, a, r);
      return 1.0 / 24;
    } else {
      if (p == 0) {
        r[0] = r[1] = r[2] = 0.25;
        return 16.0 / 135 / 6;
      }
      if (p < 9) {  // a = (7 +- sqrt(15)) / 34
        const double root = p < 5 ? -3.87298334620741688518 : 3.87298334620741688518;
        corner((p - 1) % 4, (7 + root) / 34, r);
        return (2665 - 14 * root) / 37800 / 6;
      }
      // On the lines between the middles of opposite edges: two coordinates a, two 1/2 - a.
      constexpr double a = 0.05635083268962915574;
      constexpr double b = 0.5 - a;
      const int turn = p - 9;
      r[0] = turn == 0 || turn == 1 || turn == 3 ? b : a;
      r[1] = turn == 0 || turn == 2 || turn == 4 ? b : a;
      r[2] = turn == 1 || turn == 2 || turn == 5 ? b : a;
      return 10.0 / 189 / 6;
    }
  }

 private:
  /// Three barycentric coordinates a, that of corner i the rest.
  SETKA_HD static void corner(int i, double a, double* r) {
    for (int d = 0; d < 3; ++d) r[d] = i == d + 1 ? 1 - 3 * a : a;
  }
};

template <int triangle, int line>
struct GaussWedge {
  static constexpr int dimension = 3;
  static constexpr int points = triangle * line;
  SETKA_HD static double at(int p, double* r) {
    return GaussTri<triangle>::at(p % triangle, r) * GaussLine<line>::at(p / triangle, r + 2);
  }
};

/// Two points along a beam, the first coordinate, five by five across: the two of Gauss and the three that
/// Kronrod puts beside them; exact to degree 7 across. The eight of GaussHex<2> come first, then the others
/// of each half.
struct GaussKronrodBeam {
  static constexpr int dimension = 3;
  static constexpr int points = 50;
  SETKA_HD static double at(int p, double* r) {
    constexpr int others = 21;  // of a half
    int j = 2 * (p / 2 % 2) + 1;
    int k = 2 * (p / 4) + 1;
    int half = p % 2;
    if (p >= 8) {
      half = (p - 8) / others;
      int place = (p - 8) % others;
      place += (place >= 6) + (place >= 7) + (place >= 14) + (place >= 15);  // past those of Gauss
      j = place % 5;
      k = place / 5;
    }
    return GaussLine<2>::at(half, r) * across(j, r[1]) * across(k, r[2]);
  }

 private:
  SETKA_HD static double across(int i, double& r) {
    const double side = i < 2 ? -1 : 1;
    if (i == 2) {
      r = 0;
      return 28.0 / 45;
    }
    const bool of_gauss = i == 1 || i == 3;
    r = side * (of_gauss ? 0.57735026918962576451 : 0.92582009977255146157);
    return of_gauss ? 27.0 / 55 : 98.0 / 495;
  }
};

/// Two points along a fibre, the first coordinate, on its axis.
struct GaussFibre {
  static constexpr int dimension = 3;
  static constexpr int points = 2;
  SETKA_HD static double at(int p, double* r) {
    r[1] = r[2] = 0;
    return 4 * GaussLine<2>::at(p, r);
  }
};

/// Where there is nothing to integrate.
using NoPoints = void;

using GaussWedge1x2 = GaussWedge<1, 2>;
using GaussWedge3x2 = GaussWedge<3, 2>;
using GaussWedge3x3 = GaussWedge<3, 3>;

}  // namespace setka::mesh
