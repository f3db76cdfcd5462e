// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {

/// The points a and b of *ORIENTATION and *TRANSFORM; of the former also the turn about a local axis.
void read_local_system(Reader& reader, const Card& card, model::LocalSystem& system);

}  // namespace setka::deck::detail
