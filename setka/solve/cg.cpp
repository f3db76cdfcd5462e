// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cg.hpp"

#include <cstdint>

#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/cg_kernel.hpp"
#include "setka/solve/detail/krylov.hpp"

namespace setka::solve {

using kernel::CgState;

class Cg::Run final : public detail::KrylovRun<CgState> {
 public:
  Run(const exec::Device& device, std::int64_t rows, int max_iterations)
      : KrylovRun(device, rows, max_iterations), z_(device, rows), p_(device, rows) {}

  void start(const kernel::KrylovState& begin) override {
    const CgState state{begin, 0, 0, 0};
    copy(exec::View<const CgState>{&state, 1}, state_);
    on_->preconditioner.apply(on_->stream, r_, z_);
    exec::dot_to(on_->stream, r_, z_, scalar(&CgState::next_rho));
    on_->complete(scalar(&CgState::next_rho));
    exec::parallel_for(on_->stream, on_->x.size, kernel::CgDirection{state_.data(), true, z_, p_});
    exec::parallel_for(on_->stream, 1, kernel::CgAdvance{state_.data()});
  }

  void iterate() override {
    on_->a.apply(on_->stream, p_, q_);
    exec::dot_to(on_->stream, p_, q_, scalar(&CgState::curvature));
    on_->complete(scalar(&CgState::curvature));
    exec::reduce(on_->stream, on_->x.size, kernel::CgStep{state_.data(), p_, q_, on_->x, r_},
                 &state_.data()->residual);
    on_->complete({&state_.data()->residual, 1});
    exec::parallel_for(on_->stream, 1, kernel::CgJudge{state_.data(), record.history()});
    on_->preconditioner.apply(on_->stream, r_, z_);
    exec::dot_to(on_->stream, r_, z_, scalar(&CgState::next_rho));
    on_->complete(scalar(&CgState::next_rho));
    exec::parallel_for(on_->stream, on_->x.size, kernel::CgDirection{state_.data(), false, z_, p_});
    exec::parallel_for(on_->stream, 1, kernel::CgAdvance{state_.data()});
  }

 private:
  exec::Array<double> z_;
  exec::Array<double> p_;
};

Cg::Cg(const SolverOptions& options) : options_(options) {}
Cg::~Cg() = default;

Outcome Cg::solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                  exec::View<const double> b, exec::View<double> x, Monitor& monitor) {
  const detail::KrylovSystem system{stream, a, preconditioner, b, x};
  detail::check_system("Cg", system);
  if (run_ == nullptr || !run_->fits(system))
    run_ = std::make_unique<Run>(stream.device(), x.size, options_.max_iterations);
  run_->take(system);
  return detail::run("conjugate gradients", *run_, system, options_, run_->record, monitor);
}

}  // namespace setka::solve
