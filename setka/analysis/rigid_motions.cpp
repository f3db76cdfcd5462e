// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/rigid_motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "setka/analysis/detail/motion_words.hpp"
#include "setka/base/dense.hpp"
#include "setka/mesh/disjoint_sets.hpp"

namespace setka::analysis {
namespace {

using Row6 = std::array<double, 6>;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// sum += factor row
void add(Row6& sum, double factor, const Row6& row) {
  for (std::size_t k = 0; k < 6; ++k) sum[k] += factor * row[k];
}

/// The sum of six rows of the columns, from the first on, with these factors: [columns]
std::vector<double> combined(const Row6& factors, const Dense& columns, std::int64_t first) {
  std::vector<double> sums;
  for (std::int64_t j = 0; j < columns.columns(); ++j) {
    sums.push_back(
        std::inner_product(factors.begin(), factors.end(), columns.column(j).begin() + first, 0.0));
  }
  return sums;
}

std::vector<double> row_of(const Dense& columns, std::int64_t row) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < columns.columns(); ++j) values.push_back(columns(row, j));
  return values;
}

/// An orthonormal basis of the null space of what is held.
Dense null_space(const Dense& matrix) {
  const Eigenpairs pairs = eigenpairs(matrix);
  const double scale = std::max(1.0, pairs.value.back());
  const auto free = std::ranges::count_if(pairs.value, [&](double v) { return v < 1e-12 * scale; });
  return Dense(pairs.vector.column_range(0, free));
}

/// Turned so that the first columns move the first rows, and the last ones do not.
Dense by_motion(const Dense& null, std::int64_t rows, std::int64_t& moving) {
  moving = 0;
  if (null.columns() == 0) return null;
  const ConstDenseView moved = null.view().block(0, 0, rows, null.columns());
  const Eigenpairs pairs = eigenpairs(product(moved.transposed(), moved));
  moving = std::ranges::count_if(pairs.value, [](double square) { return square > 1e-12; });
  Dense turned = product(null, pairs.vector);
  for (std::int64_t j = 0; 2 * j < turned.columns(); ++j)
    std::ranges::swap_ranges(turned.column(j), turned.column(turned.columns() - 1 - j));
  return turned;
}

/// One body: the motions of its parts about a common centre, six each, then the unknowns of nodes that no
/// element has, which take part through equations.
struct Body {
  std::vector<std::int32_t> parts;
  std::int32_t columns = 0;
  std::array<double, 3> least{1e300, 1e300, 1e300};
  std::array<double, 3> most{-1e300, -1e300, -1e300};
  Dense held;  // sum over constraints of the square of what they ask of the columns

  bool small_enough() const { return columns <= most_motions; }
};

/// A linear form of a body's columns.
struct Form {
  std::vector<std::int32_t> columns;
  std::vector<double> values;

  void clear() {
    columns.clear();
    values.clear();
  }
};

/// Collects what constraints ask of the motions of each body.
class Motions {
 public:
  Motions(const mesh::Parts& parts, const Solids& solids, const fem::Constraints& of_users,
          std::span<const std::vector<fem::Term>> springs)
      : parts_(parts),
        solids_(solids),
        of_users_(of_users),
        mesh_dofs_(static_cast<std::int32_t>(3 * parts.of_node.size())) {
    find_sources();
    join_parts();
    measure_bodies();
    hold_what_moves_nothing();
    for (std::int32_t d = 0; d < mesh_dofs_; ++d) add_user_row(d);
    // The ends of trusses turn with their bars, the nodes of shells and beams by themselves; layers do not
    // turn out of their plane.
    std::vector<std::int8_t> turns(at(solids.node_count()), 0);
    for (const std::int32_t node : solids.turning_copies) turns[at(node)] = 1;
    for (std::int32_t d = mesh_dofs_; d < 3 * solids.node_count(); ++d) {
      if (turns[at(d / 3)] == 0) add_layer_row(d);
    }
    for (const std::vector<fem::Term>& spring : springs) add_spring(spring);
    if (!solids_.expanded.empty()) add_section_rows();
  }

  const std::vector<Body>& bodies() const { return bodies_; }

