// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace setka {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Asks the system to put memory that nobody has written to yet on huge pages, where it lies on several of
/// them. A page is cleared when it is first written to, and 512 small ones take three times as long as one
/// huge page; a stream through memory then looks up an address less often, too. A wish: without it all works
/// as well.
void prefer_huge_pages(void* data, std::size_t bytes);

}  // namespace setka
