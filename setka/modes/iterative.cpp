// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
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
#include "setka/solve/chebyshev_preconditioner.hpp"
#include "setka/solve/operators.hpp"
#include "setka/solve/preconditioner.hpp"

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

/// A matrix of the system on the device of the iteration.
class There {
 public:
  There(const SystemMatrix& given, const exec::Device& device, bool is_mass) : given_(given) {
    if (given.assembled != nullptr) {
      if (!(given.assembled->device() == device)) moved_.emplace(given.assembled->to(device));
      if (given.product == nullptr && is_mass) product_ = std::make_unique<MassOperator>(*matrix());
      if (given.product == nullptr && !is_mass)
        product_ = std::make_unique<solve::BlockCsrOperator>(*matrix());
    }
  }

  /// None: it is not assembled.
  const sparse::BlockCsr<double>* matrix() const { return moved_ ? &*moved_ : given_.assembled; }
  const solve::Operator& product() const { return product_ ? *product_ : *given_.product; }
  const Projection& projection() const { return given_.projection; }
  exec::Array<double> diagonal_blocks(int n) const { return given_.diagonal_blocks(n); }
  const sparse::TeamCsr<double>* team() const { return given_.team; }
  double trace() const {
    if (given_.team != nullptr) return given_.team->sum(modes::trace(*matrix()));
    if (matrix() != nullptr) return modes::trace(*matrix());
    const std::vector<double> diagonal = diagonal_blocks(1).to_vector();
    const double own = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
    const exec::Member* const member = product().member();
    return member != nullptr ? member->sum(own) : own;
  }

 private:
  const SystemMatrix& given_;
  std::optional<sparse::BlockCsr<double>> moved_;
  std::unique_ptr<solve::Operator> product_;
};

/// A = K + alpha M, and what approximates its inverse.
struct Shifted {
  solve::OperatorPointer product;
  solve::OperatorPointer inverse;
};

class Attempt {
 public:
  Attempt(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
          const Request& request, const Iteration& iteration, Monitor& monitor)
      : device_(device),
        system_(system),
        request_(request),
        by_subspace_(iteration.by_subspace),
        kind_(iteration.preconditioner),
        multigrid_(kind_.word == "amg"),
        monitor_(monitor),
        geometry_(system.geometry()),
        k_(system.stiffness, device, false),
        m_(system.mass, device, true) {
    options_.host_threads = cpu.threads();
    take_start();
    if (by_subspace_) {
      options_.project_stiffness = k_.projection();
      options_.project_mass = m_.projection();
    }
  }

  Modes run() {
    Modes found = modes();
    found.method += fmt::format(" with {}", kind_.title);
    return found;
  }

 private:
  Modes modes() {
    const Problem problem(device_, k_.product(), m_.product(), k_.product(), request_.tolerance);
    const bool motions = some_motion_is_free(problem, geometry_) || system_.free;
    double alpha = 0;
    const double small = part_of_shift * small_shift(k_.trace(), m_.trace(), problem.unknowns);
    if (motions) {
      Motions of_parts =
          system_.motions ? system_.motions() : motions_of_parts(parts(), geometry_, max_lobpcg_columns);
      options_.null_count = of_parts.count;
      options_.null_space = std::move(of_parts.values);
      options_.null_is_guess = true;
      alpha = small;
    }
    // Without multigrid nothing better than what is tried first is to be had.
    const int patience = kind_.stagnation_window(problem.unknowns);
    options_.stagnation_window = multigrid_ ? window_at_first : patience;
    Modes found = with_shift(alpha);
    const double lowest = found.lambda.empty() ? 0.0 : found.lambda.front();
    const bool indefinite = lowest < -10 * problem.zero_level;
    if (found.converged && !indefinite) return found;
    options_.stagnation_window = patience;
    const double larger = indefinite ? -2 * lowest : 10 * small;
    if (!(larger > alpha) || !(indefinite || multigrid_)) return found;
    log::info("{}; trying again with the preconditioner of K + {:.3g} M",
              indefinite ? fmt::format("the lowest eigenvalue is {:.3g}", lowest) : found.trouble, larger);
    return with_shift(larger);
  }

  /// From the unknowns to all rows.
  void take_start() {
    const auto columns = static_cast<std::size_t>(system_.start_count);
    if (columns == 0) return;
    start_.assign(static_cast<std::size_t>(k_.product().rows()) * columns, 0.0);
    for (std::size_t q = 0; q < system_.start.size() / columns; ++q) {
      const std::size_t row = system_.place.empty() ? q : static_cast<std::size_t>(system_.place[q]);
      std::copy_n(system_.start.data() + q * columns, columns, start_.data() + row * columns);
    }
    options_.start = {start_.data(), k_.product().rows(), system_.start_count, system_.start_count};
  }

  std::vector<std::int32_t> parts() const {
    if (k_.matrix() != nullptr) return parts_of(*k_.matrix());
    return system_.parts ? system_.parts() : std::vector<std::int32_t>();
  }