  /// The motions of one body that the columns say, as vectors of the unknowns.
  std::vector<solve::SparseVector> vectors(const Body& body, const Dense& columns) const {
    std::vector<solve::SparseVector> found(static_cast<std::size_t>(columns.columns()));
    const Dense copies = of_copies(body, columns);
    for (std::int32_t q = 0; q < of_users_.unknown_count(); ++q) {
      const std::int32_t dof = of_users_.unknown_dofs()[at(q)];
      std::vector<double> values;
      if (dof >= mesh_dofs_) {
        values = row_of(copies, dof - mesh_dofs_);
      } else if (source_[at(q)] >= 0) {
        const std::int32_t part = part_of_dof(source_[at(q)]);
        if (&bodies_[at(body_of_[at(part)])] != &body) continue;
        values = combined(user_movement(body, source_[at(q)]), columns, column_of_[at(part)]);
      } else {
        const std::size_t own = at(parts_.count() + q);
        if (body_of_[own] < 0 || &bodies_[at(body_of_[own])] != &body) continue;
        values = row_of(columns, column_of_[own]);
      }
      for (std::size_t j = 0; j < values.size(); ++j) {
        if (std::abs(values[j]) < 1e-14) continue;  // rounding: motions are of size one
        found[j].row.push_back(q);
        found[j].value.push_back(values[j]);
      }
    }
    return found;
  }

 private:
  std::int32_t part_of_dof(std::int32_t user_dof) const {
    return user_dof < mesh_dofs_ ? parts_.of_node[at(user_dof / 3)] : -1;
  }

  /// An unknown moves as the first degree of freedom of an element that is just it.
  void find_sources() {
    source_.assign(at(of_users_.unknown_count()), -1);
    for (std::int32_t d = 0; d < mesh_dofs_; ++d) {
      const auto row = of_users_.row(d);
      if (part_of_dof(d) >= 0 && row.size() == 1 && row[0].coefficient == 1 &&
          source_[at(row[0].index)] < 0) {
        source_[at(row[0].index)] = d;
      }
    }
  }

  /// Parts, and after them the unknowns without element, are one body where an equation has both.
  void join_parts() {
    const std::int32_t count = parts_.count();
    const std::size_t all = at(count) + source_.size();
    mesh::DisjointSets together(static_cast<std::int32_t>(all));
    const auto owner = [&](std::int32_t unknown) {
      const std::int32_t dof = source_[at(unknown)];
      return dof >= 0 ? part_of_dof(dof) : count + unknown;
    };
    for (std::int32_t d = 0; d < mesh_dofs_; ++d) {
      if (part_of_dof(d) < 0) continue;
      for (const fem::Term& term : of_users_.row(d)) {
        const std::int32_t other = owner(term.index);
        if (other != part_of_dof(d)) together.join(other, part_of_dof(d));
      }
    }
    std::vector<std::int32_t> body_of_leader(all, -1);
    body_of_.assign(all, -1);
    column_of_.assign(all, -1);
    for (std::int32_t p = 0; p < count; ++p) {
      std::int32_t& body = body_of_leader[at(together.leader(p))];
      if (body < 0) {
        body = static_cast<std::int32_t>(bodies_.size());
        bodies_.emplace_back();
      }
      body_of_[at(p)] = body;
      column_of_[at(p)] = bodies_[at(body)].columns;
      bodies_[at(body)].columns += 6;
      bodies_[at(body)].parts.push_back(p);
    }
    for (std::int32_t q = 0; q < of_users_.unknown_count(); ++q) {
      const std::int32_t body = source_[at(q)] < 0 ? body_of_leader[at(together.leader(count + q))] : -1;
      if (body < 0) continue;
      body_of_[at(count + q)] = body;
      column_of_[at(count + q)] = bodies_[at(body)].columns++;
    }
  }

  void measure_bodies() {
    for (std::size_t n = 0; n < parts_.of_node.size(); ++n) {
      if (parts_.of_node[n] < 0) continue;
      Body& body = bodies_[at(body_of_[at(parts_.of_node[n])])];
      for (std::size_t k = 0; k < 3; ++k) {
        body.least[k] = std::min(body.least[k], solids_.coordinates[3 * n + k]);
        body.most[k] = std::max(body.most[k], solids_.coordinates[3 * n + k]);
      }
    }
    for (Body& body : bodies_) {
      if (body.small_enough()) body.held = Dense(body.columns, body.columns);
    }
  }

