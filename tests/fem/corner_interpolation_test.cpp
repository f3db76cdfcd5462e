// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/corner_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/analysis/solids.hpp"
#include "setka/fem/elements.hpp"
#include "setka/mesh/block_mesh.hpp"

namespace setka::fem {
namespace {

using fem::Element;

void add_element(analysis::Solids& solids, Element type, const std::vector<std::int32_t>& nodes) {
  solids.type.push_back(type);
  solids.node.insert(solids.node.end(), nodes.begin(), nodes.end());
  solids.first_node.push_back(static_cast<std::int64_t>(solids.node.size()));
}

/// A sheared block of 3 x 2 x 2 cells.
analysis::Solids block(Element type) {
  const mesh::BlockMesh made =
      mesh::block_mesh({{{{3}, {2}, {2}}}, {}}, cell_of(type), [](double s, double t, double r) {
        return std::array<double, 3>{3 * s + 0.3 * t, 2 * t + 0.2 * r, r};
      });
  analysis::Solids solids;
  solids.coordinates.assign(made.mesh.coordinates().begin(), made.mesh.coordinates().end());
  for (std::int32_t e = 0; e < made.mesh.element_count(); ++e) {
    const auto nodes = made.mesh.nodes(e);
    add_element(solids, type, {nodes.begin(), nodes.end()});
  }
  solids.user_dofs = 3 * solids.node_count();
  return solids;
}

exec::Device cpu() {
  return exec::Device::cpu(1);
}

ConstraintBuilder builder(std::int32_t dofs) {
  return {dofs, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; }};
}

/// Values at the kept blocks as they come out of the blocks of P, or of the gaps.
std::vector<double> apply(const solve::Interpolation& p, const std::vector<double>& blocks,
                          const std::vector<double>& coarse) {
  const std::size_t rows = p.offset.size() - 1;
  const auto width = static_cast<std::size_t>(p.width(3));
  std::vector<double> fine(3 * rows, 0.0);
  for (std::size_t b = 0; b < rows; ++b) {
    const auto first = static_cast<std::size_t>(p.offset[b]);
    const std::size_t count = static_cast<std::size_t>(p.offset[b + 1]) - first;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t j = 0; j < width; ++j)
          fine[3 * b + i] += blocks[3 * width * first + width * (i * count + k) + j] *
                             coarse[width * static_cast<std::size_t>(p.column[first + k]) + j];
      }
    }
  }
  return fine;
}
std::vector<double> prolong(const solve::Interpolation& p, const std::vector<double>& coarse) {
  return apply(p, solve::values_of(p, 3, cpu()).to_vector(), coarse);
}

/// Behind the three of a kept block come its turns, where it has some.
std::vector<double> at_kept(const solve::Interpolation& p, const std::vector<double>& fine,
                            const std::array<double, 3>& turn = {}) {
  std::vector<double> coarse;
  for (const std::int32_t b : p.kept) {
    for (std::size_t i = 0; i < 3; ++i) coarse.push_back(fine[3 * static_cast<std::size_t>(b) + i]);
    if (p.width(3) == 6) coarse.insert(coarse.end(), turn.begin(), turn.end());
  }
  return coarse;
}

double linear(const double* x, std::size_t direction) {
  const std::array<double, 3> u{1 + 2 * x[0] - x[1], 3 * x[2] - x[0], 2 + x[0] + x[1] + x[2]};
  return u[direction];
}

/// Whose prolongation from the corners has to be itself.
std::vector<double> linear_field(const analysis::Solids& solids) {
  std::vector<double> field(solids.coordinates.size());
  for (std::size_t d = 0; d < field.size(); ++d) field[d] = linear(&solids.coordinates[d / 3 * 3], d % 3);
  return field;
}

void expect_near(const std::vector<double>& computed, const std::vector<double>& wanted) {
  ASSERT_EQ(computed.size(), wanted.size());
  for (std::size_t i = 0; i < computed.size(); ++i) EXPECT_NEAR(computed[i], wanted[i], 1e-13) << i;
}

TEST(CornerInterpolation, ReproducesLinearFieldsOfSecondOrderElements) {
  for (const Element type : {Element::tet10, Element::wedge15, Element::hex20, Element::hex20_reduced}) {
    const analysis::Solids solids = block(type);
    const Constraints constraints = Constraints::none(solids.user_dofs);
    const solve::Interpolation p = corner_interpolation(Space(solids.region(), 3, constraints), cpu());
    EXPECT_EQ(p.kept.size(), 36U);
    const std::vector<double> field = linear_field(solids);
    expect_near(prolong(p, at_kept(p, field)), field);
  }
}

