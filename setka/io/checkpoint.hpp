// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "setka/base/error.hpp"

namespace setka::io {

/// What a run needs to go on after an interruption: named parts, and the model they belong to (0: a part
/// tells that, as of cases on grids). On the disk: "SETKACP1", the version of Setka, the hash of the model,
/// the parts with their lengths, a CRC; in the byte order of the machine, for this machine and its like.
struct Checkpoint {
  std::uint64_t model = 0;
  std::map<std::string, std::string> parts;

  template <class T>
  void put(const std::string& name, const std::vector<T>& values) {
    put(name, std::span<const T>(values));
  }
  template <class T>
  void put(const std::string& name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    parts[name].assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  template <class T>
  std::vector<T> get(const std::string& name) const {
    const std::string& bytes = part(name);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

  /// Error(Fault::input) where there is none.
  const std::string& part(const std::string& name) const;
};

/// Under its name when it is whole and on the disk; the one before stays until then.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Error(Fault::input) where there is none, where it is damaged, and where another version of Setka or
/// another model wrote it; without a model, one of any.
Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t model);
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// Throws Error(Fault::input): the run cannot go on from that file.
[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, const std::string& what);

}  // namespace setka::io
