// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/blas_threads.hpp"

#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/solve/detail/blas.hpp"

// Of OpenBLAS, where CHOLMOD stands on it; null with another BLAS.
extern "C" {
void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_num_threads() __attribute__((weak));
}

namespace setka::solve::detail {
namespace {

constexpr std::size_t buffer = std::size_t{136} << 20;  // the largest of any processor, and what is beside it

bool with_openblas() {
  return openblas_set_num_threads != nullptr && openblas_get_num_threads != nullptr && dsyrk_ != nullptr;
}

std::size_t stack_of_a_thread() {
  std::size_t bytes = std::size_t{8} << 20;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return bytes;
}

/// What the first so many threads take; the first of them is the caller's own, and CHOLMOD has a team of four
/// beside it for loops of its own.
std::size_t bytes_of(int threads) {
  if (threads < 1) return 0;
  constexpr std::size_t of_cholmod = 4;
  const auto others = static_cast<std::size_t>(threads - 1);
  return buffer + of_cholmod * stack_of_a_thread() + others * (buffer + stack_of_a_thread());
}

/// Whether so many bytes can be had now: the limit of the shell (ulimit -v) and the system's own are asked.
bool can_be_had(std::size_t bytes) {
  void* const trial =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (trial == MAP_FAILED) return false;
  munmap(trial, bytes);
  return true;
}

/// A product that every thread has a part of.
void use_all_threads(int threads) {
  const int n = threads == 1 ? 64 : 512;
  const double one = 1;
  const std::vector<double> a(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  std::vector<double> c(a.size());
  dsyrk_("L", "N", &n, &n, &one, a.data(), &n, &one, c.data(), &n);
}

/// As many of the threads asked for as have their buffers or can get them now.
int with_buffers(int threads) {
  static std::mutex mutex;
  static int ready = 0;
  const std::lock_guard lock(mutex);
  if (threads <= ready) return threads;
  if (!can_be_had(bytes_of(threads) - bytes_of(ready))) {
    if (ready > 0) return ready;
    threads = 1;
    if (!can_be_had(bytes_of(threads))) {
      throw Error(Fault::resource,
                  fmt::format("out of memory for the sparse factorisation, whose BLAS takes {} to begin with",
                              format_bytes(bytes_of(threads))),
                  "allow for more (ulimit -v), or use an iterative solver");
    }
  }
  openblas_set_num_threads(threads);
  use_all_threads(threads);
  ready = threads;
  return threads;
}

}  // namespace

int max_blas_threads() {
  if (!with_openblas() || omp_in_parallel() != 0) return 1;
  // The command has the user's OPENBLAS_NUM_THREADS under this name (apps/setka/threads_environment.cpp).
  if (const char* const of_user = std::getenv("SETKA_BLAS_THREADS")) return std::max(1, std::atoi(of_user));
  return std::getenv("OPENBLAS_NUM_THREADS") != nullptr ? openblas_get_num_threads() : omp_get_max_threads();
}

int max_callers_of_blas() {
  int callers = max_blas_threads();
  while (callers > 1 && with_openblas() && !can_be_had(static_cast<std::size_t>(callers) * buffer)) --callers;
  return callers;
}

BlasThreads::BlasThreads(int threads) {
  if (!with_openblas()) return;
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(with_buffers(threads));
  before_ = before;
}

BlasThreads::~BlasThreads() {
  if (before_ > 0) openblas_set_num_threads(before_);
}

}  // namespace setka::solve::detail
