// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/scan.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::exec {

namespace cuda {
template <class T>
void exclusive_scan(const Stream& stream, View<const T> in, View<T> out);  // scan.cu
}

namespace {

/// Sums of chunks, their scan, then each chunk from its start: the input is read twice, the output written
/// once.
template <class T>
void scan_on_host(const Stream& stream, View<const T> in, View<T> out) {
  constexpr std::int64_t chunk = 65536;
  const std::int64_t chunks = (in.size + chunk - 1) / chunk;
  std::vector<T> start(static_cast<std::size_t>(chunks) + 1, T(0));
  const int threads = stream.device().threads();
  const auto last_of = [&](std::int64_t c) { return std::min(in.size, (c + 1) * chunk); };
  host::for_each(threads, chunks, 1, [&](std::int64_t c) {
    T sum = 0;
    for (std::int64_t i = c * chunk; i < last_of(c); ++i) sum += in[i];
    start[static_cast<std::size_t>(c) + 1] = sum;
  });
  for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
  host::for_each(threads, chunks, 1, [&](std::int64_t c) {
    T sum = start[static_cast<std::size_t>(c)];
    for (std::int64_t i = c * chunk; i < last_of(c); ++i) {
      const T value = in[i];
      out[i] = sum;
      sum += value;
    }
  });
}

}  // namespace

template <class T>
void exclusive_scan(const Stream& stream, ViewOf<const T> in, ViewOf<T> out) {
  require(in.size == out.size, [&] {
    return fmt::format("exclusive_scan: {} entries in, {} out; they must agree", in.size, out.size);
  });
  if (in.empty()) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::exclusive_scan(stream, in, out);
  }
  scan_on_host(stream, in, out);
}

template void exclusive_scan<std::int32_t>(const Stream&, View<const std::int32_t>, View<std::int32_t>);
template void exclusive_scan<std::int64_t>(const Stream&, View<const std::int64_t>, View<std::int64_t>);

}  // namespace setka::exec
