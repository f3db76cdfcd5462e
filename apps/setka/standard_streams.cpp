// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>

namespace setka::app {

void guard_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is the one just tested. Standard output is opened for reading, so that
    // writing to it still fails, and is told of.
    open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int fail(ExitCode code, const char* text) {
  // Not fmt::print, which throws where standard error is full.
  std::fputs((std::string("setka: error: ") + text + "\n").c_str(), stderr);
  return static_cast<int>(code);
}

int code_after_output(int code) {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  const bool written = std::fflush(stdout) == 0 && !failed_before;
  if (written || code != static_cast<int>(ExitCode::done)) return code;
  const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  return fail(ExitCode::resource, ("standard output cannot be written" + why).c_str());
}

}  // namespace setka::app
