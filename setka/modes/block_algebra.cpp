// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/block_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/block.hpp"

namespace setka::modes {
namespace {

using solve::SmallMatrix;

constexpr std::int64_t downward = 8;  // small matrices that come to the host together
constexpr std::int64_t upward = 24;   // that are on their way to the device between two waits

}  // namespace

BlockAlgebra::BlockAlgebra(const exec::Stream& stream, std::int64_t max_columns, const exec::Member* member)
    : stream_(stream),
      member_(member),
      room_(std::max<std::int64_t>(max_columns * max_columns, 2)),
      on_device_(stream.device(), (downward + upward) * room_),
      on_host_(exec::host_array_for<double>(stream.device(), (downward + upward) * room_)) {}

void BlockAlgebra::complete(std::size_t places) {
  if (member_ != nullptr)
    member_->sum(stream_, {on_device_.data(), static_cast<std::int64_t>(places) * room_});
}

/// From the places to the host; waits.
void BlockAlgebra::fetch(std::span<SmallMatrix> matrices) {
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const auto size = static_cast<std::int64_t>(matrices[k].value.size());
    if (size == 0) continue;
    const std::int64_t at = static_cast<std::int64_t>(k) * room_;
    exec::copy_async<double>(stream_, exec::View<const double>{on_device_.data() + at, size},
                             {on_host_.data() + at, size});
  }
  stream_.synchronize();
  next_ = 0;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    std::copy_n(on_host_.data() + static_cast<std::int64_t>(k) * room_, matrices[k].value.size(),
                matrices[k].value.data());
  }
}

std::vector<SmallMatrix> BlockAlgebra::inner(const std::vector<std::pair<ConstBlock, ConstBlock>>& pairs) {
  std::vector<SmallMatrix> products(pairs.size());
  for (std::size_t first = 0; first < pairs.size(); first += downward) {
    const std::size_t last = std::min(pairs.size(), first + downward);
    std::vector<exec::InnerTerm<double>> terms;
    for (std::size_t k = first; k < last; ++k) {
      const auto& [x, y] = pairs[k];
      products[k] = SmallMatrix(x.columns, y.columns);
      terms.push_back({x, y, place(k - first, x.columns, y.columns)});
    }
    exec::inner(stream_, terms);
    complete(last - first);
    fetch(std::span(products).subspan(first, last - first));
  }
  return products;
}

std::vector<SmallMatrix> BlockAlgebra::computed(std::int64_t columns,
                                                const std::vector<std::function<void(Block)>>& functions) {
  require(static_cast<std::int64_t>(functions.size()) <= downward,
          "BlockAlgebra: more matrices than come to the host together");
  std::vector<SmallMatrix> matrices(functions.size(), SmallMatrix(columns, columns));
  for (std::size_t k = 0; k < functions.size(); ++k) functions[k](place(k, columns, columns));
  fetch(matrices);
  return matrices;
}

std::vector<std::vector<double>> BlockAlgebra::column_dots(
    const std::vector<std::pair<ConstBlock, ConstBlock>>& pairs) {
  std::vector<std::vector<double>> dots(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::int64_t at = static_cast<std::int64_t>(k) * room_;
    const std::int64_t size = pairs[k].first.columns;
    if (size == 0) continue;
    exec::column_dots(stream_, pairs[k].first, pairs[k].second, {on_device_.data() + at, size});
  }
  complete(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::int64_t at = static_cast<std::int64_t>(k) * room_;
    const std::int64_t size = pairs[k].first.columns;
    if (size == 0) continue;
    exec::copy_async<double>(stream_, exec::View<const double>{on_device_.data() + at, size},
                             {on_host_.data() + at, size});
  }
  stream_.synchronize();
  next_ = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double* const from = on_host_.data() + static_cast<std::int64_t>(k) * room_;
    dots[k].assign(from, from + pairs[k].first.columns);
  }
  return dots;
}

exec::View<double> BlockAlgebra::to_device(const std::vector<double>& values) {
  if (next_ == upward) {  // the host memory of a place is in use until the stream has passed it
    stream_.synchronize();
    next_ = 0;
  }
  const std::int64_t at = (downward + next_++) * room_;
  const auto size = static_cast<std::int64_t>(values.size());
  std::copy(values.begin(), values.end(), on_host_.data() + at);
  exec::copy_async<double>(stream_, exec::View<const double>{on_host_.data() + at, size},
                           {on_device_.data() + at, size});
  return {on_device_.data() + at, size};
}

void BlockAlgebra::multiply(double a, ConstBlock x, const SmallMatrix& s, double b, Block y) {
  if (s.value.empty() && b == 1) return;
  const exec::View<double> there = to_device(s.value);
  exec::multiply_small(stream_, a, x, ConstBlock{there.data, s.rows, s.columns, s.columns}, b, y);
}

void BlockAlgebra::combine(const std::vector<std::pair<ConstBlock, const SmallMatrix*>>& terms, double b,
                           ConstBlock z, Block y) {
  std::vector<exec::SmallTerm<double>> there;
  for (const auto& [x, s] : terms) {
    if (s->value.empty()) continue;
    there.push_back({x, {to_device(s->value).data, s->rows, s->columns, s->columns}});
  }
  exec::combine(stream_, there, b, z, y);
}

void BlockAlgebra::add_scaled_columns(const std::vector<double>& a, ConstBlock x, Block y) {
  const exec::View<double> scales = to_device(a);
  const exec::View<double> ones = to_device(std::vector<double>(a.size(), 1.0));
  exec::axpby_columns(stream_, scales, x, ones, y);
}

SmallEigen symmetric_eigen(const SmallMatrix& a) {
  Eigenpairs pairs = eigenpairs(symmetric_part(a.view()));
  return {std::move(pairs.value), solve::small_matrix(pairs.vector)};
}

std::optional<SmallEigen> generalised_eigen(const SmallMatrix& h, const SmallMatrix& g, std::int64_t count,
                                            double min_pivot) {
  const std::vector<double> scale = unit_scales(g.view());
  const DenseCholesky cholesky(scaled(g.view(), scale, scale));
  if (!cholesky.definite() || !(cholesky.min_pivot() >= min_pivot)) return {};
  Dense reduced = scaled(h.view(), scale, scale);
  cholesky.solve_lower(reduced);
  cholesky.solve_transposed_on_right(reduced);
  Eigenpairs pairs = eigenpairs(symmetric_part(reduced));
  pairs.value.resize(static_cast<std::size_t>(count));
  const DenseView<double> lowest = pairs.vector.column_range(0, count);
  cholesky.solve_transposed(lowest);
  return SmallEigen{std::move(pairs.value), solve::small_matrix(scaled_rows(lowest, scale))};
}

SmallMatrix sandwiched(const SmallMatrix& a, const SmallMatrix& b, const SmallMatrix& c) {
  SmallMatrix made(a.columns, c.columns);
  setka::multiply(1, a.view().transposed(), product(b.view(), c.view()), 0, made.view());
  return made;
}

}  // namespace setka::modes
