// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cholesky_inverse.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "setka/exec/copy.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::solve {

void CholeskyInverse::apply(const exec::Stream& stream, exec::View<const double> x,
                            exec::View<double> y) const {
  std::vector<double> values(static_cast<std::size_t>(x.size));
  exec::copy_async<double>(stream, x, exec::View<double>{values.data(), x.size});
  stream.synchronize();
  values = sparse::collect(place_, std::move(values));
  std::vector<double> answer(values.size());
  factor_.solve(values, answer);
  answer = sparse::spread(place_, y.size, std::move(answer));
  exec::copy_async<double>(stream, exec::View<const double>{answer.data(), y.size}, y);
  stream.synchronize();
}

void CholeskyInverse::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                            exec::MultiView<double> y) const {
  const exec::Scratch<double> one(stream, rows_);
  for (std::int64_t j = 0; j < x.columns; ++j) {
    exec::copy_rows_async<double>(stream, {x.data + j, x.rows, 1, x.stride}, {one.data(), x.rows, 1, 1});
    apply(stream, one, one);
    exec::copy_rows_async<double>(stream, {one.data(), y.rows, 1, 1}, {y.data + j, y.rows, 1, y.stride});
  }
}

}  // namespace setka::solve
