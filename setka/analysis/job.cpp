// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/job.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/buckle.hpp"
#include "setka/analysis/cyclic_frequency.hpp"
#include "setka/analysis/dynamic.hpp"
#include "setka/analysis/element_products.hpp"
#include "setka/analysis/explicit_model.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/heat_modes.hpp"
#include "setka/analysis/heat_step.hpp"
#include "setka/analysis/increments.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_dynamic.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/response_spectrum.hpp"
#include "setka/analysis/steady_state.hpp"
#include "setka/analysis/substructure.hpp"
#include "setka/analysis/superelements.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/solver_choices.hpp"

namespace setka::analysis {
namespace {

/// More are one stage: nobody reads so many lines of times, and each would be looked for among all.
constexpr std::size_t most_named_steps = 200;

/// The largest of rated(i) for 0 <= i < n; the first of them where several are.
template <class Rated>
Extreme largest(int threads, std::int64_t n, const Rated& rated) {
  constexpr std::int64_t piece = 8192;
  std::vector<Extreme> of_pieces(static_cast<std::size_t>((n + piece - 1) / piece));
  const auto take = [](Extreme& known, const Extreme& other) {
    if (other.value > known.value) known = other;
  };
  exec::host::for_each(threads, static_cast<std::int64_t>(of_pieces.size()), 1, [&](std::int64_t p) {
    for (std::int64_t i = p * piece; i < std::min(n, (p + 1) * piece); ++i)
      take(of_pieces[static_cast<std::size_t>(p)], rated(static_cast<std::int32_t>(i)));
  });
  Extreme all;
  for (const Extreme& of_piece : of_pieces) take(all, of_piece);
  return all;
}

Extreme largest_displacement(const mesh::Mesh& mesh, const model::Frame& frame, int threads) {
  const model::NodeField* u = frame.node_field("U");
  if (u == nullptr) return {};
  const auto length_at = [&](std::int32_t n) -> Extreme {
    const double* value = u->values.data() + 3 * static_cast<std::size_t>(n);
    return {std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]), mesh.node_label(n)};
  };
  if (frame.nodes.empty()) return largest(threads, mesh.node_count(), length_at);
  return largest(threads, static_cast<std::int64_t>(frame.nodes.size()),
                 [&](std::int32_t i) { return length_at(frame.nodes[static_cast<std::size_t>(i)]); });
}

