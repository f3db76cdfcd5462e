// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/interpolation.hpp"

#include <cstddef>
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
          static_cast<std::int32_t>(interpolation.kept.size()),
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
  return interpolation.offset.size() == static_cast<std::size_t>(rows) + 1 &&
         blocks == static_cast<std::size_t>(interpolation.offset.back()) && width >= height &&
         (interpolation.weight.empty()
              ? interpolation.value.size() == blocks * static_cast<std::size_t>(height * width)
              : interpolation.value.empty() && interpolation.weight.size() == blocks &&
                    interpolation.unknown.size() ==
                        static_cast<std::size_t>(rows) * static_cast<std::size_t>(height)) &&
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
  const exec::Array<std::int32_t> kept(device, interpolation.kept);
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

void add_springs(const sparse::BlockCsr<double>& fine, const sparse::BlockCsr<double>& gaps, double share,
                 sparse::BlockCsr<double>& coarse) {
  sparse::BlockCsr<double> forces = gaps.to(gaps.device());
  exec::parallel_for(fine.device(), fine.rows(),
                     kernel::StiffenRow{fine.view(), gaps.height(), gaps.width(), share, gaps.offset().data(),
                                        gaps.value().data(), forces.value().data()});
  const sparse::BlockCsr<double> springs = sparse::multiply(sparse::transpose(gaps), forces);
  exec::parallel_for(coarse.device(), coarse.rows(),
                     kernel::AddRow{springs.view(), coarse.height(), coarse.width(), coarse.offset().data(),
                                    coarse.column().data(), coarse.value().data()});
}

}  // namespace setka::solve
