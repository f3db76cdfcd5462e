// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace setka {

/// What kind of thing went wrong; decides the exit code of the command.
enum class Fault {
  input,        // a file or value the user gave is wrong
  usage,        // the library or the command was called wrongly
  resource,     // memory, a device or a file system failed
  interrupted,  // the user stopped the run
  internal,     // a defect of Setka itself
};

/// Exit codes of the command, documented in docs/command.md.
enum class ExitCode : int {
  done = 0,
  input = 1,
  usage = 2,
  not_converged = 3,  // a status that solvers return, never an Error
  resource = 4,
  internal = 5,
  interrupted = 130,
};

ExitCode exit_code(Fault fault);

/// A line of the user's input; line 0 means the file as a whole.
struct SourceLine {
  std::string file;
  long line = 0;
};

/// The one exception of Setka: what happened, where in the user's input, and what to do about it.
/// what() is the whole message on one line: "pump.inp:17: element 3 has no material; add ...".
class Error : public std::runtime_error {
 public:
  Error(Fault fault, std::string message, std::string remedy = {}, SourceLine where = {});

  Fault fault() const { return fault_; }
  const std::string& message() const { return message_; }
  const std::string& remedy() const { return remedy_; }
  const SourceLine& where() const { return where_; }

 private:
  Fault fault_;
  std::string message_;
  std::string remedy_;
  SourceLine where_;
};

/// Wrong call: throws Error(Fault::usage) when the condition does not hold. The message says what was asked
/// and what would be right; it is built only on failure when given as a callable.
template <class Message>
void require(bool condition, Message&& message) {
  if (condition) [[likely]] {
    return;
  }
  if constexpr (requires { std::string(message()); }) {
    throw Error(Fault::usage, message());
  } else {
    throw Error(Fault::usage, std::string(message));
  }
}

namespace detail {
[[noreturn]] void broken_invariant(const char* condition, const char* file, int line);
}

}  // namespace setka

/// An invariant of our own: always checked, so only for what is cheap and outside hot loops.
#define SETKA_ASSERT(condition) \
  ((condition) ? void(0) : ::setka::detail::broken_invariant(#condition, __FILE__, __LINE__))
