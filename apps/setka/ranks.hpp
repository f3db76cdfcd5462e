// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

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

/// Of the file by which processes see whether they share a folder, while they do; beside DECK.dat.
inline constexpr const char* shared_ending = ".shared";

/// Error(Fault::resource) where what processes write beside the deck would lie in different folders.
void require_shared_folder(const std::filesystem::path& deck);

/// Does what each process does for itself, and fails in all of them where it fails in one.
void fail_together_in(const std::function<void()>& work);

/// Whether mpirun or its like started this process, with others.
bool started_by_mpi();

/// What the command line has after --petsc, before it is parsed: PETSc is told when it starts, and one
/// process may compute by it as well.
std::optional<std::string> petsc_options(int argc, char** argv);

/// The program for many processes, which stands beside this one, takes its place; returns only where there is
/// none, with the exit code, after a message.
int become_setka_mpi(char** argv);

}  // namespace setka::app