  static double size_of(const Body& body) {
    double diagonal = 0;
    for (std::size_t k = 0; k < 3; ++k) diagonal += std::pow(body.most[k] - body.least[k], 2);
    return diagonal > 0 ? std::sqrt(diagonal) : 1;
  }

  /// Movement of a degree of freedom of a solid's node under three translations and three rotations about the
  /// centre of its body, scaled to one size.
  Row6 movement(const Body& body, std::int32_t dof) const {
    const double* const place = solids_.coordinates.data() + 3 * at(dof / 3);
    return movement_at(body, {place[0], place[1], place[2]}, dof % 3);
  }

  static Row6 movement_at(const Body& body, std::array<double, 3> x, std::int32_t direction) {
    const double size = size_of(body);
    for (std::size_t k = 0; k < 3; ++k) x[k] = (x[k] - (body.least[k] + body.most[k]) / 2) / size;
    const std::array<Row6, 3> all{
        {{1, 0, 0, 0, x[2], -x[1]}, {0, 1, 0, -x[2], 0, x[0]}, {0, 0, 1, x[1], -x[0], 0}}};
    return all[at(direction)];
  }

  /// Where the displacement is that the user moves at a node: amid the section of a shell or a beam, whose
  /// offset may keep it from the node.
  std::array<double, 3> place_of_user(std::int32_t node) const {
    const ExpandedNode* const expanded = solids_.expanded_node(node);
    if (expanded == nullptr || expanded->knot >= 0) {
      const double* const place = solids_.coordinates.data() + 3 * at(node);
      return {place[0], place[1], place[2]};
    }
    std::array<double, 3> mean{};
    for (const std::int32_t copy : expanded->turning) {
      for (std::size_t k = 0; k < 3; ++k)
        mean[k] += solids_.coordinates[3 * at(copy) + k] / static_cast<double>(expanded->turning.size());
    }
    return mean;
  }

  using Moments = std::array<Row6, 6>;

  /// [parts] sums over every stride-th node of the squares of its movements; parts that are known to notice
  /// every motion are left out.
  std::vector<Moments> moments(std::int32_t stride, const std::vector<std::int8_t>& known) const {
    std::vector<Moments> sums(at(parts_.count()));
    for (std::int32_t node = 0; node < mesh_dofs_ / 3; node += stride) {
      const std::int32_t part = parts_.of_node[at(node)];
      if (part < 0 || known[at(part)] != 0) continue;
      for (std::int32_t d = 3 * node; d < 3 * node + 3; ++d) {
        const Row6 row = movement(bodies_[at(body_of_[at(part)])], d);
        for (std::size_t k = 0; k < 6; ++k) add(sums[at(part)][k], row[k], row);
      }
    }
    return sums;
  }

  /// Nodes in one line do not notice a rotation about it, and a single node notices none: no motions that
  /// anything would have to hold.
  void hold_what_moves_nothing() {
    // Some nodes show of most parts that they notice every motion; all nodes are asked for the others.
    constexpr std::int32_t sample = 4096;
    std::vector<std::int8_t> notices(at(parts_.count()), 0);
    const std::int32_t stride = mesh_dofs_ / 3 / sample + 1;
    if (stride > 1) {
      const std::vector<Moments> some = moments(stride, notices);
      for (std::size_t p = 0; p < some.size(); ++p) {
        const Eigenpairs pairs = eigenpairs({some[p][0].data(), 6, 6, 6, 1});
        notices[p] = pairs.value[0] > 1e-9 * pairs.value[5] ? 1 : 0;
      }
    }
    if (std::ranges::find(notices, 0) == notices.end()) return;
    std::vector<Moments> moved = moments(1, notices);
    for (std::int32_t p = 0; p < parts_.count(); ++p) {
      Body& body = bodies_[at(body_of_[at(p)])];
      if (notices[at(p)] != 0 || !body.small_enough()) continue;
      const Eigenpairs pairs = eigenpairs({moved[at(p)][0].data(), 6, 6, 6, 1});
      for (std::size_t i = 0; i < 6 && pairs.value[i] < 1e-12 * pairs.value[5]; ++i) {
        const ConstDenseView motion = pairs.vector.column_range(static_cast<std::int64_t>(i), 1);
        multiply(1, motion, motion.transposed(), 1,
                 body.held.view().block(column_of_[at(p)], column_of_[at(p)], 6, 6));
      }
    }
  }

