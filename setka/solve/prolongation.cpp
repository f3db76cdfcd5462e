// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/prolongation.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "setka/exec/parallel.hpp"
#include "setka/solve/prolongation_kernel.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
namespace {

/// Block rows of each aggregate: member[first[g] .. first[g + 1]).
struct Members {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> member;
};

Members members_of(const Aggregates& aggregates) {
  Members members;
  members.first.assign(static_cast<std::size_t>(aggregates.count) + 1, 0);
  for (const std::int32_t g : aggregates.of) {
    if (g >= 0) ++members.first[static_cast<std::size_t>(g) + 1];
  }
  for (std::size_t g = 0; g + 1 < members.first.size(); ++g) members.first[g + 1] += members.first[g];
  members.member.resize(static_cast<std::size_t>(members.first.back()));
  std::vector<std::int32_t> next(members.first.begin(), members.first.end() - 1);
  for (std::size_t i = 0; i < aggregates.of.size(); ++i) {
    const std::int32_t g = aggregates.of[i];
    if (g >= 0) {
      members.member[static_cast<std::size_t>(next[static_cast<std::size_t>(g)]++)] =
          static_cast<std::int32_t>(i);
    }
  }
  return members;
}

}  // namespace

Tentative tentative_prolongation(const sparse::BlockCsr<double>& a, const Aggregates& aggregates,
                                 exec::View<const double> modes, int m) {
  const exec::Device& device = a.device();
  const int n = a.height();
  const std::int32_t rows = a.rows();
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(rows) + 1);
  for (std::size_t i = 0; i < aggregates.of.size(); ++i)
    offsets[i + 1] = offsets[i] + (aggregates.of[i] >= 0 ? 1 : 0);
  const std::int32_t blocks = offsets.back();
  exec::Array<std::int32_t> offset(device, offsets);
  exec::Array<std::int32_t> column(device, blocks);
  exec::Array<double> value(device, std::int64_t{blocks} * n * m);
  exec::Array<double> coarse(device, std::int64_t{aggregates.count} * m * m);
  const Members members = members_of(aggregates);
  const exec::Array<std::int32_t> first(device, members.first);
  const exec::Array<std::int32_t> member(device, members.member);
  const kernel::Orthonormalise orthonormalise{n,
                                              m,
                                              first.data(),
                                              member.data(),
                                              offset.data(),
                                              modes.data,
                                              column.data(),
                                              value.data(),
                                              coarse.data()};
  exec::parallel_for(device, aggregates.count, orthonormalise);
  return {sparse::BlockCsr<double>(rows, aggregates.count, n, m, std::move(offset), std::move(column),
                                   std::move(value)),
          std::move(coarse)};
}

sparse::BlockCsr<double> smooth_prolongation(const sparse::BlockCsr<double>& a,
                                             exec::View<const double> inverse_blocks, double omega,
                                             const sparse::BlockCsr<double>& tentative) {
  sparse::BlockCsr<double> p = sparse::multiply(a, tentative);
  const auto smooth = [&](auto size) {
    exec::parallel_for(
        a.device(), a.rows(),
        kernel::SmoothRow<size()>{omega, tentative.width(), inverse_blocks.data, tentative.view(),
                                  p.offset().data(), p.column().data(), p.value().data()});
  };
  switch (a.height()) {
    case 1:
      smooth(std::integral_constant<int, 1>{});
      break;
    case 2:
      smooth(std::integral_constant<int, 2>{});
      break;
    case 3:
      smooth(std::integral_constant<int, 3>{});
      break;
    default:
      smooth(std::integral_constant<int, 6>{});
  }
  return p;
}

}  // namespace setka::solve
