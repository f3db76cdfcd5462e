// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lobpcg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/modes/lobpcg_space.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/solve/stagnation.hpp"

namespace setka::modes {
namespace {

constexpr std::int64_t first_guess = 24;  // modes of a pass below a limit
constexpr int max_rounds = 3;             // of looking for missing modes
constexpr int refresh_every = 20;         // iterations, after which K X and M X are computed anew

/// What the iteration keeps off: motions without stiffness, and modes that earlier passes found.
struct Known {
  std::vector<std::unique_ptr<MassBlock>> blocks;  // M-orthonormal, to each other too
  std::vector<double> lambda;
  std::vector<double> residual;

  std::int64_t count() const { return static_cast<std::int64_t>(lambda.size()); }
  std::vector<const MassBlock*> pointers() const {
    std::vector<const MassBlock*> all;
    for (const auto& block : blocks) all.push_back(block.get());
    return all;
  }
  void add(LobpcgSpace& space, const std::vector<std::int64_t>& which, const std::vector<double>& of_space) {
    blocks.push_back(space.columns_of_x(which));
    for (const std::int64_t j : which) {
      lambda.push_back(space.lambda()[static_cast<std::size_t>(j)]);
      residual.push_back(of_space[static_cast<std::size_t>(j)]);
    }
  }
};

std::vector<std::int64_t> first(std::int64_t count) {
  std::vector<std::int64_t> which(static_cast<std::size_t>(count));
  std::iota(which.begin(), which.end(), 0);
  return which;
}

std::int64_t guards_for(const Request& request, std::int64_t count) {
  if (request.guards >= 0) return std::min(request.guards, max_lobpcg_columns - count);
  const std::int64_t wish = std::max<std::int64_t>(4, count / 4);
  // Columns in eights are multiplied together, others one by one; and more guards make fewer iterations.
  const std::int64_t even = (count + wish + 7) / 8 * 8 - count;
  return std::min(even, max_lobpcg_columns - count);
}

class Run {
 public:
  Run(const Problem& problem, const Request& request, const LobpcgOptions& options, Known& known,
      Iterations& progress)
      : problem_(problem), request_(request), options_(options), known_(known), progress_(progress) {
    modes_.method = options.keeps_directions ? "LOBPCG" : "subspace iteration";
    modes_.rows = problem.k.rows();
    modes_.zero = problem.rounding;
    modes_.check_text = "not checked: no modes were looked for";
  }

  Modes modes() {
    if (request_.count > 0) {
      lowest();
    } else {
      below_limit();
    }
    take();
    modes_.converged = modes_.trouble.empty();
    if (modes_.converged && fewer_) {
      modes_.trouble =
          fmt::format("only {} modes of finite frequency exist, {} were asked for: M is singular",
                      known_.count(), request_.count);
    }
    return std::move(modes_);
  }

 private:
  enum class End { converged, too_many_iterations, stagnated, not_finite };

  void lowest();
  void below_limit();
  bool pass(std::int64_t wanted, double tolerance, bool may_be_last);
  ConstBlock start_for(std::int64_t columns) const;
  End iterate(LobpcgSpace& space, std::int64_t wanted, double tolerance);
  bool search(LobpcgSpace& space, std::int64_t wanted);
  void take();
  std::vector<double> in_order(const std::vector<std::size_t>& place, std::size_t n) const;
  std::string describe(End end, double tolerance) const;

