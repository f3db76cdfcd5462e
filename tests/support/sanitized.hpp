// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::test {

/// Whether this is the build with sanitizers, under which large systems take minutes and reach nothing that
/// small ones do not.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace setka::test
