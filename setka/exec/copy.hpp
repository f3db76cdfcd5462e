// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// Copies are explicit. The blocking ones return when the values may be used by either side; copy_async() is
/// ordered in its stream alone, and the caller keeps both sides alive and untouched until that stream has
/// passed it.
namespace setka::exec {

template <class T>
class Array;

/// Between two Arrays, on any devices: ordered after the work on both main streams. Between GPUs it does not
/// wait.
template <class T>
void copy(const Array<T>& from, Array<T>& to);

/// From a device to a host range, and back; waits.
template <class T>
void copy(const Array<T>& from, View<T> host);
template <class T>
void copy(View<const T> host, Array<T>& to);

namespace detail {
void check_copy(std::int64_t from, std::int64_t to);
void copy_between(const Device& from_device, const void* from, const Device& to_device, void* to,
                  std::size_t bytes);
void copy_to_host(const Device& device, const void* from, void* host, std::size_t bytes);
void copy_from_host(const void* host, const Device& device, void* to, std::size_t bytes);
void copy_in_stream(const Stream& stream, const void* from, void* to, std::size_t bytes);
void check_copy_of_rows(std::int64_t from_rows, std::int64_t from_columns, std::int64_t to_rows,
                        std::int64_t to_columns);
/// Numbers of bytes, but of rows.
void copy_rows_in_stream(const Stream& stream, const void* from, std::size_t from_pitch, void* to,
                         std::size_t to_pitch, std::size_t width, std::size_t rows);
}  // namespace detail

/// Within a stream; each side is memory of the stream's device or host memory (pinned_array() for it to
/// overlap).
template <class T>
void copy_async(const Stream& stream, ViewOf<const T> from, View<T> to) {
  detail::check_copy(from.size, to.size);
  detail::copy_in_stream(stream, from.data, to.data, static_cast<std::size_t>(from.size) * sizeof(T));
}

/// The same of rows that do not lie one after the other.
template <class T>
void copy_rows_async(const Stream& stream, MultiViewOf<const T> from, MultiViewOf<T> to) {
  detail::check_copy_of_rows(from.rows, from.columns, to.rows, to.columns);
  constexpr std::size_t size = sizeof(T);
  detail::copy_rows_in_stream(stream, from.data, static_cast<std::size_t>(from.stride) * size, to.data,
                              static_cast<std::size_t>(to.stride) * size,
                              static_cast<std::size_t>(to.columns) * size, static_cast<std::size_t>(to.rows));
}

/// One value from the memory of the stream's device; waits for the stream.
template <class T>
T value_at(const Stream& stream, View<T> place) {
  std::remove_const_t<T> value{};
  detail::copy_in_stream(stream, place.data, &value, sizeof value);
  stream.synchronize();
  return value;
}

}  // namespace setka::exec
