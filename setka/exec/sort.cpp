// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/sort.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"

namespace setka::exec {

namespace cuda {
template <class Key, class Value>
void sort_by_key(const Stream& stream, View<Key> keys, View<Value> values);  // sort.cu
}

namespace {

constexpr int digit_bits = 8;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// Byte number `place` of a key, such that bytes order as the signed keys do.
template <class Key>
std::size_t digit_of(Key key, int place) {
  using Bits = std::make_unsigned_t<Key>;
  const Bits bits = static_cast<Bits>(key) ^ (Bits{1} << (8 * sizeof(Key) - 1));
  return static_cast<std::size_t>(bits >> (digit_bits * place)) & (digits - 1);
}

/// One stable pass over a byte: each thread counts and then places its own contiguous share, in order.
/// Returns false, and moves nothing, when all keys agree in that byte.
template <class Key, class Value>
bool sort_one_digit(int threads, int place, View<Key> keys, View<Value> values, View<Key> keys_out,
                    View<Value> values_out) {
  const std::int64_t n = keys.size;
  const std::int64_t share = (n + threads - 1) / threads;
  std::vector<std::array<std::int64_t, digits>> place_of(static_cast<std::size_t>(threads));
  host::for_each(threads, threads, 1, [&](std::int64_t t) {
    auto& counts = place_of[static_cast<std::size_t>(t)];
    counts.fill(0);
    for (std::int64_t i = t * share; i < std::min(n, (t + 1) * share); ++i)
      ++counts[digit_of(keys[i], place)];
  });
  std::int64_t start = 0;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    const std::int64_t before = start;
    for (auto& counts : place_of) start += std::exchange(counts[digit], start);
    if (start - before == n) return false;
  }
  host::for_each(threads, threads, 1, [&](std::int64_t t) {
    auto& next = place_of[static_cast<std::size_t>(t)];
    for (std::int64_t i = t * share; i < std::min(n, (t + 1) * share); ++i) {
      const std::int64_t to = next[digit_of(keys[i], place)]++;
      keys_out[to] = keys[i];
      values_out[to] = values[i];
    }
  });
  return true;
}

template <class Key, class Value>
void sort_on_host(const Stream& stream, View<Key> keys, View<Value> values) {
  const int threads = keys.size < 16384 ? 1 : stream.device().threads();
  const Scratch<Key> key_space(stream, keys.size);
  const Scratch<Value> value_space(stream, values.size);
  View<Key> keys_now = keys;
  View<Value> values_now = values;
  View<Key> keys_next = key_space;
  View<Value> values_next = value_space;
  for (int place = 0; place < static_cast<int>(sizeof(Key)); ++place) {
    if (!sort_one_digit(threads, place, keys_now, values_now, keys_next, values_next)) continue;
    std::swap(keys_now, keys_next);
    std::swap(values_now, values_next);
  }
  if (keys_now.data != keys.data) {
    std::copy(keys_now.begin(), keys_now.end(), keys.begin());
    std::copy(values_now.begin(), values_now.end(), values.begin());
  }
}

}  // namespace

template <class Key, class Value>
void sort_by_key(const Stream& stream, ViewOf<Key> keys, ViewOf<Value> values) {
  require(keys.size == values.size, [&] {
    return fmt::format("sort_by_key: {} keys and {} values; they must agree", keys.size, values.size);
  });
  if (keys.size < 2) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::sort_by_key(stream, keys, values);
  }
  sort_on_host(stream, keys, values);
}

template void sort_by_key<std::int32_t, std::int32_t>(const Stream&, View<std::int32_t>, View<std::int32_t>);
template void sort_by_key<std::int32_t, std::int64_t>(const Stream&, View<std::int32_t>, View<std::int64_t>);
template void sort_by_key<std::int64_t, std::int32_t>(const Stream&, View<std::int64_t>, View<std::int32_t>);
template void sort_by_key<std::int64_t, std::int64_t>(const Stream&, View<std::int64_t>, View<std::int64_t>);

}  // namespace setka::exec
