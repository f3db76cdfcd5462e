// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line.hpp"

namespace setka::app {

struct CheckOptions {
  std::string deck;
  std::string output;  // for the elements of bad shape; empty: beside the deck
};

cli::App* add_check_command(cli::App& cli, CheckOptions& options);

/// setka check DECK.inp: what the deck holds and what would stop a run, without solving.
int check_deck(const CheckOptions& options, const CommonOptions& common, Monitor& monitor);

}  // namespace setka::app
