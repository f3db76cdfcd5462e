// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "setka/analysis/check.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/bad_elements.hpp"

namespace setka::app {
namespace {

using analysis::DeckCheck;
using nlohmann::ordered_json;

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "-";
}

/// Width of the first column of a table of named things.
template <class Named>
std::size_t name_width(const std::vector<Named>& all, std::size_t least) {
  for (const Named& entry : all) least = std::max(least, entry.name.size());
  return least;
}

void print_mesh(const DeckCheck& check) {
  fmt::print("\nMesh\n  {:<12} {:>10}\n", "nodes", check.nodes);
  for (const analysis::ElementCount& entry : check.elements)
    fmt::print("  {:<12} {:>10}\n", deck::name(entry.type), entry.count);
  fmt::print("  {:<12} {:>10}\n", "parts", check.parts);
  fmt::print("  {:<12} {:>10}\n", "equations", check.equations);
  if (check.elements.empty()) return;
  fmt::print("  box         ");
  for (std::size_t k = 0; k < 3; ++k)
    fmt::print("{} {} from {:.6g} to {:.6g}", k == 0 ? "" : ",", "xyz"[k], check.least[k], check.most[k]);
  fmt::print("\n");
}

void print_sets(const DeckCheck& check) {
  if (check.sets.empty()) return;
  fmt::print("\nSets\n");
  const std::size_t width = name_width(check.sets, 8);
  for (const analysis::SetSummary& set : check.sets)
    fmt::print("  {:<{}}  {:>10}  {}\n", set.name, width, set.size, set.kind);
}

void print_materials(const DeckCheck& check) {
  if (check.materials.empty()) return;
  const std::size_t width = name_width(check.materials, 8);
  fmt::print("\nMaterials\n  {:<{}}  {:>10} {:>12} {:>12}  {}\n", "", width, "elements", "volume", "mass",
             "defined");
  for (const analysis::MaterialSummary& material : check.materials) {
    fmt::print("  {:<{}}  {:>10} {:>12.6g} {:>12}  {}\n", material.name, width, material.elements,
               material.volume, number(material.mass),
               material.defined.empty() ? "nothing" : join_words(material.defined));
  }
  fmt::print("  {:<{}}  {:>10} {:>12.6g} {:>12}\n", "in all", width, check.element_count(), check.volume,
             number(check.mass));
  if (check.center) {
    fmt::print("  centre of {}: {:.6g}, {:.6g}, {:.6g}\n", check.mass ? "mass" : "volume", (*check.center)[0],
               (*check.center)[1], (*check.center)[2]);
  }
}

void print_steps(const DeckCheck& check) {
  if (check.steps.empty()) return;
  fmt::print("\nSteps\n  {:>4}  {:<13} {:>10} {:>10} {:>12} {:>18} {:>13}\n", "step", "kind", "unknowns",
             "prescribed", "point loads", "distributed loads", "temperatures");
  for (const analysis::StepCheck& step : check.steps) {
    fmt::print("  {:>4}  {:<13} {:>10} {:>10} {:>12} {:>18} {:>13}\n", step.step, step.kind,
               step.unknowns ? std::to_string(*step.unknowns) : "-", step.prescribed, step.point_loads,
               step.distributed_loads, step.temperatures);
  }
}

void print_findings(const DeckCheck& check) {
  for (const std::string& warning : check.warnings) fmt::print("warning: {}\n", warning);
  for (const std::string& error : check.errors) fmt::print("error: {}\n", error);
  for (const deck::Unsupported& entry : check.unsupported) fmt::print("not supported: {}\n", entry.text());
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

ordered_json shapes_json(const DeckCheck& check, const mesh::Mesh& mesh) {
  ordered_json bad = ordered_json::array();
  for (const fem::RatedShape& entry : check.shapes.bad) {
    bad.push_back({{"element", mesh.element_label(entry.element)},
                   {"is", fem::in_words(entry.shape.fault)},
                   {"least_jacobian", entry.shape.least_jacobian}});
  }
  ordered_json poor = ordered_json::array();
  for (const analysis::PoorElements& measure : check.shapes.poor) {
    ordered_json worst = ordered_json::array();
    for (const analysis::RatedElement& entry : measure.worst)
      worst.push_back({{"element", mesh.element_label(entry.element)}, {"value", entry.value}});
    poor.push_back({{"measure", measure.measure},
                    {measure.above ? "above" : "below", measure.limit},
                    {"count", measure.count},
                    {"worst", worst}});
  }
  return {{"bad", bad}, {"poor", poor}};
}

ordered_json optional_json(const auto& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json to_json(const DeckCheck& check, const mesh::Mesh& mesh) {
  ordered_json json{{"could_run", check.could_run()},
                    {"nodes", check.nodes},
                    {"unused_nodes", check.unused_nodes},
                    {"elements", ordered_json::object()},
                    {"parts", check.parts},
                    {"equations", check.equations},
                    {"box", {{"least", check.least}, {"most", check.most}}},
                    {"sets", ordered_json::array()},
                    {"materials", ordered_json::array()},
                    {"volume", check.volume},
                    {"mass", optional_json(check.mass)},
                    {"center", optional_json(check.center)},
                    {"shapes", shapes_json(check, mesh)},
                    {"steps", ordered_json::array()},
                    {"unsupported", ordered_json::array()},
                    {"errors", check.errors},
                    {"warnings", check.warnings}};
  for (const analysis::ElementCount& entry : check.elements)
    json["elements"][std::string(deck::name(entry.type))] = entry.count;
  for (const analysis::SetSummary& set : check.sets)
    json["sets"].push_back({{"name", set.name}, {"kind", set.kind}, {"size", set.size}});
  for (const analysis::MaterialSummary& material : check.materials) {
    json["materials"].push_back({{"name", material.name},
                                 {"defined", material.defined},
                                 {"elements", material.elements},
                                 {"volume", material.volume},
                                 {"mass", optional_json(material.mass)}});
  }
  for (const analysis::StepCheck& step : check.steps) {
    json["steps"].push_back({{"step", step.step},
                             {"kind", step.kind},
                             {"unknowns", optional_json(step.unknowns)},
                             {"prescribed", step.prescribed},
                             {"point_loads", step.point_loads},
                             {"distributed_loads", step.distributed_loads},
                             {"temperatures", step.temperatures},
                             {"free_motions", step.free_motions}});
  }
  for (const deck::Unsupported& entry : check.unsupported)
    json["unsupported"].push_back(
        {{"file", entry.line.file}, {"line", entry.line.line}, {"what", entry.what}, {"lines", entry.lines}});
  return json;
}

}  // namespace

cli::App* add_check_command(cli::App& cli, CheckOptions& options) {
  cli::App* command = cli.add_subcommand("check", "Tell what a deck holds and what would stop a run of it");
  command->add_option("deck", options.deck, "The deck, with or without .inp")->required()->type_name("DECK");
  command
      ->add_option("-o,--output", options.output,
                   "Where to write elements of bad shape, if there are any [default: DECK-bad-elements.vtu]")
      ->type_name("FILE");
  command->footer("\nSolves nothing. Exit code 0: the deck could run; 1: it has errors.");
  return command;
}

int check_deck(const CheckOptions& options, const CommonOptions& common, Monitor& monitor) {
  const std::filesystem::path path = deck_path(options.deck);
  const std::filesystem::path output =
      options.output.empty() ? io::bad_elements_path(path) : std::filesystem::path(options.output);
  deck::Deck deck;
  {
    const Stage stage = monitor.stage("read");
    deck = deck::read_inp(path, monitor, deck::Completeness::unchecked);
  }
  claim_outputs(io::InputFiles(deck.model.files), {{output, {}}});
  const DeckCheck check = analysis::check_deck(deck, monitor);
  std::string written;
  if (!check.shapes.bad.empty()) {
    written = output.string();
    io::write_bad_elements(output, deck.model.mesh, check.shapes.bad);
  }
  if (common.json) {
    ordered_json json = to_json(check, deck.model.mesh);
    json["files"] = written.empty() ? ordered_json::array() : ordered_json{written};
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else {
    if (!common.quiet) {
      fmt::print("setka {}: {}\n", version, path.string());
      print_mesh(check);
      print_sets(check);
      print_materials(check);
      print_steps(check);
      fmt::print("\n");
    }
    print_findings(check);
    if (!written.empty()) fmt::print("written: {} shows the elements of bad shape\n", written);
    if (!common.quiet) {
      fmt::print("{}: {}, {}\n", check.could_run() ? "the deck could run" : "the deck would not run",
                 counted(check.errors.size() + check.unsupported.size(), "error"),
                 counted(check.warnings.size(), "warning"));
    }
  }
  return static_cast<int>(check.could_run() ? ExitCode::done : ExitCode::input);
}

}  // namespace setka::app
