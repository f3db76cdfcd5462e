// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

namespace setka::fem {
namespace {

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// Terms of one index together, those that cancel out dropped.
void merge(std::vector<Term>& terms) {
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.index < b.index; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term sum = terms[i];
    for (++i; i < terms.size() && terms[i].index == sum.index; ++i) sum.coefficient += terms[i].coefficient;
    if (sum.coefficient != 0) terms[kept++] = sum;
  }
  terms.resize(kept);
}

}  // namespace

Constraints::Constraints() : Constraints(Rows(), {}) {}

Constraints Constraints::none(std::int32_t dof_count) {
  Rows rows;
  rows.unknown_dof.resize(at(dof_count));
  rows.first_term.resize(at(dof_count) + 1);
  rows.terms.resize(at(dof_count));
  for (std::int32_t d = 0; d < dof_count; ++d) {
    rows.unknown_dof[at(d)] = d;
    rows.first_term[at(d) + 1] = d + 1;
    rows.terms[at(d)] = {d, 1.0};
  }
  return {std::move(rows), std::vector<double>(at(dof_count), 0.0)};
}

Constraints Constraints::fixed(std::int32_t dof_count, std::span<const std::int32_t> dofs,
                               std::span<const double> values) {
  require(values.empty() || values.size() == dofs.size(), [&] {
    return fmt::format("Constraints: {} values for {} degrees of freedom", values.size(), dofs.size());
  });
  std::vector<std::int8_t> held(at(dof_count), 0);
  std::vector<double> shift(at(dof_count), 0.0);
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    require(dofs[i] >= 0 && dofs[i] < dof_count, [&] {
      return fmt::format("Constraints: degree of freedom {} of {} is fixed", dofs[i], dof_count);
    });
    held[at(dofs[i])] = 1;
    if (!values.empty()) shift[at(dofs[i])] = values[i];
  }
  Rows rows;
  for (std::int32_t d = 0; d < dof_count; ++d) {
    if (held[at(d)] == 0) {
      rows.terms.push_back({static_cast<std::int32_t>(rows.unknown_dof.size()), 1.0});
      rows.unknown_dof.push_back(d);
    }
    rows.first_term.push_back(static_cast<std::int64_t>(rows.terms.size()));
  }
  return {std::move(rows), std::move(shift)};
}

bool Constraints::shifted() const {
  return std::ranges::any_of(*shift_, [](double g) { return g != 0; });
}

Constraints Constraints::homogeneous() const {
  Constraints same = *this;
  if (shifted()) same.shift_ = std::make_shared<const std::vector<double>>(shift_->size(), 0.0);
  return same;
}

std::vector<double> Constraints::expand(std::span<const double> q) const {
  std::vector<double> u = *shift_;
  for (std::size_t d = 0; d < u.size(); ++d) {
    for (const Term& term : row(static_cast<std::int32_t>(d))) u[d] += term.coefficient * q[at(term.index)];
  }
  return u;
}

std::vector<double> Constraints::restrict_forces(std::span<const double> f) const {
  std::vector<double> r(at(unknown_count()), 0.0);
  for (std::size_t d = 0; d < f.size(); ++d) {
    for (const Term& term : row(static_cast<std::int32_t>(d))) r[at(term.index)] += term.coefficient * f[d];
  }
  return r;
}

Constraints Constraints::compose(std::span<const std::vector<Term>> rows) const {
  Rows result;
  result.unknown_dof = rows_->unknown_dof;
  result.first_term.reserve(rows.size() + 1);
  std::vector<double> shifts;
  shifts.reserve(rows.size());
  std::vector<Term> merged;
  for (const std::vector<Term>& terms : rows) {
    double own = 0;
    merged.clear();
    for (const Term& term : terms) {
      own += term.coefficient * shift(term.index);
      for (const Term& inner : row(term.index))
        merged.push_back({inner.index, term.coefficient * inner.coefficient});
    }
    merge(merged);
    result.terms.insert(result.terms.end(), merged.begin(), merged.end());
    result.first_term.push_back(static_cast<std::int64_t>(result.terms.size()));
    shifts.push_back(own);
  }
  return {std::move(result), std::move(shifts)};
}

