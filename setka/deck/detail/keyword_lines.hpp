// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "setka/exec/transport.hpp"

namespace setka::deck::detail {

/// The beginning of a line.
struct LineStart {
  std::int64_t at;      // bytes before it
  std::int64_t number;  // of the line, from 1
};

/// What one search for line ends finds out of a text.
struct KeywordLines {
  std::vector<LineStart> keywords;
  std::vector<LineStart> marks;  // the first line of every megabyte but the first
  std::int64_t line_count = 0;
  bool has_zeros = false;  // bytes that no text has
};

/// Threads and processes search a stretch of the text each; all are told what all have found.
KeywordLines find_keyword_lines(std::string_view text, const exec::Transport* together);

}  // namespace setka::deck::detail
