// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/plane_sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::grid {
namespace {

using kernel::Bits;
using kernel::PlaneRing;
using kernel::PlaneSweep;

template <class T>
T* plane_of(const PlaneRing<T>& ring, std::int64_t number, std::int64_t nodes) {
  return ring.data + number % ring.planes * nodes;
}

/// Row j of plane p; the largest change in it when that is wanted.
template <int Axes, bool Measure, class T>
Bits<T> sweep_row(const PlaneSweep<T>& s, std::int64_t p, std::int64_t j) {
  const std::int64_t nodes = s.rows * s.columns;
  const std::int64_t number = p + s.shift;
  const std::int64_t n = s.columns;
  const T* const centre = plane_of(s.in, number, nodes) + j * n;
  T* const __restrict out = plane_of(s.out, number, nodes) + j * n;
  if (p == 0 || p == s.planes - 1 || (Axes == 3 && (j == 0 || j == s.rows - 1))) {
    std::copy_n(centre, n, out);
    return 0;
  }
  const T* const low = plane_of(s.in, number - 1, nodes) + j * n;
  const T* const high = plane_of(s.in, number + 1, nodes) + j * n;
  const T* const f = plane_of(s.f, number, nodes) + j * n;
  const std::int64_t next_row = Axes == 3 ? n : 0;
  const auto w = s.weights;
  Bits<T> change = 0;
  out[0] = centre[0];
#pragma omp simd reduction(max : change)
  for (std::int64_t i = 1; i < n - 1; ++i) {
    const T value = kernel::stencil<Axes>(w, centre[i], f[i], low[i], high[i], centre[i - next_row],
                                          centre[i + next_row], centre[i - 1], centre[i + 1]);
    out[i] = value;
    if constexpr (Measure) change = std::max(change, kernel::bits_of(value - centre[i]));
  }
  out[n - 1] = centre[n - 1];
  return change;
}

/// A thread has the same rows of every plane (in 2-D, of planes that are rows, the same share of them): what
/// it wrote in one sweep is in its cache in the next.
template <int Axes, bool Measure, class T>
void sweep_planes(int threads, const PlaneSweep<T>& s, Bits<T>* change) {
  const std::int64_t last = s.first + s.count;
  const std::int64_t shared = Axes == 3 ? s.rows : s.count;
  const auto team = static_cast<int>(std::min<std::int64_t>(threads, std::max<std::int64_t>(shared, 1)));
  std::vector<Bits<T>> largest(static_cast<std::size_t>(team), 0);
  exec::host::for_each(team, team, 0, [&](std::int64_t t) {
    const std::int64_t begin = shared * t / team;
    const std::int64_t end = shared * (t + 1) / team;
    Bits<T> mine = 0;
    if constexpr (Axes == 3) {
      for (std::int64_t p = s.first; p < last; ++p) {
        for (std::int64_t j = begin; j < end; ++j) mine = std::max(mine, sweep_row<Axes, Measure>(s, p, j));
      }
    } else {
      for (std::int64_t p = begin; p < end; ++p)
        mine = std::max(mine, sweep_row<Axes, Measure>(s, s.first + p, 0));
    }
    largest[static_cast<std::size_t>(t)] = mine;
  });
  if constexpr (Measure) {
    for (const Bits<T> one : largest) *change = std::max(*change, one);
  }
}

}  // namespace

template <class T>
PlaneSweep<T> plane_sweep(const StationaryHeat& heat, double weight) {
  double sum = 0;
  for (const StationaryAxis& axis : heat.axes()) sum += 2 * axis.conductivity / (axis.spacing * axis.spacing);
  const auto of_axis = [&](std::size_t k) {
    const StationaryAxis& axis = heat.axes()[k];
    return T(weight * axis.conductivity / (axis.spacing * axis.spacing) / sum);
  };
  const std::size_t axes = heat.axes().size();
  PlaneSweep<T> sweep{};
  sweep.weights = {of_axis(0), axes == 3 ? of_axis(1) : T(0), of_axis(axes - 1), T(weight / sum),
                   T(1 - weight)};
  sweep.planes = heat.planes();
  sweep.rows = axes == 3 ? heat.axes()[1].nodes : 1;
  sweep.columns = heat.axes().back().nodes;
  return sweep;
}

