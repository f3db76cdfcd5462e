// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/buckling_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/modes/krylov_basis.hpp"
#include "setka/modes/rayleigh_ritz.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::modes {
namespace {

using sparse::SymmetricCsr;

constexpr int max_searches = 12;  // for missing factors

/// A gap between factors that is a smaller part of them is no place to count at.
constexpr double min_gap_of_factors = 1e-3;

/// Below, a pivot of K is taken for rounding: some motion is free.
constexpr double min_pivot_of_stiffness = 1e-11;

/// Steps after which there are likely no more positive factors than were seen, and after which those are
/// given up that are so many times the negative one: loads that pull, where all that is pressed are corners.
constexpr int patience = 60;
constexpr double most_beside_reversed = 1000;

/// Ritz vectors of the negative end that stay at a restart: without them they would come in again each time.
constexpr std::int64_t kept_negative = 8;

/// A negative factor is told where it is known so well.
constexpr double reversed_error = 1e-4;

SymmetricCsr negative(SymmetricCsr a) {
  for (double& value : a.value) value = -value;
  return a;
}

Dense all_of(const SymmetricCsr& a) {
  Dense full(a.rows, a.rows);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = static_cast<std::size_t>(a.offset[row]); k < static_cast<std::size_t>(a.offset[row + 1]);
         ++k)
      full(i, a.column[k]) = full(a.column[k], i) = a.value[k];
  }
  return full;
}

/// What rayleigh_ritz(S, K) made of columns of which all mu are positive.
void take_modes(Modes made, BucklingModes& to) {
  to.rows = made.rows;
  to.factor.clear();
  for (const double nu : made.lambda) to.factor.push_back(-1 / nu);
  to.shape = std::move(made.shape);
  to.residual = std::move(made.residual);
}

double worst_residual(const BucklingModes& modes) {
  const auto worst = std::ranges::max_element(modes.residual);
  return worst == modes.residual.end() ? 0.0 : *worst;
}

BucklingModes not_definite(std::int32_t rows, const char* method) {
  BucklingModes modes;
  modes.rows = rows;
  modes.method = method;
  modes.indefinite = true;
  modes.trouble = "the stiffness is not positive definite";
  return modes;
}

std::string fewer_text(std::int64_t found, std::int64_t wanted) {
  return fmt::format("only {} positive factors exist, {} were asked for", found, wanted);
}

class BucklingSearch {
 public:
  BucklingSearch(const SymmetricCsr& k, const SymmetricCsr& s, const solve::Cholesky& factor,
                 const Request& request, const LanczosOptions& options, std::int64_t room,
                 Iterations& progress)
      : k_(k),
        s_(s),
        g_(negative(s)),
        request_(request),
        options_(options),
        kept_(request.count + (room - kept_negative - request.count) / 3),
        target_(request.count),
        basis_(k_, g_, factor, room, options.block),
        progress_(progress) {}

  BucklingModes run() {
    bool done = converge(0);
    for (int round = 0; done; ++round) {
      const Finding finding = check();
      if (finding == Finding::complete) break;
      if (round == max_searches) {
        modes_.trouble = "factors are missing: " + modes_.check_text;
        break;
      }
      if (finding == Finding::tail_not_converged) {
        done = converge(0);
      } else {
        restart(target_, true);
        done = converge(options_.search_steps);
      }
    }
    return finished(done);
  }

 private:
  enum class Finding { complete, missing, tail_not_converged };

  /// Infinite where what is next has no positive factor.
  double factor(std::int64_t j) const {
    const double mu = ritz_.theta[static_cast<std::size_t>(j)];
    return mu > 0 ? 1 / mu : std::numeric_limits<double>::infinity();
  }
  std::int64_t positive() const {
    const double least = 1e-12 * std::max(std::abs(ritz_.theta.front()), std::abs(ritz_.theta.back()));
    return std::ranges::count_if(ritz_.theta, [&](double mu) { return mu > least; });
  }

  bool only_reversed() const {
    return modes_.reversed && (positive() == 0 || factor(0) > most_beside_reversed * -*modes_.reversed);
  }