  const Problem& problem_;
  const Request& request_;
  const LobpcgOptions& options_;
  Known& known_;
  Iterations& progress_;
  Modes modes_;
  bool fewer_ = false;  // than were asked for
};

Run::End Run::iterate(LobpcgSpace& space, std::int64_t wanted, double tolerance) {
  solve::Stagnation stagnation(options_.stagnation_window);
  for (int since_refresh = 0, iteration = 0;; ++since_refresh, ++iteration) {
    if (since_refresh == refresh_every) {
      space.refresh();
      since_refresh = 0;
    }
    std::vector<double> residual = space.residuals();
    double worst = *std::max_element(residual.begin(), residual.begin() + wanted);
    if (worst <= tolerance && since_refresh > 0) {  // is it true, or rounding that has gathered?
      space.refresh();
      since_refresh = 0;
      residual = space.residuals();
      worst = *std::max_element(residual.begin(), residual.begin() + wanted);
    }
    modes_.history.push_back(worst);
    progress_.advance("residual", worst, tolerance);
    if (!std::all_of(residual.begin(), residual.end(), [](double r) { return std::isfinite(r); })) {
      return End::not_finite;
    }
    if (worst <= tolerance) return End::converged;
    if (modes_.iterations == request_.max_iterations) return End::too_many_iterations;
    if (stagnation.reached(iteration, worst * worst)) return End::stagnated;
    // Half of the tolerance, so that a column that is locked stays converged while others move.
    if (!space.step(residual, 0.5 * tolerance, options_.keeps_directions)) return End::stagnated;
    ++modes_.iterations;
  }
}

/// Whether a block from another start finds modes below the highest wanted one; they join the space.
bool Run::search(LobpcgSpace& space, std::int64_t wanted) {
  const std::int64_t n = problem_.unknowns;
  const std::int64_t columns = std::min(options_.search_columns, n - space.columns() - known_.count());
  if (options_.search_iterations <= 0) {
    modes_.check_text = "not checked: no search was asked for";
    return false;
  }
  if (columns <= 0) {
    modes_.check = Check::all;
    modes_.check_text = "the columns span the whole space";
    return false;
  }
  std::vector<const MassBlock*> off = known_.pointers();
  off.push_back(&space.x());
  LobpcgSpace other(problem_, off, columns, 2);
  double highest = space.lambda()[static_cast<std::size_t>(wanted - 1)];
  for (const double lambda : known_.lambda) highest = std::max(highest, lambda);
  highest = std::min(highest, request_.upper);
  int iterations = 0;
  for (; iterations < options_.search_iterations && other.columns() > 0; ++iterations) {
    const std::vector<double> residual = other.residuals();
    if (other.settled_above(highest, residual)) break;
    if (!other.step(residual, request_.tolerance, options_.keeps_directions)) break;
    progress_.advance();
  }
  modes_.check = Check::search;
  const double slack = std::max(1e-6 * std::abs(highest), problem_.zero_level);
  std::int64_t missing = 0;
  for (const double found : other.lambda()) {
    if (found < highest - slack) ++missing;
  }
  modes_.check_text =
      fmt::format("a search of {} columns and {} iterations in the complement found {} modes below {:.6g}",
                  columns, iterations, missing, highest);
  if (missing == 0) return false;
  if (missing > space.columns() - wanted) {
    modes_.trouble =
        "modes are missing and there are no guard vectors to make room for them: " + modes_.check_text;
    return false;
  }
  space.replace_last(other.x(), missing);
  return true;
}

std::string Run::describe(End end, double tolerance) const {
  const double worst = modes_.history.empty() ? 0.0 : modes_.history.back();
  switch (end) {
    case End::converged:
      return {};
    case End::too_many_iterations:
      return fmt::format("{} iterations of {} were not enough: the residual is {:.1e}, above {:.1e}",
                         modes_.iterations, modes_.method, worst, tolerance);
    case End::stagnated:
      return fmt::format("{} stagnated after {} iterations at a residual of {:.1e}, above {:.1e}",
                         modes_.method, modes_.iterations, worst, tolerance);
    case End::not_finite:
      return modes_.method + " met a number that is not finite in K, M or the preconditioner";
  }
  return {};
}

/// The columns of the start that are not known yet.
ConstBlock Run::start_for(std::int64_t columns) const {
  const ConstBlock& start = options_.start;
  const std::int64_t first = std::min(known_.count(), start.columns);
  return {start.data + first, start.rows, std::min(columns, start.columns - first), start.stride};
}

/// The next modes in the complement of those known, so many. False: there will be no more.
bool Run::pass(std::int64_t wanted, double tolerance, bool may_be_last) {
  const std::int64_t guards = guards_for(request_, wanted);
  const std::int64_t columns = std::min(wanted + guards, problem_.unknowns - known_.count());
  std::optional<LobpcgSpace> begun;
  begun.emplace(problem_, known_.pointers(), columns, 1, start_for(columns));
  // What is known already may be in the start once more, which then lacks columns.
  if (begun->columns() < columns && options_.start.columns > 0)
    begun.emplace(problem_, known_.pointers(), columns, 1);
  LobpcgSpace& space = *begun;
  const bool all = space.columns() < wanted;
  wanted = std::min(wanted, space.columns());
  if (wanted == 0) return false;
  for (int round = 0;; ++round) {
    const End end = iterate(space, wanted, tolerance);
    modes_.trouble = describe(end, tolerance);
    if (end != End::converged) break;
    const bool last = may_be_last && (request_.count > 0 || all ||
                                      space.lambda()[static_cast<std::size_t>(wanted - 1)] > request_.upper);
    if (!last || !search(space, wanted)) break;
    if (round == max_rounds) {
      modes_.trouble = "modes are missing: " + modes_.check_text;
      break;
    }
  }
  known_.add(space, first(wanted), space.residuals());
  return modes_.trouble.empty() && !all;
}

void Run::lowest() {
  const std::int64_t unknown = request_.count - known_.count();
  if (unknown <= 0) return;
  const std::int64_t passes = (unknown + max_modes_of_pass - 1) / max_modes_of_pass;
  for (std::int64_t left = passes; left > 0; --left) {
    const std::int64_t wanted = (request_.count - known_.count() + left - 1) / left;
    if (!pass(wanted, (left > 1 ? 0.1 : 1) * request_.tolerance, left == 1)) break;
  }
  fewer_ = known_.count() < request_.count;
}

void Run::below_limit() {
  const std::int64_t n = problem_.unknowns;
  for (std::int64_t wanted = first_guess; known_.count() < n; wanted = max_modes_of_pass) {
    if (!pass(std::min(wanted, n - known_.count()), 0.1 * request_.tolerance, true)) return;
    if (known_.lambda.back() > request_.upper) return;
  }
}

/// Shapes of all that is known, by ascending frequency.
void Run::take() {
  const auto n = static_cast<std::size_t>(problem_.k.rows());
  const std::size_t count = known_.lambda.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return known_.lambda[a] < known_.lambda[b]; });
  std::vector<std::size_t> place(count);  // in the answer
  for (std::size_t j = 0; j < count; ++j) {
    place[order[j]] = j;
    modes_.lambda.push_back(known_.lambda[order[j]]);
    modes_.residual.push_back(known_.residual[order[j]]);
  }
  if (known_.blocks.size() == 1 && std::is_sorted(order.begin(), order.end())) {
    modes_.shape = known_.blocks.front()->values();
  } else {
    modes_.shape = in_order(place, n);
  }
  if (problem_.k.member() == nullptr) fix_signs(modes_, options_.host_threads);  // else by who has all rows
}

