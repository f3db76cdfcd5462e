// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace setka::io::detail {

/// A word of a file in a message: short, and without what is not text.
inline std::string shown(std::string_view word) {
  std::string text(word.substr(0, 30));
  for (char& c : text) {
    if (c < 32 || c > 126) c = '?';
  }
  return text;
}

}  // namespace setka::io::detail
