// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace setka::app {

struct ConvertOptions {
  std::string mesh;
  std::string output;                 // empty: the mesh with .inp for its ending
  std::vector<std::string> elements;  // types, each for its shape
  bool force = false;                 // overwrites the output
};

/// setka convert MESH.msh: its nodes, elements and sets as a file to *INCLUDE in a deck.
int convert_mesh(const ConvertOptions& options, const CommonOptions& common, Monitor& monitor);

}  // namespace setka::app
