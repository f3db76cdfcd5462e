// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/equation_maker.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace setka::model {
namespace {

std::int64_t unknown(std::int32_t node, std::int32_t direction) {
  return 16 * std::int64_t{node} + direction;
}

constexpr double nothing = 1e-13;  // a coefficient of a sum whose largest ones are of size one

}  // namespace

EquationMaker::EquationMaker(Model& model) : model_(model) {
  for (std::size_t t = 0; t < model.transforms.size(); ++t) {
    const auto set = static_cast<std::size_t>(model.transforms[t].node_set);
    for (const std::int32_t node : model.node_sets[set].nodes) transform_of_[node] = t;
  }
  const auto take = [&](const std::vector<PrescribedValue>& values) {
    for (const PrescribedValue& value : values)
      taken_.try_emplace(unknown(value.node, value.direction), value.line);
  };
  take(model.prescribed);
  for (const Step& step : model.steps) take(step.prescribed);
  for (const Equation& equation : model.equations) {
    const EquationTerm& first = equation.terms.front();
    taken_.try_emplace(unknown(first.node, first.direction), equation.line);
  }
}

std::optional<Line> EquationMaker::taken(std::int32_t node, std::int32_t direction) const {
  const auto found = taken_.find(unknown(node, direction));
  if (found == taken_.end()) return std::nullopt;
  return found->second;
}

Axes EquationMaker::axes(std::int32_t node) const {
  const auto found = transform_of_.find(node);
  if (found == transform_of_.end()) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return axes_at(model_.transforms[found->second].system, std::as_const(model_.mesh).coordinates(node));
}

void EquationMaker::add_terms(std::vector<EquationTerm>& terms, std::int32_t node,
                              const std::array<double, 3>& factors) const {
  const std::array<double, 3> own = to_local(axes(node), std::span<const double, 3>(factors));
  for (std::int32_t k = 0; k < 3; ++k) {
    const double factor = own[static_cast<std::size_t>(k)];
    if (std::abs(factor) > nothing) terms.push_back({node, k + 1, factor});
  }
}

void EquationMaker::add(std::vector<EquationTerm> terms, Line line, bool carries, double constant) {
  taken_.try_emplace(unknown(terms.front().node, terms.front().direction), line);
  model_.equations.push_back({std::move(terms), constant, line, carries});
}

}  // namespace setka::model
