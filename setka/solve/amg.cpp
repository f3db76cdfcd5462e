// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/amg.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/aggregation.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/dense_inverse.hpp"
#include "setka/solve/detail/amg_level.hpp"
#include "setka/solve/patches.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/solve/prolongation.hpp"
#include "setka/solve/spectrum.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve {
namespace {

// Lanczos' estimate is low by a few per cent after these steps; the bound is raised by that much.
constexpr int lanczos_steps = 8;
constexpr double lanczos_margin = 1.1;
constexpr double smoothing_factor = 4.0 / 3.0;  // of the prolongation, over the highest eigenvalue

/// A level that is hardly smaller than the one above it is not worth having.
constexpr double least_coarsening = 0.7;

bool worth_having(const Interpolation& interpolation, const sparse::BlockCsr<double>& fine) {
  if (interpolation.empty()) return false;
  const auto coarse = static_cast<double>(interpolation.kept.size()) * interpolation.width(fine.height());
  return coarse <= least_coarsening * static_cast<double>(fine.scalar_rows());
}

/// Columns of zeros behind the modes, so that there are as many as a coarse block has unknowns.
ModeValues filled_up(const ModeValues& mode, int modes, int width) {
  std::vector<double> wide;
  wide.reserve(static_cast<std::size_t>(mode.size()) / static_cast<std::size_t>(modes) *
               static_cast<std::size_t>(width));
  const std::vector<double> values = mode.on_host();
  for (auto row = values.begin(); row != values.end(); row += modes) {
    wide.insert(wide.end(), row, row + modes);
    wide.insert(wide.end(), static_cast<std::size_t>(width - modes), 0.0);
  }
  return wide;
}

}  // namespace

Amg::Amg(const exec::Device& device, const sparse::BlockCsr<double>& a, AmgGeometry geometry,
         const AmgOptions& options, Monitor& monitor)
    : device_(device), rows_(a.scalar_rows()), options_(options) {
  const int m = geometry.modes;
  require(geometry.mode.size() == rows_ * m &&
              (geometry.coordinates.empty() ||
               static_cast<std::int64_t>(geometry.coordinates.size()) == 3 * std::int64_t{a.rows()}),
          [&] {
            return fmt::format("Amg: matrix of {} block rows, {} modes of {} values, {} coordinates",
                               a.rows(), m, geometry.mode.size(), geometry.coordinates.size());
          });
  const Interpolation& first = geometry.first;
  require(first.empty() || fits(first, a.rows(), a.height(), m), [&] {
    return fmt::format(
        "Amg: interpolation of {} offsets, {} columns, {} values, {} gaps and {} modes for {} block rows",
        first.offset.size(), first.column.size(), first.value.size(), first.gap.size(),
        first.more_modes.size(), a.rows());
  });
  const int between = first.empty() ? a.height() : first.width(a.height());
  const int width = sparse::coarse_block_size(between, m);
  if (width == 0 || !sparse::can_prolong(a.height(), between)) {
    throw Error(Fault::usage,
                fmt::format("Amg: blocks of {} with {} modes; there may be as many modes as a block has "
                            "unknowns, 3 with blocks of 2 and 6 with blocks of 3",
                            a.height(), m));
  }
  if (first.empty() && width > m) {
    geometry.mode = filled_up(geometry.mode, m, width);
    geometry.modes = width;
  }
  if (!worth_having(first, a)) geometry.first = {};
  springs_ = !first.gap.empty();
  const Stage stage = monitor.stage("multigrid set-up");
  exec::Array<double> modes = geometry.mode.on(device);
  std::optional<sparse::BlockCsr<double>> made;
  if (!(a.device() == device)) made = a.to(device);
  while (true) {
    const sparse::BlockCsr<double>& fine = made ? *made : a;
    levels_.push_back(std::make_unique<Level>(fine));
    Level& level = *levels_.back();
    const bool last = !set_structure(level, fine, geometry, modes, monitor);
    std::optional<sparse::BlockCsr<double>> coarse = set_values(level, fine, !made, monitor);
    if (!options_.refreshable) {
      level.tentative.reset();
      level.gaps.reset();
    }
    if (last) break;
    made = std::move(coarse);
  }
  made.reset();
  finish(a, monitor);
}

