// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists of several megabytes, which threads and processes read in pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "support/thread_transport.hpp"

namespace {

using setka::deck::Deck;
using testing::HasSubstr;

constexpr int nodes = 60000;
constexpr int elements = 30000;

std::string node_lines() {
  std::string text = "*NODE, NSET=ALL\n";
  for (int n = 1; n <= nodes; ++n) {
    if (n % 7000 == 0) text += "** a comment\n\n";
    text += fmt::format("{}, {}.000000000000, {}.25000000000000, -{}e-3\n", 3 * n, n, n % 17, n);
  }
  return text;
}

int node_of(int element, int i) {
  return 3 * ((7 * element + 11 * i) % nodes + 1);
}

/// Each element over lines of so many fields, the number of the element among them.
std::string element_lines(const char* type, int count, int fields, const char* line_end) {
  std::string text = fmt::format("*ELEMENT, TYPE={}, ELSET=E\n", type);
  for (int e = 1; e <= elements; ++e) {
    if (e % 4999 == 0) text += "** a comment\n";
    text += std::to_string(e);
    for (int i = 0; i < count; ++i)
      text += fmt::format("{}{}", (i + 1) % fields == 0 ? line_end : ",      ", node_of(e, i));
    text += '\n';
  }
  return text;
}

/// What a member of those that read together has of it.
struct Outcome {
  Deck deck;
  std::string refusal = "nothing was thrown";
};

using ReadBy = std::function<Deck(int member, const setka::exec::Transport* together)>;

Outcome outcome(const ReadBy& read, int member, const setka::exec::Transport* together) {
  try {
    return {read(member, together)};
  } catch (const setka::Error& error) {
    return {{}, error.what()};
  }
}

struct Together {
  std::vector<Outcome> outcomes;  // of the members
  std::int64_t told = 0;          // bytes that the first one has from others
};

Together read_together(int members, const ReadBy& read) {
  Together all{std::vector<Outcome>(static_cast<std::size_t>(members))};
  all.told = setka::test::by_threads(members, [&](const setka::test::ThreadTransport& transport) {
    all.outcomes[static_cast<std::size_t>(transport.number())] =
        outcome(read, transport.number(), &transport);
  });
  return all;
}

ReadBy of_text(const std::string& text) {
  return [text](int, const setka::exec::Transport* together) {
    setka::Monitor monitor;
    return setka::deck::read_inp_text(text, "deck.inp", monitor, setka::deck::Completeness::unchecked,
                                      together);
  };
}

void expect_mesh(const Deck& deck, int count) {
  const setka::mesh::Mesh& mesh = deck.model.mesh;
  ASSERT_EQ(mesh.node_count(), nodes);
  ASSERT_EQ(mesh.element_count(), elements);
  for (int n = 1; n <= nodes; ++n) {
    ASSERT_EQ(mesh.node_label(n - 1), 3 * n);
    ASSERT_EQ(mesh.coordinates(n - 1)[0], n);
    ASSERT_EQ(mesh.coordinates(n - 1)[1], n % 17 + 0.25);
  }
  for (int e = 1; e <= elements; ++e) {
    ASSERT_EQ(mesh.element_label(e - 1), e);
    ASSERT_EQ(static_cast<int>(mesh.nodes(e - 1).size()), count);
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(mesh.node_label(mesh.nodes(e - 1)[static_cast<std::size_t>(i)]), node_of(e, i));
  }
  ASSERT_EQ(deck.model.node_sets[0].nodes.size(), static_cast<std::size_t>(nodes));
  ASSERT_EQ(deck.model.element_sets[0].elements.size(), static_cast<std::size_t>(elements));
}

/// By so many processes; 0: by one that knows of none.
class LongLists : public testing::TestWithParam<int> {
 protected:
  /// Of the first member, the others having the same.
  static std::vector<Outcome> read(const std::string& text) {
    if (GetParam() == 0) {
      std::vector<Outcome> one;
      one.push_back(outcome(of_text(text), 0, nullptr));
      return one;
    }
    return read_together(GetParam(), of_text(text)).outcomes;
  }
  static void expect_read(const std::string& text, int count) {
    for (const Outcome& outcome : read(text)) expect_mesh(outcome.deck, count);
  }
  static void expect_refusal(const std::string& text, const std::string& words) {
    for (const Outcome& outcome : read(text)) EXPECT_THAT(outcome.refusal, HasSubstr(words));
  }
};

TEST_P(LongLists, ReadAsShortOnes) {
  expect_read(node_lines() + element_lines("C3D8", 8, 100, ""), 8);
}

TEST_P(LongLists, ElementsOverSeveralLines) {
  expect_read(node_lines() + element_lines("C3D20", 20, 16, ",\n"), 20);
  // Lines that look alike, so that pieces begin amid elements at first.
  expect_read(node_lines() + element_lines("C3D15", 15, 8, "\n"), 15);
  expect_read(node_lines() + element_lines("C3D15", 15, 4, ",\n"), 15);
}

int line_of(const std::string& text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST_P(LongLists, TheFirstErrorIsToldWithItsLine) {
  std::string text = node_lines();
  const std::size_t wrong_node = text.find("\n120000,");
  text.replace(wrong_node + 1, 6, "12x000");
  text += element_lines("C3D20", 20, 16, ",\n");
  expect_refusal(text, fmt::format("deck.inp:{}: the node is '12x000', which is not a whole number; write",
                                   line_of(text, wrong_node + 1)));

  text = node_lines() + element_lines("C3D15", 15, 8, "\n");
  const std::size_t twice = text.find("\n20000,      ");
  text.replace(twice + 1, 5, "19999");
  const std::size_t later = text.find("\n25000,      ");
  text.replace(later + 1, 5, "wrong");
  expect_refusal(text, fmt::format(":{}: element 19999 is defined twice", line_of(text, twice + 1)));
}

TEST_P(LongLists, LinesBehindThemAreCounted) {
  std::string text = node_lines() + element_lines("C3D8", 8, 100, "") + "*NSET, NSET=\n";
  expect_refusal(text, fmt::format(":{}: *NSET without NSET", line_of(text, text.size() - 1)));
}

TEST_P(LongLists, ZerosAreNoText) {
  std::string text = node_lines() + element_lines("C3D8", 8, 100, "");
  const std::size_t at = text.size() - 1000;
  text[at] = '\0';
  for (const Outcome& outcome : read(text))
    EXPECT_THAT(outcome.refusal, HasSubstr(fmt::format("is not text: byte {} is 0x00", at + 1)));
}

INSTANTIATE_TEST_SUITE_P(Processes, LongLists, testing::Values(0, 1, 2, 3, 7));

TEST(ReadTogether, EachReadsItsShare) {
  const std::string text = node_lines() + element_lines("C3D8", 8, 100, "");
  const std::int64_t rows = 28 * std::int64_t{nodes} + 44 * std::int64_t{elements};  // bytes
  const std::int64_t told = read_together(2, of_text(text)).told;
  EXPECT_GT(told, rows / 3);
  EXPECT_LT(told, rows * 4 / 5);
}

TEST(ReadTogether, WarningsAreThoseOfOneProcess) {
  const std::string text =
      node_lines() + element_lines("C3D8", 9, 100, "") + "*NSET, NSET=N\n1, 2, 3\n*UNHEARD OF\n";
  const std::vector<std::string> expected = outcome(of_text(text), 0, nullptr).deck.warnings;
  ASSERT_EQ(expected.size(), 3U);
  for (const Outcome& outcome : read_together(3, of_text(text)).outcomes)
    EXPECT_EQ(outcome.deck.warnings, expected);
}

TEST(ReadTogether, OtherTextsAreNamed) {
  const std::string text = node_lines() + element_lines("C3D8", 8, 100, "");
  const Together all = read_together(3, [&](int member, const setka::exec::Transport* together) {
    return of_text(member == 2 ? text + "** another one\n" : text)(member, together);
  });
  for (const Outcome& outcome : all.outcomes)
    EXPECT_THAT(outcome.refusal,
                HasSubstr("deck.inp: process 2 reads another deck.inp than the first one; let"));
}

/// A deck with its mesh in another file, in folders that are copies of each other.
class ReadFilesTogether : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"a", "b"}) {
      std::filesystem::create_directory(folder_ / folder);
      std::ofstream(folder_ / folder / "deck.inp") << "*INCLUDE, INPUT=mesh.inc\n"
                                                   << element_lines("C3D20", 20, 16, ",\n");
      std::ofstream(folder_ / folder / "mesh.inc") << node_lines();
    }
  }

  ReadBy from(std::vector<std::string> folders) const {
    return [this, folders](int member, const setka::exec::Transport* together) {
      setka::Monitor monitor;
      return setka::deck::read_inp(folder_ / folders[static_cast<std::size_t>(member)] / "deck.inp", monitor,
                                   setka::deck::Completeness::unchecked, together);
    };
  }

  setka::test::ScratchFolder folder_;
};

