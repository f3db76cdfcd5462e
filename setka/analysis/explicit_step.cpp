// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/explicit_step.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/explicit_body.hpp"
#include "setka/analysis/explicit_model.hpp"
#include "setka/analysis/explicit_output.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/explicit_motion.hpp"
#include "setka/exec/team.hpp"

namespace setka::analysis {
namespace {

using dynamics::ExplicitEnergies;
using dynamics::StableStep;

constexpr double most_steps = 1e15;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The numbers of a step: how many steps in time, and how long.
struct StepLength {
  StableStep stable;
  std::int64_t count = 1;
  double length = 0;
};

StepLength choose_length(const Setup& setup, const model::ExplicitStep& procedure, const StableStep& stable) {
  const SourceLine line = setup.model->source(procedure.line);
  const std::int32_t element = setup.model->mesh.element_label(stable.element);
  double wanted = procedure.increment;
  if (wanted == 0) {
    wanted = std::min(explicit_safety * stable.step, procedure.most_increment);
  } else if (!(wanted < stable.step)) {
    throw Error(Fault::input,
                fmt::format("*DYNAMIC, EXPLICIT: the increment {:g} is not stable: the one of element {} is "
                            "{:.6g}",
                            wanted, element, stable.step),
                fmt::format("take at most {:.6g}, or 0 to leave the choice to Setka; larger elements allow "
                            "longer increments",
                            explicit_safety * stable.step),
                line);
  }
  if (wanted < procedure.least_increment)
    throw Error(Fault::input,
                fmt::format("*DYNAMIC, EXPLICIT: the increment is {:.6g}, by element {} whose stable one is "
                            "{:.6g}, and the least one allowed is {:g}",
                            wanted, element, stable.step, procedure.least_increment),
                "allow shorter increments, or make that element larger", line);
  const double count = std::max(1.0, std::ceil(procedure.period / wanted - 1e-6));
  if (!(count < most_steps))
    throw Error(Fault::input,
                fmt::format("*DYNAMIC, EXPLICIT: a period of {:g} takes {:g} increments of {:.6g}",
                            procedure.period, count, wanted),
                "give a shorter period, or larger elements", line);
  return {stable, static_cast<std::int64_t>(count), procedure.period / count};
}

template <class T>
class ExplicitRun {
 public:
  ExplicitRun(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
              double start_time, const BodyMotion& motion, const Computing& computing,
              const StepServices& services, Monitor& monitor)
      : setup_(setup),
        step_(step),
        procedure_(std::get<model::ExplicitStep>(step.procedure)),
        number_(number),
        start_time_(start_time),
        computing_(computing),
        services_(services),
        monitor_(monitor),
        model_(explicit_model(setup, loads, step, start_time,
                              services.resumed != nullptr ? nullptr : &motion.position)),
        columns_(*setup.model) {
    const Stage stage = monitor.stage("prepare");
    body_ = !computing.team
                ? explicit_body<T>(computing.device, setup, model_)
                : explicit_body<T>(*computing.team, setup, model_, computing.cpu, computing.balancing);
    if (services.resumed != nullptr) {
      resume(*services.resumed);
      return;
    }
    make_dynamics(choose_length(setup, procedure_, body_->least_stable_step(motion.position)));
    if (!motion.position.empty()) dynamics_->set_displacements(motion.position);
    if (!motion.velocity.empty()) dynamics_->set_velocities(motion.velocity);
  }

