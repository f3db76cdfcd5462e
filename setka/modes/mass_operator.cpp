// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/mass_operator.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "setka/exec/array.hpp"

namespace setka::modes {

std::optional<sparse::BlockCsr<double>> identity_multiples(const sparse::BlockCsr<double>& matrix) {
  if (matrix.device().is_cuda() || matrix.height() != 3 || matrix.width() != 3) return std::nullopt;
  const sparse::BlockCsrView<double> a = matrix.view();
  const exec::Device& cpu = matrix.device();
  exec::Array<std::int32_t> offset(cpu, std::int64_t{matrix.rows()} + 1);
  exec::Array<std::int32_t> column(cpu, matrix.blocks());
  exec::Array<double> value(cpu, matrix.blocks());
  for (std::int32_t row = 0; row < matrix.rows(); ++row) {
    const std::int32_t begin = a.offset[row];
    const std::int64_t width = 3 * std::int64_t{a.offset[row + 1] - begin};
    const double* const values = a.value + 9 * std::int64_t{begin};
    for (std::int64_t k = begin; k < a.offset[row + 1]; ++k) {
      const double* const block = values + 3 * (k - begin);
      const double number = block[0];
      for (std::int64_t r = 0; r < 3; ++r) {
        for (std::int64_t c = 0; c < 3; ++c)
          if (block[r * width + c] != (r == c ? number : 0.0)) return std::nullopt;
      }
      column.data()[k] = a.column[k];
      value.data()[k] = number;
    }
    offset.data()[row] = begin;
  }
  offset.data()[matrix.rows()] = static_cast<std::int32_t>(matrix.blocks());
  return sparse::BlockCsr<double>(matrix.rows(), matrix.columns(), 1, 1, std::move(offset), std::move(column),
                                  std::move(value));
}

MassOperator::MassOperator(const sparse::BlockCsr<double>& mass)
    : blocks_(mass), numbers_(identity_multiples(mass)) {}

void MassOperator::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  blocks_.apply(stream, x, y);
}

void MassOperator::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                         exec::MultiView<double> y) const {
  if (!numbers_ || x.stride != x.columns || y.stride != y.columns) return blocks_.apply(stream, x, y);
  const std::int64_t together = 3 * x.columns;
  sparse::multiply<double>(stream, *numbers_, {x.data, x.rows / 3, together, together},
                           {y.data, y.rows / 3, together, together});
}

}  // namespace setka::modes
