// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr.hpp"

#include <fmt/core.h>

#include "setka/exec/vector.hpp"
#include "setka/sparse/block_csr_columns_host.hpp"
#include "setka/sparse/block_csr_columns_kernel.hpp"
#include "setka/sparse/block_csr_product.hpp"
#include "setka/sparse/block_shapes.hpp"

namespace setka::sparse {

namespace cuda {  // block_csr_pairs.cu
void multiply_pairs(const exec::Stream& stream, const BlockCsrView<double>& a,
                    exec::MultiView<const double> x, exec::MultiView<double> y);
}  // namespace cuda

namespace {

template <class T>
void check_vectors(const BlockCsr<T>& a, std::int64_t x, std::int64_t y) {
  require(x == a.scalar_columns() && y == a.scalar_rows(), [&] {
    return fmt::format("multiply: matrix is [{} x {}] but the vectors have {} and {} entries",
                       a.scalar_rows(), a.scalar_columns(), x, y);
  });
}

}  // namespace

template <class T>
BlockCsr<T>::BlockCsr(std::int32_t rows, std::int32_t columns, int height, int width,
                      exec::Array<std::int32_t> offset, exec::Array<std::int32_t> column,
                      exec::Array<T> value)
    : rows_(rows),
      columns_(columns),
      height_(height),
      width_(width),
      offset_(std::move(offset)),
      column_(std::move(column)),
      value_(std::move(value)) {
  require(offset_.size() == std::int64_t{rows} + 1 && value_.size() == column_.size() * height * width, [&] {
    return fmt::format(
        "BlockCsr: {} block rows of {} x {} with {} offsets, {} column numbers and {} values; {} offsets and "
        "{} values are needed",
        rows, height, width, offset_.size(), column_.size(), value_.size(), std::int64_t{rows} + 1,
        column_.size() * height * width);
  });
}

template <class T>
BlockCsr<T> BlockCsr<T>::to(const exec::Device& device) const& {
  return {rows_, columns_, height_, width_, offset_.to(device), column_.to(device), value_.to(device)};
}

template <class T>
BlockCsr<T> BlockCsr<T>::to(const exec::Device& device) && {
  return {rows_,
          columns_,
          height_,
          width_,
          std::move(offset_).to(device),
          std::move(column_).to(device),
          std::move(value_).to(device)};
}

template <class T>
BlockCsr<T> BlockCsr<T>::lent() const {
  const auto lend = [&]<class U>(const exec::Array<U>& array) {
    return exec::Array<U>::adopt(device(), const_cast<U*>(array.data()), array.size());
  };
  return {rows_, columns_, height_, width_, lend(offset_), lend(column_), lend(value_)};
}

template <class T>
template <class U>
BlockCsr<U> BlockCsr<T>::cast() const {
  exec::Array<U> values(device(), value_.size());
  exec::convert<T, U>(device(), value_, values);
  return {rows_, columns_, height_, width_, offset_.to(device()), column_.to(device()), std::move(values)};
}

template <class T>
void multiply(const exec::Stream& stream, const BlockCsr<T>& a, exec::ViewOf<const T> x, exec::ViewOf<T> y) {
  check_vectors(a, x.size, y.size);
  product(stream, a, x.data, kernel::Store<T>{T(1), T(0), nullptr, y.data});
}

template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const BlockCsr<T>& a,
              exec::ViewOf<const T> x, std::type_identity_t<T> t, exec::ViewOf<const T> z,
              exec::ViewOf<T> y) {
  check_vectors(a, x.size, y.size);
  require(t == T(0) || z.size == y.size, [&] {
    return fmt::format("multiply: z has {} entries and y {}; they must agree", z.size, y.size);
  });
  product(stream, a, x.data, kernel::Store<T>{s, t, z.data, y.data});
}

template <class T>
void multiply(const exec::Stream& stream, const BlockCsr<T>& a, exec::MultiViewOf<const T> x,
              exec::MultiViewOf<T> y) {
  check_vectors(a, x.rows, y.rows);
  require(x.columns == y.columns,
          [&] { return fmt::format("multiply: X has {} columns and Y {}", x.columns, y.columns); });
  if (x.columns == 0) return;
  const kernel::PutColumns<T> store{y};
  with_block_shape("multiply", a.height(), a.width(), [&](auto height, auto width) {
    if constexpr (with_cuda) {
      if constexpr (std::is_same_v<T, double>) {
        if constexpr (height() == 3 && width() == 3) {
          if (stream.is_cuda() && x.columns > 8 && x.columns % 8 == 0 && kernel::in_words(x, 2) &&
              kernel::in_words(y, 2))
            return cuda::multiply_pairs(stream, a.view(), x, y);
        }
      }
      if (stream.is_cuda()) return cuda::product_columns<height(), width()>(stream, a.view(), x, store);
    }
    host::product_columns<height(), width()>(stream.device().threads(), a.view(), x, store);
  });
}

#define SETKA_BLOCK_CSR(T)                                                                                \
  template class BlockCsr<T>;                                                                             \
  template void multiply<T>(const exec::Stream&, const BlockCsr<T>&, exec::View<const T>, exec::View<T>); \
  template void multiply<T>(const exec::Stream&, T, const BlockCsr<T>&, exec::View<const T>, T,           \
                            exec::View<const T>, exec::View<T>);                                          \
  template void multiply<T>(const exec::Stream&, const BlockCsr<T>&, exec::MultiView<const T>,            \
                            exec::MultiView<T>);
SETKA_BLOCK_CSR(float)
SETKA_BLOCK_CSR(double)
template BlockCsr<float> BlockCsr<double>::cast<float>() const;
template BlockCsr<double> BlockCsr<float>::cast<double>() const;

}  // namespace setka::sparse
