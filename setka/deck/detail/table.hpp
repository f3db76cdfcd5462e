// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {

/// The one that properties after *MATERIAL belong to.
model::Material& current_material(Reader& reader, const Card& card);

/// TYPE of *EXPANSION and *CONDUCTIVITY, and how many constants it has.
struct TensorForm {
  model::TensorKind kind = model::TensorKind::isotropic;
  int constants = 1;
};
TensorForm tensor_form(const Reader& reader, const Card& card);

/// Rows of `count` constants, eight a line, and a temperature after the last; rising temperatures.
model::Table read_table(Reader& reader, const Card& card, int count);

}  // namespace setka::deck::detail
