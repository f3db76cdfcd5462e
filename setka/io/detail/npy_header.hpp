// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace setka::io::detail {

/// What stands before the numbers of an array of NumPy, floats of so many bytes; a multiple of 64 bytes, so
/// that the numbers can be mapped.
std::string npy_header(std::size_t number_bytes, const std::vector<std::int64_t>& shape);

}  // namespace setka::io::detail