Constraints Constraints::part(std::span<const std::int32_t> dofs, std::span<const std::int32_t> number,
                              std::vector<std::int32_t> unknown_dofs) const {
  Rows result;
  result.unknown_dof = std::move(unknown_dofs);
  result.first_term.reserve(dofs.size() + 1);
  std::vector<double> shifts;
  shifts.reserve(dofs.size());
  for (const std::int32_t dof : dofs) {
    for (const Term& term : row(dof)) {
      SETKA_ASSERT(number[at(term.index)] >= 0);
      result.terms.push_back({number[at(term.index)], term.coefficient});
    }
    result.first_term.push_back(static_cast<std::int64_t>(result.terms.size()));
    shifts.push_back(shift(dof));
  }
  return {std::move(result), std::move(shifts)};
}

ConstraintBuilder::ConstraintBuilder(std::int32_t dof_count, std::function<std::string(std::int32_t)> name_of,
                                     std::function<SourceLine(model::Line)> source_of)
    : name_of_(std::move(name_of)),
      source_of_(std::move(source_of)),
      prescribed_(at(dof_count), -1),
      dependent_(at(dof_count), -1),
      left_out_(at(dof_count), 0) {}

std::string ConstraintBuilder::place(model::Line line) const {
  const SourceLine source = source_of_(line);
  return source.file.empty() ? std::string("another place") : fmt::format("{}:{}", source.file, source.line);
}

void ConstraintBuilder::prescribe(std::int32_t dof, double value, model::Line line) {
  std::int32_t& known = prescribed_[at(dof)];
  if (known >= 0) {
    const Prescribed& other = values_[at(known)];
    if (other.value == value) return;
    throw Error(Fault::input,
                fmt::format("{} is prescribed twice: {} here and {} at {}", name_of_(dof), value, other.value,
                            place(other.line)),
                "leave one of them out", source_of_(line));
  }
  known = static_cast<std::int32_t>(values_.size());
  values_.push_back({value, line});
}

void ConstraintBuilder::add_equation(std::span<const Term> terms, double constant, model::Line line) {
  require(!terms.empty(), "add_equation: an equation has at least one term");
  const std::int32_t dof = terms.front().index;
  if (terms.front().coefficient == 0) {
    throw Error(Fault::input, fmt::format("the coefficient of the first term, {}, is zero", name_of_(dof)),
                "the first term is the one that is eliminated: begin with one that is not zero",
                source_of_(line));
  }
  if (dependent_[at(dof)] >= 0) {
    const model::Line other = equations_[at(dependent_[at(dof)])].line;
    throw Error(Fault::input,
                fmt::format("{} is eliminated by two equations, here and at {}", name_of_(dof), place(other)),
                "begin one of them with another term", source_of_(line));
  }
  dependent_[at(dof)] = static_cast<std::int32_t>(equations_.size());
  equations_.push_back({{terms.begin(), terms.end()}, constant, line});
}

void ConstraintBuilder::add_definition(std::int32_t result, std::vector<Term> terms, model::Line line) {
  merge(terms);
  std::size_t best = terms.size();
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const std::size_t dof = at(terms[t].index);
    if (prescribed_[dof] >= 0 || dependent_[dof] >= 0) continue;
    if (best == terms.size() || std::abs(terms[t].coefficient) > std::abs(terms[best].coefficient)) best = t;
  }
  if (best == terms.size()) {
    throw Error(Fault::input, "all displacements of this constraint are prescribed or tied already",
                "leave one of them free", source_of_(line));
  }
  std::swap(terms[0], terms[best]);
  terms.push_back({result, -1.0});
  add_equation(terms, 0, line);
}

void ConstraintBuilder::leave_out(std::int32_t dof) {
  left_out_[at(dof)] = 1;
}

