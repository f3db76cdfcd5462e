// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/krylov.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/attainable_residual.hpp"
#include "setka/solve/stagnation.hpp"

namespace setka::solve::detail {
namespace {

using kernel::KrylovState;

struct Round {
  std::optional<Status> status;  // none: it was as long as a round may be
  int iterations;                // of all rounds
};

std::optional<Status> status_of(KrylovState::Ending ending) {
  switch (ending) {
    case KrylovState::under_way:
      return std::nullopt;
    case KrylovState::converged:
      return Status::converged;
    case KrylovState::not_positive_definite:
      return Status::not_positive_definite;
    case KrylovState::breakdown:
      return Status::breakdown;
    case KrylovState::not_a_number:
      return Status::not_a_number;
  }
  return std::nullopt;
}

/// Whether a GPU has rows of the system: members of a team iterate equally often.
bool has_gpu(const KrylovSystem& system) {
  const exec::Member* const member = system.a.member();
  return member == nullptr ? system.stream.is_cuda() : member->has_gpu();
}

/// Iterates until the state says that it has ended. The host looks at a state some iterations old, so that
/// the GPU never waits for it.
Round iterate(KrylovMethod& method, KrylovRecord& record, const KrylovSystem& system, int iterations,
              double size, const SolverOptions& options, Stagnation& stagnation, Iterations& progress) {
  const exec::Stream& stream = system.stream;
  const int lag = has_gpu(system) ? std::clamp(options.ahead, 1, KrylovRecord::slots - 1) : 0;
  const int room = std::min(options.max_iterations - iterations, method.max_round());
  const int last = iterations + room;
  std::deque<exec::Event> sent;
  int given = iterations;
  int seen = iterations;
  for (;;) {
    if (given < last) {
      method.iterate();
      record.send(stream, method.state(), given % KrylovRecord::slots);
      sent.push_back(stream.record());
      ++given;
    }
    if (given - seen <= lag && given < last) continue;
    if (sent.empty())
      return {seen < options.max_iterations ? std::nullopt : std::optional(Status::max_iterations), seen};
    sent.front().synchronize();
    sent.pop_front();
    const KrylovState& state = record.landed(seen % KrylovRecord::slots);
    ++seen;
    const int done = static_cast<int>(state.iterations);
    progress.advance("residual", std::sqrt(state.residual) / size, options.tolerance);
    std::optional<Status> status = status_of(state.ending);
    if (!status && stagnation.reached(done, state.residual)) status = Status::stagnated;
    if (!status) continue;
    stream.synchronize();
    return {status, done};
  }
}

}  // namespace

void check_system(const char* method, const KrylovSystem& system) {
  const Operator& a = system.a;
  const Operator& m = system.preconditioner;
  const std::int64_t n = a.rows();
  require(a.columns() == n && m.rows() == n && m.columns() == n && system.b.size == n && system.x.size == n,
          [&] {
            return fmt::format(
                "{}: the operator is [{} x {}] and the preconditioner [{} x {}], but b has {} entries and x "
                "{}; all have to be the same",
                method, n, a.columns(), m.rows(), m.columns(), system.b.size, system.x.size);
          });
  if (n > 0) check_reach(method, system.stream.device(), system.b.data, system.x.data);
}

void check_reach(const char* method, const exec::Device& device, const double* b, const double* x) {
  require(device.reaches(b) && device.reaches(x), [&] {
    return fmt::format("{}: b or x is not in memory that {} reaches; copy it there first", method,
                       device.label());
  });
}

double dot_of_rows(const exec::Stream& stream, const Operator& a, exec::View<const double> x,
                   exec::View<const double> y) {
  const double own = exec::dot(stream, x, y);
  return a.member() == nullptr ? own : a.member()->sum(own);
}

void refuse_team(const char* method, const Operator& a) {
  require(a.member() == nullptr, [&] { return fmt::format("{}: not for a matrix over a team", method); });
}

std::vector<double> KrylovRecord::history_on_host(int iterations) const {
  std::vector<double> values(static_cast<std::size_t>(iterations) + 1);
  exec::detail::copy_to_host(history_.device(), history_.data(), values.data(),
                             values.size() * sizeof(double));
  return values;
}

Outcome run(const char* name, KrylovMethod& method, const KrylovSystem& system, const SolverOptions& options,
            KrylovRecord& record, Monitor& monitor) {
  const exec::Stream& stream = system.stream;
  Outcome outcome;
  const double own_size = std::sqrt(dot_of_rows(stream, system.a, system.b, system.b));
  const double size = std::max(own_size, options.min_rhs_norm);
  if (own_size == 0) {
    exec::fill(stream, system.x, 0.0);
    outcome.history = {0.0};
    return outcome;
  }
  if (!std::isfinite(own_size)) {
    outcome.status = Status::not_a_number;
    outcome.residual = own_size;
    return outcome;
  }
  record.grow(options.max_iterations);
  Iterations progress(monitor, name);
  const double target = options.tolerance * options.tolerance * size * size;
  double residual = method.residual();
  const double first = residual;
  Stagnation stagnation(options.stagnation_window);
  for (;;) {
    if (residual <= target) break;
    if (!std::isfinite(residual)) {
      outcome.status = Status::not_a_number;
      break;
    }
    // The recurrence may be a little better than the truth.
    method.start({residual, 0.98 * target, static_cast<double>(outcome.iterations), KrylovState::under_way});
    const Round round =
        iterate(method, record, system, outcome.iterations, size, options, stagnation, progress);
    method.finish(round.iterations - outcome.iterations);
    outcome.iterations = round.iterations;
    const double before = residual;
    residual = method.residual();
    if (!round.status) continue;
    outcome.status = *round.status;
    if (round.status != Status::converged) break;
    if (residual > target && residual > 0.25 * before) {
      outcome.status = Status::stagnated;
      break;
    }
    stagnation = Stagnation(options.stagnation_window);
  }
  if (residual <= target) outcome.status = Status::converged;
  // With forces that nothing balances x grows without end, and rounding would explain any residual: hence the
  // first bound.
  if (outcome.status == Status::stagnated && std::sqrt(residual) <= 1e-5 * size &&
      std::sqrt(residual) <= attainable_residual(stream, system.a, system.x)) {
    outcome.status = Status::converged;
  }
  outcome.residual = std::sqrt(residual) / size;
  outcome.history = record.history_on_host(outcome.iterations);
  outcome.history[0] = first;
  for (double& value : outcome.history) value = std::sqrt(value) / size;
  return outcome;
}

}  // namespace setka::solve::detail
