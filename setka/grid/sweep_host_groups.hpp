// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "setka/exec/scratch.hpp"
#include "setka/grid/lines.hpp"
#include "setka/grid/pack.hpp"

/// Groups of lines for the sweeps on the CPU: a thread takes a group, one line a lane of its vector
/// registers, in some packs in turn. Lines that lie in memory one after the other are turned around in tiles.
namespace setka::grid::host {

constexpr int tile_rows = 32;
constexpr int rows_ahead = 8;  // of the row in work, fetched to the cache; a page each where lines lie across

template <class T, int Packs>
constexpr int group_lines = Packs* Pack<T>::size;

/// How the rows of one array come to a group's lanes.
template <class T, int Packs>
struct Source {
  const T* data;        // null: constant rows
  std::int64_t stride;  // from row to row
  std::int64_t at[group_lines<T, Packs>];
  bool direct;  // the lanes' values are neighbours
  bool shared;  // one value for all lanes
};

/// Rows of a tile, one after the other or where they lie.
template <class T>
struct Rows {
  const T* data;
  std::int64_t stride;

  [[gnu::always_inline]] inline Pack<T> pack(std::int64_t row, int k) const {
    return Pack<T>::from(data + row * stride + k * Pack<T>::size);
  }
};

template <class T, int Packs>
void turn_in(const Source<T, Packs>& source, std::int64_t begin, int rows, T* tile) {
  constexpr int lanes = Pack<T>::size;
  for (int k = 0; k < Packs; ++k) {
    const std::int64_t* const at = source.at + k * lanes;
    int i = 0;
    for (; i + lanes <= rows; i += lanes) {
      Pack<T> block[lanes];
      for (int lane = 0; lane < lanes; ++lane) {
        const T* const from = source.data + at[lane] + begin + i;
        __builtin_prefetch(from + tile_rows);
        block[lane] = Pack<T>::from(from);
      }
      transpose(block);
      for (int r = 0; r < lanes; ++r) block[r].store(tile + (i + r) * group_lines<T, Packs> + k * lanes);
    }
    for (; i < rows; ++i) {
      for (int lane = 0; lane < lanes; ++lane)
        tile[i * group_lines<T, Packs> + k * lanes + lane] = source.data[at[lane] + begin + i];
    }
  }
}

/// A tile of an array; in `tile` unless the values lie as they are needed.
template <class T, int Packs>
Rows<T> fetch(const Source<T, Packs>& source, std::int64_t begin, int rows, T* tile) {
  if (source.direct) return {source.data + source.at[0] + begin * source.stride, source.stride};
  if (source.shared) {
    for (int i = 0; i < rows; ++i)
      std::fill_n(tile + i * group_lines<T, Packs>, group_lines<T, Packs>,
                  source.data[(begin + i) * source.stride]);
  } else if (source.stride == 1) {
    turn_in(source, begin, rows, tile);
  } else {
    for (int i = 0; i < rows; ++i) {
      for (int lane = 0; lane < group_lines<T, Packs>; ++lane)
        tile[i * group_lines<T, Packs> + lane] = source.data[source.at[lane] + (begin + i) * source.stride];
    }
  }
  return {tile, group_lines<T, Packs>};
}

/// A tile of the solution to where it belongs; `lines` of the lanes are lines.
template <class T, int Packs>
void put(T* x, const Source<T, Packs>& place, std::int64_t begin, int rows, int lines, const T* tile) {
  constexpr int lanes = Pack<T>::size;
  int lane_begin = 0;
  if (place.stride == 1) {
    for (; lane_begin + lanes <= lines; lane_begin += lanes) {
      const std::int64_t* const at = place.at + lane_begin;
      int i = 0;
      for (; i + lanes <= rows; i += lanes) {
        Pack<T> block[lanes];
        for (int r = 0; r < lanes; ++r)
          block[r] = Pack<T>::from(tile + (i + r) * group_lines<T, Packs> + lane_begin);
        transpose(block);
        for (int lane = 0; lane < lanes; ++lane) block[lane].store(x + at[lane] + begin + i);
      }
      for (; i < rows; ++i) {
        for (int lane = 0; lane < lanes; ++lane)
          x[at[lane] + begin + i] = tile[i * group_lines<T, Packs> + lane_begin + lane];
      }
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int lane = lane_begin; lane < lines; ++lane)
      x[place.at[lane] + (begin + i) * place.stride] = tile[i * group_lines<T, Packs> + lane];
  }
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
  source.direct = !source.shared && count == group_lines<T, Packs> &&
                  (inner_stride == 1 && row_stride != 1) &&
                  first / lines.inner == (first + count - 1) / lines.inner;
  return source;
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
  }
}

}  // namespace setka::grid::host
