// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/copy.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/detail/backend.hpp"

namespace setka::exec::detail {

void check_copy(std::int64_t from, std::int64_t to) {
  require(from == to, [&] {
    return fmt::format("copy: from {} values to {}; both sides have the same number", from, to);
  });
}

void copy_between(const Device& from_device, const void* from, const Device& to_device, void* to,
                  std::size_t bytes) {
  if (!to_device.is_cuda()) return copy_to_host(from_device, from, to, bytes);
  if (!from_device.is_cuda()) return copy_from_host(from, to_device, to, bytes);
  const Stream source = from_device.stream();
  const Stream target = to_device.stream();
  if (!(from_device == to_device)) target.wait(source.record());
  copy_in_stream(target, from, to, bytes);
  if (!(from_device == to_device)) source.wait(target.record());
}

void copy_to_host(const Device& device, const void* from, void* host, std::size_t bytes) {
  const Stream stream = device.stream();
  copy_in_stream(stream, from, host, bytes);
  stream.synchronize();
}

void copy_from_host(const void* host, const Device& device, void* to, std::size_t bytes) {
  copy_to_host(device, host, to, bytes);
}

void copy_in_stream(const Stream& stream, const void* from, void* to, std::size_t bytes) {
  if (bytes > 0) stream.state().copy(to, from, bytes);
}

void check_copy_of_rows(std::int64_t from_rows, std::int64_t from_columns, std::int64_t to_rows,
                        std::int64_t to_columns) {
  require(from_rows == to_rows && from_columns == to_columns, [&] {
    return fmt::format("copy: from {} rows of {} values to {} rows of {}; both sides have the same numbers",
                       from_rows, from_columns, to_rows, to_columns);
  });
}

void copy_rows_in_stream(const Stream& stream, const void* from, std::size_t from_pitch, void* to,
                         std::size_t to_pitch, std::size_t width, std::size_t rows) {
  // Without gaps it is one piece: short rows one by one take far longer.
  if (from_pitch == width && to_pitch == width) return copy_in_stream(stream, from, to, width * rows);
  if (width > 0 && rows > 0) stream.state().copy_rows(to, to_pitch, from, from_pitch, width, rows);
}

}  // namespace setka::exec::detail
