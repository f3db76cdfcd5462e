// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/amg.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/aggregation.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/dense_inverse.hpp"
#include "setka/solve/precision.hpp"
#include "setka/solve/prolongation.hpp"
#include "setka/solve/spectrum.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {

/// One grid of the hierarchy with its vectors; the coarsest has an inverse and nothing below.
struct Amg::Level {
  explicit Level(const sparse::BlockCsr<double>& a)
      : matrix(a.cast<float>()),
        f(a.device(), a.scalar_rows()),
        x(a.device(), a.scalar_rows()),
        d(a.device(), a.scalar_rows()),
        work(a.device(), a.scalar_rows()) {}

  sparse::BlockCsr<float> matrix;
  std::optional<sparse::BlockCsr<double>> tentative;  // what the prolongation is made from
  bool smooths = true;  // the tentative prolongation; one that was given is taken as it is
  std::optional<sparse::BlockCsr<float>> prolongation;
  std::optional<sparse::BlockCsr<float>> restriction;
  std::optional<sparse::BlockCsr<float>> inverse;
  std::optional<Chebyshev<float>> smoother;
  double highest = 0;
  std::vector<ChebyshevStep> visits;  // empty: one

  /// Room for so many columns in each of the four.
  void make_room(std::int64_t columns) {
    const std::int64_t size = matrix.scalar_rows() * columns;
    const auto grow = [&](exec::Array<float>& vector) {
      if (vector.size() >= size) return;
      vector = exec::Array<float>(matrix.device());  // gives its memory back first
      vector = exec::Array<float>(matrix.device(), size);
    };
    for (exec::Array<float>* vector : {&f, &x, &d, &work}) grow(*vector);
    if (visits.empty()) return;
    for (exec::Array<float>* vector : {&load, &sum, &step}) grow(*vector);
  }

  // An apply() fills them anew; one host thread drives a device at a time. They grow to the most columns that
  // were asked for.
  exec::Array<float> f;
  exec::Array<float> x;
  exec::Array<float> d;
  exec::Array<float> work;

  // Of several visits, empty where there is one.
  exec::Array<float> load{matrix.device()};
  exec::Array<float> sum{matrix.device()};
  exec::Array<float> step{matrix.device()};
};

namespace {

// Lanczos' estimate is low by a few per cent after these steps; the bound is raised by that much.
constexpr int lanczos_steps = 8;
constexpr double lanczos_margin = 1.1;
constexpr double smoothing_factor = 4.0 / 3.0;  // of the prolongation, over the highest eigenvalue

/// A level that is hardly smaller than the one above it is not worth having.
constexpr double least_coarsening = 0.7;

/// What visits of a level may leave of an error on it; a single one may leave as much without being joined by
/// others.
constexpr double most_left = 0.5;

/// Steps that look for the spectrum of a level. Their lowest value is above the true one by some per cent,
/// their highest below it.
constexpr int spectrum_steps = 12;
constexpr double spectrum_margin = 1.05;

/// Columns that go through the cycle together: what a product takes in one pass over the matrix.
constexpr std::int64_t most_columns = 64;

bool worth_having(const Interpolation& interpolation, const sparse::BlockCsr<double>& fine) {
  return !interpolation.empty() && static_cast<double>(interpolation.kept.size()) <=
                                       least_coarsening * static_cast<double>(fine.rows());
}

sparse::BlockCsr<double> matrix_of(const Interpolation& interpolation, const sparse::BlockCsr<double>& fine) {
  const exec::Device& device = fine.device();
  return {fine.rows(),
          static_cast<std::int32_t>(interpolation.kept.size()),
          fine.height(),
          fine.height(),
          exec::Array<std::int32_t>(device, interpolation.offset),
          exec::Array<std::int32_t>(device, interpolation.column),
          exec::Array<double>(device, interpolation.value)};
}

/// Of `values`, [block rows, width], those of the rows that are kept.
void keep_rows(const std::vector<std::int32_t>& kept, int width, std::vector<double>& values) {
  const auto n = static_cast<std::size_t>(width);
  std::vector<double> left;
  left.reserve(kept.size() * n);
  for (const std::int32_t row : kept) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * n);
    left.insert(left.end(), from, from + width);
  }
  values = std::move(left);
}

/// How a cycle sees the memory of a level's vectors.
struct OneColumn {
  exec::View<float> operator()(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows};
  }
  exec::View<float> flat(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows};
  }
};
struct ManyColumns {
  std::int64_t count;
  exec::MultiView<float> operator()(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows, count, count};
  }
  exec::View<float> flat(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows * count};
  }
};

