// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// kill -9 at random moments of what is written: every file is then the whole old one or the whole new one,
// and a run that can go on comes to the bits of one that was left alone.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "setka/io/npy.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/command_folder.hpp"
#include "support/running_command.hpp"
#include "support/sanitized.hpp"

namespace setka {
namespace {

namespace fs = std::filesystem;
using Content = std::map<std::string, std::string>;  // of a folder: names and what is compared

class Kill : public test::CommandFolder {
 protected:
  Kill() : seed_(std::random_device{}()), random_(seed_) {}
  void SetUp() override { fmt::print("seed {}\n", seed_); }

  static constexpr int trials = test::sanitized ? 3 : 10;

  int any(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }

  /// What tells the time of the run is left out.
  static std::string compared(const fs::path& file) {
    std::string text = test::content(file);
    if (file.extension() == ".json") return nlohmann::json::accept(text) ? "JSON" : "no JSON: " + text;
    if (file.extension() != ".frd") return text;
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("    1U")) kept += line + "\n";
    }
    return kept;
  }
  /// Files in work have names of their own.
  static bool is_in_work(const std::string& name) {
    return name.ends_with(".part") || name.ends_with(".state.npy") || name.ends_with(".new") ||
           name.ends_with(".source.npy");
  }
  Content contents() const {
    Content found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (!is_in_work(name)) found[name] = compared(entry.path());
    }
    return found;
  }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry.path());
  }
  /// The events among the files of the folder, of a command that must do its work.
  int events_of(const std::string& command) const {
    test::FolderEvents events(folder_.path());
    test::RunningCommand run(folder_.path(), command);
    run.runs_until([&] { return events.count() < 0; });
    EXPECT_EQ(run.code(), 0) << command << "\n" << run.errors();
    return events.count();
  }
  /// Killed at that event, where it has not ended before.
  void killed_at(const std::string& command, int event) const {
    test::FolderEvents events(folder_.path());
    test::RunningCommand run(folder_.path(), command);
    run.runs_until([&] { return events.count() >= event; });
    run.signal(SIGKILL);
    EXPECT_THAT(run.code(), ::testing::AnyOf(0, 137)) << run.errors();
  }

  /// inputs: written by a function that is told which of two versions; the command writes over its results.
  template <class Inputs>
  void expect_whole_files(const std::string& command, Inputs&& inputs) {
    SCOPED_TRACE(fmt::format("{}, seed {}", command, seed_));
    clear();
    inputs(2);
    int events = events_of(command);
    const Content renewed = contents();
    clear();
    inputs(1);
    events = std::max(events, events_of(command));
    for (int trial = 0; trial < trials; ++trial) {
      const Content old = contents();
      inputs(2);
      killed_at(command, any(0, events));
      for (const auto& [name, text] : contents()) {
        const bool is_old = old.contains(name) && text == old.at(name);
        const bool is_new = renewed.contains(name) && text == renewed.at(name);
        EXPECT_TRUE(is_old || is_new) << name << " is torn, in trial " << trial;
      }
      if (trial % 4 == 3) {  // begin with old files again
        clear();
        inputs(1);
        setka(command);
      }
    }
    inputs(2);
    EXPECT_EQ(setka(command).code, 0);  // what is left over is in nobody's way
    for (const auto& [name, text] : renewed) EXPECT_EQ(contents().count(name), 1U) << name;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_FALSE(entry.path().extension() == ".part") << entry.path();
  }

  /// Killed after some checkpoints and continued, a few times, and then left to its end, which has that exit
  /// code.
  template <class Inputs>
  void expect_same_bits(const std::string& command, int code, const std::string& checkpoint,
                        Inputs&& inputs) {
    SCOPED_TRACE(fmt::format("{}, seed {}", command, seed_));
    clear();
    inputs();
    ASSERT_EQ(setka(command).code, code);
    const Content whole = contents();
    clear();
    inputs();
    int last = -1;
    for (int kills = 0; last != code && kills <= 6; ++kills) {
      test::FileVersions versions(folder_ / checkpoint);
      test::RunningCommand run(folder_.path(), command + (exists(checkpoint) ? " --continue" : ""));
      if (kills < 6) {
        const int count = any(1, 4);
        run.runs_until([&] { return versions.count() >= count; });
        run.signal(SIGKILL);
      }
      last = run.code();
      ASSERT_TRUE(last == code || last == 137) << last << " " << run.errors();
    }
    EXPECT_EQ(last, code);
    EXPECT_EQ(contents(), whole);
  }

  unsigned seed_;
  std::mt19937 random_;
};

TEST_F(Kill, Example) {
  expect_whole_files("example plate-with-hole --force -q -o deck.inp --size " +
                         std::string(test::sanitized ? "20000" : "300000"),
                     [](int) {});
}

TEST_F(Kill, Convert) {
  expect_whole_files("convert -q --force mesh.msh", [&](int version) {
    const int n = test::sanitized ? 40 : 150;
    std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", (n + 1) * (n + 1));
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) text += fmt::format("{} {} {} 0\n", j * (n + 1) + i + 1, version * i, j);
    }
    text += fmt::format("$EndNodes\n$Elements\n{}\n", n * n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int at = j * (n + 1) + i + 1;
        text += fmt::format("{} 3 2 1 1 {} {} {} {}\n", j * n + i + 1, at, at + 1, at + n + 2, at + n + 1);
      }
    }
    write("mesh.msh", text + "$EndElements\n");
  });
}