  /// The basis becomes the leading Ritz vectors and some of the negative end.
  void restart(std::int64_t leading, bool fresh) {
    const std::int64_t size = basis_.size();
    leading = std::min(leading, size);
    const std::int64_t last = std::min(kept_negative, size - leading);
    KrylovBasis::Ritz chosen;
    chosen.vector = Dense(size, leading + last);
    for (std::int64_t j = 0; j < leading + last; ++j) {
      const std::int64_t from = j < leading ? j : size - (leading + last - j);
      chosen.theta.push_back(ritz_.theta[static_cast<std::size_t>(from)]);
      std::ranges::copy(ritz_.vector.column(from), chosen.vector.column(j).begin());
    }
    basis_.restart(chosen, leading + last, fresh);
  }

  double worst() const {
    double worst = positive() < target_ ? 1.0 : 0.0;
    const auto there = static_cast<std::size_t>(std::min(target_, positive()));
    for (std::size_t j = 0; j < there; ++j) worst = std::max(worst, ritz_.error[j] / ritz_.theta[j]);
    return worst;
  }

  bool converge(int min_steps) {
    double estimate = std::min(0.1 * request_.tolerance, 1e-6);
    for (int step = 1;; ++step) {
      if (modes_.iterations == request_.max_iterations) return false;
      if (modes_.iterations > patience && (positive() < request_.count || only_reversed())) return false;
      if (basis_.full()) restart(kept_, false);
      if (!basis_.exhausted()) basis_.grow();
      ++modes_.iterations;
      ritz_ = basis_.ritz();
      take_reversed();
      progress_.advance("error", worst(), estimate);
      if (basis_.exhausted()) return take();
      if (step < min_steps) continue;
      while (worst() <= estimate) {
        if (take()) return true;
        if (estimate < 1e-14) return false;
        estimate *= 0.1;
      }
    }
  }

  /// Restarts leave the negative end out, so it is looked at in every step.
  void take_reversed() {
    const double mu = ritz_.theta.back();
    if (mu < 0 && ritz_.error.back() <= reversed_error * -mu) modes_.reversed = 1 / mu;
  }

  /// Shapes from the basis; whether their residuals are small enough.
  bool take() {
    const std::int64_t wanted = std::min(request_.count, positive());
    const Dense x = basis_.refined(ritz_, wanted);
    take_modes(rayleigh_ritz(s_, k_, x.values(), wanted, request_.tolerance), modes_);
    return worst_residual(modes_) <= request_.tolerance;
  }

  bool gap_after(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return factor(i + 1) - factor(i) > min_gap_of_factors * factor(i) &&
           ritz_.error[at] <= min_gap_of_factors * ritz_.theta[at];
  }

  std::optional<std::int64_t> last_before_gap() const {
    const std::int64_t known = std::min(positive(), basis_.size() - 1);
    for (std::int64_t i = request_.count - 1; i < known && i < request_.count + 8; ++i) {
      if (gap_after(i)) return i;
    }
    for (std::int64_t i = std::min(request_.count - 1, known) - 1; i >= 0; --i) {
      if (gap_after(i)) return i;
    }
    return std::nullopt;
  }

  Finding check() {
    if (basis_.exhausted()) {
      modes_.check = Check::all;
      modes_.check_text = "the space of all modes that stresses act upon was exhausted";
      return Finding::complete;
    }
    if (const auto finding = check_by_inertia()) return *finding;
    return check_by_search();
  }

  std::optional<Finding> check_by_inertia() {
    const std::optional<std::int64_t> last = last_before_gap();
    if (!last || inertia_failed_) return std::nullopt;
    const double next = std::min(factor(*last + 1), 2 * factor(*last));
    const double limit = factor(*last) + 0.3 * (next - factor(*last));
    const auto below = solve::negative_pivots(sum(k_, limit, s_), options_.max_inertia_flops);
    if (!below) {
      inertia_failed_ = true;
      return std::nullopt;
    }
    modes_.check = Check::inertia;
    modes_.check_text =
        fmt::format("{} factors between 0 and {:.6g} by inertia, {} found", *below, limit, *last + 1);
    if (*below <= *last + 1) return Finding::complete;
    if (*last + 1 <= target_) return Finding::missing;
    target_ = *last + 1;
    kept_ = std::max(kept_, target_ + options_.block);
    return Finding::tail_not_converged;
  }

  Finding check_by_search() {
    if (before_search_.empty()) {
      before_search_ = modes_.factor;
      modes_.check_text = "a search from another start was not finished";
      return Finding::missing;  // perhaps; the next round will tell
    }
    modes_.check = Check::search;
    for (std::size_t j = 0; j < before_search_.size(); ++j) {
      if (modes_.factor[j] < before_search_[j] * (1 - 1e-6)) {
        before_search_ = modes_.factor;
        modes_.check_text = "a search from another start found a further factor each time";
        return Finding::missing;
      }
    }
    modes_.check_text =
        fmt::format("a search of {} steps from another start found no further factor", options_.search_steps);
    return Finding::complete;
  }

