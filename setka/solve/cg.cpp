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
    const CgState state{begin, 0, 0, begin.residual, 0};
    copy(exec::View<const CgState>{&state, 1}, state_);
    on_->preconditioner.apply(on_->stream, r_, z_);
    dot(r_, z_, &CgState::next_rho);
    exec::parallel_for(on_->stream, on_->x.size, kernel::CgDirection{state_.data(), true, z_, p_});
    exec::parallel_for(on_->stream, 1, kernel::CgAdvance{state_.data(), nullptr});
  }

  void iterate() override {
    on_->a.apply(on_->stream, p_, q_);
    dot(p_, q_, &CgState::curvature);
    const exec::View<double> sums = scalar(&CgState::next_rho, 2);  // and the next residual
    const exec::View<double> part = on_->part_of(sums);
    exec::reduce(on_->stream, on_->x.size, kernel::CgStep{state_.data(), p_, q_, on_->x, r_}, part.data + 1);
    on_->preconditioner.apply(on_->stream, r_, z_);
    exec::dot_to(on_->stream, r_, z_, part.part(0, 1));
    on_->complete(sums);
    exec::parallel_for(on_->stream, on_->x.size, kernel::CgDirection{state_.data(), false, z_, p_});
    exec::parallel_for(on_->stream, 1, kernel::CgAdvance{state_.data(), record.history()});
  }

 private:
  /// Over all rows.
  void dot(exec::View<const double> x, exec::View<const double> y, double CgState::*result) {
    exec::dot_to(on_->stream, x, y, on_->part_of(scalar(result)));
    on_->complete(scalar(result));
  }

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
