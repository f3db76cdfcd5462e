// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/dat_writer.hpp"

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "io/two_hexa.hpp"
#include "setka/base/error.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream in(line);
  for (double x = 0; in >> x;) numbers.push_back(x);
  return numbers;
}

/// The rows of a table: those behind the first line that begins with the title, up to an empty line.
std::vector<std::vector<double>> table(const std::vector<std::string>& lines, const std::string& title) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind(title, 0) != 0) continue;
    for (std::size_t j = i + 2; j < lines.size() && !lines[j].empty(); ++j)
      rows.push_back(numbers_of(lines[j]));
    break;
  }
  if (rows.empty()) throw std::runtime_error("no table " + title);
  return rows;
}

/// What CalculiX computed, read back from the tables in global directions.
model::Frame frame_from(const model::Model& model, const std::vector<std::string>& lines) {
  model::Frame frame;
  const auto at_nodes = [&](const std::string& name, int components, const std::string& title) {
    model::NodeField field{name, components, {}};
    field.values.resize(static_cast<std::size_t>(model.mesh.node_count() * components));
    for (const auto& row : table(lines, title)) {
      const auto node = model.mesh.find_node(static_cast<std::int64_t>(row[0]));
      for (int i = 0; i < components; ++i) {
        field.values[static_cast<std::size_t>(node * components + i)] = row[static_cast<std::size_t>(i + 1)];
      }
    }
    frame.node_fields.push_back(field);
  };
  const auto at_points = [&](const std::string& name, int components, const std::string& title) {
    model::PointField field{name, components, {}};
    for (const auto& row : table(lines, title))
      field.values.insert(field.values.end(), row.begin() + 2, row.end());
    frame.point_fields.push_back(field);
  };
  at_nodes("U", 3, " displacements (vx,vy,vz) for set NALL");
  at_nodes("RF", 3, " forces (fx,fy,fz) for set NALL");
  at_nodes("NT", 1, " temperatures for set NALL");
  at_points("S", 6, " stresses ");
  at_points("E", 6, " strains ");
  at_points("ME", 6, " mechanical strains ");
  at_points("ENER", 1, " internal energy density ");
  at_points("COORD", 3, " global coordinates ");
  for (const auto& row : table(lines, " internal energy (element")) frame.element_energy.push_back(row[1]);
  for (const auto& row : table(lines, " volume (element")) frame.element_volume.push_back(row[1]);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind(" statistics for surface set ", 0) != 0) continue;
    model::SectionForces s;
    s.surface = model.find_surface(lines[i].substr(28, 2));
    const auto first = numbers_of(lines[i + 4]);
    const auto second = numbers_of(lines[i + 8]);
    const auto third = numbers_of(lines[i + 12]);
    const auto fourth = numbers_of(lines[i + 16]);
    for (std::size_t k = 0; k < 3; ++k) {
      s.force[k] = first[k];
      s.moment[k] = first[k + 3];
      s.center[k] = second[k];
      s.normal[k] = second[k + 3];
      s.moment_about_center[k] = third[k];
    }
    s.area = fourth[0];
    s.normal_force = fourth[1];
    s.shear_force = fourth[2];
    s.torque = fourth[3];
    s.bending_moment = fourth[4];
    frame.sections.push_back(s);
  }
  return frame;
}

const model::PointLayout layout{{0, 8, 9}};

std::vector<std::string> reference() {
  return lines_of(content(std::string(SETKA_TEST_DATA) + "/two_hexa.dat"));
}

/// Words that are numbers are equal up to what seven digits of global components leave open: a row's largest
/// value times 2e-6.
void expect_near(const std::string& found, const std::string& expected) {
  ASSERT_EQ(found.size(), expected.size()) << found << "\n" << expected;
  std::istringstream a(found);
  std::istringstream b(expected);
  double largest = 0;
  const std::vector<double> all = numbers_of(expected);
  for (std::size_t i = 1; i < all.size(); ++i) largest = std::max(largest, std::abs(all[i]));
  if (all.size() <= 3) largest = std::max(largest, std::abs(all.empty() ? 0 : all[0]));
  for (std::string x, y; a >> x && b >> y;) {
    if (x == y) continue;
    ASSERT_NEAR(std::stod(x), std::stod(y), 2e-6 * largest + 1e-9) << found << "\n" << expected;
  }
}

TEST(DatWriter, WritesWhatCalculixWrites) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  const std::vector<std::string> expected = reference();
  const model::Frame frame = frame_from(model, expected);
  DatWriter writer(folder / "job.dat", model, layout);
  writer.write(model.steps[0], frame);
  EXPECT_TRUE(writer.files().empty());
  writer.finish();
  ASSERT_EQ(writer.files(), std::vector{folder / "job.dat"});

  const std::vector<std::string> found = lines_of(content(folder / "job.dat"));
  ASSERT_EQ(found.size(), expected.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool turned = found[i].ends_with(" L") || found[i].find("AROUND") != std::string::npos ||
                        found[i].find("TURNED") != std::string::npos;
    const bool total = i >= 2 && found[i - 2].rfind(" total ", 0) == 0;
    if (turned || total) {
      expect_near(found[i], expected[i]);
    } else {
      EXPECT_EQ(found[i], expected[i]) << "line " << i + 1;
      ++same;
    }
  }
  EXPECT_GT(same, 100U);
}

TEST(DatWriter, RequestsWithoutASetPrintNothing) {
  const ScratchFolder folder;
  model::Model model = test::two_hexa();
  for (model::OutputRequest& request : model.steps[0].output) request.set = -1;
  DatWriter writer(folder / "job.dat", model, layout);
  writer.write(model.steps[0], model::Frame{});
  writer.finish();
  EXPECT_EQ(content(folder / "job.dat"), "");
}

TEST(DatWriter, TheFrequencyHoldsForAllRequestsAndTheEndOfAStepIsAlwaysWritten) {
  model::Step step;
  step.output.resize(2);
  step.output[0].frequency = 3;
  model::Frame frame;
  std::string due;
  for (frame.increment = 1; frame.increment <= 7; ++frame.increment) {
    frame.last_of_step = frame.increment == 7;
    due += output_is_due(step, frame) ? 'x' : '.';
  }
  EXPECT_EQ(due, "..x..xx");
}

TEST(DatWriter, AFrameThatLacksATableIsAnError) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  DatWriter writer(folder / "job.dat", model, layout);
  EXPECT_THAT(
      [&] { writer.write(model.steps[0], model::Frame{}); },
      testing::ThrowsMessage<Error>(".dat: U is asked for but the frame has no displacements (vx,vy,vz)"));
  const model::PointLayout short_layout{{0, 8}};
  EXPECT_THAT(
      [&] { DatWriter(folder / "other.dat", model, short_layout); },
      testing::ThrowsMessage<Error>(".dat: the layout of points is for 1 elements but the mesh has 2"));
  EXPECT_EQ(folder.entries(), 1);  // the first writer's unfinished one
}

}  // namespace
}  // namespace setka::io
