// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// P'AP of a symmetric A on the host: the blocks on and above the diagonal are computed, the others mirrored.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/detail/row_sums.hpp"
#include "setka/sparse/spgemm.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::sparse {
namespace {

/// The blocks of a row as they come, with their sums.
template <int H, int W>
class OpenRow {
 public:
  static constexpr int padded = host::RowVectors<W>::padded;

  explicit OpenRow(std::int32_t columns) : places_(columns) {}

  void begin() {
    ++number_;
    column_.clear();
    sums_.clear();
  }
  /// [H, padded], zeros at first.
  double* at(std::int32_t column) {
    if (places_.is_new(column, number_)) {
      places_[column] = static_cast<std::int32_t>(column_.size());
      column_.push_back(column);
      sums_.resize(sums_.size() + std::size_t{H} * padded, 0.0);
    }
    return sums_.data() + std::int64_t{places_[column]} * H * padded;
  }
  const std::vector<std::int32_t>& columns() const { return column_; }
  const double* sums() const { return sums_.data(); }

 private:
  host::Places places_;
  std::int64_t number_ = -1;
  std::vector<std::int32_t> column_;
  std::vector<double> sums_;
};

/// Rows of the upper triangle, those of a share one after the other; blocks [W, W] each by itself.
struct Upper {
  std::vector<std::int32_t> column;
  std::vector<double> value;
};

/// Rows of R (A P) from the diagonal on. Where A P is not given its rows are made anew for each row of R that
/// meets them, from the diagonal on as well: with two coarse blocks a fine one that is no more work than to
/// make them once, and they need no memory, which would be more than that of A.
template <int B, int W>
void upper_rows(const host::Shares& shares, const BlockCsrView<double>& r, const BlockCsrView<double>& a,
                const BlockCsrView<double>& p, const BlockCsr<double>* ap, std::vector<Upper>& upper,
                std::vector<std::int32_t>& counts) {
  const double* const end_of_p = p.value + std::int64_t{p.offset[p.rows]} * B * W;
  struct Own {
    OpenRow<W, W> coarse;
    OpenRow<B, W> fine;  // of A P
    std::vector<std::int32_t> order;
  };
  const auto start = [&] { return Own{OpenRow<W, W>(p.columns), OpenRow<B, W>(p.columns), {}}; };
  shares.for_rows(start, [&](std::int64_t share, std::int32_t row, Own& own) {
    own.coarse.begin();
    for (std::int32_t k = r.offset[row]; k < r.offset[row + 1]; ++k) {
      const std::int32_t i = r.column[k];
      double left[W][B];
      host::load_block(r, r.offset[row], r.offset[row + 1], k, left);
      if (ap != nullptr) {
        const BlockCsrView<double> stored = ap->view();
        const std::int32_t begin = stored.offset[i];
        const std::int32_t end = stored.offset[i + 1];
        const std::int64_t stride = std::int64_t{end - begin} * W;
        const double* const values = stored.value + std::int64_t{begin} * B * W;
        for (std::int32_t m = first_not_below(stored.column, begin, end, row); m < end; ++m)
          host::add_block_product<W, B, W>(left, values + std::int64_t{m - begin} * W, stride,
                                           own.coarse.at(stored.column[m]),
                                           stored.value + ap->value().size());
        continue;
      }
      own.fine.begin();
      for (std::int32_t q = a.offset[i]; q < a.offset[i + 1]; ++q) {
        const std::int32_t j = a.column[q];
        const std::int32_t begin = p.offset[j];
        const std::int32_t end = p.offset[j + 1];
        if (begin == end || p.column[end - 1] < row) continue;
        double block[B][B];
        host::load_block(a, a.offset[i], a.offset[i + 1], q, block);
        const std::int64_t stride = std::int64_t{end - begin} * W;
        const double* const values = p.value + std::int64_t{begin} * B * W;
        for (std::int32_t m = begin; m < end; ++m) {
          if (p.column[m] < row) continue;
          host::add_block_product<B, B, W>(block, values + std::int64_t{m - begin} * W, stride,
                                           own.fine.at(p.column[m]), end_of_p);
        }
      }
      const double* sums = own.fine.sums();
      for (const std::int32_t column : own.fine.columns()) {
        host::add_block_product<W, B, W>(left, sums, OpenRow<B, W>::padded, own.coarse.at(column));
        sums += B * OpenRow<B, W>::padded;
      }
    }
    const std::vector<std::int32_t>& columns = own.coarse.columns();
    own.order.resize(columns.size());
    std::iota(own.order.begin(), own.order.end(), 0);
    std::sort(own.order.begin(), own.order.end(), [&](std::int32_t x, std::int32_t y) {
      return columns[static_cast<std::size_t>(x)] < columns[static_cast<std::size_t>(y)];
    });
    Upper& to = upper[static_cast<std::size_t>(share)];
    counts[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(columns.size());
    for (const std::int32_t at : own.order) {
      to.column.push_back(columns[static_cast<std::size_t>(at)]);
      const double* from = own.coarse.sums() + std::int64_t{at} * W * OpenRow<W, W>::padded;
      for (int line = 0; line < W; ++line, from += OpenRow<W, W>::padded)
        to.value.insert(to.value.end(), from, from + W);
      if (to.column.back() != row) continue;
      double* const diagonal = &to.value[to.value.size() - std::size_t{W} * W];
      for (int i = 1; i < W; ++i) {
        for (int j = 0; j < i; ++j) diagonal[i * W + j] = diagonal[j * W + i];
      }
    }
  });
}

/// Where the blocks of the upper triangle and their mirror images go.
struct Mirror {
  std::vector<std::int64_t> first;   // [rows + 1] of the upper triangle
  std::vector<std::int32_t> column;  // of the upper triangle
  std::vector<std::int32_t> below;   // [rows] blocks below the diagonal
  std::vector<std::int32_t> place;   // [upper blocks] of the image within its row
};

Mirror mirror_of(const host::Shares& shares, const std::vector<Upper>& upper,
                 const std::vector<std::int32_t>& counts) {
  Mirror made;
  made.first.assign(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) made.first[i + 1] = made.first[i] + counts[i];
  made.column.reserve(static_cast<std::size_t>(made.first.back()));
  for (std::int64_t share = 0; share < shares.count(); ++share) {
    const std::vector<std::int32_t>& columns = upper[static_cast<std::size_t>(share)].column;
    made.column.insert(made.column.end(), columns.begin(), columns.end());
  }
  made.below.assign(counts.size(), 0);
  made.place.resize(made.column.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (auto k = static_cast<std::size_t>(made.first[i]); k < static_cast<std::size_t>(made.first[i + 1]);
         ++k) {
      const auto j = static_cast<std::size_t>(made.column[k]);
      if (j != i) made.place[k] = made.below[j]++;
    }
  }
  return made;
}

template <int W>
BlockCsr<double> symmetric(const exec::Device& cpu, const host::Shares& shares, std::vector<Upper> upper,
                           const std::vector<std::int32_t>& counts) {
  const Mirror mirror = mirror_of(shares, upper, counts);
  const auto rows = static_cast<std::int32_t>(counts.size());
  exec::Array<std::int32_t> offset(cpu, std::int64_t{rows} + 1);
  std::int64_t blocks = 0;
  for (std::int32_t i = 0; i < rows; ++i) {
    offset.data()[i] = static_cast<std::int32_t>(blocks);
    blocks += mirror.below[static_cast<std::size_t>(i)] + counts[static_cast<std::size_t>(i)];
    require(blocks <= std::numeric_limits<std::int32_t>::max(),
            "sparse product: more blocks than 32 bits count");
  }
  offset.data()[rows] = static_cast<std::int32_t>(blocks);
  exec::Array<std::int32_t> column(cpu, blocks);
  exec::Array<double> value(cpu, blocks * W * W);
  const auto put = [&](std::int32_t i, std::int32_t place, std::int32_t j, const double* block, int along,
                       int down) {
    const std::int64_t begin = offset.data()[i];
    const std::int64_t stride = (offset.data()[i + 1] - begin) * W;
    column.data()[begin + place] = j;
    double* const to = value.data() + begin * W * W + std::int64_t{place} * W;
    for (int r = 0; r < W; ++r) {
      for (int c = 0; c < W; ++c) to[r * stride + c] = block[r * down + c * along];
    }
  };
  shares.for_rows(
      [] { return 0; },
      [&](std::int64_t share, std::int32_t i, int) {
        const std::int64_t share_begins = mirror.first[static_cast<std::size_t>(shares.begin(share))];
        for (std::int64_t k = mirror.first[static_cast<std::size_t>(i)];
             k < mirror.first[static_cast<std::size_t>(i) + 1]; ++k) {
          const double* const block =
              upper[static_cast<std::size_t>(share)].value.data() + (k - share_begins) * W * W;
          const std::int32_t j = mirror.column[static_cast<std::size_t>(k)];
          const auto among = static_cast<std::int32_t>(k - mirror.first[static_cast<std::size_t>(i)]);
          put(i, mirror.below[static_cast<std::size_t>(i)] + among, j, block, 1, W);
          if (j != i) put(j, mirror.place[static_cast<std::size_t>(k)], i, block, W, 1);
        }
      });
  return {rows, rows, W, W, std::move(offset), std::move(column), std::move(value)};
}

/// In how many parts the rows of A that are copied and those of A P take a quarter of what is free. A row of
/// A P is taken to have three times the blocks of one of P, as aggregates of three nodes along each edge make
/// it have.
std::int64_t parts_for_memory(const BlockCsr<double>& a, const BlockCsr<double>& p) {
  const double product = 3 * static_cast<double>(p.bytes());
  const auto free = static_cast<double>(a.device().info().free_memory);
  if (product < free / 2) return 1;
  const double of_parts = static_cast<double>(a.bytes()) + product;
  return std::max(std::int64_t{2}, static_cast<std::int64_t>(std::ceil(of_parts / (free / 4))));
}

}  // namespace

BlockCsr<double> galerkin(const BlockCsr<double>& r, const BlockCsr<double>& a, const BlockCsr<double>& p) {
  require(a.rows() == a.columns() && a.height() == a.width() && a.rows() == p.rows() &&
              a.height() == p.height() && r.rows() == p.columns() && r.columns() == p.rows() &&
              r.height() == p.width() && r.width() == p.height(),
          [&] {
            return fmt::format("galerkin: [{} x {}] times [{} x {}] times [{} x {}]", r.scalar_rows(),
                               r.scalar_columns(), a.scalar_rows(), a.scalar_columns(), p.scalar_rows(),
                               p.scalar_columns());
          });
  if (a.device().is_cuda()) {
    const std::int64_t parts = parts_for_memory(a, p);
    if (parts > 1)
      return galerkin_in_parts(r, a, p, static_cast<std::int32_t>((r.rows() + parts - 1) / parts));
    return multiply(r, multiply(a, p));
  }
  std::optional<BlockCsr<double>> ap;
  if (p.blocks() > 2 * std::int64_t{p.rows()}) ap = multiply(a, p);
  const host::Shares shares(a.device().threads(), r.rows());
  std::vector<Upper> upper(static_cast<std::size_t>(shares.count()));
  std::vector<std::int32_t> counts(static_cast<std::size_t>(r.rows()));
  std::optional<BlockCsr<double>> made;
  with_block_product(r.height(), p.height(), p.width(), [&](auto h, auto m, auto w) {
    if constexpr (h() == w()) {
      upper_rows<m(), w()>(shares, r.view(), a.view(), p.view(), ap ? &*ap : nullptr, upper, counts);
      ap.reset();
      made = symmetric<w()>(a.device(), shares, std::move(upper), counts);
    }
  });
  return std::move(*made);
}

}  // namespace setka::sparse
