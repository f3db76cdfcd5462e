// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/detail/together.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/fingerprint.hpp"

namespace setka::deck::detail {
namespace {

/// The first member that has other numbers than the first one.
std::optional<std::size_t> first_other(const exec::Transport& together, std::span<const std::uint64_t> own) {
  std::vector<double> halves;  // which a double holds
  halves.reserve(2 * own.size());
  for (const std::uint64_t number : own) {
    halves.push_back(static_cast<double>(number >> 32U));
    halves.push_back(static_cast<double>(number & 0xFFFFFFFFU));
  }
  const std::vector<double> of_all = together.gather(halves);
  const std::span first = std::span(of_all).first(halves.size());
  for (std::size_t p = 1; p < static_cast<std::size_t>(together.size()); ++p) {
    if (!std::ranges::equal(std::span(of_all).subspan(p * halves.size(), halves.size()), first)) return p;
  }
  return std::nullopt;
}

void require_same_hash(const exec::Transport& together, std::uint64_t hash, const std::string& name) {
  const std::optional<std::size_t> other = first_other(together, {&hash, 1});
  if (!other) return;
  throw Error(Fault::input,
              fmt::format("process {} reads another {} than the first one", *other,
                          std::filesystem::path(name).filename().string()),
              "let the machines share the folder", {name, 0});
}

}  // namespace

void require_same_file(const exec::Transport* together, const std::string& file) {
  if (together == nullptr) return;
  const io::FileStamp stamp = io::stamp_of_file(file);
  const std::array own{static_cast<std::uint64_t>(stamp.size), static_cast<std::uint64_t>(stamp.number),
                       static_cast<std::uint64_t>(stamp.written), static_cast<std::uint64_t>(stamp.changed)};
  if (first_other(*together, own)) require_same_hash(*together, io::hash_of_files({file}), file);
}

void require_same_text(const exec::Transport* together, std::string_view text, const std::string& name) {
  if (together != nullptr) require_same_hash(*together, io::hash_of_text(text), name);
}

}  // namespace setka::deck::detail