TEST_F(ReadFilesTogether, OfOneFolderAndOfCopies) {
  for (const std::vector<std::string>& folders : {std::vector<std::string>{"a", "a"}, {"a", "b"}}) {
    for (const Outcome& outcome : read_together(2, from(folders)).outcomes) expect_mesh(outcome.deck, 20);
  }
}

TEST_F(ReadFilesTogether, OtherFilesAreNamed) {
  std::string other = node_lines();
  other.replace(other.find("\n120000,"), 2, "\n3");  // as long as before
  std::ofstream(folder_ / "b" / "mesh.inc") << other;
  for (const Outcome& outcome : read_together(2, from({"a", "b"})).outcomes)
    EXPECT_THAT(outcome.refusal, HasSubstr("process 1 reads another mesh.inc than the first one"));
}

TEST_F(ReadFilesTogether, AnErrorOfAnIncludedFile) {
  std::string wrong = node_lines();
  const std::size_t at = wrong.find("\n120000,");
  wrong.replace(at + 1, 6, "12x000");
  std::ofstream(folder_ / "a" / "mesh.inc") << wrong;
  for (const Outcome& outcome : read_together(2, from({"a", "a"})).outcomes)
    EXPECT_THAT(outcome.refusal,
                HasSubstr(fmt::format("mesh.inc:{}: the node is '12x000'", line_of(wrong, at + 1))));
}

}  // namespace
