// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/space_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/domains/distributed_product.hpp"
#include "setka/domains/graph.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_product.hpp"
#include "setka/domains/team_solver.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "setka/sparse/pieces.hpp"
#include "support/on_team.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::domains {
namespace {

class SpacePartsOn : public setka::test::OnTeam {};
SETKA_ON_ALL_DEVICES(SpacePartsOn);

/// Whether nodes are held alone, or some follow others too.
enum class Coupling : std::int8_t { none, equations };
constexpr std::array both_couplings{Coupling::none, Coupling::equations};

/// A bar held at one end, whose other end is moved in one direction.
struct HeldBar {
  fem::test::SmallModel model;
  fem::Space space;

  explicit HeldBar(fem::Element type, std::array<int, 3> cells = {9, 2, 2},
                   Coupling coupling = Coupling::none)
      : model(test::bar(type, cells)), space(model.region(), 3, constraints(model, cells[0], coupling)) {}

  HeldBar(fem::Element type, Coupling coupling) : HeldBar(type, {9, 2, 2}, coupling) {}

  static fem::Constraints constraints(const fem::test::SmallModel& model, double length, Coupling coupling) {
    fem::ConstraintBuilder builder(
        model.dofs(), [](std::int32_t dof) { return std::to_string(dof); },
        [](model::Line) { return SourceLine{}; });
    const std::int32_t nodes = model.region().node_count();
    for (std::int32_t i = 0; i < nodes; ++i) {
      const double x = model.region().coordinates_of(i)[0];
      if (x == 0) {
        for (const std::int32_t d : {3 * i, 3 * i + 1, 3 * i + 2}) builder.prescribe(d, 0, {});
      } else if (x == length) {
        builder.prescribe(3 * i + 2, 0.1 + 0.01 * i, {});
      }
    }
    if (coupling == Coupling::equations) couple(model, length, builder);
    return builder.build();
  }

  /// Nodes that follow others near them and far away, one that is moved as well, and a section that stays
  /// plane about a node of its own.
  static void couple(const fem::test::SmallModel& model, double length, fem::ConstraintBuilder& builder) {
    const std::int32_t nodes = model.region().node_count();
    std::vector<std::int32_t> free;     // nodes that nothing holds
    std::vector<std::int32_t> section;  // those in a plane
    for (std::int32_t i = 0; i < nodes; ++i) {
      const double x = model.region().coordinates_of(i)[0];
      if (x == 0 || x == length) continue;
      (x == length - 2 ? section : free).push_back(i);
    }
    for (std::size_t i = 1; i < section.size(); ++i) {
      const double z = model.region().coordinates_of(section[i])[2];
      const std::array<fem::Term, 3> plane{
          {{3 * section[i], 1.0}, {3 * section[0], -1.0}, {3 * section[0] + 1, 0.1 * z}}};
      builder.add_equation(plane, 0, {});
    }
    const std::size_t n = free.size();
    const std::array<fem::Term, 3> mean{
        {{3 * free[n / 2], 1.0}, {3 * free[1], -0.5}, {3 * free[n - 2] + 2, -0.5}}};
    builder.add_equation(mean, 0.01, {});
    const std::array<fem::Term, 2> same{{{3 * free[n / 3] + 1, 1.0}, {3 * free[n - 1] + 1, -1.0}}};
    builder.add_equation(same, 0, {});
    const std::array<fem::Term, 2> moved{{{3 * free[2] + 2, 1.0}, {3 * (nodes - 1) + 2, -0.3}}};
    builder.add_equation(moved, 0, {});
  }

  fem::ElementMatrix stiffness() const { return test::element_stiffness(model); }

  std::shared_ptr<const SpaceParts> parts(int count) const {
    const fem::Region region = model.region();
    return std::make_shared<const SpaceParts>(
        space, Decomposition::by_elements(region, partition(element_graph(region, 1), count)),
        exec::Device::cpu(1));
  }

