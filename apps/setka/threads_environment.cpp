// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// How long threads of OpenMP wait before they sleep, how many threads BLAS starts with and which kernels it
// takes, and how large the pages of memory are: libgomp, OpenBLAS and the C library read it from the
// environment when they are loaded, before main(). So the command starts itself once more with these
// variables added, before any library has set itself up. What the user has set stays.
#include <alloca.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <ctime>

// Runs before the sanitizers are ready.
#define SETKA_BEFORE_LIBRARIES __attribute__((no_sanitize("address", "undefined")))

namespace {

SETKA_BEFORE_LIBRARIES char** find(char** environment, const char* name) {
  for (; *environment != nullptr; ++environment) {
    const char* entry = *environment;
    const char* letter = name;
    while (*letter != '\0' && *entry == *letter) {
      ++entry;
      ++letter;
    }
    if (*letter == '\0' && *entry == '=') return environment;
  }
  return nullptr;
}

SETKA_BEFORE_LIBRARIES bool is_set(char** environment, const char* name) {
  return find(environment, name) != nullptr;
}

/// The user's number of threads for BLAS under a name of our own, which is shorter: the end of the entry
/// stays.
SETKA_BEFORE_LIBRARIES void rename_blas_threads(char** entry) {
  constexpr char name[] = "SETKA_BLAS_THREADS";
  char* const text = *entry + (sizeof "OPENBLAS_NUM_THREADS" - sizeof name);
  for (std::size_t i = 0; i + 1 < sizeof name; ++i) text[i] = name[i];
  *entry = text;
}

/// Large pages take more addresses than are used, and libraries crash where they find none.
SETKA_BEFORE_LIBRARIES bool addresses_are_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/// Whether a thread of libgomp that waits has waited enough, once a turn.
SETKA_BEFORE_LIBRARIES inline bool turn(const int& awaited) {
  if (__atomic_load_n(&awaited, __ATOMIC_RELAXED) != 0) return true;
#if defined(__x86_64__)
  __builtin_ia32_pause();  // from 15 to 50 ns, by the kind of processor
#else
  asm volatile("" ::: "memory");
#endif
  return false;
}

SETKA_BEFORE_LIBRARIES double nanoseconds_of_a_turn() {
  constexpr int turns = 512;
  constexpr int tries = 3;  // a try that another process broke into is too long
  double least = 1e9;
  static int awaited = 0;
  for (int k = 0; k < tries; ++k) {
    timespec begin{};
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < turns && !turn(awaited); ++i) {
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double taken = 1e9 * static_cast<double>(end.tv_sec - begin.tv_sec) +
                         static_cast<double>(end.tv_nsec - begin.tv_nsec);
    if (taken < least) least = taken;
  }
  return least / turns;
}

/// As long as it takes to sleep and be woken: then a thread never waits more than twice as long as if it had
/// known when its turn comes. libgomp's own default, milliseconds, takes the core from the very thread that
/// is waited for where other processes want it too; without any waiting, small loops on a machine that does
/// nothing else take six times as long (docs/exec.md).
constexpr double nanoseconds_of_waiting = 5000;

/// "NAME=turns"
SETKA_BEFORE_LIBRARIES void append(char* text, std::size_t length, double turns) {
  auto left = static_cast<unsigned>(turns < 50 ? 50 : turns > 99'999 ? 99'999 : turns);
  for (unsigned digit = 10'000; digit > 0; digit /= 10) {
    text[length++] = static_cast<char>('0' + left / digit);
    left %= digit;
  }
  text[length] = '\0';
}

/// OpenBLAS knows processors by their numbers and takes its oldest kernels for one that is newer than itself:
/// on Xeons of 2023 Debian 12's has those of 2004, at a sixth of the speed. What a processor can do is no
/// secret. Null: OpenBLAS shall look for itself.
SETKA_BEFORE_LIBRARIES char* blas_kernels() {
#if defined(__x86_64__)
  static char wide[] = "OPENBLAS_CORETYPE=SkylakeX";
  static char narrow[] = "OPENBLAS_CORETYPE=Haswell";
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return wide;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return narrow;
#endif
  return nullptr;
}

SETKA_BEFORE_LIBRARIES void start_again(int /*argc*/, char** argv, char** environment) {
  // Started as an argument of the system's loader, which is then what would be started again.
  if (getauxval(AT_BASE) == 0) return;
  static char waiting[32] = "GOMP_SPINCOUNT=";
  // OpenBLAS starts a thread a core before it knows of any work, and where there is no memory for one tries
  // for ever: it starts with one, and factorisations ask for more (solve/detail/blas_threads.cpp).
  static char blas[] = "GOTO_NUM_THREADS=1";
  // Arrays that come and go are made of zeroed pages each time; pages of 2 MiB take a third of the time that
  // small ones take (on an H200's host 0.18 s a GiB instead of 0.55, and to give them back nothing instead of
  // 0.07).
  static char pages[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
  char* more[4];
  std::size_t added = 0;
  if (!is_set(environment, "GOMP_SPINCOUNT") && !is_set(environment, "OMP_WAIT_POLICY")) {
    append(waiting, sizeof "GOMP_SPINCOUNT=" - 1, nanoseconds_of_waiting / nanoseconds_of_a_turn());
    more[added++] = waiting;
  }
  if (!is_set(environment, "GOTO_NUM_THREADS")) more[added++] = blas;
  char* const kernels = blas_kernels();
  if (kernels != nullptr && !is_set(environment, "OPENBLAS_CORETYPE")) more[added++] = kernels;
  if (!is_set(environment, "GLIBC_TUNABLES") && !addresses_are_limited()) more[added++] = pages;
  char** const of_user = find(environment, "OPENBLAS_NUM_THREADS");
  if (of_user != nullptr) rename_blas_threads(of_user);
  if (added == 0 && of_user == nullptr) return;
  std::size_t count = 0;
  while (environment[count] != nullptr) ++count;
  auto** const all = static_cast<char**>(alloca((count + added + 1) * sizeof(char*)));
  for (std::size_t i = 0; i < count; ++i) all[i] = environment[i];
  for (std::size_t i = 0; i < added; ++i) all[count + i] = more[i];
  all[count + added] = nullptr;
  execve("/proc/self/exe", argv, all);
  // Where that cannot be, as without /proc, the libraries have their own defaults.
}

// What is listed here runs before the start of every library that the program is linked to.
using Start = void (*)(int, char**, char**);
[[gnu::section(".preinit_array"), gnu::used]] const Start first = start_again;

}  // namespace
