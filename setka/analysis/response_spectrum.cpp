// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/response_spectrum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/analysis/participation.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/solve_system.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/design_spectrum.hpp"
#include "setka/dynamics/modal_sum.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::analysis {
namespace {

using Direction = model::ResponseSpectrumStep::Direction;

constexpr std::size_t most_directions = 3;

/// Everything that moves by one spectrum, or by all of them at once.
struct Excitation {
  std::vector<double> q;         // [modes] largest, with the sign of the participation
  std::vector<double> residual;  // [3 solid nodes] what the modes leave out; empty: not wanted
  std::vector<double> rigid;     // [3 solid nodes] its accelerations, with those of the base; likewise
};

dynamics::ModalRule rule_of(model::ModalSum sum) {
  switch (sum) {
    case model::ModalSum::absolute:
      return dynamics::ModalRule::absolute;
    case model::ModalSum::ten_percent:
      return dynamics::ModalRule::ten_percent;
    case model::ModalSum::cqc:
      return dynamics::ModalRule::cqc;
    case model::ModalSum::srss:
      break;
  }
  return dynamics::ModalRule::srss;
}

/// Frequencies and ratios of damping; a mode that does not vibrate is refused.
std::vector<dynamics::DampedFrequency> damped_frequencies(const Setup& setup, const model::Step& step,
                                                          const ModalBasis& basis) {
  const DampedModes damped = damped_modes(setup, step, basis);
  if (!damped.dashpots.empty())
    throw Error(Fault::input, "*RESPONSE SPECTRUM: dashpots are not computed",
                "give their damping by *MODAL DAMPING", setup.model->source(step.line));
  std::vector<dynamics::DampedFrequency> all;
  for (std::size_t j = 0; j < basis.modes.size(); ++j) {
    const model::Mode& mode = basis.modes[j];
    const double w = mode.angular_frequency();
    // Rounding leaves a body that nothing holds with tiny frequencies instead of zero.
    if (!(mode.eigenvalue > 1e-9 * basis.modes.back().eigenvalue)) {
      throw Error(
          Fault::input,
          fmt::format("*RESPONSE SPECTRUM: mode {} has frequency {}: nothing holds it against the base",
                      mode.number, mode.frequency()),
          "hold the body by *BOUNDARY, or give *FREQUENCY a lower frequency above zero",
          setup.model->source(std::get<model::ResponseSpectrumStep>(step.procedure).line));
    }
    all.push_back({w, damped.modes[j].damping / (2 * w) + damped.loss[j] / 2});
  }
  return all;
}

class Spectra {
 public:
  Spectra(const model::Model& model, const std::vector<Direction>& directions) {
    for (const Direction& direction : directions) {
      const model::Spectrum& given = model.spectra[static_cast<std::size_t>(direction.spectrum)];
      std::vector<dynamics::DesignSpectrum::Point> points;
      for (const auto& point : given.points) points.push_back({point.frequency, point.damping, point.value});
      curves_.emplace_back(points);
      kinds_.push_back(given.kind);
    }
  }

  /// The largest displacement of an oscillator.
  double displacement(std::size_t direction, const dynamics::DampedFrequency& mode) const {
    const double w = mode.angular_frequency;
    const double value = curves_[direction].value(w / (2 * std::numbers::pi), mode.damping);
    return value / power(direction, w);
  }

  /// What a rigid body on the base feels.
  double rigid_acceleration(std::size_t direction, double damping) const {
    const double frequency = curves_[direction].rigid_frequency(damping);
    const double w = 2 * std::numbers::pi * frequency;
    return curves_[direction].value(frequency, damping) / power(direction, w) * w * w;
  }

 private:
  double power(std::size_t direction, double w) const {
    switch (kinds_[direction]) {
      case model::SpectrumKind::displacement:
        return 1;
      case model::SpectrumKind::velocity:
        return w;
      case model::SpectrumKind::acceleration:
        break;
    }
    return w * w;
  }

