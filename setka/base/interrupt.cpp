// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/interrupt.hpp"

#include <atomic>
#include <csignal>

#include "setka/base/error.hpp"

namespace setka {
namespace {

// A signal handler can reach nothing but a global; this is the only mutable one in the library.
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void remember_signal(int signal) {
  signalled.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
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
