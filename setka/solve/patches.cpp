// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/patches.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scan.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/solve/patches_kernel.hpp"
#include "setka/sparse/block_shapes.hpp"

namespace setka::solve {
namespace {

struct Pair {
  float coupling;
  std::int32_t i;  // less than j
  std::int32_t j;
};

/// Rows that couple by more than that, on the host.
std::vector<Pair> strong_pairs(const sparse::BlockCsr<double>& a, exec::View<const double> inverse_blocks,
                               double least) {
  const exec::Stream stream = a.device();
  const exec::Scratch<float> coupling(stream, a.blocks());
  const exec::Scratch<double> inverse_size(stream, a.rows());
  sparse::with_block_size("strong_patches", a.height(), [&](auto size) {
    exec::parallel_for(stream, a.rows(),
                       kernel::InverseSize<size()>{inverse_blocks.data, inverse_size.data()});
    exec::parallel_for(
        stream, a.rows(),
        kernel::Couple<size()>{a.view(), inverse_blocks.data, inverse_size.data(), least, coupling.data()});
  });
  exec::Array<std::int32_t> offset(a.device(), std::int64_t{a.rows()} + 1);
  exec::parallel_for(stream, a.rows(), kernel::CountCoupled{a.view(), coupling.data(), offset.data()});
  exec::exclusive_scan<std::int32_t>(stream, offset, offset);
  const std::int32_t count = exec::value_at(stream, offset.view().part(a.rows(), 1));
  if (count == 0) return {};
  exec::Array<std::int32_t> row(a.device(), count);
  exec::Array<std::int32_t> column(a.device(), count);
  exec::Array<float> strength(a.device(), count);
  exec::parallel_for(stream, a.rows(),
                     kernel::ListCoupled{a.view(), coupling.data(), offset.data(), row.data(), column.data(),
                                         strength.data()});
  const std::vector<std::int32_t> rows = row.to_vector();
  const std::vector<std::int32_t> columns = column.to_vector();
  const std::vector<float> strengths = strength.to_vector();
  std::vector<Pair> pairs;
  pairs.reserve(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) pairs.push_back({strengths[k], rows[k], columns[k]});
  return pairs;
}

/// Patches of up to max_members: first[p] .. first[p + 1] of the members.
struct Grouped {
  std::vector<std::int32_t> first{0};
  std::vector<std::int32_t> member;
};

/// Joins the strongest pairs first; a pair that would make too large a patch is left apart.
Grouped grouped(std::vector<Pair> pairs, int max_members) {
  std::ranges::sort(pairs, [](const Pair& p, const Pair& q) {
    return std::tuple(-p.coupling, p.i, p.j) < std::tuple(-q.coupling, q.i, q.j);
  });
  // Over the rows that are in a pair, which are few.
  std::vector<std::int32_t> rows;
  for (const Pair& pair : pairs) rows.insert(rows.end(), {pair.i, pair.j});
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<std::size_t> parent(rows.size());
  std::vector<int> size(rows.size(), 1);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::int32_t row) {
    auto at = static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin());
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const Pair& pair : pairs) {
    const auto [one, other] = std::minmax({root(pair.i), root(pair.j)});
    if (one == other || size[one] + size[other] > max_members) continue;
    parent[other] = one;
    size[one] += size[other];
  }
  // By the first row of each, rows ascending: a root is the first of its patch.
  std::vector<std::vector<std::int32_t>> patches(rows.size());
  for (const std::int32_t row : rows) patches[root(row)].push_back(row);
  Grouped made;
  for (const std::vector<std::int32_t>& patch : patches) {
    if (patch.size() < 2) continue;
    made.member.insert(made.member.end(), patch.begin(), patch.end());
    made.first.push_back(static_cast<std::int32_t>(made.member.size()));
  }
  return made;
}

}  // namespace

std::optional<Patches> strong_patches(const sparse::BlockCsr<double>& a,
                                      exec::View<const double> inverse_blocks, double coupling,
                                      int max_members) {
  require(max_members >= 2 && max_members * a.height() <= kernel::max_patch_unknowns,
          "strong_patches: a patch has two members or more, and 48 unknowns at most");
  const Grouped made = grouped(strong_pairs(a, inverse_blocks, coupling), max_members);
  if (made.member.empty()) return {};
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> columns;
  const auto patches = static_cast<std::int64_t>(made.first.size()) - 1;
  for (std::size_t p = 0; p + 1 < made.first.size(); ++p) {
    const auto begin = made.member.begin() + made.first[p];
    const auto end = made.member.begin() + made.first[p + 1];
    for (auto member = begin; member != end; ++member) {
      columns.insert(columns.end(), begin, end);
      offsets.push_back(static_cast<std::int32_t>(columns.size()));
    }
  }
  const exec::Device& device = a.device();
  const int n = a.height();
  const exec::Array<std::int32_t> first(device, made.first);
  exec::Array<std::int32_t> row(device, made.member);
  exec::Array<std::int32_t> offset(device, offsets);
  exec::Array<double> value(device, static_cast<std::int64_t>(columns.size()) * n * n);
  sparse::with_block_size("strong_patches", n, [&](auto size) {
    exec::parallel_for(
        device, patches,
        kernel::InvertPatch<size()>{a.view(), first.data(), row.data(), offset.data(), value.data()});
  });
  const sparse::BlockCsr<double> inverse(static_cast<std::int32_t>(made.member.size()), a.columns(), n, n,
                                         std::move(offset), exec::Array<std::int32_t>(device, columns),
                                         std::move(value));
  return Patches{std::move(row), inverse.cast<float>()};
}

void clear_rows(const exec::Stream& stream, const Patches& patches, exec::View<float> blocks) {
  const int n = patches.inverse.height();
  exec::parallel_for(stream, patches.row.size(), kernel::ClearRow{patches.row.data(), n * n, blocks.data});
}

void residual_of_rows(const exec::Stream& stream, const Patches& patches, const sparse::BlockCsr<float>& a,
                      exec::MultiView<const float> f, exec::MultiView<const float> x,
                      exec::MultiView<float> r) {
  sparse::with_block_size("Patches", a.height(), [&](auto size) {
    exec::parallel_for(stream, patches.row.size() * f.columns,
                       kernel::PatchResidual<size()>{patches.row.data(), a.view(), f, x, r});
  });
}

void add_product(const exec::Stream& stream, const Patches& patches, float factor,
                 exec::MultiView<const float> r, exec::MultiView<float> y, exec::MultiView<float> also) {
  sparse::with_block_size("Patches", patches.inverse.height(), [&](auto size) {
    exec::parallel_for(
        stream, patches.row.size() * r.columns,
        kernel::AddPatchRow<size()>{factor, patches.row.data(), patches.inverse.view(), r, y, also});
  });
}

}  // namespace setka::solve
