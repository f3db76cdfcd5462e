// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_shapes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::sparse {
namespace {

#define SETKA_NUMBER(n) n,
#define SETKA_NUMBERS(...) {__VA_ARGS__},
constexpr int sizes[] = {SETKA_BLOCK_SIZES(SETKA_NUMBER)};
constexpr std::array<int, 2> widenings[] = {SETKA_BLOCK_WIDENINGS(SETKA_NUMBERS)};
constexpr std::array<int, 2> shapes[] = {SETKA_BLOCK_SHAPES(SETKA_NUMBERS)};
constexpr std::array<int, 3> products[] = {SETKA_BLOCK_PRODUCTS(SETKA_NUMBERS)};
#undef SETKA_NUMBER
#undef SETKA_NUMBERS

/// "a, b and c"
template <class T, class Word>
std::string listed(std::span<const T> values, const Word& word) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 < values.size() ? ", " : " and ", word(values[i]));
  return text;
}

}  // namespace

bool is_known_block_size(int size) {
  return std::ranges::find(sizes, size) != std::end(sizes);
}

bool can_prolong(int fine, int coarse) {
  if (fine == coarse) return is_known_block_size(fine);
  return std::ranges::find(widenings, std::array{fine, coarse}) != std::end(widenings);
}

int coarse_block_size(int fine, int modes) {
  for (const int size : sizes) {
    if (modes >= 1 && modes <= size && can_prolong(fine, size)) return size;
  }
  return 0;
}

std::string known_block_sizes() {
  return listed<int>(sizes, [](int size) { return size; });
}

void refuse_block_size(const char* what, int size) {
  throw Error(Fault::usage,
              fmt::format("{0}: blocks of {1} x {1}; {2} are known", what, size, known_block_sizes()));
}

void refuse_block_shape(const char* what, int height, int width) {
  const auto word = [](const auto& shape) { return fmt::format("{} x {}", shape[0], shape[1]); };
  throw Error(Fault::usage, fmt::format("{}: blocks of {} x {}; {} are known", what, height, width,
                                        listed<std::array<int, 2>>(shapes, word)));
}

void refuse_block_product(int height, int middle, int width) {
  const auto word = [](const auto& p) {
    return fmt::format("{} x {} times {} x {}", p[0], p[1], p[1], p[2]);
  };
  throw Error(Fault::usage, fmt::format("sparse product: blocks of {}; {} are known",
                                        word(std::array{height, middle, width}),
                                        listed<std::array<int, 3>>(products, word)));
}

}  // namespace setka::sparse
