// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace setka::io::detail {

/// How Setka's own binary files begin: eight letters, the version, and a number that shows the order of
/// bytes.
struct BinaryKind {
  std::string_view magic;   // eight letters
  std::uint32_t version;    // that is read and written
  std::string_view what;    // "a file of element matrices"
  std::string_view remedy;  // how to get one
};

inline constexpr std::size_t binary_header_bytes = 16;

inline constexpr BinaryKind element_kind{"SETKAELM", 1, "a file of element matrices",
                                         "setka run --write-elements writes one; see docs/element-files.md"};
inline constexpr BinaryKind matrix_kind{"SETKAMAT", 1, "a binary matrix",
                                        "docs/element-files.md shows how to write one"};

/// The first bytes of a file of that kind.
std::string binary_header(const BinaryKind& kind);

/// Throws Error(Fault::input) where the bytes do not begin so; bytes: the file, at least `least` of it.
void check_binary_header(std::string_view bytes, const BinaryKind& kind, std::size_t least,
                         const std::string& name);

/// Throws Error(Fault::input) where the file has not as many bytes as its header tells.
void check_binary_size(std::size_t found, std::uint64_t told, const BinaryKind& kind,
                       const std::string& name);

[[noreturn]] void refuse_binary(const BinaryKind& kind, const std::string& name, std::string message);

/// The number at a place of the file, which need not be aligned.
template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  T value{};
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

template <class T>
std::string_view bytes_of(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

}  // namespace setka::io::detail
