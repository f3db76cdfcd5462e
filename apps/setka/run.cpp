// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "cli.hpp"
#include "deck_plan.hpp"
#include "earlier_results.hpp"
#include "json.hpp"
#include "keeper.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "run_options.hpp"
#include "run_summary.hpp"
#include "setka/analysis/element_export.hpp"
#include "setka/analysis/job.hpp"
#include "setka/analysis/shapes.hpp"
#include "setka/analysis/shown_solids.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/bad_elements.hpp"
#include "setka/io/commit_together.hpp"
#include "setka/io/dat_writer.hpp"
#include "setka/io/frd_writer.hpp"
#include "setka/io/report_writer.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/io/sta_writer.hpp"
#include "setka/io/superelement.hpp"
#include "setka/io/vtu_pieces.hpp"
#include "setka/io/vtu_writer.hpp"
#include "setka/model/attributes.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;
using Writers = Keeper::Writers;

/// All that the options ask for. page: of reports.
Writers make_writers(const RunOptions& options, const std::filesystem::path& deck,
                     const std::filesystem::path& page, const model::Model& model,
                     const analysis::Setup& setup) {
  std::filesystem::path stem = deck;
  stem.replace_extension();
  const auto named = [&](const char* ending) {
    std::filesystem::path path = stem;
    path += ending;
    return path;
  };
  const std::shared_ptr<const model::ShownSolids> shown = analysis::shown_solids(setup);
  std::vector<std::function<std::unique_ptr<io::ResultWriter>()>> makers;
  // Of several processes all write .vtu, a piece each, and the first one what is one file.
  if (!speaks_not() && !options.report_alone) {
    makers.emplace_back(
        [&] { return std::make_unique<io::DatWriter>(named(".dat"), model, setup.result_points()); });
    makers.emplace_back(
        [&] { return std::make_unique<io::FrdWriter>(named(".frd"), model, io::FrdOptions{}, shown); });
  }
  if (!options.calculix && !options.report_alone && !model.steps.empty()) {
    makers.emplace_back([&] {
      return std::make_unique<io::VtuWriter>(stem, model, ranks() == nullptr ? nullptr : ranks()->transport(),
                                             shown);
    });
  }
  if (options.report && !speaks_not()) {
    makers.emplace_back([&] {
      return std::make_unique<io::ReportWriter>(report_path(options, deck), page, model, shown,
                                                io::ReportOptions{options.report_triangles});
    });
  }
  Writers writers(makers.size());
  // At the same time: files are written at the rate at which one thread of the system takes bytes.
  all_meanwhile(model.mesh.node_count(), writers.size(), [&](std::size_t i) { writers[i] = makers[i](); });
  return writers;
}

/// In the words of CalculiX, which programs look for to show the elements.
void name_element(const model::Model& model, std::int32_t element, const char* what, const char* which) {
  fmt::print(" *ERROR in {}\n        {} {:>12}\n\n", what, which, model.mesh.element_label(element));
}

void refuse_incomplete(const deck::Deck& deck, bool calculix) {
  const std::vector<Error> missing = deck::missing_from(deck);
  if (missing.empty()) return;
  if (calculix) {
    for (const std::int32_t element : model::elements_without_section(deck.model))
      name_element(deck.model, element, "calinput: no material was assigned", "to element");
  }
  throw Error(missing.front());
}

/// Relative to the deck, as its results are.
std::filesystem::path superelement_path(const std::filesystem::path& deck,
                                        const model::SubstructureStep& procedure) {
  std::filesystem::path path = deck;
  path.replace_extension();
  if (!procedure.file.empty()) path = deck.parent_path() / procedure.file;
  return path += ".mtx";
}

