// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "setka/io/matrix_market.hpp"

namespace setka::io::detail {

/// What stands before the entries.
struct MatrixMarketHeader {
  MatrixMarket::Symmetry symmetry = MatrixMarket::Symmetry::general;
  bool array = false;
  bool pattern = false;
  std::int32_t rows = 0;
  std::int32_t columns = 0;
  std::int64_t entries = 0;  // lines that follow
  std::size_t size = 0;      // bytes up to the first of them
};

/// Throws Error(Fault::input) with the line where the text has none that Setka can read, or announces more
/// entries than the rest of it can hold.
MatrixMarketHeader read_matrix_market_header(std::string_view text, const std::string& name);

/// Throws Error(Fault::input) for the line that holds the byte.
[[noreturn]] void fail_at_byte(std::string_view text, const std::string& name, std::size_t byte,
                               std::string message, std::string remedy);

}  // namespace setka::io::detail
