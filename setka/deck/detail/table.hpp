// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {

/// Rows of `count` constants, eight a line, and a temperature after the last; rising temperatures.
model::Table read_table(Reader& reader, const Card& card, int count);

}  // namespace setka::deck::detail
