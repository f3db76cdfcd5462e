// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/petsc/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
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

constexpr double patience = 2;      // seconds until others count as still at work
constexpr double one_by_one = 0.1;  // more for each process before: the first that fails ends the others

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
}

Session::~Session() {
  (void)SlepcFinalize();
}

std::int64_t Session::max_unknowns() const {
  return std::numeric_limits<PetscInt>::max();
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

bool all_fail() {
  using Clock = std::chrono::steady_clock;
  int number = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &number);
  const double seconds = patience + one_by_one * std::min(number, 50);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(PETSC_COMM_WORLD, &request);
  const Clock::time_point until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
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
