// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace setka::io {

class TextFile;
/// A dense matrix of doubles in a binary file (docs/element-files.md), mapped: it takes no memory of its own.
/// What is wrong with the file is an Error(Fault::input) that names it; so is a number that is not finite.
class BinaryMatrix {
 public:
  explicit BinaryMatrix(const std::filesystem::path& path, int threads = 1);
  ~BinaryMatrix();
  BinaryMatrix(const BinaryMatrix&) = delete;
  BinaryMatrix& operator=(const BinaryMatrix&) = delete;

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::span<const double> values() const { return values_; }  // [rows, columns], last index fastest

 private:
  std::unique_ptr<const TextFile> file_;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::span<const double> values_;
};

/// values: [rows, columns], last index fastest.
void write_binary_matrix(const std::filesystem::path& path, std::int64_t rows, std::int64_t columns,
                         std::span<const double> values);

}  // namespace setka::io
