// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/solve/amg.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/blocked.hpp"
#include "setka/sparse/csr.hpp"
#include "solve/grid_laplacian.hpp"

namespace setka::test {

/// A system of several components a point, made without finite elements of this library.
struct ComponentSystem {
  sparse::BlockCsr<double> matrix;
  solve::AmgGeometry geometry;
};

/// The same matrix as a user has it, row by row.
inline sparse::Csr csr_of(const sparse::BlockCsr<double>& matrix) {
  const sparse::SymmetricCsr upper = sparse::upper_triangle(matrix);
  sparse::Triplets list;
  list.rows = list.columns = upper.rows;
  for (std::int32_t i = 0; i < upper.rows; ++i) {
    for (std::int64_t k = upper.offset[static_cast<std::size_t>(i)];
         k < upper.offset[static_cast<std::size_t>(i) + 1]; ++k) {
      list.row.push_back(upper.column[static_cast<std::size_t>(k)]);
      list.column.push_back(i);
      list.value.push_back(upper.value[static_cast<std::size_t>(k)]);
    }
  }
  return sparse::compressed(std::move(list), true, 1);
}

/// Plane stress on cells x cells squares of bilinear elements (2 x 2 points of Gauss), the side x = 0 held
/// and left out: two components a node. modes: 2 translations, or 3 with the rotation.
inline ComponentSystem plane_elasticity(int cells, int modes, double stretch = 1) {
  constexpr double modulus = 1;
  constexpr double poisson = 0.3;
  const double h = 1.0 / cells;
  const double factor = modulus / (1 - poisson * poisson);
  const std::array<std::array<double, 3>, 3> d{
      {{factor, factor * poisson, 0}, {factor * poisson, factor, 0}, {0, 0, factor * (1 - poisson) / 2}}};
  std::array<std::array<double, 8>, 8> element{};
  constexpr std::array<std::array<int, 2>, 4> corners{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  for (const auto& point : corners) {
    const double s = point[0] / std::sqrt(3.0);
    const double t = point[1] / std::sqrt(3.0);
    std::array<std::array<double, 8>, 3> b{};
    for (std::size_t n = 0; n < 4; ++n) {
      const double by_x = corners[n][0] * (1 + corners[n][1] * t) / (2 * h * stretch);
      const double by_y = corners[n][1] * (1 + corners[n][0] * s) / (2 * h);
      b[0][2 * n] = b[2][2 * n + 1] = by_x;
      b[1][2 * n + 1] = b[2][2 * n] = by_y;
    }
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        for (std::size_t p = 0; p < 3; ++p) {
          for (std::size_t q = 0; q < 3; ++q)
            element[i][j] += b[p][i] * d[p][q] * b[q][j] * h * h * stretch / 4;
        }
      }
    }
  }
  const auto node = [&](int x, int y) { return x == 0 ? -1 : y * cells + x - 1; };
  const std::int32_t nodes = cells * (cells + 1);
  sparse::Triplets list;
  list.rows = list.columns = 2 * nodes;
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      const std::array<int, 4> at{node(x, y), node(x + 1, y), node(x + 1, y + 1), node(x, y + 1)};
      for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t j = 0; j < 8; ++j) {
          if (at[i / 2] < 0 || at[j / 2] < 0) continue;
          list.row.push_back(2 * at[i / 2] + static_cast<std::int32_t>(i % 2));
          list.column.push_back(2 * at[j / 2] + static_cast<std::int32_t>(j % 2));
          list.value.push_back(element[i][j]);
        }
      }
    }
  }
  solve::AmgGeometry geometry;
  geometry.modes = modes;
  std::vector<double> mode;
  for (int y = 0; y <= cells; ++y) {
    for (int x = 1; x <= cells; ++x) {
      const std::array<double, 3> at{x * h * stretch, y * h, 0};
      geometry.coordinates.insert(geometry.coordinates.end(), at.begin(), at.end());
      const std::array<std::array<double, 3>, 2> motion{{{1, 0, -at[1]}, {0, 1, at[0]}}};
      for (const auto& row : motion) mode.insert(mode.end(), row.begin(), row.begin() + modes);
    }
  }
  geometry.mode = std::move(mode);
  return {sparse::blocked(exec::Device::cpu(), sparse::compressed(list, false, 1), 2), std::move(geometry)};
}

/// Conduction of several quantities that drive each other, by differences: along direction d by the positive
/// definite matrix C_d. Each is nearly constant where the matrix is nearly zero. with_coordinates: else the
/// neighbours alone tell what is near.
inline ComponentSystem coupled_conduction(std::array<std::int32_t, 3> points, int components, int modes,
                                          bool with_coordinates) {
  const auto n = static_cast<std::size_t>(components);
  GridLaplacian grid;
  grid.points = points;
  sparse::Triplets list;
  list.rows = list.columns = grid.unknowns() * components;
  for (int d = 0; d < 3; ++d) {
    grid.conductivity = [d](int, int, int, int direction) { return direction == d ? 1.0 : 0.0; };
    const sparse::Triplets along = grid.entries();
    for (std::size_t k = 0; k < along.value.size(); ++k) {
      for (int r = 0; r < components; ++r) {
        for (int c = 0; c < components; ++c) {
          const double coupling = r == c ? 2 + 0.3 * ((r + d) % 3) : 1.0 / (1 + std::abs(r - c) + d);
          list.row.push_back(along.row[k] * components + r);
          list.column.push_back(along.column[k] * components + c);
          list.value.push_back(along.value[k] * coupling);
        }
      }
    }
  }
  solve::AmgGeometry geometry;
  geometry.modes = modes;
  std::vector<double> mode(static_cast<std::size_t>(list.rows) * static_cast<std::size_t>(modes), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(list.rows); ++i) {
    const std::size_t component = i % n;
    if (component < static_cast<std::size_t>(modes))
      mode[i * static_cast<std::size_t>(modes) + component] = 1;
  }
  geometry.mode = std::move(mode);
  if (with_coordinates) geometry.coordinates = grid.coordinates();
  return {sparse::blocked(exec::Device::cpu(), sparse::compressed(list, false, 1), components),
          std::move(geometry)};
}

}  // namespace setka::test