  /// Movement of what the user moves: a node's directions may be its own.
  Row6 user_movement(const Body& body, std::int32_t user_dof) const {
    if (user_dof >= mesh_dofs_) return {};  // a rigid body does not change its thickness
    if (solids_.rows.empty()) return movement(body, user_dof);
    Row6 sum{};
    const std::int32_t first = user_dof - user_dof % 3;
    const std::array<double, 3> place = place_of_user(user_dof / 3);
    for (std::int32_t d = first; d < first + 3; ++d) {
      for (const fem::Term& term : solids_.rows[at(d)]) {
        if (term.index == user_dof) add(sum, term.coefficient, movement_at(body, place, d - first));
      }
    }
    return sum;
  }

  void add_to_form(std::int32_t part, const Row6& row, double factor) {
    for (std::int32_t k = 0; k < 6; ++k) {
      form_.columns.push_back(column_of_[at(part)] + k);
      form_.values.push_back(factor * row[at(k)]);
    }
  }

  void hold(Body& body) {
    for (std::size_t i = 0; i < form_.columns.size(); ++i) {
      for (std::size_t j = 0; j < form_.columns.size(); ++j)
        body.held(form_.columns[i], form_.columns[j]) += form_.values[i] * form_.values[j];
    }
  }

  /// What deforms layers, the ends of trusses and the sections of shells and beams as they follow the motion,
  /// each by itself: [v beyond the nodes', columns].
  Dense of_copies(const Body& body, const Dense& columns) const {
    Dense sum(solids_.user_dofs - mesh_dofs_, columns.columns());
    std::vector<double> weight(static_cast<std::size_t>(sum.rows()));
    for (std::int32_t d = mesh_dofs_; d < 3 * solids_.node_count() && sum.rows() > 0; ++d) {
      const std::int32_t part = parts_.of_node[at(solids_.origin[at((d - mesh_dofs_) / 3)])];
      if (&bodies_[at(body_of_[at(part)])] != &body) continue;
      Row6 left = movement(body, d);
      for (const fem::Term& term : solids_.rows[at(d)]) {
        if (term.index < mesh_dofs_) add(left, -term.coefficient, user_movement(body, term.index));
      }
      const std::vector<double> motion = combined(left, columns, column_of_[at(part)]);
      for (const fem::Term& term : solids_.rows[at(d)]) {
        if (term.index < mesh_dofs_) continue;
        for (std::size_t j = 0; j < motion.size(); ++j)
          sum(term.index - mesh_dofs_, static_cast<std::int64_t>(j)) += term.coefficient * motion[j];
        weight[at(term.index - mesh_dofs_)] += term.coefficient * term.coefficient;
      }
    }
    for (std::int64_t j = 0; j < sum.columns(); ++j) {
      for (std::size_t i = 0; i < weight.size(); ++i) {
        if (weight[i] > 0) sum.column(j)[i] /= weight[i];
      }
    }
    turn_knots(body, columns, sum);
    return sum;
  }

  /// Rotations of knots are those of the body, and knots do not widen.
  void turn_knots(const Body& body, const Dense& columns, Dense& of_copies) const {
    for (const ExpandedNode& expanded : solids_.expanded) {
      if (expanded.knot < 0) continue;
      const std::int32_t part = parts_.of_node[at(expanded.node)];
      if (&bodies_[at(body_of_[at(part)])] != &body) continue;
      for (std::int32_t k = 0; k < 3 + expanded.knot_widths; ++k) {
        Row6 turn{};
        const std::array<double, 3> axis =
            k < 3 ? solids_.axis_of(expanded.node, k) : std::array<double, 3>{};
        for (std::size_t i = 0; i < 3; ++i) turn[3 + i] = axis[i] / size_of(body);
        const std::vector<double> motion = combined(turn, columns, column_of_[at(part)]);
        for (std::size_t j = 0; j < motion.size(); ++j)
          of_copies(expanded.knot + k - mesh_dofs_, static_cast<std::int64_t>(j)) = motion[j];
      }
    }
  }