/// As few steps as leave little enough of an error, if so many suffice.
std::vector<ChebyshevStep> visits_for(const Spectrum& spectrum, int most) {
  const double highest = spectrum_margin * std::max(1.0, spectrum.highest);
  const double lowest = spectrum.lowest / spectrum_margin;
  if (!(lowest > 0 && lowest < highest)) return {};
  const double centre_over_radius = (highest + lowest) / (highest - lowest);
  int degree = 1;
  for (; degree < most; ++degree)
    if (std::cosh(degree * std::acosh(centre_over_radius)) >= 1 / most_left) break;
  if (degree == 1) return {};
  return chebyshev_steps(lowest, highest, degree);
}

}  // namespace

Amg::Amg(const exec::Device& device, const sparse::BlockCsr<double>& a, AmgGeometry geometry,
         const AmgOptions& options, Monitor& monitor)
    : device_(device), rows_(a.scalar_rows()), options_(options) {
  const int m = geometry.modes;
  require(static_cast<std::int64_t>(geometry.mode.size()) == rows_ * m &&
              (geometry.coordinates.empty() ||
               static_cast<std::int64_t>(geometry.coordinates.size()) == 3 * std::int64_t{a.rows()}),
          [&] {
            return fmt::format("Amg: matrix of {} block rows, {} modes of {} values, {} coordinates",
                               a.rows(), m, geometry.mode.size(), geometry.coordinates.size());
          });
  const Interpolation& first = geometry.first;
  require(first.empty() ||
              (first.offset.size() == static_cast<std::size_t>(a.rows()) + 1 &&
               first.column.size() == static_cast<std::size_t>(first.offset.back()) &&
               first.value.size() == first.column.size() * static_cast<std::size_t>(a.height() * a.height())),
          [&] {
            return fmt::format("Amg: interpolation of {} offsets, {} columns and {} values for {} block rows",
                               first.offset.size(), first.column.size(), first.value.size(), a.rows());
          });
  const Stage stage = monitor.stage("multigrid set-up");
  exec::Array<double> modes(device, geometry.mode);
  std::optional<sparse::BlockCsr<double>> made;
  if (!(a.device() == device)) made = a.to(device);
  while (true) {
    const sparse::BlockCsr<double>& fine = made ? *made : a;
    levels_.push_back(std::make_unique<Level>(fine));
    Level& level = *levels_.back();
    const bool last = !set_structure(level, fine, geometry, modes, monitor);
    std::optional<sparse::BlockCsr<double>> coarse = set_values(level, fine, monitor);
    if (!options_.refreshable) level.tentative.reset();
    if (last) break;
    made = std::move(coarse);
  }
  made.reset();
  set_visits(monitor);
}

/// Chooses what becomes of the level; false: there is none below it.
bool Amg::set_structure(Level& level, const sparse::BlockCsr<double>& fine, AmgGeometry& geometry,
                        exec::Array<double>& modes, Monitor& monitor) const {
  if (fine.scalar_rows() <= options_.coarsest || static_cast<int>(levels_.size()) >= options_.most_levels)
    return false;
  if (levels_.size() == 1 && worth_having(geometry.first, fine)) {
    const Stage stage = monitor.stage("given interpolation");
    level.tentative.emplace(matrix_of(geometry.first, fine));
    level.smooths = false;
    keep_rows(geometry.first.kept, geometry.modes * fine.height(), geometry.mode);
    if (!geometry.coordinates.empty()) keep_rows(geometry.first.kept, 3, geometry.coordinates);
    modes = exec::Array<double>(device_, geometry.mode);
    return true;
  }
  std::optional<Stage> part(monitor.stage("aggregates"));
  Aggregates aggregates;
  const auto is_smaller = [&] {
    return aggregates.count > 0 && static_cast<double>(aggregates.count) * geometry.modes <=
                                       least_coarsening * static_cast<double>(fine.scalar_rows());
  };
  // Across one layer of thin elements a node may have a single neighbour within reach. Much farther is of no
  // use: what such a level leaves out takes hundreds of iterations, and a factorisation is soon done.
  for (const double reach : {options_.reach, 2 * options_.reach})
    if (!is_smaller()) aggregates = aggregate(strong_neighbours(fine, geometry.coordinates, reach));
  if (!is_smaller()) {
    log::debug("multigrid: stopped at {} unknowns, which form no smaller level", fine.scalar_rows());
    return false;
  }
  geometry.coordinates = aggregate_coordinates(aggregates, geometry.coordinates);
  part.reset();
  part.emplace(monitor.stage("tentative prolongation"));
  Tentative tentative = tentative_prolongation(fine, aggregates, modes, geometry.modes);
  modes = std::move(tentative.coarse_modes);
  level.tentative.emplace(std::move(tentative.matrix));
  return true;
}

