// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "report_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <variant>

#include <fmt/core.h>

#include "setka/deck/element_names.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

ordered_json table(const std::string& title, const std::vector<std::string>& columns) {
  return {{"title", title}, {"columns", columns}, {"rows", ordered_json::array()}};
}

void add_if_rows(ordered_json& tables, ordered_json one) {
  if (!one["rows"].empty()) tables.push_back(std::move(one));
}

/// As the command prints it: what rounding leaves of nothing is nothing.
double percent(double share) {
  return std::round(1000 * share) / 1000;
}

/// "210000, 0.3", and how many rows follow for other temperatures.
std::string constants(const model::Table& rows) {
  if (rows.empty()) return "";
  std::string text;
  for (const double value : rows.front().values)
    text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", value);
  if (rows.size() > 1)
    text += fmt::format(" (at {:.6g}; {} temperatures)", rows.front().temperature, rows.size());
  return text;
}

ordered_json element_table(const model::Model& model) {
  std::map<std::string, std::int64_t> counts;
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e)
    ++counts[std::string(deck::name(model.mesh, e))];
  ordered_json made = table("Elements", {"type", "elements"});
  for (const auto& [name, count] : counts) made["rows"].push_back({name, count});
  return made;
}

ordered_json material_table(const model::Model& model) {
  ordered_json made =
      table("Materials", {"material", "elastic", "density", "expansion", "conductivity", "specific heat"});
  for (const model::Material& one : model.materials) {
    const bool soft = one.elastic.empty() && !one.hyperelastic.empty();
    made["rows"].push_back({one.name,
                            soft ? constants(one.hyperelastic) + " (hyperelastic)" : constants(one.elastic),
                            constants(one.density), constants(one.expansion), constants(one.conductivity),
                            constants(one.specific_heat)});
  }
  made["note"] = "As the deck gives them, in its units.";
  return made;
}

std::string_view kind_of_load(model::DistributedKind kind) {
  switch (kind) {
    case model::DistributedKind::pressure:
      return "pressures";
    case model::DistributedKind::gravity:
      return "gravity";
    case model::DistributedKind::centrifugal:
      return "centrifugal forces";
    case model::DistributedKind::attraction:
      return "attraction of masses";
  }
  return "";
}

/// A row where there are any; least and largest of their values.
template <class Load>
void add_loads(ordered_json& rows, int step, const std::string& kind, const std::vector<Load>& loads) {
  if (loads.empty()) return;
  double low = loads.front().value;
  double high = low;
  for (const Load& load : loads) {
    low = std::min(low, load.value);
    high = std::max(high, load.value);
  }
  rows.push_back({step == 0 ? ordered_json("before them") : ordered_json(std::to_string(step)), kind,
                  loads.size(), low, high});
}

ordered_json load_table(const model::Model& model) {
  ordered_json made = table("Loads and supports", {"step", "kind", "number", "least", "largest"});
  ordered_json& rows = made["rows"];
  add_loads(rows, 0, "prescribed values", model.prescribed);
  add_loads(rows, 0, "initial temperatures", model.initial_temperatures);
  add_loads(rows, 0, "initial velocities", model.initial_velocities);
  int number = 0;
  for (const model::Step& step : model.steps) {
    ++number;
    add_loads(rows, number, "prescribed values", step.prescribed);
    for (int direction = 1; direction <= 6; ++direction) {
      std::vector<model::PointLoad> own;
      for (const model::PointLoad& load : step.point_loads) {
        if (load.direction == direction) own.push_back(load);
      }
      add_loads(rows, number,
                fmt::format("{} {}", direction > 3 ? "moments at nodes about" : "forces at nodes along",
                            "xyz"[(direction - 1) % 3]),
                own);
    }
    for (const model::DistributedKind kind :
         {model::DistributedKind::pressure, model::DistributedKind::gravity,
          model::DistributedKind::centrifugal, model::DistributedKind::attraction}) {
      std::vector<model::DistributedLoad> own;
      for (const model::DistributedLoad& load : step.distributed_loads) {
        if (load.kind == kind) own.push_back(load);
      }
      add_loads(rows, number, std::string(kind_of_load(kind)), own);
    }
    add_loads(rows, number, "temperatures", step.temperatures);
    add_loads(rows, number, "heat into nodes", step.point_fluxes);
    add_loads(rows, number, "heat into faces and bodies", step.distributed_fluxes);
    if (!step.films.empty())
      rows.push_back({std::to_string(number), "films", step.films.size(), nullptr, nullptr});
    if (!step.radiation.empty())
      rows.push_back({std::to_string(number), "radiating faces", step.radiation.size(), nullptr, nullptr});
    if (!step.base_motions.empty())
      rows.push_back(
          {std::to_string(number), "motions of the base", step.base_motions.size(), nullptr, nullptr});
  }
  made["note"] =
      "What each step of the deck changes; what earlier ones gave stays unless a step says otherwise.";
  return made;
}

