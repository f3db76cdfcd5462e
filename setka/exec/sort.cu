// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>

#include <cub/device/device_radix_sort.cuh>

#include "setka/exec/cuda.cuh"
#include "setka/exec/scratch.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec::cuda {

template <class Key, class Value>
void sort_by_key(const Stream& stream, View<Key> keys, View<Value> values) {
  cudaStream_t native = enter(stream);
  const Scratch<Key> key_space(stream, keys.size);
  const Scratch<Value> value_space(stream, values.size);
  cub::DoubleBuffer<Key> both_keys(keys.data, key_space.data());
  cub::DoubleBuffer<Value> both_values(values.data, value_space.data());
  constexpr int first_bit = 0;
  constexpr int last_bit = 8 * sizeof(Key);
  std::size_t bytes = 0;
  SETKA_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, both_keys, both_values, keys.size,
                                                   first_bit, last_bit, native));
  const Scratch<unsigned char> scratch(stream, static_cast<std::int64_t>(bytes));
  SETKA_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, both_keys, both_values, keys.size,
                                                   first_bit, last_bit, native));
  if (both_keys.Current() != keys.data) {
    stream.state().copy(keys.data, both_keys.Current(), static_cast<std::size_t>(keys.size) * sizeof(Key));
    stream.state().copy(values.data, both_values.Current(),
                        static_cast<std::size_t>(values.size) * sizeof(Value));
  }
}

template void sort_by_key(const Stream&, View<std::int32_t>, View<std::int32_t>);
template void sort_by_key(const Stream&, View<std::int32_t>, View<std::int64_t>);
template void sort_by_key(const Stream&, View<std::int64_t>, View<std::int32_t>);
template void sort_by_key(const Stream&, View<std::int64_t>, View<std::int64_t>);

}  // namespace setka::exec::cuda
