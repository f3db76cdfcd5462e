// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/interpolation.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>

#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/solve/interpolation_kernel.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
namespace {

sparse::BlockCsr<double> in_places(const Interpolation& interpolation, exec::Array<double> value,
                                   const sparse::BlockCsr<double>& fine) {
  const exec::Device& device = fine.device();
  return {fine.rows(),
          static_cast<std::int32_t>(interpolation.kept.size() + interpolation.beside.size()),
          fine.height(),
          interpolation.width(fine.height()),
          exec::Array<std::int32_t>(device, interpolation.offset),
          exec::Array<std::int32_t>(device, interpolation.column),
          std::move(value)};
}

}  // namespace

bool fits(const Interpolation& interpolation, std::int32_t rows, int height, int modes) {
  const auto blocks = interpolation.column.size();
  const int width = interpolation.width(height);
  const auto more = static_cast<std::size_t>(width - height) * interpolation.kept.size();
  const auto unknowns = static_cast<std::size_t>(rows) * static_cast<std::size_t>(height);
  return interpolation.offset.size() == static_cast<std::size_t>(rows) + 1 &&
         blocks == static_cast<std::size_t>(interpolation.offset.back()) && width >= height &&
         (interpolation.weight.empty()
              ? interpolation.value.size() == blocks * static_cast<std::size_t>(height * width)
              : interpolation.value.empty() && interpolation.weight.size() == blocks &&
                    (interpolation.beside.empty() ? interpolation.unknown.size() == unknowns
                                                  : interpolation.unknown.size() > unknowns)) &&
         (interpolation.gap.empty() || interpolation.gap.size() == interpolation.value.size()) &&
         interpolation.more_modes.size() == more * static_cast<std::size_t>(modes);
}

sparse::BlockCsr<double> prolongation_of(const Interpolation& interpolation,
                                         const sparse::BlockCsr<double>& fine) {
  return in_places(interpolation, values_of(interpolation, fine.height(), fine.device()), fine);
}

std::optional<sparse::BlockCsr<double>> gaps_of(const Interpolation& interpolation,
                                                const sparse::BlockCsr<double>& fine) {
  if (interpolation.gap.empty()) return {};
  return in_places(interpolation, exec::Array<double>(fine.device(), interpolation.gap), fine);
}

std::vector<double> kept_rows(const std::vector<std::int32_t>& kept, int width,
                              const std::vector<double>& values) {
  const auto n = static_cast<std::size_t>(width);
  std::vector<double> left;
  left.reserve(kept.size() * n);
  for (const std::int32_t row : kept) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * n);
    left.insert(left.end(), from, from + width);
  }
  return left;
}

exec::Array<double> values_of(const Interpolation& interpolation, int height, const exec::Device& device) {
  if (interpolation.weight.empty()) return {device, interpolation.value};
  std::vector<std::int32_t> columns = interpolation.kept;  // the fine blocks that they are
  for (const std::int32_t ghost : interpolation.beside)
    columns.push_back(static_cast<std::int32_t>(interpolation.offset.size()) - 1 + ghost);
  const exec::Array<std::int32_t> kept(device, columns);
  const exec::Array<std::int32_t> offset(device, interpolation.offset);
  const exec::Array<std::int32_t> column(device, interpolation.column);
  const exec::Array<double> weight(device, interpolation.weight);
  const exec::Array<std::int8_t> unknown(device, interpolation.unknown);
  exec::Array<double> value(device, weight.size() * height * height);
  exec::parallel_for(device, offset.size() - 1,
                     kernel::WeightedRow{kept.data(), offset.data(), column.data(), weight.data(),
                                         unknown.data(), height, value.data()});
  return value;
}

exec::Array<double> coarse_modes(const Interpolation& interpolation, int height, int modes,
                                 const exec::Array<double>& fine) {
  const exec::Device& device = fine.device();
  const exec::Array<std::int32_t> kept(device, interpolation.kept);
  const exec::Array<double> behind(device, interpolation.more_modes);
  const kernel::KeptModes body{
      kept.data(), fine.data(), behind.data(), height * modes, (interpolation.width(height) - height) * modes,
      nullptr};
  exec::Array<double> coarse(device, kept.size() * body.size());
  exec::parallel_for(device, coarse.size(), body.into(coarse.data()));
  return coarse;
}