TEST(CornerInterpolation, IsEmptyForFirstOrderElements) {
  for (const Element type : {Element::tet4, Element::wedge6, Element::hex8}) {
    const analysis::Solids solids = block(type);
    const Constraints constraints = Constraints::none(solids.user_dofs);
    EXPECT_TRUE(corner_interpolation(Space(solids.region(), 3, constraints), cpu()).empty());
  }
}

TEST(CornerInterpolation, AnEndThatIsHeldAddsNothingAndHeldDirectionsStayZero) {
  const analysis::Solids solids = block(Element::hex20_reduced);
  const auto nodes = solids.nodes(0);
  ConstraintBuilder b = builder(solids.user_dofs);
  for (std::int32_t i = 0; i < 3; ++i) b.prescribe(3 * nodes[0] + i, 0, {});  // a corner, all of it
  b.prescribe(3 * nodes[1] + 1, 0, {});                                       // in one direction
  b.prescribe(3 * nodes[8] + 2, 0, {});                                       // the node between them
  const Constraints constraints = b.build();
  const Space space(solids.region(), 3, constraints);
  const solve::Interpolation p = corner_interpolation(space, cpu());
  EXPECT_EQ(p.kept.size(), 35U);
  const std::vector<double> fine = prolong(p, std::vector<double>(3 * p.kept.size(), 1.0));
  const std::vector<double> u = constraints.expand(space.collect(fine));
  const auto at = [&](std::size_t node, std::size_t i) {
    return u[3 * static_cast<std::size_t>(nodes[node]) + i];
  };
  EXPECT_EQ(at(8, 0), 0.5);
  EXPECT_EQ(at(8, 1), 0.0);
  EXPECT_EQ(at(8, 2), 0.0);
  EXPECT_EQ(at(9, 0), 1.0);
  EXPECT_EQ(at(9, 1), 0.5);
  EXPECT_EQ(space.spread(space.collect(fine)), fine);  // zero where there is no unknown
}

TEST(CornerInterpolation, FollowsEquations) {
  const analysis::Solids solids = block(Element::hex20_reduced);
  const auto nodes = solids.nodes(0);
  // Corner 0 moves with the node amid the edge 2-3, which so becomes one to keep; the node amid 1-2 moves
  // with corner 6.
  ConstraintBuilder b = builder(solids.user_dofs);
  for (std::int32_t i = 0; i < 3; ++i) {
    b.add_equation(std::vector<Term>{{3 * nodes[0] + i, 1}, {3 * nodes[10] + i, -2}}, 0, {});
    b.add_equation(std::vector<Term>{{3 * nodes[9] + i, 1}, {3 * nodes[6] + i, -1}}, 0, {});
  }
  const Constraints constraints = b.build();
  const Space space(solids.region(), 3, constraints);
  const solve::Interpolation p = corner_interpolation(space, cpu());
  EXPECT_EQ(p.kept.size(), 36U);
  std::vector<double> motion = linear_field(solids);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto dof = [&](std::size_t node) { return 3 * static_cast<std::size_t>(nodes[node]) + i; };
    motion[dof(0)] = 2 * motion[dof(10)];
    motion[dof(9)] = motion[dof(6)];
  }
  std::vector<double> q;
  for (const std::int32_t d : constraints.unknown_dofs()) q.push_back(motion[static_cast<std::size_t>(d)]);
  const std::vector<double> fine = prolong(p, at_kept(p, space.spread(q)));
  const std::vector<double> u = constraints.expand(space.collect(fine));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto dof = [&](std::size_t node) { return 3 * static_cast<std::size_t>(nodes[node]) + i; };
    EXPECT_NEAR(u[dof(8)], (motion[dof(0)] + motion[dof(1)]) / 2, 1e-13);
    EXPECT_NEAR(u[dof(9)], motion[dof(6)], 1e-13);
    EXPECT_NEAR(u[dof(10)], motion[dof(10)], 1e-13);
    EXPECT_NEAR(u[dof(12)], (motion[dof(4)] + motion[dof(5)]) / 2, 1e-13);
  }
}