/// All that a run may write beside the deck.
std::vector<io::OutputName> outputs_of(const RunOptions& options, const std::filesystem::path& deck,
                                       const model::Model& model) {
  std::vector<std::string> endings{"-bad-elements.vtu"};
  const auto add = [&](std::initializer_list<const char*> more) {
    endings.insert(endings.end(), more.begin(), more.end());
  };
  if (!options.report_alone) {
    add({".dat", ".frd"});
    options.calculix ? add({".sta", ".cvg"}) : add({".vtu", ".pvtu", ".pvd"});
  }
  if (ranks() != nullptr) add({shared_ending});
  if (options.write_elements) add({".stiffness.elements", ".mass.elements"});
  if (!options.report_alone && !analysis::history_columns(model).empty()) {
    add({".checkpoint"});
    if (!options.calculix) add({".csv"});
  }
  std::filesystem::path stem = deck;
  stem.replace_extension();
  std::vector<io::OutputName> outputs;
  outputs.reserve(endings.size() + 3);
  for (const std::string& ending : endings) outputs.push_back({stem.string() + ending, {}});
  if (options.report) outputs.push_back({report_path(options, deck).string(), {}});
  if (options.report_alone) return outputs;
  if (!options.calculix) {
    for (const char* const ending : {".vtu", ".pvtu"}) outputs.push_back({stem.string() + ".", ending});
    outputs.push_back({io::PiecesFolder(stem).path() / "", ".vtu"});
  }
  for (const model::Step& step : model.steps) {
    if (const auto* procedure = std::get_if<model::SubstructureStep>(&step.procedure))
      outputs.push_back({superelement_path(deck, *procedure).string(), {}});
  }
  return outputs;
}

/// Elements that stop the run are written to a file of their own, to be looked at.
analysis::Setup prepare(const model::Model& model, const std::filesystem::path& deck, bool calculix,
                        Monitor& monitor) {
  try {
    analysis::Setup setup = analysis::prepare(model, monitor);
    setup.as_calculix = calculix;
    return setup;
  } catch (const analysis::BadElements& bad) {
    for (const fem::RatedShape& shape : bad.elements()) {
      if (!calculix) break;
      name_element(model, shape.element, "e_c3d: nonpositive jacobian", "determinant in element");
    }
    const std::filesystem::path file = io::bad_elements_path(deck);
    try {
      io::write_bad_elements(file, model.mesh, bad.elements());
    } catch (const Error& error) {
      log::warning("{}", error.what());  // what is wrong with the deck matters more
      throw analysis::BadElements(bad);
    }
    throw Error(bad.fault(), bad.message(),
                fmt::format("{}; {} shows {}", bad.remedy(), file.string(),
                            bad.elements().size() == 1 ? "it" : "them"));
  }
}

void refuse_report_that_goes_on(const RunOptions& options) {
  if (options.report && options.go_on)
    throw Error(Fault::usage, "--report is of a whole run, and --continue goes on with one",
                "leave one of them out");
}

/// Counts what the deck will take; a way that does not fit is not begun, and what is left to choose is
/// chosen.
std::optional<DeckPlan> plan_run(const analysis::Setup& setup, const DeviceOptions& device,
                                 analysis::Computing& computing, Monitor& monitor) {
  if (!is_planned(computing)) return std::nullopt;
  const Stage stage = monitor.stage("plan");
  std::string why;
  std::optional<plan::DeviceProfile> profile = deck_profile(computing.device, why);
  std::optional<DeckPlan> made;
  try {
    // The limit is of what is taken beside the deck.
    const bool beside = device.memory > 0 && !computing.device.is_cuda();
    made = plan_deck(setup, computing, std::move(profile), device.memory + (beside ? resident_bytes() : 0));
  } catch (const Error& error) {  // the run will say so where it comes to it
    if (error.fault() != Fault::input) throw;
    log::debug("plan: {}", error.message());
    return std::nullopt;
  }
  if (made->why_no_profile.empty()) made->why_no_profile = why;
  const bool modes_alone = std::ranges::all_of(
      made->counts.steps, [](const plan::StepCounts& step) { return step.kind == plan::StepKind::modes; });
  refuse_what_does_not_fit(*made, modes_alone && computing.shortage == modes::Shortage::use_cpu);
  take_way(*made, computing);
  if (made->decision) log::debug("plan: {}", made->decision->why);
  return made;
}

