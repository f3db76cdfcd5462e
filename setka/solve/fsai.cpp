// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/fsai.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/solve/precision.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/block_csr_product.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
namespace {

using View = sparse::BlockCsrView<double>;

/// A pivot below this part of its diagonal is rounding, as in invert_block().
constexpr double lost_pivot = 1e-12;

/// Value (0, 0) of block k, which lies in row i; the next scalar row is `blocks in the row * N` further.
template <int N>
const double* block_at(const View& a, std::int64_t i, std::int32_t k) {
  return a.value + std::int64_t{a.offset[i]} * N * N + std::int64_t{k - a.offset[i]} * N;
}

template <int N>
double square_of_block(const View& a, std::int64_t i, std::int32_t k) {
  const std::int64_t width = std::int64_t{a.offset[i + 1] - a.offset[i]} * N;
  const double* const block = block_at<N>(a, i, k);
  double sum = 0;
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) sum += block[r * width + c] * block[r * width + c];
  }
  return sum;
}

/// Frobenius norms of the diagonal blocks; 0 where a row has none.
template <int N>
std::vector<double> diagonal_sizes(const View& a, int threads) {
  std::vector<double> size(static_cast<std::size_t>(a.rows), 0.0);
  exec::host::for_each(threads, a.rows, 256, [&](std::int64_t i) {
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      if (a.column[k] == i) size[static_cast<std::size_t>(i)] = std::sqrt(square_of_block<N>(a, i, k));
    }
  });
  return size;
}

/// visit(column) for the blocks of row i of G, ascending; the diagonal block is always the last.
template <int N, class Visit>
void each_kept_column(const View& a, const std::vector<double>& diagonal, double drop, std::int64_t i,
                      const Visit& visit) {
  for (std::int32_t k = a.offset[i]; k < a.offset[i + 1] && a.column[k] < i; ++k) {
    const double scale =
        diagonal[static_cast<std::size_t>(i)] * diagonal[static_cast<std::size_t>(a.column[k])];
    if (square_of_block<N>(a, i, k) > drop * drop * scale) visit(a.column[k]);
  }
  visit(static_cast<std::int32_t>(i));
}

/// The small problem of one block row: the part of A over the row's pattern, factorised in place.
template <int N>
class RowProblem {
 public:
  /// The lower triangle of A over `count` block columns.
  void gather(const View& a, const std::int32_t* columns, std::int32_t count) {
    size_ = std::int64_t{count} * N;
    l_.assign(static_cast<std::size_t>(size_ * size_), 0.0);
    for (std::int32_t p = 0; p < count; ++p) {
      const std::int32_t i = columns[p];
      const std::int64_t width = std::int64_t{a.offset[i + 1] - a.offset[i]} * N;
      std::int32_t q = 0;
      for (std::int32_t k = a.offset[i]; k < a.offset[i + 1] && a.column[k] <= i; ++k) {
        while (columns[q] < a.column[k]) ++q;  // ends: column i itself is among them
        if (columns[q] != a.column[k]) continue;
        const double* const from = block_at<N>(a, i, k);
        for (int r = 0; r < N; ++r) {
          std::copy_n(from + r * width, N, row(std::int64_t{p} * N + r) + std::int64_t{q} * N);
        }
      }
    }
  }

  /// A = L L', row by row. An unknown whose pivot is nothing or lost is left out of the problem.
  void factorise() {
    reciprocal_.resize(static_cast<std::size_t>(size_));
    own_diagonal_.clear();
    for (std::int64_t i = 0; i < size_; ++i) {
      double* const at = row(i);
      const double diagonal = at[i];
      if (i >= size_ - N) own_diagonal_.push_back(diagonal);
      for (std::int64_t j = 0; j < i; ++j) {
        at[j] = (at[j] - sparse::host::contiguous_dot(at, row(j), j)) * reciprocal(j);
      }
      const double pivot = diagonal - sparse::host::contiguous_dot(at, at, i);
      reciprocal(i) = pivot > lost_pivot * std::abs(diagonal) ? 1 / std::sqrt(pivot) : 0.0;
    }
  }

  /// The last N columns of the inverse of L', which are the rows of G: [N, size].
  void solve(double* g) {
    for (int r = 0; r < N; ++r) {
      double* const x = g + r * size_;
      const std::int64_t own = size_ - N + r;
      std::fill_n(x, size_, 0.0);
      if (reciprocal(own) == 0) {
        const double diagonal = std::abs(own_diagonal_[static_cast<std::size_t>(r)]);
        x[own] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0.0;
        continue;
      }
      x[own] = 1;
      for (std::int64_t k = own; k >= 0; --k) {
        x[k] *= reciprocal(k);
        const double* const from = row(k);
        for (std::int64_t p = 0; p < k; ++p) x[p] -= from[p] * x[k];
      }
    }
  }

 private:
  double* row(std::int64_t i) { return l_.data() + i * size_; }
  double& reciprocal(std::int64_t i) { return reciprocal_[static_cast<std::size_t>(i)]; }

  std::int64_t size_ = 0;
  std::vector<double> l_;           // [size, size], the lower triangle is used
  std::vector<double> reciprocal_;  // of the pivots of L; 0 for what was left out
  std::vector<double> own_diagonal_;
};

