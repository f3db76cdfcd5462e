// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"

namespace setka::test {

/// A stream as another library would make it.
class ForeignStream {
 public:
  explicit ForeignStream(int ordinal);
  ForeignStream(const ForeignStream&) = delete;
  ForeignStream& operator=(const ForeignStream&) = delete;
  ~ForeignStream();

  void* handle() const { return handle_; }
  bool is_alive() const;  // takes work and does it

 private:
  void* handle_ = nullptr;
};

/// The cudaStream_t behind a stream.
void* native(const exec::Stream& stream);

}  // namespace setka::test