int solve_deck(const std::filesystem::path& path, const RunOptions& options, const CommonOptions& common,
               const DeviceOptions& device, Monitor& monitor) {
  refuse_report_that_goes_on(options);
  const std::filesystem::path page = options.report ? report_page() : std::filesystem::path();
  std::future<std::vector<exec::Device>> starting = device.start();
  analysis::Computing computing = computing_of(options, device);
  const bool talk = !common.quiet && !common.json;
  if (talk) fmt::print("setka {}: {}\n", version, path.string());

  deck::Deck deck;
  {
    const Stage stage = monitor.stage("read");
    deck = deck::read_inp(path, monitor, deck::Completeness::unchecked,
                          ranks() == nullptr ? nullptr : ranks()->transport().get());
  }
  {
    const Stage stage = monitor.stage("start the device");
    take_devices(starting.get(), device, computing);
  }
  std::optional<Stage> checking(monitor.stage("check the deck"));
  const std::vector<io::OutputName> outputs = outputs_of(options, path, deck.model);
  io::InputFiles(deck.model.files)
      .refuse_as_outputs(outputs, "rename the file that the deck reads, or the deck");
  for (const std::string& warning : deck.warnings) log::warning("{}", warning);
  deck::refuse_unsupported(deck);
  refuse_incomplete(deck, options.calculix);
  refuse_options_of_other_steps(options, deck.model);
  if (computing.ranks != nullptr) {
    require_steps_of_processes(deck.model, computing, options.write_elements);
    if (!deck.model.steps.empty()) require_shared_folder(path);
  } else if (computing.team) {
    require_steps_of_teams(deck.model, computing);
  }
  checking.reset();
  const model::Model& model = deck.model;
  const std::string devices = devices_in_words(
      computing.team ? computing.team->devices() : std::vector{computing.device}, computing.cpu.threads());
  const analysis::Setup setup = prepare(model, path, options.calculix, monitor);
  if (talk) {
    const auto ending = [](auto count) { return count == 1 ? "" : "s"; };
    fmt::print("{} nodes, {} element{}, {} step{}; on {}\n", model.mesh.node_count(),
               model.mesh.element_count(), ending(model.mesh.element_count()), model.steps.size(),
               ending(model.steps.size()), devices);
  }
  std::vector<std::filesystem::path> files;
  if (options.write_elements) {
    std::filesystem::path stem = path;
    files = analysis::write_element_matrices(setup, stem.replace_extension(), computing.cpu, monitor);
  }
  const std::optional<DeckPlan> planned = plan_run(setup, device, computing, monitor);
  if (!options.go_on && !speaks_not()) io::remove_dead_parts(outputs);  // else some of them are still needed
  Writers writers = [&] {
    const Stage stage = monitor.stage("write the mesh");
    return make_writers(options, path, page, model, setup);
  }();
  std::filesystem::path stem = path;
  Keeper keeper(stem.replace_extension(), model, writers, options.go_on, !options.calculix,
                !speaks_not() && !options.report_alone);
  analysis::StepServices services = keeper.services(
      options.checkpoint_every,
      fmt::format("go on with: setka {} {} --continue", options.calculix ? "ccx" : "run", options.deck));
  std::optional<ReportMaker> report;
  if (options.report && !speaks_not()) report.emplace(path, deck, writers, monitor, services);
  if (options.report_alone) services.save = nullptr;
  std::optional<io::StaWriter> increments;
  if (options.calculix) {
    increments.emplace(stem);
    services.increment = [&](const model::Increment& increment) { increments->write(increment); };
  }
  services.superelement = [&](const model::SubstructureStep& procedure,
                              const io::SuperelementMatrix& matrix) {
    if (options.report_alone) return;
    files.push_back(superelement_path(path, procedure));
    io::write_superelement(files.back(), matrix);
  };
  services.factors = [&](const model::BucklingTable& table) {
    for (const auto& writer : writers) writer->write_factors(table);
  };
  const auto summaries = analysis::run_steps(
      setup, computing,
      [&](const model::Step& step, const model::Frame& frame) {
        fail_together_in([&] {
          all_meanwhile(model.mesh.node_count(), writers.size(),
                        [&](std::size_t i) { writers[i]->write(step, frame); });
        });
        for (const auto& writer : writers) writer->meet();
      },
      monitor,
      [&](const model::ModeTable& table) {
        for (const auto& writer : writers) writer->write_modes(table);
      },
      services);
  const std::string memory = most_memory_in_words();
  if (report) report->tell(summaries, devices, memory, planned ? &*planned : nullptr);
  std::optional<Stage> completing(monitor.stage("complete the files"));
  io::CommitTogether together;
  for (const auto& writer : writers) {
    writer->finish();
    for (const auto& file : writer->files()) files.push_back(file);
  }
  together.finish();
  if (increments) {
    for (const auto& file : increments->files()) files.push_back(file);
  }
  keeper.finish(files);
  completing.reset();
  if (talk && deck.mesh_alone) fmt::print("*NO ANALYSIS: the mesh alone was asked for\n");
  if (!speaks_not()) io::remove_dead_parts(outputs);
  if (!common.json) {
    print_summary(summaries, files, monitor.times().seconds);
    if (const std::string words = planned ? prediction_in_words(*planned) : "";
        talk && !options.calculix && !words.empty())
      fmt::print("{}\n", words);
  }
  if (common.json) {
    ordered_json json = summary_json(summaries, files);
    if (planned) json["prediction"] = prediction_json(*planned, monitor.times());
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  }
  if (!summaries.empty() && !summaries.back().solved.converged) {
    const auto& last = summaries.back();
    if (last.motion) {
      log::error("step {} has stopped: {}", last.step, last.motion->trouble);
      return static_cast<int>(ExitCode::not_converged);
    }
    log::error("step {} has not converged: {}; residual {:.1e} after {} iterations", last.step,
               last.solved.trouble, last.solved.residual, last.solved.iterations);
    return static_cast<int>(ExitCode::not_converged);
  }
  return static_cast<int>(ExitCode::done);
}

