// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modal_dynamic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/chosen_nodes.hpp"
#include "setka/analysis/increments.hpp"
#include "setka/analysis/modal_field.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/superposition.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::analysis {
namespace {

/// The largest entry of a sum of vectors; those of different sectors do not meet.
double largest_of_sum(std::span<const ModalForce> forces, std::span<const double> factors) {
  double largest = 0;
  std::vector<double> sum;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    if (k == 0 || forces[k].sector != forces[k - 1].sector) sum.assign(forces[k].force.size(), 0.0);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factors[k] * forces[k].force[i];
    const bool whole = k + 1 == forces.size() || forces[k + 1].sector != forces[k].sector;
    for (std::size_t i = 0; whole && i < sum.size(); ++i) largest = std::max(largest, std::abs(sum[i]));
  }
  return largest;
}

/// How a base moves: its displacement is given, and its rates are differences over an increment to both sides
/// as CalculiX takes them; or its acceleration is given, and the rest follows from it exactly.
class BaseCurve {
 public:
  /// rest_at: the time of the step at which what follows from an acceleration begins.
  BaseCurve(dynamics::Curve curve, bool acceleration, double rest_at) : curve_(std::move(curve)) {
    if (acceleration) integrated_.emplace(curve_, rest_at);
  }

  bool accelerates() const { return integrated_.has_value(); }
  const dynamics::Curve& curve() const { return curve_; }

  double position(double time) const {
    return integrated_ ? integrated_->position(time) : curve_.before(time);
  }
  double velocity(double time, double h) const {
    if (integrated_) return integrated_->velocity(time);
    return (curve_.before(time + h) - curve_.before(time - h)) / (2 * h);
  }
  double acceleration(double time, double h) const {
    if (integrated_) return curve_.before(time);
    return (curve_.before(time + h) - 2 * curve_.before(time) + curve_.before(time - h)) / (h * h);
  }

 private:
  dynamics::Curve curve_;
  std::optional<dynamics::IntegratedCurve> integrated_;
};

/// Modes and bases of one field: u = sum of q times shape + sum of base times base shape.
struct Factors {
  std::vector<double> q;
  std::vector<double> base;
};

/// One step: what drives the modes, and where they are.
class Motion {
 public:
  Motion(const Setup& setup, const LoadState& loads, const model::Step& step, double start_time,
         const ModalBasis& basis, const Computing& computing, Monitor& monitor)
      : basis_(basis),
        field_(modal_field(setup, loads, step, basis, computing, monitor)),
        loads_(field_->loads()),
        damped_(damped_modes(setup, step, basis)),
        modes_(damped_.modes, damped_.coupling(0)),
        threads_(computing.cpu.threads()) {
    if (!damped_.dashpots.empty()) require_dashpots_on_modes(setup, step, loads_);
    const auto origin = [&](std::int32_t amplitude) {
      if (amplitude < 0) return 0.0;
      return setup.model->amplitudes[static_cast<std::size_t>(amplitude)].total_time ? -start_time : 0.0;
    };
    const auto curve_of = [&](std::int32_t amplitude) {
      if (amplitude < 0) return dynamics::Curve();
      const model::Amplitude& curve = setup.model->amplitudes[static_cast<std::size_t>(amplitude)];
      return dynamics::Curve(curve.points, origin(amplitude));
    };
    for (const ModalForce& force : loads_.forces) force_curves_.push_back(curve_of(force.amplitude));
    for (const BaseShape& base : loads_.bases)
      bases_.emplace_back(curve_of(base.amplitude), base.acceleration, origin(base.amplitude));
    before_.resize(modes_.count());
    after_.resize(modes_.count());
  }

  const ModalField& field() const { return *field_; }
  const ModalLoads& loads() const { return loads_; }

