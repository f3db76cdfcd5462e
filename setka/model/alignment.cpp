// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/alignment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/base/small_vectors.hpp"

namespace setka::model {
namespace {

Vector3 minus(const Vector3& a, const Vector3& b) {
  return plus(a, -1, b);
}

Vector3 scaled(double factor, const Vector3& a) {
  return plus({}, factor, a);
}

/// Against the coordinates that places are differences of: below it they are rounding.
constexpr double rounding = 1e-10;

/// factors . u of a node, in an equation
struct Share {
  std::int32_t node;
  Vector3 factors;
};

class Maker {
 public:
  Maker(EquationMaker& equations, const mesh::Mesh& mesh, const AlignedNodes& aligned)
      : equations_(equations), mesh_(mesh), nodes_(aligned.nodes), line_(aligned.line) {
    for (const std::int32_t node : nodes_) {
      for (const double x : place(node)) size_ = std::max(size_, std::abs(x));
    }
  }

  AlignmentReport plane() {
    // f = (p - a) . n / |n|, n = (b - a) x (c - a), and what it changes by while the nodes move
    const Vector3 to_b = minus(place(nodes_[1]), place(nodes_[0]));
    const Vector3 to_c = minus(place(nodes_[2]), place(nodes_[0]));
    const Vector3 n = cross(to_b, to_c);
    const double area = length(n);
    if (!(area > rounding * size_ * std::max(length(to_b), length(to_c)))) return undefined();
    for (std::size_t i = 3; i < nodes_.size() && !report_.conflict; ++i) {
      const Vector3 to_p = minus(place(nodes_[i]), place(nodes_[0]));
      const Vector3 by_p = scaled(1 / area, n);
      const Vector3 by_b = scaled(1 / area, cross(to_c, to_p));
      const Vector3 by_c = scaled(1 / area, cross(to_p, to_b));
      const Vector3 by_a = scaled(-1, plus(plus(by_p, 1, by_b), 1, by_c));
      const double off = off_by(dot(to_p, by_p));
      note(nodes_[i], std::abs(off));
      add({{nodes_[i], by_p}, {nodes_[0], by_a}, {nodes_[1], by_b}, {nodes_[2], by_c}}, -off);
    }
    return report_;
  }

  AlignmentReport line() {
    // f = e . (p - a - s (b - a)), e across the line, p's foot at s of it; where p is off the line, the foot
    // wanders along a line that turns, which is of second order
    const Vector3 along = minus(place(nodes_[1]), place(nodes_[0]));
    if (!(length(along) > rounding * size_)) return undefined();
    for (std::size_t i = 2; i < nodes_.size(); ++i) {
      const Vector3 to_p = minus(place(nodes_[i]), place(nodes_[0]));
      const double s = dot(to_p, along) / dot(along, along);
      const Vector3 off = minus(to_p, scaled(s, along));
      note(nodes_[i], off_by(length(off)));
      // In the node's own axes, so that each equation has a component of its own to eliminate.
      const Axes axes = equations_.axes(nodes_[i]);
      const Vector3 own = to_local(axes, along);
      const auto steepest = static_cast<std::size_t>(
          std::ranges::max_element(own, {}, [](double x) { return std::abs(x); }) - own.begin());
      for (std::size_t k = 0; k < 3 && !report_.conflict; ++k) {
        if (k == steepest) continue;
        const Vector3 e = plus(axes[k], -own[k] / own[steepest], axes[steepest]);
        add({{nodes_[i], e}, {nodes_[0], scaled(s - 1, e)}, {nodes_[1], scaled(-s, e)}},
            -off_by(dot(off, e)));
      }
    }
    return report_;
  }

  AlignmentReport distance() {
    const Vector3 along = minus(place(nodes_[1]), place(nodes_[0]));
    const double apart = length(along);
    if (!(apart > rounding * size_)) return undefined();
    add({{nodes_[1], scaled(1 / apart, along)}, {nodes_[0], scaled(-1 / apart, along)}}, 0);
    return report_;
  }

 private:
  Vector3 place(std::int32_t node) const {
    const auto x = mesh_.coordinates(node);
    return {x[0], x[1], x[2]};
  }

  AlignmentReport undefined() {
    report_.undefined = true;
    return report_;
  }

  double off_by(double distance) const { return std::abs(distance) > rounding * size_ ? distance : 0; }

  void note(std::int32_t node, double distance) {
    if (distance <= report_.distance) return;
    report_.farthest = node;
    report_.distance = distance;
  }

  /// The sum of shares is the constant; the first share is that of the node to be eliminated.
  void add(const std::vector<Share>& shares, double constant) {
    std::vector<EquationTerm> terms;
    std::size_t of_first = 0;
    for (const Share& share : shares) {
      equations_.add_terms(terms, share.node, share.factors);
      if (of_first == 0) of_first = terms.size();
    }
    const auto largest_free = [&](std::size_t end) {
      std::size_t lead = terms.size();
      for (std::size_t t = 0; t < end; ++t) {
        if (equations_.taken(terms[t].node, terms[t].direction)) continue;
        if (lead == terms.size() || std::abs(terms[t].coefficient) > std::abs(terms[lead].coefficient))
          lead = t;
      }
      return lead;
    };
    std::size_t lead = largest_free(of_first);
    constexpr double weak = 1e-3;  // a direction that is nearly along the plane or line
    if (lead == terms.size() || std::abs(terms[lead].coefficient) < weak) lead = largest_free(terms.size());
    if (lead == terms.size()) {
      const EquationTerm& first = terms.front();
      report_.conflict =
          Conflict{first.node, first.direction, *equations_.taken(first.node, first.direction)};
      return;
    }
    std::swap(terms.front(), terms[lead]);
    equations_.add(std::move(terms), line_, false, constant);
  }

  EquationMaker& equations_;
  const mesh::Mesh& mesh_;
  const std::vector<std::int32_t>& nodes_;
  Line line_;
  double size_ = 0;
  AlignmentReport report_;
};

}  // namespace

AlignmentReport add_alignment(EquationMaker& equations, const mesh::Mesh& mesh, const AlignedNodes& aligned) {
  Maker maker(equations, mesh, aligned);
  if (aligned.kind == Alignment::plane) return maker.plane();
  return aligned.kind == Alignment::line ? maker.line() : maker.distance();
}

}  // namespace setka::model
