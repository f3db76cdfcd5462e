// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What multigrid does with a hierarchy: cycles, and how often each visits a level.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/detail/amg_level.hpp"
#include "setka/solve/precision.hpp"
#include "setka/solve/spectrum.hpp"

namespace setka::solve {
namespace {

/// What visits of a level may leave of an error on it; a single one may leave as much without being joined by
/// others.
constexpr double most_left = 0.5;

/// Steps that look for the spectrum of a level. Their lowest value is above the true one by some per cent,
/// their highest below it.
constexpr int spectrum_steps = 12;
constexpr double spectrum_margin = 1.05;

/// Columns that go through the cycle together: what a product takes in one pass over the matrix.
constexpr std::int64_t most_columns = 64;

/// How a cycle sees the memory of a level's vectors.
struct OneColumn {
  exec::View<float> operator()(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows};
  }
  exec::View<float> flat(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows};
  }
  exec::MultiView<float> columns(exec::Array<float>& vector, std::int64_t rows) const {
    return {vector.data(), rows, 1, 1};
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
  exec::MultiView<float> columns(exec::Array<float>& vector, std::int64_t rows) const {
    return (*this)(vector, rows);
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

template <class Shape>
void Amg::cycle(const exec::Stream& stream, std::size_t at, const Shape& shape) const {
  Level& level = *levels_[at];
  const std::int64_t rows = level.rows;
  const auto f = shape(level.f, rows);
  const auto x = shape(level.x, rows);
  const auto d = shape(level.d, rows);
  const auto work = shape(level.work, rows);
  if (level.gathered)
    return level.gathered->apply(stream, shape.columns(level.f, rows), shape.columns(level.x, rows));
  if (level.inverse) {
    sparse::multiply<float>(stream, *level.inverse, f, x);
    return;
  }
  level.smoother->smooth_from_zero(stream, *level.matrix, f, x, d, work);
  if (!level.prolongation) return;
  sparse::multiply<float>(stream, -1.0F, *level.matrix, x, 1.0F, f, work);
  Level& below = *levels_[at + 1];
  const std::int64_t fewer = below.rows;
  sparse::multiply<float>(stream, *level.restriction, work, shape(below.f, fewer));
  visit(stream, at + 1, shape);
  sparse::multiply<float>(stream, 1.0F, *level.prolongation, shape(below.x, fewer), 1.0F, x,
                          level.smoother->start(x, work));
  level.smoother->smooth(stream, *level.matrix, f, x, d, work);
}

/// x of a level from its f: a cycle, or as many as the level needs.
template <class Shape>
void Amg::visit(const exec::Stream& stream, std::size_t at, const Shape& shape) const {
  Level& level = *levels_[at];
  cycle(stream, at, shape);
  if (level.visits.empty()) return;
  const std::int64_t rows = level.rows;
  const auto flat = [&](exec::Array<float>& vector) { return shape.flat(vector, rows); };
  std::swap(level.f, level.load);
  exec::scale<float>(stream, static_cast<float>(level.visits[0].step), flat(level.x));
  exec::copy_async<float>(stream, flat(level.x), flat(level.sum));
  std::swap(level.x, level.step);
  for (std::size_t k = 1; k < level.visits.size(); ++k) {
    const ChebyshevStep& next = level.visits[k];
    sparse::multiply<float>(stream, -1.0F, *level.matrix, shape(level.sum, rows), 1.0F,
                            shape(level.load, rows), shape(level.f, rows));
    cycle(stream, at, shape);
    exec::axpby<float>(stream, static_cast<float>(next.step), flat(level.x),
                       static_cast<float>(next.momentum), flat(level.step));
    exec::axpy<float>(stream, 1.0F, flat(level.step), flat(level.sum));
  }
  std::swap(level.x, level.sum);
}

Amg::LevelVectors Amg::vectors(std::size_t at, std::int64_t columns) const {
  for (std::size_t below = at; below < levels_.size(); ++below) levels_[below]->make_room(columns);
  Level& level = *levels_[at];
  const ManyColumns together{columns};
  return {together(level.f, level.rows), together(level.x, level.rows)};
}

void Amg::visit_columns(const exec::Stream& stream, std::size_t at, std::int64_t columns) const {
  if (columns == 1) return visit(stream, at, OneColumn{});  // has faster products
  visit(stream, at, ManyColumns{columns});
}

Amg::LevelVectors Amg::finest(std::int64_t columns) const {
  return vectors(0, columns);
}

void Amg::visit_finest(const exec::Stream& stream, std::int64_t columns) const {
  visit_columns(stream, 0, columns);
}

void Amg::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
}

void Amg::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                exec::MultiView<double> y) const {
  visit_in_double(stream, 0, x, y);
}

void Amg::apply_below(const exec::Stream& stream, exec::MultiView<const double> x,
                      exec::MultiView<double> y) const {
  require(levels_.size() > 1 && !member_, "Amg: there is no coarse level, or it is of a team");
  visit_in_double(stream, 1, x, y);
}

void Amg::visit_in_double(const exec::Stream& stream, std::size_t at, exec::MultiView<const double> x,
                          exec::MultiView<double> y) const {
  const std::int64_t rows = levels_[at]->rows;
  require(x.rows == rows && y.rows == rows && x.columns == y.columns, [&] {
    return fmt::format("Amg: of {} rows, but x is [{} x {}] and y [{} x {}]", rows, x.rows, x.columns, y.rows,
                       y.columns);
  });
  for (std::int64_t first = 0; first < x.columns; first += most_columns) {
    const std::int64_t columns = std::min(most_columns, x.columns - first);
    to_single(stream, {x.data + first, rows, columns, x.stride}, vectors(at, columns).f);
    visit_columns(stream, at, columns);
    to_double(stream, vectors(at, columns).x, {y.data + first, rows, columns, y.stride});
  }
}

void Amg::prolong(const exec::Stream& stream, exec::MultiView<const double> x,
                  exec::MultiView<double> y) const {
  require(levels_.size() > 1 && !member_, "Amg: there is no coarse level, or it is of a team");
  require(x.rows == levels_[1]->rows && y.rows == rows_ && x.columns == y.columns, [&] {
    return fmt::format("Amg: prolongs {} rows to {}, but x is [{} x {}] and y [{} x {}]", levels_[1]->rows,
                       rows_, x.rows, x.columns, y.rows, y.columns);
  });
  for (std::int64_t first = 0; first < x.columns; first += most_columns) {
    const std::int64_t columns = std::min(most_columns, x.columns - first);
    const exec::MultiView<float> fine = vectors(0, columns).x;
    const exec::MultiView<float> coarse = vectors(1, columns).x;
    to_single(stream, {x.data + first, x.rows, columns, x.stride}, coarse);
    sparse::multiply<float>(stream, *levels_.front()->prolongation, coarse, fine);
    to_double(stream, fine, {y.data + first, rows_, columns, y.stride});
  }
}

/// From the coarsest level up, since what a level is approximated by has the visits of those below.
void Amg::set_visits(Monitor& monitor) {
  if (options_.max_visits <= 1) return;
  const Stage stage = monitor.stage("visits of levels");
  const exec::Stream stream = device_;
  const std::size_t first = options_.visits_finest ? 0 : 1;
  for (std::size_t at = levels_.size(); at-- > first;) {
    Level& level = *levels_[at];
    level.visits.clear();
    if (!level.prolongation) continue;  // solved directly, or by its smoother
    const Spectrum spectrum = spectrum_of_preconditioned(
        *level.matrix,
        [&](exec::View<const float> r, exec::View<float> z) {
          const std::int64_t rows = level.rows;
          exec::copy_async<float>(stream, r, OneColumn{}(level.f, rows));
          cycle(stream, at, OneColumn{});
          exec::copy_async<float>(stream, OneColumn{}(level.x, rows), z);
        },
        spectrum_steps);
    level.visits = visits_for(spectrum, options_.max_visits);
    level.make_room(1);
    log::debug("multigrid: level of {} unknowns is seen from {:.2g} to {:.3g} of its stiffness, visits: {}",
               level.unknowns, spectrum.lowest, spectrum.highest,
               std::max<std::size_t>(1, level.visits.size()));
  }
}

}  // namespace setka::solve