  std::vector<dynamics::DesignSpectrum> curves_;
  std::vector<model::SpectrumKind> kinds_;
};

/// Displacements under a unit acceleration of the base along each axis that is asked for, less what modes
/// that do not vibrate give: the inverse of K times M r less the sum of shape times participation / lambda.
class MissingMass {
 public:
  MissingMass(const Setup& setup, const LoadState& loads, const model::Step& step, const ModalBasis& basis,
              const ElementState& state, const Computing& computing, Monitor& monitor)
      : basis_(basis), threads_(computing.cpu.threads()) {
    const auto& procedure = std::get<model::ResponseSpectrumStep>(step.procedure);
    const Stage stage = monitor.stage("missing mass");
    if (basis.preload) {
      throw Error(Fault::input, "*RESPONSE SPECTRUM, MISSING MASS about a preloaded body is not computed",
                  "leave out MISSING MASS, or PERTURBATION in the *FREQUENCY step",
                  setup.model->source(procedure.line));
    }
    const fem::Constraints of_users = user_constraints(setup, loads, [](const auto&) { return 0.0; });
    std::optional<fem::Constraints> of_solids;
    if (!setup.solids.rows.empty()) of_solids = of_users.compose(setup.solids.rows);
    const fem::Constraints& constraints = of_solids ? *of_solids : of_users;
    Stiffness stiffness = make_stiffness(setup, state, constraints, computing, monitor);
    const std::vector<double> rigid = rigid_motions(setup, of_users, stiffness.space, threads_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (std::ranges::all_of(procedure.directions,
                              [&](const Direction& direction) { return direction.cosines[axis] == 0; }))
        continue;
      std::vector<double> blocked(rigid.size() / 6);
      for (std::size_t i = 0; i < blocked.size(); ++i) blocked[i] = rigid[6 * i + axis];
      const std::vector<double> inertia =
          mass_times(setup, state, stiffness.space.expand(blocked, computing.cpu));
      const solve::SolveResult solved =
          solve_system(setup, constraints, of_users, stiffness, inertia, computing, monitor);
      if (!solved.report.converged) {
        throw Error(
            Fault::input,
            fmt::format("*RESPONSE SPECTRUM: the missing mass is not found: {}", solved.report.trouble),
            "choose another --solver", setup.model->source(procedure.line));
      }
      displacements_[axis] = stiffness.space.expand(solved.x, computing.cpu);
      exec::host::for_each(threads_, static_cast<std::int64_t>(displacements_[axis].size()),
                           exec::host::serial_below, [&](std::int64_t index) {
                             const auto d = static_cast<std::size_t>(index);
                             for (std::size_t j = 0; j < basis.modes.size(); ++j)
                               displacements_[axis][d] -= basis.shapes[j][d] *
                                                          basis.modes[j].participation[axis] /
                                                          basis.modes[j].eigenvalue;
                           });
    }
  }

  /// Adds those of an acceleration along a direction, and the accelerations that go with them.
  void add(const std::array<double, 3>& cosines, double acceleration, std::vector<double>& u,
           std::vector<double>& a) const {
    u.resize(basis_.shapes.front().size(), 0.0);
    a.resize(u.size(), 0.0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double by = cosines[axis] * acceleration;
      if (by == 0) continue;
      for (std::size_t d = 0; d < u.size(); ++d) {
        double without_modes = d % 3 == axis ? 1.0 : 0.0;
        for (std::size_t j = 0; j < basis_.modes.size(); ++j)
          without_modes -= basis_.shapes[j][d] * basis_.modes[j].participation[axis];
        u[d] += by * displacements_[axis][d];
        a[d] += by * without_modes;
      }
    }
  }

 private:
  const ModalBasis& basis_;
  int threads_;
  std::array<std::vector<double>, 3> displacements_;
};

double combined_directions(model::DirectionSum rule, std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  double largest = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    largest = std::max(largest, value);
  }
  switch (rule) {
    case model::DirectionSum::srss:
      return std::sqrt(squares);
    case model::DirectionSum::thirty_percent:
      return largest + 0.3 * (sum - largest);
    case model::DirectionSum::forty_percent:
      return largest + 0.4 * (sum - largest);
    case model::DirectionSum::algebraic:
    case model::DirectionSum::absolute:
      break;
  }
  return sum;
}

bool is_linear(const std::string& name) {
  return name == "U" || name == "V" || name == "A" || name == "RF" || name == "S" || name == "E" ||
         name == "ME";
}

