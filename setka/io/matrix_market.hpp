// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/sparse/csr.hpp"

/// Files of the Matrix Market (Boisvert, Pozo, Remington 1996): .mtx, also compressed by gzip.
namespace setka::io {

struct MatrixMarketOptions {
  int threads = 1;
  std::uint64_t memory = 0;  // bytes that a file may take; 0: what the machine has left
};

struct MatrixMarket {
  enum class Symmetry { general, symmetric, skew_symmetric };

  Symmetry symmetry = Symmetry::general;
  bool array = false;  // the format: every value in turn, not a list of places

  /// As the file has them: of a symmetric matrix one triangle, in places that may repeat. Never an infinity
  /// or NaN. A pattern has ones.
  sparse::Triplets entries;
};

/// Real and integer matrices and patterns, of both formats. What is wrong in the file is an
/// Error(Fault::input) with file, line and remedy, as are complex matrices and those of more than 2^31 - 1
/// rows. A file that needs more memory than there is is an Error(Fault::resource), before the memory is asked
/// for: 16 bytes an entry, and the text where it was compressed.
MatrixMarket read_matrix_market(const std::filesystem::path& path, const MatrixMarketOptions& options,
                                Monitor& monitor);

/// The same from memory, compressed or not; messages call it `name`.
MatrixMarket read_matrix_market_text(std::string_view bytes, const std::string& name,
                                     const MatrixMarketOptions& options, Monitor& monitor);

/// A matrix with all its entries: right-hand sides, coordinates.
struct DenseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> value;  // [rows, columns], last index fastest
};

/// Both triangles of symmetric matrices; zeros where the list has no entry. What does not fit into `memory`
/// bytes is an Error(Fault::resource).
DenseMatrix dense(const MatrixMarket& matrix, const std::string& name, std::uint64_t memory);

DenseMatrix read_dense_matrix(const std::filesystem::path& path, const MatrixMarketOptions& options,
                              Monitor& monitor);

/// A column in the array format, with as many digits as bring back the same bits. comment: one line.
void write_vector(const std::filesystem::path& path, std::span<const double> values,
                  const std::string& comment);

/// The same of several columns; values: [rows, columns], last index fastest.
void write_columns(const std::filesystem::path& path, std::span<const double> values, std::int64_t columns,
                   const std::string& comment);

}  // namespace setka::io
