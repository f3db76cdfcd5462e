// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka {

/// From now on the first SIGINT or SIGTERM is remembered instead of ending the process; the second one ends
/// it.
void catch_interrupts();

/// Whether a signal has come since catch_interrupts(). Cheap; safe from any thread.
bool interrupted();

/// Throws Error(Fault::interrupted) when a signal has come. Long loops call it through Stage::advance().
void throw_if_interrupted();

}  // namespace setka
