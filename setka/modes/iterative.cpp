// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/vector.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/modes/lobpcg_space.hpp"
#include "setka/modes/mass_operator.hpp"
#include "setka/modes/motions_of_parts.hpp"
#include "setka/modes/shifted_matrix.hpp"
#include "setka/modes/subspace.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"

namespace setka::modes {
namespace {

/// Of the shift for a free body that small_shift() has: slender bodies have far lower frequencies than
/// compact ones, and a shift above those slows the iteration down.
constexpr double part_of_shift = 0.1;

/// One degree more than for single systems: about a tenth fewer iterations, each of which has the algebra of
/// blocks beside its cycle, for the same time on two cores.
constexpr int smoothing = 3;

/// Iterations after which multigrid that does not help is given up, where there is something else to try.
constexpr int window_at_first = 40;

/// Motions of the geometry that have no stiffness: whether there are any.
bool some_motion_is_free(const Problem& problem, const solve::AmgGeometry& geometry) {
  if (geometry.modes == 0) return false;
  LobpcgSpace space(problem, geometry.mode.on(problem.stream.device()), geometry.modes);
  const std::vector<double> stiffness = space.stiffness_over_zero_level();
  return std::any_of(stiffness.begin(), stiffness.end(), [](double share) { return share <= 1; });
}

class Attempt {
 public:
  Attempt(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
          const Request& request, bool by_subspace, Monitor& monitor)
      : device_(device),
        request_(request),
        by_subspace_(by_subspace),
        monitor_(monitor),
        geometry_(system.geometry()),
        k_(*system.stiffness, device),
        m_(*system.mass, device),
        mass_(m_.matrix()) {
    options_.host_threads = cpu.threads();
  }

  Modes run(bool free) {
    const Problem problem(device_, k_.product(), mass_, k_.product(), request_.tolerance);
    const bool motions = some_motion_is_free(problem, geometry_);
    double alpha = 0;
    const double small =
        part_of_shift * small_shift(trace(k_.matrix()), trace(m_.matrix()), k_.matrix().scalar_rows());
    if (motions || free) {
      Motions of_parts = motions_of_parts(k_.matrix(), geometry_, most_lobpcg_columns);
      options_.null_count = of_parts.count;
      options_.null_space = std::move(of_parts.values);
      options_.null_is_guess = true;
    }
    if (motions || free) alpha = small;
    options_.stagnation_window = window_at_first;
    Modes found = with_shift(alpha);
    const double lowest = found.lambda.empty() ? 0.0 : found.lambda.front();
    const bool indefinite = lowest < -10 * problem.zero_level;
    if (found.converged && !indefinite) return found;
    options_.stagnation_window = LobpcgOptions().stagnation_window;
    const double larger = indefinite ? -2 * lowest : 10 * small;
    if (!(larger > alpha)) return found;
    log::info("{}; trying again with multigrid of K + {:.3g} M",
              indefinite ? fmt::format("the lowest eigenvalue is {:.3g}", lowest) : found.trouble, larger);
    return with_shift(larger);
  }

 private:
  Modes with_shift(double alpha) {
    std::optional<Stage> stage(monitor_.stage("multigrid"));
    const std::optional<sparse::BlockCsr<double>> shifted =
        alpha > 0 ? std::optional(shifted_matrix(k_.matrix(), alpha, m_.matrix())) : std::nullopt;
    solve::AmgOptions options;
    options.smoother_degree = smoothing;
    const solve::Amg amg(device_, shifted ? *shifted : k_.matrix(), geometry_, options, monitor_);
    log::debug("modes: multigrid of K + {:.3g} M, {}", alpha, format_bytes(amg.bytes()));
    stage.reset();
    if (!by_subspace_) return lobpcg(device_, k_.product(), mass_, amg, request_, monitor_, options_);
    const solve::BlockCsrOperator a(shifted ? *shifted : k_.matrix());
    return subspace(device_, k_.product(), mass_, a, amg, request_, monitor_, options_);
  }

  /// A matrix on the device, a copy of one that lies elsewhere.
  class There {
   public:
    There(const sparse::BlockCsr<double>& matrix, const exec::Device& device) {
      if (!(matrix.device() == device)) moved_.emplace(matrix.to(device));
      product_.emplace(moved_ ? *moved_ : matrix);
    }
    const sparse::BlockCsr<double>& matrix() const { return product_->matrix(); }
    const solve::Operator& product() const { return *product_; }

   private:
    std::optional<sparse::BlockCsr<double>> moved_;
    std::optional<solve::BlockCsrOperator> product_;
  };

  const exec::Device& device_;
  const Request& request_;
  bool by_subspace_;
  Monitor& monitor_;
  solve::AmgGeometry geometry_;
  There k_;
  There m_;
  MassOperator mass_;
  LobpcgOptions options_;
};

}  // namespace

Modes iterated(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
               const Request& request, bool by_subspace, Monitor& monitor) {
  return Attempt(device, cpu, system, request, by_subspace, monitor).run(system.free);
}

}  // namespace setka::modes