TEST_F(Kill, Solve) {
  expect_whole_files("solve -q a.mtx -o x.mtx", [&](int version) {
    const int n = test::sanitized ? 5000 : 60000;
    std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {0}\n", n);
    for (int i = 1; i <= n; ++i) text += fmt::format("{0} {0} {1}\n", i, version + i % 7);
    write("a.mtx", text);
  });
}

TEST_F(Kill, Modes) {
  expect_whole_files("modes -q k.mtx -m m.mtx -n 8 -o x.mtx", [&](int version) {
    // Without a factorisation this many modes of a long chain are not to be had.
    const int n = test::sanitized || !solve::Cholesky::available() ? 200 : 3000;
    std::string k =
        fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n", n, 2 * n - 1);
    std::string m = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {0}\n", n);
    for (int i = 1; i <= n; ++i) {
      k += fmt::format("{0} {0} {1}\n", i, 2 * version);
      if (i > 1) k += fmt::format("{} {} {}\n", i, i - 1, -version);
      m += fmt::format("{0} {0} 1\n", i);
    }
    write("k.mtx", k);
    write("m.mtx", m);
  });
}

TEST_F(Kill, Spectrum) {
  expect_whole_files("spectrum -q --units g --card S --periods 0.1,10,5000 q.csv", [&](int version) {
    write("q.csv", fmt::format("0,0\n0.01,{}\n0.02,-1\n0.03,0\n", version));
  });
}

TEST_F(Kill, Sweep) {
  expect_whole_files("sweep -q d.npy --lower -1 --diagonal 4 --upper -1", [&](int version) {
    const std::int64_t rows = test::sanitized ? 1000 : 1000000;
    io::write_npy(folder_ / "d.npy", {rows}, std::vector<double>(static_cast<std::size_t>(rows), version));
  });
}

TEST_F(Kill, Run) {
  expect_whole_files("run -q job.inp", [&](int version) {
    std::string steps = "*STATIC\n";
    for (int i = 1; i < 40; ++i)
      steps += fmt::format("*CLOAD\nTOP,3,{}\n*NODE FILE\nU,RF\n*EL FILE\nS,E\n*END STEP\n*STEP\n*STATIC\n",
                           version * i);
    write("job.inp", test::cube_deck("", steps));
  });
}

TEST_F(Kill, Grid) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  expect_whole_files("grid -q case.toml", [&](int version) {
    write("case.toml",
          fmt::format(
              "scheme = \"lod\"\ninitial = {}.0\nsource = 1.0\n[grid]\ncells = [60, 50]\nlengths = [1, 1]\n"
              "[boundary]\nx = {{ kind = \"dirichlet\", value = 0.0 }}\n[time]\nstep = 0.01\nsteps = {}\n"
              "[output]\nevery = 1\nformats = [\"vti\", \"npy\", \"png\"]\n[[probe]]\nat = [0.5, 0.5]\n",
              version, test::sanitized ? 2 : 5));
  });
}

TEST_F(Kill, GridInTimeGoesOn) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  expect_same_bits("grid -q --threads 1 case.toml", 0, "case.checkpoint", [&] {
    write("case.toml",
          fmt::format(
              "scheme = \"lod\"\ninitial = 1.0\nsource = 1.0\n[grid]\ncells = [60, 50]\nlengths = [1, 1]\n"
              "[boundary]\nx = {{ kind = \"dirichlet\", value = 0.0 }}\n[time]\nstep = 0.01\nsteps = {}\n"
              "[output]\nevery = 5\nformats = [\"vti\", \"npy\", \"png\"]\n[[probe]]\nat = [0.5, 0.5]\n"
              "[checkpoint]\nevery = 2\n",
              test::sanitized ? 20 : 60));
  });
}

TEST_F(Kill, StateOnTheDiskGoesOn) {
  if (without_cases()) GTEST_SKIP() << "built without toml++";
  expect_same_bits("grid -q --threads 1 case.toml", 0, "case.checkpoint", [&] {
    write("case.toml",
          fmt::format(
              "scheme = \"jacobi\"\nsource = 1.0\n[grid]\ncells = [30, 20, 20]\nspacing = 0.1\n[boundary]\n"
              "x = {{ kind = \"dirichlet\", value = 0.0 }}\ny = {{ kind = \"dirichlet\", value = 1.0 }}\n"
              "z = {{ kind = \"dirichlet\", value = 2.0 }}\n[stationary]\ntolerance = {}\n"
              "storage = \"disk\"\n[checkpoint]\nevery = 100\n",
              test::sanitized ? 1e-6 : 1e-14));
  });
}

TEST_F(Kill, ExplicitStepsGoOn) {
  expect_same_bits("run -q --threads 1 --checkpoint-every 0.02 job", 0, "job.checkpoint", [&] {
    write("job.inp", test::cube_deck(
                         "", fmt::format("*DYNAMIC,EXPLICIT\n1e-9,{}\n", test::sanitized ? "3e-6" : "2e-5")));
  });
}

}  // namespace
}  // namespace setka
