// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

/// Arithmetic of the vector operations. An op's load() fetches its coefficients; what it returns works on one
/// entry.
namespace setka::exec::kernel {

template <class T>
struct Fill {
  Coefficient<T> a;
  struct Loaded {
    T a;
    SETKA_HD T operator()() const { return a; }
  };
  SETKA_HD Loaded load() const { return {a.load()}; }
};

template <class T>
struct Scale {
  Coefficient<T> a;
  struct Loaded {
    T a;
    SETKA_HD T operator()(T x) const { return a * x; }
  };
  SETKA_HD Loaded load() const { return {a.load()}; }
};

/// y + a x: apart from Combine, so that b = 1 costs no multiplication and rounds once.
template <class T>
struct AddScaled {
  Coefficient<T> a;
  struct Loaded {
    T a;
    SETKA_HD T operator()(T x, T y) const { return y + a * x; }
  };
  SETKA_HD Loaded load() const { return {a.load()}; }
};

template <class T>
struct Combine {
  Coefficient<T> a;
  Coefficient<T> b;
  struct Loaded {
    T a;
    T b;
    SETKA_HD T operator()(T x, T y) const { return a * x + b * y; }
  };
  SETKA_HD Loaded load() const { return {a.load(), b.load()}; }
};

template <class T>
struct Multiply {
  struct Loaded {
    SETKA_HD T operator()(T x, T y) const { return x * y; }
  };
  SETKA_HD Loaded load() const { return {}; }
};

template <class T>
struct Reciprocal {
  struct Loaded {
    SETKA_HD T operator()(T x) const { return T(1) / x; }
  };
  SETKA_HD Loaded load() const { return {}; }
};

template <class From, class To>
struct Convert {
  View<const From> x;
  View<To> y;
  SETKA_HD void operator()(std::int64_t i) const { y[i] = static_cast<To>(x[i]); }
};

template <class T>
struct SumOf {
  using Value = T;
  View<const T> x;
  SETKA_HD static T identity() { return T(0); }
  SETKA_HD static T combine(T a, T b) { return a + b; }
  SETKA_HD T operator()(std::int64_t i) const { return x[i]; }
};

template <class T>
struct DotOf {
  using Value = T;
  View<const T> x;
  View<const T> y;
  SETKA_HD static T identity() { return T(0); }
  SETKA_HD static T combine(T a, T b) { return a + b; }
  SETKA_HD T operator()(std::int64_t i) const { return x[i] * y[i]; }
};

template <class T>
struct Two {
  T first;
  T second;
};

/// (x, y) and (z, w) in one pass.
template <class T>
struct TwoDotsOf {
  using Value = Two<T>;
  View<const T> x;
  View<const T> y;
  View<const T> z;
  View<const T> w;
  SETKA_HD static Value identity() { return {T(0), T(0)}; }
  SETKA_HD static Value combine(Value a, Value b) { return {a.first + b.first, a.second + b.second}; }
  SETKA_HD Value operator()(std::int64_t i) const { return {x[i] * y[i], z[i] * w[i]}; }
};

/// Largest absolute value; a NaN anywhere is the result.
template <class T>
struct LargestOf {
  using Value = T;
  View<const T> x;
  SETKA_HD static T identity() { return T(0); }
  SETKA_HD static T combine(T a, T b) { return a > b || std::isnan(a) ? a : b; }
  SETKA_HD T operator()(std::int64_t i) const { return x[i] < T(0) ? -x[i] : x[i]; }
};

/// How many entries are infinite or not a number.
template <class T>
struct NotFiniteIn {
  using Value = std::int64_t;
  View<const T> x;
  SETKA_HD static Value identity() { return 0; }
  SETKA_HD static Value combine(Value a, Value b) { return a + b; }
  SETKA_HD Value operator()(std::int64_t i) const { return x[i] - x[i] == T(0) ? 0 : 1; }
};

}  // namespace setka::exec::kernel
