// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/find.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/modes/dense_modes.hpp"
#include "setka/modes/iterative.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/modes/memory_need.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/solver_choices.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::modes {
namespace {

constexpr double tolerance_of_factorised = 1e-8;
constexpr double tolerance_of_iterated = 1e-6;

/// Whether a factor of about 30 n^(4/3) entries, that of a compact body, has room in host memory.
bool factor_fits(std::int64_t unknowns) {
  const double bytes = 8.0 * 30 * std::pow(static_cast<double>(unknowns), 4.0 / 3);
  return bytes < 0.8 * static_cast<double>(host_memory().available);
}

double worst_of(const Modes& modes) {
  const auto worst = std::max_element(modes.residual.begin(), modes.residual.end());
  return worst == modes.residual.end() ? 0.0 : *worst;
}

Modes factorised(const EigenSystem& system, Request request, Method method, Monitor& monitor) {
  const sparse::SymmetricCsr k = sparse::over_unknowns(*system.stiffness.assembled, system.place);
  const sparse::SymmetricCsr m = sparse::over_unknowns(*system.mass.assembled, system.place);
  const bool any_tolerance = request.tolerance == 0;
  if (any_tolerance) request.tolerance = tolerance_of_factorised;
  if (method == Method::dense) {
    const Stage stage = monitor.stage("dense eigenvalues");
    return dense(k, m, request);
  }
  Modes found = lanczos(k, m, request, monitor);
  if (!found.converged && any_tolerance && !found.lambda.empty() && worst_of(found) > request.tolerance) {
    // K of a soft mode is a small difference of large numbers: rounding may end it above the first tolerance.
    log::debug("modes: {}; taking {:.0e}", found.trouble, tolerance_of_iterated);
    request.tolerance = tolerance_of_iterated;
    found = lanczos(k, m, request, monitor);
  }
  return found;
}

/// LOBPCG or subspace iteration on the device, or on the CPU where the memory of the device does not suffice.
Modes iterated_where_it_fits(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
                             const Request& request, const Iteration& iteration, Monitor& monitor,
                             Shortage shortage) {
  const bool stops = shortage == Shortage::stop || device == cpu || !system.moves();
  const MemoryNeed need = memory_need(system, request, iteration, device);
  log::debug("modes: about {} of memory of {} are needed", format_bytes(need.total()), device.label());
  std::string lack = lack_of_memory(need, system.unknown_count(), device);
  if (!lack.empty() && stops) {
    throw Error(Fault::resource, lack,
                device.is_cuda() ? "use --backend cpu, a device with more memory, or ask for fewer modes"
                                 : "ask for fewer modes, use a smaller model, or end other programs");
  }
  if (lack.empty()) {
    try {
      Modes found = iterated(device, cpu, system, request, iteration, monitor);
      log::debug("modes: at most {} of memory of {} were in use", format_bytes(device.memory_peak()),
                 device.label());
      return found;
    } catch (const Error& error) {
      if (error.fault() != Fault::resource || stops) throw;
      lack = error.message();
    }
  }
  log::warning("{}; taking the CPU", lack);
  return iterated(cpu, cpu, system, request, iteration, monitor);
}

bool factorises(Method method) {
  return method == Method::dense || method == Method::lanczos;
}

/// The method for a system; an Error where it has no matrices and the method factorises.
Method method_for(const EigenSystem& system, const Choice& choice, const Request& request,
                  const exec::Device& device) {
  if (system.assembled()) return chosen_method(choice, system.unknown_count(), request, device);
  if (factorises(choice.method))
    throw Error(Fault::usage, "modes: a factorisation needs assembled matrices", "choose lobpcg or subspace");
  return choice.method == Method::automatic ? Method::lobpcg : choice.method;
}

}  // namespace

