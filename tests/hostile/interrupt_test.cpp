// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C in commands that compute for long without steps or iterations.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"

namespace setka {
namespace {

using std::chrono::steady_clock;
using ::testing::HasSubstr;

/// A command in the background, with its standard error in a file.
class Running {
 public:
  Running(std::vector<std::string> words, std::string errors) : errors_(std::move(errors)) {
    words.insert(words.begin(), SETKA_COMMAND);
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open(errors_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(list[0], list.data());
    _exit(127);
  }
  ~Running() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Whether it catches SIGINT before the time is over: from then on a signal is an interruption.
  bool catches_signals(double seconds) const {
    for (const auto end = deadline(seconds); steady_clock::now() < end; pause()) {
      std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
      for (std::string word; status >> word;) {
        std::uint64_t caught = 0;
        if (word == "SigCgt:" && status >> std::hex >> caught && (caught >> (SIGINT - 1) & 1U) != 0)
          return true;
      }
    }
    return false;
  }

  void signal(int number) const { kill(pid_, number); }

  /// The exit code, 128 + the signal that ended it, or -1 where it still runs after the time.
  int code(double seconds) {
    for (const auto end = deadline(seconds); steady_clock::now() < end; pause()) {
      int status = 0;
      if (waitpid(pid_, &status, WNOHANG) != pid_) continue;
      pid_ = 0;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return -1;
  }

  std::string errors() const { return test::content(errors_); }

 private:
  static steady_clock::time_point deadline(double seconds) {
    return steady_clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

  std::string errors_;
  pid_t pid_ = 0;
};

class Interrupted : public ::testing::TestWithParam<std::array<std::string, 3>> {
 protected:
  Interrupted() {
    std::ofstream record(folder_ / "quake.csv");
    record << "acceleration [m/s2], dt=0.01\n";
    for (int i = 0; i < 100'000; ++i) record << i % 7 << "\n";
  }

  test::ScratchFolder folder_;
};

/// Seconds from the signal to the end: one is what users are promised, on a machine that does nothing else
/// and without sanitizers.
constexpr double soon = 15;

TEST_P(Interrupted, StopsSoonAndSaysSo) {
  std::vector<std::string> words;
  for (std::string word : GetParam()) {
    if (word.empty()) continue;
    if (word.starts_with("@")) word = (folder_ / word.substr(1)).string();
    words.push_back(word);
  }
  Running command(words, (folder_ / "errors").string());
  ASSERT_TRUE(command.catches_signals(60)) << command.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  command.signal(SIGINT);
  EXPECT_EQ(command.code(soon), 130) << command.errors();
  EXPECT_THAT(command.errors(),
              HasSubstr("setka: interrupt: stopping at the next safe point; a second signal "
                        "ends it at once\n"));
  EXPECT_THAT(command.errors(), HasSubstr("setka: error: interrupted"));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Interrupted,
    ::testing::Values(std::array<std::string, 3>{"calibrate", "-o", "@profile"},
                      std::array<std::string, 3>{"example", "block", "--size=3e6"},
                      std::array<std::string, 3>{"spectrum", "@quake.csv", "--periods=0.001,10,10000"},
                      std::array<std::string, 3>{"bench", "integration", "--backend=cpu"}),
    [](const auto& tested) { return tested.param[0]; });

}  // namespace
}  // namespace setka
