// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/section_rotations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "setka/analysis/mean_rotation.hpp"
#include "setka/analysis/small_vectors.hpp"
#include "setka/base/dense.hpp"

namespace setka::analysis {
namespace {

constexpr double along_normal = 0.999;  // cosine of the angle of an axis to a normal that it is on
constexpr double same_axis = 0.9999;

std::vector<double> places(const Solids& solids, const std::vector<std::int32_t>& nodes) {
  std::vector<double> x;
  for (const std::int32_t node : nodes) {
    const double* at = solids.coordinates.data() + 3 * static_cast<std::size_t>(node);
    x.insert(x.end(), at, at + 3);
  }
  return x;
}

/// The mean rotation of a section in terms of v; none where all of it lies on the axis.
std::vector<fem::Term> rotation_terms(const Solids& solids, const ExpandedNode& node, const Vector3& axis) {
  const std::vector<double> mean = mean_rotation(places(solids, node.turning), axis);
  std::vector<fem::Term> terms;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const std::size_t dof = 3 * static_cast<std::size_t>(node.turning[i / 3]) + i % 3;
    for (const fem::Term& term : solids.rows[dof]) terms.push_back({term.index, mean[i] * term.coefficient});
  }
  return terms;
}

/// What the rotations of one section have to be: solved for one v each, since conditions of a section share
/// their v.
class Conditions {
 public:
  void add(std::vector<fem::Term> terms, double value, model::Line line) {
    if (!terms.empty()) rows_.push_back({std::move(terms), value, line});
  }

  void add_to(fem::ConstraintBuilder& builder) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Row& own = rows_[i];
      tidy(own);
      if (own.terms.empty()) continue;
      const fem::Term lead = *std::ranges::max_element(
          own.terms, {}, [](const fem::Term& term) { return std::abs(term.coefficient); });
      for (std::size_t j = 0; j < rows_.size(); ++j) {
        if (j != i) subtract(rows_[j], own, lead);
      }
      own.lead = lead.index;
    }
    for (Row& row : rows_) {
      tidy(row);
      if (row.terms.empty()) continue;
      const auto first = std::ranges::find(row.terms, row.lead, &fem::Term::index);
      std::iter_swap(row.terms.begin(), first);
      builder.add_equation(row.terms, row.value, row.line);
    }
  }

 private:
  struct Row {
    std::vector<fem::Term> terms;
    double value;
    model::Line line;
    std::int32_t lead = -1;
  };

  /// Terms of one v together, without those that only rounding leaves.
  static void tidy(Row& row) {
    std::ranges::sort(row.terms, {}, &fem::Term::index);
    std::vector<fem::Term> sums;
    double largest = 0;
    for (const fem::Term& term : row.terms) {
      largest = std::max(largest, std::abs(term.coefficient));
      if (!sums.empty() && sums.back().index == term.index)
        sums.back().coefficient += term.coefficient;
      else
        sums.push_back(term);
    }
    constexpr double rounding = 1e-12;
    std::erase_if(sums,
                  [&](const fem::Term& term) { return std::abs(term.coefficient) <= rounding * largest; });
    row.terms = std::move(sums);
  }

  static void subtract(Row& from, const Row& own, const fem::Term& lead) {
    double coefficient = 0;
    for (const fem::Term& term : from.terms) coefficient += term.index == lead.index ? term.coefficient : 0;
    if (coefficient == 0) return;
    const double factor = coefficient / lead.coefficient;
    for (const fem::Term& term : own.terms) from.terms.push_back({term.index, -factor * term.coefficient});
    from.value -= factor * own.value;
  }

  std::vector<Row> rows_;
};

/// Rotations of a shell about axes in it: about the first that is prescribed, and across it.
void hold_shell(const Solids& solids, const ExpandedNode& node,
                const std::vector<PrescribedRotation>& rotations, Conditions& conditions) {
  std::optional<Vector3> first;
  Vector3 second{};
  double of_first = 0;
  double of_second = 0;
  bool both = false;
  model::Line line;
  for (const PrescribedRotation& rotation : rotations) {
    const Vector3 axis = solids.axis_of(node.node, rotation.axis);
    const double across = dot(axis, node.normal);
    if (std::abs(across) > along_normal) continue;
    const Vector3 in_shell = unit(plus(axis, -across, node.normal));
    const double value = rotation.value * std::sqrt(1 - across * across);
    if (!first) {
      first = in_shell;
      second = unit(cross(node.normal, in_shell));
      line = rotation.line;
    }
    const double along = dot(in_shell, *first);
    of_first += value * along;
    if (std::abs(along) > same_axis) continue;
    of_second += value * dot(in_shell, second);
    both = true;
  }
  if (!first) return;
  conditions.add(rotation_terms(solids, node, *first), of_first, line);
  if (both) conditions.add(rotation_terms(solids, node, second), of_second, line);
}

