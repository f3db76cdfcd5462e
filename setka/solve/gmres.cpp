// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/gmres.hpp"

#include <cstdint>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/detail/krylov.hpp"
#include "setka/solve/gmres_kernel.hpp"

namespace setka::solve {

using kernel::GmresState;

namespace {

/// Inner products with whole groups of columns spare a CPU to fill its vector registers up; larger groups
/// read more that is not needed.
constexpr std::int64_t group = 4;

constexpr std::int64_t in_groups(std::int64_t columns) {
  return (columns + group - 1) / group * group;
}

}  // namespace

class Gmres::Run final : public detail::KrylovRun<GmresState> {
 public:
  Run(const exec::Stream& stream, std::int64_t rows, const GmresOptions& options)
      : KrylovRun(stream.device(), rows, options.max_iterations),
        restart_(options.restart),
        basis_(stream.device(), rows, in_groups(std::int64_t{options.restart} + 1)),
        directions_(stream.device(), rows * options.restart),
        small_(stream.device(), (std::int64_t{options.restart} + 6) * basis_.columns()) {
    exec::fill(stream, basis_.values(), 0.0);
  }

  bool fits(const detail::KrylovSystem& system, int restart) const {
    return KrylovRun::fits(system) && restart_ == restart;
  }

  void start(const kernel::KrylovState& begin) override {
    const GmresState state{begin, 0, 0};
    copy(exec::View<const GmresState>{&state, 1}, state_);
    column_ = 0;
    exec::parallel_for(on_->stream, 1, kernel::GmresBegin{state_.data(), small()});
    extend();
  }

  void iterate() override {
    const exec::Stream& stream = on_->stream;
    const exec::View<double> z = directions_.view().part(column_ * on_->x.size, on_->x.size);
    on_->preconditioner.apply(stream, q_, z);
    on_->a.apply(stream, z, r_);
    orthogonalise(small().first);
    orthogonalise(small().second);
    exec::dot_to(stream, r_, r_, scalar(&GmresState::rest));
    exec::parallel_for(stream, 1, kernel::GmresRotate{state_.data(), small(), column_, record.history()});
    ++column_;
    extend();
  }

  void finish(int iterations) override {
    if (iterations == 0) return;
    exec::parallel_for(on_->stream, 1, kernel::GmresSubstitute{small(), iterations});
    exec::parallel_for(on_->stream, on_->x.size,
                       kernel::GmresUpdate{directions_.data(), small().y, iterations, on_->x});
  }

  int max_round() const override { return restart_; }

 private:
  kernel::GmresSmall small() {
    const std::int64_t height = basis_.columns();
    const std::int64_t columns = restart_;
    double* const begin = small_.data();
    return {begin,
            begin + height,
            begin + 2 * height,
            begin + (2 + columns) * height,
            begin + (3 + columns) * height,
            begin + (4 + columns) * height,
            begin + (5 + columns) * height,
            height};
  }

  /// w less its components along the basis, which are put into `components`.
  void orthogonalise(double* components) {
    const std::int64_t count = std::int64_t{column_} + 1;
    const std::int64_t wide = in_groups(count);
    const exec::MultiView<double> w{r_.data(), r_.size(), 1, 1};
    exec::inner(on_->stream, w, basis_.view().leading_columns(wide), {components, 1, wide, wide});
    exec::multiply_small(on_->stream, -1.0, basis_.view().leading_columns(count), {components, count, 1, 1},
                         1.0, w);
  }

  void extend() {
    exec::parallel_for(on_->stream, r_.size(),
                       kernel::GmresExtend{state_.data(), r_, q_, basis_.view(), column_});
  }

  // The next vector of the basis is made in r_, and its last one lies in q_.
  int restart_;
  int column_ = 0;                   // of the basis: the last one that was made
  exec::MultiVector<double> basis_;  // all vectors of an unknown together, for their inner products
  exec::Array<double> directions_;   // [restart, rows]: one after the other, as they are made
  exec::Array<double> small_;
};

Gmres::Gmres(const GmresOptions& options) : options_(options) {}
Gmres::~Gmres() = default;

Outcome Gmres::solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                     exec::View<const double> b, exec::View<double> x, Monitor& monitor) {
  const detail::KrylovSystem system{stream, a, preconditioner, b, x};
  detail::refuse_team("Gmres", a);
  detail::check_system("Gmres", system);
  require(options_.restart > 0,
          [&] { return fmt::format("Gmres: restart is {}; 1 and more are right", options_.restart); });
  if (run_ == nullptr || !run_->fits(system, options_.restart))
    run_ = std::make_unique<Run>(stream, x.size, options_);
  run_->take(system);
  return detail::run("generalised minimal residuals", *run_, system, options_, run_->record, monitor);
}

}  // namespace setka::solve
