// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <zlib.h>

#include "io/scratch_folder.hpp"

namespace setka::test {

/// A .vtu as Setka writes it, read back.
class VtuFile {
 public:
  explicit VtuFile(const std::filesystem::path& path)
      : text_(content(path)), data_(text_.find('_', text_.find("<AppendedData")) + 1) {}

  /// The numbers of an array, T as in the file.
  template <class T>
  std::vector<T> array(const std::string& name) const {
    const std::size_t at = text_.find(" Name=\"" + name + "\"");
    if (at == std::string::npos) throw std::runtime_error("no array " + name);
    constexpr const char* offset = "offset=\"";
    const std::size_t from = data_ + std::strtoull(text_.c_str() + text_.find(offset, at) + 8, nullptr, 10);
    const auto size = [&](std::size_t i) {
      std::uint64_t value = 0;
      std::memcpy(&value, text_.data() + from + i * sizeof value, sizeof value);
      return static_cast<std::size_t>(value);
    };
    const std::size_t blocks = size(0);
    std::string bytes;
    std::size_t block = from + (3 + blocks) * sizeof(std::uint64_t);
    for (std::size_t b = 0; b < blocks; ++b) {
      uLongf length = b + 1 < blocks || size(2) == 0 ? size(1) : size(2);
      std::string plain(length, '\0');
      if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &length,
                     reinterpret_cast<const Bytef*>(text_.data() + block), size(3 + b)) != Z_OK)
        throw std::runtime_error(name + " is damaged");
      bytes += plain;
      block += size(3 + b);
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  /// By the user's numbers of nodes: what each has of a field.
  std::map<std::int32_t, std::vector<double>> by_node(const std::string& field) const {
    const auto labels = array<std::int32_t>("NodeNumber");
    const auto values = array<double>(field);
    const std::size_t components = labels.empty() ? 0 : values.size() / labels.size();
    std::map<std::int32_t, std::vector<double>> found;
    for (std::size_t n = 0; n < labels.size(); ++n) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(n * components);
      found[labels[n]].assign(first, first + static_cast<std::ptrdiff_t>(components));
    }
    return found;
  }

  /// By the user's numbers of elements: those of their nodes, in VTK's order.
  std::map<std::int32_t, std::vector<std::int32_t>> elements() const {
    const auto labels = array<std::int32_t>("ElementNumber");
    const auto node_labels = array<std::int32_t>("NodeNumber");
    const auto nodes = array<std::int32_t>("connectivity");
    const auto ends = array<std::int64_t>("offsets");
    std::map<std::int32_t, std::vector<std::int32_t>> found;
    std::size_t i = 0;
    for (std::size_t e = 0; e < labels.size(); ++e) {
      for (; i < static_cast<std::size_t>(ends[e]); ++i)
        found[labels[e]].push_back(node_labels.at(static_cast<std::size_t>(nodes[i])));
    }
    return found;
  }

 private:
  std::string text_;
  std::size_t data_;
};

/// The files that a .pvtu lists, in their order.
inline std::vector<std::filesystem::path> pieces_in(const std::filesystem::path& pvtu) {
  const std::string text = content(pvtu);
  const std::string before = "<Piece Source=\"";
  std::vector<std::filesystem::path> found;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    at += before.size();
    found.push_back(pvtu.parent_path() / text.substr(at, text.find('"', at) - at));
  }
  return found;
}

}  // namespace setka::test
