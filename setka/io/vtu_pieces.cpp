// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtu_pieces.hpp"

#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "setka/base/error.hpp"

namespace setka::io {

std::string PieceName::text() const {
  return fmt::format("{:04}.{}of{}.vtu", frame, piece, pieces);
}

std::optional<PieceName> PieceName::of(std::string_view text) {
  PieceName name;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int* const number : {&name.frame, &name.piece, &name.pieces}) {
    const auto [behind, reason] = std::from_chars(at, end, *number);
    if (reason != std::errc()) return std::nullopt;
    at = behind + (number == &name.frame ? 1 : 2);  // "." and "of"
    if (at > end) return std::nullopt;
  }
  return name.text() == text ? std::optional(name) : std::nullopt;
}

PiecesFolder::PiecesFolder(const std::filesystem::path& stem) : path_(stem) {
  path_ += ".pieces";
}

PiecesFolder::~PiecesFolder() {
  std::error_code not_empty;
  if (made_) std::filesystem::remove(path_, not_empty);
}

void PiecesFolder::make() {
  std::error_code reason;
  made_ = std::filesystem::create_directory(path_, reason) || made_;
  if (reason)
    throw Error(Fault::resource, fmt::format("{} cannot be created: {}", path_.string(), reason.message()));
}

}  // namespace setka::io