template <class T>
void run(const exec::Stream& stream, int axes, const PlaneSweep<T>& sweep, Bits<T>* change) {
  if (sweep.count <= 0) return;
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::run(stream, axes, sweep, change);
  }
  const int threads = stream.device().threads();
  if (axes == 3) {
    change == nullptr ? sweep_planes<3, false>(threads, sweep, change)
                      : sweep_planes<3, true>(threads, sweep, change);
  } else {
    change == nullptr ? sweep_planes<2, false>(threads, sweep, change)
                      : sweep_planes<2, true>(threads, sweep, change);
  }
}

namespace {

template <int Axes, class T>
void sweep_colour(const exec::Stream& stream, const kernel::RedBlack<T, Axes>& body, std::int64_t rows,
                  Bits<T>* change) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      if (change == nullptr) return exec::parallel_for(stream, rows * body.half, body);
      return cuda::largest_change(stream, rows * body.half, body, change);
    }
  }
  // Row by row: half of each is in work, every second value.
  std::vector<Bits<T>> largest(change == nullptr ? 0 : static_cast<std::size_t>(rows));
  exec::host::for_each(stream.device().threads(), rows, 16, [&](std::int64_t number) {
    std::int64_t column = 0;
    const std::int64_t row = body.row_of(number, column);
    Bits<T> most = 0;
    for (; column < body.columns - 1; column += 2)
      most = std::max(most, kernel::bits_of(body.update(row + column)));
    if (change != nullptr) largest[static_cast<std::size_t>(number)] = most;
  });
  for (const Bits<T> one : largest) *change = std::max(*change, one);
}

}  // namespace

template <class T>
void run_colour(const exec::Stream& stream, int axes, const PlaneSweep<T>& sweep, T* u, const T* f,
                int colour, Bits<T>* change) {
  const std::int64_t first = std::max<std::int64_t>(sweep.first, 1);
  const std::int64_t count = std::min(sweep.first + sweep.count, sweep.planes - 1) - first;
  if (count <= 0) return;
  // As of a grid that begins one plane before.
  const std::int64_t before = first - 1;
  const std::int64_t offset = before * sweep.rows * sweep.columns;
  const std::int64_t half = (sweep.columns - 1) / 2;
  const int own_colour = static_cast<int>((colour + before) % 2);
  if (axes == 3) {
    const kernel::RedBlack<T, 3> body{sweep.weights, u + offset,     f + offset, sweep.rows,
                                      sweep.columns, sweep.rows - 2, half,       own_colour};
    sweep_colour(stream, body, count * body.inner_rows, change);
  } else {
    const kernel::RedBlack<T, 2> body{sweep.weights, u + offset, f + offset, 1,
                                      sweep.columns, 1,          half,       own_colour};
    sweep_colour(stream, body, count, change);
  }
}

void check(const char* who, const StationaryHeat& heat, const StationaryOptions& options, std::int64_t u,
           std::int64_t f) {
  for (const auto& [what, size] : {std::pair("u", u), std::pair("f", f)}) {
    const char* const name = what;
    const std::int64_t values = size;
    require(values == heat.nodes(), [&] {
      return fmt::format("{}: {} has {} values but the grid has {} nodes", who, name, values, heat.nodes());
    });
  }
  require(options.sweeps >= 0 && options.check_every >= 1 && options.height >= 0 && options.block_planes >= 0,
          [&] {
            return fmt::format(
                "{}: {} sweeps, a check every {}, height {}, blocks of {} planes; sweeps, height and planes "
                "are not negative, the check is made every 1 or more",
                who, options.sweeps, options.check_every, options.height, options.block_planes);
          });
  require(options.weight > 0 && options.weight < 2, [&] {
    return fmt::format("{}: the weight is {}; it is above 0 and below 2", who, options.weight);
  });
}

template PlaneSweep<float> plane_sweep<float>(const StationaryHeat&, double);
template PlaneSweep<double> plane_sweep<double>(const StationaryHeat&, double);
template void run<float>(const exec::Stream&, int, const PlaneSweep<float>&, Bits<float>*);
template void run<double>(const exec::Stream&, int, const PlaneSweep<double>&, Bits<double>*);
template void run_colour<float>(const exec::Stream&, int, const PlaneSweep<float>&, float*, const float*, int,
                                Bits<float>*);
template void run_colour<double>(const exec::Stream&, int, const PlaneSweep<double>&, double*, const double*,
                                 int, Bits<double>*);

}  // namespace setka::grid
