// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What several processes write under mpirun: a .vtu each, and a .pvtu a frame.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command/ranks_command.hpp"
#include "support/vtu_file.hpp"

namespace {

using nlohmann::json;
using setka::test::VtuFile;
using setka::test::with_step;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class RanksResults : public setka::test::RanksCommand {
 protected:
  void SetUp() override {
    RanksCommand::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(setka("example block --size 3000 --element C3D8 -o block.inp").code, 0);
    deck_ = text_of("block.inp");
  }

  /// The files of a .pvd, in their order.
  std::vector<std::string> frames_in(const std::string& name) const {
    const std::string text = text_of(name);
    const std::string before = "file=\"";
    std::vector<std::string> found;
    for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
      at += before.size();
      found.push_back(text.substr(at, text.find('"', at) - at));
    }
    return found;
  }

  std::size_t pieces_there() const {
    if (!exists("a.pieces")) return 0;
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_ / "a.pieces"), {}));
  }

  /// Pieces that hold each element once, and at their nodes what the whole has to such a share of its largest
  /// value.
  void expect_pieces(const std::string& pvtu, const std::string& vtu, double share,
                     const std::string& field = "U") const {
    const VtuFile whole(folder_ / vtu);
    const auto expected = whole.by_node(field);
    double largest = 0;
    for (const auto& [node, u] : expected) {
      for (const double value : u) largest = std::max(largest, std::abs(value));
    }
    ASSERT_GT(largest, 0.0);
    std::map<std::int32_t, std::vector<std::int32_t>> elements;
    std::size_t cells = 0;
    const auto pieces = setka::test::pieces_in(folder_ / pvtu);
    for (const std::filesystem::path& file : pieces) {
      const VtuFile piece(file);
      const auto own = piece.elements();
      cells += own.size();
      elements.insert(own.begin(), own.end());
      EXPECT_LE(own.size(), whole.elements().size() / pieces.size() + 1);
      for (const auto& [node, u] : piece.by_node(field)) {
        ASSERT_EQ(u.size(), expected.at(node).size());
        for (std::size_t i = 0; i < u.size(); ++i)
          ASSERT_NEAR(u[i], expected.at(node)[i], share * largest) << file << ", node " << node;
      }
    }
    EXPECT_EQ(elements, whole.elements());
    EXPECT_EQ(cells, elements.size()) << "an element is in two pieces";
  }

  std::string deck_;
};

TEST_F(RanksResults, PiecesAreWhatOneProcessWrites) {
  write("alone.inp", deck_);
  write("a.inp", deck_);
  ASSERT_EQ(setka("run alone --tolerance 1e-11").code, 0);
  ASSERT_EQ(setka("run a").code, 0);  // whose files go
  for (const std::size_t processes : {3U, 2U}) {
    const auto result = on(static_cast<int>(processes), "run a --tolerance 1e-11");
    ASSERT_EQ(result.code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("a.pvtu"));
    EXPECT_THAT(frames_in("a.pvd"), testing::ElementsAre("a.pvtu"));
    EXPECT_EQ(setka::test::pieces_in(folder_ / "a.pvtu").size(), processes);
    EXPECT_EQ(pieces_there(), processes);
    expect_pieces("a.pvtu", "alone.vtu", 1e-7);
    EXPECT_FALSE(exists("a.vtu"));
  }
  ASSERT_EQ(setka("run a").code, 0);
  EXPECT_TRUE(exists("a.vtu"));
  EXPECT_FALSE(exists("a.pvtu"));
  EXPECT_FALSE(exists("a.pieces"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_THAT(entry.path().string(), Not(EndsWith(".part")));
}

TEST_F(RanksResults, StressesAreThoseOfOneProcess) {
  const auto mises = [](const setka::test::CommandResult& result) {
    return json::parse(result.out)["steps"][0]["largest_mises"];
  };
  std::string deck = deck_;
  deck.insert(deck.find("*END STEP"), "*EL FILE\nS,E,ENER\n*NODE FILE\nU,RF\n");
  write("alone.inp", deck);
  write("a.inp", deck);
  const auto alone = setka("run alone --json --tolerance 1e-11");
  ASSERT_EQ(alone.code, 0) << alone.error;
  for (const int processes : {2, 3, 5}) {
    const auto result = on(processes, "run a --json --tolerance 1e-11");
    ASSERT_EQ(result.code, 0) << result.error;
    for (const std::string field : {"S", "E", "ENER", "ERR", "RF"})
      expect_pieces("a.pvtu", "alone.vtu", 1e-6, field);
    EXPECT_EQ(mises(result)["element"], mises(alone)["element"]);
    const auto largest = mises(alone)["value"].get<double>();
    EXPECT_NEAR(mises(result)["value"].get<double>(), largest, 1e-6 * largest);
  }
}

TEST_F(RanksResults, AFrameAMode) {
  ASSERT_EQ(setka("example block --size 3000 --element C3D8 --modes 3 -o a.inp").code, 0);
  const auto result = on(2, "run a");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_THAT(frames_in("a.pvd"), testing::ElementsAre("a.0001.pvtu", "a.0002.pvtu", "a.0003.pvtu"));
  EXPECT_THAT(text_of("a.0003.pvtu"), HasSubstr("Name=\"Frequency\""));
  EXPECT_EQ(pieces_there(), 6U);
}

TEST_F(RanksResults, PiecesGoOnWithOtherProcesses) {
  bool stopped = false;
  for (const double end : setka::test::ends_of_steps) {
    const std::string deck = with_step(deck_, fmt::format("*DYNAMIC, EXPLICIT\n, {}\n", end));
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().starts_with("a.")) std::filesystem::remove_all(entry.path());
    }
    write("alone.inp", deck);
    write("a.inp", deck);
    // The second one is stopped once it has written a frame of its own.
    stopped = interrupted(3, "run a", "a.0001.pvtu");
    std::size_t frames = 1;
    while (exists(fmt::format("a.{:04}.pvtu", frames))) ++frames;
    stopped = stopped && interrupted(2, "run a --continue", fmt::format("a.{:04}.pvtu", frames));
    if (stopped) break;
  }
  ASSERT_TRUE(stopped) << "no signal came before the end";
  ASSERT_EQ(setka("run alone").code, 0);
  const std::vector<std::string> expected = frames_in("alone.pvd");
  ASSERT_GT(expected.size(), 2U);
  const auto gone_on = on(4, "run a --continue");
  ASSERT_EQ(gone_on.code, 0) << gone_on.error;
  const std::vector<std::string> found = frames_in("a.pvd");
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_THAT(found, Each(EndsWith(".pvtu")));
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    pieces += setka::test::pieces_in(folder_ / found[i]).size();
    expect_pieces(found[i], expected[i], 1e-6);
  }
  EXPECT_EQ(pieces_there(), pieces);
  EXPECT_EQ(setka::test::pieces_in(folder_ / found.front()).size(), 3U);
  EXPECT_EQ(setka::test::pieces_in(folder_ / found.back()).size(), 4U);
}

TEST_F(RanksResults, AFolderThatCannotBeWrittenIsSaidOnce) {
  write("a.inp", deck_);
  write("a.pieces", "no folder");
  const auto result = on(2, "run a");
  EXPECT_EQ(result.code, 4) << result.error;
  EXPECT_THAT(result.error, HasSubstr("setka: error: a.pieces cannot be created"));
  EXPECT_FALSE(exists("a.pvd"));
  EXPECT_FALSE(exists("a.frd"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_THAT(entry.path().string(), Not(EndsWith(".part")));
}

}  // namespace
