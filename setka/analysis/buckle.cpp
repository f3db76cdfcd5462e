// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/buckle.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/modal_system.hpp"
#include "setka/analysis/mode_shapes.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/solve_system.hpp"
#include "setka/analysis/static.hpp"
#include "setka/analysis/stress_stiffness.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/modes/buckling.hpp"
#include "setka/modes/find.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/operators.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::analysis {
namespace {

constexpr double step_length = 1;  // at whose end amplitudes are taken

/// The state under the loads of the step.
struct Reference {
  std::vector<double> displacements;  // [3 solid nodes]
  std::vector<double> stresses;       // [points, 6]
  std::vector<double> strain_forces;  // [3 solid nodes] of thermal strains
  solve::SolveReport report;
};

/// All that frames of displacements u have.
void fill_frame(const Setup& setup, const ElementState& state, const std::vector<double>& u,
                const Wanted& wanted, int threads, model::Frame& frame, fem::Recovery* on_device) {
  recover(setup, state, u, wanted, threads, frame, on_device);
  if (!wanted.at_nodes.contains("RF")) return;
  frame.node_fields.push_back({"RF", 3, std::move(forces_of_shapes(setup, state, {u}, threads).front())});
}

/// About a preload the host assembles; else whatever *STATIC does.
Stiffness stiffness_about(const Setup& setup, const ElementState& state, const fem::Constraints& constraints,
                          const Preload* preload, const Computing& computing, Monitor& monitor) {
  if (preload == nullptr) return make_stiffness(setup, state, constraints, computing, monitor);
  Stiffness made{fem::Space(setup.solids.region(), 3, constraints)};
  fem::System system =
      fem::assemble(made.space, modal_stiffness(setup, state, preload), computing.cpu, monitor);
  made.matrix.emplace(std::move(system.matrix));
  made.from_shifts = std::move(system.from_shifts);
  return made;
}

/// Multigrid as a solver owns it, of which the search for factors has a share.
class SharedMultigrid final : public solve::Operator {
 public:
  explicit SharedMultigrid(std::shared_ptr<solve::Amg> multigrid) : multigrid_(std::move(multigrid)) {}
  const exec::Device& device() const override { return multigrid_->device(); }
  std::int64_t rows() const override { return multigrid_->rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    multigrid_->apply(stream, x, y);
  }
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    multigrid_->apply(stream, x, y);
  }

 private:
  std::shared_ptr<solve::Amg> multigrid_;
};

/// Where conjugate gradients with multigrid solve for the loads of the step, they make the multigrid that the
/// search takes too, `made`.
solve::SolverChoice sharing_multigrid(solve::SolverChoice solver, std::int64_t unknowns,
                                      std::shared_ptr<solve::Amg>& made) {
  const solve::MatrixKind matrix = solve::kind_for(solver.method);
  if (matrix != solve::MatrixKind::positive_definite || solver.given != nullptr ||
      solve::factorises(solver, unknowns))
    return solver;
  solve::PreconditionerKind kind = solve::preconditioner_of(solver, matrix);
  if (kind.word != "amg") return solver;
  kind.make = [&made](const solve::PreconditionerInput& input, Monitor& monitor) {
    made = modes::buckling_multigrid(*input.matrix, input.geometry(), monitor);
    return std::make_unique<SharedMultigrid>(made);
  };
  solver.use(std::move(kind));
  return solver;
}

[[noreturn]] void refuse_buckle(const Setup& setup, model::Line line, const std::string& what,
                                const std::string& remedy) {
  throw Error(Fault::input, what, remedy, setup.model->source(line));
}

[[noreturn]] void refuse_preload(const Setup& setup, const model::BuckleStep& procedure) {
  refuse_buckle(setup, procedure.line, "*BUCKLE: the body has buckled under the preload already",
                "make the loads of the *STATIC step smaller");
}

modes::Request requested_factors(const model::BuckleStep& procedure, const Computing& computing) {
  modes::Request request;
  request.count = procedure.factors;
  request.tolerance = computing.mode_tolerance.value_or(0);  // what suits the method
  request.max_iterations = computing.mode_iterations.value_or(procedure.most_iterations);
  return request;
}

model::BucklingTable table_of(const modes::BucklingModes& found, int number) {
  model::BucklingTable table;
  table.step = number;
  table.method = found.method;
  table.iterations = found.iterations;
  table.check = found.check_text;
  table.converged = found.converged;
  table.trouble = found.trouble;
  table.reversed = found.reversed;
  for (std::size_t j = 0; j < found.factor.size(); ++j)
    table.modes.push_back({static_cast<int>(j) + 1, found.factor[j], found.residual[j]});
  return table;
}

