// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"

namespace setka::exec {

/// Values that one member of a team writes to another, of whatever types: they are taken out in the order in
/// which they were put in.
class Letter {
 public:
  Letter() = default;
  explicit Letter(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  void put(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t count = values.size();
    append(&count, sizeof count);
    append(values.data(), values.size_bytes());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }
  template <class T>
  void put_one(const T& value) {
    put(std::span<const T>(&value, 1));
  }

  template <class T>
  std::vector<T> take() {
    std::size_t count = 0;
    copy_out(&count, sizeof count);
    std::vector<T> values(count);
    copy_out(values.data(), count * sizeof(T));
    return values;
  }
  template <class T>
  T take_one() {
    std::size_t count = 0;
    copy_out(&count, sizeof count);
    require(count == 1, "Letter: one value is expected, and there are others");
    T value{};
    copy_out(&value, sizeof value);
    return value;
  }

  /// A value of any type that is copied byte by byte, a vector of those, an optional one, a pair, or what
  /// names its parts by std::tie() in parts().
  template <class T>
  void write(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      put_one(value);
    } else if constexpr (requires { value.parts(); }) {
      std::apply([&](auto&... part) { (write(part), ...); }, value.parts());
    } else if constexpr (requires { value.has_value(); }) {
      put_one(value.has_value());
      if (value) write(*value);
    } else if constexpr (requires { value.first; }) {
      write(value.first);
      write(value.second);
    } else {
      put(value);
    }
  }
  template <class T>
  void read(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      value = take_one<T>();
    } else if constexpr (requires { value.parts(); }) {
      std::apply([&](auto&... part) { (read(part), ...); }, value.parts());
    } else if constexpr (requires { value.has_value(); }) {
      value.reset();
      if (take_one<bool>()) read(value.emplace());
    } else if constexpr (requires { value.first; }) {
      read(value.first);
      read(value.second);
    } else {
      value = take<typename T::value_type>();
    }
  }

  bool empty() const { return bytes_.empty(); }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + size);
    std::memcpy(bytes_.data() + before, from, size);
  }
  void copy_out(void* to, std::size_t size) {
    require(size <= bytes_.size() - read_, "Letter: there is less in it than is expected");
    if (size > 0) std::memcpy(to, bytes_.data() + read_, size);
    read_ += size;
  }

  std::vector<std::byte> bytes_;
  std::size_t read_ = 0;
};

}  // namespace setka::exec
