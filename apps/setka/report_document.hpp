// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "deck_plan.hpp"
#include "setka/analysis/job.hpp"
#include "setka/base/iterations.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/report_writer.hpp"

namespace setka::app {

/// All that a report says of a run besides its pictures.
struct RunRecord {
  std::filesystem::path path;  // of the deck
  const deck::Deck& deck;
  const std::vector<analysis::StepSummary>& steps;
  std::string devices;  // in words
  std::string memory;   // likewise
  StageTime times;
  const ConvergenceRecord* convergence = nullptr;
  const std::vector<std::string>& history_columns;       // of explicit steps
  const std::vector<std::vector<double>>& history = {};  // [rows][columns]
  std::vector<PredictedStage> predicted = {};            // of a run that was planned by times
};

/// For io::ReportWriter::tell(): title, facts, warnings, steps, tables, plots and stages (web/src/data.ts).
std::string report_document(const RunRecord& run, const io::ReportWriter& report);

}  // namespace setka::app