  MotionReport run(const MotionSink& sink) {
    const OutputTimes output(*setup_.model, step_, length_.length, length_.count, start_time_);
    const std::int64_t every = std::max<std::int64_t>(10, (length_.count + 999) / 1000);
    tell();
    Stage stage = monitor_.stage("explicit steps", length_.count - dynamics_->steps_done(), "steps");
    if (dynamics_->steps_done() == 0) {  // a run that goes on looks where it would have without a pause
      look();
      write_row();
    }
    double saved_at = now();
    std::int64_t chunk = 1;
    while (dynamics_->steps_done() < length_.count && trouble_.empty()) {
      const std::int64_t before = dynamics_->steps_done();
      const std::int64_t row = std::min(before - before % every + every, length_.count);
      const std::int64_t frame = output.next(before);
      const std::int64_t until = std::min({before + chunk, row, frame});
      const double began = now();
      dynamics_->advance(until - before);
      dynamics_->wait();
      // Short enough for a user who wants to stop, long enough not to count.
      if (now() - began < 0.05 && until - before == chunk) chunk *= 2;
      if (now() - began > 0.2) chunk = std::max<std::int64_t>(1, chunk / 2);
      if (until == row || until == frame) look();
      if (until == row || !trouble_.empty()) write_row();
      if (until == frame || !trouble_.empty()) write_frame(output, sink);
      if (!trouble_.empty()) break;
      note(stage);
      const Decision decided =
          together({chunk, wants_to_stop(stage, until - before),
                    services_.save_every > 0 && now() - saved_at > services_.save_every});
      const bool stopped = decided.stops;
      chunk = decided.chunk;
      if (services_.save && until < length_.count && (stopped || decided.saves)) {
        save();
        saved_at = now();
      }
      if (stopped && until < length_.count) stop();
    }
    return report();
  }

  void give(BodyMotion& motion) const {
    motion.position = dynamics_->displacements();
    motion.velocity = dynamics_->seen_velocities();
  }

 private:
  void make_dynamics(const StepLength& length) {
    length_ = length;
    dynamics::ExplicitOptions options;
    options.step = length.length;
    options.damping = model_.damping;
    options.stable = length.stable;
    dynamics_ = body_->motion(options);
    dynamics_->watch(columns_.nodes);
    dynamics_->hold(model_.held);
    const auto factor_of = [&](std::int32_t amplitude) -> typename dynamics::ExplicitMotion<T>::Factor {
      if (amplitude < 0) return {};
      const model::Amplitude& curve = setup_.model->amplitudes[static_cast<std::size_t>(amplitude)];
      return [own = dynamics::Curve(curve.points, curve.total_time ? -start_time_ : 0.0)](double time) {
        return own.after(time);
      };
    };
    for (const auto& load : model_.loads) dynamics_->add_load(load.values, factor_of(load.amplitude));
    for (const auto& motion : model_.motions)
      dynamics_->add_motion(motion.values, factor_of(motion.amplitude));
  }

  /// What is decided by a clock or a signal.
  struct Decision {
    std::int64_t chunk;
    bool stops;
    bool saves;
  };

  /// Processes, whose clocks differ, do as the first does, and stop where one is to.
  Decision together(Decision own) const {
    if (!computing_.team || computing_.team->transport() == nullptr) return own;
    const std::array<double, 3> given{static_cast<double>(own.chunk), own.stops ? 1.0 : 0.0,
                                      own.saves ? 1.0 : 0.0};
    const std::vector<double> of_all = computing_.team->transport()->gather(given);
    own = {static_cast<std::int64_t>(of_all[0]), false, of_all[2] != 0};
    for (std::size_t p = 0; p < of_all.size(); p += given.size()) own.stops = own.stops || of_all[p + 1] != 0;
    return own;
  }

  /// A user's wish, which is not to end the run before it is kept.
  static bool wants_to_stop(Stage& stage, std::int64_t steps) {
    try {
      stage.advance(steps);
    } catch (const Error& error) {
      if (error.fault() != Fault::interrupted) throw;
      return true;
    }
    return false;
  }

  void tell() const {
    log::info(
        "step {}: {} explicit steps of {:.6g} in {} precision; the stable step is {:.6g}, of element {}{}",
        number_, length_.count, length_.length, sizeof(T) == 4 ? "single" : "double", length_.stable.step,
        setup_.model->mesh.element_label(length_.stable.element),
        dynamics_->steps_done() == 0 ? std::string()
                                     : fmt::format("; {} of them are done already", dynamics_->steps_done()));
  }