  Modes with_shift(double alpha) {
    const Shifted shifted = with_inverse(alpha);
    if (!by_subspace_)
      return lobpcg(device_, k_.product(), m_.product(), *shifted.inverse, request_, monitor_, options_);
    return subspace(device_, k_.product(), m_.product(), *shifted.product, *shifted.inverse, request_,
                    monitor_, options_);
  }

  /// The product is that of the system: with the assembled matrix only where there is no other.
  Shifted with_inverse(double alpha) {
    const Stage stage = monitor_.stage(multigrid_ ? "multigrid" : "preconditioner");
    std::shared_ptr<const solve::BlockCsrOperator> matrix;
    if (k_.matrix() != nullptr)
      matrix = alpha > 0 ? std::make_shared<const solve::BlockCsrOperator>(
                               shifted_matrix(*k_.matrix(), alpha, *m_.matrix()))
                         : std::make_shared<const solve::BlockCsrOperator>(*k_.matrix());
    solve::OperatorPointer product = matrix;
    if (system_.stiffness.product != nullptr)
      product = alpha > 0 ? sum_of_products(alpha) : solve::borrowed(k_.product());
    solve::PreconditionerInput input;
    if (matrix != nullptr) input.matrix = &matrix->matrix();
    input.geometry = [&] { return geometry_; };
    input.diagonal_blocks = [&](int n) { return diagonal_blocks(alpha, n); };
    input.product = product;
    std::optional<sparse::TeamCsr<double>> team;
    if (k_.team() != nullptr && alpha > 0) team = shifted(alpha);
    if (k_.team() != nullptr) input.team = team ? &*team : k_.team();
    log::debug("modes: K + {:.3g} M is preconditioned with {}", alpha, kind_.title);
    return {product, inverse(input)};
  }

  solve::OperatorPointer inverse(const solve::PreconditionerInput& input) {
    if (multigrid_) {
      solve::AmgOptions options;
      options.smoother_degree = smoothing;
      const auto amg =
          input.team != nullptr
              ? std::make_shared<const solve::Amg>(*input.team, geometry_, options, monitor_)
              : std::make_shared<const solve::Amg>(device_, *input.matrix, geometry_, options, monitor_);
      log::debug("modes: multigrid of {}", format_bytes(amg->bytes()));
      return amg;
    }
    if (kind_.word != "chebyshev") return kind_.make(input, monitor_);
    const bool in_blocks = input.matrix != nullptr || input.product->rows() % 3 == 0;
    const solve::OperatorPointer diagonal =
        solve::preconditioner_of(in_blocks ? "block-jacobi" : "jacobi").make(input, monitor_);
    return std::make_shared<const solve::ChebyshevPreconditioner>(
        input.product, diagonal,
        by_subspace_ ? solve::ChebyshevOptions::within_cg() : solve::ChebyshevOptions());
  }

  exec::Array<double> diagonal_blocks(double alpha, int n) const {
    exec::Array<double> diagonal = k_.diagonal_blocks(n);
    if (alpha > 0) exec::axpy<double>(device_, alpha, m_.diagonal_blocks(n), diagonal);
    return diagonal;
  }

  /// Of a team; both matrices have the same ghosts.
  sparse::TeamCsr<double> shifted(double alpha) const {
    const sparse::TeamCsr<double>& k = *k_.team();
    const sparse::TeamCsr<double>& m = *m_.team();
    return {*k.member(), shifted_matrix(k.own(), alpha, m.own()),
            shifted_matrix(k.beside(), alpha, m.beside()), k.links()};
  }

  solve::OperatorPointer sum_of_products(double alpha) const {
    return std::make_shared<const solve::SumOperator>(1, solve::borrowed(k_.product()), alpha,
                                                      solve::borrowed(m_.product()));
  }

  const exec::Device& device_;
  const EigenSystem& system_;
  const Request& request_;
  bool by_subspace_;
  const solve::PreconditionerKind& kind_;
  bool multigrid_;
  Monitor& monitor_;
  solve::AmgGeometry geometry_;
  There k_;
  There m_;
  std::vector<double> start_;  // [rows, EigenSystem::start_count]
  LobpcgOptions options_;
};

}  // namespace

const solve::PreconditionerKind& preconditioner_for(const EigenSystem& system, std::string_view word) {
  if (word == "auto") word = system.assembled() ? "amg" : "chebyshev";
  const solve::PreconditionerKind& kind = solve::preconditioner_of(word);
  if (!system.assembled() && !kind.from_diagonal) {
    throw Error(Fault::usage, fmt::format("modes: the preconditioner {} needs assembled matrices", word),
                "choose " + solve::preconditioner_words_from_diagonal());
  }
  return kind;
}

Modes iterated(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
               const Request& request, const Iteration& iteration, Monitor& monitor) {
  return Attempt(device, cpu, system, request, iteration, monitor).run();
}

}  // namespace setka::modes
