// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/schwarz.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/base/error.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/matrix_system.hpp"
#include "solve/grid_systems.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::domains {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A bar of cubes that stands on springs.
struct Bar {
  fem::test::SmallModel model = test::bar(fem::Element::hex8, {12, 4, 4});
  sparse::BlockCsr<double> matrix = test::stiffness_on_springs(model, 1e-3);
  std::vector<double> b = setka::test::random_values<double>(matrix.scalar_rows(), 4);

  solve::AmgGeometry geometry() const { return solve::geometry_of(matrix, {3, model.coordinates}); }

  solve::LinearSystem system() const {
    solve::LinearSystem made;
    made.unknown_count = static_cast<std::int32_t>(matrix.scalar_rows());
    made.matrix = &matrix;
    made.geometry = [this] { return geometry(); };
    return made;
  }
};

solve::SolverChoice by(const SchwarzOptions& options, solve::Method method = solve::Method::cg) {
  solve::SolverChoice choice;
  choice.method = method;
  choice.tolerance = 1e-10;
  choice.use(schwarz(options));
  return choice;
}

std::vector<double> applied(const solve::Operator& m, const std::vector<double>& x) {
  const exec::Array<double> from(m.device(), x);
  exec::Array<double> to(m.device(), m.rows());
  m.apply(m.device(), from, to);
  return to.to_vector();
}

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

class SchwarzOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(SchwarzOn);

TEST_P(SchwarzOn, every_method_solves_in_any_number_of_parts) {
  const Bar bar;
  Monitor monitor;
  solve::SolverChoice reference;
  reference.method = solve::Method::cg;
  reference.tolerance = 1e-12;
  const std::vector<double> expected = solve::solve(device(), bar.system(), bar.b, reference, monitor).x;
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (const SchwarzMethod method :
       {SchwarzMethod::additive, SchwarzMethod::restricted, SchwarzMethod::multiplicative}) {
    for (const int parts : {1, 2, 3, 4, 6, 9}) {
      for (const int overlap : {0, 1, 2}) {
        if (parts > 4 && overlap == 2) continue;
        SCOPED_TRACE(::testing::Message()
                     << static_cast<int>(method) << ", " << parts << " parts, overlap " << overlap);
        SchwarzOptions options;
        options.method = method;
        options.parts = parts;
        options.overlap = overlap;
        const bool unsymmetric = method == SchwarzMethod::restricted;
        const auto choice = by(options, unsymmetric ? solve::Method::gmres : solve::Method::cg);
        const solve::SolveResult found = solve::solve(device(), bar.system(), bar.b, choice, monitor);
        EXPECT_TRUE(found.report.converged) << found.report.trouble;
        EXPECT_LT(found.report.iterations, 60);
        EXPECT_THAT(found.report.method, HasSubstr("Schwarz of " + std::to_string(parts) + " parts"));
        EXPECT_TRUE(setka::test::all_near(found.x, expected, 1e-6 * size));
      }
    }
  }
}

TEST_P(SchwarzOn, every_local_solver_serves) {
  const Bar bar;
  Monitor monitor;
  for (const std::string local : {"auto", "cholesky", "amg", "chebyshev", "fsai"}) {
    for (const SchwarzMethod method : {SchwarzMethod::additive, SchwarzMethod::multiplicative}) {
      if (local == "fsai" && method == SchwarzMethod::multiplicative) continue;
      if (local == "cholesky" && !solve::Cholesky::available()) continue;
      SchwarzOptions options;
      options.method = method;
      options.parts = 4;
      options.local = local;
      const solve::SolveReport report =
          solve::solve(device(), bar.system(), bar.b, by(options), monitor).report;
      EXPECT_TRUE(report.converged) << local << ": " << report.trouble;
    }
  }
}