TEST(CornerInterpolation, ANodeAmidAnEdgeThatIsACornerElsewhereIsKept) {
  analysis::Solids solids = block(Element::hex20_reduced);
  const auto hexahedron = solids.nodes(0);
  const std::vector<std::int32_t> tetrahedron{hexahedron[0], hexahedron[8], hexahedron[11], hexahedron[16]};
  add_element(solids, Element::tet4, tetrahedron);
  const Constraints constraints = Constraints::none(solids.user_dofs);
  const solve::Interpolation p = corner_interpolation(Space(solids.region(), 3, constraints), cpu());
  EXPECT_EQ(p.kept.size(), 39U);
  for (const std::int32_t node : tetrahedron)
    EXPECT_TRUE(std::binary_search(p.kept.begin(), p.kept.end(), node)) << node;
  const std::vector<double> field = linear_field(solids);
  expect_near(prolong(p, at_kept(p, field)), field);
}

TEST(CornerInterpolation, TurnsBetweenTheAxesOfNodes) {
  // Node 9 of the first element is given in axes turned by a quarter about z, corner 1 about x.
  analysis::Solids solids = block(Element::hex20_reduced);
  const std::int32_t amid = solids.nodes(0)[9];
  const std::int32_t corner = solids.nodes(0)[1];
  solids.rows.resize(static_cast<std::size_t>(solids.user_dofs));
  for (std::int32_t d = 0; d < solids.user_dofs; ++d) solids.rows[static_cast<std::size_t>(d)] = {{d, 1.0}};
  const auto row = [&](std::int32_t dof) -> std::vector<Term>& {
    return solids.rows[static_cast<std::size_t>(dof)];
  };
  row(3 * amid) = {{3 * amid + 1, -1.0}};
  row(3 * amid + 1) = {{3 * amid, 1.0}};
  row(3 * corner + 1) = {{3 * corner + 2, -1.0}};
  row(3 * corner + 2) = {{3 * corner + 1, 1.0}};
  const Constraints constraints = Constraints::none(solids.user_dofs).compose(solids.rows);
  const Space space(solids.region(), 3, constraints);
  const solve::Interpolation p = corner_interpolation(space, cpu());
  std::vector<double> q = linear_field(solids);  // and the same motion in turned axes
  const auto turn = [&](std::int32_t node, std::size_t i, std::size_t k) {
    auto& first = q[3 * static_cast<std::size_t>(node) + i];
    auto& second = q[3 * static_cast<std::size_t>(node) + k];
    first = std::exchange(second, -first);
  };
  turn(amid, 0, 1);
  turn(corner, 1, 2);
  expect_near(constraints.expand(q), linear_field(solids));
  expect_near(prolong(p, at_kept(p, q)), q);
}

/// A block of tetrahedra with curved edges: all nodes amid edges lie off the chord.
analysis::Solids curved_tetrahedra() {
  analysis::Solids solids = block(Element::tet10);
  std::vector<bool> corner(static_cast<std::size_t>(solids.node_count()), false);
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    for (const std::int32_t node : solids.nodes(e).first(4)) corner[static_cast<std::size_t>(node)] = true;
  }
  for (std::size_t n = 0; n < corner.size(); ++n) {
    if (!corner[n]) solids.coordinates[3 * n + n % 3] += 0.03 + 0.01 * static_cast<double>(n % 5);
  }
  return solids;
}

TEST(CornerInterpolation, CornersOfTetrahedraTurnAndRigidMotionsStayWhatTheyAre) {
  const analysis::Solids solids = curved_tetrahedra();
  const Constraints constraints = Constraints::none(solids.user_dofs);
  const Space space(solids.region(), 3, constraints);
  const solve::Interpolation p = corner_interpolation(space, cpu());
  ASSERT_EQ(p.width(3), 6);
  const std::vector<double> rigid = space.near_nullspace(cpu()).values.to_vector();
  for (std::size_t m = 0; m < 6; ++m) {
    std::vector<double> mode;
    for (std::size_t d = 0; d < rigid.size() / 6; ++d) mode.push_back(rigid[6 * d + m]);
    std::array<double, 3> turn{};
    if (m >= 3) turn[m - 3] = 1;
    const std::vector<double> coarse = at_kept(p, mode, turn);
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      if (i % 6 < 3) continue;
      EXPECT_EQ(coarse[i], p.more_modes[18 * (i / 6) + 6 * (i % 6 - 3) + m]) << m;
    }
    expect_near(prolong(p, coarse), mode);
    expect_near(apply(p, p.gap, coarse), std::vector<double>(mode.size(), 0.0));
  }
}

