// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What tells files apart that have one name.
namespace setka::io {

/// What the file system knows of a file. Machines that share its folder see the same; copies differ at least
/// in the last, which no program can set. All zero where there is no file of that name.
struct FileStamp {
  std::int64_t size = 0;
  std::int64_t number = 0;   // in its file system
  std::int64_t written = 0;  // nanoseconds
  std::int64_t changed = 0;  // of what is known of it, as its name and its owner
};
FileStamp stamp_of_file(const std::string& file);

/// 64 bits of the bytes; of a text in pieces, the hash of those before is where the next one begins.
std::uint64_t hash_of_text(std::string_view text, std::uint64_t before = 0);

/// Of the bytes of files, in their order.
std::uint64_t hash_of_files(const std::vector<std::string>& files);

}  // namespace setka::io