/// Makes what waits until the memory of products of matrices is free again.
void Amg::finish(const sparse::BlockCsr<double>& a, Monitor& monitor) {
  Level& finest = *levels_.front();
  if (!finest.matrix && !finest.inverse) finest.matrix = a.cast<float>();
  set_visits(monitor);
}

/// Chooses what becomes of the level; false: there is none below it.
bool Amg::set_structure(Level& level, const sparse::BlockCsr<double>& fine, AmgGeometry& geometry,
                        exec::Array<double>& modes, Monitor& monitor) const {
  if (fine.scalar_rows() <= options_.max_coarse_size ||
      static_cast<int>(levels_.size()) >= options_.max_levels)
    return false;
  const Interpolation& first = geometry.first;
  if (levels_.size() == 1 && !first.empty()) {
    const Stage stage = monitor.stage("given interpolation");
    level.tentative.emplace(prolongation_of(first, fine));
    level.gaps = gaps_of(first, fine);
    level.smooths = false;
    modes = coarse_modes(first, fine.height(), geometry.modes, modes);
    if (!geometry.coordinates.empty()) geometry.coordinates = kept_rows(first.kept, 3, geometry.coordinates);
    return true;
  }
  std::optional<Stage> part(monitor.stage("aggregates"));
  // Rigid pieces are too stiff in bending by the fourth power of their length, and tetrahedra have that on
  // their first coarse level already.
  const int members = springs_ ? options_.max_members_below_springs : any_number;
  Aggregates aggregates;
  const auto is_smaller = [&] {
    return aggregates.count > 0 && static_cast<double>(aggregates.count) * geometry.modes <=
                                       least_coarsening * static_cast<double>(fine.scalar_rows());
  };
  // Across one layer of thin elements a node may have a single neighbour within threshold. Much farther is of
  // no use: what such a level leaves out takes hundreds of iterations, and a factorisation is soon done.
  for (const double threshold : {options_.strength_threshold, 2 * options_.strength_threshold})
    if (!is_smaller())
      aggregates = aggregate(strong_neighbours(fine, geometry.coordinates, threshold), members);
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
/// is_given: the matrix is still there when the hierarchy is complete.
std::optional<sparse::BlockCsr<double>> Amg::set_values(Level& level, const sparse::BlockCsr<double>& fine,
                                                        bool is_given, Monitor& monitor) const {
  if (!level.tentative && fine.scalar_rows() <= options_.max_coarse_size) {
    const Stage stage = monitor.stage("coarsest level");
    level.inverse = dense_inverse(fine).cast<float>();
    return {};
  }
  const exec::Array<double> inverse = inverse_diagonal_blocks(fine);
  exec::Array<float> rounded(device_, inverse.size());
  exec::convert<double, float>(device_, inverse, rounded);
  std::optional<Patches> patches;
  if (springs_ && level.tentative) {
    const Stage stage = monitor.stage("patches");
    patches = strong_patches(fine, inverse, options_.patch_coupling, options_.max_patch_members);
  }
  double highest = 0;  // of what the smoother damps
  {
    const Stage stage = monitor.stage("highest eigenvalue");
    level.matrix = fine.cast<float>();
    const auto with = [&](const std::optional<Patches>& any) {
      return highest_eigenvalue(*level.matrix, rounded, any, lanczos_steps);
    };
    // A prolongation is smoothed by the diagonal blocks alone.
    if (!patches || level.smooths) level.highest = with({});
    if (patches) {
      clear_rows(device_, *patches, rounded);
      highest = with(patches);
    }
    if (!patches) highest = level.highest;
    if (!level.smooths) level.highest = highest;
    // The one of the finest level is made once more at the end: it is cheap to make, and the coarse matrix
    // needs its memory.
    if (is_given && level.tentative) level.matrix.reset();
  }
  if (!level.tentative) {
    // It does not get smaller: the smoother alone, with more steps, has to do.
    level.smoother.emplace(std::move(rounded), lanczos_margin * highest, 100.0, 16);
    return {};
  }
  level.smoother.emplace(std::move(rounded), lanczos_margin * highest,
                         level.smooths ? options_.smoothing_ratio : options_.smoothing_ratio_above_given,
                         options_.smoother_degree, std::move(patches));
  std::optional<Stage> part(monitor.stage("prolongation"));
  std::optional<sparse::BlockCsr<double>> smoothed;
  if (level.smooths)
    smoothed = smooth_prolongation(fine, inverse, smoothing_factor / level.highest, *level.tentative);
  if (smoothed && !options_.refreshable) level.tentative.reset();
  const sparse::BlockCsr<double>& p = smoothed ? *smoothed : *level.tentative;
  std::optional<sparse::BlockCsr<double>> r(sparse::transpose(p));
  part.reset();
  part.emplace(monitor.stage("coarse matrix"));
  sparse::BlockCsr<double> coarse = sparse::galerkin(*r, fine, p);
  level.restriction = r->cast<float>();
  r.reset();
  level.prolongation = p.cast<float>();
  if (level.gaps) add_springs(fine, *level.gaps, options_.spring_share, coarse);
  return coarse;
}

bool Amg::refreshes(const sparse::BlockCsr<double>& a) const {
  return options_.refreshable && a.scalar_rows() == rows_ && a.value().size() == levels_.front()->values;
}

void Amg::refresh(const sparse::BlockCsr<double>& a, Monitor& monitor) {
  require(options_.refreshable, "Amg: refresh() needs AmgOptions::refreshable");
  require(refreshes(a), "Amg: refresh() takes a matrix of the same structure");
  const Stage stage = monitor.stage("multigrid refresh");
  std::optional<sparse::BlockCsr<double>> made;
  if (!(a.device() == device_)) made = a.to(device_);
  for (const auto& level : levels_) {
    const sparse::BlockCsr<double>& fine = made ? *made : a;
    std::optional<sparse::BlockCsr<double>> coarse = set_values(*level, fine, !made, monitor);
    made = std::move(coarse);
  }
  finish(a, monitor);
}

Amg::~Amg() = default;

std::vector<Amg::LevelInfo> Amg::levels() const {
  std::vector<LevelInfo> infos;
  for (const auto& level : levels_) {
    infos.push_back(
        {level->rows, level->values, level->highest, std::max(1, static_cast<int>(level->visits.size()))});
  }
  return infos;
}

std::size_t Amg::bytes() const {
  std::size_t sum = 0;
  for (const auto& level : levels_) {
    if (level->matrix) sum += level->matrix->bytes();
    sum += 4 * level->f.bytes() + 3 * level->load.bytes();
    for (const auto* part : {&level->tentative, &level->gaps}) {
      if (*part) sum += (*part)->bytes();
    }
    for (const auto* part : {&level->prolongation, &level->restriction, &level->inverse}) {
      if (*part) sum += (*part)->bytes();
    }
    if (level->smoother) sum += level->smoother->bytes();
  }
  return sum;
}

double Amg::operator_complexity() const {
  double sum = 0;
  for (const auto& level : levels_) sum += static_cast<double>(level->values);
  return sum / static_cast<double>(levels_.front()->values);
}

std::unique_ptr<Operator> make_amg(const PreconditionerInput& input, Monitor& monitor) {
  const sparse::BlockCsr<double>& a = *input.matrix;
  auto amg = std::make_unique<Amg>(a.device(), a, input.geometry(), AmgOptions{}, monitor);
  std::string sizes;
  for (const Amg::LevelInfo& level : amg->levels()) sizes += fmt::format(" {}", level.unknowns);
  log::debug("multigrid: levels of{} unknowns, {:.2f} times the matrix, {}", sizes,
             amg->operator_complexity(), format_bytes(amg->bytes()));
  return amg;
}

}  // namespace setka::solve
