// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/modes/dense_modes.hpp"
#include "setka/modes/krylov_basis.hpp"
#include "setka/modes/rayleigh_ritz.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::modes {
namespace {

using sparse::SymmetricCsr;

constexpr std::int64_t dense_unknowns = 200;
constexpr std::int64_t first_guess = 16;  // modes below a limit, where they cannot be counted
constexpr int max_rounds = 12;            // of looking for missing modes

/// A gap between eigenvalues that is a smaller part of them is no place to count at.
constexpr double min_gap = 1e-3;

/// Below, a pivot of K is taken for rounding: some motion is free.
constexpr double min_pivot = 1e-11;

/// Where a preload has made K indefinite, larger shifts are tried, up to about the end of the spectrum.
constexpr int max_shifts = 6;
constexpr double shift_growth = 30;

/// Where the modes of a free body do not come out, smaller ones are: a part of the largest eigenvalue found.
constexpr int max_nearer_shifts = 3;
constexpr double nearer_shift = 0.1;

/// K - sigma M, factorised.
struct Shifted {
  solve::Cholesky factor;
  double sigma = 0;
  std::int32_t bad_row = -1;  // where it could not be
};

Shifted factorise(const SymmetricCsr& k, const SymmetricCsr& m, Monitor& monitor) {
  const Stage stage = monitor.stage("factorisation");
  Shifted made;
  made.bad_row = made.factor.factorise(sum(k, 0, m));
  if (made.bad_row < 0 && made.factor.min_pivot().share > min_pivot) return made;
  double shift = small_shift(k, m);
  if (!(shift > 0)) return made;
  for (int i = 0; i < max_shifts; ++i, shift *= shift_growth) {
    made.sigma = -shift;
    made.bad_row = made.factor.factorise(sum(k, shift, m));
    if (made.bad_row < 0) break;
  }
  return made;
}

class Search {
 public:
  Search(const SymmetricCsr& k, const SymmetricCsr& m, const Shifted& shifted, const Request& request,
         const LanczosOptions& options, std::int64_t count, std::int64_t room, Iterations& progress)
      : k_(k),
        m_(m),
        sigma_(shifted.sigma),
        request_(request),
        options_(options),
        count_(count),
        kept_(count + (room - count) / 3),
        target_(count),
        basis_(m, shifted.factor, room, options.block),
        progress_(progress) {}

  Modes run() {
    bool done = converge(0);
    for (int round = 0; done; ++round) {
      const Finding finding = check();
      if (finding == Finding::complete) break;
      if (round == max_rounds) {
        modes_.trouble = "modes are missing: " + modes_.check_text;
        break;
      }
      if (finding == Finding::tail_not_converged) {
        done = converge(0);
      } else {
        basis_.restart(ritz_, std::min(target_, basis_.size()), true);
        done = converge(options_.search_steps);
      }
    }
    return finished(done);
  }

 private:
  /// The last: modes are missing, perhaps only copies of the last wanted one that are not wanted themselves.
  /// To find which, those beyond the wanted ones have to converge too: what is kept while a new block is
  /// searched does not improve.
  enum class Finding { complete, missing, tail_not_converged };

  double lambda(std::int64_t j) const { return sigma_ + 1 / ritz_.theta[static_cast<std::size_t>(j)]; }

  bool within(double estimate) const {
    if (basis_.exhausted()) return true;
    if (basis_.size() < target_) return false;
    return worst() <= estimate;
  }
  double worst() const {
    const auto wanted = static_cast<std::size_t>(std::min(target_, basis_.size()));
    double worst = 0;
    for (std::size_t j = 0; j < wanted; ++j) worst = std::max(ritz_.error[j] / ritz_.theta[j], worst);
    return worst;
  }

  /// Until the true residuals are within the tolerance, at least so many steps.
  bool converge(int min_steps) {
    // The error in the M-norm and the residual are not of one size; the former is asked to fall until the
    // latter is small enough.
    double estimate = std::min(0.1 * request_.tolerance, 1e-6);
    for (int step = 1;; ++step) {
      if (modes_.iterations == request_.max_iterations) return false;
      if (basis_.full()) basis_.restart(ritz_, std::min(kept_, basis_.size()), false);
      if (!basis_.exhausted()) basis_.grow();
      ++modes_.iterations;
      ritz_ = basis_.ritz();
      modes_.history.push_back(worst());
      progress_.advance("error", worst(), estimate);
      if (basis_.exhausted()) return take();
      if (step < min_steps) continue;
      while (within(estimate)) {
        if (take()) return true;
        if (estimate < 1e-14) return false;
        estimate *= 0.1;
      }
    }
  }

