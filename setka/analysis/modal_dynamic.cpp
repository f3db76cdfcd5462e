// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modal_dynamic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/increments.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/superposition.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::analysis {
namespace {

/// The largest entry of a sum of vectors.
double largest_of_sum(std::span<const ModalForce> forces, std::span<const double> factors) {
  double largest = 0;
  const std::size_t size = forces.empty() ? 0 : forces.front().force.size();
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < forces.size(); ++k) sum += factors[k] * forces[k].force[i];
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

/// One step: what drives the modes, and where they are.
class Motion {
 public:
  Motion(const Setup& setup, const LoadState& loads, const model::Step& step, double start_time,
         const ModalBasis& basis, const Computing& computing, Monitor& monitor)
      : basis_(basis),
        state_(modal_state(setup, basis)),
        loads_(modal_loads(setup, loads, step, basis, state_, computing, monitor)),
        damped_(damped_modes(setup, step, basis)),
        modes_(damped_.modes),
        threads_(computing.cpu.threads()) {
    const auto curve_of = [&](std::int32_t amplitude) {
      if (amplitude < 0) return dynamics::Curve();
      const model::Amplitude& curve = setup.model->amplitudes[static_cast<std::size_t>(amplitude)];
      return dynamics::Curve(curve.points, curve.total_time ? -start_time : 0.0);
    };
    for (const ModalForce& force : loads_.forces) force_curves_.push_back(curve_of(force.amplitude));
    for (const BaseShape& base : loads_.bases) base_curves_.push_back(curve_of(base.amplitude));
    before_.resize(modes_.count());
    after_.resize(modes_.count());
  }

  const ElementState& state() const { return state_; }

  /// At rest where there is none.
  void begin(std::vector<dynamics::Motion> motion, double increment) {
    const std::vector<double> speed = base_velocities(0, increment);
    const bool at_rest = motion.empty();
    if (at_rest) motion.resize(modes_.count());
    for (std::size_t b = 0; b < base_curves_.size(); ++b) {
      const double start = base_curves_[b].before(0);
      for (std::size_t j = 0; j < motion.size(); ++j) {
        motion[j].position -= start * loads_.bases[b].on_modes[j];
        if (!at_rest) motion[j].velocity -= speed[b] * loads_.bases[b].on_modes[j];
      }
    }
    modes_.set_state(std::move(motion));
    base_load_ = base_loads(0, increment);
  }

  /// What a later step begins with: mode' M u, which does not depend on how the base moves.
  std::vector<dynamics::Motion> end(double time, double increment) const {
    std::vector<dynamics::Motion> motion(modes_.state().begin(), modes_.state().end());
    const std::vector<double> speed = base_velocities(time, increment);
    for (std::size_t b = 0; b < base_curves_.size(); ++b) {
      for (std::size_t j = 0; j < motion.size(); ++j) {
        motion[j].position += base_curves_[b].before(time) * loads_.bases[b].on_modes[j];
        motion[j].velocity += speed[b] * loads_.bases[b].on_modes[j];
      }
    }
    return motion;
  }

  /// How much the largest force changes between two times.
  double force_change(double from, double to) const {
    std::vector<double> change;
    for (const dynamics::Curve& curve : force_curves_) change.push_back(curve.before(to) - curve.after(from));
    return largest_of_sum(loads_.forces, change);
  }

  /// An increment. Forces are followed through their bends and jumps, unless they are to be linear in it;
  /// the acceleration of the base is linear in it.
  void advance(double from, double to, bool straight) {
    const double hardly = 1e-12 * to;  // bends closer than rounding to an end are at it
    const std::vector<double> base_before = base_load_;
    base_load_ = base_loads(to, to - from);
    const double start = from;
    while (from < to) {
      double next = to;
      for (const auto& curve : force_curves_) next = std::min(next, curve.next_bend(from + hardly));
      if (straight || to - next <= hardly) next = to;
      drive(from, next);
      for (std::size_t j = 0; j < before_.size(); ++j) {
        const double slope = (base_load_[j] - base_before[j]) / (to - start);
        before_[j] += base_before[j] + slope * (from - start);
        after_[j] += base_before[j] + slope * (next - start);
      }
      modes_.advance(next - from, before_, after_);
      from = next;
    }
  }

  std::vector<double> displacements(double time) const {
    std::vector<double> base;
    for (const dynamics::Curve& curve : base_curves_) base.push_back(curve.before(time));
    std::vector<double> q;
    for (const dynamics::Motion& motion : modes_.state()) q.push_back(motion.position);
    return superposed(basis_, loads_, q, base, threads_);
  }

  /// increment: the last one's length
  std::vector<double> velocities(double time, double increment) const {
    std::vector<double> q;
    for (const dynamics::Motion& motion : modes_.state()) q.push_back(motion.velocity);
    return superposed(basis_, loads_, q, base_velocities(time, increment), threads_);
  }