Interpolation first_rows(const Interpolation& all, std::int32_t rows, int height, int modes) {
  const auto n = static_cast<std::size_t>(rows);
  Interpolation made;
  made.offset.assign(all.offset.begin(), all.offset.begin() + static_cast<std::ptrdiff_t>(n + 1));
  const auto blocks = static_cast<std::size_t>(made.offset.back());
  const auto first = [](const auto& values, std::size_t count) {
    using Values = std::remove_cvref_t<decltype(values)>;
    return Values(values.begin(),
                  values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size())));
  };
  const int width = all.width(height);
  const std::size_t entries = blocks * static_cast<std::size_t>(height * width);
  made.column = first(all.column, blocks);
  made.value = first(all.value, entries);
  made.gap = first(all.gap, entries);
  made.weight = first(all.weight, blocks);
  made.unknown = all.unknown;
  const auto own = static_cast<std::size_t>(std::ranges::lower_bound(all.kept, rows) - all.kept.begin());
  made.kept = first(all.kept, own);
  made.more_modes = first(all.more_modes, own * static_cast<std::size_t>((width - height) * modes));
  // Of the columns of others those that are used.
  std::vector<std::int32_t> number(all.kept.size(), -1);
  for (std::size_t c = 0; c < own; ++c) number[c] = static_cast<std::int32_t>(c);
  for (const std::int32_t column : made.column) {
    if (std::cmp_greater_equal(column, own)) number[static_cast<std::size_t>(column)] = 0;
  }
  for (std::size_t c = own; c < number.size(); ++c) {
    if (number[c] < 0) continue;
    number[c] = static_cast<std::int32_t>(own + made.beside.size());
    made.beside.push_back(all.kept[c] - rows);
  }
  for (std::int32_t& column : made.column) column = number[static_cast<std::size_t>(column)];
  if (made.beside.empty() && !made.unknown.empty()) made.unknown.resize(n * static_cast<std::size_t>(height));
  return made;
}

Interpolation renumbered(Interpolation interpolation, int height, std::span<const std::int32_t> number) {
  const auto h = static_cast<std::size_t>(height);
  const auto w = static_cast<std::size_t>(interpolation.width(height));
  const auto reordered = [&](std::vector<double>& values, std::size_t row, std::size_t lines,
                             std::size_t wide, const std::vector<std::size_t>& order) {
    if (values.empty()) return;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * lines * wide);
    const std::vector<double> old(first, first + static_cast<std::ptrdiff_t>(order.size() * lines * wide));
    auto to = first;
    for (std::size_t i = 0; i < lines; ++i) {
      for (const std::size_t k : order)
        to = std::copy_n(old.begin() + static_cast<std::ptrdiff_t>((i * order.size() + k) * wide), wide, to);
    }
  };
  std::vector<std::size_t> order;
  std::vector<std::int32_t> columns;
  for (std::size_t r = 0; r + 1 < interpolation.offset.size(); ++r) {
    const auto first = static_cast<std::size_t>(interpolation.offset[r]);
    const auto last = static_cast<std::size_t>(interpolation.offset[r + 1]);
    columns.clear();
    for (std::size_t k = first; k < last; ++k)
      columns.push_back(number[static_cast<std::size_t>(interpolation.column[k])]);
    order.resize(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return columns[k]; });
    for (std::size_t k = 0; k < order.size(); ++k) interpolation.column[first + k] = columns[order[k]];
    reordered(interpolation.value, first, h, w, order);
    reordered(interpolation.gap, first, h, w, order);
    reordered(interpolation.weight, first, 1, 1, order);
  }
  interpolation.beside.clear();
  return interpolation;
}

void add_springs(const sparse::BlockCsr<double>& fine, const sparse::BlockCsr<double>& left,
                 const sparse::BlockCsr<double>& gaps, double share, sparse::BlockCsr<double>& coarse) {
  sparse::BlockCsr<double> forces = gaps.to(gaps.device());
  exec::parallel_for(fine.device(), fine.rows(),
                     kernel::StiffenRow{fine.view(), gaps.height(), gaps.width(), share, gaps.offset().data(),
                                        gaps.value().data(), forces.value().data()});
  const sparse::BlockCsr<double> springs = sparse::multiply(sparse::transpose(left), forces);
  exec::parallel_for(coarse.device(), coarse.rows(),
                     kernel::AddRow{springs.view(), coarse.height(), coarse.width(), coarse.offset().data(),
                                    coarse.column().data(), coarse.value().data()});
}

}  // namespace setka::solve