/// Fills the level from the values of its matrix; the matrix of the level below, where there is one.
std::optional<sparse::BlockCsr<double>> Amg::set_values(Level& level, const sparse::BlockCsr<double>& fine,
                                                        Monitor& monitor) const {
  if (!level.tentative && fine.scalar_rows() <= options_.coarsest) {
    const Stage stage = monitor.stage("coarsest level");
    level.inverse = dense_inverse(fine).cast<float>();
    return {};
  }
  const exec::Array<double> inverse = inverse_diagonal_blocks(fine);
  exec::Array<float> rounded(device_, inverse.size());
  exec::convert<double, float>(device_, inverse, rounded);
  {
    const Stage stage = monitor.stage("highest eigenvalue");
    level.highest = highest_eigenvalue(level.matrix, rounded, lanczos_steps);
  }
  if (!level.tentative) {
    // It does not get smaller: the smoother alone, with more steps, has to do.
    level.smoother.emplace(std::move(rounded), lanczos_margin * level.highest, 100.0, 16);
    return {};
  }
  level.smoother.emplace(std::move(rounded), lanczos_margin * level.highest,
                         level.smooths ? options_.ratio : options_.ratio_above_given, options_.degree);
  std::optional<Stage> part(monitor.stage("prolongation"));
  std::optional<sparse::BlockCsr<double>> smoothed;
  if (level.smooths)
    smoothed = smooth_prolongation(fine, inverse, smoothing_factor / level.highest, *level.tentative);
  const sparse::BlockCsr<double>& p = smoothed ? *smoothed : *level.tentative;
  const sparse::BlockCsr<double> r = sparse::transpose(p);
  level.prolongation = p.cast<float>();
  level.restriction = r.cast<float>();
  part.reset();
  part.emplace(monitor.stage("coarse matrix"));
  return sparse::multiply(r, sparse::multiply(fine, p));
}

void Amg::refresh(const sparse::BlockCsr<double>& a, Monitor& monitor) {
  const sparse::BlockCsr<float>& before = levels_.front()->matrix;
  require(options_.refreshable, "Amg: refresh() needs AmgOptions::refreshable");
  require(a.rows() == before.rows() && a.height() == before.height() && a.blocks() == before.blocks(),
          "Amg: refresh() takes a matrix of the same structure");
  const Stage stage = monitor.stage("multigrid refresh");
  std::optional<sparse::BlockCsr<double>> made;
  if (!(a.device() == device_)) made = a.to(device_);
  for (const auto& level : levels_) {
    const sparse::BlockCsr<double>& fine = made ? *made : a;
    level->matrix = fine.cast<float>();
    std::optional<sparse::BlockCsr<double>> coarse = set_values(*level, fine, monitor);
    made = std::move(coarse);
  }
  made.reset();
  set_visits(monitor);
}

/// From the coarsest level up, since what a level is approximated by has the visits of those below.
void Amg::set_visits(Monitor& monitor) {
  if (options_.most_visits <= 1) return;
  const Stage stage = monitor.stage("visits of levels");
  const exec::Stream stream = device_;
  for (std::size_t at = levels_.size() - 1; at > 0; --at) {
    Level& level = *levels_[at];
    level.visits.clear();
    if (!level.prolongation) continue;  // solved directly, or by its smoother
    const Spectrum spectrum = spectrum_of_preconditioned(
        level.matrix,
        [&](exec::View<const float> r, exec::View<float> z) {
          const std::int64_t rows = level.matrix.scalar_rows();
          exec::copy_async<float>(stream, r, OneColumn{}(level.f, rows));
          cycle(stream, at, OneColumn{});
          exec::copy_async<float>(stream, OneColumn{}(level.x, rows), z);
        },
        spectrum_steps);
    level.visits = visits_for(spectrum, options_.most_visits);
    level.make_room(1);
    log::debug("multigrid: level of {} unknowns is seen from {:.2g} to {:.3g} of its stiffness, visits: {}",
               level.matrix.scalar_rows(), spectrum.lowest, spectrum.highest,
               std::max<std::size_t>(1, level.visits.size()));
  }
}

Amg::~Amg() = default;

