// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/vector.hpp"

#include <cmath>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector_kernel.hpp"

namespace setka::exec {
namespace {

void check_sizes(const char* operation, std::int64_t x, std::int64_t y) {
  require(x == y,
          [&] { return fmt::format("{}: vectors of {} and {} entries; they must agree", operation, x, y); });
}

void check_result(const char* operation, std::int64_t wanted, std::int64_t size) {
  require(size >= wanted, [&] {
    return fmt::format("{}: the result has {} entries, {} are written", operation, size, wanted);
  });
}

}  // namespace

template <class T>
void fill(const Stream& stream, ViewOf<T> y, CoefficientOf<T> a) {
  transform(stream, y.size, kernel::Fill<T>{a}, y.data);
}

template <class T>
void scale(const Stream& stream, CoefficientOf<T> a, ViewOf<T> y) {
  const T* in = y.data;
  transform(stream, y.size, kernel::Scale<T>{a}, y.data, in);
}

template <class T>
void axpy(const Stream& stream, CoefficientOf<T> a, ViewOf<const T> x, ViewOf<T> y) {
  check_sizes("axpy", x.size, y.size);
  const T* in = y.data;
  transform(stream, y.size, kernel::AddScaled<T>{a}, y.data, x.data, in);
}

template <class T>
void axpby(const Stream& stream, CoefficientOf<T> a, ViewOf<const T> x, CoefficientOf<T> b, ViewOf<T> y) {
  combine<T>(stream, a, x, b, y, y);
}

template <class T>
void combine(const Stream& stream, CoefficientOf<T> a, ViewOf<const T> x, CoefficientOf<T> b,
             ViewOf<const T> y, ViewOf<T> z) {
  check_sizes("combine", x.size, y.size);
  check_sizes("combine", x.size, z.size);
  transform(stream, z.size, kernel::Combine<T>{a, b}, z.data, x.data, y.data);
}

template <class T>
void multiply(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y, ViewOf<T> z) {
  check_sizes("multiply", x.size, y.size);
  check_sizes("multiply", x.size, z.size);
  transform(stream, z.size, kernel::Multiply<T>{}, z.data, x.data, y.data);
}

template <class T>
void reciprocal(const Stream& stream, ViewOf<const T> x, ViewOf<T> y) {
  check_sizes("reciprocal", x.size, y.size);
  transform(stream, y.size, kernel::Reciprocal<T>{}, y.data, x.data);
}

template <class From, class To>
void convert(const Stream& stream, ViewOf<const From> x, ViewOf<To> y) {
  check_sizes("convert", x.size, y.size);
  parallel_for(stream, y.size, kernel::Convert<From, To>{x, y});
}

template <class T>
T sum(const Stream& stream, ViewOf<const T> x) {
  return reduce(stream, x.size, kernel::SumOf<T>{x});
}

template <class T>
T dot(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y) {
  check_sizes("dot", x.size, y.size);
  return reduce(stream, x.size, kernel::DotOf<T>{x, y});
}

template <class T>
T norm(const Stream& stream, ViewOf<const T> x) {
  return std::sqrt(dot<T>(stream, x, x));
}

template <class T>
T largest(const Stream& stream, ViewOf<const T> x) {
  return reduce(stream, x.size, kernel::LargestOf<T>{x});
}

template <class T>
std::int64_t count_not_finite(const Stream& stream, ViewOf<const T> x) {
  return reduce(stream, x.size, kernel::NotFiniteIn<T>{x});
}

template <class T>
void dot_to(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y, ViewOf<T> result) {
  check_sizes("dot_to", x.size, y.size);
  check_result("dot_to", 1, result.size);
  reduce(stream, x.size, kernel::DotOf<T>{x, y}, result.data);
}

template <class T>
void two_dots_to(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y, ViewOf<const T> z,
                 ViewOf<const T> w, ViewOf<T> result) {
  check_sizes("two_dots_to", x.size, y.size);
  check_sizes("two_dots_to", z.size, w.size);
  check_sizes("two_dots_to", x.size, z.size);
  check_result("two_dots_to", 2, result.size);
  static_assert(sizeof(kernel::Two<T>) == 2 * sizeof(T));
  reduce(stream, x.size, kernel::TwoDotsOf<T>{x, y, z, w}, reinterpret_cast<kernel::Two<T>*>(result.data));
}

#define SETKA_VECTOR_OPERATIONS(T)                                                                        \
  template void fill<T>(const Stream&, View<T>, Coefficient<T>);                                          \
  template void scale<T>(const Stream&, Coefficient<T>, View<T>);                                         \
  template void axpy<T>(const Stream&, Coefficient<T>, View<const T>, View<T>);                           \
  template void axpby<T>(const Stream&, Coefficient<T>, View<const T>, Coefficient<T>, View<T>);          \
  template void combine<T>(const Stream&, Coefficient<T>, View<const T>, Coefficient<T>, View<const T>,   \
                           View<T>);                                                                      \
  template void multiply<T>(const Stream&, View<const T>, View<const T>, View<T>);                        \
  template void reciprocal<T>(const Stream&, View<const T>, View<T>);                                     \
  template T sum<T>(const Stream&, View<const T>);                                                        \
  template T dot<T>(const Stream&, View<const T>, View<const T>);                                         \
  template T norm<T>(const Stream&, View<const T>);                                                       \
  template T largest<T>(const Stream&, View<const T>);                                                    \
  template std::int64_t count_not_finite<T>(const Stream&, View<const T>);                                \
  template void dot_to<T>(const Stream&, View<const T>, View<const T>, View<T>);                          \
  template void two_dots_to<T>(const Stream&, View<const T>, View<const T>, View<const T>, View<const T>, \
                               View<T>);
SETKA_VECTOR_OPERATIONS(float)
SETKA_VECTOR_OPERATIONS(double)
template void convert<float, double>(const Stream&, View<const float>, View<double>);
template void convert<double, float>(const Stream&, View<const double>, View<float>);

}  // namespace setka::exec
