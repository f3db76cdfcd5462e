// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cg.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/vector.hpp"

namespace setka::solve {
namespace {

exec::View<double> view(std::span<double> x) {
  return {x.data(), static_cast<std::int64_t>(x.size())};
}
exec::View<const double> view(std::span<const double> x) {
  return {x.data(), static_cast<std::int64_t>(x.size())};
}
exec::View<double> view(std::vector<double>& x) {
  return view(std::span(x));
}

}  // namespace

CgOutcome diagonal_cg(const sparse::SymmetricCsr& a, std::span<const double> b, std::span<double> x,
                      double tolerance, int most_iterations, Monitor& monitor) {
  const auto n = static_cast<std::size_t>(a.rows);
  require(b.size() == n && x.size() == n, [&] {
    return fmt::format("cg: operator is [{0} x {0}] but the vectors have {1} and {2} entries", n, b.size(),
                       x.size());
  });
  const exec::Device cpu = exec::Device::cpu();
  std::vector<double> inverse(n);
  for (std::size_t i = 0; i < n; ++i) inverse[i] = 1 / a.value[static_cast<std::size_t>(a.offset[i])];
  std::vector<double> r(n);
  std::vector<double> z(n);
  std::vector<double> p(n, 0.0);
  std::vector<double> q(n);
  sparse::multiply(a, x, q);
  exec::combine(cpu, 1.0, view(b), -1.0, view(q), view(r));
  const double size = exec::norm(cpu, view(b));
  CgOutcome outcome;
  if (size == 0) {
    exec::fill(cpu, view(x), 0.0);
    return outcome;
  }
  Stage stage = monitor.stage("conjugate gradients", 0, "iterations");
  double rho = 0;
  for (;; ++outcome.iterations) {
    outcome.residual = exec::norm(cpu, view(r)) / size;
    if (!std::isfinite(outcome.residual)) {
      outcome.ending = Ending::not_a_number;
      return outcome;
    }
    if (outcome.residual <= tolerance) return outcome;
    if (outcome.iterations == most_iterations) {
      outcome.ending = Ending::too_many_iterations;
      return outcome;
    }
    exec::multiply(cpu, view(inverse), view(r), view(z));
    const double rho_next = exec::dot(cpu, view(r), view(z));
    exec::axpby(cpu, 1.0, view(z), outcome.iterations == 0 ? 0.0 : rho_next / rho, view(p));
    rho = rho_next;
    sparse::multiply(a, p, q);
    const double curvature = exec::dot(cpu, view(p), view(q));
    if (curvature <= 0) {
      outcome.ending = Ending::not_positive_definite;
      return outcome;
    }
    exec::axpy(cpu, rho / curvature, view(p), view(x));
    exec::axpy(cpu, -rho / curvature, view(q), view(r));
    stage.note(fmt::format("residual {:.1e}", outcome.residual));
    stage.advance();
  }
}

}  // namespace setka::solve
