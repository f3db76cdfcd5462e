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
#include "setka/solve/detail/gathered_amg.hpp"
#include "setka/solve/detail/team_coarsening.hpp"
#include "setka/solve/patches.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/solve/prolongation.hpp"
#include "setka/solve/solver_choices.hpp"
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

/// Whether all members of a team have a first level that is worth having, of one kind, whose columns of
/// others are blocks that these keep.
bool all_have_first(const sparse::TeamCsr<double>& a, const Interpolation& own) {
  if (a.member() == nullptr) return worth_having(own, a.own());
  const exec::Member& member = *a.member();
  const int kind = own.empty() ? 0 : 2 * own.width(a.height()) + (own.gap.empty() ? 0 : 1);
  if (!member.all(kind > 0 && kind == member.agreed([&] { return kind; }))) return false;
  const double coarse = member.sum(static_cast<double>(own.kept.size()) * own.width(a.height()));
  if (coarse > least_coarsening * member.sum(static_cast<double>(a.scalar_rows()))) return false;
  const std::vector<std::int32_t> numbers = detail::numbers_of_kept(a, own.kept, own.beside);
  return member.all(std::ranges::is_sorted(numbers) && (numbers.empty() || numbers.front() >= 0));
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

void Amg::check(const sparse::BlockCsr<double>& a, const AmgGeometry& geometry) const {
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
  if (sparse::coarse_block_size(between, m) == 0 || !sparse::can_prolong(a.height(), between)) {
    throw Error(Fault::usage,
                fmt::format("Amg: blocks of {} with {} modes; there may be as many modes as a block has "
                            "unknowns, 3 with blocks of 2 and 6 with blocks of 3",
                            a.height(), m));
  }
}

Amg::Amg(const exec::Device& device, const sparse::BlockCsr<double>& a, AmgGeometry geometry,
         const AmgOptions& options, Monitor& monitor)
    : device_(device), rows_(a.scalar_rows()), options_(options) {
  check(a, geometry);
  const Interpolation& first = geometry.first;
  if (!worth_having(first, a)) geometry.first = {};
  springs_ = options.springs_above || !first.gap.empty();
  make_levels(a.device() == device ? a.lent() : a.to(device), geometry, monitor);
}

Amg::Amg(const sparse::TeamCsr<double>& a, AmgGeometry geometry, const AmgOptions& options, Monitor& monitor)
    : device_(a.device()), rows_(a.scalar_rows()), options_(options) {
  require(!options.refreshable, "Amg: refresh() is for one device");
  if (a.member() != nullptr) member_ = *a.member();
  check(a.own(), geometry);
  if (!all_have_first(a, geometry.first)) geometry.first = {};
  springs_ = !geometry.first.gap.empty();
  make_levels(a, geometry, monitor);
}

void Amg::make_levels(const sparse::TeamCsr<double>& a, AmgGeometry& geometry, Monitor& monitor) {
  const int width = sparse::coarse_block_size(a.height(), geometry.modes);
  if (geometry.first.empty() && width > geometry.modes) {
    geometry.mode = filled_up(geometry.mode, geometry.modes, width);
    geometry.modes = width;
  }
  const Stage stage = monitor.stage("multigrid set-up");
  exec::Array<double> modes = geometry.mode.on(device_);
  std::optional<sparse::TeamCsr<double>> made;
  while (true) {
    const sparse::TeamCsr<double>& fine = made ? *made : a;
    levels_.push_back(std::make_unique<Level>(fine));
    Level& level = *levels_.back();
    const bool last = is_gathered() || !set_structure(level, fine, geometry, modes, monitor);
    if (last && member_) {
      geometry.mode = modes.to_vector();
      AmgOptions below = options_;
      below.springs_above = springs_ && geometry.first.empty();
      level.gathered = std::make_unique<detail::GatheredAmg>(fine, geometry, below, monitor);
      break;
    }
    std::optional<sparse::TeamCsr<double>> coarse = set_values(level, fine, !made, monitor);
    if (!options_.refreshable) {
      level.tentative.reset();
      level.gaps.reset();
    }
    if (levels_.size() == 2 && options_.keeps_coarse) coarse_ = std::move(made->own());
    if (last) break;
    made = std::move(coarse);
  }
  made.reset();
  finish(a, monitor);
}

/// Makes what waits until the memory of products of matrices is free again.
void Amg::finish(const sparse::TeamCsr<double>& a, Monitor& monitor) {
  Level& finest = *levels_.front();
  if (!finest.matrix && !finest.inverse && !finest.gathered) finest.matrix = a.cast<float>();
  set_visits(monitor);
}

/// Whether one member takes the level over.
bool Amg::is_gathered() const {
  if (!member_) return false;
  std::int64_t enough = options_.gathered_below;
  if (enough == 0) enough = member_->has_gpu() ? gathered_level_bytes_of_gpu : gathered_level_bytes_of_cpu;
  int members = member_->size();
  if (member_->transport() != nullptr) members = std::min(members, gathered_level_max_processes);
  return levels_.back()->values * static_cast<std::int64_t>(sizeof(float)) < enough * members ||
         levels_.back()->unknowns <= options_.max_coarse_size;
}

/// Chooses what becomes of the level; false: there is none below it.
bool Amg::set_structure(Level& level, const sparse::TeamCsr<double>& shared, AmgGeometry& geometry,
                        exec::Array<double>& modes, Monitor& monitor) const {
  const sparse::BlockCsr<double>& fine = shared.own();
  if (level.unknowns <= options_.max_coarse_size || static_cast<int>(levels_.size()) >= options_.max_levels)
    return false;
  const Interpolation& first = geometry.first;
  if (levels_.size() == 1 && !first.empty()) {
    const Stage stage = monitor.stage("given interpolation");
    if (member_) level.beside = detail::numbers_of_kept(shared, first.kept, first.beside);
    level.tentative.emplace(prolongation_of(first, fine));
    level.gaps = gaps_of(first, fine);
    level.smooths = false;
    modes = coarse_modes(first, fine.height(), geometry.modes, modes);
    if (!geometry.coordinates.empty()) geometry.coordinates = kept_rows(first.kept, 3, geometry.coordinates);
    geometry.first = {};
    return true;
  }
  std::optional<Stage> part(monitor.stage("aggregates"));
  // Rigid pieces are too stiff in bending by the fourth power of their length, and tetrahedra have that on
  // their first coarse level already.
  const int members = springs_ ? options_.max_members_below_springs : any_number;
  const exec::Array<double> places(device_, geometry.coordinates);
  std::optional<Aggregates> aggregates;
  const auto is_smaller = [&] {
    const double count = shared.sum(aggregates->count);
    return count > 0 && count * geometry.modes <= least_coarsening * static_cast<double>(level.unknowns);
  };
  // Across one layer of thin elements a node may have a single neighbour within threshold. Much farther is of
  // no use: what such a level leaves out takes hundreds of iterations, and a factorisation is soon done.
  bool smaller = false;
  for (const double threshold : {options_.strength_threshold, 2 * options_.strength_threshold}) {
    if (smaller) break;
    aggregates.emplace(aggregate(strong_neighbours(fine, places, threshold), members));
    smaller = is_smaller();
  }
  if (!smaller) {
    log::debug("multigrid: stopped at {} unknowns, which form no smaller level", level.unknowns);
    return false;
  }
  geometry.coordinates = aggregate_coordinates(*aggregates, places);
  part.reset();
  part.emplace(monitor.stage("tentative prolongation"));
  Tentative tentative = tentative_prolongation(fine, *aggregates, modes, geometry.modes);
  modes = std::move(tentative.coarse_modes);
  level.tentative.emplace(std::move(tentative.matrix));
  return true;
}

/// Fills the level from the values of its matrix; the matrix of the level below, where there is one.
/// is_given: the matrix is still there when the hierarchy is complete.
std::optional<sparse::TeamCsr<double>> Amg::set_values(Level& level, const sparse::TeamCsr<double>& shared,
                                                       bool is_given, Monitor& monitor) const {
  const sparse::BlockCsr<double>& fine = shared.own();
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
    level.matrix = shared.cast<float>();
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
  return coarsen(level, shared, inverse, monitor);
}

/// Transfers between the level and the one below it, whose matrix they make.
sparse::TeamCsr<double> Amg::coarsen(Level& level, const sparse::TeamCsr<double>& shared,
                                     exec::View<const double> inverse, Monitor& monitor) const {
  const sparse::BlockCsr<double>& fine = shared.own();
  if (member_) {
    const Stage stage = monitor.stage("coarse matrix");
    const detail::TeamTentative tentative{*level.tentative, level.beside, level.gaps ? &*level.gaps : nullptr,
                                          options_.spring_share};
    detail::TeamCoarsening made =
        level.smooths
            ? detail::coarsen_over_team(shared, inverse, smoothing_factor / level.highest, tentative)
            : detail::coarsen_over_team(shared, tentative);
    level.prolongation = std::move(made.prolongation);
    level.restriction = std::move(made.restriction);
    return std::move(made.matrix);
  }
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
  if (level.gaps) add_springs(fine, *level.gaps, *level.gaps, options_.spring_share, coarse);
  return coarse;
}

sparse::BlockCsr<double> Amg::coarse_of(const sparse::BlockCsr<double>& b) const {
  require(!member_ && levels_.front()->prolongation, "Amg: there is no coarse level, or it is of a team");
  const Level& finest = *levels_.front();
  return sparse::galerkin(finest.restriction->own().cast<double>(), b,
                          finest.prolongation->own().cast<double>());
}

bool Amg::refreshes(const sparse::BlockCsr<double>& a) const {
  return options_.refreshable && a.scalar_rows() == rows_ && a.value().size() == levels_.front()->values;
}

void Amg::refresh(const sparse::BlockCsr<double>& a, Monitor& monitor) {
  require(options_.refreshable, "Amg: refresh() needs AmgOptions::refreshable");
  require(refreshes(a), "Amg: refresh() takes a matrix of the same structure");
  const Stage stage = monitor.stage("multigrid refresh");
  const sparse::TeamCsr<double> given = a.device() == device_ ? a.lent() : a.to(device_);
  std::optional<sparse::TeamCsr<double>> made;
  for (const auto& level : levels_) {
    std::optional<sparse::TeamCsr<double>> coarse = set_values(*level, made ? *made : given, !made, monitor);
    made = std::move(coarse);
  }
  finish(given, monitor);
}

Amg::~Amg() = default;

std::vector<Amg::LevelInfo> Amg::levels() const {
  std::vector<LevelInfo> infos;
  for (const auto& level : levels_) {
    if (level->gathered) {
      if (level->gathered->amg() == nullptr) break;  // the first member knows
      for (const LevelInfo& info : level->gathered->amg()->levels()) infos.push_back(info);
      break;
    }
    infos.push_back({level->unknowns, level->values, level->highest,
                     std::max(1, static_cast<int>(level->visits.size()))});
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
    for (const auto* part : {&level->prolongation, &level->restriction}) {
      if (*part) sum += (*part)->bytes();
    }
    if (level->inverse) sum += level->inverse->bytes();
    if (level->gathered && level->gathered->amg() != nullptr) sum += level->gathered->amg()->bytes();
    if (level->smoother) sum += level->smoother->bytes();
  }
  return sum;
}

double Amg::operator_complexity() const {
  double sum = 0;
  for (const LevelInfo& level : levels()) sum += static_cast<double>(level.values);
  return sum / static_cast<double>(levels_.front()->values);
}

std::unique_ptr<Operator> make_amg(const PreconditionerInput& input, Monitor& monitor) {
  const sparse::BlockCsr<double>& a = *input.matrix;
  auto amg = input.team != nullptr
                 ? std::make_unique<Amg>(*input.team, input.geometry(), AmgOptions{}, monitor)
                 : std::make_unique<Amg>(a.device(), a, input.geometry(), AmgOptions{}, monitor);
  std::string sizes;
  for (const Amg::LevelInfo& level : amg->levels()) sizes += fmt::format(" {}", level.unknowns);
  log::debug("multigrid: levels of{} unknowns, {:.2f} times the matrix, {}", sizes,
             amg->operator_complexity(), format_bytes(amg->bytes()));
  return amg;
}

}  // namespace setka::solve
