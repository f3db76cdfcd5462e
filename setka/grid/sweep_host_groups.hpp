// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "setka/exec/scratch.hpp"
#include "setka/grid/lines.hpp"
#include "setka/grid/pack.hpp"

/// Groups of lines for the sweeps on the CPU: a thread takes a group, one line a lane of its vector
/// registers, in some packs in turn. Values come and go in blocks of as many rows as a pack has lanes: lines
/// that lie in memory one after the other are turned around in registers.
namespace setka::grid::host {

/// What elimination leaves and the values themselves are to stay in the second-level cache until the way
/// back. Along memory one pack of lines is enough; across memory a row of two packs is 128 bytes in one
/// piece.
constexpr int packs_along = 1;
constexpr int packs_across = 2;

// To come, and asked for in the second-level cache: values of a line along memory, rows across memory. Few of
// the latter fit the first level, where pages of a power of two share their sets.
constexpr int values_ahead = 64;
constexpr int rows_ahead = 16;

template <class T, int Packs>
constexpr int group_lines = Packs* Pack<T>::count;

/// One number of each line of a pack in as many rows as a pack has lanes.
template <class T>
using Block = Pack<T>[Pack<T>::count];

/// How the rows of one array come to a group's lanes.
template <class T, int Packs>
struct Source {
  const T* data;        // null: constant rows
  std::int64_t stride;  // from row to row
  std::int64_t at[group_lines<T, Packs>];
  int packs;         // of the group that have lines
  int direct_packs;  // of which all lanes have one, neighbours in memory
  bool shared;       // one value for all lanes
};

/// Row `row` of a group of neighbours, all packs of it at once: they are neighbours in memory too.
template <class T, int Packs>
[[gnu::always_inline]] inline void ask_for(const Source<T, Packs>& source, std::int64_t row) {
  for (int k = 0; k < source.direct_packs; ++k)
    __builtin_prefetch(source.data + source.at[0] + row * source.stride + k * Pack<T>::count, 0, 2);
}

/// Rows begin .. begin + rows - 1 of the lines of pack k.
template <class T, int Packs>
[[gnu::always_inline]] inline void read(const Source<T, Packs>& source, std::int64_t begin, int rows, int k,
                                        Block<T>& block) {
  constexpr int lanes = Pack<T>::count;
  const std::int64_t* const at = source.at + k * lanes;
  const T* const data = source.data + begin * source.stride;
  if (k < source.direct_packs) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) block[r] = Pack<T>::from(data + at[0] + r * source.stride);
  } else if (source.shared) {
    for (int r = 0; r < rows; ++r) block[r] = Pack<T>(data[r * source.stride]);
  } else if (source.stride == 1 && rows == lanes) {
#pragma GCC unroll 16
    for (int lane = 0; lane < lanes; ++lane) {
      __builtin_prefetch(data + at[lane] + values_ahead, 0, 2);
      block[lane] = Pack<T>::from(data + at[lane]);
    }
    transpose(block);
  } else {
    for (int r = 0; r < rows; ++r) {
      alignas(64) T values[lanes];
      for (int lane = 0; lane < lanes; ++lane) values[lane] = data[at[lane] + r * source.stride];
      block[r] = Pack<T>::from(values);
    }
  }
}

/// Where the solution of a group goes, in the places of its right-hand side.
template <class T, int Packs>
struct Target {
  T* x;
  const Source<T, Packs>& place;
  int lines;      // of the lanes that are lines
  bool streamed;  // past the caches
};

template <class T, int Packs>
[[gnu::always_inline]] inline void write(const Target<T, Packs>& target, std::int64_t begin, int rows, int k,
                                         Block<T>& block) {
  constexpr int lanes = Pack<T>::count;
  const std::int64_t stride = target.place.stride;
  const std::int64_t* const at = target.place.at + k * lanes;
  T* const x = target.x + begin * stride;
  if (k < target.place.direct_packs && target.streamed) {
    for (int r = rows - 1; r >= 0; --r) stream(block[r], x + at[0] + r * stride);
  } else if (k < target.place.direct_packs) {
    for (int r = rows - 1; r >= 0; --r) {
      __builtin_prefetch(x + at[0] + (r - rows_ahead) * stride, 1, 2);
      block[r].store(x + at[0] + r * stride);
    }
  } else if (stride == 1 && rows == lanes && target.lines >= (k + 1) * lanes) {
    transpose(block);
#pragma GCC unroll 16
    for (int lane = 0; lane < lanes; ++lane) block[lane].store(x + at[lane]);
  } else {
    const int here = std::min(lanes, target.lines - k * lanes);
    for (int r = 0; r < rows; ++r) {
      alignas(64) T values[lanes];
      block[r].store(values);
      for (int lane = 0; lane < here; ++lane) x[at[lane] + r * stride] = values[lane];
    }
  }
}

/// body(begin, rows) of all blocks from the first row to the last; `rows` is a constant but in the last one.
template <class T, class Body>
[[gnu::always_inline]] inline void for_each_block(std::int64_t rows, const Body& body) {
  constexpr int lanes = Pack<T>::count;
  const std::int64_t whole = rows / lanes * lanes;
  for (std::int64_t begin = 0; begin < whole; begin += lanes) body(begin, lanes);
  if (whole < rows) body(whole, static_cast<int>(rows - whole));
}

