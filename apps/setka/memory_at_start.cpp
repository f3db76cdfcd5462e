// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory for libraries to set themselves up, before main(): libgfortran, which BLAS brings along, calls
// itself without an end where it gets none. So there is some, or the command says so and ends as it does
// later on.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include "setka/base/error.hpp"

namespace {

// By system calls of its own: it runs before the sanitizers are ready, and theirs would not do.
__attribute__((no_sanitize("address", "undefined"))) void ask_for_memory(int /*argc*/, char** /*argv*/,
                                                                         char** /*environment*/) {
  constexpr std::size_t enough = std::size_t{1} << 20;  // bytes; malloc asks for as much
  const long place =
      syscall(SYS_mmap, nullptr, enough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place != -1) {
    syscall(SYS_munmap, place, enough);
    return;
  }
  constexpr char message[] =
      "setka: error: out of memory on the host, before anything began; allow for more (ulimit -v), or end "
      "other programs\n";
  syscall(SYS_write, STDERR_FILENO, message, sizeof message - 1);
  syscall(SYS_exit_group, static_cast<int>(setka::ExitCode::resource));
}

// What is listed here runs before the start of every library that the program is linked to.
using Start = void (*)(int, char**, char**);
[[gnu::section(".preinit_array"), gnu::used]] const Start first = ask_for_memory;

}  // namespace
