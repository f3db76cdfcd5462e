// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

/// Sorts keys upwards in place and takes the values along; equal keys keep their order. Radix sort: linear in
/// the number of entries, with scratch memory for a second copy. Keys and values are std::int32_t or
/// std::int64_t.
template <class Key, class Value>
void sort_by_key(const Stream& stream, ViewOf<Key> keys, ViewOf<Value> values);

}  // namespace setka::exec
