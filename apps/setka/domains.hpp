// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line.hpp"

namespace setka::app {

struct DomainsOptions {
  std::string deck;
  int parts = 2;
  std::string by = "elements";  // or nodes
  std::string partitioner = "auto";
  std::string output;  // empty: DECK-domains.vtu
};

cli::App* add_domains_command(cli::App& cli, DomainsOptions& options);

/// setka domains DECK --parts N: the model shared out, as a table and to be looked at.
int show_domains(const DomainsOptions& options, const CommonOptions& common, Monitor& monitor);

}  // namespace setka::app