  /// The energies now, and whether they are still in balance.
  void look() {
    energies_ = dynamics_->look();
    const double balance = energies_.balance();
    if (!has_first_) first_balance_ = balance;
    has_first_ = true;
    largest_ = std::max({largest_, std::abs(energies_.kinetic), std::abs(energies_.internal),
                         std::abs(energies_.external), std::abs(energies_.damping)});
    drift_ = std::abs(balance - first_balance_);
    const double share = largest_ > 0 ? drift_ / largest_ : 0.0;
    if (std::isfinite(share)) most_share_ = std::max(most_share_, share);
    if (drift_ <= most_energy_drift * largest_) return;  // not so where it is not a number
    trouble_ = fmt::format(
        "at the time {:g} the balance of energies has drifted by {:.3g}, {:.3g} % of the largest of them, "
        "where {:g} % are allowed; {}take a smaller step than {:g}, or less load",
        start_time_ + dynamics_->time(), drift_, 100 * share, 100 * most_energy_drift, crushed(),
        length_.length);
  }

  /// Which element has become too small for the step, where one has.
  std::string crushed() const {
    try {
      const StableStep least = dynamics_->least_stable_step();
      if (!(least.step < length_.length)) return {};
      return fmt::format("element {} is so deformed that its stable step is {:g}: ",
                         setup_.model->mesh.element_label(least.element), least.step);
    } catch (const Error&) {  // it has none any more
      return "an element has turned inside out: ";
    }
  }

  void write_row() {
    if (!services_.history) return;
    std::vector<double> row{static_cast<double>(number_),
                            start_time_ + dynamics_->time(),
                            length_.length,
                            energies_.kinetic,
                            energies_.internal,
                            energies_.external,
                            energies_.damping,
                            drift_};
    if (!columns_.nodes.empty()) {
      const std::vector<double> seen = dynamics_->seen_of_watched();
      for (const std::size_t at : columns_.values) row.push_back(seen[at]);
    }
    services_.history(row);
  }

  void write_frame(const OutputTimes& output, const MotionSink& sink) {
    if (!std::isfinite(energies_.kinetic + energies_.internal)) return;
    const std::int64_t done = dynamics_->steps_done();
    model::Frame frame;
    frame.step = number_;
    frame.increment = static_cast<int>(std::min<std::int64_t>(done, std::numeric_limits<int>::max()));
    frame.time = start_time_ + dynamics_->time();
    frame.last_of_step = done == length_.count || !trouble_.empty();
    frame.time_point = output.time_point(done);
    const Wanted wanted = wanted_results(step_);
    ExplicitSeen seen;
    seen.u = dynamics_->displacements();
    if (wanted.at_nodes.contains("V") || wanted.at_points.contains("ELKE"))
      seen.v = dynamics_->seen_velocities();
    if (wanted.at_nodes.contains("RF")) seen.forces = dynamics_->seen_forces();
    fill_explicit_frame(setup_, model_, wanted, std::move(seen), computing_.cpu.threads(), frame);
    sink(frame);
    ++frames_;
  }

  void note(Stage& stage) const {
    stage.note(
        fmt::format("time {:.4g} of {:.4g}, step {:.3g}, kinetic {:.3g}, internal {:.3g}, drift {:.1g} %",
                    dynamics_->time(), procedure_.period, length_.length, energies_.kinetic,
                    energies_.internal, largest_ > 0 ? 100 * drift_ / largest_ : 0.0));
  }

  void save() const {
    const dynamics::ExplicitMemory<T> memory = dynamics_->memory();
    io::Checkpoint checkpoint;
    checkpoint.put(
        "counts", std::vector<std::int64_t>{number_, memory.steps_done, length_.count, length_.stable.element,
                                            frames_, sizeof(T), has_first_ ? 1 : 0});
    checkpoint.put("numbers", std::vector<double>{start_time_, length_.stable.step, length_.length,
                                                  first_balance_, largest_, most_share_});
    checkpoint.put("displacements", memory.u);
    checkpoint.put("velocities", memory.v);
    checkpoint.put("work", memory.work);
    checkpoint.put("loss", memory.loss);
    services_.save(checkpoint);
  }

