// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/io/detail/record_text.hpp"
#include "setka/io/record.hpp"

namespace setka::io::detail {

/// An AT2 file of the PEER ground motion database.
Record read_peer_record(RecordLines lines);

}  // namespace setka::io::detail
