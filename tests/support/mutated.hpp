// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace setka::test {

/// A few edits of a file: bytes changed, pieces cut out or doubled, words put in, the end cut off. The same
/// seed makes the same edits. bytes: values that a changed byte may have; longest: bytes of a piece.
inline std::string mutated(std::string text, unsigned seed, const std::vector<std::string>& words,
                           unsigned bytes = 256, std::size_t longest = 40) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(longest), text.size() - at);
    switch (below(5)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random() % bytes);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 3:
        text.insert(at, words[below(words.size())]);
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

}  // namespace setka::test
