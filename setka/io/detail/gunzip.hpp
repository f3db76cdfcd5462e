// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "setka/base/monitor.hpp"

namespace setka::io::detail {

/// By the first two bytes, whatever the name of the file is.
inline bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

/// What was compressed, of one member after another. A stream that is damaged or cut short is an
/// Error(Fault::input), one that unpacks to more than `most` bytes an Error(Fault::resource); both name the
/// file.
std::string gunzip(std::string_view bytes, const std::string& name, std::uint64_t most, Monitor& monitor);

}  // namespace setka::io::detail
