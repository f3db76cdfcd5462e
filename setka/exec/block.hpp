// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// Operations of block methods on tall dense matrices stored row by row, with few columns (up to some
/// hundred; made for 1 to 64). For double and, named as in inner<float>(...), for float. Small matrices are
/// dense, row by row, in the memory of the stream's device. Nothing waits. The same bits at every run on a
/// device.
namespace setka::exec {

/// Loads what a GPU needs for all this, cuBLAS, which is otherwise done when it is first used and takes a
/// tenth of a second. In another thread it may be done meanwhile, while nothing here is used on the stream.
void prepare_blocks(const Stream& stream);

/// S = X'Y: X is [n, p], Y is [n, q], S is [p, q]. Reads X and Y once; 2 p q flops a row.
template <class T = double>
void inner(const Stream& stream, MultiViewOf<const T> x, MultiViewOf<const T> y, MultiViewOf<T> s);

/// One of some products S = X'Y.
template <class T>
struct InnerTerm {
  MultiView<const T> x;
  MultiView<const T> y;
  MultiView<T> s;
};

template <class T>
using InnerTerms = std::span<const InnerTerm<T>>;

/// Some of them over blocks of as many rows: on the CPU each block that several share is read from memory
/// once.
template <class T = double>
void inner(const Stream& stream, std::type_identity_t<InnerTerms<T>> terms);

/// Y = a X S + b Y: X is [n, p], S is [p, q], Y is [n, q] and neither X nor S. With b = 0, Y is not read.
template <class T = double>
void multiply_small(const Stream& stream, T a, MultiViewOf<const T> x, MultiViewOf<const T> s, T b,
                    MultiViewOf<T> y);

/// A tall block and the small matrix that it is multiplied by.
template <class T>
struct SmallTerm {
  MultiView<const T> x;
  MultiView<const T> s;
};

template <class T>
using SmallTerms = std::span<const SmallTerm<T>>;

/// Y = sum of X_k S_k + b Z; Y is none of the X_k, but may be Z. With b = 0, Z is not read.
template <class T = double>
void combine(const Stream& stream, std::type_identity_t<SmallTerms<T>> terms, std::type_identity_t<T> b,
             MultiViewOf<const T> z, MultiViewOf<T> y);

/// y_j = x_which[j]; `which` is in host memory.
template <class T = double>
void pick_columns(const Stream& stream, MultiViewOf<const T> x, std::span<const std::int64_t> which,
                  MultiViewOf<T> y);

/// d_j = (x_j, y_j) for each column j.
template <class T = double>
void column_dots(const Stream& stream, MultiViewOf<const T> x, MultiViewOf<const T> y, ViewOf<T> d);

/// x_j = a_j x_j for each column j.
template <class T = double>
void scale_columns(const Stream& stream, ViewOf<const T> a, MultiViewOf<T> x);

/// y_j = a_j x_j + b_j y_j for each column j.
template <class T = double>
void axpby_columns(const Stream& stream, ViewOf<const T> a, MultiViewOf<const T> x, ViewOf<const T> b,
                   MultiViewOf<T> y);

}  // namespace setka::exec
