// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/monitor.hpp"

namespace setka::fuzz {

/// Whatever the bytes are, reading ends with a model or with an Error of the input; all else is a find.
template <class Read>
int refuse_or_read(Read read) {
  log::set_level(log::Level::off);
  try {
    Monitor monitor;
    read(monitor);
  } catch (const Error& error) {
    if (error.fault() != Fault::input) std::abort();
  }
  return 0;
}

}  // namespace setka::fuzz