/// None where output asks for no stresses.
std::optional<Extreme> largest_mises(const Setup& setup, const model::Frame& frame, int threads) {
  if (!frame.element_mises.empty()) {
    return largest(threads, setup.solids.element_count(), [&](std::int32_t e) -> Extreme {
      return {frame.element_mises[static_cast<std::size_t>(e)], setup.element_label(e)};
    });
  }
  const model::PointField* stress = frame.point_field("S");
  if (stress == nullptr) return std::nullopt;
  const std::vector<std::int64_t>& first_point = setup.result_points().first_point;
  return largest(threads, setup.solids.mesh_element_count(), [&](std::int32_t e) {
    Extreme extreme;
    for (std::int64_t p = first_point[static_cast<std::size_t>(e)];
         p < first_point[static_cast<std::size_t>(e) + 1]; ++p) {
      const double* s = stress->values.data() + 6 * static_cast<std::size_t>(p);
      const double normal = std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
      const double mises = std::sqrt(normal / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
      if (mises > extreme.value) extreme = {mises, setup.model->mesh.element_label(e)};
    }
    return extreme;
  });
}

/// Steps in their order, with what one leaves to the next.
class Run {
 public:
  Run(const Setup& setup, const Computing& computing, const FrameSink& sink, const ModeTableSink& mode_sink,
      const StepServices& services, Monitor& monitor)
      : setup_(setup),
        computing_(computing),
        sink_(sink),
        mode_sink_(mode_sink),
        services_(services),
        monitor_(monitor),
        loads_(*setup.model),
        last_modal_(last_step(is_modal)),
        last_perturbation_(last_step([](const model::Step& step) { return step.perturbation; })) {}

  StepSummary step(int number) {
    const model::Step& step = setup_.model->steps[static_cast<std::size_t>(number) - 1];
    begin(step);
    if (std::holds_alternative<model::HeatStep>(step.procedure)) return heat(step, number);
    if (!is_explicit(step)) refuse_hyperelastic(setup_, step);
    refuse_superelements(*setup_.model, step);
    if (std::holds_alternative<model::SubstructureStep>(step.procedure)) return substructure(step, number);
    if (std::holds_alternative<model::FrequencyStep>(step.procedure)) return frequency(step, number);
    if (std::holds_alternative<model::BuckleStep>(step.procedure)) return buckle(step, number);
    if (is_modal(step) || is_explicit(step) || std::holds_alternative<model::DynamicStep>(step.procedure))
      return in_motion(step, number);
    return statics(step, number);
  }

  /// Steps that a checkpoint has behind it; returns the number of the one it is in.
  int skip_to(const io::Checkpoint& from) {
    const int number = static_cast<int>(from.get<std::int64_t>("counts").at(0));
    time_ = from.get<double>("numbers").at(0);
    for (int s = 1; s <= number; ++s) {
      displacements_ = from.get<double>(start_part(s));
      if (s < number) begin(setup_.model->steps[static_cast<std::size_t>(s) - 1]);
    }
    if (std::ranges::any_of(setup_.model->steps.begin() + number, setup_.model->steps.end(), is_modal))
      throw Error(Fault::input, "steps after the checkpoint are sums of modes, which it does not hold",
                  "run the deck from the beginning");
    return number;
  }

 private:
  static bool is_explicit(const model::Step& step) {
    return std::holds_alternative<model::ExplicitStep>(step.procedure);
  }
  int threads() const { return computing_.cpu.threads(); }
  static std::string start_part(int step) { return fmt::format("start of step {}", step); }

  /// Displacements at the start are kept for checkpoints where FIXED needs them.
  void begin(const model::Step& step) {
    const bool fixes =
        std::ranges::any_of(step.prescribed, [](const model::PrescribedValue& value) { return value.fixed; });
    starts_.push_back(fixes ? displacements_ : std::vector<double>());
    loads_.begin(step, displacements_);
  }

  MotionReport explicit_motion(const model::Step& step, int number, const MotionSink& sink) {
    StepServices services = services_;
    if (services_.save) {
      services.save = [&](io::Checkpoint& checkpoint) {
        for (std::size_t s = 0; s < starts_.size(); ++s)
          checkpoint.put(start_part(static_cast<int>(s) + 1), starts_[s]);
        services_.save(checkpoint);
      };
    }
    if (services.resumed != nullptr && services.resumed->get<std::int64_t>("counts").at(0) != number)
      services.resumed = nullptr;
    return solve_explicit(setup_, loads_, step, number, time_, body_, computing_, sink, services, monitor_);
  }

  /// *INITIAL CONDITIONS, TYPE=VELOCITY, for the first step in time.
  void give_initial_velocities() {
    if (std::exchange(velocities_given_, true) || setup_.model->initial_velocities.empty()) return;
    body_.velocity.resize(static_cast<std::size_t>(setup_.solids.user_dofs), 0.0);
    for (const model::InitialVelocity& given : setup_.model->initial_velocities)
      body_.velocity[3 * static_cast<std::size_t>(given.node) + static_cast<std::size_t>(given.direction) -
                     1] = given.value;
  }

  StepSummary statics(const model::Step& step, int number) {
    const double period = std::get<model::StaticStep>(step.procedure).period;
    time_ += period;
    const bool is_preload = !step.perturbation && last_perturbation_ > number;
    StaticResult result = solve_static(setup_, loads_, step, period, time_, is_preload, computing_, monitor_);
    result.frame.step = number;
    StepSummary summary;
    summary.step = number;
    summary.time = time_;
    summary.solved = result.report;
    {
      const Stage stage = monitor_.stage("largest values");
      summary.displacement = largest_displacement(setup_.model->mesh, result.frame, threads());
      summary.mises = largest_mises(setup_, result.frame, threads());
    }
    if (!result.report.converged) return summary;
    if (services_.increment) services_.increment({number, 1, 1, 1, time_, period, period});
    displacements_ = std::move(result.user_displacements);
    body_ = {};
    if (is_preload) keep_preload(result, period, time_);
    {
      const Stage writing = monitor_.stage("write");
      sink_(step, result.frame);
    }
    const Stage stage = monitor_.stage("release");
    result = {};
    return summary;
  }

  StepSummary heat(const model::Step& step, int number) {
    StepSummary summary;
    summary.step = number;
    const auto& procedure = std::get<model::HeatStep>(step.procedure);
    const double began = total_time_of(procedure, time_, 0);
    std::optional<StaticResult> displaced;
    const MotionSink sink = [&](const model::Frame& frame) {
      take_extremes(*frame.node_field("NT"), summary);
      if (procedure.displaces) {
        if (displaced && !displaced->report.converged) return;
        displaced = displace(step, number, frame, frame.time - began, summary);
        if (!displaced->report.converged) return;
      }
      const Stage writing = monitor_.stage("write");
      sink_(step, displaced ? displaced->frame : frame);
    };
    const HeatReport report = solve_heat(setup_, loads_, step, number, time_, temperatures(), computing_,
                                         sink, monitor_, services_.increment);
    summary.motion = report.steps;
    summary.solved.method = report.method;
    summary.solved.unknowns = static_cast<std::int32_t>(report.unknowns);
    summary.solved.iterations = report.iterations;
    summary.solved.residual = report.residual;
    summary.solved.converged = report.steps.converged;
    summary.solved.trouble = report.steps.trouble;
    time_ += report.steps.duration;
    summary.time = time_;
    loads_.take_temperatures(temperature_);
    if (displaced) {
      if (report.steps.converged) summary.solved = displaced->report;
      displacements_ = std::move(displaced->user_displacements);
      body_ = {};
    }
    return summary;
  }

  /// The static solution with the temperatures of a frame, and the results of both.
  StaticResult displace(const model::Step& step, int number, const model::Frame& heated, double step_time,
                        StepSummary& summary) {
    loads_.take_temperatures(temperature_);
    const bool is_preload = heated.last_of_step && !step.perturbation && last_perturbation_ > number;
    StaticResult result =
        solve_static(setup_, loads_, step, step_time, heated.time, is_preload, computing_, monitor_);
    model::Frame& frame = result.frame;
    frame.step = heated.step;
    frame.increment = heated.increment;
    frame.last_of_step = heated.last_of_step;
    frame.time_point = heated.time_point;
    frame.time = heated.time;
    for (const model::NodeField& field : heated.node_fields) {
      if (field.name != "NT") frame.node_fields.push_back(field);
    }
    frame.point_fields.insert(frame.point_fields.end(), heated.point_fields.begin(),
                              heated.point_fields.end());
    const Extreme moved = largest_displacement(setup_.model->mesh, frame, threads());
    if (moved.value > summary.displacement.value) summary.displacement = moved;
    const std::optional<Extreme> stressed = largest_mises(setup_, frame, threads());
    if (stressed && (!summary.mises || stressed->value > summary.mises->value)) summary.mises = stressed;
    if (is_preload && result.report.converged) {
      keep_preload(result, step_time, heated.time);
    }
    return result;
  }

  /// Where the next step of heat begins.
  std::vector<double>& temperatures() {
    if (temperature_.empty()) {
      temperature_ = setup_.initial_temperature;
      temperature_.resize(static_cast<std::size_t>(setup_.model->mesh.node_count()), 0.0);
    }
    return temperature_;
  }

  /// The warmest and the coldest node of all frames so far.
  void take_extremes(const model::NodeField& temperature, StepSummary& summary) const {
    const auto [cold, hot] = std::ranges::minmax_element(temperature.values);
    const auto place = [&](auto at) -> Extreme {
      return {*at, setup_.model->mesh.node_label(static_cast<std::int32_t>(at - temperature.values.begin()))};
    };
    if (!summary.hottest || *hot > summary.hottest->value) summary.hottest = place(hot);
    if (!summary.coldest || *cold < summary.coldest->value) summary.coldest = place(cold);
  }

  StepSummary substructure(const model::Step& step, int number) {
    const auto& procedure = std::get<model::SubstructureStep>(step.procedure);
    const io::SuperelementMatrix matrix =
        solve_substructure(setup_, loads_, step, time_ + 1, computing_, monitor_);
    StepSummary summary;
    summary.step = number;
    summary.time = time_;  // nothing happens in it
    summary.solved.method = "cholesky";
    summary.solved.converged = true;
    summary.retained = static_cast<std::int64_t>(matrix.node.size());
    const Stage writing = monitor_.stage("write");
    if (services_.superelement) services_.superelement(procedure, matrix);
    return summary;
  }

  StepSummary frequency(const model::Step& step, int number) {
    ModeSink sink;
    sink.table = [&](const model::ModeTable& table) {
      if (mode_sink_) mode_sink_(table);
    };
    sink.shape = [&](const model::Frame& frame) {
      const Stage writing = monitor_.stage("write");
      sink_(step, frame);
    };
    if (preload_) preload_->loads = loads_that_follow();
    StepSummary summary;
    summary.step = number;
    summary.time = time_ + 1;  // as CalculiX has it: a step of length one, which later steps do not count
    basis_.reset();
    motion_.clear();
    if (last_modal_ > number) basis_.emplace();
    const auto& procedure = std::get<model::FrequencyStep>(step.procedure);
    const Preload* const about = step.perturbation && preload_ ? &*preload_ : nullptr;
    summary.modes = asks_for_diameters(*setup_.model, step)
                        ? solve_cyclic_frequency(setup_, loads_, number, summary.time, about, computing_,
                                                 sink, monitor_, basis_ ? &*basis_ : nullptr)
                    : procedure.of_temperature
                        ? solve_heat_modes(setup_, loads_, step, number, summary.time, temperatures(),
                                           computing_, sink, monitor_, basis_ ? &*basis_ : nullptr)
                        : solve_frequency(setup_, loads_, step, number, summary.time, about, computing_, sink,
                                          monitor_, basis_ ? &*basis_ : nullptr);
    summary.solved.method = summary.modes->method;
    summary.solved.converged = summary.modes->converged;
    summary.solved.trouble = summary.modes->trouble;
    for (const model::Mode& mode : summary.modes->modes)
      summary.solved.residual = std::max(summary.solved.residual, mode.residual);
    return summary;
  }

  StepSummary buckle(const model::Step& step, int number) {
    BuckleSink sink;
    sink.table = [&](const model::BucklingTable& table) {
      if (services_.factors) services_.factors(table);
    };
    StepSummary summary;
    summary.step = number;
    summary.time = time_;  // nothing passes
    sink.frame = [&](const model::Frame& frame) {
      const Stage writing = monitor_.stage("write");
      sink_(step, frame);
    };
    if (preload_) preload_->loads.clear();  // they have ended: those of the step are what the factors are of
    summary.buckling =
        solve_buckle(setup_, loads_, step, number, time_,
                     step.perturbation && preload_ ? &*preload_ : nullptr, computing_, sink, monitor_);
    summary.solved.method = summary.buckling->method;
    summary.solved.converged = summary.buckling->converged;
    summary.solved.trouble = summary.buckling->trouble;
    for (const model::BucklingMode& mode : summary.buckling->modes)
      summary.solved.residual = std::max(summary.solved.residual, mode.residual);
    return summary;
  }

  StepSummary in_motion(const model::Step& step, int number) {
    if (is_modal(step)) check_modal(setup_, loads_, step, basis_ ? &*basis_ : nullptr);
    if (std::holds_alternative<model::ModalDynamicStep>(step.procedure) &&
        !setup_.model->initial_velocities.empty())
      throw Error(Fault::input, "*MODAL DYNAMIC does not begin with *INITIAL CONDITIONS, TYPE=VELOCITY",
                  "use *DYNAMIC, DIRECT or *DYNAMIC, EXPLICIT",
                  setup_.model->source(setup_.model->initial_velocities.front().line));
    StepSummary summary;
    summary.step = number;
    const MotionSink sink = [&](const model::Frame& frame) {
      if (!is_explicit(step)) require_finite(step, frame);  // these say more by their energies
      if (frame.of_temperature()) take_extremes(*frame.node_field("NT"), summary);
      const Extreme moved = largest_displacement(setup_.model->mesh, frame, threads());
      if (moved.value > summary.displacement.value) summary.displacement = moved;
      const std::optional<Extreme> stressed = largest_mises(setup_, frame, threads());
      if (stressed && (!summary.mises || stressed->value > summary.mises->value)) summary.mises = stressed;
      const Stage writing = monitor_.stage("write");
      sink_(step, frame);
    };
    summary.solved.method = is_modal(step) ? "modes" : is_explicit(step) ? "explicit steps" : "steps in time";
    if (is_explicit(step) || std::holds_alternative<model::DynamicStep>(step.procedure)) {
      give_initial_velocities();
      if (body_.position.empty()) body_.position = displacements_;
      body_.position.resize(static_cast<std::size_t>(setup_.solids.user_dofs), 0.0);
      summary.motion = is_explicit(step) ? explicit_motion(step, number, sink)
                                         : solve_dynamic(setup_, loads_, step, number, time_, body_,
                                                         computing_, sink, monitor_, services_.increment);
      displacements_ = body_.position;
      displacements_.resize(3 * static_cast<std::size_t>(setup_.model->mesh.node_count()));
    } else if (std::holds_alternative<model::ResponseSpectrumStep>(step.procedure)) {
      summary.motion =
          solve_response_spectrum(setup_, loads_, step, number, time_, *basis_, computing_, sink, monitor_);
    } else if (std::holds_alternative<model::SteadyStateStep>(step.procedure)) {
      summary.motion = solve_steady_state(setup_, loads_, step, number, *basis_, computing_, sink, monitor_);
    } else {
      summary.motion = solve_modal_dynamic(setup_, loads_, step, number, time_, *basis_, motion_, computing_,
                                           sink, monitor_);
    }
    time_ += summary.motion->duration;
    summary.time = time_;
    summary.solved.converged = summary.motion->converged;
    summary.solved.trouble = summary.motion->trouble;
    return summary;
  }

  void require_finite(const model::Step& step, const model::Frame& frame) const {
    const auto finite = [](double value) { return std::isfinite(value); };
    const model::NodeField* field = frame.node_field(frame.of_temperature() ? "NT" : "U");
    if (std::ranges::all_of(field->values, finite)) return;
    const auto line = std::visit(
        [&](const auto& procedure) {
          if constexpr (requires { procedure.line; }) return procedure.line;
          return step.line;
        },
        step.procedure);
    refuse_motion(*setup_.model, line, frame.time);
  }

  /// The number of the last step that is of a kind; 0: there is none.
  template <class Is>
  int last_step(Is is) const {
    const auto& steps = setup_.model->steps;
    const auto found = std::find_if(steps.rbegin(), steps.rend(), is);
    return static_cast<int>(steps.rend() - found);
  }

  void keep_preload(const StaticResult& result, double period, double time) {
    preload_.emplace();
    preload_->displacements = result.solid_displacements;
    preload_->temperature = result.temperature;
    preload_->stresses = solid_point_values(setup_, 6, result.frame.point_field("S")->values);
    preload_period_ = period;
    preload_time_ = time;
  }

  /// As in CalculiX: the loads of the step of modes itself, with amplitudes as they are at the end of the
  /// static one.
  std::vector<model::DistributedLoad> loads_that_follow() const {
    std::vector<model::DistributedLoad> follow;
    for (model::DistributedLoad load : loads_.distributed_loads()) {
      const bool follows =
          load.kind == model::DistributedKind::pressure || load.kind == model::DistributedKind::centrifugal;
      if (!follows || setup_.is_spring(load.element)) continue;
      load.value *= loads_.factor(load.amplitude, preload_period_, preload_time_);
      if (load.value != 0) follow.push_back(load);
    }
    return follow;
  }

  const Setup& setup_;
  const Computing& computing_;
  const FrameSink& sink_;
  const ModeTableSink& mode_sink_;
  const StepServices& services_;
  Monitor& monitor_;
  LoadState loads_;
  int last_modal_;
  int last_perturbation_;
  std::vector<double>
      displacements_;  // [3 mesh nodes] at the end of the last static step, in the users' axes
  std::optional<Preload> preload_;
  double preload_period_ = 0;             // of its step
  double preload_time_ = 0;               // at its end
  std::optional<ModalBasis> basis_;       // of the last frequency step
  std::vector<dynamics::Motion> motion_;  // of these modes at the end of the last modal dynamic step
  BodyMotion body_;                       // at the end of the last dynamic step
  bool velocities_given_ = false;
  std::vector<double> temperature_;          // at the end of the last heat step, [solid nodes]; empty: none
  std::vector<std::vector<double>> starts_;  // [steps so far] displacements that FIXED took; else empty
  double time_ = 0;
};

/// What is automatic becomes a factorisation where there are shells and beams: solids that are thin make
/// iterations slow, or end them before they converge.
Computing fit_to(const Setup& setup, Computing computing) {
  const bool alone = !computing.team && computing.ranks == nullptr && !computing.substructures &&
                     !by_elements(computing.operator_kind) && computing.solver.preconditioner == "auto";
  if (setup.solids.expanded.empty() || !alone || !solve::Cholesky::available()) return computing;
  if (computing.solver.method == solve::Method::automatic) computing.solver.method = solve::Method::cholesky;
  const auto most =
      computing.device.is_cuda() ? solve::lanczos_max_unknowns_beside_gpu : solve::lanczos_max_unknowns;
  if (computing.modes == modes::Method::automatic && !computing.reduction && setup.solids.user_dofs > most)
    computing.modes = modes::Method::lanczos;
  return computing;
}

}  // namespace

std::vector<StepSummary> run_steps(const Setup& setup, const Computing& computing, const FrameSink& sink,
                                   Monitor& monitor, const ModeTableSink& mode_sink,
                                   const StepServices& services) {
  refuse_heat(*setup.model);
  const Computing fitting = fit_to(setup, computing);
  Run run(setup, fitting, sink, mode_sink, services, monitor);
  std::vector<StepSummary> summaries;
  const int first = services.resumed != nullptr ? run.skip_to(*services.resumed) : 1;
  const std::size_t count = setup.model->steps.size();
  std::optional<Stage> all;
  if (count > most_named_steps)
    all.emplace(monitor.stage("steps", static_cast<std::int64_t>(count), "steps"));
  for (auto s = static_cast<std::size_t>(first); s <= count; ++s) {
    {
      const Stage stage = monitor.stage(all ? "step" : fmt::format("step {}", s));
      summaries.push_back(run.step(static_cast<int>(s)));
    }
    if (all) all->advance();
    if (!summaries.back().solved.converged) break;
  }
  return summaries;
}

}  // namespace setka::analysis
