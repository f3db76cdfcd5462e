// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/sweep.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/grid/sweep_kernel.hpp"
#include "setka/grid/sweep_ways.hpp"

namespace setka::grid {
namespace {

void check_lines(const Lines& lines) {
  require(lines.outer >= 0 && lines.rows >= 0 && lines.inner >= 0, [&] {
    return fmt::format("sweep: the lines are [{} x {} x {}]; no extent can be negative", lines.outer,
                       lines.rows, lines.inner);
  });
  if (lines.count() == 0 || lines.rows == 0) return;
  const auto moves = [](std::int64_t extent, std::int64_t stride) { return extent <= 1 || stride > 0; };
  require(moves(lines.outer, lines.outer_stride) && moves(lines.rows, lines.row_stride) &&
              moves(lines.inner, lines.inner_stride),
          [&] {
            return fmt::format("sweep: strides {}, {} and {} must be positive where there is more than one",
                               lines.outer_stride, lines.row_stride, lines.inner_stride);
          });
}

void check_size(const char* what, std::int64_t size, std::int64_t needed, const Lines& lines) {
  require(size >= needed, [&] {
    return fmt::format("sweep: {} has {} values but lines [{} x {} x {}] need {}", what, size, lines.outer,
                       lines.rows, lines.inner, needed);
  });
}

template <class T>
kernel::Bands<T> bands_of(const Lines& lines, const Tridiagonal<T>& matrix, bool periodic) {
  if (matrix.kind == Coefficients::constant)
    return {nullptr, nullptr, nullptr, 0, 0, 0, matrix.constant_rows, periodic};
  const bool each = matrix.kind == Coefficients::each;
  const std::int64_t needed = each ? lines.span() : lines.rows;
  check_size("lower", matrix.lower.size, needed, lines);
  check_size("diagonal", matrix.diagonal.size, needed, lines);
  check_size("upper", matrix.upper.size, needed, lines);
  kernel::Bands<T> bands{
      matrix.lower.data, matrix.diagonal.data, matrix.upper.data, 0, 1, 0, matrix.constant_rows, periodic};
  if (each) {
    bands.outer_stride = lines.outer_stride;
    bands.row_stride = lines.row_stride;
    bands.inner_stride = lines.inner_stride;
  }
  return bands;
}

std::string where(const Lines& lines, std::int64_t place) {
  return fmt::format("line {}, row {}", place / lines.rows, place % lines.rows);
}

template <class T>
void check_dominance(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands,
                     Coefficients kind) {
  Lines seen = lines;
  if (kind != Coefficients::each) {  // one line shows all
    seen.outer = 1;
    seen.inner = 1;
  }
  const kernel::FirstNotDominant<T> body{{}, seen, bands};
  const std::int64_t place = exec::reduce(stream, seen.count() * seen.rows, body);
  if (place == kernel::FirstPlace::identity()) return;
  throw Error(Fault::input, fmt::format("sweep: {} is not diagonally dominant", where(seen, place)),
              "sweeps do not exchange rows; use a smaller time step or a solver with pivoting");
}

/// Why a line did not come out finite: by elimination of its rows on the host.
template <class T>
[[noreturn]] void report_line(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands,
                              std::int64_t line) {
  exec::Array<T> gathered(stream.device(), 3 * lines.rows);
  exec::parallel_for(stream, lines.rows, kernel::GatherRows<T>{lines, bands, line, gathered.data()});
  stream.synchronize();
  const std::vector<T> rows = gathered.to_vector();
  kernel::Elimination<T> elimination{};
  const std::string remedy = "sweeps do not exchange rows; use a solver with pivoting";
  for (std::int64_t i = 0; i < lines.rows; ++i) {
    const T* const row = rows.data() + 3 * i;
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(row[k]))
        throw Error(Fault::input,
                    fmt::format("sweep: a coefficient of line {}, row {} is {}", line, i, row[k]));
    }
    const T pivot = i == 0 ? row[1] : row[1] - row[0] * elimination.alpha;
    if (pivot == T(0))
      throw Error(Fault::input, fmt::format("sweep: zero pivot in line {}, row {}", line, i), remedy);
    if (i == 0) {
      elimination.first(row[0], row[1], row[2], T(0));
    } else {
      elimination.next(row[0], row[1], row[2], T(0));
    }
  }
  const T closing =
      T(1) + elimination.gamma - elimination.alpha * (elimination.first_alpha + elimination.first_gamma);
  if (bands.periodic && closing == T(0))
    throw Error(
        Fault::input,
        fmt::format("sweep: zero pivot in line {}, row {}, which closes the period", line, lines.rows - 1),
        remedy);
  throw Error(Fault::input, fmt::format("sweep: the solution of line {} is not finite", line),
              "look at its right-hand side, and whether each diagonal is as large as the sum of the others");
}

