// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/attainable_residual.hpp"
#include "setka/solve/cg_kernel.hpp"
#include "setka/solve/patience.hpp"

namespace setka::solve {

using kernel::CgState;

struct CgVectors::State {
  static constexpr int slots = 8;  // for states on their way to the host

  State(const exec::Device& device, std::int64_t rows, int most_iterations)
      : r(device, rows),
        z(device, rows),
        p(device, rows),
        q(device, rows),
        state(device, 1),
        history(device, std::int64_t{most_iterations} + 1),
        landed(exec::host_array_for<CgState>(device, slots)) {}

  exec::Array<double> r;
  exec::Array<double> z;
  exec::Array<double> p;
  exec::Array<double> q;
  exec::Array<CgState> state;
  exec::Array<double> history;
  exec::Array<CgState> landed;
};

CgVectors::CgVectors(const exec::Device& device, std::int64_t rows, int most_iterations)
    : state_(std::make_unique<State>(device, rows, most_iterations)) {}

CgVectors::~CgVectors() = default;

const exec::Device& CgVectors::device() const {
  return state_->r.device();
}

namespace {

/// One run of the method from a start to an end, with its vectors.
class Run {
 public:
  Run(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
      exec::View<const double> b, exec::View<double> x, CgVectors::State& vectors)
      : stream_(stream),
        a_(a),
        preconditioner_(preconditioner),
        b_(b),
        x_(x),
        r_(vectors.r),
        z_(vectors.z),
        p_(vectors.p),
        q_(vectors.q),
        state_(vectors.state),
        history_(vectors.history),
        landed_(vectors.landed) {}

  /// r = b - A x; returns (r, r).
  double residual() {
    a_.apply(stream_, x_, q_);
    exec::combine(stream_, 1.0, b_, -1.0, q_, r_);
    return exec::dot(stream_, r_, r_);
  }

  /// From the residual that lies in r.
  CgState start(double target, double residual, int iterations) {
    CgState state{};
    state.target = target;
    state.residual = residual;
    state.iterations = iterations;
    copy(exec::View<const CgState>{&state, 1}, state_);
    preconditioner_.apply(stream_, r_, z_);
    exec::dot_to(stream_, r_, z_, scalar(&CgState::next_rho));
    exec::parallel_for(stream_, x_.size, kernel::CgDirection{state_.data(), true, z_, p_});
    exec::parallel_for(stream_, 1, kernel::CgAdvance{state_.data()});
    return state;
  }

  void iterate() {
    a_.apply(stream_, p_, q_);
    exec::dot_to(stream_, p_, q_, scalar(&CgState::curvature));
    exec::reduce(stream_, x_.size, kernel::CgStep{state_.data(), p_, q_, x_, r_},
                 scalar(&CgState::residual).data);
    exec::parallel_for(stream_, 1, kernel::CgJudge{state_.data(), history_.data()});
    preconditioner_.apply(stream_, r_, z_);
    exec::dot_to(stream_, r_, z_, scalar(&CgState::next_rho));
    exec::parallel_for(stream_, x_.size, kernel::CgDirection{state_.data(), false, z_, p_});
    exec::parallel_for(stream_, 1, kernel::CgAdvance{state_.data()});
  }

  /// The state as it is at this point of the stream, on its way to the host.
  void send_state(int slot) { exec::copy_async<CgState>(stream_, state_, landed_.view().part(slot, 1)); }
  const CgState& landed(int slot) const { return landed_.data()[slot]; }

  std::vector<double> history(int iterations) const {
    std::vector<double> values(static_cast<std::size_t>(iterations) + 1);
    const auto size = static_cast<std::int64_t>(values.size());
    exec::detail::copy_to_host(history_.device(), history_.data(), values.data(),
                               static_cast<std::size_t>(size) * sizeof(double));
    return values;
  }

  static constexpr int slots = CgVectors::State::slots;

 private:
  exec::View<double> scalar(double CgState::*member) { return {&(state_.data()->*member), 1}; }

