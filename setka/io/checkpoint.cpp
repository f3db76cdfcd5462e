// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/checkpoint.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "setka/base/build_info.hpp"
#include "setka/io/output_file.hpp"

namespace setka::io {
namespace {

constexpr std::string_view magic = "SETKACP1";

/// In pieces: zlib takes 32-bit lengths.
std::uint32_t crc_of(std::string_view bytes) {
  uLong crc = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, std::size_t{1} << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
    bytes.remove_prefix(piece.size());
  }
  return static_cast<std::uint32_t>(crc);
}

void append(std::string& to, std::uint64_t number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void append(std::string& to, std::string_view text) {
  append(to, static_cast<std::uint64_t>(text.size()));
  to.append(text);
}

/// Takes apart what append() made; a length beyond the end is damage.
struct Source {
  std::string_view left;
  bool damaged = false;

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (left.size() < sizeof value) {
      damaged = true;
      return 0;
    }
    std::memcpy(&value, left.data(), sizeof value);
    left.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > left.size()) {
      damaged = true;
      return {};
    }
    std::string made(left.substr(0, size));
    left.remove_prefix(size);
    return made;
  }
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw Error(Fault::input, fmt::format("{}: {}", path.string(), what), "run the deck without --continue");
}

}  // namespace

const std::string& Checkpoint::part(const std::string& name) const {
  const auto found = parts.find(name);
  if (found == parts.end())
    throw Error(Fault::input, fmt::format("the checkpoint has no part '{}'", name),
                "run the deck without --continue");
  return found->second;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  std::string text(magic);
  append(text, std::string_view(build_info().version));
  append(text, checkpoint.model);
  append(text, static_cast<std::uint64_t>(checkpoint.parts.size()));
  for (const auto& [name, bytes] : checkpoint.parts) {
    append(text, std::string_view(name));
    append(text, std::string_view(bytes));
  }
  append(text, std::uint64_t{crc_of(text)});
  OutputFile file(path);
  file.write(text);
  file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t model) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "there is no checkpoint to go on from");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::uint64_t crc = 0;
  const std::size_t body = text.size() < sizeof crc ? 0 : text.size() - sizeof crc;
  if (body > 0) std::memcpy(&crc, text.data() + body, sizeof crc);
  const std::string_view whole = std::string_view(text).substr(0, body);
  if (!whole.starts_with(magic) || crc != crc_of(whole))
    refuse(path, "this is no checkpoint of Setka, or a damaged one");
  Source source{whole.substr(magic.size())};
  const std::string version = source.text();
  if (version != build_info().version)
    refuse(path, fmt::format("the checkpoint is of Setka {}, this is {}", version, build_info().version));
  Checkpoint checkpoint;
  checkpoint.model = source.number();
  const std::uint64_t parts = source.number();
  for (std::uint64_t i = 0; i < parts && !source.damaged; ++i) {
    const std::string name = source.text();
    checkpoint.parts[name] = source.text();
  }
  if (source.damaged) refuse(path, "the checkpoint is damaged");
  if (checkpoint.model != model)
    refuse(path,
           "the checkpoint belongs to another deck: this one, or a file it includes, was changed since");
  return checkpoint;
}

std::uint64_t hash_of_files(const std::vector<std::string>& files) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  std::vector<char> piece(std::size_t{1} << 20);
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
      for (std::streamsize i = 0; i < file.gcount(); ++i) {
        hash ^= static_cast<unsigned char>(piece[static_cast<std::size_t>(i)]);
        hash *= 1099511628211ULL;
      }
    }
    hash ^= 0xFFU;  // where a file ends counts
    hash *= 1099511628211ULL;
  }
  return hash;
}

}  // namespace setka::io
