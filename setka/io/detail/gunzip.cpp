// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::io::detail {
namespace {

constexpr std::size_t window = std::size_t{1} << 22;  // bytes that zlib gets and gives at a time

[[noreturn]] void fail(const std::string& name, std::string message) {
  throw Error(Fault::input, std::move(message), "copy or compress the file again", {name, 0});
}

class Inflater {
 public:
  Inflater() {
    constexpr int gzip = 15 + 16;  // largest window, with gzip's header
    if (inflateInit2(&stream_, gzip) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream* operator->() { return &stream_; }
  int inflate() { return ::inflate(&stream_, Z_NO_FLUSH); }
  void begin_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

}  // namespace

std::string gunzip(std::string_view bytes, const std::string& name, std::uint64_t most, Monitor& monitor) {
  Stage stage = monitor.stage("unpack", static_cast<std::int64_t>(bytes.size()), "B");
  Inflater inflater;
  std::string out;
  std::string block(std::min(window, 8 * bytes.size() + 4096), '\0');
  std::size_t at = 0;  // behind what zlib has taken
  for (bool whole = false; !whole;) {
    const std::size_t given = std::min(bytes.size() - at, window);
    inflater->next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + at));  // read only
    inflater->avail_in = static_cast<uInt>(given);
    inflater->next_out = reinterpret_cast<Bytef*>(block.data());
    inflater->avail_out = static_cast<uInt>(block.size());
    const int status = inflater.inflate();
    const std::size_t taken = given - inflater->avail_in;
    const std::size_t made = block.size() - inflater->avail_out;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail(name, fmt::format("the compressed data are damaged near byte {}", at + taken + 1));
    }
    if (out.size() + made > most) {
      throw Error(
          Fault::resource,
          fmt::format("unpacks to more than {}, which is what memory has room for", format_bytes(most)),
          "use a machine with more memory", {name, 0});
    }
    out.append(block.data(), made);
    at += taken;
    stage.advance(static_cast<std::int64_t>(taken));
    if (status == Z_STREAM_END) {
      whole = at == bytes.size();
      if (!whole && !is_gzip(bytes.substr(at)))
        fail(name, fmt::format("byte {} does not belong to the compressed data before it", at + 1));
      if (!whole) inflater.begin_member();
    } else if (taken == 0 && made == 0) {
      fail(name, "the compressed data are cut short");
    }
  }
  return out;
}

}  // namespace setka::io::detail