ordered_json mode_table(const model::ModeTable& modes) {
  if (modes.of_temperature) {
    ordered_json made = table(fmt::format("Step {}: modes of temperatures", modes.step),
                              {"mode", "cycles/time", "rad/time", "residual"});
    for (const model::Mode& mode : modes.modes) {
      if (mode.in_range)
        made["rows"].push_back({mode.number, mode.frequency(), mode.angular_frequency(), mode.residual});
    }
    return made;
  }
  ordered_json made =
      table(fmt::format("Step {}: frequencies, and the share of the mass that takes part", modes.step),
            {"mode", "cycles/time", "rad/time", "x mass %", "y mass %", "z mass %", "x factor", "y factor",
             "z factor", "residual"});
  std::array<double, 3> sum{};
  for (const model::Mode& mode : modes.modes) {
    std::array<double, 3> share{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double total = modes.total_mass[i];
      share[i] = total > 0 ? 100 * mode.participation[i] * mode.participation[i] / total : 0;
      sum[i] += share[i];
    }
    if (!mode.in_range) continue;
    ordered_json row{mode.number,           mode.frequency(),      mode.angular_frequency(),
                     percent(share[0]),     percent(share[1]),     percent(share[2]),
                     mode.participation[0], mode.participation[1], mode.participation[2],
                     mode.residual};
    made["rows"].push_back(std::move(row));
  }
  made["note"] = fmt::format(
      "All that were computed: {:.3f}, {:.3f} and {:.3f} % of the mass along x, y and z. By {}{}.{}", sum[0],
      sum[1], sum[2], modes.method,
      modes.iterations > 0 ? fmt::format(" in {} iterations", modes.iterations) : "",
      modes.check.empty() ? "" : " Is one missing? " + modes.check + ".");
  return made;
}

ordered_json factor_table(const model::BucklingTable& factors) {
  ordered_json made =
      table(fmt::format("Step {}: factors of the loads at which the body buckles", factors.step),
            {"mode", "factor", "residual"});
  for (const model::BucklingMode& mode : factors.modes)
    made["rows"].push_back({mode.number, mode.factor, mode.residual});
  made["note"] = fmt::format(
      "By {}.{}", factors.method,
      factors.reversed ? fmt::format(" The loads the other way round: {:.7g}.", *factors.reversed) : "");
  return made;
}

ordered_json solver_table(const RunRecord& run) {
  ordered_json made = table("Solutions", {"step", "procedure", "by", "unknowns", "iterations", "residual",
                                          "converged", "preparation s", "solution s"});
  for (const analysis::StepSummary& step : run.steps) {
    const model::Step& own = run.deck.model.steps.at(static_cast<std::size_t>(step.step) - 1);
    const solve::SolveReport& solved = step.solved;
    const bool of_modes = step.modes || step.buckling;
    const std::string method = step.modes      ? step.modes->method
                               : step.buckling ? step.buckling->method
                                               : solved.method;
    const int iterations = step.modes      ? step.modes->iterations
                           : step.buckling ? step.buckling->iterations
                                           : solved.iterations;
    ordered_json row{std::to_string(step.step),
                     procedure_name(own),
                     method,
                     solved.unknowns > 0 ? ordered_json(solved.unknowns) : ordered_json(),
                     iterations > 0 ? ordered_json(iterations) : ordered_json(),
                     of_modes ? ordered_json() : ordered_json(solved.residual),
                     solved.converged ? "yes" : "no"};
    for (const double seconds : {solved.setup_seconds, solved.solve_seconds})
      row.push_back(seconds > 0 ? ordered_json(seconds) : ordered_json());
    made["rows"].push_back(std::move(row));
  }
  return made;
}

