// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace setka::io {

/// An array of NumPy in a file, mapped to be changed: it takes no memory of its own, and what is written to
/// values() is in the file. float or double.
template <class T>
class NpyState {
 public:
  /// A new file of zeros. Its room on the disk is taken at once: where that fails it is an
  /// Error(Fault::resource), and nothing is left behind.
  static NpyState create(const std::filesystem::path& path, const std::vector<std::int64_t>& shape);

  /// A new file with the values of another; Error(Fault::input) that names that one unless it is of that
  /// shape and type.
  static NpyState copy_of(const std::filesystem::path& other, const std::filesystem::path& path,
                          const std::vector<std::int64_t>& shape);

  NpyState(NpyState&& other) noexcept;
  NpyState& operator=(NpyState&&) = delete;
  NpyState(const NpyState&) = delete;
  NpyState& operator=(const NpyState&) = delete;
  ~NpyState();

  const std::filesystem::path& path() const { return path_; }
  std::span<T> values() const { return values_; }

  /// Brings what was written to the disk and gives the file another name, in the place of what had it.
  void rename(const std::filesystem::path& path);

 private:
  NpyState(std::filesystem::path path, int descriptor, std::size_t header_bytes, std::size_t count);

  std::filesystem::path path_;
  void* mapped_ = nullptr;
  std::size_t bytes_ = 0;
  std::span<T> values_;
};

}  // namespace setka::io
