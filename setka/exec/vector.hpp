// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// The vector operations of Krylov methods, for double and, named as in dot<float>(...), for float, on the
/// memory of the stream's device. Elementwise ones move each entry once (words per entry are given) and
/// return before the work is done on a GPU. Sums have an order fixed by the length: the same bits at every
/// run on a device, and on the CPU for every number of threads.
///
/// A coefficient is a number, or a view of one entry in device memory. Sizes must agree; Error(Fault::usage)
/// otherwise.
namespace setka::exec {

/// y = a; 1 word.
template <class T = double>
void fill(const Stream& stream, ViewOf<T> y, CoefficientOf<T> a);

/// y = a y; 2 words.
template <class T = double>
void scale(const Stream& stream, CoefficientOf<T> a, ViewOf<T> y);

/// y = y + a x; 3 words.
template <class T = double>
void axpy(const Stream& stream, CoefficientOf<T> a, ViewOf<const T> x, ViewOf<T> y);

/// y = a x + b y; 3 words.
template <class T = double>
void axpby(const Stream& stream, CoefficientOf<T> a, ViewOf<const T> x, CoefficientOf<T> b, ViewOf<T> y);

/// z = a x + b y; 3 words.
template <class T = double>
void combine(const Stream& stream, CoefficientOf<T> a, ViewOf<const T> x, CoefficientOf<T> b,
             ViewOf<const T> y, ViewOf<T> z);

/// z_i = x_i y_i; 3 words.
template <class T = double>
void multiply(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y, ViewOf<T> z);

/// y_i = 1 / x_i; 2 words.
template <class T = double>
void reciprocal(const Stream& stream, ViewOf<const T> x, ViewOf<T> y);

/// y_i = x_i, between precisions.
template <class From, class To>
void convert(const Stream& stream, ViewOf<const From> x, ViewOf<To> y);

// Sums to the host; they wait for the stream. An empty vector gives 0.

template <class T = double>
T sum(const Stream& stream, ViewOf<const T> x);

template <class T = double>
T dot(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y);

/// 2-norm, without guard against overflow of the squares.
template <class T = double>
T norm(const Stream& stream, ViewOf<const T> x);

/// Largest absolute value; NaN when there is one.
template <class T = double>
T largest(const Stream& stream, ViewOf<const T> x);

/// How many entries are infinite or not a number.
template <class T = double>
std::int64_t count_not_finite(const Stream& stream, ViewOf<const T> x);

// Sums into device memory; they do not wait.

/// result[0] = (x, y); 2 words.
template <class T = double>
void dot_to(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y, ViewOf<T> result);

/// result[0] = (x, y), result[1] = (z, w) in one pass.
template <class T = double>
void two_dots_to(const Stream& stream, ViewOf<const T> x, ViewOf<const T> y, ViewOf<const T> z,
                 ViewOf<const T> w, ViewOf<T> result);

}  // namespace setka::exec
