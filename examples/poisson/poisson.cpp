// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation in the unit cube by conjugate gradients: a complete program with a kernel of its own.
//
//   -u_xx - u_yy - u_zz = f,   u = 0 on the boundary,   f and u from u = sin(pi x) sin(2 pi y) sin(3 pi z)
//
// Second-order differences on n^3 inner nodes, h = 1 / (n + 1). The discrete solution is known exactly as
// well (the sines are eigenvectors of the difference operator), so the program checks its answer twice: the
// solver's against the discrete solution, and the scheme's against u, whose error falls as h^2.
//
// Sample runs:
//   poisson 31
//   poisson 64 cpu
//
// Usage: poisson [n] [auto|cpu|cuda]
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "poisson_kernel.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/select.hpp"
#include "setka/exec/vector.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;

struct Outcome {
  int iterations = 0;
  double residual = 0;  // relative
};

/// Conjugate gradients from zero; reads like the algorithm.
Outcome solve(const Device& device, std::int64_t n, double inverse_h2, const Array<double>& b,
              Array<double>& x, double tolerance, setka::Monitor& monitor) {
  using namespace setka::exec;
  Array<double> r = b.to(device);
  Array<double> p = b.to(device);
  Array<double> q(device, b.size());
  fill(device, x, 0.0);
  const double target = tolerance * norm(device, b);
  double rho = dot(device, r, r);
  Outcome outcome;
  setka::Stage stage = monitor.stage("conjugate gradients", 0, "iterations");
  while (std::sqrt(rho) > target && outcome.iterations < 10 * n) {
    parallel_for(device, q.size(), ApplyLaplacian{n, inverse_h2, p, q});
    const double alpha = rho / dot(device, p, q);
    axpy(device, alpha, p, x);
    axpy(device, -alpha, q, r);
    const double rho_next = dot(device, r, r);
    axpby(device, 1.0, r, rho_next / rho, p);
    rho = rho_next;
    ++outcome.iterations;
    stage.note(fmt::format("residual {:.1e}", std::sqrt(rho) / norm(device, b)));
    stage.advance();
  }
  outcome.residual = std::sqrt(rho) / norm(device, b);
  return outcome;
}

int run(std::int64_t n, const std::string& backend) {
  setka::require(n >= 2 && n <= 1000, "poisson: n is from 2 to 1000");
  const Device device = setka::exec::select_devices(backend).front();
  const double h = 1.0 / static_cast<double>(n + 1);
  const double pi = std::numbers::pi;

  // Eigenvalues of the operator and of its differences for the three sines.
  double exact_factor = 0;
  double discrete_factor = 0;
  for (const int m : {1, 2, 3}) {
    exact_factor += std::pow(m * pi, 2);
    discrete_factor += std::pow(2 / h * std::sin(m * pi * h / 2), 2);
  }
  std::vector<double> u(static_cast<std::size_t>(n * n * n));
  for (std::size_t node = 0; node < u.size(); ++node) {
    const auto index = static_cast<std::int64_t>(node);
    const auto at = [&](std::int64_t i) { return pi * h * static_cast<double>(i + 1); };
    u[node] = std::sin(at(index % n)) * std::sin(2 * at(index / n % n)) * std::sin(3 * at(index / (n * n)));
  }

  setka::Monitor monitor(setka::ProgressDisplay::on_stderr());
  Array<double> b(device, u);
  setka::exec::scale(device, exact_factor, b);
  // A sum of three sines alone would be solved in one step; a random part makes the method work for its
  // answer.
  Array<double> noise(device, b.size());
  std::vector<double> values(u.size());
  unsigned long long state = 1;
  for (double& value : values) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    value = static_cast<double>(state >> 11U) * 0x1p-53 - 0.5;
  }
  const Array<double> known(device, values);
  setka::exec::parallel_for(device, noise.size(), ApplyLaplacian{n, 1 / (h * h), known, noise});
  setka::exec::axpy(device, 1.0, noise, b);

  Array<double> x(device, b.size());
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = solve(device, n, 1 / (h * h), b, x, 1e-10, monitor);
  device.synchronize();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  // What should have come out of the differences, and what of the equation.
  const std::vector<double> solution = x.to_vector();
  double solver_error = 0;
  double scheme_error = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double smooth = solution[i] - values[i];
    solver_error = std::max(solver_error, std::abs(smooth - u[i] * exact_factor / discrete_factor));
    scheme_error = std::max(scheme_error, std::abs(smooth - u[i]));
  }
  const double predicted = exact_factor / discrete_factor - 1;
  fmt::print("Poisson's equation, {} unknowns, on {} ({})\n", u.size(), device.label(), device.info().name);
  fmt::print("  iterations       {}\n  residual         {:.1e}\n", outcome.iterations, outcome.residual);
  fmt::print("  error of solver  {:.1e} (tolerance 1e-10)\n", solver_error);
  fmt::print("  error of scheme  {:.3e} ({:.3e} predicted from h^2)\n", scheme_error, predicted);
  fmt::print("  time             {}, {} unknowns a second and iteration\n", setka::format_seconds(seconds),
             setka::format_count(static_cast<double>(u.size()) * outcome.iterations / seconds));
  // The residual bounds the error through the condition number, which is below n^2 / 2.
  const bool right = outcome.residual <= 1e-10 && solver_error < 1e-10 * static_cast<double>(n * n) &&
                     scheme_error < 1.1 * predicted;
  if (!right) fmt::print(stderr, "poisson: the answer is not within its bounds\n");
  return static_cast<int>(right ? setka::ExitCode::done : setka::ExitCode::not_converged);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoll(argv[1]) : 64, argc > 2 ? argv[2] : "auto");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "poisson: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