  /// Shapes from the basis; whether their residuals are small enough.
  bool take() {
    const std::int64_t wanted = std::min(count_, basis_.size());
    const Dense x = basis_.refined(ritz_, wanted);
    Modes made = rayleigh_ritz(k_, m_, x.values(), wanted, request_.tolerance);
    modes_.rows = made.rows;
    modes_.lambda = std::move(made.lambda);
    modes_.shape = std::move(made.shape);
    modes_.residual = std::move(made.residual);
    modes_.zero = made.zero;
    return *std::max_element(modes_.residual.begin(), modes_.residual.end()) <= request_.tolerance;
  }

  /// Whether two neighbours are apart by what can be told from rounding and from errors that are left.
  bool gap_after(std::int64_t i) const {
    const double gap = lambda(i + 1) - lambda(i);
    const double size = std::max(std::abs(lambda(i)), std::abs(lambda(i + 1)));
    const auto at = static_cast<std::size_t>(i);
    return gap > min_gap * size && ritz_.error[at] <= min_gap * ritz_.theta[at];
  }

  /// The last of the modes before a gap, at the end of the wanted ones or as near as there is one.
  std::optional<std::int64_t> last_before_gap() const {
    const std::int64_t size = basis_.size();
    for (std::int64_t i = count_ - 1; i + 1 < size && i < count_ + 8; ++i) {
      if (gap_after(i)) return i;
    }
    for (std::int64_t i = count_ - 2; i >= 0 && i + 1 < size; --i) {
      if (gap_after(i)) return i;
    }
    return std::nullopt;
  }

  Finding check() {
    if (basis_.exhausted()) {
      modes_.check = Check::all;
      modes_.check_text = "the space of all modes of finite frequency was exhausted";
      return Finding::complete;
    }
    if (const auto finding = check_by_inertia()) return *finding;
    return check_by_search();
  }

  std::optional<Finding> check_by_inertia() {
    const std::optional<std::int64_t> last = last_before_gap();
    if (!last || inertia_failed_) return std::nullopt;
    const double mu = lambda(*last) + 0.3 * (lambda(*last + 1) - lambda(*last));
    const auto below = solve::negative_pivots(sum(k_, -mu, m_), options_.max_inertia_flops);
    if (!below) {
      inertia_failed_ = true;
      return std::nullopt;
    }
    modes_.check = Check::inertia;
    modes_.check_text = fmt::format("{} modes below {:.6g} by inertia, {} found", *below, mu, *last + 1);
    if (*below <= *last + 1) return Finding::complete;
    if (*last + 1 <= target_) return Finding::missing;
    target_ = *last + 1;
    kept_ = std::max(kept_, target_ + options_.block);
    return Finding::tail_not_converged;
  }

  Finding check_by_search() {
    if (before_search_.empty()) {
      before_search_ = modes_.lambda;
      modes_.check_text = "a search from another start was not finished";
      return Finding::missing;  // perhaps; the next round will tell
    }
    modes_.check = Check::search;
    const double slack = 1e-6 * std::max(std::abs(before_search_.back()), -sigma_);
    for (std::size_t j = 0; j < before_search_.size(); ++j) {
      if (modes_.lambda[j] < before_search_[j] - slack) {
        before_search_ = modes_.lambda;
        modes_.check_text = "a search from another start found a further mode each time";
        return Finding::missing;
      }
    }
    modes_.check_text =
        fmt::format("a search of {} steps from another start found no further mode", options_.search_steps);
    return Finding::complete;
  }

  Modes finished(bool done) {
    modes_.method = "Lanczos";
    if (!done && modes_.trouble.empty()) {
      if (modes_.lambda.empty()) take();
      const double worst = *std::max_element(modes_.residual.begin(), modes_.residual.end());
      modes_.trouble = fmt::format("after {} iterations of Lanczos the residual is {:.1e}, above {:.1e}",
                                   modes_.iterations, worst, request_.tolerance);
    }
    modes_.converged = modes_.trouble.empty();
    return std::move(modes_);
  }