/// A degree of freedom in terms of independent ones.
struct ConstraintBuilder::Resolved {
  std::vector<Term> terms;
  double constant = 0;
};

const ConstraintBuilder::Resolved& ConstraintBuilder::resolve(std::int32_t dof,
                                                              std::vector<Resolved>& resolved,
                                                              std::vector<std::int8_t>& state) const {
  constexpr std::int8_t under_way = 1;
  constexpr std::int8_t done = 2;
  const Equation& equation = equations_[at(dependent_[at(dof)])];
  Resolved& result = resolved[at(dependent_[at(dof)])];
  std::int8_t& now = state[at(dependent_[at(dof)])];
  if (now == done) return result;
  if (now == under_way) {
    throw Error(Fault::input, fmt::format("{} depends on itself through a chain of equations", name_of_(dof)),
                "begin one of the equations of the chain with another term", source_of_(equation.line));
  }
  now = under_way;
  const double lead = equation.terms.front().coefficient;
  result.constant = equation.constant / lead;
  for (std::size_t t = 1; t < equation.terms.size(); ++t) {
    const Term& term = equation.terms[t];
    const double factor = -term.coefficient / lead;
    if (dependent_[at(term.index)] >= 0) {
      const Resolved& inner = resolve(term.index, resolved, state);
      result.constant += factor * inner.constant;
      for (const Term& deeper : inner.terms)
        result.terms.push_back({deeper.index, factor * deeper.coefficient});
    } else if (prescribed_[at(term.index)] >= 0) {
      result.constant += factor * values_[at(prescribed_[at(term.index)])].value;
    } else {
      result.terms.push_back({term.index, factor});
    }
  }
  merge(result.terms);
  now = done;
  return result;
}

Constraints ConstraintBuilder::build() const {
  const std::size_t dofs = prescribed_.size();
  std::vector<Resolved> resolved(equations_.size());
  std::vector<std::int8_t> state(equations_.size(), 0);
  for (std::size_t d = 0; d < dofs; ++d) {
    if (dependent_[d] < 0) continue;
    const auto dof = static_cast<std::int32_t>(d);
    if (prescribed_[d] >= 0) {
      throw Error(Fault::input,
                  fmt::format("{} is eliminated by this equation and prescribed at {}", name_of_(dof),
                              place(values_[at(prescribed_[d])].line)),
                  "begin the equation with another term", source_of_(equations_[at(dependent_[d])].line));
    }
    resolve(dof, resolved, state);
  }

  // What an equation uses has stiffness through it, even where its own node has none.
  std::vector<std::int8_t> used(dofs, 0);
  for (const Resolved& row : resolved) {
    for (const Term& term : row.terms) used[at(term.index)] = 1;
  }
  std::vector<std::int32_t> unknown(dofs, -1);
  Constraints::Rows result;
  std::vector<double> shift(dofs, 0.0);
  for (std::size_t d = 0; d < dofs; ++d) {
    const bool free = prescribed_[d] < 0 && dependent_[d] < 0 && (left_out_[d] == 0 || used[d] != 0);
    if (!free) continue;
    unknown[d] = static_cast<std::int32_t>(result.unknown_dof.size());
    result.unknown_dof.push_back(static_cast<std::int32_t>(d));
  }
  result.first_term.reserve(dofs + 1);
  result.terms.reserve(dofs);
  for (std::size_t d = 0; d < dofs; ++d) {
    if (unknown[d] >= 0) {
      result.terms.push_back({unknown[d], 1.0});
    } else if (dependent_[d] >= 0) {
      const Resolved& row = resolved[at(dependent_[d])];
      for (const Term& term : row.terms) result.terms.push_back({unknown[at(term.index)], term.coefficient});
      shift[d] = row.constant;
    } else if (prescribed_[d] >= 0) {
      shift[d] = values_[at(prescribed_[d])].value;
    }
    result.first_term.push_back(static_cast<std::int64_t>(result.terms.size()));
  }
  return {std::move(result), std::move(shift)};
}

}  // namespace setka::fem