  /// A spring holds what would stretch it.
  void add_spring(const std::vector<fem::Term>& spring) {
    const std::int32_t part = parts_.of_node[at(spring.front().index / 3)];
    Body& body = bodies_[at(body_of_[at(part)])];  // of all its nodes: it is one of the elements
    if (!body.small_enough()) return;
    form_.clear();
    for (const fem::Term& term : spring) add_to_form(part, movement(body, term.index), term.coefficient);
    hold(body);
  }

  /// A direction of a node moves as the unknowns that it is made of.
  void add_user_row(std::int32_t dof) {
    const std::int32_t part = part_of_dof(dof);
    if (part < 0) return;
    Body& body = bodies_[at(body_of_[at(part)])];
    const auto row = of_users_.row(dof);
    if (!body.small_enough() || (row.size() == 1 && source_[at(row[0].index)] == dof)) return;
    form_.clear();
    add_to_form(part, user_movement(body, dof), 1);
    for (const fem::Term& term : row) {
      const std::int32_t source = source_[at(term.index)];
      if (source >= 0) {
        add_to_form(part_of_dof(source), user_movement(body, source), -term.coefficient);
      } else {
        form_.columns.push_back(column_of_[at(parts_.count() + term.index)]);
        form_.values.push_back(-term.coefficient);
      }
    }
    hold(body);
  }

  const Body& body_of_node(std::int32_t node) const {
    return bodies_[at(body_of_[at(parts_.of_node[at(node)])])];
  }

  /// What a motion of the body makes of the v of sections: [v beyond the nodes'], and the nodes they are of.
  std::vector<Row6> section_movements(std::vector<std::int32_t>& node_of) const {
    const auto count = at(solids_.user_dofs - mesh_dofs_);
    std::vector<Row6> moved(count);
    std::vector<double> weight(count);
    node_of.assign(count, -1);
    for (std::int32_t d = mesh_dofs_; d < 3 * solids_.node_count(); ++d) {
      const std::int32_t node = solids_.origin[at((d - mesh_dofs_) / 3)];
      if (solids_.expanded_node(node) == nullptr) continue;
      const Body& body = body_of_node(node);
      Row6 left = movement(body, d);
      for (const fem::Term& term : solids_.rows[at(d)]) {
        if (term.index < mesh_dofs_) add(left, -term.coefficient, user_movement(body, term.index));
      }
      for (const fem::Term& term : solids_.rows[at(d)]) {
        if (term.index < mesh_dofs_) continue;
        const auto v = at(term.index - mesh_dofs_);
        add(moved[v], term.coefficient, left);
        weight[v] += term.coefficient * term.coefficient;
        node_of[v] = node;
      }
    }
    for (std::size_t v = 0; v < count; ++v) {
      for (double& value : moved[v]) value /= weight[v] > 0 ? weight[v] : 1;
    }
    for (const ExpandedNode& expanded : solids_.expanded) {
      for (std::int32_t k = 0; expanded.knot >= 0 && k < 3 + expanded.knot_widths; ++k) {
        Row6& turn = moved[at(expanded.knot + k - mesh_dofs_)];
        turn = {};
        if (k >= 3) continue;
        const std::array<double, 3> axis = solids_.axis_of(expanded.node, k);
        for (std::size_t i = 0; i < 3; ++i) turn[3 + i] = axis[i] / size_of(body_of_node(expanded.node));
      }
    }
    return moved;
  }

