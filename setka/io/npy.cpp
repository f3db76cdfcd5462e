// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/npy.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "setka/base/error.hpp"
#include "setka/io/detail/binary_header.hpp"
#include "setka/io/detail/npy_header.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// What the dictionary of a file says.
struct Header {
  std::string_view type;
  bool first_index_fastest = false;
  std::vector<std::int64_t> shape;
};

/// Reads {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } with its keys in any order.
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header read() {
    Header header;
    unsigned seen = 0;
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        header.type = quoted();
        seen |= 1U;
      } else if (key == "fortran_order") {
        header.first_index_fastest = boolean();
        seen |= 2U;
      } else if (key == "shape") {
        header.shape = tuple();
        seen |= 4U;
      } else {
        refuse(fmt::format("has the key '{}'", detail::shown(key)));
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (seen != 7U) refuse("lacks descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(Fault::input, fmt::format("the header of the array {}", what),
                "write the file by numpy.save, without structured types", {name_, 0});
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(fmt::format("is damaged: '{}' is missing", c));
  }
  std::string_view quoted() {
    if (!take('\'')) refuse("is damaged: a word in quotes is missing");
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) refuse("is damaged: a quote is not closed");
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    skip();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    refuse("is damaged: fortran_order is neither True nor False");
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> numbers;
    expect('(');
    while (!take(')')) {
      skip();
      std::int64_t number = -1;
      const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (status != std::errc() || number < 0) refuse("is damaged: a number of the shape");
      at_ = static_cast<std::size_t>(end - text_.data());
      numbers.push_back(number);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return numbers;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

template <class From>
void convert(std::string_view data, std::int64_t first, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(
        detail::number_at<From>(data, (static_cast<std::size_t>(first) + i) * sizeof(From)));
  }
}

template <class T>
void write(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
           std::span<const T> values) {
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  require(size == static_cast<std::int64_t>(values.size()), [&] {
    return fmt::format("write_npy: {} values of shape ({})", values.size(), fmt::join(shape, ", "));
  });
  OutputFile file(path);
  file.write(detail::npy_header(sizeof(T), shape));
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t first = 0; first < values.size(); first += piece)
    file.write(detail::bytes_of(values.data() + first, std::min(piece, values.size() - first)));
  file.commit();
}

}  // namespace

std::string detail::npy_header(std::size_t number_bytes, const std::vector<std::int64_t>& shape) {
  std::string dictionary = fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({},), }}",
                                       number_bytes, fmt::join(shape, ", "));
  if (shape.size() > 1) dictionary.erase(dictionary.rfind(",), }"), 1);
  const std::size_t used = magic.size() + 4 + dictionary.size() + 1;
  dictionary.append((64 - used % 64) % 64, ' ');
  dictionary += '\n';
  const auto length = static_cast<std::uint16_t>(dictionary.size());
  std::string header(magic);
  header += std::string_view("\x01\x00", 2);
  header += detail::bytes_of(&length, 1);
  return header + dictionary;
}

NpyFile::NpyFile(const std::filesystem::path& path) : file_(std::make_unique<TextFile>(path)) {
  const std::string name = path.string();
  const std::string_view bytes = file_->text();
  const auto refuse = [&](const std::string& what,
                          const std::string& remedy = "write the file by numpy.save") {
    throw Error(Fault::input, what, remedy, {name, 0});
  };
  if (bytes.substr(0, magic.size()) != magic || bytes.size() < 10)
    refuse("this is not an array of NumPy (.npy)");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) refuse(fmt::format("version {} of the .npy format is not known", version));
  const std::size_t begin = version == 1 ? 10 : 12;
  const std::size_t length = version == 1           ? detail::number_at<std::uint16_t>(bytes, 8)
                             : bytes.size() < begin ? 0
                                                    : detail::number_at<std::uint32_t>(bytes, 8);
  if (bytes.size() < begin + length) refuse("the file is cut off within its header");
  Header header = Dictionary(bytes.substr(begin, length), name).read();
  if (header.first_index_fastest)
    refuse("the array is in Fortran's order", "save numpy.ascontiguousarray(a)");
  if (header.type != "<f8" && header.type != "<f4" && header.type != "<i8" && header.type != "<i4" &&
      header.type != "|u1") {
    refuse(fmt::format("the array has numbers of type '{}'", detail::shown(header.type)),
           "save a.astype(float)");
  }
  kind_ = header.type[1];
  item_bytes_ = header.type[2] - '0';
  shape_ = std::move(header.shape);
  data_ = bytes.substr(begin + length);
  auto needed = static_cast<std::uint64_t>(item_bytes_);
  for (const std::int64_t extent : shape_) {
    if (extent != 0 &&
        needed > std::numeric_limits<std::uint64_t>::max() / 2 / static_cast<std::uint64_t>(extent))
      refuse("the array is too large for any file");
    needed *= static_cast<std::uint64_t>(extent);
  }
  if (data_.size() != needed) {
    refuse(fmt::format("the file {}: it has {} bytes of numbers, but shape ({}) needs {}",
                       data_.size() < needed ? "is cut off" : "has more than it should", data_.size(),
                       fmt::join(shape_, ", "), needed));
  }
}

NpyFile::~NpyFile() = default;

std::int64_t NpyFile::size() const {
  return static_cast<std::int64_t>(data_.size()) / item_bytes_;
}

std::size_t NpyFile::header_bytes() const {
  return static_cast<std::size_t>(data_.data() - file_->text().data());
}

template <class T>
std::span<const T> NpyFile::values_as() const {
  if (kind_ != 'f' || item_bytes_ != sizeof(T) ||
      reinterpret_cast<std::uintptr_t>(data_.data()) % alignof(T) != 0)
    return {};
  return {reinterpret_cast<const T*>(data_.data()), static_cast<std::size_t>(size())};
}

template std::span<const float> NpyFile::values_as<float>() const;
template std::span<const double> NpyFile::values_as<double>() const;

void NpyFile::read(std::int64_t first, std::span<double> values) const {
  require(first >= 0 && first + static_cast<std::int64_t>(values.size()) <= size(),
          "NpyFile::read: entries beyond the array");
  if (kind_ == 'f') {
    item_bytes_ == 8 ? convert<double>(data_, first, values) : convert<float>(data_, first, values);
  } else if (kind_ == 'i') {
    item_bytes_ == 8 ? convert<std::int64_t>(data_, first, values)
                     : convert<std::int32_t>(data_, first, values);
  } else {
    convert<std::uint8_t>(data_, first, values);
  }
}

void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
               std::span<const double> values) {
  write(path, shape, values);
}

void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
               std::span<const float> values) {
  write(path, shape, values);
}

}  // namespace setka::io