/// What was found is of no use.
void refuse_without_factors(const Setup& setup, const model::BuckleStep& procedure, bool preloaded,
                            const modes::BucklingModes& found) {
  if (found.indefinite) {
    if (preloaded) refuse_preload(setup, procedure);
    refuse_buckle(setup, procedure.line,
                  "*BUCKLE: the stiffness is singular: a part of the model is not held",
                  "look for parts that hang together by nothing, or by a hinge");
  }
  if (!found.factor.empty()) return;
  const std::string other = found.reversed ? fmt::format(
                                                 "; the other way round they would, at a factor of {:.6g}, "
                                                 "and so at none below a thousand times that",
                                                 -*found.reversed)
                                           : std::string();
  refuse_buckle(setup, procedure.line,
                fmt::format("*BUCKLE: the loads make the body buckle at no positive factor{}", other),
                "turn the loads round, or look for supports that carry all of them");
}

void make_largest_positive(std::vector<double>& shape) {
  const auto largest = std::ranges::max_element(shape, {}, [](double value) { return std::abs(value); });
  if (largest == shape.end() || *largest >= 0) return;
  for (double& value : shape) value = value == 0 ? 0.0 : -value;
}

}  // namespace

void check_buckle(const Setup& setup, const LoadState& loads, const model::Step& step,
                  const fem::Constraints& of_users) {
  const auto& procedure = std::get<model::BuckleStep>(step.procedure);
  const bool pushed = std::ranges::any_of(loads.prescribed(), [](const model::PrescribedValue& value) {
    return value.direction <= 3 && value.value != 0;
  });
  if (loads.point_loads().empty() && loads.distributed_loads().empty() && !pushed &&
      !has_thermal_strains(setup, loads))
    refuse_buckle(setup, procedure.line, "*BUCKLE: the step has no loads, whose factors are asked for",
                  "give *CLOAD, *DLOAD or *DSLOAD within it, or *TEMPERATURE of materials with *EXPANSION; "
                  "those of earlier steps have ended");
  if (!loads.temperatures().empty() && step.perturbation)
    refuse_buckle(setup, procedure.line,
                  "*TEMPERATURE in a *BUCKLE step about a preload, which has temperatures of its own",
                  "give it in the *STATIC step before, or leave out PERTURBATION");
  if (!setup.model->initial_stresses.empty() || !setup.model->initial_strains.empty())
    refuse_buckle(setup, procedure.line, "*BUCKLE beside initial stresses or strains is not computed",
                  "take *INITIAL CONDITIONS out, or make a *STATIC step with them the preload");
  if (procedure.factors > of_users.unknown_count())
    refuse_buckle(
        setup, procedure.line,
        fmt::format("*BUCKLE asks for {} factors, but the model has {} unknown{}", procedure.factors,
                    of_users.unknown_count(), of_users.unknown_count() == 1 ? "" : "s"),
        "ask for fewer");
  for (const FreeMotion& motion : free_motions(setup, of_users)) {
    if (motion.certain)
      refuse_buckle(setup, procedure.line, fmt::format("*BUCKLE: {}", motion.text),
                    "add *BOUNDARY that holds it");
  }
}

