// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/petsc/session.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <thread>

#include <slepcsys.h>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/petsc/objects.hpp"
#include "setka/petsc/transport.hpp"

namespace setka::petsc {
namespace {

/// What PETSc said last, for the Error that follows.
std::string last_message;

PetscErrorCode remember(MPI_Comm, int, const char*, const char*, PetscErrorCode code, PetscErrorType kind,
                        const char* message, void*) {
  if (kind == PETSC_ERROR_INITIAL) last_message = message == nullptr ? "" : message;
  return code;
}

/// The number of processes that have asked whether they are to tell of a failure, at the first of them.
struct Asked {
  MPI_Win window = MPI_WIN_NULL;
  std::int32_t* count = nullptr;
};
Asked asked;

constexpr double patience = 2;  // seconds until others count as still at work

}  // namespace

void check(PetscErrorCode status, const char* what) {
  if (status == 0) return;
  std::string said = last_message;
  last_message.clear();
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (status == PETSC_ERR_MEM || status == PETSC_ERR_MEMC)
    throw Error(Fault::resource, fmt::format("PETSc has run out of memory: {}", said),
                "use more processes, or machines with more memory");
  throw Error(Fault::usage,
              fmt::format("PETSc has failed ({}, in {}): {}", static_cast<int>(status), what, said),
              "look at what --petsc tells it, where it is given");
}

Session::Session(const std::string& options) {
  std::vector<std::string> words{"setka"};
  std::istringstream given(options);
  for (std::string word; given >> word;) words.push_back(word);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  auto argc = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  char** argv = pointers.data();
  SETKA_PETSC(SlepcInitialize(&argc, &argv, nullptr, nullptr));
  SETKA_PETSC(PetscPushErrorHandler(remember, nullptr));
  // Signals are Setka's, and floating point is checked where answers are.
  SETKA_PETSC(PetscPopSignalHandler());
  transport_ = std::make_shared<MpiTransport>(PETSC_COMM_WORLD);
  const MPI_Aint bytes = number() == 0 ? sizeof(std::int32_t) : 0;
  MPI_Win_allocate(bytes, sizeof(std::int32_t), MPI_INFO_NULL, PETSC_COMM_WORLD, &asked.count, &asked.window);
  if (number() == 0) *asked.count = 0;
  MPI_Barrier(PETSC_COMM_WORLD);
}

Session::~Session() {
  if (asked.window != MPI_WIN_NULL) MPI_Win_free(&asked.window);
  (void)SlepcFinalize();
}

std::vector<std::string> Session::not_taken() const {
  PetscInt count = 0;
  char** names = nullptr;
  char** values = nullptr;
  SETKA_PETSC(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::vector<std::string> made;
  made.reserve(static_cast<std::size_t>(count));
  for (PetscInt i = 0; i < count; ++i) made.push_back(std::string("-") + names[i]);
  SETKA_PETSC(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  return made;
}

bool tells() {
  const std::int32_t one = 1;
  std::int32_t before = 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, asked.window);
  MPI_Fetch_and_op(&one, &before, MPI_INT32_T, 0, 0, MPI_SUM, asked.window);
  MPI_Win_unlock(0, asked.window);
  return before == 0;
}

bool all_fail() {
  using Clock = std::chrono::steady_clock;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(PETSC_COMM_WORLD, &request);
  const Clock::time_point until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience));
  int done = 0;
  while (Clock::now() < until) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void abort(int code) {
  MPI_Abort(PETSC_COMM_WORLD, code);
  std::abort();
}

}  // namespace setka::petsc
