// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>

#include "setka/exec/transport.hpp"

namespace setka::exec {

/// After what each member has done for itself, called by all: where one has failed all throw its Error, so
/// that nobody waits for it and each can leave its place in order. own: what this one has caught; null: none.
void throw_together(const Transport& transport, const std::exception_ptr& own);

}  // namespace setka::exec
