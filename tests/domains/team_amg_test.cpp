// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/matrix_system.hpp"
#include "support/on_team.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::domains {
namespace {

class TeamAmgOn : public setka::test::OnTeam {};
SETKA_ON_ALL_DEVICES(TeamAmgOn);

/// A body that makes three levels, on soft springs.
struct Body {
  fem::test::SmallModel model = test::bar(fem::Element::hex8, {30, 12, 12});
  sparse::BlockCsr<double> matrix = test::stiffness_on_springs(model, 1e-4);
  solve::AmgGeometry geometry = solve::geometry_of(matrix, {3, model.coordinates});
  std::vector<double> b = setka::test::random_values<double>(matrix.scalar_rows(), 8);

  MatrixParts parts(int count) const {
    return {matrix, partition(matrix_graph(matrix, geometry.coordinates, 1), count)};
  }
};

/// So small that levels are shared out to the last.
solve::AmgOptions never_gathered_before(std::int64_t bytes) {
  solve::AmgOptions options;
  options.gathered_below = bytes;
  return options;
}

TEST_P(TeamAmgOn, takes_as_many_iterations_as_one_device) {
  const Body body;
  Monitor monitor;
  const auto solve_with = [&](const auto& a, const solve::Amg& amg, const std::vector<double>& b,
                              std::vector<double>& found) {
    Monitor own;  // of the thread
    const exec::Array<double> right(a.device(), b);
    exec::Array<double> x(a.device(), right.size());
    exec::fill(a.device(), x, 0.0);
    const solve::Outcome outcome = solve::Cg().solve(a.device(), a, amg, right, x, own);
    EXPECT_TRUE(outcome.converged());
    found = x.to_vector();
    return outcome.iterations;
  };
  std::vector<double> expected;
  const sparse::BlockCsr<double> here = body.matrix.to(device());
  const solve::BlockCsrOperator alone(here);
  const int iterations = solve_with(
      alone,
      solve::Amg(device(), here, solve::geometry_of(body.matrix, {3, body.model.coordinates}), {}, monitor),
      body.b, expected);
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (const int members : {1, 2, 3, 5}) {
    for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{100'000}, std::int64_t{1'000'000'000}}) {
      SCOPED_TRACE(testing::Message() << members << " members, " << bytes << " bytes");
      const MatrixParts parts = body.parts(members);
      std::vector<double> all(body.b.size());
      std::vector<int> took(static_cast<std::size_t>(members));
      std::vector<std::size_t> levels(static_cast<std::size_t>(members));
      team(members).run([&](const exec::Member& member) {
        const TeamMatrix a(member, parts);
        Monitor own;
        const solve::Amg amg(a.matrix(), geometry_of_part(parts, member.number(), body.geometry),
                             never_gathered_before(bytes), own);
        std::vector<double> found;
        took[static_cast<std::size_t>(member.number())] =
            solve_with(a, amg, parts.values_of(member.number(), body.b), found);
        levels[static_cast<std::size_t>(member.number())] = amg.levels().size();
        parts.put(member.number(), found, all);
      });
      for (const int count : took) EXPECT_EQ(count, took.front());
      EXPECT_LE(took.front(), iterations + iterations / 5 + 1);
      EXPECT_GE(levels.front(), 3U);
      EXPECT_TRUE(setka::test::all_near(all, expected, 1e-6 * size));
    }
  }
}

TEST_P(TeamAmgOn, columns_go_through_the_cycle_together) {
  const Body body;
  constexpr std::int64_t columns = 5;
  const MatrixParts parts = body.parts(3);
  team(3).run([&](const exec::Member& member) {
    const TeamMatrix a(member, parts);
    Monitor monitor;
    const solve::Amg amg(a.matrix(), geometry_of_part(parts, member.number(), body.geometry),
                         never_gathered_before(100'000), monitor);
    const exec::Stream stream = member.device();
    const std::vector<double> values =
        setka::test::random_values<double>(columns * a.rows(), 3 + static_cast<unsigned>(member.number()));
    const exec::MultiVector<double> x(member.device(), a.rows(), columns, values);
    exec::MultiVector<double> y(member.device(), a.rows(), columns);
    amg.apply(stream, x.view(), y.view());
    const std::vector<double> together = y.values().to_vector();
    double most = 0;
    double apart = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      std::vector<double> column;
      for (std::int64_t i = 0; i < a.rows(); ++i)
        column.push_back(values[static_cast<std::size_t>(i * columns + j)]);
      const exec::Array<double> one(member.device(), column);
      exec::Array<double> of_one(member.device(), a.rows());
      amg.apply(stream, one.view(), of_one.view());
      const std::vector<double> found = of_one.to_vector();
      for (std::int64_t i = 0; i < a.rows(); ++i) {
        const double expected = found[static_cast<std::size_t>(i)];
        most = std::max(most, std::abs(expected));
        apart = std::max(apart, std::abs(together[static_cast<std::size_t>(i * columns + j)] - expected));
      }
    }
    EXPECT_LE(apart, 1e-5 * most);
  });
}

TEST_P(TeamAmgOn, is_symmetric_and_the_same_at_every_run) {
  const Body body;
  const MatrixParts parts = body.parts(4);
  std::vector<double> products;
  std::mutex mutex;
  for (int run = 0; run < 2; ++run) {
    team(4).run([&](const exec::Member& member) {
      const TeamMatrix a(member, parts);
      Monitor monitor;
      const solve::Amg amg(a.matrix(), geometry_of_part(parts, member.number(), body.geometry),
                           never_gathered_before(1), monitor);
      const exec::Stream stream = member.device();
      const auto seed = static_cast<unsigned>(member.number());
      const exec::Array<double> x(member.device(), setka::test::random_values<double>(a.rows(), 10 + seed));
      const exec::Array<double> y(member.device(), setka::test::random_values<double>(a.rows(), 20 + seed));
      exec::Array<double> z(member.device(), a.rows());
      amg.apply(stream, x.view(), z.view());
      const double one = member.sum(double{exec::dot<double>(stream, y, z)});
      amg.apply(stream, y.view(), z.view());
      const double other = member.sum(double{exec::dot<double>(stream, x, z)});
      EXPECT_NEAR(one, other, 1e-4 * std::abs(one));
      if (member.number() != 0) return;
      const std::scoped_lock lock(mutex);
      products.push_back(one);
    });
  }
  EXPECT_EQ(products[0], products[1]);
}

}  // namespace
}  // namespace setka::domains