  /// At rest where there is none.
  void begin(std::vector<dynamics::Motion> motion, double increment) {
    const bool at_rest = motion.empty();
    if (at_rest) motion.resize(modes_.count());
    for (std::size_t b = 0; b < bases_.size(); ++b) {
      const double start = bases_[b].position(0);
      const double speed = bases_[b].velocity(0, increment);
      for (std::size_t j = 0; j < motion.size(); ++j) {
        motion[j].position -= start * loads_.bases[b].on_modes[j];
        if (!at_rest) motion[j].velocity -= speed * loads_.bases[b].on_modes[j];
      }
    }
    modes_.set_state(std::move(motion));
    base_load_ = base_loads(0, increment);
  }

  /// What a later step begins with: mode' M u, which does not depend on how the base moves.
  std::vector<dynamics::Motion> end(double time, double increment) const {
    std::vector<dynamics::Motion> motion(modes_.state().begin(), modes_.state().end());
    for (std::size_t b = 0; b < bases_.size(); ++b) {
      for (std::size_t j = 0; j < motion.size(); ++j) {
        motion[j].position += bases_[b].position(time) * loads_.bases[b].on_modes[j];
        motion[j].velocity += bases_[b].velocity(time, increment) * loads_.bases[b].on_modes[j];
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

  /// An increment. Forces and accelerations of a base are followed through their bends and jumps, unless they
  /// are to be linear in it; accelerations that are differences are linear in it.
  void advance(double from, double to, bool straight) {
    const double hardly = 1e-12 * to;  // bends closer than rounding to an end are at it
    const std::vector<double> base_before = base_load_;
    base_load_ = base_loads(to, to - from);
    const double start = from;
    while (from < to) {
      double next = to;
      for (const auto& curve : force_curves_) next = std::min(next, curve.next_bend(from + hardly));
      for (const BaseCurve& base : bases_) {
        if (base.accelerates()) next = std::min(next, base.curve().next_bend(from + hardly));
      }
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

  // increment: the last one's length
  Factors displacements(double time) const {
    Factors factors;
    for (const BaseCurve& base : bases_) factors.base.push_back(base.position(time));
    for (const dynamics::Motion& motion : modes_.state()) factors.q.push_back(motion.position);
    return factors;
  }
  Factors velocities(double time, double increment) const {
    Factors factors;
    for (const BaseCurve& base : bases_) factors.base.push_back(base.velocity(time, increment));
    for (const dynamics::Motion& motion : modes_.state()) factors.q.push_back(motion.velocity);
    return factors;
  }
  Factors accelerations(double time, double increment) const {
    Factors factors;
    for (const BaseCurve& base : bases_) factors.base.push_back(base.acceleration(time, increment));
    const std::vector<double> coupling = modes_.coupling_forces();
    for (std::size_t j = 0; j < modes_.count(); ++j) {
      const dynamics::Oscillator& mode = modes_.modes()[j];
      const dynamics::Motion& motion = modes_.state()[j];
      factors.q.push_back(after_[j] + coupling[j] - mode.damping * motion.velocity -
                          mode.stiffness * motion.position);
    }
    return factors;
  }

  std::vector<double> sum(const Factors& factors) const {
    return superposed(basis_, loads_, factors.q, factors.base, threads_);
  }

 private:
  /// -p g'' - c0 p g' on each mode, of bases whose displacement is given
  std::vector<double> base_loads(double time, double h) const {
    std::vector<double> load(modes_.count(), 0.0);
    for (std::size_t b = 0; b < bases_.size(); ++b) {
      if (bases_[b].accelerates()) continue;
      const double felt = bases_[b].acceleration(time, h) + damped_.of_base * bases_[b].velocity(time, h);
      for (std::size_t j = 0; j < load.size(); ++j) load[j] -= loads_.bases[b].on_modes[j] * felt;
    }
    return load;
  }

  void drive(double from, double to) {
    std::ranges::fill(before_, 0.0);
    std::ranges::fill(after_, 0.0);
    const auto add = [&](double start, double end, const std::vector<double>& on_modes) {
      for (std::size_t j = 0; j < before_.size(); ++j) {
        before_[j] += start * on_modes[j];
        after_[j] += end * on_modes[j];
      }
    };
    for (std::size_t k = 0; k < force_curves_.size(); ++k)
      add(force_curves_[k].after(from), force_curves_[k].before(to), loads_.forces[k].on_modes);
    for (std::size_t b = 0; b < bases_.size(); ++b) {
      if (!bases_[b].accelerates()) continue;
      const dynamics::Curve& curve = bases_[b].curve();
      const double by_velocity = damped_.of_base;
      add(-curve.after(from) - by_velocity * bases_[b].velocity(from, 0),
          -curve.before(to) - by_velocity * bases_[b].velocity(to, 0), loads_.bases[b].on_modes);
    }
  }

  const ModalBasis& basis_;
  std::unique_ptr<const ModalField> field_;
  const ModalLoads& loads_;
  DampedModes damped_;
  dynamics::ModalMotion modes_;
  int threads_;
  std::vector<dynamics::Curve> force_curves_;
  std::vector<BaseCurve> bases_;
  std::vector<double> base_load_;  // [modes] at the end of the last increment
  std::vector<double> before_;
  std::vector<double> after_;
};

/// Makes the frames of a step: of all nodes, or of the few that are all that is written. Then one frame
/// serves again and again, and nothing of the size of the model is touched at a time.
class Frames {
 public:
  Frames(const Setup& setup, const model::Step& step, const ModalBasis& basis, const Motion& moving)
      : moving_(moving) {
    std::vector<std::int32_t> nodes = nodes_written_alone(*setup.model, step);
    if (nodes.empty() || basis.of_temperature) return;
    chosen_.emplace(basis, moving.loads(), std::move(nodes));
    frame_.nodes = chosen_->nodes();
    const Wanted wanted = wanted_results(step);
    const auto size = 3 * static_cast<std::size_t>(setup.model->mesh.node_count());
    for (const char* name : {"U", "V", "A"}) {
      if (name[0] == 'U' || wanted.at_nodes.contains(name))
        frame_.node_fields.push_back({name, 3, std::vector<double>(size, 0.0)});
    }
  }

  /// head: what is not a field
  const model::Frame& at(const model::Frame& head, double time, double increment) {
    if (chosen_) {
      frame_.step = head.step;
      frame_.increment = head.increment;
      frame_.time = head.time;
      frame_.last_of_step = head.last_of_step;
      frame_.time_point = head.time_point;
      for (model::NodeField& field : frame_.node_fields) {
        const Factors factors = field.name == "U"   ? moving_.displacements(time)
                                : field.name == "V" ? moving_.velocities(time, increment)
                                                    : moving_.accelerations(time, increment);
        chosen_->fill(factors.q, factors.base, field.values);
      }
      return frame_;
    }
    frame_ = head;
    const ModalField& field = moving_.field();
    std::vector<double> v;
    std::vector<double> a;
    if (field.has_velocities()) v = moving_.sum(moving_.velocities(time, increment));
    if (field.has_accelerations()) a = moving_.sum(moving_.accelerations(time, increment));
    field.fill(moving_.sum(moving_.displacements(time)), v, a, frame_);
    return frame_;
  }

 private:
  const Motion& moving_;
  std::optional<ChosenNodes> chosen_;
  model::Frame frame_;
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

  Frames frames(setup, step, basis, moving);
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
    if (procedure.until_steady) {
      std::vector<double> u = moving.sum(moving.displacements(time));
      ended = hardly_changed(earlier, u, procedure.steady_change);
      earlier = std::move(u);
    }
    model::Frame head;
    head.step = number;
    head.increment = increments.count();
    head.time = start_time + time;
    head.last_of_step = ended;
    head.time_point = increments.time_point();
    if (io::output_is_due(step, head)) {
      sink(frames.at(head, time, time - from));
      ++report.frames;
    }
    if (ended) report.duration = time;
  }
  report.increments = increments.count();
  motion = moving.end(report.duration, increments.length());
  return report;
}

}  // namespace setka::analysis
