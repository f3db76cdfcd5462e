// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/long_vector.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/grid/long_vector_kernel.hpp"

namespace setka::grid {

template <class T>
void vector_add(const exec::Stream& stream, std::int64_t size, const T* x, const T* y, T* z) {
  exec::parallel_for(stream, size, kernel::VectorAdd<T>{x, y, z});
}

template <class T>
void vector_saxpy(const exec::Stream& stream, std::int64_t size, T a, const T* x, T b, T* y) {
  exec::parallel_for(stream, size, kernel::VectorSaxpy<T>{a, x, b, y});
}

template <class T>
void zero_border(const exec::Stream& stream, std::int64_t width, T* v) {
  exec::parallel_for(stream, 4 * (width - 1), kernel::ZeroBorder<T>{v, width});
}

template <class T>
LongVectorHeat<T>::LongVectorHeat(const exec::Device& device, std::int64_t n, T alpha)
    : device_(device),
      width_(n + 2),
      alpha_(alpha),
      pairs_(device, n > 0 ? (n + 2) * (n + 2) : 0),
      sums_(device, n > 0 ? (n + 2) * (n + 2) : 0) {
  require(n >= 1, [&] { return fmt::format("LongVectorHeat: {} inner nodes a side; give 1 or more", n); });
}

template <class T>
void LongVectorHeat<T>::advance(exec::ViewOf<T> v, std::int64_t steps) {
  require(v.size == size(),
          [&] { return fmt::format("LongVectorHeat: v has {} values but the grid has {}", v.size, size()); });
  const exec::Stream stream = device_.stream();
  const std::int64_t n = width_ - 2;
  const std::int64_t first = width_ + 1;            // the first inner node
  const std::int64_t inner = n * width_ - 2;        // from it to the last one, border columns between them
  const std::int64_t pairs = (n + 1) * width_ - 1;  // from place 1 on
  for (std::int64_t k = 0; k < steps; ++k) {
    vector_add(stream, pairs, v.data + 1, v.data + width_, pairs_.data() + 1);
    vector_add<T>(stream, inner, pairs_.data() + 1, pairs_.data() + first + 1, sums_.data() + first);
    vector_saxpy<T>(stream, inner, alpha_, sums_.data() + first, 1 - 4 * alpha_, v.data + first);
    zero_border(stream, width_, v.data);
  }
}

template void vector_add<double>(const exec::Stream&, std::int64_t, const double*, const double*, double*);
template void vector_saxpy<double>(const exec::Stream&, std::int64_t, double, const double*, double, double*);
template void zero_border<double>(const exec::Stream&, std::int64_t, double*);
template class LongVectorHeat<double>;
template void vector_add<float>(const exec::Stream&, std::int64_t, const float*, const float*, float*);
template void vector_saxpy<float>(const exec::Stream&, std::int64_t, float, const float*, float, float*);
template void zero_border<float>(const exec::Stream&, std::int64_t, float*);
template class LongVectorHeat<float>;

}  // namespace setka::grid