void keep_unknowns(std::span<const std::int32_t> place, const exec::Device& cpu, Modes& modes) {
  // As many unknowns as rows may still be in another order.
  const bool all = static_cast<std::int64_t>(place.size()) == modes.rows && std::ranges::is_sorted(place);
  if (place.empty() || all) return;
  const std::size_t count = modes.lambda.size();
  std::vector<double> shape(place.size() * count);
  exec::host::for_each(cpu.threads(), static_cast<std::int64_t>(place.size()), exec::host::serial_below,
                       [&](std::int64_t i) {
                         const auto from = static_cast<std::size_t>(place[static_cast<std::size_t>(i)]);
                         std::copy_n(modes.shape.data() + from * count, count,
                                     shape.data() + static_cast<std::size_t>(i) * count);
                       });
  modes.shape = std::move(shape);
  modes.rows = static_cast<std::int64_t>(place.size());
}

Method method_of(std::string_view word, std::string_view also) {
  if (word == "auto") return Method::automatic;
  if (word == "dense") return Method::dense;
  if (word == "lanczos") return Method::lanczos;
  if (word == "lobpcg") return Method::lobpcg;
  if (word == "subspace") return Method::subspace;
  const std::string subspace_last = also.empty() ? " or subspace" : fmt::format(", subspace or {}", also);
  throw Error(Fault::usage, fmt::format("'{}' is no method for modes", word),
              fmt::format("give auto, dense, lanczos, lobpcg{}", subspace_last));
}

Method chosen_method(const Choice& choice, std::int64_t unknowns, const Request& request,
                     const exec::Device& device) {
  if (choice.method != Method::automatic) return choice.method;
  if (choice.preconditioner != "auto") return Method::lobpcg;
  const bool can_factorise = solve::Cholesky::available();
  if (unknowns <= (can_factorise ? solve::dense_modes_max_unknowns
                                 : solve::dense_modes_max_unknowns_without_cholesky) ||
      (2 * request.count + 8 >= unknowns && unknowns <= solve::dense_modes_max_unknowns_of_many)) {
    return Method::dense;
  }
  if (choice.preferred != Method::automatic && (can_factorise || choice.preferred != Method::lanczos))
    return choice.preferred;
  const bool small =
      unknowns <= (device.is_cuda() ? solve::lanczos_max_unknowns_beside_gpu : solve::lanczos_max_unknowns);
  const bool many = request.count > unknowns / solve::lanczos_min_unknowns_a_mode;
  return can_factorise && (small || many) ? Method::lanczos : Method::lobpcg;
}

Modes find(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system, Request request,
           const Choice& choice, Monitor& monitor, Shortage shortage) {
  const std::int64_t unknowns = system.unknown_count();
  Request checked = request;
  if (checked.tolerance == 0) checked.tolerance = tolerance_of_iterated;
  check_request(checked, unknowns);
  const Method chosen = method_for(system, choice, request, device);
  if (factorises(chosen) && choice.preconditioner != "auto") {
    throw Error(Fault::usage,
                fmt::format("modes: the preconditioner {} is of an iteration, and a factorisation has none",
                            choice.preconditioner),
                "choose lobpcg or subspace, or leave the preconditioner out");
  }
  if (chosen == Method::lanczos && !solve::Cholesky::available()) {
    throw Error(Fault::usage, "this build of setka has no factorisation, which Lanczos needs",
                "build it with SuiteSparse (libsuitesparse-dev), or choose lobpcg");
  }
  if (factorises(chosen)) return factorised(system, request, chosen, monitor);
  const Iteration iteration{chosen == Method::subspace, preconditioner_for(system, choice.preconditioner)};
  Modes found = iterated_where_it_fits(device, cpu, system, checked, iteration, monitor, shortage);
  keep_unknowns(system.place, cpu, found);
  const bool may_factorise = system.assembled() && solve::Cholesky::available();
  if (found.converged || choice.method != Method::automatic || !may_factorise) return found;
  if (!factor_fits(unknowns)) {
    log::warning("{}, and a factorisation of {} unknowns does not fit into memory", found.trouble, unknowns);
    return found;
  }
  log::warning("{}; trying Lanczos with a factorisation", found.trouble);
  return factorised(system, request, Method::lanczos, monitor);
}

}  // namespace setka::modes