  BucklingModes finished(bool done) {
    modes_.method = "Lanczos";
    if (!done && only_reversed()) {
      modes_.factor.clear();
      modes_.shape.clear();
      modes_.residual.clear();
      modes_.trouble =
          fmt::format("no positive factor is below {:.0f} times the negative one", most_beside_reversed);
    }
    if (!done && modes_.trouble.empty()) {
      if (modes_.factor.empty() && positive() > 0) take();
      modes_.trouble =
          positive() < request_.count
              ? fmt::format("after {} iterations of Lanczos {} positive factors are known, {} were asked for",
                            modes_.iterations, positive(), request_.count)
              : fmt::format("after {} iterations of Lanczos the residual is {:.1e}, above {:.1e}",
                            modes_.iterations, worst_residual(modes_), request_.tolerance);
    }
    if (done && modes_.trouble.empty() && modes_.count() < request_.count)
      modes_.trouble = fewer_text(modes_.count(), request_.count);
    modes_.converged = modes_.trouble.empty();
    return std::move(modes_);
  }

  const SymmetricCsr& k_;
  const SymmetricCsr& s_;
  SymmetricCsr g_;  // -S
  Request request_;
  LanczosOptions options_;
  std::int64_t kept_;    // at a restart
  std::int64_t target_;  // factors that have to converge: those wanted, or some more
  KrylovBasis basis_;
  Iterations& progress_;
  KrylovBasis::Ritz ritz_;
  BucklingModes modes_;
  bool inertia_failed_ = false;
  std::vector<double> before_search_;
};

}  // namespace

BucklingModes dense_buckling(const SymmetricCsr& k, const SymmetricCsr& s, const Request& request) {
  check_request(request, k.rows);
  const DenseCholesky cholesky(all_of(k));
  if (!cholesky.definite() || cholesky.reciprocal_condition() < 1e-15) return not_definite(k.rows, "dense");
  Dense reduced = all_of(s);
  cholesky.solve_lower(reduced);
  cholesky.solve_transposed_on_right(reduced);
  Eigenpairs pairs = eigenpairs(symmetric_part(reduced));  // nu = -1 / factor, ascending
  SETKA_ASSERT(pairs.converged);
  cholesky.solve_transposed(pairs.vector);
  const double noise = static_cast<double>(k.rows) * std::numeric_limits<double>::epsilon() *
                       std::max(std::abs(pairs.value.front()), std::abs(pairs.value.back()));
  std::int64_t taken = 0;
  while (taken < request.count && pairs.value[static_cast<std::size_t>(taken)] < -noise) ++taken;
  BucklingModes modes;
  take_modes(rayleigh_ritz(s, k, pairs.vector.values().first(static_cast<std::size_t>(taken * k.rows)), taken,
                           request.tolerance),
             modes);
  modes.rows = k.rows;
  modes.method = "dense";
  modes.check = Check::all;
  modes.check_text = "all factors were computed";
  if (pairs.value.back() > noise) modes.reversed = -1 / pairs.value.back();
  if (taken < request.count) modes.trouble = fewer_text(taken, request.count);
  modes.converged = modes.trouble.empty();
  return modes;
}

BucklingModes lanczos_buckling(const SymmetricCsr& k, const SymmetricCsr& s, const Request& request,
                               Monitor& monitor, const LanczosOptions& options) {
  require(k.rows == s.rows,
          [&] { return fmt::format("lanczos_buckling: K has {} rows but S has {}", k.rows, s.rows); });
  check_request(request, k.rows);
  const std::int64_t room = std::max(2 * request.count, request.count + 24) + kept_negative + options.block;
  if (room + options.block >= k.rows) return dense_buckling(k, s, request);
  solve::Cholesky factor;
  {
    const Stage stage = monitor.stage("factorisation");
    if (factor.factorise(k) >= 0 || factor.min_pivot().share < min_pivot_of_stiffness)
      return not_definite(k.rows, "Lanczos");
  }
  Iterations progress(monitor, "Lanczos");
  return BucklingSearch(k, s, factor, request, options, room, progress).run();
}

}  // namespace setka::modes
