// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtk_data.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <zlib.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"

namespace setka::io {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 17;  // a field of some ten thousand nodes has several
constexpr int level = 1;  // floating point numbers gain little from more, and cost much

/// Bytes of the first character; 0 where it is not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  const bool too_long = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool no_character = (byte(0) == 0xed && byte(1) > 0x9f) || (byte(0) == 0xf4 && byte(1) > 0x8f);
  return too_long || no_character ? 0 : length;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.resize((bytes.size() + 2) / 3 * 4);
  const auto encode = [&](std::size_t group, unsigned a, unsigned b, unsigned c) {
    const unsigned three = a << 16 | b << 8 | c;
    for (std::size_t i = 0; i < 4; ++i) text[4 * group + i] = letters[three >> (18 - 6 * i) & 63];
  };
  const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
  const std::size_t whole = bytes.size() / 3;
#pragma omp parallel for schedule(static) if (whole > block_size)
  for (std::size_t g = 0; g < whole; ++g) encode(g, at(3 * g), at(3 * g + 1), at(3 * g + 2));
  const std::size_t rest = bytes.size() - 3 * whole;
  if (rest > 0) {
    encode(whole, at(3 * whole), rest == 2 ? at(3 * whole + 1) : 0U, 0U);
    text.back() = '=';
    if (rest == 1) text[text.size() - 2] = '=';
  }
  return text;
}

std::string compressed(std::span<const std::byte> bytes) {
  const std::size_t blocks = (bytes.size() + block_size - 1) / block_size;
  std::vector<std::vector<std::byte>> packed(blocks);
  bool failed = false;
#pragma omp parallel for schedule(dynamic) reduction(|| : failed) if (blocks > 1)
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto block = bytes.subspan(b * block_size, std::min(block_size, bytes.size() - b * block_size));
    uLongf size = compressBound(static_cast<uLong>(block.size()));
    packed[b].resize(size);
    const int status =
        compress2(reinterpret_cast<Bytef*>(packed[b].data()), &size,
                  reinterpret_cast<const Bytef*>(block.data()), static_cast<uLong>(block.size()), level);
    packed[b].resize(size);
    failed = failed || status != Z_OK;
  }
  if (failed) throw Error(Fault::resource, "zlib could not compress: out of memory");
  std::vector<std::uint64_t> header{blocks, block_size,
                                    bytes.size() % block_size};  // last: 0 where it is full
  std::vector<std::byte> all;
  for (const auto& block : packed) {
    header.push_back(block.size());
    all.insert(all.end(), block.begin(), block.end());
  }
  return base64(std::as_bytes(std::span(header))) + base64(all);
}

std::string data_array(const ArrayForm& form, std::span<const std::byte> bytes) {
  std::string text = fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}")", form.type,
                                 xml_escaped(form.name), form.components);
  for (std::size_t i = 0; i < form.component_names.size(); ++i) {
    fmt::format_to(std::back_inserter(text), R"( ComponentName{}="{}")", i, form.component_names[i]);
  }
  text += " format=\"binary\">\n";
  text += compressed(bytes);
  text += "\n</DataArray>\n";
  return text;
}

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const char c = text[i];
    if (length != 1) {
      result += length == 0 ? "\xef\xbf\xbd" : text.substr(i, length);
      i += std::max<std::size_t>(1, length);
      continue;
    }
    ++i;
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // XML knows no control characters
    }
  }
  return result;
}

void warn_unless_told(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (std::size_t i = 0, length = 0; i < name.size(); i += length) {
    length = utf8_length(std::string_view(name).substr(i));
    if (length > 0) continue;
    log::warning(
        "{}: the names of its frames are not UTF-8, so that ParaView cannot find them; rename what "
        "was run",
        file.string());
    return;
  }
}

}  // namespace setka::io
