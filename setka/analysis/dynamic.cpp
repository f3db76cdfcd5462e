// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/dynamic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "setka/analysis/dynamic_model.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/increments.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/dynamics/newmark.hpp"
#include "setka/dynamics/step_control.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::analysis {
namespace {

using dynamics::Newmark;
using Vector = std::vector<double>;

/// Of the displacements' error in an increment, relative to the largest displacements (2-norms).
constexpr double error_tolerance = 1e-3;

/// Increments of the first look at a step.
constexpr double look_increments = 16;

/// Of increments as CalculiX has them: from the third one on each is half as long again as the one before,
/// up to the longest.
constexpr double growth = 1.5;
constexpr std::int64_t first_ones = 2;

/// Writes what is due at the ends of increments and at *TIME POINTS within them.
class MotionOutput {
 public:
  MotionOutput(const Setup& setup, const model::Step& step, int number, double start_time,
               const DynamicModel& dynamics, int threads, const MotionSink& sink)
      : setup_(setup),
        step_(step),
        number_(number),
        start_time_(start_time),
        dynamics_(dynamics),
        threads_(threads),
        sink_(sink),
        wanted_(wanted_results(step)),
        points_(time_points_of(*setup.model, step, start_time)) {}

  /// Whether a time point lies within an increment, so that its start has to be known.
  bool within(double from, double to) const {
    return std::ranges::any_of(points_, [&](double point) { return inside(point, from, to); });
  }

  void increment(int count, double from, double to, bool last, const MotionState* before) {
    for (std::size_t i = 0; i < points_.size() && before != nullptr; ++i) {
      if (!inside(points_[i], from, to)) continue;
      const double part = (points_[i] - from) / (to - from);
      write(frame(count, points_[i], false, static_cast<int>(i) + 1),
            between(*before, dynamics_.state(), part, to - from));
    }
    int at_point = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (std::abs(points_[i] - to) <= hardly * (to - from)) at_point = static_cast<int>(i) + 1;
    }
    model::Frame end = frame(count, to, last, at_point);
    if (io::output_is_due(step_, end)) write(std::move(end), dynamics_.state());
  }

  int frames() const { return frames_; }

 private:
  static constexpr double hardly = 1e-6;  // of an increment

  static bool inside(double point, double from, double to) {
    const double slack = hardly * (to - from);
    return point > from + slack && point < to - slack;
  }

  model::Frame frame(int count, double time, bool last, int time_point) const {
    model::Frame made;
    made.step = number_;
    made.increment = count;
    made.time = start_time_ + time;
    made.last_of_step = last;
    made.time_point = time_point;
    return made;
  }

  void write(model::Frame frame, const MotionState& at) {
    const bool with_velocities = wanted_.at_nodes.contains("V") || wanted_.at_points.contains("ELKE");
    fill_motion_frame(setup_, dynamics_.element_state(), wanted_, dynamics_.displacements(at),
                      with_velocities ? dynamics_.velocities(at) : Vector(), threads_, frame);
    sink_(frame);
    ++frames_;
  }

  const Setup& setup_;
  const model::Step& step_;
  int number_;
  double start_time_;
  const DynamicModel& dynamics_;
  int threads_;
  const MotionSink& sink_;
  Wanted wanted_;
  Vector points_;
  int frames_ = 0;
};

/// How large displacements become, by a run in few and strongly damped increments: what errors are compared
/// with, also while nothing has moved far yet. Leaves the motion somewhere.
double look_at(DynamicModel& dynamics, double period, double first, Monitor& monitor) {
  const Stage stage = monitor.stage("first look");
  const double count = std::max(1.0, std::ceil(std::min(look_increments, period / first)));
  const Newmark scheme = Newmark::hilber_hughes_taylor(-1.0 / 3, period / count);
  double size = 0;
  for (double i = 1; i <= count; ++i) {
    dynamics.advance(scheme, period * i / count);
    size = std::max(size, dynamics.error().size);
    dynamics.accept();
  }
  return size;
}

}  // namespace

