// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// Arrays of NumPy: versions 1 to 3 of the format, little-endian, last index fastest.
namespace setka::io {

class TextFile;
/// An array in a file, mapped: it takes no memory of its own. Float64, float32, int64, int32 and uint8 are
/// read. What is wrong with the file is an Error(Fault::input) that names it.
class NpyFile {
 public:
  explicit NpyFile(const std::filesystem::path& path);
  ~NpyFile();
  NpyFile(const NpyFile&) = delete;
  NpyFile& operator=(const NpyFile&) = delete;

  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t size() const;

  /// Entries first .. first + values.size() - 1, whatever the file's type of numbers.
  void read(std::int64_t first, std::span<double> values) const;

  /// All entries where they are mapped; nothing where the numbers are of another type. T: float or double.
  template <class T>
  std::span<const T> values_as() const;

  /// Where in the file the entries begin.
  std::size_t header_bytes() const;

 private:
  std::unique_ptr<const TextFile> file_;
  std::vector<std::int64_t> shape_;
  char kind_ = 'f';  // f, i or u
  int item_bytes_ = 8;
  std::string_view data_;
};

/// values: of that shape, last index fastest; they lie in the file at a multiple of 64 bytes, so that it can
/// be mapped.
void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
               std::span<const double> values);
void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
               std::span<const float> values);

}  // namespace setka::io