TEST(CornerInterpolation, EdgesAcrossABendingBarFollowIt) {
  // Bent to the radius 1: u = (-x z, 0, x^2 / 2), which turns by -x about y. Edges along an axis follow it
  // exactly; a straight edge would leave them an eighth of the square of their length off.
  const analysis::Solids solids = block(Element::tet10);
  const Constraints constraints = Constraints::none(solids.user_dofs);
  const solve::Interpolation p = corner_interpolation(Space(solids.region(), 3, constraints), cpu());
  const double size = Space(solids.region(), 3, Constraints::none(solids.user_dofs)).length();
  std::vector<double> bent;
  for (std::size_t n = 0; n < solids.coordinates.size() / 3; ++n) {
    const double* const x = &solids.coordinates[3 * n];
    bent.insert(bent.end(), {-x[0] * x[2], 0.0, x[0] * x[0] / 2});
  }
  std::vector<double> coarse = at_kept(p, bent);
  for (std::size_t c = 0; c < p.kept.size(); ++c)
    coarse[6 * c + 4] = -size * solids.coordinates[3 * static_cast<std::size_t>(p.kept[c])];
  const std::vector<double> found = prolong(p, coarse);
  int along = 0;
  for (std::size_t n = 0; n < bent.size() / 3; ++n) {
    const auto first = static_cast<std::size_t>(p.offset[n]);
    if (p.offset[n + 1] - p.offset[n] != 2) continue;
    const auto end = [&](std::size_t k) {
      return &solids.coordinates[3 * static_cast<std::size_t>(
                                         p.kept[static_cast<std::size_t>(p.column[first + k])])];
    };
    if (end(0)[1] != end(1)[1] || end(0)[2] != end(1)[2]) continue;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[3 * n + i], bent[3 * n + i], 1e-13) << n;
    ++along;
  }
  EXPECT_EQ(along, 27);
}

TEST(CornerInterpolation, AHingeLetsTetrahedraTurnAndAClampDoesNot) {
  const analysis::Solids solids = block(Element::tet10);
  const auto held_where = [&](const auto& held) {
    ConstraintBuilder b = builder(solids.user_dofs);
    for (std::int32_t n = 0; n < solids.node_count(); ++n) {
      if (!held(&solids.coordinates[3 * static_cast<std::size_t>(n)])) continue;
      for (std::int32_t i = 0; i < 3; ++i) b.prescribe(3 * n + i, 0, {});
    }
    return b.build();
  };
  // Turned about the edge x = z = 0 of the unsheared block, along y: nothing that is held moves.
  const Constraints hinge =
      held_where([](const double* x) { return x[2] == 0 && std::abs(x[0] - 0.15 * x[1]) < 1e-12; });
  const Space space(solids.region(), 3, hinge);
  const solve::Interpolation p = corner_interpolation(space, cpu());
  const double size = Space(solids.region(), 3, Constraints::none(solids.user_dofs)).length();
  std::vector<double> q;
  const std::array<double, 3> about{0.15 / size, 1 / size, 0};  // the direction of that edge
  for (const std::int32_t d : hinge.unknown_dofs()) {
    const double* const x = &solids.coordinates[static_cast<std::size_t>(d) / 3 * 3];
    const std::array<double, 3> u{about[1] * x[2], -about[0] * x[2], about[0] * x[1] - about[1] * x[0]};
    q.push_back(u[static_cast<std::size_t>(d) % 3]);
  }
  const std::vector<double> turned = space.spread(q);
  const std::vector<double> coarse = at_kept(p, turned, {about[0] * size, about[1] * size, 0});
  expect_near(prolong(p, coarse), turned);
  expect_near(apply(p, p.gap, coarse), std::vector<double>(turned.size(), 0.0));

  const Constraints clamp = held_where([](const double* x) { return x[2] == 0; });
  const solve::Interpolation clamped = corner_interpolation(Space(solids.region(), 3, clamp), cpu());
  const auto single = [](const solve::Interpolation& of) {  // gaps towards an end that is held
    int count = 0;
    for (std::size_t b = 0; b + 1 < of.offset.size(); ++b) {
      const bool one = of.offset[b + 1] - of.offset[b] == 1;
      const auto first = of.gap.begin() + std::ptrdiff_t{18} * of.offset[b];
      if (one && std::any_of(first, first + 18, [](double g) { return g != 0; })) ++count;
    }
    return count;
  };
  EXPECT_EQ(single(p), 0);
  EXPECT_GT(single(clamped), 12);
}

}  // namespace
}  // namespace setka::fem
