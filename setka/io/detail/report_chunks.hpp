// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/io/report_surface.hpp"
#include "setka/model/model.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::io::detail {

/// The elements of a model by what can be switched on and off.
struct ReportChunks {
  std::vector<ReportPart> parts;
  std::vector<std::vector<std::int32_t>> parts_of_chunk;
  std::vector<std::int32_t> of_element;  // [elements that are shown]
  bool sets_left_out = false;
};

ReportChunks report_chunks(const model::Model& model, const model::ShownSolids* shown);

}  // namespace setka::io::detail
