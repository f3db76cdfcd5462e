// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/krylov_kernel.hpp"

namespace setka::solve::kernel {

/// The scalars of GMRES, in device memory.
struct GmresState : KrylovState {
  double rest;   // (w, w) of what orthogonalisation left of A z
  double scale;  // makes it a unit vector; 0: there is none
};

/// The small matrices of a round, in device memory, where `height` is no less than columns + 1. R is
/// triangular, by columns.
struct GmresSmall {
  double* first;   // [height] inner products of the basis with A z
  double* second;  // those of the second pass
  double* r;       // [columns, height]
  double* c;       // [height] rotations
  double* s;
  double* g;  // [height] the rotated right-hand side
  double* y;  // [height] coefficients of the directions
  std::int64_t height;
};

/// From (r, r) in the state.
struct GmresBegin {
  GmresState* state;
  GmresSmall small;

  SETKA_HD void operator()(std::int64_t) const {
    const double norm = sqrt(state->residual);
    small.g[0] = norm;
    state->scale = 1 / norm;
  }
};

/// The next unit vector of the basis.
struct GmresExtend {
  const GmresState* state;
  exec::View<const double> w;
  exec::View<double> v;           // the vector by itself, for the preconditioner
  exec::MultiView<double> basis;  // whose column `column` it becomes
  int column;

  SETKA_HD void operator()(std::int64_t i) const {
    const double value = state->scale * w[i];
    v[i] = value;
    basis(i, column) = value;
  }
};

/// Column `column` of the Hessenberg matrix becomes one of R.
struct GmresRotate {
  GmresState* state;
  GmresSmall small;
  int column;
  double* history;

  SETKA_HD void operator()(std::int64_t) const {
    // What is left of a column beside its whole length after two passes of orthogonalisation is rounding.
    constexpr double rounding = 1e-14;
    GmresState& s = *state;
    if (s.ending != GmresState::under_way) return end(s.ending);
    double* const r = small.r + column * small.height;
    double whole = s.rest;
    for (int i = 0; i <= column; ++i) {
      r[i] = small.first[i] + small.second[i];
      whole += r[i] * r[i];
    }
    if (!(whole - whole == 0)) return end(GmresState::not_a_number);
    const double size = sqrt(whole);
    double below = sqrt(s.rest);
    if (below <= rounding * size) below = 0;
    for (int i = 0; i < column; ++i) {
      const double upper = r[i];
      r[i] = small.c[i] * upper + small.s[i] * r[i + 1];
      r[i + 1] = small.c[i] * r[i + 1] - small.s[i] * upper;
    }
    const double pivot = sqrt(r[column] * r[column] + below * below);
    if (!(pivot > rounding * size)) return end(GmresState::breakdown);
    small.c[column] = r[column] / pivot;
    small.s[column] = below / pivot;
    r[column] = pivot;
    small.g[column + 1] = -small.s[column] * small.g[column];
    small.g[column] = small.c[column] * small.g[column];
    s.residual = small.g[column + 1] * small.g[column + 1];
    s.iterations += 1;
    history[static_cast<std::int64_t>(s.iterations)] = s.residual;
    s.scale = below > 0 ? 1 / below : 0;
    if (s.residual <= s.target) s.ending = GmresState::converged;
  }

  SETKA_HD void end(GmresState::Ending ending) const {
    state->ending = ending;
    state->scale = 0;
  }
};

/// x = x + Z y
struct GmresUpdate {
  const double* directions;  // [columns, rows]
  const double* y;
  int columns;
  exec::View<double> x;

  SETKA_HD void operator()(std::int64_t i) const {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += y[j] * directions[j * x.size + i];
    x[i] = x[i] + sum;
  }
};

/// R y = g for so many columns.
struct GmresSubstitute {
  GmresSmall small;
  int columns;

  SETKA_HD void operator()(std::int64_t) const {
    for (int i = columns - 1; i >= 0; --i) {
      double sum = small.g[i];
      for (int j = i + 1; j < columns; ++j) sum -= small.r[j * small.height + i] * small.y[j];
      small.y[i] = sum / small.r[i * small.height + i];
    }
  }
};

}  // namespace setka::solve::kernel