template <int N>
sparse::BlockCsr<double> factor(const sparse::BlockCsr<double>& matrix, double drop) {
  const exec::Device& cpu = matrix.device();
  const View a = matrix.view();
  const std::vector<double> diagonal = diagonal_sizes<N>(a, cpu.threads());
  exec::Array<std::int32_t> offset(cpu, std::int64_t{a.rows} + 1);
  offset.data()[0] = 0;
  exec::host::for_each(cpu.threads(), a.rows, 256, [&](std::int64_t i) {
    std::int32_t count = 0;
    each_kept_column<N>(a, diagonal, drop, i, [&](std::int32_t) { ++count; });
    offset.data()[i + 1] = count;
  });
  for (std::int32_t i = 0; i < a.rows; ++i) offset.data()[i + 1] += offset.data()[i];
  exec::Array<std::int32_t> column(cpu, offset.data()[a.rows]);
  exec::Array<double> value(cpu, column.size() * N * N);
  exec::host::for_each(cpu.threads(), a.rows, 16, [&](std::int64_t i) {
    thread_local RowProblem<N> problem;
    const std::int32_t begin = offset.data()[i];
    std::int32_t* const columns = column.data() + begin;
    std::int32_t count = 0;
    each_kept_column<N>(a, diagonal, drop, i, [&](std::int32_t j) { columns[count++] = j; });
    problem.gather(a, columns, count);
    problem.factorise();
    problem.solve(value.data() + std::int64_t{begin} * N * N);
  });
  return {a.rows, a.columns, N, N, std::move(offset), std::move(column), std::move(value)};
}

}  // namespace

sparse::BlockCsr<double> approximate_inverse_factor(const sparse::BlockCsr<double>& a, double drop) {
  require(!a.device().is_cuda(), "Fsai: the matrix to begin with is on the host");
  require(a.rows() == a.columns() && a.height() == a.width(), [&] {
    return fmt::format("Fsai: a square matrix is needed, this is [{} x {}]", a.scalar_rows(),
                       a.scalar_columns());
  });
  require(drop >= 0, "Fsai: drop is a part of the diagonal blocks, not negative");
  switch (a.height()) {
    case 1:
      return factor<1>(a, drop);
    case 2:
      return factor<2>(a, drop);
    case 3:
      return factor<3>(a, drop);
    case 6:
      return factor<6>(a, drop);
    default:
      throw Error(Fault::usage,
                  fmt::format("Fsai: blocks of {0} x {0}; 1, 2, 3 and 6 are known", a.height()));
  }
}

Fsai::AnyFactor Fsai::factor_of(const exec::Device& device, const sparse::BlockCsr<double>& a,
                                const FsaiOptions& options) {
  const sparse::BlockCsr<double> g = a.device().is_cuda()
                                         ? approximate_inverse_factor(a.to(exec::Device::cpu()), options.drop)
                                         : approximate_inverse_factor(a, options.drop);
  const sparse::BlockCsr<double> transposed = sparse::transpose(g);
  if (options.single_precision) {
    return Factor<float>{g.cast<float>().to(device), transposed.cast<float>().to(device)};
  }
  return Factor<double>{g.to(device), transposed.to(device)};
}

Fsai::Fsai(const exec::Device& device, const sparse::BlockCsr<double>& a, const FsaiOptions& options)
    : device_(device), rows_(a.scalar_rows()), factor_(factor_of(device, a, options)) {}

void Fsai::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
}

namespace {

/// One column that lies as a vector has a faster product.
template <class T>
void multiply(const exec::Stream& stream, const sparse::BlockCsr<T>& a, exec::MultiView<const T> x,
              exec::MultiView<T> y) {
  if (x.columns == 1 && x.stride == 1 && y.stride == 1) {
    sparse::multiply<T>(stream, a, exec::View<const T>{x.data, x.rows}, exec::View<T>{y.data, y.rows});
  } else {
    sparse::multiply<T>(stream, a, x, y);
  }
}

}  // namespace

void Fsai::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                 exec::MultiView<double> y) const {
  require(x.rows == rows_ && y.rows == rows_ && x.columns == y.columns, [&] {
    return fmt::format("Fsai: of {} rows, but x is [{} x {}] and y [{} x {}]", rows_, x.rows, x.columns,
                       y.rows, y.columns);
  });
  const auto block = [&]<class T>(const exec::Scratch<T>& memory) {
    return exec::MultiView<T>{memory.data(), rows_, x.columns, x.columns};
  };
  if (const auto* single = std::get_if<Factor<float>>(&factor_)) {
    const exec::Scratch<float> first(stream, rows_ * x.columns);
    const exec::Scratch<float> second(stream, rows_ * x.columns);
    to_single(stream, x, block(first));
    multiply<float>(stream, single->g, block(first), block(second));
    multiply<float>(stream, single->transposed, block(second), block(first));
    to_double(stream, block(first), y);
  } else {
    const auto& exact = std::get<Factor<double>>(factor_);
    const exec::Scratch<double> middle(stream, rows_ * x.columns);
    multiply<double>(stream, exact.g, x, block(middle));
    multiply<double>(stream, exact.transposed, block(middle), y);
  }
}

std::int64_t Fsai::blocks() const {
  return std::visit([](const auto& factor) { return factor.g.blocks(); }, factor_);
}

std::size_t Fsai::bytes() const {
  return std::visit([](const auto& factor) { return factor.g.bytes() + factor.transposed.bytes(); }, factor_);
}

std::unique_ptr<Operator> make_fsai(const PreconditionerInput& input, Monitor& monitor) {
  const Stage stage = monitor.stage("approximate inverse");
  const sparse::BlockCsr<double>& a = *input.matrix;
  auto fsai = std::make_unique<Fsai>(a.device(), a, FsaiOptions{});
  log::debug("approximate inverse: {} of the {} blocks of the matrix, {}", fsai->blocks(), a.blocks(),
             format_bytes(fsai->bytes()));
  return fsai;
}

}  // namespace setka::solve
