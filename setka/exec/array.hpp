// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/detail/backend.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

using detail::Memory;

/// Owns memory for a number of values on one Device. New memory is not initialised (debug builds fill it with
/// 0xFF: NaN, -1). Moves, never copies by itself; on a GPU making and freeing one waits for the device, so
/// hot loops use Scratch instead. Memory that somebody else made can be adopted.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds plain values");

 public:
  explicit Array(Device device, std::int64_t size = 0, Memory memory = Memory::device)
      : device_(std::move(device)), memory_(memory), size_(size) {
    require(
        size >= 0 && size <= std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(T)),
        "Array: the size is negative or does not fit in memory");
    require(memory == Memory::device || !device_.is_cuda(),
            "Array: pinned memory is host memory; give a CPU device");
    data_ = static_cast<T*>(device_.state().allocate(bytes(), memory_));
#ifndef NDEBUG
    if (size > 0) device_.stream().state().fill_bytes(data_, 0xFF, bytes());
#endif
  }

  /// The values of a host range, on the device.
  Array(Device device, std::span<const T> values)
      : Array(std::move(device), static_cast<std::int64_t>(values.size())) {
    copy(View<const T>{values.data(), size_}, *this);
  }
  Array(Device device, const std::vector<T>& values) : Array(std::move(device), std::span<const T>(values)) {}

  /// Values that lie in somebody else's memory, as they are. It stays theirs until release() is called: once,
  /// by the last owner of this Array, when all work on the device is done; on a failed device too, and it
  /// must not throw. Without it the memory is lent: it has to outlive the Array, and what is in flight when
  /// the Array goes is the lender's to wait for. It counts neither for memory_peak() nor for limit_memory().
  /// Throws Error, and does not call release(), for memory that the device does not reach.
  static Array adopt(Device device, T* data, std::int64_t size, const std::function<void()>& release = {}) {
    Array array(std::move(device));
    require(size >= 0 && (size == 0 || data != nullptr), "Array::adopt: no memory, or a negative size");
    require(reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0,
            "Array::adopt: the memory is not aligned for its values");
    require(size == 0 || array.device_.reaches(data),
            [&] { return "Array::adopt: the memory is not one that " + array.device_.label() + " reaches"; });
    array.adopted_ = true;
    array.size_ = size;
    array.data_ = data;
    array.release_ = release;
    return array;
  }

  Array(Array&& other) noexcept
      : device_(std::move(other.device_)),
        memory_(other.memory_),
        size_(std::exchange(other.size_, 0)),
        data_(std::exchange(other.data_, nullptr)),
        adopted_(std::exchange(other.adopted_, false)),
        release_(std::exchange(other.release_, nullptr)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    std::swap(adopted_, other.adopted_);
    std::swap(release_, other.release_);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() {
    if (adopted_) {
      give_back();
    } else if (data_ != nullptr) {
      device_.state().free(data_, bytes(), memory_);
    }
  }

  const Device& device() const {
    return device_;
  }
  std::int64_t size() const {
    return size_;
  }
  bool empty() const {
    return size_ == 0;
  }
  /// Whether the memory is somebody else's.
  bool adopted() const {
    return adopted_;
  }
  std::size_t bytes() const {
    return static_cast<std::size_t>(size_) * sizeof(T);
  }
  T* data() {
    return data_;
  }
  const T* data() const {
    return data_;
  }

  View<T> view() {
    return {data_, size_};
  }
  View<const T> view() const {
    return {data_, size_};
  }
  // NOLINTNEXTLINE(google-explicit-constructor): operations take views
  operator View<T>() {
    return view();
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator View<const T>() const {
    return view();
  }

  /// The values of an Array on the CPU, as a range. Throws for a GPU's.
  std::span<T> host() {
    require(!device_.is_cuda(), "Array::host: the values are on a GPU; copy them with to_vector() or to()");
    return {data_, static_cast<std::size_t>(size_)};
  }
  std::span<const T> host() const {
    return const_cast<Array*>(this)->host();
  }

  /// A copy on the host; waits for it.
  std::vector<T> to_vector() const {
    std::vector<T> values(static_cast<std::size_t>(size_));
    copy(*this, View<T>{values.data(), size_});
    return values;
  }

  /// A copy on a device, the same or another.
  Array to(const Device& target) const& {
    Array other(target, size_);
    copy(*this, other);
    return other;
  }
  /// Of an Array that is not needed any more: itself when it is there already.
  Array to(const Device& target) && {
    if (target == device_) return std::move(*this);
    return std::as_const(*this).to(target);
  }

 private:
  void give_back() noexcept {
    if (!release_) return;
    try {
      device_.synchronize();
    } catch (...) {  // a kernel had failed; whoever waits for the device next hears of it
    }
    release_();
  }

  Device device_;
  Memory memory_;
  std::int64_t size_;
  T* data_ = nullptr;
  bool adopted_ = false;
  std::function<void()> release_;  // of adopted memory
};

/// Host memory that GPUs copy from and to at full speed and asynchronously; plain memory where there is no
/// GPU.
template <class T>
Array<T> pinned_array(const Device& cpu, std::int64_t size) {
  return Array<T>(cpu, size, Memory::pinned);
}

/// Host memory for what comes from a device and goes there: pinned for a GPU. The first pinned memory wakes
/// the GPUs, for a quarter of a second, which a computation on the CPU is spared so.
template <class T>
Array<T> host_array_for(const Device& device, std::int64_t size) {
  return Array<T>(Device::cpu(1), size, device.is_cuda() ? Memory::pinned : Memory::device);
}

/// Dense columns stored row by row, [rows, columns], last index fastest.
template <class T>
class MultiVector {
 public:
  MultiVector(Device device, std::int64_t rows, std::int64_t columns)
      : values_(std::move(device), rows * columns), rows_(rows), columns_(columns) {}
  MultiVector(Device device, std::int64_t rows, std::int64_t columns, const std::vector<T>& values)
      : values_(std::move(device), values), rows_(rows), columns_(columns) {
    require(values_.size() == rows * columns, "MultiVector: the number of values is not rows x columns");
  }
  /// Of values that are there already, adopted ones for instance.
  MultiVector(Array<T> values, std::int64_t rows, std::int64_t columns)
      : values_(std::move(values)), rows_(rows), columns_(columns) {
    require(values_.size() == rows * columns, "MultiVector: the number of values is not rows x columns");
  }

  const Device& device() const { return values_.device(); }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  Array<T>& values() { return values_; }
  const Array<T>& values() const { return values_; }

  MultiView<T> view() { return {values_.data(), rows_, columns_, columns_}; }
  MultiView<const T> view() const { return {values_.data(), rows_, columns_, columns_}; }
  // NOLINTNEXTLINE(google-explicit-constructor): operations take views
  operator MultiView<T>() { return view(); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator MultiView<const T>() const { return view(); }

 private:
  Array<T> values_;
  std::int64_t rows_;
  std::int64_t columns_;
};

template <class T>
void copy(const Array<T>& from, Array<T>& to) {
  detail::check_copy(from.size(), to.size());
  detail::copy_between(from.device(), from.data(), to.device(), to.data(), from.bytes());
}

template <class T>
void copy(const Array<T>& from, View<T> host) {
  detail::check_copy(from.size(), host.size);
  detail::copy_to_host(from.device(), from.data(), host.data, from.bytes());
}

template <class T>
void copy(View<const T> host, Array<T>& to) {
  detail::check_copy(host.size, to.size());
  detail::copy_from_host(host.data, to.device(), to.data(), to.bytes());
}

}  // namespace setka::exec
