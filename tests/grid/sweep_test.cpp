// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grid/lines_of_systems.hpp"
#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/grid/sweep_geometry.hpp"
#include "setka/grid/sweep_table.hpp"
#include "support/on_device.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

using ::testing::HasSubstr;

class SweepOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(SweepOn);

constexpr Coefficients kinds[] = {Coefficients::each, Coefficients::shared, Coefficients::constant};
constexpr SweepMethod methods[] = {SweepMethod::automatic, SweepMethod::reference, SweepMethod::fused,
                                   SweepMethod::split};

/// Rows sum up to 0.25 at least beyond the neighbours: no entry of the inverse is larger than 4, and a
/// residual is a sum of three products of numbers below 4 * 4.
template <class T>
double bound() {
  return test::rounding<T>(32, 16);
}

template <class T>
void check(const exec::Device& device, const test::Systems<T>& systems, SweepMethod method, bool periodic,
           bool in_place) {
  SweepOptions options;
  options.periodic = periodic;
  options.method = method;
  const std::vector<T> x = systems.solved(device, options, in_place);
  const double off = systems.residual(x, periodic);
  EXPECT_LE(off, bound<T>()) << name(method) << (periodic ? ", periodic" : "")
                             << (in_place ? ", in place" : "") << ", lines [" << systems.lines.outer << " x "
                             << systems.lines.rows << " x " << systems.lines.inner << "], coefficients "
                             << static_cast<int>(systems.kind);
}

template <class T>
void check_grids(const exec::Device& device, std::initializer_list<std::int64_t> sizes, std::int64_t across) {
  unsigned seed = 1;
  for (const std::int64_t rows : sizes) {
    for (const Lines& lines : {Lines::along(0, {rows}), Lines::along(1, {across, rows}),
                               Lines::along(0, {rows, across}), Lines::along(0, {rows, 2, across}),
                               Lines::along(1, {3, rows, across}), Lines::along(2, {2, across, rows})}) {
      for (const Coefficients kind : kinds) {
        const test::Systems<T> systems(lines, kind, ++seed);
        for (const SweepMethod method : methods) {
          for (const bool periodic : {false, true}) check(device, systems, method, periodic, seed % 2 == 0);
        }
      }
    }
  }
}

TEST_P(SweepOn, solves_systems_of_awkward_sizes_along_every_axis) {
  check_grids<double>(device(), {1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 65, 129, 513}, 7);
  check_grids<double>(device(), {1, 2, 3, 32, 33}, 70);
}

TEST_P(SweepOn, solves_them_in_single_precision) {
  check_grids<float>(device(), {1, 2, 3, 16, 31, 32, 33, 130, 515}, 9);
}

TEST_P(SweepOn, solves_long_lines) {
  check_grids<double>(device(), {1000, 4097}, 3);
  check_grids<float>(device(), {1000, 4096}, 3);
}

// More than the third-level cache of a CPU is taken to hold, in rows that share few sets of the second; all
// lines are one line.
TEST_P(SweepOn, solves_lines_across_a_grid_beyond_the_caches) {
  const std::int64_t rows = 1025;
  const std::int64_t across = 8192;
  const test::Systems<double> line(Lines::along(0, {rows}), Coefficients::constant, 5);
  SweepOptions options;
  options.periodic = true;
  const std::vector<double> expected = line.solved(device(), options, false);
  EXPECT_LE(line.residual(expected, true), bound<double>());

  exec::Array<double> x(exec::Device::cpu(), rows * across);
  for (std::int64_t i = 0; i < rows; ++i)
    std::fill_n(x.data() + i * across, across, line.d[static_cast<std::size_t>(i)]);
  exec::Array<double> on_device = x.to(device());
  sweep<double>(device(), Lines::along(0, {rows, across}), Tridiagonal<double>::constant(line.constant()),
                on_device, on_device, options);
  const std::vector<double> found = on_device.to_vector();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows * across; ++i) {
    const double off = found[static_cast<std::size_t>(i)] - expected[static_cast<std::size_t>(i / across)];
    if (!(std::abs(off) <= 4 * bound<double>())) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(SweepOn, solves_lines_of_every_length_a_chip_holds) {
  for (const std::int64_t rows : {2048, 4095, 8192, 16384, 32768, 40000, 70001}) {
    for (const Lines& lines : {Lines::along(1, {2, rows}), Lines::along(0, {rows, 2})}) {
      const test::Systems<double> systems(lines, Coefficients::each, static_cast<unsigned>(rows));
      for (const bool periodic : {false, true})
        check(device(), systems, SweepMethod::automatic, periodic, false);
    }
  }
}

/// On a GPU the pieces of 512 rows meet in a warp, those of 4096 or 8192 in a block, and more in a cluster.
template <class T>
void check_limits(const exec::Device& device, std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t rows : sizes) {
    for (const Lines& lines : {Lines::along(1, {2, rows}), Lines::along(0, {rows, 3})}) {
      for (const Coefficients kind : {Coefficients::each, Coefficients::constant}) {
        const test::Systems<T> systems(lines, kind, static_cast<unsigned>(rows));
        for (const bool periodic : {false, true})
          check(device, systems, SweepMethod::automatic, periodic, rows % 2 == 0);
      }
    }
  }
}