TEST_P(SchwarzOn, is_symmetric_and_positive_but_for_the_restricted_one) {
  const Bar bar;
  Monitor monitor;
  const std::vector<double> x = setka::test::random_values<double>(bar.matrix.scalar_rows(), 5);
  const std::vector<double> y = setka::test::random_values<double>(bar.matrix.scalar_rows(), 6);
  const Partition rows = partition(matrix_graph(bar.matrix, bar.model.coordinates, 1), 5);
  for (const SchwarzMethod method :
       {SchwarzMethod::additive, SchwarzMethod::restricted, SchwarzMethod::multiplicative}) {
    for (const bool coarse : {true, false}) {
      SchwarzOptions options;
      options.method = method;
      options.coarse = coarse;
      const Schwarz m(device(), bar.matrix, rows, bar.geometry(), options, monitor);
      const double left = dot(applied(m, x), y);
      const double right = dot(x, applied(m, y));
      const double scale = std::sqrt(dot(applied(m, x), x) * dot(applied(m, y), y));
      if (method == SchwarzMethod::restricted) {
        EXPECT_GT(std::abs(left - right), 1e-6 * scale);
      } else {
        // Springs are a thousandth of the bar's stiffness; multigrid, where there is no factor, is in single
        // precision.
        EXPECT_NEAR(left, right, (solve::Cholesky::available() ? 1e-10 : 1e-4) * scale);
        EXPECT_GT(dot(applied(m, x), x), 0);
      }
      EXPECT_EQ(m.coarse_size(), coarse ? 30 : 0);
      EXPECT_EQ(m.colours() > 1, method == SchwarzMethod::multiplicative);
    }
  }
}

TEST_P(SchwarzOn, columns_go_through_one_by_one) {
  const Bar bar;
  Monitor monitor;
  const Partition rows = partition(matrix_graph(bar.matrix, bar.model.coordinates, 1), 3);
  const Schwarz m(device(), bar.matrix, rows, bar.geometry(), {}, monitor);
  const std::int64_t n = m.rows();
  const std::vector<double> x = setka::test::random_values<double>(2 * n, 7);  // [rows, 2]
  const exec::Array<double> from(device(), x);
  exec::Array<double> to(device(), 2 * n);
  m.apply(device(), exec::MultiView<const double>{from.data(), n, 2, 2},
          exec::MultiView<double>{to.data(), n, 2, 2});
  const std::vector<double> both = to.to_vector();
  for (std::size_t j = 0; j < 2; ++j) {
    std::vector<double> column;
    for (std::size_t i = 0; i < x.size() / 2; ++i) column.push_back(x[2 * i + j]);
    const std::vector<double> alone = applied(m, column);
    for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_EQ(both[2 * i + j], alone[i]);
  }
}

TEST(Schwarz, ThreadsChangeNoBit) {
  const Bar bar;
  Monitor monitor;
  const Partition rows = partition(matrix_graph(bar.matrix, bar.model.coordinates, 1), 7);
  for (const SchwarzMethod method : {SchwarzMethod::additive, SchwarzMethod::multiplicative}) {
    SchwarzOptions options;
    options.method = method;
    const auto by_threads = [&](int threads) {
      const exec::Device cpu = exec::Device::cpu(threads);
      return applied(Schwarz(cpu, bar.matrix.to(cpu), rows, bar.geometry(), options, monitor), bar.b);
    };
    const std::vector<double> alone = by_threads(1);
    EXPECT_EQ(by_threads(2), alone);
    EXPECT_EQ(by_threads(3), alone);
  }
}

// One part of two pieces, one of nothing, and parts of a row.
TEST(Schwarz, PartsMayBeOfAnyKind) {
  const Bar bar;
  Monitor monitor;
  Partition rows;
  rows.parts = 5;
  for (std::int32_t i = 0; i < bar.matrix.rows(); ++i) {
    const double x = bar.model.coordinates[3 * static_cast<std::size_t>(i)];
    rows.of.push_back(x < 3 || x > 9 ? 0 : 1);  // 2 is empty
  }
  rows.of[10] = 3;
  rows.of[200] = 4;
  const exec::Device cpu = exec::Device::cpu(2);
  const solve::BlockCsrOperator a(bar.matrix);
  for (const SchwarzMethod method : {SchwarzMethod::additive, SchwarzMethod::multiplicative}) {
    for (const int overlap : {0, 1, 20}) {  // 20: every part has all of the bar
      SchwarzOptions options;
      options.method = method;
      options.overlap = overlap;
      const Schwarz m(cpu, bar.matrix, rows, bar.geometry(), options, monitor);
      const exec::Array<double> right(cpu, bar.b);
      exec::Array<double> x(cpu, std::vector<double>(bar.b.size(), 0.0));
      const solve::Outcome outcome =
          solve::make_solver(by(options), 100)->solve(cpu, a, m, right, x, monitor);
      EXPECT_TRUE(outcome.converged()) << overlap;
    }
  }
}

