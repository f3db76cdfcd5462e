// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "setka/base/error.hpp"

namespace setka {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// What the first signal is answered with: some work, as a factorisation, stops only at its end, and a user
/// who sees nothing happen takes the signal for lost. On a terminal a progress bar may stand on the line.
constexpr std::string_view on_terminal =
    "\r\x1b[Ksetka: interrupt: stopping at the next safe point; press Ctrl-C again to end at once\n";
constexpr std::string_view elsewhere =
    "setka: interrupt: stopping at the next safe point; a second signal ends it at once\n";

extern "C" void remember_signal(int /*signal*/) {
  const int before = errno;
  signalled.store(true, std::memory_order_relaxed);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  const std::string_view text = isatty(STDERR_FILENO) != 0 ? on_terminal : elsewhere;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  errno = before;
}

}  // namespace

void catch_interrupts() {
  signalled.store(false, std::memory_order_relaxed);
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

bool interrupted() {
  return signalled.load(std::memory_order_relaxed);
}

void throw_if_interrupted() {
  if (interrupted()) throw Error(Fault::interrupted, "interrupted");
}

}  // namespace setka
