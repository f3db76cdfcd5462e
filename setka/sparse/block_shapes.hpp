// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <type_traits>

/// The one list of block shapes: what is in it has products on every device, diagonal blocks, approximate
/// inverses, transfers between levels of multigrid, and tests.

/// Sizes of square blocks: components of a field, or modes of a coarse level. Arguments behind the first are
/// passed on.
#define SETKA_BLOCK_SIZES(X, ...) \
  X(1 __VA_OPT__(, ) __VA_ARGS__) \
  X(2 __VA_OPT__(, ) __VA_ARGS__) \
  X(3 __VA_OPT__(, ) __VA_ARGS__) \
  X(4 __VA_OPT__(, ) __VA_ARGS__) \
  X(5 __VA_OPT__(, ) __VA_ARGS__) X(6 __VA_OPT__(, ) __VA_ARGS__)

/// X(fine, coarse): prolongations whose coarse blocks are wider than the fine ones, beside those between
/// blocks of one size. Rigid motions in the plane and in space.
#define SETKA_BLOCK_WIDENINGS(X, ...) X(2, 3 __VA_OPT__(, ) __VA_ARGS__) X(3, 6 __VA_OPT__(, ) __VA_ARGS__)

/// X(height, width): square blocks, and those of the widenings and their transposes.
#define SETKA_BLOCK_SHAPES(X, ...)                                    \
  SETKA_BLOCK_SIZES(SETKA_SQUARE_SHAPE, X __VA_OPT__(, ) __VA_ARGS__) \
  SETKA_BLOCK_WIDENINGS(SETKA_WIDE_SHAPES, X __VA_OPT__(, ) __VA_ARGS__)
#define SETKA_SQUARE_SHAPE(n, X, ...) X(n, n __VA_OPT__(, ) __VA_ARGS__)
#define SETKA_WIDE_SHAPES(fine, coarse, X, ...) \
  X(fine, coarse __VA_OPT__(, ) __VA_ARGS__) X(coarse, fine __VA_OPT__(, ) __VA_ARGS__)

/// X(height, middle, width): the products of blocks that multigrid forms, A P and P' (A P).
#define SETKA_BLOCK_PRODUCTS(X) \
  SETKA_BLOCK_SIZES(SETKA_SQUARE_PRODUCT, X) SETKA_BLOCK_WIDENINGS(SETKA_WIDE_PRODUCTS, X)
#define SETKA_SQUARE_PRODUCT(n, X) X(n, n, n)
#define SETKA_WIDE_PRODUCTS(fine, coarse, X) X(fine, fine, coarse) X(coarse, fine, coarse)

namespace setka::sparse {

bool is_known_block_size(int size);
std::string known_block_sizes();  // "1, 2 and 3"

/// Whether there are prolongations to square blocks of one size from those of another.
bool can_prolong(int fine, int coarse);

/// The least size of coarse blocks that has room for so many modes of fine ones; 0: none has.
int coarse_block_size(int fine, int modes);

/// Error(Fault::usage) that says what is known instead; what: "Fsai".
[[noreturn]] void refuse_block_size(const char* what, int size);
[[noreturn]] void refuse_block_shape(const char* what, int height, int width);
[[noreturn]] void refuse_block_product(int height, int middle, int width);

template <int N>
using Constant = std::integral_constant<int, N>;

/// Calls f(size) with the size of square blocks as a constant.
template <class F>
void with_block_size(const char* what, int size, F&& f) {
  switch (size) {
#define SETKA_CASE(n) \
  case n:             \
    return f(Constant<n>{});
    SETKA_BLOCK_SIZES(SETKA_CASE)
#undef SETKA_CASE
    default:
      refuse_block_size(what, size);
  }
}

/// Calls f(height, width) with the shape of blocks as constants.
template <class F>
void with_block_shape(const char* what, int height, int width, F&& f) {
#define SETKA_CASE(h, w) \
  if (height == (h) && width == (w)) return f(Constant<h>{}, Constant<w>{});
  SETKA_BLOCK_SHAPES(SETKA_CASE)
#undef SETKA_CASE
  refuse_block_shape(what, height, width);
}

/// Calls f(height, middle, width) for a product of blocks.
template <class F>
void with_block_product(int height, int middle, int width, F&& f) {
#define SETKA_CASE(h, m, w) \
  if (height == (h) && middle == (m) && width == (w)) return f(Constant<h>{}, Constant<m>{}, Constant<w>{});
  SETKA_BLOCK_PRODUCTS(SETKA_CASE)
#undef SETKA_CASE
  refuse_block_product(height, middle, width);
}

}  // namespace setka::sparse
