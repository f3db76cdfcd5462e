// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/frd_writer.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "io/small_deck.hpp"
#include "io/two_hexa.hpp"
#include "setka/base/error.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;

/// Reads the results of CalculiX's file back into frames, to be written again.
class FrdReader {
 public:
  FrdReader(std::string text, const model::Model& model) : text_(std::move(text)), model_(model) {}

  std::vector<model::Frame> frames() {
    std::vector<model::Frame> frames;
    int last = 0;
    while ((at_ = text_.find("    1PSTEP", at_)) != std::string::npos) {
      const std::string step_line = line();
      const std::string head = line();
      const int number = std::stoi(head.substr(58, 5));
      if (number != last) frames.emplace_back();
      last = number;
      model::Frame& frame = frames.back();
      frame.increment = std::stoi(step_line.substr(36, 12));
      frame.step = std::stoi(step_line.substr(48, 12));
      frame.time = std::stod(head.substr(12, 12));
      read_field(frame, std::stoi(head.substr(24, 12)), head.back() == '2');
    }
    return frames;
  }

 private:
  std::string line() {
    const std::size_t end = text_.find('\n', at_);
    std::string line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  void read_field(model::Frame& frame, int rows, bool binary) {
    const std::string name_line = line();
    const std::string name = name_line.substr(5, name_line.find(' ', 5) - 5);
    int components = 0;
    for (; text_.compare(at_, 3, " -5") == 0; line()) ++components;
    if (components == 4) components = 3;
    model::NodeField field;
    field.name = name == "DISP"       ? "U"
                 : name == "FORC"     ? "RF"
                 : name == "STRESS"   ? "S"
                 : name == "TOSTRAIN" ? "E"
                 : name == "NDTEMP"   ? "NT"
                 : name == "ERROR"    ? "ERR"
                                      : name;
    field.components = components;
    field.values.resize(static_cast<std::size_t>(model_.mesh.node_count() * components));
    for (int r = 0; r < rows; ++r) {
      std::int32_t label = 0;
      std::vector<float> values(static_cast<std::size_t>(components));
      if (binary) {
        std::memcpy(&label, text_.data() + at_, 4);
        std::memcpy(values.data(), text_.data() + at_ + 4, 4 * values.size());
        at_ += 4 + 4 * values.size();
      } else {
        const std::string row = line();
        label = std::stoi(row.substr(3, 10));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::stof(row.substr(13 + 12 * i, 12));
      }
      static constexpr std::array<int, 6> order{0, 1, 2, 3, 5, 4};
      for (int i = 0; i < components; ++i) {
        const int place = model_.mesh.find_node(label) * components + order[static_cast<std::size_t>(i)];
        field.values[static_cast<std::size_t>(place)] = values[static_cast<std::size_t>(i)];
      }
    }
    frame.node_fields.push_back(std::move(field));
  }

  std::string text_;
  const model::Model& model_;
  std::size_t at_ = 0;
};

/// Without the lines that say who wrote the file, and when.
std::string without_origin(const std::string& text) {
  std::string kept;
  std::size_t at = 0;
  for (const char* key : {"USER", "DATE", "TIME", "HOST", "PGM", "VERSION", "COMPILETIME", "DIR", "DBN"}) {
    const std::size_t begin = text.find("    1U" + std::string(key), at);
    if (begin == std::string::npos) continue;
    kept += text.substr(at, begin - at);
    at = text.find('\n', begin) + 1;
  }
  return kept + text.substr(at);
}

model::Step step_of_files() {
  model::Step step;
  step.output.resize(2);
  step.output[0].kind = model::OutputKind::node_file;
  step.output[0].variables = {"RF", "U", "NT"};
  step.output[1].kind = model::OutputKind::element_file;
  step.output[1].variables = {"S", "ENER", "E", "ERR"};
  return step;
}

void expect_rewritten(const model::Model& model, const std::string& name, bool binary) {
  SCOPED_TRACE(name);
  const ScratchFolder folder;
  const std::string expected = content(std::string(SETKA_TEST_DATA) + "/" + name);
  FrdWriter writer(folder / "job.frd", model, {.binary = binary});
  const model::Step step = step_of_files();
  const auto frames = FrdReader(expected, model).frames();
  ASSERT_FALSE(frames.empty());
  for (const model::Frame& frame : frames) writer.write(step, frame);
  writer.finish();
  const std::string found = without_origin(content(folder / "job.frd"));
  const std::string wanted = without_origin(expected);
  if (binary) {
    EXPECT_TRUE(found == wanted) << "binary files of " << found.size() << " and " << wanted.size()
                                 << " bytes differ";
  } else {
    EXPECT_EQ(found, wanted);
  }
}

std::string data(const std::string& name) {
  return std::string(SETKA_TEST_DATA) + "/" + name;
}

TEST(FrdWriter, WritesHexahedraAndTemperaturesAsCalculix) {
  expect_rewritten(test::two_hexa(), "two_hexa.frd", false);
}

TEST(FrdWriter, WritesAllSolidsAndTwoStepsAsCalculix) {
  expect_rewritten(test::small_deck(data("solids.inp")), "solids.frd", false);
}

TEST(FrdWriter, WritesPlaneElementsAndTrussesAsCalculix) {
  expect_rewritten(test::small_deck(data("planes.inp")), "planes.frd", false);
}

TEST(FrdWriter, WritesBinaryAsCalculix) {
  expect_rewritten(test::small_deck(data("solids.inp")), "solids_binary.frd", true);
}

TEST(FrdWriter, RestrictsAFieldToANodeSetInItsOrder) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  model::Step step = step_of_files();
  step.output.resize(1);
  step.output[0].variables = {"U"};
  step.output[0].set = 2;
  model::Frame frame;
  frame.time = 2200000002;
  frame.node_fields = {{"U", 3, std::vector<double>(39, 0.5)}};
  FrdWriter writer(folder / "job.frd", model);
  writer.write(step, frame);
  writer.finish();
  EXPECT_THAT(
      content(folder / "job.frd"),
      testing::HasSubstr("  100CL  101  2200000002           4                     0    1           1\n"));
  EXPECT_THAT(content(folder / "job.frd"),
              testing::HasSubstr("1ALL\n"
                                 " -1        17 5.00000E-01 5.00000E-01 5.00000E-01\n"
                                 " -1         3 5.00000E-01 5.00000E-01 5.00000E-01\n"
                                 " -1        12 5.00000E-01 5.00000E-01 5.00000E-01\n"
                                 " -1         6 5.00000E-01 5.00000E-01 5.00000E-01\n"
                                 " -3\n 9999\n"));
}

TEST(FrdWriter, AMissingFieldIsAnErrorAndLeavesNoFile) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  {
    FrdWriter writer(folder / "job.frd", model);
    EXPECT_THAT([&] { writer.write(step_of_files(), model::Frame{}); },
                testing::ThrowsMessage<Error>(".frd: U is asked for and needs 39 values; the frame has 0"));
  }
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace setka::io
