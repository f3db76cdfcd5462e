// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Arrays in VTK's XML files: blocks compressed by zlib behind a header of 64-bit sizes, in base64.
namespace setka::io {

std::string base64(std::span<const std::byte> bytes);

/// The content of a DataArray with format="binary". Blocks are compressed by all threads.
std::string compressed(std::span<const std::byte> bytes);

struct ArrayForm {
  std::string_view name;
  std::string_view type;  // "Float64", "Int64", "Int32", "UInt8"
  int components = 1;
  std::span<const std::string_view> component_names = {};
};

/// A whole DataArray element.
std::string data_array(const ArrayForm& form, std::span<const std::byte> bytes);

std::string data_array(const ArrayForm& form, const auto& values) {
  return data_array(form, std::as_bytes(std::span(values)));
}

/// For attributes and text of XML; bytes that are not UTF-8, which it must be, become U+FFFD.
std::string xml_escaped(std::string_view text);

/// A warning in the log where the name of a collection, which its frames share, is not UTF-8.
void warn_unless_told(const std::filesystem::path& file);

}  // namespace setka::io
