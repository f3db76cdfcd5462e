// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/dof_map.hpp"

#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::fem {
namespace {

using exec::Array;
using exec::MultiView;

void check_sizes(const char* what, std::int64_t rows, std::int64_t columns, MultiView<const double> x,
                 MultiView<double> y) {
  require(x.rows == columns && y.rows == rows && x.columns == y.columns, [&] {
    return fmt::format("DofMap: {} takes [{} x {}] to [{} x {}], but [{} x {}] and [{} x {}] were given",
                       what, columns, x.columns, rows, x.columns, x.rows, x.columns, y.rows, y.columns);
  });
}

void pick(const char* what, const exec::Stream& stream, const Array<std::int32_t>& from, std::int64_t rows,
          std::int64_t columns, MultiView<const double> x, MultiView<double> y) {
  check_sizes(what, rows, columns, x, y);
  const auto split = kernel::RowAndColumn::of(x.columns);
  exec::parallel_for(stream, split.count(rows), kernel::PickRows{from.data(), x, y, split});
}

void multiply(const char* what, const exec::Stream& stream, const kernel::SparseView& a, std::int64_t rows,
              std::int64_t columns, MultiView<const double> x, MultiView<double> y) {
  check_sizes(what, rows, columns, x, y);
  const auto split = kernel::RowAndColumn::of(x.columns);
  exec::parallel_for(stream, split.count(rows), kernel::MultiplySparse{a, x, y, split});
}

}  // namespace

DofMap::DofMap(const exec::Device& device, const Space& space)
    : space_(space),
      place_(device, space.place_of_dof()),
      dof_(device, space.dof_of_place()),
      first_(device),
      index_(device),
      coefficient_(device),
      column_first_(device),
      column_index_(device),
      column_coefficient_(device) {
  if (picks()) return;
  const Constraints& constraints = space_.constraints();
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> index;
  std::vector<double> coefficient;
  std::vector<std::int64_t> column_first(static_cast<std::size_t>(size()) + 1, 0);
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    for (const Term& term : constraints.row(d)) {
      index.push_back(space_.place(term));
      coefficient.push_back(term.coefficient);
      ++column_first[static_cast<std::size_t>(space_.place(term)) + 1];
    }
    first.push_back(static_cast<std::int64_t>(index.size()));
  }
  for (std::size_t q = 1; q < column_first.size(); ++q) column_first[q] += column_first[q - 1];
  std::vector<std::int64_t> next(column_first.begin(), column_first.end() - 1);
  std::vector<std::int32_t> column_index(index.size());
  std::vector<double> column_coefficient(index.size());
  for (std::int32_t d = 0; d < constraints.dof_count(); ++d) {
    for (const Term& term : constraints.row(d)) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(space_.place(term))]++);
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

void DofMap::expand(const exec::Stream& stream, MultiView<const double> x, MultiView<double> u) const {
  if (picks()) return pick("T", stream, place_, dof_count(), size(), x, u);
  multiply("T", stream, rows(), dof_count(), size(), x, u);
}

void DofMap::restrict_forces(const exec::Stream& stream, MultiView<const double> f,
                             MultiView<double> y) const {
  if (picks()) return pick("T'", stream, dof_, size(), dof_count(), f, y);
  multiply("T'", stream, columns(), size(), dof_count(), f, y);
}

}  // namespace setka::fem
