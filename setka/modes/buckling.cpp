// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/buckling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/modes/buckling_lanczos.hpp"
#include "setka/modes/coarse_start.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/modes/mass_operator.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/operators.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::modes {
namespace {

constexpr double tolerance_of_factors = 1e-8;   // where K is factorised
constexpr double tolerance_of_iterates = 1e-6;  // where rounding or an iteration ends above it
constexpr int smoothing_of_buckling = 3;        // as of modes of vibration

/// Of the search for missing factors, which ends by nothing but the number of its iterations (of an
/// indefinite S residuals do not tell how far one is). On two cores six iterations of eight columns take 0.6
/// of the time of twelve of four, and found each of ten factors of a slender column that was left out, as
/// those did.
constexpr std::int64_t search_columns = 8;
constexpr int search_iterations = 6;

BucklingModes by_factorisation(const BucklingSystem& system, Request request, Method method,
                               Monitor& monitor) {
  const sparse::SymmetricCsr k = sparse::over_unknowns(system.stiffness, system.place);
  const sparse::SymmetricCsr s = sparse::over_unknowns(system.stress_stiffness, system.place);
  const bool any_tolerance = request.tolerance == 0;
  if (any_tolerance) request.tolerance = tolerance_of_factors;
  if (method == Method::dense) {
    const Stage stage = monitor.stage("dense eigenvalues");
    return dense_buckling(k, s, request);
  }
  BucklingModes found = lanczos_buckling(k, s, request, monitor);
  const auto worst = std::ranges::max_element(found.residual);
  if (!found.converged && any_tolerance && worst != found.residual.end() && *worst > request.tolerance) {
    // K of a slender body is a small difference of large numbers: rounding may end it above the first one.
    log::debug("buckling: {}; taking {:.0e}", found.trouble, tolerance_of_iterates);
    request.tolerance = tolerance_of_iterates;
    found = lanczos_buckling(k, s, request, monitor);
  }
  return found;
}

/// K^-1 as multigrid has it; null: another kind is asked for.
std::shared_ptr<solve::Amg> multigrid_of(const sparse::BlockCsr<double>& k, const BucklingSystem& system,
                                         const solve::PreconditionerKind& kind, Monitor& monitor) {
  if (kind.word != "amg") return nullptr;
  if (system.multigrid != nullptr && system.multigrid->device() == k.device()) return system.multigrid;
  const Stage stage = monitor.stage("multigrid");
  return buckling_multigrid(k, system.geometry(), monitor);
}

solve::OperatorPointer inverse_of(const sparse::BlockCsr<double>& k, const BucklingSystem& system,
                                  const solve::PreconditionerKind& kind, Monitor& monitor) {
  const Stage stage = monitor.stage("preconditioner");
  solve::PreconditionerInput input;
  input.matrix = &k;
  input.geometry = system.geometry;
  input.product = std::make_shared<const solve::BlockCsrOperator>(k);
  return kind.make(input, monitor);
}

/// LOBPCG with S in the place of the stiffness and K in that of the mass: its lowest values are -1 / factor,
/// and K^-1 is what S - nu K is preconditioned well by, since all of S is small beside K but in the modes
/// that are looked for.
BucklingModes by_iteration(const exec::Device& device, const exec::Device& cpu, const BucklingSystem& system,
                           const Request& request, const solve::PreconditionerKind& kind, Monitor& monitor) {
  std::optional<sparse::BlockCsr<double>> moved_k;
  std::optional<sparse::BlockCsr<double>> moved_s;
  if (!(system.stiffness.device() == device)) moved_k.emplace(system.stiffness.to(device));
  if (!(system.stress_stiffness.device() == device)) moved_s.emplace(system.stress_stiffness.to(device));
  const sparse::BlockCsr<double>& k = moved_k ? *moved_k : system.stiffness;
  const sparse::BlockCsr<double>& s = moved_s ? *moved_s : system.stress_stiffness;
  const std::shared_ptr<solve::Amg> multigrid = multigrid_of(k, system, kind, monitor);
  const solve::OperatorPointer inverse = multigrid ? multigrid : inverse_of(k, system, kind, monitor);
  LobpcgOptions options;
  std::optional<Start> start;
  if (multigrid) start = coarse_start(device, *multigrid, &s, nullptr, columns_of_pass(request), monitor);
  if (start) options.start = start->view();
  options.host_threads = cpu.threads();
  options.search_columns = search_columns;
  options.search_iterations = search_iterations;
  options.stagnation_window = kind.stagnation_window(system.unknown_count());
  // Blocks of S are multiples of the identity, as those of a mass are.
  Modes found =
      lobpcg(device, MassOperator(s), solve::BlockCsrOperator(k), *inverse, request, monitor, options);
  keep_unknowns(system.place, cpu, found);
  const std::size_t all = found.lambda.size();
  std::size_t positive = 0;
  while (positive < all && found.lambda[positive] < -found.zero) ++positive;
  BucklingModes modes;
  modes.rows = found.rows;
  modes.method = fmt::format("{} with {}", found.method, kind.title);
  modes.iterations = found.iterations;
  modes.check = found.check;
  modes.check_text =
      found.check == Check::search
          ? "a search from another start, in the complement of the shapes, found no further factor"
          : found.check_text;
  modes.trouble = found.trouble;
  if (modes.trouble.empty() && positive < static_cast<std::size_t>(request.count))
    modes.trouble = fmt::format("only {} positive factors exist, {} were asked for", positive, request.count);
  modes.converged = modes.trouble.empty();
  modes.residual.assign(found.residual.begin(),
                        found.residual.begin() + static_cast<std::ptrdiff_t>(positive));
  for (std::size_t j = 0; j < positive; ++j) modes.factor.push_back(-1 / found.lambda[j]);
  if (positive == all) {
    modes.shape = std::move(found.shape);
    return modes;
  }
  modes.shape.resize(static_cast<std::size_t>(modes.rows) * positive);
  for (std::size_t i = 0; i < static_cast<std::size_t>(modes.rows); ++i)
    std::copy_n(found.shape.data() + i * all, positive, modes.shape.data() + i * positive);
  return modes;
}

}  // namespace

