// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/spectrum.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_jacobi.hpp"

namespace setka::solve {
namespace {

/// Repeatable noise in [-1, 1] from the position (splitmix64).
double noise(std::int64_t i) {
  auto z = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-52 - 1;
}

}  // namespace

double highest_eigenvalue(const sparse::BlockCsr<double>& a, const std::vector<double>& inverse_blocks,
                          int steps) {
  // Conjugate gradients with D as preconditioner; their coefficients are the tridiagonal matrix of Lanczos.
  const exec::Device& cpu = a.device();
  const std::int64_t n = a.scalar_rows();
  const BlockJacobi jacobi(cpu, a.height(), inverse_blocks);
  std::vector<double> start(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) start[static_cast<std::size_t>(i)] = noise(i);
  exec::Array<double> q(cpu, start);
  exec::Array<double> r(cpu, n);
  exec::Array<double> z(cpu, n);
  exec::Array<double> p(cpu, n);
  sparse::multiply<double>(cpu, a, q, r);  // within the range of A, and rich in high modes
  Eigen::VectorXd diagonal(steps);
  Eigen::VectorXd beside(steps);
  double rho = 0;
  double previous_alpha = 1;
  double beta = 0;
  int done = 0;
  for (; done < steps; ++done) {
    jacobi.apply(cpu, r, z);
    const double next = exec::dot(cpu, r, z);
    if (!(next > 0)) break;
    beta = done == 0 ? 0.0 : next / rho;
    rho = next;
    if (done == 0) exec::fill(cpu, p, 0.0);
    exec::axpby(cpu, 1.0, z, beta, p);
    sparse::multiply<double>(cpu, a, p, q);
    const double curvature = exec::dot(cpu, p, q);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    diagonal[done] = 1 / alpha + beta / previous_alpha;
    if (done > 0) beside[done - 1] = std::sqrt(beta) / previous_alpha;
    previous_alpha = alpha;
    exec::axpy(cpu, -alpha, q, r);
  }
  if (done == 0) return 1;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal.head(done), beside.head(std::max(0, done - 1)),
                                Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[done - 1];
}

}  // namespace setka::solve
