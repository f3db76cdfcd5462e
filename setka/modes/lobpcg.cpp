// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lobpcg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/modes/lobpcg_space.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/solve/patience.hpp"

namespace setka::modes {
namespace {

constexpr std::int64_t first_guess = 16;  // modes below a limit
constexpr int most_rounds = 3;            // of looking for missing modes
constexpr int refresh_every = 20;         // iterations, after which K X and M X are computed anew

/// Motions without stiffness, as modes.
struct Known {
  std::unique_ptr<MassBlock> block;  // M-orthonormal
  std::vector<double> lambda;
  std::vector<double> residual;

  std::int64_t count() const { return static_cast<std::int64_t>(lambda.size()); }
};

std::int64_t guards_for(const Request& request, std::int64_t count) {
  const std::int64_t wish = request.guards >= 0 ? request.guards : std::max<std::int64_t>(4, count / 4);
  return std::min(wish, most_lobpcg_columns - count);
}

class Run {
 public:
  Run(const Problem& problem, const Request& request, const LobpcgOptions& options, Stage& stage)
      : problem_(problem), request_(request), options_(options), stage_(stage) {}

  /// The lowest modes, so many, those known included.
  Modes lowest(const Known& known, std::int64_t count);

 private:
  enum class End { converged, too_many_iterations, stagnated, not_finite };

  End iterate(LobpcgSpace& space, std::int64_t wanted);
  bool search(LobpcgSpace& space, const Known& known, std::int64_t wanted);
  void take(LobpcgSpace& space, const Known& known, std::int64_t wanted);
  std::string describe(End end) const;

  const Problem& problem_;
  const Request& request_;
  const LobpcgOptions& options_;
  Stage& stage_;
  Modes modes_;
};

Run::End Run::iterate(LobpcgSpace& space, std::int64_t wanted) {
  solve::Patience patience(options_.patience);
  for (int since_refresh = 0;; ++since_refresh) {
    if (since_refresh == refresh_every) {
      space.refresh();
      since_refresh = 0;
    }
    std::vector<double> residual = space.residuals();
    double worst = *std::max_element(residual.begin(), residual.begin() + wanted);
    if (worst <= request_.tolerance && since_refresh > 0) {  // is it true, or rounding that has gathered?
      space.refresh();
      since_refresh = 0;
      residual = space.residuals();
      worst = *std::max_element(residual.begin(), residual.begin() + wanted);
    }
    modes_.history.push_back(worst);
    stage_.note(fmt::format("residual {:.1e}", worst));
    stage_.advance();
    if (!std::all_of(residual.begin(), residual.end(), [](double r) { return std::isfinite(r); })) {
      return End::not_finite;
    }
    if (worst <= request_.tolerance) return End::converged;
    if (modes_.iterations == request_.most_iterations) return End::too_many_iterations;
    if (patience.lost(modes_.iterations, worst * worst)) return End::stagnated;
    // Half of the tolerance, so that a column that is locked stays converged while others move.
    if (!space.step(residual, 0.5 * request_.tolerance)) return End::stagnated;
    ++modes_.iterations;
  }
}

/// Whether a block from another start finds modes below the highest wanted one; they join the space.
bool Run::search(LobpcgSpace& space, const Known& known, std::int64_t wanted) {
  const std::int64_t n = problem_.k.rows();
  const std::int64_t columns = std::min(options_.search_columns, n - space.columns() - known.count());
  if (options_.search_iterations <= 0) {
    modes_.check_text = "not checked: no search was asked for";
    return false;
  }
  if (columns <= 0) {
    modes_.check = Check::all;
    modes_.check_text = "the columns span the whole space";
    return false;
  }
  std::vector<const MassBlock*> off{&space.x()};
  if (known.block) off.push_back(known.block.get());
  LobpcgSpace other(problem_, off, columns, 2);
  for (int i = 0; i < options_.search_iterations && other.columns() > 0; ++i) {
    if (!other.step(other.residuals(), request_.tolerance)) break;
    stage_.advance();
  }
  modes_.check = Check::search;
  const double highest = space.lambda()[static_cast<std::size_t>(wanted - 1)];
  const double slack = std::max(1e-6 * std::abs(highest), problem_.zero_level);
  std::int64_t missing = 0;
  for (const double found : other.lambda()) {
    if (found < highest - slack) ++missing;
  }
  modes_.check_text =
      fmt::format("a search of {} columns and {} iterations in the complement found {} modes below {:.6g}",
                  columns, options_.search_iterations, missing, highest);
  if (missing == 0) return false;
  if (missing > space.columns() - wanted) {
    modes_.trouble =
        "modes are missing and there are no guard vectors to make room for them: " + modes_.check_text;
    return false;
  }
  space.replace_last(other.x(), missing);
  return true;
}

void Run::take(LobpcgSpace& space, const Known& known, std::int64_t wanted) {
  const std::vector<double> residual = space.residuals();
  const auto n = static_cast<std::size_t>(problem_.k.rows());
  const auto zeros = static_cast<std::size_t>(known.count());
  const auto found = static_cast<std::size_t>(wanted);
  const auto all = static_cast<std::size_t>(space.columns());
  modes_.rows = problem_.k.rows();
  modes_.lambda = known.lambda;
  modes_.residual = known.residual;
  modes_.lambda.insert(modes_.lambda.end(), space.lambda().begin(), space.lambda().begin() + wanted);
  modes_.residual.insert(modes_.residual.end(), residual.begin(), residual.begin() + wanted);
  modes_.shape.assign(n * (zeros + found), 0.0);
  const std::vector<double> x = space.x().values();
  const std::vector<double> null = known.block ? known.block->values() : std::vector<double>();
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = modes_.shape.data() + i * (zeros + found);
    std::copy_n(null.data() + i * zeros, zeros, row);
    std::copy_n(x.data() + i * all, found, row + zeros);
  }
  fix_signs(modes_);
}

std::string Run::describe(End end) const {
  const double worst = modes_.history.empty() ? 0.0 : modes_.history.back();
  switch (end) {
    case End::converged:
      return {};
    case End::too_many_iterations:
      return fmt::format("{} iterations of LOBPCG were not enough: the residual is {:.1e}, above {:.1e}",
                         modes_.iterations, worst, request_.tolerance);
    case End::stagnated:
      return fmt::format("LOBPCG stagnated after {} iterations at a residual of {:.1e}, above {:.1e}",
                         modes_.iterations, worst, request_.tolerance);
    case End::not_finite:
      return "LOBPCG met a number that is not finite in K, M or the preconditioner";
  }
  return {};
}

Modes Run::lowest(const Known& known, std::int64_t count) {
  modes_ = {};
  modes_.method = "LOBPCG";
  std::int64_t wanted = std::max<std::int64_t>(count - known.count(), 0);
  const std::int64_t guards = guards_for(request_, wanted);
  const std::int64_t columns = std::min(wanted + guards, problem_.k.rows() - known.count());
  std::vector<const MassBlock*> off;
  if (known.block) off.push_back(known.block.get());
  LobpcgSpace space(problem_, off, columns, 1);
  const bool fewer = space.columns() < wanted;
  wanted = std::min(wanted, space.columns());
  End end = End::converged;
  if (wanted == 0) modes_.check_text = "not checked: no modes were looked for";
  for (int round = 0; wanted > 0; ++round) {
    end = iterate(space, wanted);
    if (end != End::converged || !search(space, known, wanted)) break;
    if (round == most_rounds) {
      modes_.trouble = "modes are missing: " + modes_.check_text;
      break;
    }
  }
  take(space, known, wanted);
  if (modes_.trouble.empty()) modes_.trouble = describe(end);
  modes_.converged = modes_.trouble.empty();
  if (modes_.converged && fewer) {
    modes_.trouble = fmt::format("only {} modes of finite frequency exist, {} were asked for: M is singular",
                                 modes_.count(), count);
  }
  return std::move(modes_);
}

Known known_modes(const Problem& problem, const LobpcgOptions& options) {
  Known known;
  if (options.null_count == 0) return known;
  const std::int64_t n = problem.k.rows();
  require(static_cast<std::int64_t>(options.null_space.size()) == n * options.null_count, [&] {
    return fmt::format("lobpcg: the null space has {} values, not {} columns of {} rows",
                       options.null_space.size(), options.null_count, n);
  });
  require(options.null_count <= most_lobpcg_columns, [&] {
    return fmt::format("lobpcg: a null space of {} columns; at most {} are taken", options.null_count,
                       most_lobpcg_columns);
  });
  LobpcgSpace space(problem, options.null_space, options.null_count);
  known.residual = space.residuals();
  known.lambda = space.lambda();
  const std::vector<double> stiffness = space.stiffness_over_zero_level();
  for (std::size_t j = 0; j < stiffness.size(); ++j) {
    require(stiffness[j] <= 1, [&] {
      return fmt::format(
          "lobpcg: the null space is not one: K phi is {:.1e} of what counts as zero in its "
          "direction {}",
          stiffness[j], j);
    });
  }
  known.block = space.release_x();
  return known;
}

}  // namespace