model::BucklingTable solve_buckle(const Setup& setup, const LoadState& loads, const model::Step& step,
                                  int number, double time, const Preload* preload, const Computing& computing,
                                  const BuckleSink& sink, Monitor& monitor) {
  const auto& procedure = std::get<model::BuckleStep>(step.procedure);
  const int threads = computing.cpu.threads();
  Computing own = computing;  // both matrices are assembled, whatever other steps do
  own.operator_kind = OperatorKind::assembled;
  own.substructures.reset();
  std::vector<double> temperature;  // empty: the initial one
  if (preload != nullptr)
    temperature = preload->temperature;
  else if (!loads.temperatures().empty())
    temperature = temperatures_at(setup, loads, step_length, time + step_length);
  ElementState state(setup, temperature);
  // Thermal strains of the step are loads of it; those of a preload are none.
  const bool heated = preload == nullptr && !temperature.empty();
  if (!heated) state.leave_out_free_strains();
  if (preload != nullptr) state.set_preload(preload->displacements);

  std::optional<Stage> stage(monitor.stage("constraints"));
  const fem::Constraints of_users = user_constraints(setup, loads, step_length, time + step_length);
  std::optional<fem::Constraints> of_solids;
  if (!setup.solids.rows.empty()) of_solids = of_users.compose(setup.solids.rows);
  const fem::Constraints& constraints = of_solids ? *of_solids : of_users;
  check_buckle(setup, loads, step, of_users);
  stage.reset();

  Stiffness stiffness = stiffness_about(setup, state, constraints, preload, own, monitor);
  const Wanted wanted = wanted_results(step);
  const modes::Choice choice = modal_choice(own);
  const modes::Request request = requested_factors(procedure, own);
  std::shared_ptr<solve::Amg> multigrid;
  if (!own.team &&
      modes::chosen_method(choice, constraints.unknown_count(), request, own.device) == modes::Method::lobpcg)
    own.solver = sharing_multigrid(own.solver, constraints.unknown_count(), multigrid);
  Reference reference;
  {
    const Stage of_loads = monitor.stage("loads of the step");
    const Forces of_step = forces_at(setup, loads, state, step_length, time + step_length);
    std::vector<double> forces = of_step.applied;
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += of_step.strains[i];
    reference.strain_forces = of_step.strains;
    try {
      const solve::SolveResult solved =
          solve_system(setup, constraints, of_users, stiffness, forces, own, monitor);
      reference.report = solved.report;
      reference.displacements = stiffness.space.expand(solved.x, own.cpu);
    } catch (const Error& error) {  // a K that is not definite looks singular to it
      if (preload == nullptr || error.fault() != Fault::input) throw;
      refuse_preload(setup, procedure);
    }
  }
  // What solve_system() finds free it holds by springs, which are no part of K.
  if (!stiffness.free->groups().empty())
    refuse_buckle(
        setup, procedure.line, fmt::format("*BUCKLE: {}", stiffness.free->groups().front().name),
        "add *BOUNDARY that holds it; a row of C3D20R, one across, has such motions by its integration: "
        "take two across, or C3D20");
  model::BucklingTable table;
  table.step = number;
  if (!reference.report.converged) {
    table.method = reference.report.method;
    table.converged = false;
    table.trouble = reference.report.trouble;
    return table;
  }
  {
    const Stage of_stresses = monitor.stage("stresses");
    Wanted with_stresses = wanted;
    with_stresses.at_points.insert("S");
    model::Frame frame;
    frame.step = number;
    frame.time = time;
    recover(setup, state, reference.displacements, with_stresses, threads, frame, nullptr);
    if (wanted.at_nodes.contains("RF")) {
      const std::vector<double> external =
          external_forces(setup, state, reference.displacements, reference.strain_forces, threads);
      frame.node_fields.push_back({"RF", 3, forces_on_mesh(setup, external)});
    }
    if (heated) {
      std::vector<double> at_nodes = on_solid_nodes(setup.solids, temperature);
      at_nodes.resize(setup.result_nodes());
      frame.node_fields.push_back({"NT", 1, std::move(at_nodes)});
    }
    reference.stresses = solid_point_values(setup, 6, frame.point_field("S")->values);
    sink.frame(frame);
  }
  state.leave_out_free_strains();  // shapes are small motions
  if (std::ranges::all_of(reference.stresses, [](double value) { return value == 0; }))
    refuse_buckle(setup, procedure.line, "*BUCKLE: the loads of the step make no stresses",
                  "look at their sizes and directions, and whether they act on what is held");

  const sparse::BlockCsr<double> of_stresses =
      stress_stiffness(setup, state, stiffness.space, reference.displacements, reference.stresses,
                       stiffness.matrix->device(), own.cpu, monitor);
  const modes::BucklingSystem system{*stiffness.matrix, of_stresses, stiffness.space.places(),
                                     [&] { return stiffness.space.amg_geometry(own.cpu); },
                                     std::move(multigrid)};
  const modes::BucklingModes found =
      modes::find_buckling(own.device, own.cpu, system, request, choice, monitor, own.shortage);
  refuse_without_factors(setup, procedure, preload != nullptr, found);
  table = table_of(found, number);
  sink.table(table);

  stage.emplace(monitor.stage("shapes"));
  std::vector<std::vector<double>> shapes =
      expanded_shapes(constraints, found.shape, found.factor.size(), threads);
  std::unique_ptr<fem::Recovery> on_device;
  if (own.device.is_cuda()) on_device = recovery_on(own.device, setup, state, wanted);
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    make_largest_positive(shapes[j]);
    model::Frame frame;
    frame.step = number;
    frame.time = time;
    frame.buckling = table.modes[j];
    fill_frame(setup, state, shapes[j], wanted, threads, frame, on_device.get());
    sink.frame(frame);
  }
  return table;
}

}  // namespace setka::analysis
