// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::io::detail {

/// Thrown where toml++ meets what it holds for impossible.
struct NotToml {};

[[noreturn]] inline void refuse_toml() {
  throw NotToml();
}

}  // namespace setka::io::detail

// toml++ 3.3 takes some malformed keys for impossible: it stops the program where assertions are on, and goes
// on with anything where they are off. Here they are errors of the file, in every build.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : ::setka::io::detail::refuse_toml())
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