  /// Assembled by the members; shifts: over all rows.
  DistributedMatrix assembled(const exec::Team& team, const std::shared_ptr<const SpaceParts>& parts,
                              std::vector<double>& shifts) const {
    const fem::ElementMatrix of_element = stiffness();
    shifts.assign(static_cast<std::size_t>(space.size()), 1e30);
    return {team, parts, [&](const exec::Member& member) {
              const int p = member.number();
              Monitor monitor;
              fem::System system = fem::assemble(
                  parts->space(p),
                  [&](std::int32_t e, std::span<double> k) {
                    of_element(parts->elements(p)[static_cast<std::size_t>(e)], k);
                  },
                  exec::Device::cpu(1), monitor);
              const auto rows = static_cast<std::int32_t>(parts->part(p).rows.size());
              parts->put(p, std::span(system.from_shifts).first(static_cast<std::size_t>(3 * rows)), shifts);
              return sparse::rows_between(system.matrix, 0, rows).to(member.device());
            }};
  }

  /// Known by the products of the parts, ghosts' rows included; its diagonal blocks are of one unknown.
  DistributedOperator multiplied(const exec::Team& team,
                                 const std::shared_ptr<const SpaceParts>& parts) const {
    const fem::ElementMatrix of_element = stiffness();
    return {
        team, parts, [&](const exec::Member& member) -> DistributedOperator::Rows {
          const int p = member.number();
          Monitor monitor;
          const fem::System system = fem::assemble(
              parts->space(p),
              [&](std::int32_t e, std::span<double> k) {
                of_element(parts->elements(p)[static_cast<std::size_t>(e)], k);
              },
              exec::Device::cpu(1), monitor);
          std::vector<std::int32_t> own(3 * parts->part(p).rows.size());
          std::iota(own.begin(), own.end(), 0);
          const std::vector<double> diagonal = solve::diagonal_at(system.matrix, own);
          return {
              std::make_shared<TeamProduct>(
                  member, std::make_shared<solve::BlockCsrOperator>(system.matrix.to(member.device())), 3,
                  parts->part(p)),
              [device = member.device(), diagonal](int) { return exec::Array<double>(device, diagonal); }};
        }};
  }
};

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

std::vector<double> product(const solve::Operator& a, const std::vector<double>& x) {
  const exec::Array<double> in(a.device(), x);
  exec::Array<double> out(a.device(), in.size());
  a.apply(a.device(), in, out);
  return out.to_vector();
}

TEST_P(SpacePartsOn, what_parts_assemble_is_the_whole) {
  for (const auto& [type, coupling] :
       {std::pair(fem::Element::hex8, Coupling::none), std::pair(fem::Element::tet10, Coupling::none),
        std::pair(fem::Element::hex20_reduced, Coupling::none),
        std::pair(fem::Element::hex8, Coupling::equations),
        std::pair(fem::Element::tet10, Coupling::equations)}) {
    const HeldBar bar(type, coupling);
    Monitor monitor;
    const fem::System whole = fem::assemble(bar.space, bar.stiffness(), exec::Device::cpu(1), monitor);
    const std::vector<double> x = setka::test::random_values<double>(bar.space.size(), 3);
    const std::vector<double> expected = product(solve::BlockCsrOperator(whole.matrix), x);
    for (const int count : {1, 2, 3, 5, 9}) {
      SCOPED_TRACE(std::string(name(type)) + " in " + std::to_string(count));
      std::vector<double> shifts;
      DistributedMatrix a = bar.assembled(team(count), bar.parts(count), shifts);
      EXPECT_EQ(a.scalar_rows(), bar.space.size());
      EXPECT_EQ(a.entries(), whole.matrix.value().size());
      EXPECT_TRUE(
          setka::test::all_near(product(DistributedProduct(a), x), expected, 1e-13 * largest(expected)));
      EXPECT_TRUE(setka::test::all_near(shifts, whole.from_shifts, 1e-13 * largest(whole.from_shifts)));
      const std::vector<std::int32_t> rows{static_cast<std::int32_t>(bar.space.size()) - 1, 0, 7, 7};
      const std::vector<double> diagonal = solve::diagonal_at(whole.matrix, rows);
      EXPECT_TRUE(setka::test::all_near(a.diagonal_at(rows), diagonal, 1e-12 * largest(diagonal)));
      const std::vector<solve::Support> supports{{rows[0], 5.0}, {1, 3.0}};
      a.add_supports(supports);
      const std::vector<double> held = product(DistributedProduct(a), x);
      for (const solve::Support& support : supports) {
        const auto row = static_cast<std::size_t>(support.row);
        EXPECT_NEAR(held[row] - expected[row], support.stiffness * x[row], 1e-12 * largest(expected));
      }
    }
  }
}

TEST_P(SpacePartsOn, what_parts_multiply_is_the_whole) {
  for (const auto& [type, coupling] :
       {std::pair(fem::Element::hex8, Coupling::none), std::pair(fem::Element::tet10, Coupling::none),
        std::pair(fem::Element::hex8, Coupling::equations)}) {
    const HeldBar bar(type, coupling);
    Monitor monitor;
    const fem::System whole = fem::assemble(bar.space, bar.stiffness(), exec::Device::cpu(1), monitor);
    const std::vector<double> x = setka::test::random_values<double>(bar.space.size(), 3);
    const std::vector<double> expected = product(solve::BlockCsrOperator(whole.matrix), x);
    std::vector<std::int32_t> all(x.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<double> diagonal = solve::diagonal_at(whole.matrix, all);
    for (const int count : {1, 2, 3, 5, 9}) {
      SCOPED_TRACE(std::string(name(type)) + " in " + std::to_string(count));
      DistributedOperator a = bar.multiplied(team(count), bar.parts(count));
      EXPECT_TRUE(
          setka::test::all_near(product(DistributedProduct(a), x), expected, 1e-13 * largest(expected)));
      EXPECT_TRUE(setka::test::all_near(a.diagonal(), diagonal, 1e-12 * largest(diagonal)));
      const std::vector<solve::Support> supports{{static_cast<std::int32_t>(x.size()) - 1, 5.0}, {1, 3.0}};
      a.add_supports(supports);
      const std::vector<double> held = product(DistributedProduct(a), x);
      for (const solve::Support& support : supports) {
        const auto row = static_cast<std::size_t>(support.row);
        EXPECT_NEAR(held[row] - expected[row], support.stiffness * x[row], 1e-12 * largest(expected));
      }
    }
  }
}

TEST_P(SpacePartsOn, parts_multiply_leading_columns) {
  const HeldBar bar(fem::Element::hex8);
  const auto parts = bar.parts(3);
  const DistributedOperator a = bar.multiplied(team(3), parts);
  constexpr std::int64_t width = 5;
  constexpr std::int64_t columns = 3;
  const std::vector<double> x = setka::test::random_values<double>(bar.space.size() * width, 8);
  a.team().run([&](const exec::Member& member) {
    const solve::Operator& own = *a.of(member).product;
    const std::int64_t rows = own.rows();
    const std::vector<double> given = parts->values_of(member.number(), x, 3 * width);
    const exec::Array<double> in(member.device(), given);
    exec::Array<double> out(member.device(), std::vector<double>(given.size(), 7.0));
    own.apply(member.device(), exec::MultiView<const double>{in.data(), rows, columns, width},
              exec::MultiView<double>{out.data(), rows, columns, width});
    const std::vector<double> found = out.to_vector();
    for (std::int64_t j = 0; j < width; ++j) {
      std::vector<double> one(static_cast<std::size_t>(rows));
      for (std::size_t i = 0; i < one.size(); ++i) one[i] = given[i * width + static_cast<std::size_t>(j)];
      const std::vector<double> alone =
          j < columns ? product(own, one) : std::vector<double>(one.size(), 7.0);
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_NEAR(found[i * width + static_cast<std::size_t>(j)], alone[i], 1e-12 * largest(alone));
    }
  });
}

TEST_P(SpacePartsOn, a_team_solves_what_it_multiplies) {
  const HeldBar bar(fem::Element::hex8);
  Monitor monitor;
  const fem::System whole = fem::assemble(bar.space, bar.stiffness(), exec::Device::cpu(1), monitor);
  solve::SolverChoice choice;
  choice.method = solve::Method::cg;
  choice.preconditioner = "jacobi";
  choice.tolerance = 1e-10;
  solve::LinearSystem system;
  system.matrix = &whole.matrix;
  system.unknown_count = bar.space.unknown_count();
  const std::vector<double> b =
      bar.space.spread(setka::test::random_values<double>(bar.space.unknown_count(), 6));
  const solve::SolveResult expected = solve::solve(exec::Device::cpu(1), system, b, choice, monitor);
  for (const int count : {2, 4}) {
    const DistributedOperator a = bar.multiplied(team(count), bar.parts(count));
    const UnassembledSystem shared{a, bar.space.unknown_count()};
    const solve::SolveResult found = solve(shared, b, choice, monitor);
    EXPECT_TRUE(found.report.converged);
    EXPECT_NEAR(found.report.iterations, expected.report.iterations, 3);
    EXPECT_TRUE(setka::test::all_near(found.x, expected.x, 1e-7 * largest(expected.x)));
    EXPECT_EQ(solve(shared, b, choice, monitor).x, found.x) << "the same bits a second time";
  }
}

TEST_P(SpacePartsOn, multigrid_is_told_the_motions_of_the_whole) {
  for (const Coupling coupling : both_couplings) {
    const HeldBar bar(fem::Element::hex8, coupling);
    const solve::AmgGeometry whole = bar.space.amg_motions(exec::Device::cpu(1));
    const std::vector<double> motions = whole.mode.on_host();
    const auto parts = bar.parts(4);
    for (int p = 0; p < 4; ++p) {
      const solve::AmgGeometry own = parts->geometry(p, exec::Device::cpu(1));
      EXPECT_EQ(own.modes, whole.modes);
      EXPECT_TRUE(setka::test::all_near(own.mode.on(device()).to_vector(),
                                        parts->values_of(p, motions, 3 * whole.modes), 1e-14));
      EXPECT_TRUE(setka::test::all_near(own.coordinates, parts->values_of(p, whole.coordinates, 3), 1e-13));
    }
  }
}

TEST_P(SpacePartsOn, a_team_solves_what_it_assembled) {
  for (const Coupling coupling : both_couplings) {
    const HeldBar bar(fem::Element::hex8, coupling);
    Monitor monitor;
    const fem::System whole = fem::assemble(bar.space, bar.stiffness(), exec::Device::cpu(1), monitor);
    solve::SolverChoice choice;
    choice.method = solve::Method::cg;
    choice.tolerance = 1e-10;
    solve::LinearSystem system;
    system.matrix = &whole.matrix;
    system.unknown_count = bar.space.unknown_count();
    system.geometry = [&] { return bar.space.amg_geometry(exec::Device::cpu(1)); };
    const std::vector<double> b =
        bar.space.spread(setka::test::random_values<double>(bar.space.unknown_count(), 6));
    const solve::SolveResult expected = solve::solve(exec::Device::cpu(1), system, b, choice, monitor);
    for (const int count : {2, 4}) {
      const auto parts = bar.parts(count);
      std::vector<double> shifts;
      const DistributedMatrix a = bar.assembled(team(count), parts, shifts);
      const TeamSystem shared{a, [&](int p) { return parts->geometry(p, exec::Device::cpu(1)); },
                              bar.space.unknown_count()};
      const solve::SolveResult found = solve(shared, b, choice, monitor);
      EXPECT_TRUE(found.report.converged);
      EXPECT_LE(found.report.iterations, expected.report.iterations + 3);
      EXPECT_TRUE(setka::test::all_near(found.x, expected.x, 1e-7 * largest(expected.x)));
      EXPECT_EQ(solve(shared, b, choice, monitor).x, found.x) << "the same bits a second time";
    }
  }
}

TEST_P(SpacePartsOn, second_order_elements_have_corners_below_them) {
  for (const auto& [type, coupling] : {std::pair(fem::Element::tet10, Coupling::none),
                                       std::pair(fem::Element::hex20_reduced, Coupling::none),
                                       std::pair(fem::Element::tet10, Coupling::equations),
                                       std::pair(fem::Element::hex20_reduced, Coupling::equations)}) {
    const HeldBar bar(type, {10, 4, 3}, coupling);
    Monitor monitor;
    const fem::System whole = fem::assemble(bar.space, bar.stiffness(), exec::Device::cpu(1), monitor);
    const std::vector<double> b =
        bar.space.spread(setka::test::random_values<double>(bar.space.unknown_count(), 6));
    const auto solved = [](const solve::Operator& a, const solve::Amg& amg, const std::vector<double>& right,
                           std::vector<double>& x) {
      const exec::Array<double> given(a.device(), right);
      exec::Array<double> found(a.device(), std::vector<double>(right.size(), 0.0));
      Monitor own;
      const solve::Outcome outcome = solve::Cg().solve(a.device(), a, amg, given, found, own);
      EXPECT_TRUE(outcome.converged());
      x = found.to_vector();
      return outcome.iterations;
    };
    std::vector<double> expected;
    const sparse::BlockCsr<double> here = whole.matrix.to(device());
    const auto with = [&](solve::AmgGeometry geometry) {
      return solved(solve::BlockCsrOperator(here),
                    solve::Amg(device(), here, std::move(geometry), {}, monitor), b, expected);
    };
    const int without_corners = with(bar.space.amg_motions(exec::Device::cpu(1)));
    const int alone = with(bar.space.amg_geometry(exec::Device::cpu(1)));
    for (const int count : {2, 3}) {
      for (const std::int64_t gathered_below : {std::int64_t{1}, std::int64_t{1'000'000'000}}) {
        SCOPED_TRACE(testing::Message() << name(type) << (coupling == Coupling::none ? "" : " coupled")
                                        << ", " << count << " members, " << gathered_below);
        const auto parts = bar.parts(count);
        std::vector<double> shifts;
        const DistributedMatrix a = bar.assembled(team(count), parts, shifts);
        std::vector<double> all(b.size());
        int took = 0;
        a.team().run([&](const exec::Member& member) {
          const int p = member.number();
          solve::AmgOptions options;
          options.gathered_below = gathered_below;
          Monitor own;
          const solve::Amg amg(a.of(member)->matrix(), parts->geometry(p, exec::Device::cpu(1)), options,
                               own);
          std::vector<double> x;
          const int iterations = solved(*a.of(member), amg, parts->values_of(p, b), x);
          parts->put(p, x, all);
          if (p == 0) took = iterations;
        });
        EXPECT_LE(took, alone + alone / 5 + 1) << without_corners << " without corners";
        EXPECT_TRUE(setka::test::all_near(all, expected, 1e-6 * largest(expected)));
      }
    }
  }
}

TEST(SpaceParts, ABlockIsOwnedWhereMostOfItMoves) {
  for (const Coupling coupling : both_couplings) {
    const HeldBar bar(fem::Element::hex8, coupling);
    const auto parts = bar.parts(3);
    std::vector<int> owned(static_cast<std::size_t>(bar.space.blocks()), 0);
    std::size_t largest_part = 0;
    for (int p = 0; p < parts->count(); ++p) {
      const RowsOfPart& rows = parts->part(p);
      for (const std::int32_t row : rows.rows) ++owned[static_cast<std::size_t>(row)];
      EXPECT_EQ(parts->space(p).size(), 3 * (rows.rows.size() + rows.ghosts.size()));
      std::int32_t counted = 0;
      for (std::size_t e = 0; e < parts->elements(p).size(); ++e)
        counted += parts->counts(p, static_cast<std::int32_t>(e)) ? 1 : 0;
      EXPECT_GT(counted, 0);
      largest_part = std::max(largest_part, parts->elements(p).size());
    }
    EXPECT_EQ(owned, std::vector<int>(owned.size(), 1));
    // Equations bring their elements along, and no others.
    EXPECT_LT(largest_part, static_cast<std::size_t>(bar.model.region().element_count()));
  }
}

}  // namespace
}  // namespace setka::domains
