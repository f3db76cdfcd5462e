// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/line_systems.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/grid/lines.hpp"
#include "setka/io/npy.hpp"

namespace setka::cases {
namespace {

using grid::Coefficients;

std::string shown(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::vector<double> values_of(const io::NpyFile& file) {
  std::vector<double> values(static_cast<std::size_t>(file.size()));
  file.read(0, values);
  return values;
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The lines along an axis of an array of one to three axes.
grid::Lines lines_of(const LineSystems& systems, const std::vector<std::int64_t>& shape) {
  constexpr std::ptrdiff_t most_axes = 3;
  const std::ptrdiff_t axes = std::ssize(shape);
  if (axes < 1 || axes > most_axes)
    throw Error(Fault::input, fmt::format("the array has {} axes: {}", axes, shown(shape)),
                "give an array of one to three axes", {systems.right.string(), 0});
  const std::ptrdiff_t axis = systems.axis < 0 ? axes + systems.axis : systems.axis;
  if (axis < 0 || axis >= axes)
    throw Error(Fault::usage, fmt::format("there is no axis {} in an array {}", systems.axis, shown(shape)),
                fmt::format("give 0 to {}, or -1 for the last", axes - 1));
  std::int64_t extents[most_axes] = {1, 1, 1};
  std::copy(shape.begin(), shape.end(), extents + (most_axes - axes));
  return grid::Lines::along(static_cast<int>(axis + most_axes - axes), {extents[0], extents[1], extents[2]});
}

/// One coefficient of all rows, as it was given.
struct Given {
  Coefficients kind = Coefficients::constant;
  std::vector<double> values;

  double at(const grid::Lines& lines, std::int64_t line, std::int64_t row) const {
    switch (kind) {
      case Coefficients::each:
        return values[static_cast<std::size_t>(lines.place(line, row))];
      case Coefficients::shared:
        return values[static_cast<std::size_t>(row)];
      default:
        return values.front();
    }
  }
};

Given given_by(const std::string& text, const std::vector<std::int64_t>& shape, std::int64_t rows) {
  if (const auto number = number_in(text)) return {Coefficients::constant, {*number}};
  const io::NpyFile file(text);
  if (file.shape() == shape)
    return {shape.size() == 1 ? Coefficients::shared : Coefficients::each, values_of(file)};
  if (file.shape() == std::vector{rows}) return {Coefficients::shared, values_of(file)};
  throw Error(Fault::input,
              fmt::format("the coefficients are {}, but the right-hand side is {}", shown(file.shape()),
                          shown(shape)),
              fmt::format("give a number, {} values for all lines, or an array {}", rows, shown(shape)),
              {text, 0});
}

struct Rows {
  Given lower;
  Given diagonal;
  Given upper;

  /// What all of them can be given as.
  Coefficients kind() const {
    const auto any = [&](Coefficients wanted) {
      return lower.kind == wanted || diagonal.kind == wanted || upper.kind == wanted;
    };
    return any(Coefficients::each)     ? Coefficients::each
           : any(Coefficients::shared) ? Coefficients::shared
                                       : Coefficients::constant;
  }
};

/// As many values as the kind has, whatever it was given as.
template <class T>
std::vector<T> spread(const Given& given, Coefficients kind, const grid::Lines& lines) {
  if (given.kind == kind || given.kind == Coefficients::constant) {
    const std::int64_t size = kind == Coefficients::each ? lines.count() * lines.rows : lines.rows;
    if (given.kind == Coefficients::constant)
      return std::vector<T>(static_cast<std::size_t>(size), static_cast<T>(given.values.front()));
    return {given.values.begin(), given.values.end()};
  }
  std::vector<T> all(static_cast<std::size_t>(lines.count() * lines.rows));
  for (std::int64_t line = 0; line < lines.count(); ++line) {
    for (std::int64_t row = 0; row < lines.rows; ++row)
      all[static_cast<std::size_t>(lines.place(line, row))] = static_cast<T>(given.at(lines, line, row));
  }
  return all;
}

double largest_residual(const Rows& rows, const grid::Lines& lines, bool periodic,
                        const std::vector<double>& d, const std::vector<double>& x) {
  double largest = 0;
  double scale = 0;
  const std::int64_t last = lines.rows - 1;
  for (std::int64_t line = 0; line < lines.count(); ++line) {
    const auto value = [&](const std::vector<double>& values, std::int64_t row) {
      return values[static_cast<std::size_t>(lines.place(line, row))];
    };
    for (std::int64_t row = 0; row <= last; ++row) {
      double sum = rows.diagonal.at(lines, line, row) * value(x, row) - value(d, row);
      if (row > 0 || periodic) sum += rows.lower.at(lines, line, row) * value(x, row > 0 ? row - 1 : last);
      if (row < last || periodic) sum += rows.upper.at(lines, line, row) * value(x, row < last ? row + 1 : 0);
      if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(sum));
      scale = std::max(scale, std::abs(value(d, row)));
    }
  }
  return scale > 0 ? largest / scale : largest;
}

/// The solution, and the seconds it took.
template <class T>
std::vector<T> solve(const LineSystems& systems, const grid::Lines& lines, const Rows& rows,
                     const std::vector<double>& right, const exec::Device& device, double& seconds) {
  using Clock = std::chrono::steady_clock;
  const Coefficients kind = rows.kind();
  exec::Array<T> u(device, std::vector<T>(right.begin(), right.end()));
  std::vector<exec::Array<T>> bands;
  const Given* const given[3] = {&rows.lower, &rows.diagonal, &rows.upper};
  if (kind != Coefficients::constant) {
    for (const Given* one : given) bands.emplace_back(device, spread<T>(*one, kind, lines));
  }
  const auto number = [&](int k) { return static_cast<T>(given[k]->values.front()); };
  const auto matrix =
      kind == Coefficients::constant ? grid::Tridiagonal<T>::constant(number(0), number(1), number(2))
      : kind == Coefficients::shared ? grid::Tridiagonal<T>::shared(bands[0], bands[1], bands[2])
                                     : grid::Tridiagonal<T>::each(bands[0], bands[1], bands[2]);
  grid::SweepOptions options = systems.sweep;
  options.check_pivots = false;  // the solution shows it
  device.synchronize();
  const auto begin = Clock::now();
  grid::sweep<T>(device, lines, matrix, u, u, options);
  device.synchronize();
  seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<T> solution = u.to_vector();
  if (systems.sweep.check_pivots &&
      !std::ranges::all_of(solution, [](T value) { return std::isfinite(value); })) {
    u = exec::Array<T>(device, std::vector<T>(right.begin(), right.end()));
    grid::sweep<T>(device, lines, matrix, u, u, systems.sweep);  // says where
  }
  return solution;
}

GridPrediction prediction_of(const LineSystems& systems, const grid::Lines& lines, Coefficients kind,
                             const exec::Device& device) {
  GridPrediction none;
  if (systems.sweep.check_dominance) {
    none.lacks = "the model has no formula for the check of dominance";
    return none;
  }
  return GridModel(device).of_lines(lines, kind, systems.sweep.periodic, systems.single_precision ? 4 : 8);
}

}  // namespace

SolvedLines solve_lines(const LineSystems& systems, const exec::Device& device, Monitor& monitor) {
  SolvedLines solved;
  std::vector<double> right;
  Rows rows;
  grid::Lines lines;
  {
    const Stage stage = monitor.stage("read");
    const io::NpyFile file(systems.right);
    solved.shape = file.shape();
    lines = lines_of(systems, solved.shape);
    rows = {given_by(systems.lower, solved.shape, lines.rows),
            given_by(systems.diagonal, solved.shape, lines.rows),
            given_by(systems.upper, solved.shape, lines.rows)};
    right = values_of(file);
  }
  solved.lines = lines.count();
  solved.rows = lines.rows;
  solved.coefficients = rows.kind();
  solved.prediction = prediction_of(systems, lines, solved.coefficients, device);
  const auto solve_in = [&]<class T>(T) {
    std::vector<T> x;
    {
      const Stage stage = monitor.stage("solve");
      x = solve<T>(systems, lines, rows, right, device, solved.seconds);
    }
    {
      const Stage stage = monitor.stage("residual");
      solved.residual = largest_residual(rows, lines, systems.sweep.periodic, right,
                                         std::vector<double>(x.begin(), x.end()));
    }
    solved.converged = solved.residual <= systems.tolerance;
    if (!solved.converged && !systems.write_anyway) return;
    const Stage stage = monitor.stage("write");
    io::write_npy(systems.output, solved.shape, x);
    solved.written = true;
  };
  systems.single_precision ? solve_in(float{}) : solve_in(double{});
  return solved;
}

}  // namespace setka::cases