  const SymmetricCsr& k_;
  const SymmetricCsr& m_;
  double sigma_;
  Request request_;
  LanczosOptions options_;
  std::int64_t count_;
  std::int64_t kept_;    // at a restart
  std::int64_t target_;  // modes that have to converge: those wanted, or some more
  KrylovBasis basis_;
  Iterations& progress_;
  KrylovBasis::Ritz ritz_;
  Modes modes_;
  bool inertia_failed_ = false;
  std::vector<double> before_search_;
};

/// The lowest modes, so many.
Modes lowest(const SymmetricCsr& k, const SymmetricCsr& m, const Shifted& shifted, const Request& request,
             const LanczosOptions& options, std::int64_t count, Monitor& monitor) {
  const std::int64_t room = std::max(2 * count, count + 24) + options.block;
  if (k.rows <= dense_unknowns || room + options.block >= k.rows) {
    Modes modes = dense_modes(k, m, shifted.sigma, count, request.tolerance);
    const auto worst = std::max_element(modes.residual.begin(), modes.residual.end());
    modes.converged = worst == modes.residual.end() || *worst <= request.tolerance;
    if (!modes.converged) {
      modes.trouble =
          fmt::format("rounding leaves residuals of {:.1e}, above {:.1e}", *worst, request.tolerance);
    }
    return modes;
  }
  Iterations progress(monitor, "Lanczos");
  return Search(k, m, shifted, request, options, count, room, progress).run();
}

/// All modes up to the limit: so many as the inertia tells, or more and more until the limit is passed.
Modes below_limit(const SymmetricCsr& k, const SymmetricCsr& m, const Shifted& shifted,
                  const Request& request, const LanczosOptions& options, Monitor& monitor) {
  const auto below = solve::negative_pivots(sum(k, -request.upper, m), options.max_inertia_flops);
  if (below && *below == 0) {
    Modes none;
    none.rows = k.rows;
    none.method = "Lanczos";
    none.check = Check::inertia;
    none.check_text = fmt::format("no modes below {:.6g} by inertia", request.upper);
    none.converged = true;
    return none;
  }
  if (below) return lowest(k, m, shifted, request, options, *below, monitor);
  for (std::int64_t count = first_guess;; count *= 2) {
    count = std::min<std::int64_t>(count, k.rows);
    Modes modes = lowest(k, m, shifted, request, options, count, monitor);
    if (!modes.converged || modes.count() < count || count == k.rows || modes.lambda.back() > request.upper)
      return modes;
  }
}

}  // namespace

Modes lanczos(const SymmetricCsr& k, const SymmetricCsr& m, const Request& request, Monitor& monitor,
              const LanczosOptions& options) {
  require(k.rows == m.rows,
          [&] { return fmt::format("lanczos: K has {} rows but M has {}", k.rows, m.rows); });
  require(options.block > 0, "lanczos: a block has at least one column");
  check_request(request, k.rows);
  const auto finite = [](double value) { return std::isfinite(value); };
  require(std::all_of(k.value.begin(), k.value.end(), finite) &&
              std::all_of(m.value.begin(), m.value.end(), finite),
          "lanczos: K or M has an entry that is not a finite number");
  Shifted shifted = factorise(k, m, monitor);
  Modes modes;
  modes.rows = k.rows;
  modes.method = "Lanczos";
  if (!(trace(m) > 0)) {
    modes.trouble = "no unknown has mass";
    return modes;
  }
  if (shifted.bad_row >= 0) {
    modes.trouble = fmt::format(
        "an unknown has neither stiffness nor mass, or a negative stiffness that its mass does not "
        "outweigh: seen at row {} of K + {:.3g} M",
        shifted.bad_row, -shifted.sigma);
    return modes;
  }
  const auto search = [&] {
    return request.count > 0 ? lowest(k, m, shifted, request, options, request.count, monitor)
                             : below_limit(k, m, shifted, request, options, monitor);
  };
  modes = search();
  // Thin free bodies have frequencies far below those of their solids: seen from the shift all are one. What
  // was found is above what there is, and says how far to go.
  for (int i = 0; i < max_nearer_shifts && !modes.converged && !modes.lambda.empty(); ++i) {
    const double nearer = nearer_shift * *std::ranges::max_element(modes.lambda);
    if (!(nearer > 0) || !(nearer < nearer_shift * -shifted.sigma)) break;
    Shifted next;
    next.sigma = -nearer;
    next.bad_row = next.factor.factorise(sum(k, nearer, m));
    if (next.bad_row >= 0) break;
    shifted = std::move(next);
    modes = search();
  }
  if (modes.converged && modes.count() < request.count) {
    modes.trouble = fmt::format("only {} modes of finite frequency exist, {} were asked for: M is singular",
                                modes.count(), request.count);
  }
  keep_requested(request, modes);
  return modes;
}

}  // namespace setka::modes