TEST(Schwarz, WeightsFallAcrossTheOverlap) {
  Graph line;  // of ten vertices
  line.vertex_weight.assign(10, 1);
  for (std::int32_t v = 0; v < 10; ++v) {
    for (const std::int32_t w : {v - 1, v + 1}) {
      if (w >= 0 && w < 10) line.neighbour.push_back(w);
    }
    line.offset.push_back(static_cast<std::int64_t>(line.neighbour.size()));
  }
  Partition halves;
  halves.parts = 2;
  halves.of = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const auto parts = overlapping_parts(line, halves, 2, 1);
  EXPECT_EQ(parts[0].vertices, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parts[0].own, (std::vector<bool>{true, true, true, true, true, false, false}));
  const std::vector<double> expected{1, 1, 1, 0.8, 0.6, 0.4, 0.2};
  EXPECT_TRUE(setka::test::all_near(parts[0].weight, expected, 1e-15));
  EXPECT_EQ(overlapping_parts(line, halves, 0, 1)[1].vertices, (std::vector<std::int32_t>{5, 6, 7, 8, 9}));
}

TEST(Schwarz, RefusesWhatItCannotDo) {
  const Bar bar;
  Monitor monitor;
  const exec::Device cpu = exec::Device::cpu(1);
  const auto solved = [&](SchwarzOptions options, solve::Method method = solve::Method::cg) {
    return [&bar, &monitor, cpu, options, method] {
      solve::solve(cpu, bar.system(), bar.b, by(options, method), monitor);
    };
  };
  SchwarzOptions many;
  many.parts = bar.matrix.rows() + 1;
  EXPECT_THROW(solved(many)(), Error);
  SchwarzOptions restricted;
  restricted.method = SchwarzMethod::restricted;
  EXPECT_THAT(solved(restricted), ThrowsMessage<Error>(HasSubstr("only gmres takes that")));
  EXPECT_THAT(solved({}, solve::Method::minres), ThrowsMessage<Error>(HasSubstr("positive definite")));
  SchwarzOptions unknown;
  unknown.local = "ilu";
  EXPECT_THAT([&] { schwarz(unknown); }, ThrowsMessage<Error>(HasSubstr("'ilu' solves no parts; give auto")));
  EXPECT_THAT([] { schwarz_method_of("both"); },
              ThrowsMessage<Error>(HasSubstr("give additive, restricted or multiplicative")));
  unknown.local = "fsai";
  unknown.method = SchwarzMethod::multiplicative;
  EXPECT_THAT([&] { schwarz(unknown); }, ThrowsMessage<Error>(HasSubstr("solve parts by cholesky")));
  SchwarzOptions negative;
  negative.overlap = -1;
  EXPECT_THAT([&] { schwarz(negative); }, ThrowsMessage<Error>(HasSubstr("from 0 on")));

  const sparse::BlockCsr<double> wind = setka::test::convection_diffusion(20, 20, 5).matrix(cpu);
  solve::LinearSystem system;
  system.unknown_count = wind.rows();
  system.matrix = &wind;
  const std::vector<double> ones(static_cast<std::size_t>(wind.rows()), 1.0);
  EXPECT_THAT([&] { solve::solve(cpu, system, ones, by({}, solve::Method::gmres), monitor); },
              ThrowsMessage<Error>(HasSubstr("is for symmetric matrices")));

  const sparse::BlockCsr<double> free = test::stiffness_on_springs(bar.model, -1e3);
  system.matrix = &free;
  EXPECT_THAT([&] { solve::solve(cpu, system, bar.b, by({}), monitor); },
              ThrowsMessage<Error>(HasSubstr("not positive definite")));
}

}  // namespace
}  // namespace setka::domains
