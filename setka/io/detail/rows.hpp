// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "setka/io/output_file.hpp"

namespace setka::io::detail {

/// Rows made by all threads and written in their order. append_row(text, row) adds one to the text.
template <class AppendRow>
void write_rows(OutputFile& file, std::size_t rows, const AppendRow& append_row) {
  constexpr std::size_t rows_of_piece = 4096;
  std::array<std::string, 64> pieces;  // at once in memory
  for (std::size_t first = 0; first < rows; first += pieces.size() * rows_of_piece) {
#pragma omp parallel for schedule(dynamic) if (rows > rows_of_piece)
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      pieces[p].clear();
      const std::size_t begin = first + p * rows_of_piece;
      for (std::size_t row = begin; row < std::min(rows, begin + rows_of_piece); ++row)
        append_row(pieces[p], row);
    }
    for (const std::string& piece : pieces) file.write(piece);
  }
}

}  // namespace setka::io::detail
