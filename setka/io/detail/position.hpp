// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <istream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "setka/io/output_file.hpp"

/// Positions of writers as text: numbers, then the path to the end of the line.
namespace setka::io::detail {

inline std::string to_text(const OutputFile::Position& position) {
  return fmt::format("{} {}\n", position.size, position.part.string());
}

inline OutputFile::Position position_from(std::istream& text) {
  OutputFile::Position position;
  std::string part;
  text >> position.size;
  text.ignore(1);
  std::getline(text, part);
  position.part = part;
  return position;
}

}  // namespace setka::io::detail
