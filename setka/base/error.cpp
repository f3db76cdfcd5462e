// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/error.hpp"

#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace setka {
namespace {

std::string full_text(const std::string& message, const std::string& remedy, const SourceLine& where) {
  std::string text;
  if (!where.file.empty()) {
    text = where.line > 0 ? fmt::format("{}:{}: ", where.file, where.line) : where.file + ": ";
  }
  text += message;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

}  // namespace

ExitCode exit_code(Fault fault) {
  switch (fault) {
    case Fault::input:
      return ExitCode::input;
    case Fault::usage:
      return ExitCode::usage;
    case Fault::resource:
      return ExitCode::resource;
    case Fault::interrupted:
      return ExitCode::interrupted;
    case Fault::internal:
      break;
  }
  return ExitCode::internal;
}

Error::Error(Fault fault, std::string message, std::string remedy, SourceLine where)
    : std::runtime_error(full_text(message, remedy, where)),
      fault_(fault),
      message_(std::move(message)),
      remedy_(std::move(remedy)),
      where_(std::move(where)) {}

void detail::broken_invariant(const char* condition, const char* file, int line) {
  std::string_view path = file;
  if (auto at = path.rfind("setka/"); at != std::string_view::npos) path.remove_prefix(at);
  throw Error(Fault::internal, fmt::format("broken invariant '{}' at {}:{}", condition, path, line),
              "this is a defect of Setka: please report it with the input that led here");
}

}  // namespace setka