std::shared_ptr<solve::Amg> buckling_multigrid(const sparse::BlockCsr<double>& k, solve::AmgGeometry geometry,
                                               Monitor& monitor) {
  solve::AmgOptions options;
  options.smoother_degree = smoothing_of_buckling;
  options.keeps_coarse = true;
  return std::make_shared<solve::Amg>(k.device(), k, std::move(geometry), options, monitor);
}

BucklingModes find_buckling(const exec::Device& device, const exec::Device& cpu, const BucklingSystem& system,
                            const Request& request, const Choice& choice, Monitor& monitor,
                            Shortage shortage) {
  if (choice.method == Method::subspace)
    throw Error(Fault::usage, "buckling: subspace iteration is of vibrations",
                "choose lanczos, lobpcg or dense");
  const Method chosen = chosen_method(choice, system.unknown_count(), request, device);
  const bool factorises = chosen == Method::dense || chosen == Method::lanczos;
  if (chosen == Method::lanczos && !solve::Cholesky::available())
    throw Error(Fault::usage, "this build of setka has no factorisation, which Lanczos needs",
                "build it with SuiteSparse (libsuitesparse-dev), or choose lobpcg");
  if (factorises) return by_factorisation(system, request, chosen, monitor);
  Request checked = request;
  if (checked.tolerance == 0) checked.tolerance = tolerance_of_iterates;
  check_request(checked, system.unknown_count());
  const solve::PreconditionerKind& kind =
      solve::preconditioner_of(choice.preconditioner == "auto" ? "amg" : choice.preconditioner);
  BucklingModes found;
  try {
    found = by_iteration(device, cpu, system, checked, kind, monitor);
  } catch (const Error& error) {
    if (error.fault() != Fault::resource || shortage == Shortage::stop || device == cpu) throw;
    log::warning("{}; taking the CPU", error.message());
    found = by_iteration(cpu, cpu, system, checked, kind, monitor);
  }
  if (found.converged || choice.method != Method::automatic || !solve::Cholesky::available()) return found;
  log::warning("{}; trying Lanczos with a factorisation", found.trouble);
  return by_factorisation(system, request, Method::lanczos, monitor);
}

}  // namespace setka::modes
