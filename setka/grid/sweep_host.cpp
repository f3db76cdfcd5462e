// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>

#include "setka/exec/scratch.hpp"
#include "setka/grid/pack.hpp"
#include "setka/grid/sweep_kernel.hpp"
#include "setka/grid/sweep_ways.hpp"

/// Sweeps on the CPU: a thread takes a group of lines, one a lane of its vector registers. What elimination
/// leaves stays in its cache until the way back, so memory sees every coefficient once and the solution once.
/// Division sets the pace of the arithmetic, 2 cycles a row and line with AVX-512; two packs in turn hide its
/// latency. Lines that lie in memory one after the other are turned around in tiles.
namespace setka::grid {
namespace {

constexpr int packs = 2;
constexpr int tile_rows = 32;
constexpr int rows_ahead = 8;  // of the row in work, fetched to the cache; a page each where lines lie across

template <class T>
constexpr int group_lines = packs* Pack<T>::size;

/// How the rows of one array come to a group's lanes.
template <class T>
struct Source {
  const T* data;        // null: constant rows
  std::int64_t stride;  // from row to row
  std::int64_t at[group_lines<T>];
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

template <class T>
void turn_in(const Source<T>& source, std::int64_t begin, int rows, T* tile) {
  constexpr int lanes = Pack<T>::size;
  for (int k = 0; k < packs; ++k) {
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
      for (int r = 0; r < lanes; ++r) block[r].store(tile + (i + r) * group_lines<T> + k * lanes);
    }
    for (; i < rows; ++i) {
      for (int lane = 0; lane < lanes; ++lane)
        tile[i * group_lines<T> + k * lanes + lane] = source.data[at[lane] + begin + i];
    }
  }
}

/// A tile of an array; in `tile` unless the values lie as they are needed.
template <class T>
Rows<T> fetch(const Source<T>& source, std::int64_t begin, int rows, T* tile) {
  if (source.direct) return {source.data + source.at[0] + begin * source.stride, source.stride};
  if (source.shared) {
    for (int i = 0; i < rows; ++i)
      std::fill_n(tile + i * group_lines<T>, group_lines<T>, source.data[(begin + i) * source.stride]);
  } else if (source.stride == 1) {
    turn_in(source, begin, rows, tile);
  } else {
    for (int i = 0; i < rows; ++i) {
      for (int lane = 0; lane < group_lines<T>; ++lane)
        tile[i * group_lines<T> + lane] = source.data[source.at[lane] + (begin + i) * source.stride];
    }
  }
  return {tile, group_lines<T>};
}

/// A tile of the solution to where it belongs; `lines` of the lanes are lines.
template <class T>
void put(T* x, const Source<T>& place, std::int64_t begin, int rows, int lines, const T* tile) {
  constexpr int lanes = Pack<T>::size;
  int lane_begin = 0;
  if (place.stride == 1) {
    for (; lane_begin + lanes <= lines; lane_begin += lanes) {
      const std::int64_t* const at = place.at + lane_begin;
      int i = 0;
      for (; i + lanes <= rows; i += lanes) {
        Pack<T> block[lanes];
        for (int r = 0; r < lanes; ++r)
          block[r] = Pack<T>::from(tile + (i + r) * group_lines<T> + lane_begin);
        transpose(block);
        for (int lane = 0; lane < lanes; ++lane) block[lane].store(x + at[lane] + begin + i);
      }
      for (; i < rows; ++i) {
        for (int lane = 0; lane < lanes; ++lane)
          x[at[lane] + begin + i] = tile[i * group_lines<T> + lane_begin + lane];
      }
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int lane = lane_begin; lane < lines; ++lane)
      x[place.at[lane] + (begin + i) * place.stride] = tile[i * group_lines<T> + lane];
  }
}

/// Lines first .. first + count - 1 for the lanes; lanes beyond repeat the last line.
template <class T>
Source<T> source_of(const T* data, const Lines& lines, std::int64_t outer_stride, std::int64_t row_stride,
                    std::int64_t inner_stride, std::int64_t first, int count) {
  Source<T> source{};
  source.data = data;
  source.stride = row_stride;
  for (int lane = 0; lane < group_lines<T>; ++lane) {
    const std::int64_t line = first + std::min(lane, count - 1);
    source.at[lane] = line / lines.inner * outer_stride + line % lines.inner * inner_stride;
  }
  source.shared = outer_stride == 0 && inner_stride == 0 && data != nullptr && lines.count() > 1;
  source.direct = !source.shared && count == group_lines<T> && (inner_stride == 1 && row_stride != 1) &&
                  first / lines.inner == (first + count - 1) / lines.inner;
  return source;
}

/// What a thread works with: alpha, beta and gamma of all rows of a group, and tiles.
template <class T>
struct Work {
  T* alpha;
  T* beta;
  T* gamma;
  T* tile;  // [4, tile_rows, group_lines]

