// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtk_data.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/io/detail/rows.hpp"

namespace setka::io {
namespace {

/// The format stores up to 65535 bytes at a time; these are whole numbers, vectors and tensors.
constexpr std::size_t chunk_size = 65520;
constexpr std::size_t block_size = 4 * chunk_size;  // a field of some ten thousand nodes has several
constexpr int level = 1;  // floating point numbers gain little from more, and cost much

// Around what is stored: of a block, and of each chunk in it (RFC 1950 and 1951).
constexpr std::array<unsigned char, 2> block_head{0x78, 0x01};
constexpr std::size_t chunk_head_size = 5;
constexpr std::size_t checksum_size = 4;

std::size_t chunks_of(std::size_t bytes) {
  return (bytes + chunk_size - 1) / chunk_size;
}

std::size_t stored_size(std::size_t bytes) {
  return block_head.size() + chunks_of(bytes) * chunk_head_size + bytes + checksum_size;
}

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

ArraySource numbers_in(std::span<const std::byte> bytes) {
  return {bytes.size(), [bytes](std::size_t first, std::span<std::byte> part) {
            std::memcpy(part.data(), bytes.data() + first, part.size());
          }};
}

VtkArray::VtkArray(const ArrayForm& form, ArraySource source)
    : attributes_(fmt::format(R"(type="{}" Name="{}" NumberOfComponents="{}")", form.type,
                              xml_escaped(form.name), form.components)),
      source_(std::move(source)) {
  for (std::size_t i = 0; i < form.component_names.size(); ++i)
    fmt::format_to(std::back_inserter(attributes_), R"( ComponentName{}="{}")", i, form.component_names[i]);
  const std::size_t blocks = (source_.size + block_size - 1) / block_size;
  header_ = {blocks, block_size, source_.size % block_size};  // last: 0 where it is full
  if (blocks == 0) return;
  const std::size_t sample = blocks / 2;
  if (3 * compressed_block(sample).size() <= 2 * bytes_of_block(sample)) {
    compressed_.resize(blocks);
    bool failed = false;
#pragma omp parallel for schedule(dynamic) reduction(|| : failed) if (blocks > 1)
    for (std::size_t b = 0; b < blocks; ++b) {
      try {
        compressed_[b] = compressed_block(b);
      } catch (const std::exception&) {
        failed = true;
      }
    }
    if (failed) throw Error(Fault::resource, "zlib could not compress: out of memory");
    source_.fill = {};
  }
  for (std::size_t b = 0; b < blocks; ++b)
    header_.push_back(compressed_.empty() ? stored_size(bytes_of_block(b)) : compressed_[b].size());
}

std::size_t VtkArray::bytes_of_block(std::size_t block) const {
  return std::min(block_size, source_.size - block * block_size);
}

std::string VtkArray::compressed_block(std::size_t block) const {
  std::vector<std::byte> plain(bytes_of_block(block));
  source_.fill(block * block_size, plain);
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string text(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(text.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                static_cast<uLong>(plain.size()), level);
  if (status != Z_OK) throw Error(Fault::resource, "zlib could not compress: out of memory");
  return text.substr(0, size);
}

void VtkArray::put_stored_block(std::size_t block, char* at) const {
  const std::size_t bytes = bytes_of_block(block);
  const auto put = [&](std::size_t value) { *at++ = static_cast<char>(value & 0xff); };
  for (const unsigned char byte : block_head) put(byte);
  uLong checksum = adler32(0, nullptr, 0);
  for (std::size_t first = 0; first < bytes; first += chunk_size) {
    const std::size_t length = std::min(chunk_size, bytes - first);
    put(first + length == bytes ? 1 : 0);
    for (const std::size_t sized : {length, ~length}) {
      put(sized);
      put(sized >> 8);
    }
    source_.fill(block * block_size + first, {reinterpret_cast<std::byte*>(at), length});
    checksum = adler32(checksum, reinterpret_cast<const Bytef*>(at), static_cast<uInt>(length));
    at += length;
  }
  for (const int shift : {24, 16, 8, 0}) put(checksum >> shift);
}

std::uint64_t VtkArray::size() const {
  return std::accumulate(header_.begin() + 3, header_.end(), sizeof(std::uint64_t) * header_.size());
}

std::string VtkArray::element(std::uint64_t offset) const {
  return fmt::format("<DataArray {} format=\"appended\" offset=\"{}\"/>\n", attributes_, offset);
}

std::string VtkArray::declaration() const {
  return fmt::format("<PDataArray {}/>\n", attributes_);
}

void VtkArray::write(OutputFile& file) const {
  const auto header = std::as_bytes(std::span(header_));
  file.write({reinterpret_cast<const char*>(header.data()), header.size()});
  for (const std::string& block : compressed_) file.write(block);
  if (!compressed_.empty()) return;
  detail::write_in_order(file, header_[0], [&](std::string& text, std::size_t block) {
    const std::size_t size = stored_size(bytes_of_block(block));
    if (text.size() < size) text.resize(size);
    put_stored_block(block, text.data());
    return size;
  });
}

std::string VtkArrays::add(const VtkArray& array) {
  std::string text = array.element(size_);
  arrays_.push_back(&array);
  size_ += array.size();
  return text;
}

void VtkArrays::write(OutputFile& file) const {
  file.write("<AppendedData encoding=\"raw\">\n_");
  for (const VtkArray* array : arrays_) array->write(file);
  file.write("\n</AppendedData>\n");
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
