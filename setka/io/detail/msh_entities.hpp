// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/io/detail/msh_content.hpp"
#include "setka/io/detail/msh_source.hpp"

namespace setka::io::detail {

/// The number of a physical group, whichever way round.
std::int32_t msh_group(const MshSource& in, std::int64_t tag);

/// The physical groups of entities.
void read_msh_entities(MshSource& in, MshContent& content);

/// Entities cut by partitions, which the elements of the file are of then: their groups and partitions.
void read_msh_partitioned_entities(MshSource& in, MshContent& content);

}  // namespace setka::io::detail