TEST_P(SweepOn, solves_lines_around_the_limits_of_warps_blocks_and_clusters) {
  check_limits<double>(device(), {127,  128,  129,  511,  512,  513,  528,  529,   1023,  1025,  4095,
                                  4096, 4097, 4112, 4113, 8191, 8192, 8193, 12289, 16383, 16384, 16385});
  check_limits<float>(device(), {511, 512, 513, 1023, 1024, 1025, 8191, 8192, 8193, 16385, 32767, 32768});
}

template <class T>
void check_groups(const exec::Device& device, std::initializer_list<std::int64_t> sizes,
                  std::initializer_list<std::int64_t> numbers_across) {
  for (const std::int64_t rows : sizes) {
    for (const std::int64_t across : numbers_across) {
      const Lines lines = Lines::along(1, {2, rows, across});
      for (const Coefficients kind : {Coefficients::each, Coefficients::constant}) {
        const test::Systems<T> systems(lines, kind, static_cast<unsigned>(rows + across));
        for (const bool periodic : {false, true})
          check(device, systems, SweepMethod::automatic, periodic, false);
      }
    }
  }
}

TEST_P(SweepOn, solves_groups_of_lines_that_are_not_whole) {
  check_groups<double>(device(), {3, 17, 40, 500, 700}, {1, 15, 16, 17, 33, 130});
  check_groups<float>(device(), {3, 40, 700}, {1, 31, 33, 130});
}

// On a GPU groups of 16 lines, of 32 in float, take more threads from 2049 rows on, and are half as wide from
// 4097 on.
TEST_P(SweepOn, solves_groups_of_long_lines) {
  check_groups<double>(device(), {256, 257, 2048, 2049, 4096, 4097}, {16, 19});
  check_groups<float>(device(), {256, 257, 2048, 2049, 4097}, {32, 35});
}

TEST(FusedGeometry, has_a_thread_for_every_row_or_none_at_all) {
  for (const bool along : {true, false}) {
    for (const bool constant : {true, false}) {
      const std::int64_t longest = along || constant ? 16384 : 8192;
      for (std::int64_t rows = 1; rows <= longest + 10; rows += rows < 600 ? 1 : 7) {
        const cuda::Geometry way = cuda::fused_geometry(rows, along, constant);
        SCOPED_TRACE(testing::Message() << rows << " rows, " << along << ", " << constant);
        if (rows > longest) {
          EXPECT_EQ(way.teams, 0);
          continue;
        }
        ASSERT_GT(way.teams, 0);
        EXPECT_LE(way.blocks, 8);
        EXPECT_LE(way.threads, 512);
        const std::int64_t threads_of_a_line = std::int64_t{way.blocks} * way.threads / way.width;
        EXPECT_GE(threads_of_a_line * way.rows, rows);
        EXPECT_LT((threads_of_a_line - std::int64_t{32} * way.blocks) * way.rows / 2, rows);
      }
    }
  }
}

