// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <fstream>
#include <initializer_list>
#include <span>
#include <string>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/sparse/block_csr.hpp"

/// What the programs of Setka's side have in common.
namespace setka::peers {

/// Matrices of one structure in blocks of 3 x 3, and vectors over their rows, for the programs of the peers.
///
/// The file, in the machine's byte order: eight letters, the numbers of block rows and of blocks (64 bits
/// each), offsets [rows + 1] and columns [blocks] of the blocks (32 bits), then doubles: the values of each
/// matrix, scalar row by scalar row as in plain CSR, and each vector [3 rows].
inline void write_blocks(const std::string& path, const std::string& letters,
                         std::initializer_list<const sparse::BlockCsr<double>*> matrices,
                         std::initializer_list<std::span<const double>> vectors) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const auto& values) {
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(values[0])));
  };
  const sparse::BlockCsr<double>& first = **matrices.begin();
  put(letters);
  put(std::array<std::int64_t, 2>{first.rows(), first.blocks()});
  put(first.offset().host());
  put(first.column().host());
  for (const auto* matrix : matrices) put(matrix->value().host());
  for (const auto& vector : vectors) put(vector);
  file.close();
  if (!file) throw Error(Fault::resource, path + " cannot be written");
}

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A main function that says why it failed.
template <class Run>
int told(const char* program, Run run) {
  try {
    return run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return static_cast<int>(ExitCode::internal);
  }
}

}  // namespace setka::peers
