// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <span>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "report_document.hpp"
#include "setka/base/error.hpp"

namespace setka::app {
namespace {

std::filesystem::path page_path() {
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return (program.parent_path() / SETKA_DATA_FROM_BIN / "report.html").lexically_normal();
}

}  // namespace

cli::App* add_report_command(cli::App& cli, RunOptions& options) {
  cli::App* const command =
      cli.add_subcommand("report", "Run a deck and write what came out as one HTML page");
  options.report = options.report_alone = true;
  command->add_option("deck", options.deck, "The deck, with or without .inp")->required()->type_name("DECK");
  command->add_option("-o,--output", options.report_file, "What to write [default: DECK.html]")
      ->type_name("FILE");
  command
      ->add_option("--triangles", options.report_triangles,
                   "Of the surface at most; beyond that it is made coarser")
      ->type_name("COUNT")
      ->positive_number()
      ->capture_default_str();
  add_run_options(*command, options);
  for (const char* const of_results : {"--continue", "--checkpoint-every"})
    command->remove_option(of_results);
  command->footer(
      "\nThe page needs no network and no other file. It has tables, plots and the model, to be turned, cut "
      "and\n"
      "played, coloured by any result. setka run --report writes it beside the other results.");
  return command;
}

bool has_report_page() {
  std::error_code unknown;
  return std::filesystem::exists(page_path(), unknown);
}

std::filesystem::path report_page() {
  std::filesystem::path page = page_path();
  if (!has_report_page()) {
    throw Error(
        Fault::usage, fmt::format("a report needs its page, and there is no {}", page.string()),
        "this build was made without npm: install npm (apt-get install npm), configure and build again");
  }
  return page;
}

ReportMaker::ReportMaker(std::filesystem::path deck_path, const deck::Deck& deck,
                         const Keeper::Writers& writers, const Monitor& monitor,
                         analysis::StepServices& services)
    : path_(std::move(deck_path)),
      deck_(deck),
      monitor_(monitor),
      convergence_(monitor),
      columns_(analysis::history_columns(deck.model)) {
  for (const auto& writer : writers) {
    if (auto* const own = dynamic_cast<io::ReportWriter*>(writer.get())) writer_ = own;
  }
  require(writer_ != nullptr, "report: no writer of the run is its own");
  services.history = [this, others = std::move(services.history)](std::span<const double> row) {
    history_.emplace_back(row.begin(), row.end());
    if (others) others(row);
  };
}

void ReportMaker::tell(const std::vector<analysis::StepSummary>& steps, const std::string& devices,
                       const std::string& memory, const DeckPlan* plan) {
  RunRecord run{path_, deck_, steps, devices, memory, monitor_.times(), &convergence_, columns_, history_};
  if (plan != nullptr && plan->whole()) run.predicted = predicted_stages(*plan, run.times);
  writer_->tell(report_document(run, *writer_));
}

}  // namespace setka::app