  exec::Stream stream_;
  const Operator& a_;
  const Operator& preconditioner_;
  exec::View<const double> b_;
  exec::View<double> x_;
  exec::Array<double>& r_;
  exec::Array<double>& z_;
  exec::Array<double>& p_;
  exec::Array<double>& q_;
  exec::Array<CgState>& state_;
  exec::Array<double>& history_;
  exec::Array<CgState>& landed_;
};

struct Round {
  Ending ending;
  int iterations;
};

/// Iterates until the state says that it has ended. The host looks at a state some iterations old, so that
/// the GPU never waits for it.
Round iterate(Run& run, const exec::Stream& stream, int iterations, double size, const CgOptions& options,
              Iterations& progress) {
  const int lag = stream.is_cuda() ? std::clamp(options.ahead, 1, Run::slots - 1) : 0;
  Patience patience(options.patience);
  std::deque<exec::Event> sent;
  int given = iterations;
  int seen = iterations;
  for (;;) {
    if (given < options.most_iterations) {
      run.iterate();
      run.send_state(given % Run::slots);
      sent.push_back(stream.record());
      ++given;
    }
    if (given - seen <= lag && given < options.most_iterations) continue;
    if (sent.empty()) return {Ending::too_many_iterations, seen};
    sent.front().synchronize();
    sent.pop_front();
    const CgState& state = run.landed(seen % Run::slots);
    ++seen;
    const int done = static_cast<int>(state.iterations);
    progress.advance("residual", std::sqrt(state.residual) / size, options.tolerance);
    const auto end = [&](Ending ending) {
      stream.synchronize();
      return Round{ending, done};
    };
    if (state.ending == 1) return end(Ending::converged);
    if (state.ending == 2) return end(Ending::not_positive_definite);
    if (state.ending == 3) return end(Ending::not_a_number);
    if (patience.lost(done, state.residual)) return end(Ending::stagnated);
  }
}

}  // namespace

std::string_view describe(Ending ending) {
  switch (ending) {
    case Ending::converged:
      return "converged";
    case Ending::too_many_iterations:
      return "the iterations allowed were not enough";
    case Ending::stagnated:
      return "the residual no longer falls";
    case Ending::not_positive_definite:
      return "the matrix or the preconditioner is not positive definite";
    case Ending::not_a_number:
      return "a value is not a number";
  }
  return "";
}

CgOutcome cg(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
             exec::View<const double> b, exec::View<double> x, const CgOptions& options, Monitor& monitor) {
  CgVectors vectors(stream.device(), x.size, options.most_iterations);
  return cg(stream, a, preconditioner, b, x, options, vectors, monitor);
}

CgOutcome cg(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
             exec::View<const double> b, exec::View<double> x, const CgOptions& options, CgVectors& vectors,
             Monitor& monitor) {
  const std::int64_t n = a.rows();
  require(b.size == n && x.size == n && preconditioner.rows() == n, [&] {
    return fmt::format(
        "cg: operator is [{0} x {0}] but b has {1} entries, x {2} and the preconditioner {3} rows", n, b.size,
        x.size, preconditioner.rows());
  });
  CgVectors::State& memory = vectors.state();
  require(memory.r.size() == n && memory.history.size() > options.most_iterations, [&] {
    return fmt::format("cg: vectors for {} rows and {} iterations, but {} and {} are asked for",
                       memory.r.size(), memory.history.size() - 1, n, options.most_iterations);
  });
  CgOutcome outcome;
  const double own_size = exec::norm(stream, b);
  const double size = std::max(own_size, options.least_size);
  if (own_size == 0) {
    exec::fill(stream, x, 0.0);
    outcome.history = {0.0};
    return outcome;
  }
  if (!std::isfinite(own_size)) {
    outcome.ending = Ending::not_a_number;
    outcome.residual = own_size;
    return outcome;
  }
  Iterations progress(monitor, "conjugate gradients");
  Run run(stream, a, preconditioner, b, x, memory);
  const double target = options.tolerance * options.tolerance * size * size;
  double residual = run.residual();
  const double first = residual;
  for (;;) {
    if (residual <= target) break;
    if (!std::isfinite(residual)) {
      outcome.ending = Ending::not_a_number;
      break;
    }
    run.start(0.98 * target,  // the recurrence may be a little better than the truth
              residual, outcome.iterations);
    const Round round = iterate(run, stream, outcome.iterations, size, options, progress);
    outcome.iterations = round.iterations;
    outcome.ending = round.ending;
    const double before = residual;
    residual = run.residual();
    if (round.ending != Ending::converged) break;
    if (residual > target && residual > 0.25 * before) {
      outcome.ending = Ending::stagnated;
      break;
    }
  }
  if (residual <= target) outcome.ending = Ending::converged;
  // With forces that nothing balances x grows without end, and rounding would explain any residual: hence the
  // first bound.
  if (outcome.ending == Ending::stagnated && std::sqrt(residual) <= 1e-5 * size &&
      std::sqrt(residual) <= attainable_residual(stream, a, x)) {
    outcome.ending = Ending::converged;
  }
  outcome.residual = std::sqrt(residual) / size;
  outcome.history = run.history(outcome.iterations);
  outcome.history[0] = first;
  for (double& value : outcome.history) value = std::sqrt(value) / size;
  return outcome;
}

}  // namespace setka::solve
