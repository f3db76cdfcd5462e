// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/model/model.hpp"

namespace setka::fem {

/// A multiple of an unknown or of a degree of freedom.
struct Term {
  std::int32_t index;
  double coefficient;
};

/// The one mechanism of constraints: u = T q + g. u are all degrees of freedom (displacements of nodes), q
/// the unknowns that are left, g what prescribed values give. Operators apply it element by element.
/// Immutable, and cheap to copy: copies share their rows.
class Constraints {
 public:
  Constraints();  // of no degree of freedom

  /// All degrees of freedom are unknowns.
  static Constraints none(std::int32_t dof_count);

  /// Some have values given; the others are unknowns. values: of each of dofs; empty: zero.
  static Constraints fixed(std::int32_t dof_count, std::span<const std::int32_t> dofs,
                           std::span<const double> values = {});

  std::int32_t dof_count() const { return static_cast<std::int32_t>(shift_->size()); }
  std::int32_t unknown_count() const { return static_cast<std::int32_t>(rows_->unknown_dof.size()); }

  /// The degree of freedom that each unknown is, ascending; for composed constraints one of those composed.
  std::span<const std::int32_t> unknown_dofs() const { return rows_->unknown_dof; }

  /// Row of T.
  std::span<const Term> row(std::int32_t dof) const {
    const auto d = static_cast<std::size_t>(dof);
    const std::int64_t first = rows_->first_term[d];
    return {rows_->terms.data() + first, static_cast<std::size_t>(rows_->first_term[d + 1] - first)};
  }
  double shift(std::int32_t dof) const { return (*shift_)[static_cast<std::size_t>(dof)]; }
  std::span<const double> shifts() const { return *shift_; }  // g

  /// Whether g is not zero everywhere.
  bool shifted() const;

  /// The same with g = 0, as vibrations see them.
  Constraints homogeneous() const;

  /// u = T q + g
  std::vector<double> expand(std::span<const double> q) const;

  /// r = T' f
  std::vector<double> restrict_forces(std::span<const double> f) const;

  /// The constraints of other quantities that are multiples of these: row i of the result is the sum of its
  /// terms' rows. rows: for each new degree of freedom its terms in the present ones.
  Constraints compose(std::span<const std::vector<Term>> rows) const;

  /// The rows of some degrees of freedom, in the order given, in some of the unknowns, which have all their
  /// terms. number: [unknowns] its number there, -1: not there. unknown_dofs: [unknowns there] ascending.
  Constraints part(std::span<const std::int32_t> dofs, std::span<const std::int32_t> number,
                   std::vector<std::int32_t> unknown_dofs) const;

 private:
  friend class ConstraintBuilder;
  struct Rows {
    std::vector<std::int32_t> unknown_dof;
    std::vector<std::int64_t> first_term{0};
    std::vector<Term> terms;
  };
  Constraints(Rows rows, std::vector<double> shift)
      : rows_(std::make_shared<const Rows>(std::move(rows))),
        shift_(std::make_shared<const std::vector<double>>(std::move(shift))) {}

  std::shared_ptr<const Rows> rows_;
  std::shared_ptr<const std::vector<double>> shift_;
};

/// Collects prescribed values and equations over numbered degrees of freedom and resolves them: equations
/// whose terms depend on others in turn are substituted. Contradictions are Errors that name both lines.
class ConstraintBuilder {
 public:
  /// For messages: name_of gives "node 5, direction 2", source_of the file of a line.
  ConstraintBuilder(std::int32_t dof_count, std::function<std::string(std::int32_t)> name_of,
                    std::function<SourceLine(model::Line)> source_of);

  void prescribe(std::int32_t dof, double value, model::Line line);

  /// Sum of terms = constant; the first term is eliminated.
  void add_equation(std::span<const Term> terms, double constant, model::Line line);

  /// Sum of terms = result; what is eliminated is the term with the largest coefficient that nothing else
  /// determines so far: come last with it.
  void add_definition(std::int32_t result, std::vector<Term> terms, model::Line line);

  /// A degree of freedom without stiffness: zero, unless something else determines it.
  void leave_out(std::int32_t dof);

  Constraints build() const;

 private:
  struct Equation {
    std::vector<Term> terms;
    double constant;
    model::Line line;
  };
  struct Prescribed {
    double value;
    model::Line line;
  };
  struct Resolved;
  const Resolved& resolve(std::int32_t dof, std::vector<Resolved>& resolved,
                          std::vector<std::int8_t>& state) const;

  std::string place(model::Line line) const;

  std::function<std::string(std::int32_t)> name_of_;
  std::function<SourceLine(model::Line)> source_of_;
  std::vector<std::int32_t> prescribed_;  // [dofs] into values_, -1: not prescribed
  std::vector<std::int32_t> dependent_;   // [dofs] into equations_, -1: not dependent
  std::vector<std::int8_t> left_out_;     // [dofs]
  std::vector<Prescribed> values_;
  std::vector<Equation> equations_;
};

}  // namespace setka::fem
