// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/spectrum_kernel.hpp"

namespace setka::solve {
double highest_eigenvalue(const sparse::BlockCsr<float>& a, exec::View<const float> inverse_blocks,
                          int steps) {
  // Conjugate gradients with D as preconditioner; their coefficients are the tridiagonal matrix of Lanczos.
  const exec::Stream stream = a.device();
  const std::int64_t n = a.scalar_rows();
  const exec::Scratch<float> q(stream, n);
  const exec::Scratch<float> r(stream, n);
  const exec::Scratch<float> z(stream, n);
  const exec::Scratch<float> p(stream, n);
  exec::parallel_for(stream, n, kernel::Noise<float>{q.data(), 0});
  sparse::multiply<float>(stream, a, q, r);  // within the range of A, and rich in high modes
  Eigen::VectorXd diagonal(steps);
  Eigen::VectorXd beside(steps);
  double rho = 0;
  double previous_alpha = 1;
  double beta = 0;
  int done = 0;
  for (; done < steps; ++done) {
    multiply_diagonal<float>(stream, a.height(), inverse_blocks, {r.data(), n, 1, 1}, {z.data(), n, 1, 1});
    const double next = exec::dot<float>(stream, r, z);
    if (!(next > 0)) break;
    beta = done == 0 ? 0.0 : next / rho;
    rho = next;
    if (done == 0) exec::fill<float>(stream, p, 0.0F);
    exec::axpby<float>(stream, 1.0F, z, static_cast<float>(beta), p);
    sparse::multiply<float>(stream, a, p, q);
    const double curvature = exec::dot<float>(stream, p, q);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    diagonal[done] = 1 / alpha + beta / previous_alpha;
    if (done > 0) beside[done - 1] = std::sqrt(beta) / previous_alpha;
    previous_alpha = alpha;
    exec::axpy<float>(stream, static_cast<float>(-alpha), q, r);
  }
  if (done == 0) return 1;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal.head(done), beside.head(std::max(0, done - 1)),
                                Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[done - 1];
}

}  // namespace setka::solve
