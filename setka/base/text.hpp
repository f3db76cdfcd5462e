// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace setka {

/// "512 B", "1.50 GiB": three digits, binary units.
std::string format_bytes(std::uint64_t bytes);

/// "85 us", "1.23 s", "3 min 12 s", "2 h 05 min".
std::string format_seconds(double seconds);

/// "0", "999", "1.23 M": a count or a rate with decimal prefixes.
std::string format_count(double count);

/// "a, b and c"
std::string join_words(const std::vector<std::string>& words, std::string_view last = "and");

/// "5", "5 and 6", "1, 2, 3, 4, 5 and 12 more": the first few of many numbers.
std::string some_numbers(const std::vector<std::int32_t>& numbers, std::size_t most = 5);

/// The candidate nearest to a mistyped word, or "" when none is near enough to be meant.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace setka
