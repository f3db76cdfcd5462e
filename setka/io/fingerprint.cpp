// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/fingerprint.hpp"

#include <sys/stat.h>

#include <bit>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <ios>

namespace setka::io {
namespace {

// Odd numbers with bits in no order, so that a product spreads those of a word.
constexpr std::uint64_t first_factor = 0x9E3779B185EBCA87ULL;
constexpr std::uint64_t second_factor = 0xC2B2AE3D27D4EB4FULL;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  return std::rotl(hash + word * second_factor, 31) * first_factor;
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileStamp stamp_of_file(const std::string& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) return {};
  return {about.st_size, static_cast<std::int64_t>(about.st_ino), nanoseconds(about.st_mtim),
          nanoseconds(about.st_ctim)};
}

std::uint64_t hash_of_text(std::string_view text, std::uint64_t before) {
  constexpr std::size_t bytes = sizeof(std::uint64_t);
  std::uint64_t hash = mixed(before, text.size());  // where a piece ends counts
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = text.size() < bytes ? text.size() : bytes;
    std::memcpy(&word, text.data(), count);
    hash = mixed(hash, word);
    text.remove_prefix(count);
  }
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_of_files(const std::vector<std::string>& files) {
  std::uint64_t hash = 0;
  std::vector<char> piece(std::size_t{1} << 20);
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
      hash = hash_of_text({piece.data(), static_cast<std::size_t>(file.gcount())}, hash);
    hash = hash_of_text({}, hash);  // where a file ends counts
  }
  return hash;
}

}  // namespace setka::io
