// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_unknowns.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::fem {
namespace {

using exec::Array;
using exec::MultiView;

void multiply(const char* what, const exec::Stream& stream, const kernel::SparseView& a, std::int64_t rows,
              std::int64_t columns, MultiView<const double> x, MultiView<double> y) {
  require(x.rows == columns && y.rows == rows && x.columns == y.columns, [&] {
    return fmt::format(
        "ElementUnknowns: {} takes [{} x {}] to [{} x {}], but [{} x {}] and [{} x {}] were given", what,
        columns, x.columns, rows, x.columns, x.rows, x.columns, y.rows, y.columns);
  });
  const auto split = kernel::RowAndColumn::of(x.columns);
  exec::parallel_for(stream, split.count(rows), kernel::MultiplySparse{a, x, y, split});
}

}  // namespace

ElementUnknowns::ElementUnknowns(const exec::Device& device, const Constraints& constraints)
    : ElementUnknowns(device, constraints, constraints.unknown_count(), {}) {}

ElementUnknowns::ElementUnknowns(const exec::Device& device, const Constraints& constraints,
                                 const BlockNumbering& numbering)
    : ElementUnknowns(device, constraints, numbering.size(), numbering.place) {}

/// place: of each unknown in vectors of that size; empty: one after the other.
ElementUnknowns::ElementUnknowns(const exec::Device& device, const Constraints& constraints,
                                 std::int64_t size, std::span<const std::int32_t> place)
    : dofs_(constraints.dof_count()),
      unknowns_(size),
      unknown_(device),
      dof_(device),
      first_(device),
      index_(device),
      coefficient_(device),
      column_first_(device),
      column_index_(device),
      column_coefficient_(device) {
  const auto place_of = [&](const Term& term) {
    return place.empty() ? term.index : place[static_cast<std::size_t>(term.index)];
  };
  std::vector<std::int32_t> unknown(static_cast<std::size_t>(dofs_), -1);
  std::vector<std::int32_t> dof(static_cast<std::size_t>(unknowns_), -1);
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    const auto row = constraints.row(d);
    if (row.empty()) continue;
    std::int32_t& picked_by = dof[static_cast<std::size_t>(place_of(row[0]))];
    picks_ = picks_ && row.size() == 1 && row[0].coefficient == 1 && picked_by < 0;
    picked_by = d;
    unknown[static_cast<std::size_t>(d)] = place_of(row[0]);
  }
  const auto picked = static_cast<std::int64_t>(dof.size()) - std::count(dof.begin(), dof.end(), -1);
  picks_ = picks_ && picked == constraints.unknown_count();
  if (picks_) {
    unknown_ = Array<std::int32_t>(device, unknown);
    dof_ = Array<std::int32_t>(device, dof);
    return;
  }

  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> index;
  std::vector<double> coefficient;
  std::vector<std::int64_t> column_first(static_cast<std::size_t>(unknowns_) + 1, 0);
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    for (const Term& term : constraints.row(d)) {
      index.push_back(place_of(term));
      coefficient.push_back(term.coefficient);
      ++column_first[static_cast<std::size_t>(place_of(term)) + 1];
    }
    first.push_back(static_cast<std::int64_t>(index.size()));
  }
  for (std::size_t q = 1; q < column_first.size(); ++q) column_first[q] += column_first[q - 1];
  std::vector<std::int64_t> next(column_first.begin(), column_first.end() - 1);
  std::vector<std::int32_t> column_index(index.size());
  std::vector<double> column_coefficient(index.size());
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    for (const Term& term : constraints.row(d)) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(place_of(term))]++);
      column_index[at] = d;
      column_coefficient[at] = term.coefficient;
    }
  }
  first_ = Array<std::int64_t>(device, first);
  index_ = Array<std::int32_t>(device, index);
  coefficient_ = Array<double>(device, coefficient);
  column_first_ = Array<std::int64_t>(device, column_first);
  column_index_ = Array<std::int32_t>(device, column_index);
  column_coefficient_ = Array<double>(device, column_coefficient);
}

void ElementUnknowns::expand(const exec::Stream& stream, MultiView<const double> x,
                             MultiView<double> u) const {
  require(!picks_, "ElementUnknowns: where T picks unknowns, read them through unknown()");
  multiply("T", stream, rows(), dofs_, unknowns_, x, u);
}

void ElementUnknowns::restrict_forces(const exec::Stream& stream, MultiView<const double> f,
                                      MultiView<double> y) const {
  require(!picks_, "ElementUnknowns: where T picks unknowns, read forces through dof()");
  multiply("T'", stream, columns(), unknowns_, dofs_, f, y);
}

}  // namespace setka::fem