Modes lobpcg(const exec::Stream& stream, const solve::Operator& k, const solve::Operator& m,
             const solve::Operator& preconditioner, const Request& request, Monitor& monitor,
             const LobpcgOptions& options) {
  const std::int64_t n = k.rows();
  require(m.rows() == n && preconditioner.rows() == n, [&] {
    return fmt::format("lobpcg: K has {} rows but M has {} and the preconditioner {}", n, m.rows(),
                       preconditioner.rows());
  });
  check_request(request, n);
  require(request.count - options.null_count <= most_lobpcg_columns, [&] {
    return fmt::format("lobpcg: {} modes; at most {} are iterated together", request.count,
                       most_lobpcg_columns);
  });
  Stage stage = monitor.stage("LOBPCG", 0, "iterations");
  const Problem problem(stream, k, m, preconditioner, request.tolerance);
  const Known known = known_modes(problem, options);
  Run run(problem, request, options, stage);
  Modes modes;
  if (request.count > 0) {
    modes = run.lowest(known, request.count);
  } else {
    const std::int64_t most = std::min(n, known.count() + most_lobpcg_columns - 8);
    for (std::int64_t count = known.count() + first_guess;; count *= 2) {
      count = std::min(count, most);
      modes = run.lowest(known, count);
      if (!modes.converged || modes.count() < count || count == n) break;
      if (modes.lambda.back() > request.upper) break;
      if (count == most) {
        modes.converged = false;
        modes.trouble = fmt::format(
            "there are more than {} modes up to {:.6g}, which LOBPCG does not take "
            "together",
            most, request.upper);
        break;
      }
    }
  }
  keep_requested(request, modes);
  return modes;
}

}  // namespace setka::modes
