// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/output_names.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <set>
#include <system_error>

#include "setka/io/detail/descriptor.hpp"

namespace setka::io {
namespace {

namespace fs = std::filesystem;

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// NAME of NAME.PID.part and NAME.PID-K.part; empty where it is neither.
std::string_view name_of_part(std::string_view file) {
  constexpr std::string_view ending = ".part";
  if (!file.ends_with(ending)) return {};
  file.remove_suffix(ending.size());
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view process = file.substr(dot + 1);
  const std::size_t dash = process.find('-');
  const bool named = is_number(process.substr(0, dash)) &&
                     (dash == std::string_view::npos || is_number(process.substr(dash + 1)));
  return named ? file.substr(0, dot) : std::string_view();
}

/// Each file of a folder, in no order; none where it cannot be read.
void for_each_file(const fs::path& folder, const std::function<void(const fs::path& name)>& visit) {
  std::error_code reason;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, reason), end; !reason && entry != end;
       entry.increment(reason))
    visit(entry->path().filename());
}

void remove_if_dead(const fs::path& part) {
  const detail::Descriptor file{::open(part.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (file.number >= 0 && ::flock(file.number, LOCK_EX | LOCK_NB) == 0) ::unlink(part.c_str());
}

}  // namespace

bool OutputName::holds(std::string_view name) const {
  const std::string beginning = path.filename().string();
  if (!is_series()) return name == beginning;
  if (beginning.empty()) return name.ends_with(ending);
  if (name.size() <= beginning.size() + ending.size() || !name.starts_with(beginning) ||
      !name.ends_with(ending))
    return false;
  name.remove_prefix(beginning.size());
  name.remove_suffix(ending.size());
  return is_number(name);
}

std::vector<fs::path> files_of_series(const OutputName& series) {
  const fs::path folder = series.path.parent_path();
  std::vector<fs::path> found;
  for_each_file(folder, [&](const fs::path& name) {
    if (series.holds(name.string())) found.push_back(folder / name);
  });
  std::ranges::sort(found);
  return found;
}

void remove_dead_parts(const std::vector<OutputName>& outputs) {
  std::set<fs::path> folders;
  for (const OutputName& output : outputs) folders.insert(output.path.parent_path());
  for (const fs::path& folder : folders) {
    for_each_file(folder, [&](const fs::path& file) {
      const std::string text = file.string();
      const std::string_view name = name_of_part(text);
      if (!name.empty() && std::ranges::any_of(outputs, [&](const OutputName& output) {
            return output.path.parent_path() == folder && output.holds(name);
          }))
        remove_if_dead(folder / file);
    });
  }
}

}  // namespace setka::io
