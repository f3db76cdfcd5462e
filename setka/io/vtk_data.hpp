// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/io/output_file.hpp"

/// Arrays in VTK's XML files: behind the text, as raw bytes, each a header of 64-bit sizes and blocks in the
/// format of zlib. Text names an array by how far behind the start of these bytes it begins.
namespace setka::io {

struct ArrayForm {
  std::string_view name;
  std::string_view type;  // "Float64", "Int64", "Int32", "UInt8"
  int components = 1;
  std::span<const std::string_view> component_names = {};
};

/// Where an array comes from. fill() makes its bytes from `first` on, which is a multiple of 240 (so that no
/// number is cut); all threads call it, for any part and more than once.
struct ArraySource {
  std::size_t size = 0;  // bytes
  std::function<void(std::size_t first, std::span<std::byte> part)> fill;
};

/// Numbers in memory, which must outlive the array.
ArraySource numbers_in(std::span<const std::byte> bytes);
ArraySource numbers_in(const auto& values) {
  return numbers_in(std::as_bytes(std::span(values)));
}

/// number(i) for 0 <= i < count, made where they are needed: what it refers to must outlive the array.
template <class T, class Number>
ArraySource numbers_made(std::size_t count, const Number& number) {
  return {count * sizeof(T), [number](std::size_t first, std::span<std::byte> part) {
            for (std::size_t i = 0; i < part.size() / sizeof(T); ++i) {
              const T value = number(first / sizeof(T) + i);
              std::memcpy(part.data() + i * sizeof(T), &value, sizeof(T));
            }
          }};
}

/// An array as it is in the file. Blocks that zlib would make smaller by a third or more are compressed, by
/// all threads, and kept; others, as most fields of numbers in double precision, are stored as they are and
/// made while the file is written.
class VtkArray {
 public:
  VtkArray(const ArrayForm& form, ArraySource source);

  /// Bytes in the file.
  std::uint64_t size() const;
  /// The element that stands for it in the text.
  std::string element(std::uint64_t offset) const;
  /// The element by which a file over several pieces says what each of them has.
  std::string declaration() const;
  void write(OutputFile& file) const;

 private:
  std::size_t bytes_of_block(std::size_t block) const;
  std::string compressed_block(std::size_t block) const;
  void put_stored_block(std::size_t block, char* at) const;

  std::string attributes_;
  ArraySource source_;
  std::vector<std::uint64_t> header_;
  std::vector<std::string> compressed_;  // [blocks]; empty: stored
};

/// The arrays of a file in their order; each must live until write().
class VtkArrays {
 public:
  /// Returns the element for the text.
  std::string add(const VtkArray& array);
  /// The element AppendedData, which is the last one inside VTKFile.
  void write(OutputFile& file) const;

 private:
  std::vector<const VtkArray*> arrays_;
  std::uint64_t size_ = 0;
};

/// For attributes and text of XML; bytes that are not UTF-8, which it must be, become U+FFFD.
std::string xml_escaped(std::string_view text);

/// A warning in the log where the name of a collection, which its frames share, is not UTF-8.
void warn_unless_told(const std::filesystem::path& file);

}  // namespace setka::io
