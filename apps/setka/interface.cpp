// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interface.hpp"

#include <array>

namespace setka::app::cli {
namespace {

struct Kind {
  std::string_view value;
  Completed by;
  std::string_view endings;  // with blanks between
};

constexpr std::array kinds{
    Kind{"DECK", Completed::files, ".inp"},  Kind{"JOB", Completed::files, ".inp"},
    Kind{"MESH", Completed::files, ".msh"},  Kind{"MODEL", Completed::files, ".inp .msh"},
    Kind{"RIGHT", Completed::files, ".npy"}, Kind{"NUMBER|FILE", Completed::files, ".npy"},
    Kind{"RECORD", Completed::files, ""},    Kind{"STEM", Completed::files, ""},
    Kind{"FILE", Completed::files, ""},      Kind{"[FILE]", Completed::files, ""},
    Kind{"FOLDER", Completed::folders, ""},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    words.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return words;
}

}  // namespace

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

Completion completion_of(const OptionText& option) {
  for (const Kind& kind : kinds) {
    if (kind.value == option.value) return {kind.by, words_of(kind.endings)};
  }
  const std::size_t dot = option.value.find('.');
  if (dot == std::string::npos) return {};
  const std::string ending = option.value.substr(dot);
  if (ending == ".mtx") return {Completed::files, {ending, ending + ".gz"}};
  return {Completed::files, {ending}};
}

}  // namespace setka::app::cli
