// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "setka/fem/constraints.hpp"

namespace setka::fem {

/// T of one element, row by row: its displacements, each a sum of unknowns that are counted among those that
/// the element has.
class ElementTransform {
 public:
  void clear() {
    first_.assign(1, 0);
    terms_.clear();
  }
  void add_term(const Term& term) { terms_.push_back(term); }
  void end_row() { first_.push_back(terms_.size()); }

  std::size_t rows() const { return first_.size() - 1; }
  std::span<const Term> row(std::size_t i) const {
    return std::span(terms_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

  /// M += T'KT. k: [rows, rows]; m: [unknowns, unknowns]
  void reduce(std::span<const double> k, std::span<double> m, std::size_t unknowns) const;

  /// r += T'f. f: [rows]; r: [unknowns]
  void reduce(std::span<const double> f, std::span<double> r) const;

 private:
  std::vector<std::size_t> first_{0};
  std::vector<Term> terms_;
};

}  // namespace setka::fem
