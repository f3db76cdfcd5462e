// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "setka/analysis/stiffness.hpp"

namespace setka::app {

struct RunOptions {
  std::string deck;
  bool calculix = false;  // the files of ccx alone, and its manner
  SolverOptions solver;
  std::string operator_kind = "auto";
  std::string modes = "auto";
  bool write_elements = false;       // element matrices beside the results
  std::string precision = "double";  // of explicit steps
  std::string balance = "given";     // of explicit steps on several devices
  bool go_on = false;                // from the checkpoint
  double checkpoint_every = 0;       // seconds
  bool report = false;               // a page beside the results
  bool report_alone = false;         // in their place
  std::string report_file;           // empty: DECK.html
  std::int64_t report_triangles = 400'000;
};

/// Options of a run, without the deck itself, the device and what is printed.
void add_run_options(cli::App& command, RunOptions& options);

/// The page that setka run --report or setka report writes.
std::filesystem::path report_path(const RunOptions& options, const std::filesystem::path& deck);

/// setka run DECK.inp: every step of the deck; results beside it.
/// Of CalculiX's manner: the same with the files that CalculiX writes, which are removed first. A run that
/// ends without results says where those beside the deck are of an earlier one.
int run_deck(const RunOptions& options, const CommonOptions& common, const DeviceOptions& device,
             Monitor& monitor);

/// What of the options decides how a deck is computed.
analysis::Computing computing_of(const RunOptions& options, const DeviceOptions& device);

/// What each device is for: of several the first assembles, a CPU with all threads.
void take_devices(const std::vector<exec::Device>& devices, const DeviceOptions& options,
                  analysis::Computing& computing);

}  // namespace setka::app
