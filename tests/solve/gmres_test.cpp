// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/gmres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/minres.hpp"
#include "solve/grid_systems.hpp"
#include "solve/solver_on.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

using test::Entries;
using test::largest_difference;

GmresOptions options_of(double tolerance, int restart, int max_iterations = 10000,
                        int stagnation_window = 1000) {
  GmresOptions options;
  options.tolerance = tolerance;
  options.restart = restart;
  options.max_iterations = max_iterations;
  options.stagnation_window = stagnation_window;
  return options;
}

class GmresOn : public test::SolverOn<Gmres, GmresOptions> {
 protected:
  std::shared_ptr<const BlockJacobi> jacobi(const BlockCsrOperator& a) const {
    return std::make_shared<const BlockJacobi>(device(), 1, inverse_diagonal(a.matrix()));
  }

  OperatorPointer small(const std::vector<std::vector<double>>& rows) const {
    const auto n = static_cast<std::int32_t>(rows.size());
    Entries list(n, n);
    for (std::int32_t i = 0; i < n; ++i) {
      for (std::int32_t j = 0; j < n; ++j)
        list.add(i, j, rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    }
    return list.on(device());
  }
};
SETKA_ON_ALL_DEVICES(GmresOn);

TEST_P(GmresOn, solves_convection_and_diffusion) {
  for (const double velocity : {0.0, 0.5, 20.0}) {
    const auto a = test::convection_diffusion(31, 23, velocity).on(device());
    const std::vector<double> truth = test::random_values<double>(a->rows(), 1);
    const std::vector<double> b = product(*a, truth);
    for (const int restart : {5, 30, 200}) {
      const Solved solved = solve(*a, *jacobi(*a), b, options_of(1e-10, restart));
      EXPECT_EQ(solved.outcome.status, Status::converged) << velocity << ", " << restart;
      EXPECT_LE(solved.outcome.residual, 1e-10);
      // The inverse of the matrix, whose rows are weakly dominant, is less than 31^2 / 8.
      EXPECT_LE(largest_difference(solved.x, truth), 1e-6) << velocity << ", " << restart;
      const std::vector<double>& history = solved.outcome.history;
      ASSERT_EQ(history.size(), static_cast<std::size_t>(solved.outcome.iterations) + 1);
      for (std::size_t k = 0; k + 1 < history.size(); ++k)
        EXPECT_LE(history[k + 1], history[k] * (1 + 1e-10)) << "the residual never rises";
    }
  }
}

TEST_P(GmresOn, has_the_residuals_of_minres_where_the_matrix_is_symmetric) {
  const auto a = test::Stokes(6).on(device());
  const std::vector<double> b = product(*a, test::random_values<double>(a->rows(), 2));
  const Solved solved = solve(*a, b, options_of(1e-8, 200));
  EXPECT_EQ(solved.outcome.status, Status::converged);
  const exec::Array<double> right(device(), b);
  exec::Array<double> x(device(), std::vector<double>(b.size(), 0.0));
  Monitor monitor;
  const Outcome minres =
      Minres({1e-8}).solve(device(), *a, IdentityOperator(device(), a->rows()), right, x, monitor);
  // The short recurrence of MINRES loses orthogonality later on, so the first iterations are compared.
  for (std::size_t k = 0; k < 15; ++k) EXPECT_NEAR(solved.outcome.history[k], minres.history[k], 1e-8) << k;
}

TEST_P(GmresOn, a_turning_matrix_needs_all_directions) {
  // Each row is the next one's: the residual stays as it is until the last iteration.
  const std::int32_t n = 20;
  Entries list(n, n);
  for (std::int32_t i = 0; i < n; ++i) list.add(i, (i + 1) % n, 1);
  const auto a = list.on(device());
  std::vector<double> b(n, 0.0);
  b[0] = 1;
  const Solved all = solve(*a, b, options_of(1e-12, n));
  EXPECT_EQ(all.outcome.status, Status::converged);
  EXPECT_EQ(all.outcome.iterations, n);
  EXPECT_NEAR(all.outcome.history[n - 1], 1, 1e-12);
  const Solved few = solve(*a, b, options_of(1e-12, n - 1, 1000, 100));
  EXPECT_EQ(few.outcome.status, Status::stagnated);
  EXPECT_NEAR(few.outcome.residual, 1, 1e-12);
}

/// Some iterations of a solver, more from call to call: another preconditioner each time.
class InnerIterations final : public Operator {
 public:
  InnerIterations(const Operator& a, const Operator& preconditioner)
      : a_(a), preconditioner_(preconditioner), solver_(options_of(1e-2, 10, 5)) {}

  const exec::Device& device() const override { return a_.device(); }
  std::int64_t rows() const override { return a_.rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    solver_.options().max_iterations = 3 + calls_++ % 5;
    exec::fill(stream, y, 0.0);
    Monitor silent;
    solver_.solve(stream, a_, preconditioner_, x, y, silent);
  }
  void apply(const exec::Stream&, exec::MultiView<const double>, exec::MultiView<double>) const override {
    throw Error(Fault::internal, "one vector at a time");
  }

