// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli.hpp"
#include "deck_plan.hpp"
#include "keeper.hpp"
#include "run.hpp"
#include "setka/analysis/job.hpp"
#include "setka/base/iterations.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/report_writer.hpp"

namespace setka::app {

cli::App* add_report_command(cli::App& cli, RunOptions& options);

/// What web/ has made, in the tree that the program is of. Error(Fault::usage) where that tree has none.
std::filesystem::path report_page();
bool has_report_page();

/// Gathers during a run what its report says besides pictures.
class ReportMaker {
 public:
  /// writers: one of them is the report's. Listens to the histories of the services, and hands them on.
  /// All must outlive it.
  ReportMaker(std::filesystem::path deck_path, const deck::Deck& deck, const Keeper::Writers& writers,
              const Monitor& monitor, analysis::StepServices& services);

  /// Before its writer finishes. plan: of the run; null: there is none.
  void tell(const std::vector<analysis::StepSummary>& steps, const std::string& devices,
            const std::string& memory, const DeckPlan* plan);

 private:
  std::filesystem::path path_;
  const deck::Deck& deck_;
  const Monitor& monitor_;
  io::ReportWriter* writer_ = nullptr;
  ConvergenceRecord convergence_;
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> history_;
};

}  // namespace setka::app
