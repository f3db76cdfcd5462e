// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/checkpoint.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "setka/base/build_info.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

constexpr std::string_view magic = "SETKACP1";

/// Of bytes behind others whose CRC is `before`. In pieces: zlib takes 32-bit lengths.
std::uint32_t crc_of(std::string_view bytes, std::uint32_t before = 0) {
  uLong crc = before;
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, std::size_t{1} << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
    bytes.remove_prefix(piece.size());
  }
  return static_cast<std::uint32_t>(crc);
}

/// Writes numbers and texts with their lengths, and knows the CRC of all that it wrote.
class Sink {
 public:
  explicit Sink(const std::filesystem::path& path) : file_(path) { bytes(magic); }

  void number(std::uint64_t value) { bytes({reinterpret_cast<const char*>(&value), sizeof value}); }
  void text(std::string_view text) {
    number(text.size());
    bytes(text);
  }
  void commit() {
    number(crc_);
    file_.commit();
  }

 private:
  /// In pieces, so that the file has no second copy of long parts waiting.
  void bytes(std::string_view left) {
    crc_ = crc_of(left, crc_);
    for (; !left.empty(); left.remove_prefix(std::min(piece, left.size())))
      file_.write(left.substr(0, piece));
  }

  static constexpr std::size_t piece = std::size_t{1} << 20;

  OutputFile file_;
  std::uint32_t crc_ = 0;
};

/// Takes apart what a Sink wrote; a length beyond the end is damage.
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

}  // namespace

void refuse_checkpoint(const std::filesystem::path& path, const std::string& what) {
  throw Error(Fault::input, fmt::format("{}: {}", path.string(), what), "run it without --continue");
}

const std::string& Checkpoint::part(const std::string& name) const {
  const auto found = parts.find(name);
  if (found == parts.end())
    throw Error(Fault::input, fmt::format("the checkpoint has no part '{}'", name),
                "run it without --continue");
  return found->second;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  Sink sink(path);
  sink.text(build_info().version);
  sink.number(checkpoint.model);
  sink.number(checkpoint.parts.size());
  for (const auto& [name, bytes] : checkpoint.parts) {
    sink.text(name);
    sink.text(bytes);
  }
  sink.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) refuse_checkpoint(path, "there is no checkpoint to go on from");
  const TextFile file(path);
  const std::string_view text = file.text();
  std::uint64_t crc = 0;
  const std::size_t body = text.size() < sizeof crc ? 0 : text.size() - sizeof crc;
  if (body > 0) std::memcpy(&crc, text.data() + body, sizeof crc);
  const std::string_view whole = text.substr(0, body);
  if (!whole.starts_with(magic) || crc != crc_of(whole))
    refuse_checkpoint(path, "this is no checkpoint of Setka, or a damaged one");
  Source source{whole.substr(magic.size())};
  const std::string version = source.text();
  if (version != build_info().version)
    refuse_checkpoint(
        path, fmt::format("the checkpoint is of Setka {}, this is {}", version, build_info().version));
  Checkpoint checkpoint;
  checkpoint.model = source.number();
  const std::uint64_t parts = source.number();
  for (std::uint64_t i = 0; i < parts && !source.damaged; ++i) {
    const std::string name = source.text();
    checkpoint.parts[name] = source.text();
  }
  if (source.damaged) refuse_checkpoint(path, "the checkpoint is damaged");
  return checkpoint;
}

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t model) {
  Checkpoint checkpoint = read_checkpoint(path);
  if (checkpoint.model != model)
    refuse_checkpoint(
        path, "the checkpoint belongs to another deck: this one, or a file it includes, was changed since");
  return checkpoint;
}

}  // namespace setka::io