/// Energies, errors and the like are not sums over modes.
void refuse_what_is_not_linear(const Setup& setup, const model::Step& step) {
  for (const model::OutputRequest& request : step.output) {
    const bool section = request.kind == model::OutputKind::section_print;
    for (const std::string& variable : request.variables) {
      if (!section && (is_linear(variable) || variable == "COORD" || variable == "EVOL" || variable == "NT"))
        continue;
      throw Error(
          Fault::input,
          fmt::format("*RESPONSE SPECTRUM: {} is not computed in it", section ? "*SECTION PRINT" : variable),
          "ask for U, V, A, RF, S, E or ME", setup.model->source(request.line));
    }
  }
}

/// The envelope of one field. Every frame has it at the same place; parts: of the modes, then of the
/// residuals of each excitation.
class Envelope {
 public:
  Envelope(const model::ResponseSpectrumStep& procedure, std::vector<dynamics::DampedFrequency> modes,
           std::vector<Excitation> excitations, int threads)
      : rule_(procedure.sum),
        directions_(procedure.directions_sum),
        combine_(rule_of(procedure.sum), std::move(modes)),
        excitations_(std::move(excitations)),
        threads_(threads) {}

  template <class ValuesOf>
  std::vector<double> operator()(const std::vector<model::Frame>& parts, ValuesOf values_of) const {
    std::vector<const std::vector<double>*> fields;
    fields.reserve(parts.size());
    for (const model::Frame& part : parts) fields.push_back(&values_of(part));
    const std::size_t modes = excitations_.front().q.size();
    std::vector<double> result(fields.front()->size());
    exec::host::for_each(
        threads_, static_cast<std::int64_t>(result.size()), exec::host::serial_below,
        [&](std::int64_t index) {
          const auto i = static_cast<std::size_t>(index);
          thread_local std::vector<double> responses;
          responses.resize(modes);
          std::array<double, most_directions> by_direction{};
          for (std::size_t c = 0; c < excitations_.size(); ++c) {
            for (std::size_t j = 0; j < modes; ++j) responses[j] = excitations_[c].q[j] * (*fields[j])[i];
            double value = combine_(responses);
            if (fields.size() > modes) {
              const double rigid = std::abs((*fields[modes + c])[i]);
              value = rule_ == model::ModalSum::absolute ? value + rigid : std::hypot(value, rigid);
            }
            by_direction[c] = value;
          }
          result[i] = combined_directions(directions_, std::span(by_direction).first(excitations_.size()));
        });
    return result;
  }

 private:
  model::ModalSum rule_;
  model::DirectionSum directions_;
  dynamics::ModalCombination combine_;
  std::vector<Excitation> excitations_;
  int threads_;
};

/// What is combined; the rest would take memory for each mode.
void keep_linear_fields(const Wanted& wanted, model::Frame& frame) {
  std::erase_if(frame.node_fields, [](const model::NodeField& field) { return !is_linear(field.name); });
  std::erase_if(frame.point_fields, [&](const model::PointField& field) {
    return !is_linear(field.name) || (field.name != "S" && !wanted.at_points.contains(field.name));
  });
  frame.element_energy.clear();
  frame.element_kinetic_energy.clear();
}

std::vector<Excitation> excitations_of(const Setup& setup, const LoadState& loads, const model::Step& step,
                                       const ModalBasis& basis, const ElementState& state,
                                       const std::vector<dynamics::DampedFrequency>& modes,
                                       const Computing& computing, Monitor& monitor) {
  const auto& procedure = std::get<model::ResponseSpectrumStep>(step.procedure);
  const Spectra spectra(*setup.model, procedure.directions);
  std::optional<MissingMass> missing;
  if (procedure.missing_mass) missing.emplace(setup, loads, step, basis, state, computing, monitor);
  double rigid_damping = 0;  // that of the highest mode, which is nearest to the rigid ones
  if (!modes.empty()) rigid_damping = modes.back().damping;
  std::vector<Excitation> all;
  for (std::size_t d = 0; d < procedure.directions.size(); ++d) {
    const Direction& direction = procedure.directions[d];
    if (all.empty() || procedure.directions_sum != model::DirectionSum::algebraic) {
      all.emplace_back();
      all.back().q.assign(modes.size(), 0.0);
    }
    Excitation& excitation = all.back();
    for (std::size_t j = 0; j < modes.size(); ++j) {
      double participation = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
        participation += direction.cosines[axis] * basis.modes[j].participation[axis];
      excitation.q[j] += direction.scale * participation * spectra.displacement(d, modes[j]);
    }
    if (missing)
      missing->add(direction.cosines, direction.scale * spectra.rigid_acceleration(d, rigid_damping),
                   excitation.residual, excitation.rigid);
  }
  return all;
}

}  // namespace

