// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/minres.hpp"

#include <cstdint>
#include <utility>

#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/detail/krylov.hpp"
#include "setka/solve/minres_kernel.hpp"

namespace setka::solve {

using kernel::MinresState;

class Minres::Run final : public detail::KrylovRun<MinresState> {
 public:
  Run(const exec::Device& device, std::int64_t rows, int max_iterations)
      : KrylovRun(device, rows, max_iterations),
        v_(device, rows),
        previous_v_(device, rows),
        z_(device, rows),
        w_(device, rows),
        previous_w_(device, rows) {}

  void start(const kernel::KrylovState& begin) override {
    MinresState state{};
    static_cast<kernel::KrylovState&>(state) = begin;
    copy(exec::View<const MinresState>{&state, 1}, state_);
    exec::combine(on_->stream, 1.0, r_, 0.0, r_, v_);
    exec::fill(on_->stream, previous_v_, 0.0);
    exec::fill(on_->stream, w_, 0.0);
    exec::fill(on_->stream, previous_w_, 0.0);
    on_->preconditioner.apply(on_->stream, v_, z_);
    exec::dot_to(on_->stream, z_, v_, scalar(&MinresState::next_product));
    exec::parallel_for(on_->stream, 1, kernel::MinresBegin{state_.data()});
  }

  void iterate() override {
    const exec::Stream& stream = on_->stream;
    const std::int64_t n = on_->x.size;
    on_->a.apply(stream, z_, q_);
    exec::dot_to(stream, z_, q_, scalar(&MinresState::curvature));
    exec::parallel_for(stream, n, kernel::MinresLanczos{state_.data(), q_, v_, previous_v_});
    std::swap(v_, previous_v_);  // v is the next one from here on, and q the next z
    on_->preconditioner.apply(stream, v_, q_);
    exec::dot_to(stream, q_, v_, scalar(&MinresState::next_product));
    exec::parallel_for(stream, 1, kernel::MinresRotate{state_.data()});
    exec::reduce(stream, n, kernel::MinresStep{state_.data(), z_, w_, previous_w_, v_, on_->x, r_},
                 &state_.data()->residual);
    exec::parallel_for(stream, 1, kernel::MinresJudge{state_.data(), record.history()});
    std::swap(w_, previous_w_);
    std::swap(z_, q_);
  }

 private:
  exec::Array<double> v_;
  exec::Array<double> previous_v_;
  exec::Array<double> z_;
  exec::Array<double> w_;
  exec::Array<double> previous_w_;
};

Minres::Minres(const SolverOptions& options) : options_(options) {}
Minres::~Minres() = default;

Outcome Minres::solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                      exec::View<const double> b, exec::View<double> x, Monitor& monitor) {
  const detail::KrylovSystem system{stream, a, preconditioner, b, x};
  detail::refuse_team("Minres", a);
  detail::check_system("Minres", system);
  if (run_ == nullptr || !run_->fits(system))
    run_ = std::make_unique<Run>(stream.device(), x.size, options_.max_iterations);
  run_->take(system);
  return detail::run("minimal residuals", *run_, system, options_, run_->record, monitor);
}

}  // namespace setka::solve
