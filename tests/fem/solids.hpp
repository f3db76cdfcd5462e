// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <Eigen/Dense>

#include "setka/fem/element.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

namespace setka::fem::test {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

inline constexpr std::array<mesh::ElementType, 9> solids{
    mesh::ElementType::c3d4,  mesh::ElementType::c3d6,  mesh::ElementType::c3d8,
    mesh::ElementType::c3d8i, mesh::ElementType::c3d8r, mesh::ElementType::c3d10,
    mesh::ElementType::c3d15, mesh::ElementType::c3d20, mesh::ElementType::c3d20r};

inline int nodes_of(mesh::ElementType type) {
  return mesh::node_count(mesh::info(type).shape);
}

template <class M>
std::span<double> span_of(M& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

/// Isotropic elasticity, [6, 6].
inline Matrix isotropic(double young, double poisson) {
  Matrix d = Matrix::Zero(6, 6);
  const double shear = young / (2 * (1 + poisson));
  d.topLeftCorner(3, 3).setConstant(young * poisson / ((1 + poisson) * (1 - 2 * poisson)));
  for (int i = 0; i < 3; ++i) {
    d(i, i) += 2 * shear;
    d(i + 3, i + 3) = shear;
  }
  return d;
}

/// The same D at every point: [p, 36].
inline std::vector<double> at_points(mesh::ElementType type, const Matrix& d) {
  std::vector<double> all;
  for (int p = 0; p < point_count(type); ++p) all.insert(all.end(), d.data(), d.data() + 36);
  return all;
}

inline Matrix stiffness_of(mesh::ElementType type, const std::vector<double>& x, const Matrix& d) {
  Matrix k(3 * nodes_of(type), 3 * nodes_of(type));
  stiffness(type, x, at_points(type, d), span_of(k));
  return k;
}

}  // namespace setka::fem::test