/// What CalculiX does at its start: a program that looks for results finds those of this run or none.
void clear_place(const EarlierResults& earlier, const std::filesystem::path& deck,
                 const std::filesystem::path& stem) {
  earlier.remove(io::InputFiles(deck::files_of_deck(deck)));
  std::filesystem::path dat = stem;
  dat += ".dat";
  if (std::filesystem::exists(deck) && !std::filesystem::exists(dat)) std::ofstream(dat, std::ios::app);
}

}  // namespace

void add_run_options(cli::App& command, RunOptions& options) {
  add_solver_options(command, options.solver);
  add_operator_option(command, options.operator_kind);
  add_modes_option(command, options.modes);
  command.add_option("--precision", options.precision, "Of *DYNAMIC, EXPLICIT: double or single")
      ->type_name("WORD")
      ->offers({"double", "single"})
      ->capture_default_str();
  command
      .add_option("--balance", options.balance,
                  "Of *DYNAMIC, EXPLICIT on several devices: given (the shares they begin with) or measured "
                  "(elements move to devices that are faster)")
      ->type_name("WORD")
      ->offers({"given", "measured"})
      ->capture_default_str();
  command.add_flag("--continue", options.go_on,
                   "Go on from the checkpoint of an interrupted *DYNAMIC, EXPLICIT");
  command
      .add_option("--checkpoint-every", options.checkpoint_every,
                  "Also write a checkpoint every so many seconds of *DYNAMIC, EXPLICIT")
      ->type_name("SECONDS");
}

std::filesystem::path report_path(const RunOptions& options, const std::filesystem::path& deck) {
  if (!options.report_file.empty()) return options.report_file;
  std::filesystem::path path = deck;
  return path.replace_extension(".html");
}

int run_deck(const RunOptions& options, const CommonOptions& common, const DeviceOptions& device,
             Monitor& monitor) {
  const std::filesystem::path path = deck_path(options.deck, options.calculix);
  std::filesystem::path stem = path;
  stem.replace_extension();
  if (options.calculix) {
    clear_place(EarlierResults(stem, {".dat", ".frd", ".sta", ".cvg"}), path, stem);
    return solve_deck(path, options, common, device, monitor);
  }
  const std::filesystem::path report = report_path(options, path);
  std::vector<std::string> endings{".dat", ".frd", ".vtu", ".pvtu", ".pvd"};
  if (options.report) endings.emplace_back(".html");
  const EarlierResults earlier = options.report_alone ? EarlierResults(report.parent_path() / report.stem(),
                                                                       {report.extension().string()})
                                                      : EarlierResults(stem, endings);
  try {
    return solve_deck(path, options, common, device, monitor);
  } catch (...) {
    std::vector<std::string> names;
    for (const auto& file : earlier.unchanged()) names.push_back(file.string());
    if (!names.empty())
      log::warning("no results of this run; {} {} of an earlier one", join_words(names),
                   names.size() == 1 ? "is" : "are");
    throw;
  }
}

}  // namespace setka::app