template <class T, class Body>
[[gnu::always_inline]] inline void for_each_block_back(std::int64_t rows, const Body& body) {
  constexpr int lanes = Pack<T>::count;
  const std::int64_t whole = rows / lanes * lanes;
  if (whole < rows) body(whole, static_cast<int>(rows - whole));
  for (std::int64_t begin = whole - lanes; begin >= 0; begin -= lanes) body(begin, lanes);
}

/// The way back: value[k], of the last row at first, becomes earlier(row, k, value[k]) of one row after the
/// other.
template <class T, int Packs, class Earlier>
[[gnu::always_inline]] inline void go_back(const Target<T, Packs>& target, std::int64_t all,
                                           Pack<T> (&value)[Packs], const Earlier& earlier) {
  for_each_block_back<T>(all, [&](std::int64_t begin, int rows) {
    for (int k = 0; k < Packs; ++k) {
      if (k == target.place.packs) break;
      Block<T> solved;
      for (int r = rows - 1; r >= 0; --r) {
        if (begin + r < all - 1) value[k] = earlier(begin + r, k, value[k]);
        solved[r] = value[k];
      }
      write(target, begin, rows, k, solved);
    }
  });
}

/// Lines first .. first + count - 1 for the lanes; lanes beyond repeat the last line.
template <int Packs, class T>
Source<T, Packs> source_of(const T* data, const Lines& lines, std::int64_t outer_stride,
                           std::int64_t row_stride, std::int64_t inner_stride, std::int64_t first,
                           int count) {
  Source<T, Packs> source{};
  source.data = data;
  source.stride = row_stride;
  for (int lane = 0; lane < group_lines<T, Packs>; ++lane) {
    const std::int64_t line = first + std::min(lane, count - 1);
    source.at[lane] = line / lines.inner * outer_stride + line % lines.inner * inner_stride;
  }
  source.shared = outer_stride == 0 && inner_stride == 0 && data != nullptr && lines.count() > 1;
  const bool neighbours =
      inner_stride == 1 && row_stride != 1 && first / lines.inner == (first + count - 1) / lines.inner;
  source.packs = (count + Pack<T>::count - 1) / Pack<T>::count;
  source.direct_packs = neighbours && !source.shared ? count / Pack<T>::count : 0;
  return source;
}

/// Whether rows `stride` bytes apart, `width` bytes each, leave the second-level cache before the way back
/// comes to them: they are more than it holds beside what elimination leaves, or too many share their sets.
/// Counted for 2 MB in 2048 sets of 16 lines of 64 bytes.
inline bool leave_cache(std::int64_t rows, std::int64_t stride, std::int64_t width) {
  constexpr std::int64_t ways = 16;
  constexpr std::int64_t all_sets = std::int64_t{2048} * 64;
  const std::int64_t places = all_sets / std::gcd(stride, all_sets);
  return rows > places * ways || rows * 2 * width > all_sets * ways;
}

/// The solution goes past the caches where its rows have left them and the third level does not hold the grid
/// either: they would be read only to be overwritten.
template <class T, int Packs>
Target<T, Packs> target_of(T* x, const Lines& lines, const Source<T, Packs>& place, int count) {
  constexpr std::int64_t third_level = std::int64_t{64} << 20;
  constexpr std::int64_t value = sizeof(T);
  const auto aligned = [](std::uintptr_t bytes) { return bytes % sizeof(Pack<T>) == 0; };
  const bool streamed = place.direct_packs > 0 && lines.count() * lines.rows * value > third_level &&
                        leave_cache(lines.rows, place.stride * value, group_lines<T, Packs> * value) &&
                        aligned(reinterpret_cast<std::uintptr_t>(x + place.at[0])) &&
                        aligned(static_cast<std::uintptr_t>(place.stride * value));
  return {x, place, count, streamed};
}

/// body(first line, number of lines, the thread's memory of `size` values) for all groups, by all threads.
template <int Packs, class T, class Body>
void for_each_group(const exec::Stream& stream, const Lines& lines, std::int64_t size, const Body& body) {
  // Groups do not reach over the end of the neighbouring lines, where these fill one.
  constexpr std::int64_t whole = group_lines<T, Packs>;
  const bool within = lines.inner >= whole;
  const std::int64_t run = within ? lines.inner : lines.count();
  const std::int64_t groups_of_run = (run + whole - 1) / whole;
  const std::int64_t groups = groups_of_run * (within ? lines.outer : 1);
  const int threads = static_cast<int>(std::min<std::int64_t>(stream.device().threads(), groups));
  const exec::Scratch<T> memory(stream, threads * size);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int thread = 0; thread < threads; ++thread) {
    for (std::int64_t group = groups * thread / threads; group < groups * (thread + 1) / threads; ++group) {
      const std::int64_t offset = group % groups_of_run * whole;
      const auto count = static_cast<int>(std::min(whole, run - offset));
      body(group / groups_of_run * run + offset, count, memory.data() + thread * size);
    }
    finish_streams();
  }
}

}  // namespace setka::grid::host