MotionReport solve_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                           double start_time, BodyMotion& motion, const Computing& computing,
                           const MotionSink& sink, Monitor& monitor, const IncrementSink& increments) {
  const auto& procedure = std::get<model::DynamicStep>(step.procedure);
  require_density(setup, "*DYNAMIC");
  if (has_thermal_strains(setup, loads))
    throw Error(Fault::input, "*DYNAMIC: thermal strains are not computed", "take *TEMPERATURE out",
                setup.model->source(procedure.line));
  const double period = procedure.period;
  const double equal = std::max(1.0, std::ceil(period / procedure.increment - 1e-6));
  if (procedure.direct && equal > step.most_increments)
    refuse_increments(*setup.model, procedure.line, step.most_increments, equal);
  const double first =
      procedure.direct ? period / equal : std::min(procedure.increment, procedure.most_increment);

  const bool by_error = !procedure.direct && !setup.as_calculix;
  const bool growing = !procedure.direct && setup.as_calculix;

  DynamicModel dynamics(setup, loads, step, start_time, computing, monitor);
  const Newmark first_scheme = Newmark::hilber_hughes_taylor(procedure.alpha, first);
  dynamics.begin(first_scheme, motion);
  double size = 0;
  if (by_error) {
    size = look_at(dynamics, period, first, monitor);
    dynamics.begin(first_scheme, motion);
  }
  Stage stage =
      monitor.stage("motion", procedure.direct ? static_cast<std::int64_t>(equal) : 0, "increments");
  MotionOutput output(setup, step, number, start_time, dynamics, computing.cpu.threads(), sink);
  dynamics::StepControl control(first, std::min(first, procedure.least_increment), procedure.most_increment,
                                error_tolerance);
  MotionReport report;
  double grown = first;
  int tried = 0;
  int attempts = 0;
  for (double time = 0; time < period;) {
    if (report.increments == step.most_increments)
      refuse_increments(*setup.model, procedure.line, step.most_increments, 0);
    // Equal ones by division: a sum would drift.
    double end = by_error  ? time + control.length(period - time)
                 : growing ? time + std::min(grown, period - time)
                           : period * static_cast<double>(report.increments + 1) / equal;
    const double length = procedure.direct ? first : end - time;
    if (period - end <= 1e-9 * length) end = period;
    dynamics.advance(Newmark::hilber_hughes_taylor(procedure.alpha, length), end);
    ++tried;
    ++attempts;
    if (by_error) {
      const dynamics::LocalError error = dynamics.error();
      if (!std::isfinite(error.error)) refuse_motion(*setup.model, procedure.line, start_time + end);
      size = std::max(size, error.size);
      if (!control.judge(size > 0 ? error.error / size : 0)) continue;
    }
    std::optional<MotionState> before;
    if (output.within(time, end)) before = dynamics.state();
    dynamics.accept();
    ++report.increments;
    if (growing && report.increments >= first_ones)
      grown = std::min(growth * grown, procedure.most_increment);
    if (increments) increments({number, report.increments, attempts, 1, start_time + end, end, end - time});
    attempts = 0;
    output.increment(static_cast<int>(report.increments), time, end, end >= period,
                     before ? &*before : nullptr);
    time = end;
    stage.advance();
  }
  log::debug("*DYNAMIC: {} increments of {} tried, {} matrices, {} iterations", report.increments, tried,
             dynamics.preparations(), dynamics.iterations());
  if (control.shortest_kept() > 0) {
    log::warning("*DYNAMIC: {} increments were as short as allowed, and their error is above {}",
                 control.shortest_kept(), error_tolerance);
  }
  report.frames = output.frames();
  report.duration = period;
  motion = dynamics.body(dynamics.state());
  return report;
}

}  // namespace setka::analysis
