// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_product.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/scratch.hpp"

namespace setka::domains {

TeamProduct::TeamProduct(const exec::Member& member, std::shared_ptr<const solve::Operator> of_part,
                         int block, const RowsOfPart& rows)
    : member_(member),
      of_part_(std::move(of_part)),
      rows_(block * static_cast<std::int64_t>(rows.rows.size())),
      ghosts_(std::make_unique<exec::Ghosts<double>>(member, block, rows.links)) {
  const std::int64_t found = of_part_ == nullptr ? 0 : of_part_->rows();
  require(found == rows_ + ghosts_->rows(), [&] {
    return fmt::format("TeamProduct: the operator of a part has {} rows, but the part {} and {} of ghosts",
                       found, rows_, ghosts_->rows());
  });
}

void TeamProduct::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1},
        exec::MultiView<double>{y.data, y.size, 1, 1});
}

void TeamProduct::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                        exec::MultiView<double> y) const {
  require(x.rows == rows_ && y.rows == rows_ && x.columns == y.columns, [&] {
    return fmt::format("TeamProduct: of {} rows, but x is [{} x {}] and y [{} x {}]", rows_, x.rows,
                       x.columns, y.rows, y.columns);
  });
  const std::int64_t columns = x.columns;
  const std::int64_t all = rows_ + ghosts_->rows();
  const exec::Scratch<double> in(stream, all * columns);
  const exec::Scratch<double> out(stream, all * columns);
  const auto rows_from = [columns](const exec::Scratch<double>& of, std::int64_t first, std::int64_t count) {
    return exec::MultiView<double>{of.data() + first * columns, count, columns, columns};
  };
  ghosts_->begin(stream, x);
  exec::copy_rows_async<double>(stream, x, rows_from(in, 0, rows_));
  exec::copy_rows_async<double>(stream, ghosts_->finish(stream), rows_from(in, rows_, ghosts_->rows()));
  if (of_part_ == nullptr) return;
  of_part_->apply(stream, rows_from(in, 0, all), rows_from(out, 0, all));
  exec::copy_rows_async<double>(stream, rows_from(out, 0, rows_), y);
}

}  // namespace setka::domains
