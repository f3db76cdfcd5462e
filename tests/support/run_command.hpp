// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace setka::test {

/// Before a command that must not hang: far more seconds than it needs on the busiest machine.
inline constexpr const char* in_time = "timeout 300";

struct CommandResult {
  int code = -1;
  std::string out;
  std::string error;
};

/// Runs a shell command; both outputs apart.
inline CommandResult run_command(const std::string& command) {
  char name[] = "/tmp/setka_test_XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) return {};
  close(file);
  CommandResult result;
  if (FILE* pipe = popen((command + " 2>" + name).c_str(), "r")) {
    char buffer[4096];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
      result.out.append(buffer, got);
    const int status = pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  result.error = text.str();
  std::filesystem::remove(name);
  return result;
}

}  // namespace setka::test