 private:
  /// By differences over an increment to both sides, as CalculiX takes them.
  std::vector<double> base_velocities(double time, double h) const {
    std::vector<double> speed;
    for (const dynamics::Curve& curve : base_curves_)
      speed.push_back((curve.before(time + h) - curve.before(time - h)) / (2 * h));
    return speed;
  }

  /// -p g'' - c0 p g' on each mode
  std::vector<double> base_loads(double time, double h) const {
    std::vector<double> load(modes_.count(), 0.0);
    const std::vector<double> speed = base_velocities(time, h);
    for (std::size_t b = 0; b < base_curves_.size(); ++b) {
      const dynamics::Curve& curve = base_curves_[b];
      const double acceleration =
          (curve.before(time + h) - 2 * curve.before(time) + curve.before(time - h)) / (h * h);
      for (std::size_t j = 0; j < load.size(); ++j)
        load[j] -= loads_.bases[b].on_modes[j] * (acceleration + damped_.of_base * speed[b]);
    }
    return load;
  }

  void drive(double from, double to) {
    std::ranges::fill(before_, 0.0);
    std::ranges::fill(after_, 0.0);
    for (std::size_t k = 0; k < force_curves_.size(); ++k) {
      const double start = force_curves_[k].after(from);
      const double end = force_curves_[k].before(to);
      for (std::size_t j = 0; j < before_.size(); ++j) {
        before_[j] += start * loads_.forces[k].on_modes[j];
        after_[j] += end * loads_.forces[k].on_modes[j];
      }
    }
  }

  const ModalBasis& basis_;
  ElementState state_;
  ModalLoads loads_;
  DampedModes damped_;
  dynamics::ModalMotion modes_;
  int threads_;
  std::vector<dynamics::Curve> force_curves_;
  std::vector<dynamics::Curve> base_curves_;
  std::vector<double> base_load_;  // [modes] at the end of the last increment
  std::vector<double> before_;
  std::vector<double> after_;
};

/// The largest change and the largest value.
bool hardly_changed(const std::vector<double>& old, const std::vector<double>& now, double tolerance) {
  double change = 0;
  double largest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    change = std::max(change, std::abs(now[i] - (old.empty() ? 0.0 : old[i])));
    largest = std::max(largest, std::abs(now[i]));
  }
  return change <= tolerance * largest;
}

}  // namespace

MotionReport solve_modal_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step,
                                 int number, double start_time, const ModalBasis& basis,
                                 std::vector<dynamics::Motion>& motion, const Computing& computing,
                                 const MotionSink& sink, Monitor& monitor) {
  const auto& procedure = std::get<model::ModalDynamicStep>(step.procedure);
  check_modal(setup, loads, step, &basis);
  if (std::ranges::any_of(step.damping.ranges, [&](const auto&) { return step.damping.structural; })) {
    throw Error(Fault::input, "*MODAL DYNAMIC: structural damping has no meaning in time",
                "use *MODAL DAMPING with ratios or RAYLEIGH", setup.model->source(step.damping.line));
  }
  Motion moving(setup, loads, step, start_time, basis, computing, monitor);
  moving.begin(std::move(motion), procedure.increment);

  const Stage stage = monitor.stage("motion of modes");
  IncrementPlan plan;
  plan.first = procedure.increment;
  plan.period = procedure.until_steady ? std::numeric_limits<double>::infinity() : procedure.period;
  plan.least = procedure.least_increment;
  plan.most = procedure.most_increment;
  plan.direct = procedure.direct;
  plan.most_count = step.most_increments;
  Increments increments(*setup.model, step, plan, start_time, procedure.line);

  const Wanted wanted = wanted_results(step);
  const int threads = computing.cpu.threads();
  MotionReport report;
  std::vector<double> earlier;
  bool ended = false;
  while (!ended) {
    const double from = increments.time();
    increments.next([&](double to) {
      return procedure.direct ? 1.0 : procedure.most_force_change / moving.force_change(from, to);
    });
    const double time = increments.time();
    moving.advance(from, time, !procedure.direct);
    ended = increments.at_end();
    std::vector<double> u;
    if (procedure.until_steady) {
      u = moving.displacements(time);
      ended = hardly_changed(earlier, u, procedure.steady_change);
      earlier = u;
    }
    model::Frame frame;
    frame.step = number;
    frame.increment = increments.count();
    frame.time = start_time + time;
    frame.last_of_step = ended;
    frame.time_point = increments.time_point();
    if (io::output_is_due(step, frame)) {
      if (u.empty()) u = moving.displacements(time);
      const bool with_velocities = wanted.at_nodes.contains("V") || wanted.at_points.contains("ELKE");
      fill_motion_frame(setup, moving.state(), wanted, u,
                        with_velocities ? moving.velocities(time, time - from) : std::vector<double>(),
                        threads, frame);
      sink(frame);
      ++report.frames;
    }
    if (ended) report.duration = time;
  }
  report.increments = increments.count();
  motion = moving.end(report.duration, increments.length());
  return report;
}

}  // namespace setka::analysis
