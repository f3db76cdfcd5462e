// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "setka/domains/ranks.hpp"

namespace setka::app {

/// The processes that run the command together; null: it runs alone.
const domains::Ranks* ranks();
void set_ranks(const domains::Ranks* ranks);

/// Whether another process prints what there is to print.
bool speaks_not();

/// Bytes of the process that has taken most; asked for by all of them.
std::uint64_t most_memory();
/// "63.8 MiB of memory a process"
std::string most_memory_in_words();

/// Error(Fault::input) where machines have different files of these names, of which one is the deck.
void require_same_files(const std::filesystem::path& deck, const std::vector<std::string>& files);

/// Whether mpirun or its like started this process, with others.
bool started_by_mpi();

/// What the command line has after --petsc, before it is parsed: PETSc is told when it starts, and one
/// process may compute by it as well.
std::optional<std::string> petsc_options(int argc, char** argv);

/// The program for many processes, which stands beside this one, takes its place; returns only where there is
/// none, with the exit code, after a message.
int become_setka_mpi(char** argv);

}  // namespace setka::app