/// A side follows the corners at its ends.
void straighten_sides(const ExpandedNode& node, model::Line line, fem::ConstraintBuilder& builder) {
  static constexpr std::array<int, 4> sign{1, 1, -1, -1};  // of a, b, a, b in the mean of the two corners
  for (std::size_t side = 0; side < 4; ++side) {
    if (node.sides_v[side] < 0) continue;
    const std::int32_t lean = node.leaning_v + 3 * static_cast<std::int32_t>(side % 2);
    for (std::int32_t k = 0; k < 3; ++k) {
      const std::array<fem::Term, 2> terms{
          {{node.sides_v[side] + k, 1.0}, {lean + k, static_cast<double>(sign[side])}}};
      builder.add_equation(terms, 0, line);
    }
  }
}

}  // namespace

void prescribe_rotations(const Solids& solids, const ExpandedNode& node,
                         const std::vector<PrescribedRotation>& rotations, fem::ConstraintBuilder& builder) {
  if (rotations.empty()) return;
  if (node.knot >= 0) {
    for (const PrescribedRotation& rotation : rotations)
      builder.prescribe(node.knot + rotation.axis, rotation.value, rotation.line);
    return;
  }
  Conditions conditions;
  if (node.leaning_v < 0) {
    hold_shell(solids, node, rotations, conditions);
    conditions.add_to(builder);
    return;
  }
  for (const PrescribedRotation& rotation : rotations)
    conditions.add(rotation_terms(solids, node, solids.axis_of(node.node, rotation.axis)), rotation.value,
                   rotation.line);
  conditions.add_to(builder);
  straighten_sides(node, rotations.front().line, builder);
}

bool add_moment(const Solids& solids, const ExpandedNode& node, const Vector3& axis, double moment,
                std::vector<double>& forces) {
  const std::vector<double> x = places(solids, node.turning);
  if (node.knot < 0) {
    const std::vector<double> mean = mean_rotation(x, axis);
    for (std::size_t i = 0; i < mean.size(); ++i)
      forces[3 * static_cast<std::size_t>(node.turning[i / 3]) + i % 3] += moment * mean[i];
    return !mean.empty();
  }
  // Forces w x r about the centre, as of a body that begins to turn: they neither push nor widen it.
  const std::size_t count = node.turning.size();
  Vector3 center{};
  for (std::size_t i = 0; i < x.size(); ++i) center[i % 3] += x[i] / static_cast<double>(count);
  const auto arm = [&](std::size_t i) {
    return Vector3{x[3 * i] - center[0], x[3 * i + 1] - center[1], x[3 * i + 2] - center[2]};
  };
  Dense inertia(3, 3);
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 r = arm(i);
    for (std::int64_t k = 0; k < 3; ++k) {
      inertia(k, k) += dot(r, r);
      for (std::int64_t l = 0; l < 3; ++l)
        inertia(k, l) -= r[static_cast<std::size_t>(k)] * r[static_cast<std::size_t>(l)];
    }
  }
  const Eigenpairs principal = eigenpairs(inertia);
  constexpr double none = 1e-10;
  Vector3 turn{};
  for (std::int64_t j = 0; j < 3; ++j) {
    const auto column = principal.vector.column(j);
    const Vector3 about{column[0], column[1], column[2]};
    const double stiff = principal.value[static_cast<std::size_t>(j)];
    if (stiff > none * principal.value[2]) turn = plus(turn, moment * dot(about, axis) / stiff, about);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 f = cross(turn, arm(i));
    for (std::size_t k = 0; k < 3; ++k) forces[3 * static_cast<std::size_t>(node.turning[i]) + k] += f[k];
  }
  return length(turn) > 0;
}

void add_middle_force(const ExpandedNode& node, const Vector3& axis, double force,
                      std::vector<double>& forces) {
  const auto act_on = [&](std::int32_t copy, double share) {
    for (std::size_t k = 0; k < 3; ++k)
      forces[3 * static_cast<std::size_t>(copy) + k] += share * force * axis[k];
  };
  if (!node.hinged_middles.empty()) {
    act_on(node.turning[0], 0.5);
    act_on(node.turning[1], 0.5);
    act_on(node.node, -1);
    return;
  }
  if (node.middle_v < 0) return;
  // On v + m at the middle and against v + 2/3 m at the node: 4/3 on m.
  act_on(node.middle, 4);
  act_on(node.node, -4);
}

}  // namespace setka::analysis
