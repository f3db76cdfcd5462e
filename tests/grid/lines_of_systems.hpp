// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/sweep.hpp"
#include "support/random.hpp"

namespace setka::test {

/// Random diagonally dominant systems of all lines of a grid, and their right-hand sides.
template <class T>
struct Systems {
  grid::Lines lines;
  grid::Coefficients kind;
  std::vector<T> lower, diagonal, upper;  // one entry each when constant
  std::vector<T> d;

  Systems(const grid::Lines& of, grid::Coefficients how, unsigned seed)
      : lines(of), kind(how), d(random_values<T>(of.span(), seed + 3)) {
    const std::int64_t size = how == grid::Coefficients::each     ? of.span()
                              : how == grid::Coefficients::shared ? of.rows
                                                                  : 1;
    lower = random_values<T>(size, seed);
    diagonal = random_values<T>(size, seed + 1);
    upper = random_values<T>(size, seed + 2);
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      const T sum = T(0.25) + std::abs(lower[i]) + std::abs(upper[i]);
      diagonal[i] = diagonal[i] < 0 ? diagonal[i] - sum : diagonal[i] + sum;
    }
  }

  grid::ConstantRows<T> constant() const {
    return {lower[0],          diagonal[0],        upper[0],          T(3) * diagonal[0],
            T(0.5) * upper[0], T(0.25) * lower[0], T(2) * diagonal[0]};
  }

  grid::kernel::Row<double> row(std::int64_t line, std::int64_t i, bool periodic) const {
    if (kind == grid::Coefficients::constant) {
      const grid::kernel::Bands<T> bands{nullptr, nullptr, nullptr, 0, 0, 0, constant(), periodic};
      const auto found = bands.constant_row(i, lines.rows);
      return {double(found.lower), double(found.diagonal), double(found.upper)};
    }
    const auto at = static_cast<std::size_t>(kind == grid::Coefficients::each ? lines.place(line, i) : i);
    const bool first = !periodic && i == 0;
    const bool last = !periodic && i == lines.rows - 1;
    return {first ? 0.0 : double(lower[at]), double(diagonal[at]), last ? 0.0 : double(upper[at])};
  }

  /// The largest residual over all rows, relative to the largest right-hand side, of a solution whose other
  /// entries must have stayed at `untouched`.
  double residual(const std::vector<T>& x, bool periodic) const {
    double worst = 0;
    for (std::int64_t line = 0; line < lines.count(); ++line) {
      const auto value = [&](std::int64_t i) {
        return double(x[static_cast<std::size_t>(lines.place(line, (i + lines.rows) % lines.rows))]);
      };
      for (std::int64_t i = 0; i < lines.rows; ++i) {
        const auto r = row(line, i, periodic);
        const double left = r.diagonal * value(i) + r.lower * value(i - 1) + r.upper * value(i + 1);
        const double off = std::abs(left - double(d[static_cast<std::size_t>(lines.place(line, i))]));
        if (!(off <= worst)) worst = off;
        if (std::isnan(worst)) return worst;
      }
    }
    return worst;
  }

  /// x by sweep() on a device.
  std::vector<T> solved(const exec::Device& device, const grid::SweepOptions& options, bool in_place) const {
    const exec::Array<T> on_lower(device, lower);
    const exec::Array<T> on_diagonal(device, diagonal);
    const exec::Array<T> on_upper(device, upper);
    exec::Array<T> right(device, d);
    exec::Array<T> x(device, std::vector<T>(d.size(), T(77)));
    const auto matrix =
        kind == grid::Coefficients::each     ? grid::Tridiagonal<T>::each(on_lower, on_diagonal, on_upper)
        : kind == grid::Coefficients::shared ? grid::Tridiagonal<T>::shared(on_lower, on_diagonal, on_upper)
                                             : grid::Tridiagonal<T>::constant(constant());
    exec::Array<T>& to = in_place ? right : x;
    grid::sweep(device, lines, matrix, right, to, options);
    return to.to_vector();
  }
};

}  // namespace setka::test
