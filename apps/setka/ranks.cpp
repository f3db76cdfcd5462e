// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/letter.hpp"
#include "setka/exec/throw_together.hpp"
#include "setka/io/output_file.hpp"
#include "standard_streams.hpp"

namespace setka::app {
namespace {

const domains::Ranks* of_command = nullptr;

int number_in(const char* variable, int without) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? without : std::atoi(text);
}

}  // namespace

const domains::Ranks* ranks() {
  return of_command;
}

void set_ranks(const domains::Ranks* ranks) {
  of_command = ranks;
}

bool speaks_not() {
  return of_command != nullptr && of_command->number() != 0;
}

std::uint64_t most_memory() {
  const auto own = static_cast<double>(peak_resident_bytes());
  if (of_command == nullptr) return static_cast<std::uint64_t>(own);
  return static_cast<std::uint64_t>(std::ranges::max(of_command->transport()->gather({&own, 1})));
}

std::string most_memory_in_words() {
  return fmt::format("{} of memory{}", format_bytes(most_memory()),
                     of_command == nullptr ? "" : " a process");
}

void require_shared_folder(const std::filesystem::path& deck) {
  const auto told = [](const std::string& text) { return std::vector<char>(text.begin(), text.end()); };
  const auto taken = [](const std::vector<char>& text) { return std::string(text.begin(), text.end()); };
  std::optional<io::OutputFile> seen;  // until all have looked for it
  exec::Letter letter;
  fail_together_in([&] {
    if (speaks_not()) return;
    std::filesystem::path path = deck;
    seen.emplace(path.replace_extension(shared_ending));
    letter.put(told(seen->part().filename().string()));
    letter.put(told(machine_name()));
  });
  letter = of_command->transport()->from_first(letter);
  const std::filesystem::path file = deck.parent_path() / taken(letter.take<char>());
  const std::string machine = taken(letter.take<char>());
  fail_together_in([&] {
    std::error_code reason;
    if (std::filesystem::exists(file, reason)) return;
    throw Error(
        Fault::resource,
        fmt::format("{} on {} is not the folder of that name on {}, where the first process runs: "
                    "pieces of results would not come together",
                    std::filesystem::absolute(deck, reason).parent_path().string(), machine_name(), machine),
        "run the deck in a folder that the machines share");
  });
}

void fail_together_in(const std::function<void()>& work) {
  if (of_command == nullptr) {
    work();
    return;
  }
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  exec::throw_together(*of_command->transport(), failure);
}

bool started_by_mpi() {
  // Open MPI; MPICH, Intel MPI and Slurm's PMI.
  return number_in("OMPI_COMM_WORLD_SIZE", 1) > 1 || number_in("PMI_SIZE", 1) > 1;
}

std::optional<std::string> petsc_options(int argc, char** argv) {
  constexpr std::string_view option = "--petsc";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == option) return i + 1 < argc ? argv[i + 1] : "";
    if (word.starts_with(option) && word[option.size()] == '=')
      return std::string(word.substr(option.size() + 1));
  }
  return std::nullopt;
}

int become_setka_mpi(char** argv) {
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string program = (self.parent_path() / "setka-mpi").string();
  execv(program.c_str(), argv);
  if (number_in("OMPI_COMM_WORLD_RANK", number_in("PMI_RANK", 0)) != 0)
    return static_cast<int>(ExitCode::usage);
  const int size = number_in("OMPI_COMM_WORLD_SIZE", number_in("PMI_SIZE", 1));
  return fail(
      ExitCode::usage,
      fmt::format("{}, and this build of setka has no PETSc: {} is not there; install libpetsc-real-dev and "
                  "libslepc-real-dev and build it again, or run setka by itself",
                  size > 1 ? fmt::format("mpirun has started {} processes", size) : "--petsc is given",
                  program)
          .c_str());
}

}  // namespace setka::app
