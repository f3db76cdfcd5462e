// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The lowest tones of a square drum by LOBPCG, with a stiffness and a preconditioner of one's own.
//
//   -u_xx - u_yy = lambda u on the unit square,   u = 0 at the rim
//
// Five-point differences on n^2 inner nodes, h = 1 / (n + 1). Their eigenvalues are known, 4 / h^2 (sin^2(pi
// k h / 2) + sin^2(pi l h / 2)), and come near pi^2 (k^2 + l^2) as h^2.
//
// LOBPCG asks an operator for products with blocks of columns and nothing else; no matrix is made. The
// preconditioner is one step of alternating directions, (1 + t K_x)^-1 (1 + t K_y)^-1: tridiagonal systems
// along all lines of the grid and all columns at once. K_x and K_y commute, so it is symmetric and positive
// definite.
//
// Sample runs:
//   drum 63
//   drum 100 12 cpu
//
// Usage: drum [n] [tones] [auto|cpu|cuda]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "drum_kernel.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/select.hpp"
#include "setka/grid/sweep.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/operators.hpp"

namespace {

using setka::exec::Device;
using setka::exec::MultiView;
using setka::exec::Stream;
using setka::exec::View;

/// An operator on the nodes of the skin that knows blocks of columns; one column is a block of one.
class OnSkin : public setka::solve::Operator {
 public:
  OnSkin(const Device& device, std::int64_t n) : device_(device), n_(n) {}
  const Device& device() const override { return device_; }
  std::int64_t rows() const override { return n_ * n_; }
  void apply(const Stream& stream, View<const double> x, View<double> y) const override {
    apply(stream, MultiView<const double>{x.data, x.size, 1, 1}, MultiView<double>{y.data, y.size, 1, 1});
  }
  using setka::solve::Operator::apply;

 protected:
  std::int64_t n() const { return n_; }
  double inverse_h2() const { return static_cast<double>((n_ + 1) * (n_ + 1)); }

 private:
  Device device_;
  std::int64_t n_;
};

class Stiffness final : public OnSkin {
 public:
  using OnSkin::apply;
  using OnSkin::OnSkin;
  void apply(const Stream& stream, MultiView<const double> x, MultiView<double> y) const override {
    setka::exec::parallel_for(stream, x.rows * x.columns, StretchSkin{n(), inverse_h2(), x, y});
  }
};

class AlternatingDirections final : public OnSkin {
 public:
  using OnSkin::apply;
  using OnSkin::OnSkin;
  void apply(const Stream& stream, MultiView<const double> x, MultiView<double> y) const override {
    setka::exec::parallel_for(stream, x.rows * x.columns, CopyColumns{x, y});
    // t between the ends of the spectrum of K_x, pi^2 and 4 / h^2.
    const double t = 1 / (std::numbers::pi * 2 * std::sqrt(inverse_h2()));
    const auto matrix = setka::grid::Tridiagonal<double>::constant(
        -t * inverse_h2(), 1 + 2 * t * inverse_h2(), -t * inverse_h2());
    const View<double> all{y.data, (y.rows - 1) * y.stride + y.columns};
    // Along x and along y: n lines of n nodes for every column.
    for (const std::int64_t step : {std::int64_t{1}, n()}) {
      const setka::grid::Lines lines{n(), n(), y.columns, (step == 1 ? n() : 1) * y.stride, step * y.stride,
                                     1};
      setka::grid::sweep<double>(stream, lines, matrix, all, all);
    }
  }
};

int run(std::int64_t n, std::int64_t tones, const std::string& backend) {
  setka::require(n >= 8 && n <= 20000 && tones >= 1 && tones <= 50,
                 "drum: n is from 8 to 20000, tones from 1 to 50");
  const Device device = setka::exec::select_devices(backend).front();
  setka::Monitor monitor(setka::ProgressDisplay::on_stderr());
  const Stiffness k(device, n);
  const AlternatingDirections preconditioner(device, n);
  const setka::solve::IdentityOperator mass(device, n * n);
  setka::modes::Request request;
  request.count = tones;
  request.tolerance = 1e-7;
  const setka::modes::Modes modes = setka::modes::lobpcg(device, k, mass, preconditioner, request, monitor);

  const double pi = std::numbers::pi;
  const double h = 1 / static_cast<double>(n + 1);
  std::vector<double> exact;
  for (int a = 1; a <= 12; ++a) {
    for (int b = 1; b <= 12; ++b)
      exact.push_back(4 / (h * h) *
                      (std::pow(std::sin(pi * a * h / 2), 2) + std::pow(std::sin(pi * b * h / 2), 2)));
  }
  std::ranges::sort(exact);
  double error = 0;
  fmt::print("A square drum, {} unknowns, on {}: {} tones in {} iterations\n", n * n, device.label(),
             modes.count(), modes.iterations);
  for (std::size_t i = 0; i < modes.lambda.size(); ++i) {
    error = std::max(error, std::abs(modes.lambda[i] / exact[i] - 1));
    fmt::print("  {:2}  {:10.4f} pi^2\n", i + 1, modes.lambda[i] / (pi * pi));
  }
  fmt::print("largest error {:.1e}\n", error);
  const bool right = modes.converged && modes.count() == tones &&
                     error < 1e-12 + request.tolerance * request.tolerance * 100;
  if (!right) fmt::print(stderr, "drum: the answer is not within its bounds\n");
  return static_cast<int>(right ? setka::ExitCode::done : setka::ExitCode::not_converged);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::atoll(argv[1]) : 500, argc > 2 ? std::atoll(argv[2]) : 10,
               argc > 3 ? argv[3] : "auto");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "drum: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
