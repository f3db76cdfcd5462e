// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "command_line.hpp"

namespace setka::app {

struct RunOptions {
  std::string deck;
  bool calculix = false;  // the files of ccx alone, and its manner
  SolverOptions solver;
  std::string operator_kind = "auto";
  std::string modes = "auto";
  bool write_elements = false;       // element matrices beside the results
  std::string precision = "double";  // of explicit steps
  bool go_on = false;                // from the checkpoint
  double checkpoint_every = 0;       // seconds
};

/// setka run DECK.inp: every step of the deck; results beside it.
/// setka ccx -i JOB: the same with the files that CalculiX writes.
int run_deck(const RunOptions& options, const CommonOptions& common, const DeviceOptions& device,
             Monitor& monitor);

}  // namespace setka::app