template <class Shape>
void Amg::cycle(const exec::Stream& stream, std::size_t at, const Shape& shape) const {
  Level& level = *levels_[at];
  const std::int64_t rows = level.matrix.scalar_rows();
  const auto f = shape(level.f, rows);
  const auto x = shape(level.x, rows);
  const auto d = shape(level.d, rows);
  const auto work = shape(level.work, rows);
  if (level.inverse) {
    sparse::multiply<float>(stream, *level.inverse, f, x);
    return;
  }
  level.smoother->smooth_from_zero(stream, level.matrix, f, x, d, work);
  if (!level.prolongation) return;
  sparse::multiply<float>(stream, -1.0F, level.matrix, x, 1.0F, f, work);
  Level& below = *levels_[at + 1];
  const std::int64_t fewer = below.matrix.scalar_rows();
  sparse::multiply<float>(stream, *level.restriction, work, shape(below.f, fewer));
  visit(stream, at + 1, shape);
  sparse::multiply<float>(stream, 1.0F, *level.prolongation, shape(below.x, fewer), 1.0F, x,
                          level.smoother->start(x, work));
  level.smoother->smooth(stream, level.matrix, f, x, d, work);
}

/// x of a level from its f: a cycle, or as many as the level needs.
template <class Shape>
void Amg::visit(const exec::Stream& stream, std::size_t at, const Shape& shape) const {
  Level& level = *levels_[at];
  cycle(stream, at, shape);
  if (level.visits.empty()) return;
  const std::int64_t rows = level.matrix.scalar_rows();
  const auto flat = [&](exec::Array<float>& vector) { return shape.flat(vector, rows); };
  std::swap(level.f, level.load);
  exec::scale<float>(stream, static_cast<float>(level.visits[0].step), flat(level.x));
  exec::copy_async<float>(stream, flat(level.x), flat(level.sum));
  std::swap(level.x, level.step);
  for (std::size_t k = 1; k < level.visits.size(); ++k) {
    const ChebyshevStep& next = level.visits[k];
    sparse::multiply<float>(stream, -1.0F, level.matrix, shape(level.sum, rows), 1.0F,
                            shape(level.load, rows), shape(level.f, rows));
    cycle(stream, at, shape);
    exec::axpby<float>(stream, static_cast<float>(next.step), flat(level.x),
                       static_cast<float>(next.momentum), flat(level.step));
    exec::axpy<float>(stream, 1.0F, flat(level.step), flat(level.sum));
  }
  std::swap(level.x, level.sum);
}

void Amg::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
}

void Amg::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                exec::MultiView<double> y) const {
  require(x.rows == rows_ && y.rows == rows_ && x.columns == y.columns, [&] {
    return fmt::format("Amg: of {} rows, but x is [{} x {}] and y [{} x {}]", rows_, x.rows, x.columns,
                       y.rows, y.columns);
  });
  Level& finest = *levels_.front();
  for (std::int64_t first = 0; first < x.columns; first += most_columns) {
    const std::int64_t columns = std::min(most_columns, x.columns - first);
    for (const auto& level : levels_) level->make_room(columns);
    const ManyColumns together{columns};
    to_single(stream, {x.data + first, rows_, columns, x.stride}, together(finest.f, rows_));
    if (columns == 1) {
      cycle(stream, 0, OneColumn{});  // has faster products
    } else {
      cycle(stream, 0, together);
    }
    to_double(stream, together(finest.x, rows_), {y.data + first, rows_, columns, y.stride});
  }
}

std::vector<Amg::LevelInfo> Amg::levels() const {
  std::vector<LevelInfo> infos;
  for (const auto& level : levels_) {
    infos.push_back({level->matrix.scalar_rows(), level->matrix.value().size(), level->highest,
                     std::max(1, static_cast<int>(level->visits.size()))});
  }
  return infos;
}

std::size_t Amg::bytes() const {
  std::size_t sum = 0;
  for (const auto& level : levels_) {
    sum += level->matrix.bytes() + 4 * level->f.bytes() + 3 * level->load.bytes();
    if (level->tentative) sum += level->tentative->bytes();
    for (const auto* part : {&level->prolongation, &level->restriction, &level->inverse}) {
      if (*part) sum += (*part)->bytes();
    }
    if (level->smoother) sum += level->smoother->bytes();
  }
  return sum;
}

double Amg::operator_complexity() const {
  double sum = 0;
  for (const auto& level : levels_) sum += static_cast<double>(level->matrix.value().size());
  return sum / static_cast<double>(levels_.front()->matrix.value().size());
}

}  // namespace setka::solve
