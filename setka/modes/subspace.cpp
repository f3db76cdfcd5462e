// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/subspace.hpp"

#include "setka/exec/vector.hpp"
#include "setka/solve/block_cg.hpp"

namespace setka::modes {
namespace {

solve::SolverOptions options_of_solutions() {
  solve::SolverOptions options;
  options.tolerance = 1e-2;
  options.max_iterations = 200;
  return options;
}

/// A^-1, as far as block conjugate gradients go.
class Solutions final : public solve::Operator {
 public:
  Solutions(const solve::Operator& a, const solve::Operator& preconditioner)
      : a_(a), preconditioner_(preconditioner), solver_(options_of_solutions()) {}

  const exec::Device& device() const override { return a_.device(); }
  std::int64_t rows() const override { return a_.rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
  }
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    exec::fill(stream, exec::View<double>{y.data, y.rows * y.columns}, 0.0);
    Monitor silent;  // the iteration of the modes is what is told
    solver_.solve(stream, a_, preconditioner_, x, y, silent);
  }

 private:
  const solve::Operator& a_;
  const solve::Operator& preconditioner_;
  mutable solve::BlockCg solver_;  // its vectors are no state
};

}  // namespace

std::unique_ptr<const solve::Operator> block_cg_inverse(const solve::Operator& a,
                                                        const solve::Operator& preconditioner) {
  return std::make_unique<const Solutions>(a, preconditioner);
}

Modes subspace(const exec::Stream& stream, const solve::Operator& k, const solve::Operator& m,
               const solve::Operator& a, const solve::Operator& preconditioner, const Request& request,
               Monitor& monitor, LobpcgOptions options) {
  options.keeps_directions = false;
  return lobpcg(stream, k, m, Solutions(a, preconditioner), request, monitor, options);
}

}  // namespace setka::modes