MotionReport solve_response_spectrum(const Setup& setup, const LoadState& loads, const model::Step& step,
                                     int number, double start_time, const ModalBasis& basis,
                                     const Computing& computing, const MotionSink& sink, Monitor& monitor) {
  const auto& procedure = std::get<model::ResponseSpectrumStep>(step.procedure);
  check_modal(setup, loads, step, &basis);
  require(!procedure.directions.empty() && procedure.directions.size() <= most_directions, [&] {
    return fmt::format("a response spectrum step has one to {} directions, not {}", most_directions,
                       procedure.directions.size());
  });
  refuse_what_is_not_linear(setup, step);
  const int threads = computing.cpu.threads();
  const ElementState state = modal_state(setup, basis);
  const ModalLoads given = modal_loads(setup, loads, step, basis, state, computing, monitor);
  if (!given.forces.empty() || !given.bases.empty()) {
    throw Error(Fault::input, "*RESPONSE SPECTRUM: loads and prescribed values have no part in it",
                "leave them out of the step; combine their results with its own afterwards",
                setup.model->source(procedure.line));
  }
  const std::vector<dynamics::DampedFrequency> modes = damped_frequencies(setup, step, basis);
  std::vector<Excitation> excitations =
      excitations_of(setup, loads, step, basis, state, modes, computing, monitor);

  const Stage stage = monitor.stage("envelope of modes");
  const Wanted wanted = wanted_results(step);
  const bool velocities = wanted.at_nodes.contains("V");
  std::vector<model::Frame> parts;
  const auto scaled = [](std::vector<double> u, double by) {
    for (double& value : u) value *= by;
    return u;
  };
  /// a: accelerations; empty: those of the mode
  const auto add_part = [&](const std::vector<double>& u, double w, const std::vector<double>& a) {
    model::Frame& part = parts.emplace_back();
    fill_motion_frame(setup, state, wanted, u, velocities ? scaled(u, w) : std::vector<double>(), threads,
                      part);
    if (wanted.at_nodes.contains("A")) {
      std::vector<double> values = a.empty() ? scaled(u, w * w) : a;
      values.resize(part.node_field("U")->values.size());
      part.node_fields.push_back({"A", 3, std::move(values)});
    }
    keep_linear_fields(wanted, part);
  };
  for (std::size_t j = 0; j < modes.size(); ++j) add_part(basis.shapes[j], modes[j].angular_frequency, {});
  for (const Excitation& excitation : excitations) {
    if (procedure.missing_mass) add_part(excitation.residual, 0, excitation.rigid);
  }

  const Envelope envelope(procedure, modes, std::move(excitations), threads);
  model::Frame frame;
  frame.step = number;
  frame.time = start_time + 1;
  const model::Frame& first = parts.front();
  frame.element_volume = first.element_volume;
  for (std::size_t f = 0; f < first.node_fields.size(); ++f) {
    frame.node_fields.push_back(
        {first.node_fields[f].name, first.node_fields[f].components,
         envelope(
             parts, [&](const model::Frame& part) -> const auto& { return part.node_fields[f].values; })});
  }
  for (std::size_t f = 0; f < first.local_node_fields.size(); ++f) {
    frame.local_node_fields.push_back({first.local_node_fields[f].name, first.local_node_fields[f].components,
                                       envelope(
                                           parts, [&](const model::Frame& part) -> const auto& {
                                             return part.local_node_fields[f].values;
                                           })});
  }
  for (std::size_t f = 0; f < first.point_fields.size(); ++f) {
    frame.point_fields.push_back(
        {first.point_fields[f].name, first.point_fields[f].components,
         envelope(
             parts, [&](const model::Frame& part) -> const auto& { return part.point_fields[f].values; })});
  }
  sink(frame);
  MotionReport report;
  report.increments = report.frames = 1;
  return report;
}

}  // namespace setka::analysis
