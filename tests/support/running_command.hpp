// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace setka::test {

/// Seconds after which something is taken for hanging: far more than it needs on the busiest machine.
inline constexpr double patience = 300;

/// setka in the background, in a folder, with the profile of the machine that is there, if any. What it is to
/// be interrupted or killed at is something that it has done, never a time.
class RunningCommand {
 public:
  /// arguments: words between blanks.
  RunningCommand(const std::filesystem::path& folder, const std::string& arguments)
      : errors_(std::tmpfile()) {
    std::istringstream text(arguments);
    std::vector<std::string> words{SETKA_COMMAND};
    for (std::string word; text >> word;) words.push_back(word);
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("SETKA_PROFILE", "profile.json", 1);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(fileno(errors_), STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execv(list[0], list.data());
    _exit(127);
  }
  ~RunningCommand() {
    if (!has_ended()) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    std::fclose(errors_);
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  /// Whether that came true before the command ended; it is asked again and again.
  template <class Condition>
  bool runs_until(Condition&& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
    while (std::chrono::steady_clock::now() < end) {
      const bool ended = has_ended();
      if (condition()) return true;
      if (ended) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return false;
  }

  /// Whether SIGINT is caught: from then on it is an interruption.
  bool catches_signals() const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string word; status >> word;) {
      std::uint64_t caught = 0;
      if (word == "SigCgt:" && status >> std::hex >> caught) return (caught >> (SIGINT - 1) & 1U) != 0;
    }
    return false;
  }

  void signal(int number) {
    if (!has_ended()) kill(pid_, number);
  }

  /// When it has ended: the exit code, or 128 + the signal that ended it; -1 where it hangs.
  int code() {
    runs_until([] { return false; });
    return code_;
  }

  std::string errors() const {
    struct stat file {};
    fstat(fileno(errors_), &file);
    std::string text(static_cast<std::size_t>(file.st_size), ' ');
    const ssize_t got = pread(fileno(errors_), text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  bool has_ended() {
    int status = 0;
    if (code_ < 0 && waitpid(pid_, &status, WNOHANG) == pid_)
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_ >= 0;
  }

  std::FILE* errors_;
  pid_t pid_ = 0;
  int code_ = -1;
};

/// Counts the versions of a file that is replaced as a whole.
class FileVersions {
 public:
  explicit FileVersions(std::filesystem::path path) : path_(std::move(path)), last_(now()) {}

  /// That were seen since the beginning; a file that goes is none.
  int count() {
    const Version version = now();
    if (!(version == last_) && version.node != 0) ++count_;
    last_ = version;
    return count_;
  }

 private:
  struct Version {
    std::uint64_t node = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    bool operator==(const Version&) const = default;
  };
  Version now() const {
    struct stat found {};
    if (stat(path_.c_str(), &found) != 0) return {};
    return {found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
  }

  std::filesystem::path path_;
  Version last_;
  int count_ = 0;
};

/// Counts what happens to the files of a folder: made, written to, renamed, removed.
class FolderEvents {
 public:
  explicit FolderEvents(const std::filesystem::path& folder) : queue_(inotify_init1(IN_NONBLOCK)) {
    inotify_add_watch(queue_, folder.c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE);
  }
  ~FolderEvents() { close(queue_); }
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  /// Since the beginning.
  int count() {
    alignas(inotify_event) char events[4096];
    for (ssize_t got = 0; (got = read(queue_, events, sizeof events)) > 0;) {
      for (ssize_t at = 0; at < got; ++count_)
        at += static_cast<ssize_t>(sizeof(inotify_event) +
                                   reinterpret_cast<const inotify_event*>(events + at)->len);
    }
    return count_;
  }

 private:
  int queue_;
  int count_ = 0;
};

}  // namespace setka::test