TEST(LineTables, are_the_elimination_of_every_piece) {
  constexpr int size = 4;
  const test::Systems<double> systems(Lines::along(0, {15}), Coefficients::constant, 3);
  for (const bool periodic : {false, true}) {
    const kernel::Bands<double> bands{nullptr, nullptr, nullptr, 0, 0, 0, systems.constant(), periodic};
    for (const int rows : {1, 3, 4, 5, 8, 11, 15}) {
      const auto tables = kernel::LineTables<double, size>::of(bands, rows);
      for (int begin = 0; begin < rows; begin += size) {
        const double* const d = systems.d.data() + begin;
        const int count = std::min(size, rows - begin);
        double beta[size] = {};
        double expected[size] = {};
        double alpha[size] = {};
        double gamma[size] = {};
        kernel::Elimination<double> by_rows{};
        for (int i = 0; i < count; ++i) {
          const auto row = bands.constant_row(begin + i, rows);
          beta[i] = d[i];
          if (i == 0) {
            by_rows.first(row.lower, row.diagonal, row.upper, beta[i]);
          } else {
            by_rows.next(row.lower, row.diagonal, row.upper, beta[i]);
          }
          expected[i] = by_rows.beta;
          alpha[i] = by_rows.alpha;
          gamma[i] = by_rows.gamma;
        }
        const auto found = tables.forward(beta, begin, count);
        EXPECT_NEAR(found.alpha, by_rows.alpha, bound<double>()) << rows << " rows, from " << begin;
        EXPECT_NEAR(found.beta, by_rows.beta, bound<double>()) << rows << " rows, from " << begin;
        EXPECT_NEAR(found.gamma, by_rows.gamma, bound<double>()) << rows << " rows, from " << begin;
        EXPECT_NEAR(found.first_alpha, by_rows.first_alpha, bound<double>()) << rows << ", " << begin;
        EXPECT_NEAR(found.first_beta, by_rows.first_beta, bound<double>()) << rows << ", " << begin;
        EXPECT_NEAR(found.first_gamma, by_rows.first_gamma, bound<double>()) << rows << ", " << begin;
        double in_memory[size] = {};
        std::copy_n(d, count, in_memory);
        const double* const as_given = in_memory;
        EXPECT_EQ(tables.forward<2>(in_memory, begin, count).beta, found.beta) << rows << ", " << begin;
        EXPECT_TRUE(std::equal(as_given, as_given + count, beta)) << rows << ", " << begin;
        double solution[size] = {-1, -1, -1, -1};
        tables.back<2>(in_memory, solution, begin, count, 0.5, 2.0);
        tables.back(beta, begin, count, 0.5, 2.0);
        EXPECT_TRUE(std::equal(solution, solution + count, beta)) << rows << ", " << begin;
        EXPECT_EQ(std::count(solution + count, solution + size, -1.0), size - count)
            << "rows beyond the line";
        double value = 2.0;
        for (int i = count - 1; i >= 0; --i) {
          if (i < count - 1) value = expected[i] - alpha[i] * value - gamma[i] * 0.5;
          EXPECT_NEAR(beta[i], value, bound<double>()) << rows << " rows, row " << begin + i;
        }
      }
    }
  }
}

TEST_P(SweepOn, agrees_with_a_dense_solution) {
  for (const std::int64_t rows : {1, 2, 3, 33, 100}) {
    const Lines lines = Lines::along(1, {2, rows});
    const test::Systems<double> systems(lines, Coefficients::each, 5);
    for (const bool periodic : {false, true}) {
      std::vector<double> expected;
      for (std::int64_t line = 0; line < 2; ++line) {
        Dense a(rows, rows);
        Dense d(rows, 1);
        for (std::int64_t i = 0; i < rows; ++i) {
          const auto row = systems.row(line, i, periodic);
          a(i, i) += row.diagonal;
          a(i, (i + rows - 1) % rows) += row.lower;
          a(i, (i + 1) % rows) += row.upper;
          d(i, 0) = systems.d[static_cast<std::size_t>(lines.place(line, i))];
        }
        const Dense x = solution(a, d);
        expected.insert(expected.end(), x.values().begin(), x.values().end());
      }
      for (const SweepMethod method : methods) {
        SweepOptions options;
        options.periodic = periodic;
        options.method = method;
        EXPECT_TRUE(test::all_near(systems.solved(device(), options, false), expected, bound<double>()))
            << name(method) << ", " << rows << " rows";
      }
    }
  }
}

TEST_P(SweepOn, leaves_the_border_of_a_grid_alone) {
  // 5 x 6 values inside a grid of 7 x 9.
  Lines lines = Lines::along(0, {5, 6});
  lines.row_stride = 9;
  Lines across = Lines::along(1, {5, 6});
  across.outer_stride = 9;
  for (const Lines& of : {lines, across}) {
    const test::Systems<double> systems(of, Coefficients::each, 11);
    for (const SweepMethod method : methods) {
      SweepOptions options;
      options.method = method;
      const std::vector<double> x = systems.solved(device(), options, false);
      EXPECT_LE(systems.residual(x, false), bound<double>());
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t column = 6; column < 9; ++column) EXPECT_EQ(x[9 * row + column], 77.0);
      }
    }
  }
}

TEST_P(SweepOn, solves_lines_of_any_strides) {
  // Values of a grid stored with the first index fastest, and every other value of it left out.
  Lines lines;
  lines.outer = 3;
  lines.rows = 37;
  lines.inner = 4;
  lines.inner_stride = 222;
  lines.row_stride = 6;
  lines.outer_stride = 2;
  for (const Coefficients kind : kinds) {
    const test::Systems<double> systems(lines, kind, 21);
    for (const SweepMethod method : methods) {
      for (const bool periodic : {false, true}) check(device(), systems, method, periodic, true);
    }
  }
}

TEST_P(SweepOn, solves_nothing) {
  for (const Lines& lines : {Lines::along(0, {0, 5}), Lines::along(0, {5, 0})}) {
    exec::Array<double> x(device());
    sweep(device(), lines, Tridiagonal<double>::constant(1, 3, 1), x, x);
  }
}

