// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/spectrum.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/spectrum_kernel.hpp"

namespace setka::solve {
namespace {

/// Conjugate gradients for A with B as preconditioner from the residual r, which they change; their
/// coefficients are the tridiagonal matrix of Lanczos. Ends when r'Br is `enough` of what it was. a, b: calls
/// with a view to read and one to write; member: of a team that has the other rows, or null.
template <class T, class Product, class Inverse>
Spectrum ritz_values(const exec::Stream& stream, const exec::Member* member, const Product& a,
                     const Inverse& b, exec::View<T> r, int steps, double enough) {
  const auto dot = [&](exec::View<const T> x, exec::View<const T> y) {
    const double own{exec::dot<T>(stream, x, y)};
    return member != nullptr ? member->sum(own) : own;
  };
  const std::int64_t n = r.size;
  const exec::Scratch<T> q(stream, n);
  const exec::Scratch<T> z(stream, n);
  const exec::Scratch<T> p(stream, n);
  std::vector<double> diagonal;
  std::vector<double> beside;
  double rho = 0;
  double first = 0;
  double previous_alpha = 1;
  double beta = 0;
  int done = 0;
  for (; done < steps; ++done) {
    b(r, z);
    const double next = dot(r, z);
    if (done == 0) first = next;
    if (!(next > enough * first)) break;
    beta = done == 0 ? 0.0 : next / rho;
    rho = next;
    if (done == 0) exec::fill<T>(stream, p, T{0});
    exec::axpby<T>(stream, T{1}, z, static_cast<T>(beta), p);
    a(p, q);
    const double curvature = dot(p, q);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    diagonal.push_back(1 / alpha + beta / previous_alpha);
    if (done > 0) beside.push_back(std::sqrt(beta) / previous_alpha);
    previous_alpha = alpha;
    exec::axpy<T>(stream, static_cast<T>(-alpha), q, r);
  }
  if (done == 0) return {};
  const auto values = [&] { return tridiagonal_eigenvalues(diagonal, beside); };
  const std::vector<double> ritz = member != nullptr ? member->agreed(values) : values();
  return {ritz.front(), ritz.back()};
}

/// Products with a matrix.
auto product_with(const exec::Stream& stream, const sparse::TeamCsr<float>& a) {
  return [&stream, &a](exec::View<const float> x, exec::View<float> y) {
    sparse::multiply<float>(stream, a, x, y);
  };
}

constexpr double narrow = 1e-4;  // of r'Br: the square of the error

/// Where the noise of a member of a team begins, so that each has its own.
std::int64_t first_noise(const exec::Member* member) {
  return member == nullptr ? 0 : std::int64_t{member->number()} << 40;
}

}  // namespace

double highest_eigenvalue(const sparse::TeamCsr<float>& a, exec::View<const float> inverse_blocks,
                          const std::optional<Patches>& patches, int steps) {
  const exec::Stream stream = a.device();
  const std::int64_t n = a.scalar_rows();
  const exec::Scratch<float> noise(stream, n);
  const exec::Scratch<float> r(stream, n);
  exec::parallel_for(stream, n, kernel::Noise<float>{noise.data(), first_noise(a.member())});
  sparse::multiply<float>(stream, a, noise, r);  // within the range of A, and rich in high modes
  const auto scale = [&](exec::View<const float> from, exec::View<float> to) {
    multiply_diagonal<float>(stream, a.height(), inverse_blocks, {from.data, n, 1, 1}, {to.data, n, 1, 1});
    if (patches) add_product(stream, *patches, 1, {from.data, n, 1, 1}, {to.data, n, 1, 1});
  };
  return ritz_values<float>(stream, a.member(), product_with(stream, a), scale, r, steps, 0).highest;
}

double highest_eigenvalue(const exec::Stream& stream, const Operator& a, const Operator& b, int steps) {
  const std::int64_t n = a.rows();
  const exec::Scratch<double> noise(stream, n);
  const exec::Scratch<double> r(stream, n);
  exec::parallel_for(stream, n, kernel::Noise<double>{noise.data(), first_noise(a.member())});
  const auto applied = [&stream](const Operator& one) {
    return [&stream, &one](exec::View<const double> x, exec::View<double> y) { one.apply(stream, x, y); };
  };
  applied(a)(noise, r);  // as above
  return ritz_values<double>(stream, a.member(), applied(a), applied(b), r, steps, 0).highest;
}

Spectrum spectrum_of_preconditioned(const sparse::TeamCsr<float>& a, const Approximation& b, int steps) {
  const exec::Stream stream = a.device();
  const exec::Scratch<float> r(stream, a.scalar_rows());
  // Noise as it is: its error is rich in the low modes that a coarse level may miss.
  exec::parallel_for(stream, a.scalar_rows(), kernel::Noise<float>{r.data(), first_noise(a.member())});
  return ritz_values<float>(stream, a.member(), product_with(stream, a), b, r, steps, narrow);
}

}  // namespace setka::solve