  void resume(const io::Checkpoint& from) {
    const auto counts = from.get<std::int64_t>("counts");
    const auto numbers = from.get<double>("numbers");
    SETKA_ASSERT(counts.size() == 7 && numbers.size() == 6);
    if (counts[5] != static_cast<std::int64_t>(sizeof(T)))
      throw Error(Fault::input,
                  fmt::format("the checkpoint is of a run in {} precision, this one is in {}",
                              counts[5] == 4 ? "single" : "double", sizeof(T) == 4 ? "single" : "double"),
                  fmt::format("add --precision {}", counts[5] == 4 ? "single" : "double"));
    make_dynamics({{numbers[1], static_cast<std::int32_t>(counts[3])}, counts[2], numbers[2]});
    dynamics::ExplicitMemory<T> memory;
    memory.steps_done = counts[1];
    memory.u = from.get<T>("displacements");
    memory.v = from.get<T>("velocities");
    memory.work = from.get<double>("work");
    memory.loss = from.get<double>("loss");
    dynamics_->restore(memory);
    frames_ = static_cast<int>(counts[4]);
    has_first_ = counts[6] != 0;
    first_balance_ = numbers[3];
    largest_ = numbers[4];
    most_share_ = numbers[5];
  }

  [[noreturn]] void stop() const {
    const std::string where =
        fmt::format("interrupted at the time {:g}, after {} of {} explicit steps",
                    start_time_ + dynamics_->time(), dynamics_->steps_done(), length_.count);
    throw Error(Fault::interrupted, where, services_.save ? services_.how_to_go_on : std::string());
  }

  MotionReport report() {
    MotionReport made;
    made.increments = dynamics_->steps_done();
    made.frames = frames_;
    made.duration = trouble_.empty() ? procedure_.period : dynamics_->time();
    made.converged = trouble_.empty();
    made.trouble = trouble_;
    made.of_explicit = ExplicitReport{length_.length,
                                      length_.stable.step,
                                      setup_.model->mesh.element_label(length_.stable.element),
                                      length_.length / length_.stable.step,
                                      sizeof(T) == 4,
                                      energies_.kinetic,
                                      energies_.internal,
                                      energies_.external,
                                      energies_.damping,
                                      dynamics_->hourglass_energy(),
                                      most_share_};
    return made;
  }

  const Setup& setup_;
  const model::Step& step_;
  const model::ExplicitStep& procedure_;
  int number_;
  double start_time_;
  const Computing& computing_;
  const StepServices& services_;
  Monitor& monitor_;
  ExplicitModel model_;
  HistoryColumns columns_;
  std::unique_ptr<const dynamics::ExplicitBody<T>> body_;
  std::unique_ptr<dynamics::ExplicitMotion<T>> dynamics_;
  StepLength length_;
  ExplicitEnergies energies_;  // at the last look
  bool has_first_ = false;
  double first_balance_ = 0;
  double largest_ = 0;
  double drift_ = 0;
  double most_share_ = 0;
  int frames_ = 0;
  std::string trouble_;
};

}  // namespace

MotionReport solve_explicit(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                            double start_time, BodyMotion& motion, const Computing& computing,
                            const MotionSink& sink, const StepServices& services, Monitor& monitor) {
  const auto in_precision = [&]<class T>(T) {
    ExplicitRun<T> run(setup, loads, step, number, start_time, motion, computing, services, monitor);
    MotionReport report = run.run(sink);
    run.give(motion);
    return report;
  };
  return computing.single_precision ? in_precision(float{}) : in_precision(double{});
}

std::vector<std::string> history_columns(const model::Model& model) {
  const bool any = std::ranges::any_of(model.steps, [](const model::Step& step) {
    return std::holds_alternative<model::ExplicitStep>(step.procedure);
  });
  if (!any) return {};
  std::vector<std::string> names{"step", "time", "dt", "kinetic", "internal", "external", "damping", "drift"};
  const HistoryColumns columns(model);
  names.insert(names.end(), columns.names.begin(), columns.names.end());
  return names;
}

}  // namespace setka::analysis