/// The columns of all blocks, each at its place: [n, places].
std::vector<double> Run::in_order(const std::vector<std::size_t>& place, std::size_t n) const {
  const std::size_t count = place.size();
  std::vector<double> shape(n * count);
  std::size_t done = 0;
  for (const auto& block : known_.blocks) {
    const std::vector<double> x = block->values();
    const auto columns = static_cast<std::size_t>(block->columns);
    exec::host::for_each(threads_of(options_.host_threads), static_cast<std::int64_t>(n),
                         exec::host::serial_below, [&](std::int64_t row) {
                           const auto i = static_cast<std::size_t>(row);
                           for (std::size_t j = 0; j < columns; ++j)
                             shape[i * count + place[done + j]] = x[i * columns + j];
                         });
    done += columns;
  }
  return shape;
}

Known known_modes(const Problem& problem, const LobpcgOptions& options) {
  Known known;
  if (options.null_count == 0) return known;
  const std::int64_t n = problem.k.rows();
  require(static_cast<std::int64_t>(options.null_space.size()) == n * options.null_count, [&] {
    return fmt::format("lobpcg: the null space has {} values, not {} columns of {} rows",
                       options.null_space.size(), options.null_count, n);
  });
  require(options.null_count <= max_lobpcg_columns, [&] {
    return fmt::format("lobpcg: a null space of {} columns; at most {} are taken", options.null_count,
                       max_lobpcg_columns);
  });
  const exec::Array<double> given(problem.stream.device(), options.null_space);
  LobpcgSpace space(problem, given, options.null_count);
  const std::vector<double> stiffness = space.stiffness_over_zero_level();
  std::vector<std::int64_t> free;
  for (std::size_t j = 0; j < stiffness.size(); ++j) {
    if (stiffness[j] <= 1) free.push_back(static_cast<std::int64_t>(j));
    require(stiffness[j] <= 1 || options.null_is_guess, [&] {
      return fmt::format(
          "lobpcg: the null space is not one: K phi is {:.1e} of what counts as zero in its "
          "direction {}",
          stiffness[j], j);
    });
  }
  if (!free.empty()) known.add(space, free, space.residuals());
  return known;
}

}  // namespace

std::int64_t columns_of_pass(const Request& request) {
  if (request.count == 0) return max_lobpcg_columns;
  const std::int64_t passes = (request.count + max_modes_of_pass - 1) / max_modes_of_pass;
  const std::int64_t wanted = (request.count + passes - 1) / passes;
  return wanted + guards_for(request, wanted);
}

Modes lobpcg(const exec::Stream& stream, const solve::Operator& k, const solve::Operator& m,
             const solve::Operator& preconditioner, const Request& request, Monitor& monitor,
             const LobpcgOptions& options) {
  const std::int64_t n = k.rows();
  require(m.rows() == n && preconditioner.rows() == n, [&] {
    return fmt::format("lobpcg: K has {} rows but M has {} and the preconditioner {}", n, m.rows(),
                       preconditioner.rows());
  });
  Iterations progress(monitor, options.keeps_directions ? "LOBPCG" : "subspace iteration");
  require(options.project_stiffness == nullptr || options.project_mass != nullptr,
          "lobpcg: a projection of K wants one of M beside it");
  Problem problem(stream, k, m, preconditioner, request.tolerance);
  check_request(request, problem.unknowns);
  if (!options.keeps_directions && options.project_stiffness != nullptr) {
    problem.project_k = &options.project_stiffness;
    problem.project_m = &options.project_mass;
  }
  require(options.start.columns == 0 || options.start.rows == n,
          [&] { return fmt::format("lobpcg: the start has {} rows, K has {}", options.start.rows, n); });
  Known known = known_modes(problem, options);
  Modes modes = Run(problem, request, options, known, progress).modes();
  keep_requested(request, modes, options.host_threads);
  return modes;
}

}  // namespace setka::modes