template <class T>
void check_pivots(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* x) {
  const kernel::FirstNotFinite<T> body{{}, lines, x};
  const std::int64_t place = exec::reduce(stream, lines.count() * lines.rows, body);
  if (place != kernel::FirstPlace::identity()) report_line(stream, lines, bands, place / lines.rows);
}

}  // namespace

std::string_view name(SweepMethod method) {
  switch (method) {
    case SweepMethod::reference:
      return "reference";
    case SweepMethod::fused:
      return "fused";
    case SweepMethod::split:
      return "split";
    default:
      return "automatic";
  }
}

template <class T>
void sweep_reference(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands,
                     const T* d, T* x) {
  const std::int64_t size = lines.count() * lines.rows;
  const exec::Scratch<T> alpha(stream, size);
  const exec::Scratch<T> beta(stream, size);
  const exec::Scratch<T> gamma(stream, bands.periodic ? size : 0);
  exec::parallel_for(stream, lines.count(),
                     kernel::SweepCoefficients<T>{lines, bands, d, alpha.data(), beta.data(), gamma.data()});
  exec::parallel_for(stream, lines.count(),
                     kernel::SweepBack<T>{lines, bands.periodic, alpha.data(), beta.data(), gamma.data(), x});
  if (bands.periodic)
    exec::parallel_for(stream, lines.count(),
                       kernel::SweepJoin<T>{lines, bands, beta.data(), gamma.data(), d, x});
}

template <class T>
void sweep_as_fits(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                   T* x) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      if (!cuda::sweep_fused(stream, lines, bands, d, x)) sweep_split(stream, lines, bands, d, x);
      return;
    }
  }
  host::sweep_fused(stream, lines, bands, d, x);
}

template <class T>
void sweep(const exec::Stream& stream, const Lines& lines, const Tridiagonal<T>& matrix,
           exec::ViewOf<const T> d, exec::ViewOf<T> x, const SweepOptions& options) {
  check_lines(lines);
  check_size("d", d.size, lines.span(), lines);
  check_size("x", x.size, lines.span(), lines);
  const kernel::Bands<T> bands = bands_of(lines, matrix, options.periodic);
  if (lines.count() == 0 || lines.rows == 0) return;
  if (options.check_dominance) check_dominance(stream, lines, bands, matrix.kind);
  switch (options.method) {
    case SweepMethod::reference:
      sweep_reference(stream, lines, bands, d.data, x.data);
      break;
    case SweepMethod::split:
      sweep_split(stream, lines, bands, d.data, x.data);
      break;
    default:
      sweep_as_fits(stream, lines, bands, d.data, x.data);
  }
  if (options.check_pivots) check_pivots<T>(stream, lines, bands, x.data);
}

template void sweep_as_fits<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&,
                                   const float*, float*);
template void sweep_reference<float>(const exec::Stream&, const Lines&, const kernel::Bands<float>&,
                                     const float*, float*);
template void sweep<float>(const exec::Stream&, const Lines&, const Tridiagonal<float>&,
                           exec::View<const float>, exec::View<float>, const SweepOptions&);
template void sweep_as_fits<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                    const double*, double*);
template void sweep_reference<double>(const exec::Stream&, const Lines&, const kernel::Bands<double>&,
                                      const double*, double*);
template void sweep<double>(const exec::Stream&, const Lines&, const Tridiagonal<double>&,
                            exec::View<const double>, exec::View<double>, const SweepOptions&);

}  // namespace setka::grid
