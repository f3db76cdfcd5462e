// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/io/detail/reader.hpp"

namespace setka::io::detail {

/// OP of a load card: only that of the first card of its kind in a step counts, as in CalculiX.
void apply_operation(Reader& reader, const Card& card, bool& seen, bool& is_new);

/// Whether the card is of the imaginary part, LOAD CASE=2, which steady state dynamics alone has.
bool is_imaginary(Reader& reader, const Card& card);

}  // namespace setka::io::detail
