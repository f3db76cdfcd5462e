// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "link_options.hpp"

namespace setka::app {

struct DomainsOptions {
  std::string model;         // a deck or a mesh of Gmsh
  std::optional<int> parts;  // none: as many as the file has partitions, else 2
  std::string by;            // elements or nodes; empty: elements
  std::string partitioner;   // empty: auto, or the partitions of the file
  std::string output;        // empty: MODEL-domains.vtu
  std::string device;        // of what is predicted; see plan::find_team_device()
  LinkOptions link;
};

cli::App* add_domains_command(cli::App& cli, DomainsOptions& options);

/// setka domains MODEL --parts N: the model shared out, as a table and to be looked at, with what conjugate
/// gradients would take.
int show_domains(const DomainsOptions& options, const CommonOptions& common, Monitor& monitor);

}  // namespace setka::app