 private:
  const Operator& a_;
  const Operator& preconditioner_;
  mutable Gmres solver_;
  mutable int calls_ = 0;
};

TEST_P(GmresOn, the_preconditioner_may_be_another_one_in_each_iteration) {
  const auto a = test::convection_diffusion(40, 40, 0.3).on(device());
  const auto diagonal = jacobi(*a);
  const std::vector<double> truth = test::random_values<double>(a->rows(), 3);
  const std::vector<double> b = product(*a, truth);
  const Solved alone = solve(*a, *diagonal, b, options_of(1e-10, 30));
  const Solved nested = solve(*a, InnerIterations(*a, *diagonal), b, options_of(1e-10, 30));
  EXPECT_EQ(nested.outcome.status, Status::converged);
  EXPECT_LE(largest_difference(nested.x, truth), 1e-6);
  EXPECT_LT(nested.outcome.iterations, alone.outcome.iterations);
}

/// The inverse of a positive definite matrix, by conjugate gradients to rounding.
class InverseByCg final : public Operator {
 public:
  InverseByCg(std::shared_ptr<const BlockCsrOperator> matrix, std::shared_ptr<const BlockJacobi> diagonal)
      : matrix_(std::move(matrix)), diagonal_(std::move(diagonal)), cg_({1e-12}) {}

  const exec::Device& device() const override { return matrix_->device(); }
  std::int64_t rows() const override { return matrix_->rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    exec::fill(stream, y, 0.0);
    Monitor silent;
    cg_.solve(stream, *matrix_, *diagonal_, x, y, silent);
  }
  void apply(const exec::Stream&, exec::MultiView<const double>, exec::MultiView<double>) const override {
    throw Error(Fault::internal, "one vector at a time");
  }

 private:
  std::shared_ptr<const BlockCsrOperator> matrix_;
  std::shared_ptr<const BlockJacobi> diagonal_;
  mutable Cg cg_;
};

TEST_P(GmresOn, a_block_triangle_preconditions_a_saddle_point) {
  // With A^-1 for the velocities and -1 for the pressures, [A B'; 0 -I]^-1 leaves few eigenvalues apart.
  std::vector<int> iterations;
  for (const std::int32_t n : {6, 12, 24}) {
    const test::Stokes stokes(n);
    const auto a = stokes.on(device());
    const auto u = stokes.u.on(device());
    const auto v = stokes.v.on(device());
    const auto minus = std::make_shared<const ScaledOperator>(
        -1, std::make_shared<const IdentityOperator>(device(), stokes.pressures));
    const auto of_u = std::make_shared<const InverseByCg>(u, jacobi(*u));
    const auto of_v = std::make_shared<const InverseByCg>(v, jacobi(*v));
    // The inverse of the triangle: [A^-1, A^-1 B'; 0, -1].
    const BlockOperator preconditioner(
        {{of_u, nullptr,
          std::make_shared<const ProductOperator>(of_u, stokes.of_u.transposed().on(device()))},
         {nullptr, of_v,
          std::make_shared<const ProductOperator>(of_v, stokes.of_v.transposed().on(device()))},
         {nullptr, nullptr, minus}});
    const std::vector<double> truth = test::random_values<double>(a->rows(), 4);
    const Solved solved = solve(*a, preconditioner, product(*a, truth), options_of(1e-10, 50));
    EXPECT_EQ(solved.outcome.status, Status::converged) << n;
    EXPECT_LE(largest_difference(solved.x, truth), 1e-5) << n;
    iterations.push_back(solved.outcome.iterations);
  }
  EXPECT_LE(iterations[2], 1.6 * iterations[0]) << iterations[0] << " and " << iterations[2];
}

TEST_P(GmresOn, says_how_it_failed) {
  const auto a = test::convection_diffusion(20, 20, 1).on(device());
  std::vector<double> b = test::random_values<double>(400, 5);
  EXPECT_EQ(solve(*a, b, options_of(1e-12, 30, 7)).outcome.status, Status::max_iterations);
  EXPECT_EQ(solve(*a, b, options_of(1e-12, 3, 7)).outcome.iterations, 7);

  EXPECT_EQ(solve(*small({{1, 0}, {0, 0}}), {0, 1}).outcome.status, Status::breakdown);
  EXPECT_EQ(solve(*small({{0, 1}, {0, 0}}), {0, 1}).outcome.status, Status::breakdown);
  const Solved answered = solve(*small({{2, 0}, {0, 0}}), {1, 0});
  EXPECT_EQ(answered.outcome.status, Status::converged) << "singular, but there is an answer";
  EXPECT_EQ(answered.x, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(solve(*small({{1, 0}, {0, std::numeric_limits<double>::quiet_NaN()}}), {1, 1}).outcome.status,
            Status::not_a_number);
  b[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve(*a, b).outcome.status, Status::not_a_number);

  Monitor monitor;
  const exec::Array<double> right(device(), 400);
  exec::Array<double> x(device(), 400);
  EXPECT_THAT([&] { Gmres(options_of(1e-8, 0)).solve(device(), *a, *a, right, x, monitor); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("restart is 0; 1 and more are right")));
}

TEST_P(GmresOn, the_same_bits_however_far_ahead_the_host_is) {
  const auto a = test::convection_diffusion(50, 50, 2).on(device());
  const std::vector<double> b = test::random_values<double>(a->rows(), 6);
  GmresOptions options = options_of(1e-9, 20);
  Solved first;
  for (const int ahead : {1, 3, 7}) {
    options.ahead = ahead;
    Solved solved = solve(*a, *jacobi(*a), b, options);
    EXPECT_EQ(solved.outcome.status, Status::converged);
    if (ahead == 1) first = solved;
    EXPECT_EQ(solved.x, first.x);
    EXPECT_EQ(solved.outcome.history, first.outcome.history);
  }
}

}  // namespace
}  // namespace setka::solve