  /// A section whose rotations are prescribed or tied holds the body.
  void add_section_rows() {
    std::vector<std::int32_t> node_of;
    const std::vector<Row6> moved = section_movements(node_of);
    std::vector<std::int8_t> idle(moved.size(), 0);
    for (const std::int32_t dof : solids_.idle_user_dofs) {
      if (dof >= mesh_dofs_) idle[at(dof - mesh_dofs_)] = 1;
    }
    for (std::int32_t d = mesh_dofs_; d < solids_.user_dofs; ++d) {
      const auto v = at(d - mesh_dofs_);
      const auto row = of_users_.row(d);
      if (node_of[v] < 0 || idle[v] != 0 ||
          (row.size() == 1 && of_users_.unknown_dofs()[at(row[0].index)] == d))
        continue;
      const std::int32_t part = parts_.of_node[at(node_of[v])];
      Body& body = bodies_[at(body_of_[at(part)])];
      if (!body.small_enough()) continue;
      form_.clear();
      add_to_form(part, moved[v], 1);
      for (const fem::Term& term : row) {
        const std::int32_t dof = of_users_.unknown_dofs()[at(term.index)];
        const std::int32_t source = source_[at(term.index)];
        if (dof >= mesh_dofs_ && node_of[at(dof - mesh_dofs_)] >= 0) {
          const std::int32_t own = node_of[at(dof - mesh_dofs_)];
          add_to_form(parts_.of_node[at(own)], moved[at(dof - mesh_dofs_)], -term.coefficient);
        } else if (source >= 0) {
          add_to_form(part_of_dof(source), user_movement(body, source), -term.coefficient);
        } else if (column_of_[at(parts_.count() + term.index)] >= 0) {
          form_.columns.push_back(column_of_[at(parts_.count() + term.index)]);
          form_.values.push_back(-term.coefficient);
        }
      }
      hold(body);
    }
  }

  /// A node of a layer moves as the node that it was made from.
  void add_layer_row(std::int32_t dof) {
    const std::int32_t node = solids_.origin[at((dof - mesh_dofs_) / 3)];
    const std::int32_t part = parts_.of_node[at(node)];
    Body& body = bodies_[at(body_of_[at(part)])];
    if (!body.small_enough()) return;
    Row6 difference = movement(body, dof);
    for (const fem::Term& term : solids_.rows[at(dof)])
      add(difference, -term.coefficient, user_movement(body, term.index));
    form_.clear();
    add_to_form(part, difference, 1);
    hold(body);
  }

  const mesh::Parts& parts_;
  const Solids& solids_;
  const fem::Constraints& of_users_;
  std::int32_t mesh_dofs_;
  std::vector<std::int32_t> source_;     // [unknowns] a user's degree of freedom, -1: of no element
  std::vector<std::int32_t> body_of_;    // [parts, then unknowns]
  std::vector<std::int32_t> column_of_;  // likewise
  std::vector<Body> bodies_;
  Form form_;
};

/// The columns of a body whose parts all move alike.
Dense as_one(const Body& body) {
  const auto parts = static_cast<std::int64_t>(6 * body.parts.size());
  Dense together(body.columns, body.columns - parts + 6);
  for (std::int64_t i = 0; i < body.columns; ++i) together(i, i < parts ? i % 6 : i - parts + 6) = 1;
  return together;
}

}  // namespace

std::vector<FreeBody> free_bodies(const mesh::Parts& parts, const Solids& solids,
                                  const fem::Constraints& of_users,
                                  std::span<const std::vector<fem::Term>> springs) {
  std::vector<FreeBody> free;
  const Motions motions(parts, solids, of_users, springs);
  for (const Body& body : motions.bodies()) {
    FreeBody found;
    found.parts = body.parts;
    found.checked = body.small_enough();
    if (found.checked) {
      const Dense together = as_one(body);
      std::int64_t whole = 0;
      const Dense of_whole =
          by_motion(null_space(product(together.transposed(), product(body.held, together))), 6, whole);
      found.motions = detail::in_words(Dense(of_whole.view().block(0, 0, 6, whole)));
      std::int64_t all = whole;
      Dense of_parts = of_whole;
      if (body.parts.size() > 1) {
        const auto rows = static_cast<std::int64_t>(6 * body.parts.size());
        of_parts = by_motion(null_space(body.held), rows, all);
        found.loose = static_cast<int>(all - whole);
      }
      if (all == 0) continue;
      found.vectors = motions.vectors(body, Dense(of_parts.column_range(0, all)));
    }
    free.push_back(std::move(found));
  }
  return free;
}

}  // namespace setka::analysis