std::string state_name(const io::FrameSizes& frame) {
  if (frame.kind == io::ReportFrameKind::harmonic)
    return fmt::format("step {}, {:.6g} cycles/time", frame.step, frame.time);
  return fmt::format("step {}, time {:.6g}", frame.step, frame.time);
}

bool is_shape(const io::FrameSizes& frame) {
  return frame.kind == io::ReportFrameKind::mode || frame.kind == io::ReportFrameKind::buckling;
}

ordered_json largest_table(const io::ReportWriter& report) {
  ordered_json made =
      table("Largest values at nodes", {"state", "result", "largest", "node", "smallest", "node"});
  const mesh::Mesh& mesh = report.mesh();
  for (const io::FrameSizes& frame : report.sizes()) {
    if (is_shape(frame)) continue;
    for (const io::FrameSizes::Size& size : frame.sizes) {
      if (size.node < 0) continue;
      made["rows"].push_back({state_name(frame), name_of_field(size.name), size.largest,
                              std::to_string(mesh.node_label(size.node)), size.smallest,
                              std::to_string(mesh.node_label(size.lowest))});
    }
  }
  made["note"] =
      "Of vectors the length. Stresses at nodes are extrapolated from points of integration, and means of "
      "the elements there.";
  return made;
}

ordered_json reaction_table(const io::ReportWriter& report) {
  ordered_json made = table("Sum of the reaction forces", {"state", "x", "y", "z"});
  for (const io::FrameSizes& frame : report.sizes()) {
    if (is_shape(frame) || !frame.reactions) continue;
    const std::vector<double>& sum = *frame.reactions;
    made["rows"].push_back({state_name(frame), sum[0], sum[1], sum[2]});
  }
  made["note"] = "Over all degrees of freedom whose displacement the deck prescribes.";
  return made;
}

}  // namespace

std::string name_of_field(const std::string& name) {
  if (name == "U") return "displacement";
  if (name == "S_Mises") return "Mises stress";
  if (name == "NT") return "temperature";
  if (name == "RF") return "reaction force";
  if (name == "HFL") return "heat flux";
  if (name == "V") return "velocity";
  return name;
}

std::string procedure_name(const model::Step& step) {
  struct Name {
    std::string operator()(const model::StaticStep&) const { return "*STATIC"; }
    std::string operator()(const model::FrequencyStep&) const { return "*FREQUENCY"; }
    std::string operator()(const model::ModalDynamicStep&) const { return "*MODAL DYNAMIC"; }
    std::string operator()(const model::SteadyStateStep&) const { return "*STEADY STATE DYNAMICS"; }
    std::string operator()(const model::DynamicStep&) const { return "*DYNAMIC"; }
    std::string operator()(const model::ExplicitStep&) const { return "*DYNAMIC, EXPLICIT"; }
    std::string operator()(const model::ResponseSpectrumStep&) const { return "*RESPONSE SPECTRUM"; }
    std::string operator()(const model::SubstructureStep&) const { return "*SUBSTRUCTURE GENERATE"; }
    std::string operator()(const model::HeatStep& own) const {
      return own.displaces ? "*COUPLED TEMPERATURE-DISPLACEMENT" : "*HEAT TRANSFER";
    }
    std::string operator()(const model::BuckleStep&) const { return "*BUCKLE"; }
  };
  return std::visit(Name{}, step.procedure);
}

void add_model_tables(const RunRecord& run, ordered_json& tables) {
  add_if_rows(tables, element_table(run.deck.model));
  add_if_rows(tables, material_table(run.deck.model));
  add_if_rows(tables, load_table(run.deck.model));
}

void add_result_tables(const RunRecord& run, const io::ReportWriter& report, ordered_json& tables) {
  for (const analysis::StepSummary& step : run.steps) {
    if (step.modes) add_if_rows(tables, mode_table(*step.modes));
    if (step.buckling) add_if_rows(tables, factor_table(*step.buckling));
  }
  add_if_rows(tables, largest_table(report));
  add_if_rows(tables, reaction_table(report));
  add_if_rows(tables, solver_table(run));
}

}  // namespace setka::app
