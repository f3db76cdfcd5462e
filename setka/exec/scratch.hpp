// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "setka/exec/detail/backend.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

/// Memory for the time of one operation on a stream, taken from blocks the stream keeps. Cheap to make and to
/// drop in a loop; to be used on that stream alone. Not initialised.
template <class T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds plain values");

 public:
  Scratch(const Stream& stream, std::int64_t size)
      : stream_(stream),
        size_(size),
        block_(stream_.state().take_scratch(static_cast<std::size_t>(size) * sizeof(T))) {}
  Scratch(Scratch&& other) noexcept
      : stream_(other.stream_),
        size_(std::exchange(other.size_, 0)),
        block_(std::exchange(other.block_, {})) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { stream_.state().give_back_scratch(block_); }

  std::int64_t size() const { return size_; }
  T* data() const { return static_cast<T*>(block_.data); }
  View<T> view() const { return {data(), size_}; }
  // NOLINTNEXTLINE(google-explicit-constructor): operations take views
  operator View<T>() const { return view(); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator View<const T>() const { return view(); }

 private:
  Stream stream_;
  std::int64_t size_;
  detail::StreamState::Block block_;
};

}  // namespace setka::exec
