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
#include "setka/exec/scan.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/fsai_kernel.hpp"
#include "setka/solve/precision.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/block_csr_product.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
namespace {

using View = sparse::BlockCsrView<double>;

/// Value (0, 0) of block k, which lies in row i; the next scalar row is `blocks in the row * N` further.
template <int N>
const double* block_at(const View& a, std::int64_t i, std::int32_t k) {
  return a.value + std::int64_t{a.offset[i]} * N * N + std::int64_t{k - a.offset[i]} * N;
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
      reciprocal(i) = pivot > kernel::lost_pivot * std::abs(diagonal) ? 1 / std::sqrt(pivot) : 0.0;
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
void factor_rows_on_host(const exec::Device& cpu, const View& a, const std::int32_t* offset,
                         const std::int32_t* column, double* value) {
  exec::host::for_each(cpu.threads(), a.rows, 16, [&](std::int64_t i) {
    thread_local RowProblem<N> problem;
    const std::int32_t begin = offset[i];
    problem.gather(a, column + begin, offset[i + 1] - begin);
    problem.factorise();
    problem.solve(value + std::int64_t{begin} * N * N);
  });
}

void factor_rows(const exec::Device& device, const View& a, int n, const std::int32_t* offset,
                 const std::int32_t* column, std::int32_t widest, double* value) {
  if constexpr (with_cuda) {
    if (device.is_cuda()) return cuda::factor_rows(device, a, n, offset, column, widest, value);
  }
  sparse::with_block_size("Fsai", n,
                          [&](auto size) { factor_rows_on_host<size()>(device, a, offset, column, value); });
}

}  // namespace

sparse::BlockCsr<double> approximate_inverse_factor(const sparse::BlockCsr<double>& a, double drop) {
  require(a.rows() == a.columns() && a.height() == a.width(), [&] {
    return fmt::format("Fsai: a square matrix is needed, this is [{} x {}]", a.scalar_rows(),
                       a.scalar_columns());
  });
  require(drop >= 0, "Fsai: drop is a part of the diagonal blocks, not negative");
  const int n = a.height();
  if (!sparse::is_known_block_size(n)) sparse::refuse_block_size("Fsai", n);
  const exec::Device& device = a.device();
  const exec::Scratch<double> diagonal(device, a.rows());
  exec::parallel_for(device, a.rows(), kernel::DiagonalSizes{a.view(), n, diagonal.data()});
  const kernel::KeptBlocks kept{a.view(), n, diagonal.data(), drop};
  exec::Array<std::int32_t> offset(device, std::int64_t{a.rows()} + 1);
  exec::parallel_for(device, a.rows(), kernel::CountKept{kept, offset.data()});
  exec::exclusive_scan<std::int32_t>(device, offset, offset);
  const auto blocks = exec::value_at<std::int32_t>(device, offset.view().part(a.rows(), 1));
  const std::int32_t widest = exec::reduce(device, a.rows(), kernel::WidestRow{offset.data()});
  if (device.is_cuda() && std::int64_t{widest} * n > cuda::max_row_unknowns) {
    // Equations tie one unknown to thousands: rare, and then few rows are so wide.
    log::debug("approximate inverse: made on the CPU, a row of it has {} unknowns", std::int64_t{widest} * n);
    return approximate_inverse_factor(a.to(exec::Device::cpu()), drop).to(device);
  }
  exec::Array<std::int32_t> column(device, blocks);
  exec::parallel_for(device, a.rows(), kernel::ListKept{kept, offset.data(), column.data()});
  exec::Array<double> value(device, column.size() * n * n);
  factor_rows(device, a.view(), n, offset.data(), column.data(), widest, value.data());
  return {a.rows(), a.columns(), n, n, std::move(offset), std::move(column), std::move(value)};
}

Fsai::AnyFactor Fsai::factor_of(const exec::Device& device, const sparse::BlockCsr<double>& a,
                                const FsaiOptions& options) {
  // Where the matrix is, or on the GPU that is to have it.
  const sparse::BlockCsr<double> g = device.is_cuda() && !a.device().is_cuda()
                                         ? approximate_inverse_factor(a.to(device), options.drop)
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