/// What sweep() says, or nothing.
template <class T>
std::string message(const exec::Device& device, const test::Systems<T>& systems,
                    const SweepOptions& options) {
  try {
    systems.solved(device, options, false);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return {};
}

TEST_P(SweepOn, names_the_line_and_row_of_a_zero_pivot) {
  for (const Lines& lines : {Lines::along(1, {9, 40}), Lines::along(0, {40, 9})}) {
    for (const SweepMethod method : methods) {
      SweepOptions options;
      options.method = method;
      options.check_pivots = true;
      test::Systems<double> systems(lines, Coefficients::each, 31);
      EXPECT_EQ(message(device(), systems, options), "");
      const auto at = static_cast<std::size_t>(lines.place(4, 0));
      const auto next = static_cast<std::size_t>(lines.place(4, 1));
      systems.lower[next] = 2;  // 1 * 4 - 2 * 2 = 0
      systems.diagonal[at] = 1;
      systems.diagonal[next] = 4;
      systems.upper[at] = 2;
      EXPECT_THAT(message(device(), systems, options), HasSubstr("zero pivot in line 4, row 1"))
          << name(method);
      systems.diagonal[at] = 0;
      EXPECT_THAT(message(device(), systems, options), HasSubstr("zero pivot in line 4, row 0"))
          << name(method);
      systems.diagonal[at] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_THAT(message(device(), systems, options), HasSubstr("a coefficient of line 4, row 0 is nan"));
    }
  }
}

TEST_P(SweepOn, names_the_line_of_a_right_hand_side_that_is_not_finite) {
  test::Systems<double> systems(Lines::along(0, {40, 9}), Coefficients::shared, 31);
  systems.d[9 * 3 + 5] = std::numeric_limits<double>::infinity();
  SweepOptions options;
  options.check_pivots = true;
  EXPECT_THAT(message(device(), systems, options),
              HasSubstr("the solution of line 5 is not finite; look at its right-hand side, and whether each "
                        "diagonal is as large as the sum of the others"));
}

TEST_P(SweepOn, reports_a_singular_period) {
  // x[i] - x[i - 1] = d around a ring; exact in every way of elimination.
  exec::Array<double> d(device(), std::vector<double>(8, 1.0));
  exec::Array<double> x(device(), 8);
  SweepOptions options;
  options.periodic = true;
  options.check_pivots = true;
  for (const std::int64_t rows : {1, 2, 4, 8}) {
    EXPECT_THROW(
        sweep(device(), Lines::along(0, {rows}), Tridiagonal<double>::constant(-1, 1, 0), d, x, options),
        Error)
        << rows << " rows";
  }
}

TEST_P(SweepOn, checks_diagonal_dominance) {
  SweepOptions options;
  options.check_dominance = true;
  for (const Coefficients kind : kinds) {
    const Lines lines = Lines::along(1, {3, 50, 6});
    test::Systems<double> systems(lines, kind, 41);
    EXPECT_EQ(message(device(), systems, options), "");
    const bool constant = kind == Coefficients::constant;
    const bool each = kind == Coefficients::each;
    const auto at = static_cast<std::size_t>(constant ? 0 : each ? lines.place(13, 20) : 20);
    systems.diagonal[at] = 0.5 * (std::abs(systems.lower[at]) + std::abs(systems.upper[at]));
    const std::string expected = each       ? "line 13, row 20 is not"
                                 : constant ? "line 0, row 1 is not"
                                            : "line 0, row 20 is not";
    EXPECT_THAT(message(device(), systems, options), HasSubstr(expected));
  }
}

TEST_P(SweepOn, says_when_sizes_do_not_fit) {
  const exec::Array<double> few(device(), 11);
  exec::Array<double> enough(device(), 12);
  const Lines lines = Lines::along(0, {4, 3});
  const auto constant = Tridiagonal<double>::constant(1, 3, 1);
  const auto what = [&](const auto& matrix, const exec::Array<double>& d) -> std::string {
    try {
      sweep(device(), lines, matrix, d, enough);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(what(constant, few), HasSubstr("d has 11 values but lines [1 x 4 x 3] need 12"));
  EXPECT_THAT(what(Tridiagonal<double>::each(enough, few, enough), enough), HasSubstr("diagonal has 11"));
  const exec::Array<double> three(device(), 3);
  EXPECT_THAT(what(Tridiagonal<double>::shared(enough, enough, three), enough),
              HasSubstr("upper has 3 values"));
  Lines overlapping = lines;
  overlapping.inner_stride = 0;
  EXPECT_THROW(sweep(device(), overlapping, constant, enough, enough), Error);
  EXPECT_THROW(Lines::along(2, {4, 3}), Error);
  EXPECT_THROW(Lines::along(-1, {4, 3}), Error);
  EXPECT_THROW(Lines::along(0, {4, -3}), Error);
}

}  // namespace
}  // namespace setka::grid
