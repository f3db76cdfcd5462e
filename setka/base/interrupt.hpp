// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka {

/// From now on the first SIGINT or SIGTERM is remembered instead of ending the process, and a line on
/// standard error says so; the second one, whichever of the two it is, ends the process.
void catch_interrupts();

/// Whether a signal has come since catch_interrupts(). Cheap; safe from any thread.
bool interrupted();

/// Throws Error(Fault::interrupted) when a signal has come. Long loops call it through Stage::advance(), or
/// themselves where they have no stage; not for use inside an OpenMP loop, which an exception must not leave.
void throw_if_interrupted();

}  // namespace setka
