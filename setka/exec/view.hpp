// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "setka/exec/annotations.hpp"

namespace setka::exec {

/// A pointer and a length: how kernels see an Array. Does not own; valid on the device whose memory it points
/// to.
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t size = 0;

  SETKA_HD T& operator[](std::int64_t i) const { return data[i]; }
  SETKA_HD T* begin() const { return data; }
  SETKA_HD T* end() const { return data + size; }
  SETKA_HD bool empty() const { return size == 0; }

  /// Entries first .. first + count - 1.
  SETKA_HD View part(std::int64_t first, std::int64_t count) const { return {data + first, count}; }

  // NOLINTNEXTLINE(google-explicit-constructor): a view to read is always at hand
  template <class U>
  SETKA_HD operator View<const U>() const requires(std::is_same_v<U, T> && !std::is_const_v<T>) {
    return {data, size};
  }
};

/// Columns of unknowns stored row by row: entry (i, j) at data[i * stride + j], all columns of an unknown
/// together.
template <class T>
struct MultiView {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;  // >= columns; larger for a view of some leading columns

  SETKA_HD T& operator()(std::int64_t i, std::int64_t j) const { return data[i * stride + j]; }

  SETKA_HD MultiView leading_columns(std::int64_t count) const { return {data, rows, count, stride}; }

  // NOLINTNEXTLINE(google-explicit-constructor): a view to read is always at hand
  template <class U>
  SETKA_HD operator MultiView<const U>() const requires(std::is_same_v<U, T> && !std::is_const_v<T>) {
    return {data, rows, columns, stride};
  }
};

/// For parameters of function templates: no deduction, so that an Array or Scratch converts. T comes from
/// another parameter, from the caller (dot<float>(...)) or is double.
template <class T>
using ViewOf = std::type_identity_t<View<T>>;
template <class T>
using MultiViewOf = std::type_identity_t<MultiView<T>>;

/// A scalar of a vector operation: a number, or the place in device memory where it will be. The second lets
/// a Krylov method run without waiting for its dot products.
template <class T>
struct Coefficient {
  T value{};
  const T* place = nullptr;

  Coefficient() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): numbers are passed as they are
  SETKA_HD Coefficient(T number) : value(number) {}
  /// The first entry of a view in the memory of the device that runs the operation.
  // NOLINTNEXTLINE(google-explicit-constructor)
  SETKA_HD Coefficient(View<const T> one) : place(one.data) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  SETKA_HD Coefficient(View<T> one) : place(one.data) {}

  SETKA_HD T load() const { return place == nullptr ? value : *place; }
};

template <class T>
using CoefficientOf = std::type_identity_t<Coefficient<T>>;

}  // namespace setka::exec
