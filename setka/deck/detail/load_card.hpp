// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {

/// OP of a load card: only that of the first card of its kind in a step counts, as in CalculiX.
void apply_operation(Reader& reader, const Card& card, bool& seen, bool& is_new);

/// Whether the card is of the imaginary part, LOAD CASE=2, which steady state dynamics alone has.
bool is_imaginary(Reader& reader, const Card& card);

/// SECTOR of a card: the sector of *CYCLIC SYMMETRY MODEL that its loads act on, 1 unless given. Sums of
/// modes by nodal diameters alone have it.
std::int32_t sector_of(Reader& reader, const Card& card);

/// A field that is 1 to `last`; beyond 3 are those that a card knows and does not use.
std::int32_t degree_of_freedom(const Reader& reader, std::string_view field, Line line,
                               std::string_view asked_by, int last = 3);

/// A line of a node or a node set, a degree of freedom and a value, 0 unless given.
struct DofValue {
  std::string_view who;
  std::int32_t direction;
  double value;
};
DofValue dof_value(const Reader& reader, const DataLines& lines, std::string_view asked_by,
                   std::string_view what, int last = 3);

}  // namespace setka::deck::detail