  static std::int64_t size(std::int64_t rows) {
    return (3 * rows + std::int64_t{4} * tile_rows) * group_lines<T>;
  }
  Work(T* memory, std::int64_t rows)
      : alpha(memory),
        beta(alpha + rows * group_lines<T>),
        gamma(beta + rows * group_lines<T>),
        tile(gamma + rows * group_lines<T>) {}
  T* tile_of(int array) const { return tile + std::int64_t{array} * tile_rows * group_lines<T>; }
};

/// Constant coefficients as tiles: all inner ones are alike, so they are written once a group.
template <class T>
void constant_tiles(const kernel::Bands<T>& bands, std::int64_t begin, int rows, std::int64_t all,
                    const Work<T>& work) {
  for (int i = 0; i < rows; ++i) {
    const kernel::Row<T> row = bands.constant_row(begin + i, all);
    std::fill_n(work.tile_of(0) + i * group_lines<T>, group_lines<T>, row.lower);
    std::fill_n(work.tile_of(1) + i * group_lines<T>, group_lines<T>, row.diagonal);
    std::fill_n(work.tile_of(2) + i * group_lines<T>, group_lines<T>, row.upper);
  }
}

template <bool Periodic, class T>
void solve_group(const Lines& lines, const kernel::Bands<T>& bands, const T* d, T* x, std::int64_t first,
                 int count, const Work<T>& work) {
  using P = Pack<T>;
  const auto band = [&](const T* data) {
    return source_of(data, lines, bands.outer_stride, bands.row_stride, bands.inner_stride, first, count);
  };
  const Source<T> lower = band(bands.lower);
  const Source<T> diagonal = band(bands.diagonal);
  const Source<T> upper = band(bands.upper);
  const Source<T> right =
      source_of(d, lines, lines.outer_stride, lines.row_stride, lines.inner_stride, first, count);

  kernel::Elimination<P> elimination[packs];
  for (std::int64_t begin = 0; begin < lines.rows; begin += tile_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(tile_rows, lines.rows - begin));
    Rows<T> low{work.tile_of(0), group_lines<T>};
    Rows<T> middle{work.tile_of(1), group_lines<T>};
    Rows<T> high{work.tile_of(2), group_lines<T>};
    if (bands.is_constant()) {
      const bool same = begin > tile_rows && begin + rows < lines.rows;
      if (!same) constant_tiles(bands, begin, rows, lines.rows, work);
    } else {
      low = fetch(lower, begin, rows, work.tile_of(0));
      middle = fetch(diagonal, begin, rows, work.tile_of(1));
      high = fetch(upper, begin, rows, work.tile_of(2));
    }
    const Rows<T> given = fetch(right, begin, rows, work.tile_of(3));
    for (int i = 0; i < rows; ++i) {
      const std::int64_t at = (begin + i) * group_lines<T>;
      for (int k = 0; k < packs; ++k) {
        if (right.direct) __builtin_prefetch(given.data + (i + rows_ahead) * given.stride + k * P::size);
        if (lower.direct) {
          __builtin_prefetch(low.data + (i + rows_ahead) * low.stride + k * P::size);
          __builtin_prefetch(middle.data + (i + rows_ahead) * middle.stride + k * P::size);
          __builtin_prefetch(high.data + (i + rows_ahead) * high.stride + k * P::size);
        }
        if (begin + i == 0) {
          const P before = Periodic ? low.pack(i, k) : P(T(0));
          elimination[k].first(before, middle.pack(i, k), high.pack(i, k), given.pack(i, k));
        } else {
          elimination[k].next(low.pack(i, k), middle.pack(i, k), high.pack(i, k), given.pack(i, k));
        }
        elimination[k].alpha.store(work.alpha + at + k * P::size);
        elimination[k].beta.store(work.beta + at + k * P::size);
        if constexpr (Periodic) elimination[k].gamma.store(work.gamma + at + k * P::size);
      }
    }
  }

  P before[packs];
  P value[packs];
  for (int k = 0; k < packs; ++k) {
    value[k] = Periodic ? elimination[k].closed() : elimination[k].beta;
    before[k] = value[k];
  }
  const std::int64_t last = lines.rows - 1;
  for (std::int64_t begin = last / tile_rows * tile_rows; begin >= 0; begin -= tile_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(tile_rows, lines.rows - begin));
    T* const out = right.direct ? x + right.at[0] + begin * right.stride : work.tile;
    const std::int64_t stride = right.direct ? right.stride : group_lines<T>;
    for (int i = rows - 1; i >= 0; --i) {
      const std::int64_t at = (begin + i) * group_lines<T>;
      for (int k = 0; k < packs; ++k) {
        if (begin + i < last) {
          const P alpha = P::from(work.alpha + at + k * P::size);
          const P beta = P::from(work.beta + at + k * P::size);
          value[k] = beta - alpha * value[k];
          if constexpr (Periodic) value[k] = value[k] - P::from(work.gamma + at + k * P::size) * before[k];
        }
        value[k].store(out + i * stride + k * P::size);
      }
    }
    if (!right.direct) put(x, right, begin, rows, count, work.tile);
  }
}

}  // namespace

namespace host {

template <class T>
void sweep_fused(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x) {
  // Groups do not reach over the end of the neighbouring lines, where these fill one.
  const bool within = lines.inner >= group_lines<T>;
  const std::int64_t run = within ? lines.inner : lines.count();
  const std::int64_t groups_of_run = (run + group_lines<T> - 1) / group_lines<T>;
  const std::int64_t groups = groups_of_run * (within ? lines.outer : 1);
  const int threads = static_cast<int>(std::min<std::int64_t>(stream.device().threads(), groups));
  const std::int64_t size = Work<T>::size(lines.rows);
  const exec::Scratch<T> memory(stream, threads * size);
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int thread = 0; thread < threads; ++thread) {
      const Work<T> work(memory.data() + thread * size, lines.rows);
      for (std::int64_t group = groups * thread / threads; group < groups * (thread + 1) / threads; ++group) {
        const std::int64_t first_of_run = group / groups_of_run * run;
        const std::int64_t offset = group % groups_of_run * group_lines<T>;
        const auto count = static_cast<int>(std::min<std::int64_t>(group_lines<T>, run - offset));
        if (bands.periodic) {
          solve_group<true>(lines, bands, d, x, first_of_run + offset, count, work);
        } else {
          solve_group<false>(lines, bands, d, x, first_of_run + offset, count, work);
        }
      }
    }
  }
}

template void sweep_fused<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&, const float*,
                                 float*);
template void sweep_fused<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                  const double*, double*);

}  // namespace host
}  // namespace setka::grid
