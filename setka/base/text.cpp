// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/core.h>

namespace setka {
namespace {

/// Three significant digits, without an exponent.
std::string three_digits(double value) {
  if (value < 10) return fmt::format("{:.2f}", value);
  if (value < 100) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

/// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return three_digits(value) + " " + units[unit];
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 999.5e-6) return three_digits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  if (seconds < 60) return three_digits(seconds) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02d} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02d} min", whole / 3600, whole % 3600 / 60);
}

std::string format_count(double count) {
  if (!std::isfinite(count)) return "?";
  if (count < 0) return fmt::format("-{}", format_count(-count));
  if (count < 999.5) {
    return count == std::floor(count) ? fmt::format("{:.0f}", count) : three_digits(count);
  }
  static constexpr std::array prefixes{"k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  count /= 1000;
  while (count >= 999.5 && prefix + 1 < prefixes.size()) {
    count /= 1000;
    ++prefix;
  }
  return three_digits(count) + " " + prefixes[prefix];
}

std::string join_words(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

std::string some_numbers(const std::vector<std::int32_t>& numbers, std::size_t most) {
  std::vector<std::string> words;
  for (const std::int32_t number : numbers) {
    if (words.size() == most) break;
    words.push_back(std::to_string(number));
  }
  if (numbers.size() > most) words.push_back(fmt::format("{} more", numbers.size() - most));
  return join_words(words);
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;  // more edits than this: another word, not a slip
  for (const std::string& candidate : candidates) {
    // Each letter too many or too few is an edit. The word may be a whole file without a line end.
    const std::size_t least =
        std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (least >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace setka
