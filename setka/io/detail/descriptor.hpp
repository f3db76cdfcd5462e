// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

namespace setka::io::detail {

/// An open file; closed with it. Negative: none.
struct Descriptor {
  int number;

  explicit Descriptor(int file) : number(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace setka::io::detail
