// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/detail/keyword_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>

#include "setka/deck/detail/together.hpp"
#include "setka/io/parsing.hpp"

namespace setka::deck::detail {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;

/// What a block of the text has: the lines that begin in it.
struct BlockLines {
  std::int64_t first = 0;  // where the first of them begins
  std::int64_t count = 0;
  std::vector<LineStart> keywords;  // numbers count from the first
  bool has_zeros = false;

  auto parts() { return std::tie(first, count, keywords, has_zeros); }
};

/// at: before the end of the text.
bool keyword_begins(std::string_view text, std::size_t at) {
  while (at < text.size() && io::is_blank(text[at])) ++at;
  if (at == text.size() || text[at] != '*') return false;
  const std::string_view rest = text.substr(at);
  const std::string_view line = io::trimmed(rest.substr(0, rest.find('\n')));
  return line.size() > 1 && line[1] != '*';
}

BlockLines lines_of_block(std::string_view text, std::size_t begin) {
  const std::size_t end = std::min(begin + block_size, text.size());
  const auto behind_line = [&](std::size_t at) {
    const auto* stop = static_cast<const char*>(std::memchr(text.data() + at, '\n', end - at));
    return stop == nullptr ? end : static_cast<std::size_t>(stop - text.data()) + 1;
  };
  BlockLines found;
  found.has_zeros = std::memchr(text.data() + begin, 0, end - begin) != nullptr;
  std::size_t at = begin;
  if (begin > 0 && text[begin - 1] != '\n') at = behind_line(begin);
  found.first = static_cast<std::int64_t>(at);
  for (; at < end; at = behind_line(at)) {
    ++found.count;
    const char c = text[at];
    if ((c == '*' || io::is_blank(c)) && keyword_begins(text, at))
      found.keywords.push_back({static_cast<std::int64_t>(at), found.count});
  }
  return found;
}

}  // namespace

KeywordLines find_keyword_lines(std::string_view text, const exec::Transport* together) {
  std::vector<BlockLines> blocks((text.size() + block_size - 1) / block_size);
  if (blocks.size() < 2) together = nullptr;
  const Stretch own = own_stretch(blocks.size(), together);
#pragma omp parallel for schedule(dynamic) if (own.end - own.first > 1)
  for (std::size_t b = own.first; b < own.end; ++b) blocks[b] = lines_of_block(text, b * block_size);
  if (together != nullptr) {
    exec::Letter letter;
    for (std::size_t b = own.first; b < own.end; ++b) letter.write(blocks[b]);
    std::vector<exec::Letter> told = told_by_all(*together, letter);
    for (std::size_t member = 0; member < told.size(); ++member) {
      const Stretch found = stretch_of(blocks.size(), told.size(), member);
      for (std::size_t b = found.first; b < found.end; ++b) told[member].read(blocks[b]);
    }
  }
  KeywordLines all;
  for (const BlockLines& block : blocks) {
    if (block.count > 0 && block.first > 0) all.marks.push_back({block.first, all.line_count + 1});
    for (const LineStart& keyword : block.keywords)
      all.keywords.push_back({keyword.at, all.line_count + keyword.number});
    all.line_count += block.count;
    all.has_zeros = all.has_zeros || block.has_zeros;
  }
  return all;
}

}  // namespace setka::deck::detail
