// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/precision.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/precision_kernel.hpp"

namespace setka::solve {
namespace {

template <class From, class To>
void convert_block(const exec::Stream& stream, exec::MultiView<const From> from, exec::MultiView<To> to) {
  require(from.rows == to.rows && from.columns == to.columns, [&] {
    return fmt::format("change of precision: from [{} x {}] to [{} x {}]", from.rows, from.columns, to.rows,
                       to.columns);
  });
  const std::int64_t entries = from.rows * from.columns;
  if (from.stride == from.columns && to.stride == to.columns) {
    exec::convert<From, To>(stream, {from.data, entries}, {to.data, entries});
  } else {
    exec::parallel_for(stream, entries, kernel::ConvertBlock<From, To>{from, to});
  }
}

}  // namespace

void to_single(const exec::Stream& stream, exec::MultiView<const double> from, exec::MultiView<float> to) {
  convert_block(stream, from, to);
}

void to_double(const exec::Stream& stream, exec::MultiView<const float> from, exec::MultiView<double> to) {
  convert_block(stream, from, to);
}

}  // namespace setka::solve
