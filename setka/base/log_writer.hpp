// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>

#include "setka/base/log.hpp"

namespace setka::log {

/// Takes a message that is to be shown, without a line end.
using Writer = std::function<void(Level level, std::string_view message)>;

/// Sends the log there instead of to standard error; an empty one brings it back. To be called before other
/// threads log.
void set_writer(Writer writer);

}  // namespace setka::log
