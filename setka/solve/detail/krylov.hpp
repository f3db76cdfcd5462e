// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/vector.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/krylov_kernel.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/solver.hpp"

namespace setka::solve::detail {

/// What one solution is about.
struct KrylovSystem {
  exec::Stream stream;
  const Operator& a;
  const Operator& preconditioner;
  exec::View<const double> b;
  exec::View<double> x;

  /// Where sums over the rows that are here are left for complete(): in their place, or in one of the team.
  exec::View<double> part_of(exec::View<double> sums) const {
    return a.member() == nullptr ? sums : a.member()->room_for_sum(sums.size);
  }

  /// Makes sums over all rows of what was left.
  void complete(exec::View<double> sums) const {
    if (a.member() != nullptr) a.member()->sum_left(stream, sums);
  }
};

/// An Error of the method where the sizes do not fit, or b or x lie where the stream's device does not reach.
void check_system(const char* method, const KrylovSystem& system);

/// Error(Fault::usage) where right-hand sides or answers, which are not empty, lie in other memory than the
/// device's.
void check_reach(const char* method, const exec::Device& device, const double* b, const double* x);

/// (x, y) over all rows of an operator, wherever they are; waits.
double dot_of_rows(const exec::Stream& stream, const Operator& a, exec::View<const double> x,
                   exec::View<const double> y);

/// Error(Fault::usage) where the method is of one device and the operator of a team.
void refuse_team(const char* method, const Operator& a);

/// What methods leave in device memory for the host to look at; kept from one solution to the next.
class KrylovRecord {
 public:
  static constexpr int slots = 8;  // for states on their way to the host

  KrylovRecord(const exec::Device& device, int max_iterations)
      : history_(device, std::int64_t{max_iterations} + 1),
        landed_(exec::host_array_for<kernel::KrylovState>(device, slots)) {}

  /// [iterations + 1] of (r, r); the method writes the iterations from 1 on.
  double* history() { return history_.data(); }
  std::vector<double> history_on_host(int iterations) const;

  void grow(int max_iterations) {
    if (history_.size() <= max_iterations)
      history_ = exec::Array<double>(history_.device(), std::int64_t{max_iterations} + 1);
  }

  /// The state as it is at this point of the stream, on its way to the host.
  void send(const exec::Stream& stream, const kernel::KrylovState* state, int slot) {
    exec::copy_async<kernel::KrylovState>(stream, {state, 1}, landed_.view().part(slot, 1));
  }
  const kernel::KrylovState& landed(int slot) const { return landed_.data()[slot]; }

 private:
  exec::Array<double> history_;
  exec::Array<kernel::KrylovState> landed_;
};

/// One method at one system: rounds that begin from x. All of its scalars stay on the device, and once its
/// state has ended an iteration changes nothing that counts; so the host may run ahead.
class KrylovMethod {
 public:
  KrylovMethod() = default;
  KrylovMethod(const KrylovMethod&) = delete;
  KrylovMethod& operator=(const KrylovMethod&) = delete;
  virtual ~KrylovMethod() = default;

  /// r = b - A x; returns (r, r).
  virtual double residual() = 0;
  /// A round from the residual that lies in r.
  virtual void start(const kernel::KrylovState& state) = 0;
  virtual void iterate() = 0;
  /// After a round of so many iterations that count.
  virtual void finish(int /*iterations*/) {}
  /// In device memory.
  virtual const kernel::KrylovState* state() const = 0;
  /// Iterations after which a round has to end.
  virtual int max_round() const { return std::numeric_limits<int>::max(); }
};

/// What the methods have in common: the residual in r, room for a product, their state and record.
template <class State>
class KrylovRun : public KrylovMethod {
 public:
  KrylovRun(const exec::Device& device, std::int64_t rows, int max_iterations)
      : record(device, max_iterations), r_(device, rows), q_(device, rows), state_(device, 1) {}

  bool fits(const KrylovSystem& system) const {
    return r_.device() == system.stream.device() && r_.size() == system.x.size;
  }

  /// What the next solution is about; it outlives that.
  void take(const KrylovSystem& system) { on_ = &system; }

  double residual() override {
    on_->a.apply(on_->stream, on_->x, q_);
    exec::combine(on_->stream, 1.0, on_->b, -1.0, q_, r_);
    return dot_of_rows(on_->stream, on_->a, r_, r_);
  }

  const kernel::KrylovState* state() const override { return state_.data(); }

  KrylovRecord record;

 protected:
  /// A scalar of the state, or some that stand one after the other.
  exec::View<double> scalar(double State::*member, std::int64_t count = 1) {
    return {&(state_.data()->*member), count};
  }

  const KrylovSystem* on_ = nullptr;
  exec::Array<double> r_;
  exec::Array<double> q_;
  exec::Array<State> state_;
};

/// Rounds until the true residual confirms the recurrence, or nothing is gained. name: for the monitor.
Outcome run(const char* name, KrylovMethod& method, const KrylovSystem& system, const SolverOptions& options,
            KrylovRecord& record, Monitor& monitor);

}  // namespace setka::solve::detail
