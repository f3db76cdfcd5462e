// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/binary_header.hpp"

#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::io::detail {
namespace {

constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t other_byte_order = 0x04030201;

}  // namespace

std::string binary_header(const BinaryKind& kind) {
  std::string bytes(kind.magic);
  bytes += bytes_of(&kind.version, 1);
  bytes += bytes_of(&byte_order, 1);
  return bytes;
}

void refuse_binary(const BinaryKind& kind, const std::string& name, std::string message) {
  throw Error(Fault::input, std::move(message), std::string(kind.remedy), {name, 0});
}

void check_binary_header(std::string_view bytes, const BinaryKind& kind, std::size_t least,
                         const std::string& name) {
  const auto refuse = [&](std::string message) { refuse_binary(kind, name, std::move(message)); };
  if (bytes.substr(0, kind.magic.size()) != kind.magic.substr(0, bytes.size()))
    refuse(fmt::format("this is not {}, which begins with {}", kind.what, kind.magic));
  if (bytes.size() < least) {
    refuse(fmt::format("the file is cut off: it has {} bytes, but {} has at least {}", bytes.size(),
                       kind.what, least));
  }
  const auto order = number_at<std::uint32_t>(bytes, 12);
  if (order == other_byte_order)
    refuse("the file was written by a machine with the other order of bytes; swap them");
  if (order != byte_order) refuse("the header is damaged: the number that shows the order of bytes is wrong");
  const auto version = number_at<std::uint32_t>(bytes, 8);
  if (version != kind.version) {
    refuse(fmt::format("the file has version {} of its format, but this Setka reads version {}", version,
                       kind.version));
  }
}

void check_binary_size(std::size_t found, std::uint64_t told, const BinaryKind& kind,
                       const std::string& name) {
  if (found == told) return;
  refuse_binary(kind, name,
                fmt::format("the file {}: it has {} bytes, but its header tells of {}",
                            found < told ? "is cut off" : "has more than it should", found, told));
}

}  // namespace setka::io::detail
