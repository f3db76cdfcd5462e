// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_writer.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/cases/grid_checkpoint.hpp"
#include "setka/io/npy.hpp"

namespace setka::cases {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GridFiles : public ::testing::Test {
 protected:
  GridFiles() {
    grid_.file = folder_ / "case.toml";
    grid_.axes = 3;
    grid_.cells = {3, 2, 2};
    grid_.lengths = {3, 1, 4};
    grid_.step = 0.5;
    grid_.steps = 100;
    grid_.output.folder = folder_ / "made/results";
    for (int i = 0; i < 12; ++i) values_.push_back(i);
  }
  std::string written(const std::string& name) const { return test::content(grid_.output.folder / name); }

  io::Checkpoint checkpoint(std::int64_t done, const std::vector<double>& probes) const {
    io::Checkpoint made = checkpoint_of(grid_);
    made.put(grid_done_part, std::vector<std::int64_t>{done});
    made.put(grid_change_part, std::vector<double>{0.5});
    made.put(grid_values_part, values_);
    made.put(grid_probes_part, probes);
    return made;
  }

  test::ScratchFolder folder_;
  model::GridCase grid_;
  std::vector<double> values_;
};

TEST_F(GridFiles, are_those_the_case_asks_for) {
  grid_.output.npy = true;
  grid_.output.png = true;
  GridWriter writer(grid_);
  EXPECT_FALSE(writer.is_due(0));
  EXPECT_FALSE(writer.is_due(99));
  EXPECT_TRUE(writer.is_due(100));
  writer.write(100, 50, std::span<const double>(values_));
  writer.finish();
  EXPECT_EQ(writer.files().size(), 3U);
  EXPECT_THAT(written("case.vti"),
              HasSubstr(R"(WholeExtent="0 3 0 2 0 2" Origin="0 0 0" Spacing="1 0.5 2")"));
  EXPECT_THAT(written("case.vti"), HasSubstr(R"(format="ascii">50</DataArray>)"));
  const io::NpyFile npy(grid_.output.folder / "case.npy");
  EXPECT_THAT(npy.shape(), ElementsAre(2, 2, 3));
  std::vector<double> back(12);
  npy.read(0, back);
  EXPECT_EQ(back, values_);
  EXPECT_EQ(written("case.png").substr(1, 3), "PNG");
  EXPECT_FALSE(std::filesystem::exists(grid_.output.folder / "case.pvd"));
}

TEST_F(GridFiles, are_numbered_by_their_steps_and_listed) {
  grid_.output.every = 40;
  {
    GridWriter writer(grid_);
    EXPECT_TRUE(writer.is_due(0));
    EXPECT_TRUE(writer.is_due(80));
    EXPECT_TRUE(writer.is_due(100));
    writer.write(40, 20, std::span<const double>(values_));
  }
  GridWriter writer(grid_, 50);  // goes on after step 50
  const std::vector<float> single(values_.begin(), values_.end());
  writer.write(80, 40, std::span<const float>(single));
  writer.finish();
  EXPECT_THAT(written("case.pvd"),
              HasSubstr("<DataSet timestep=\"20\" part=\"0\" file=\"case-00000040.vti\"/>\n"
                        "<DataSet timestep=\"40\" part=\"0\" file=\"case-00000080.vti\"/>\n"));
}

TEST_F(GridFiles, show_slices_across_each_axis) {
  const auto slice = [&](int axis, double at) {
    grid_.output.slice_axis = axis;
    grid_.output.slice_at = at;
    return slice_of(grid_, 2, values_);
  };
  EXPECT_THAT(slice(0, 0.01).values, ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(slice(0, 3).values, ElementsAre(2, 5, 8, 11));
  EXPECT_THAT(slice(1, 0.01).values, ElementsAre(0, 1, 2, 6, 7, 8));
  EXPECT_THAT(slice(1, 1).values, ElementsAre(3, 4, 5, 9, 10, 11));
  EXPECT_THAT(slice(2, 0.01).values, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(slice(2, 4).values, ElementsAre(6, 7, 8, 9, 10, 11));
  // It says which axes these are, and where the points are that are nearest.
  EXPECT_THAT(slice(0, 0.01).map.axes, ElementsAre("y", "z"));
  EXPECT_EQ(slice(0, 0.01).map.label, "t = 2   x = 0.5");
  EXPECT_THAT(slice(1, 1).map.axes, ElementsAre("x", "z"));
  EXPECT_EQ(slice(1, 1).map.label, "t = 2   y = 0.75");
  EXPECT_THAT(slice(2, 4).map.axes, ElementsAre("x", "y"));
  grid_.scheme = model::GridScheme::jacobi;
  values_.resize(4 * 3 * 3);
  EXPECT_EQ(slice(2, 4).map.label, "z = 4");
  grid_.axes = 2;
  EXPECT_EQ(slice(2, 0).map.label, "");
}

TEST_F(GridFiles, have_columns_of_probes) {
  grid_.probes = {{"a", {}}, {"b", {}}};
  GridWriter writer(grid_);
  writer.write_probes(std::vector<double>{0, 1, 2, 0.5, 1.0 / 3, 1e-300});
  EXPECT_EQ(written("case-probes.csv"), "time,a,b\n0,1,2\n0.5,0.3333333333333333,1e-300\n");
}

TEST_F(GridFiles, say_when_the_folder_cannot_be) {
  std::ofstream(folder_ / "made") << "a file";
  EXPECT_THROW(GridWriter{grid_}, Error);
}

TEST_F(GridFiles, keep_a_checkpoint_to_the_bit) {
  const auto path = folder_ / "case.checkpoint";
  const std::vector<double> probes{0, -0.0, 1e-310};
  io::write_checkpoint(path, checkpoint(7, probes));
  const io::Checkpoint back = read_checkpoint_of(grid_, path);
  EXPECT_EQ(back.get<std::int64_t>(grid_done_part), std::vector<std::int64_t>{7});
  EXPECT_EQ(back.get<double>(grid_values_part), values_);
  EXPECT_EQ(back.parts, checkpoint(7, probes).parts);
}

TEST_F(GridFiles, refuse_a_checkpoint_of_another_problem_or_a_damaged_one) {
  const auto path = folder_ / "case.checkpoint";
  const auto message = [&](const model::GridCase& grid) -> std::string {
    try {
      read_checkpoint_of(grid, path);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      EXPECT_THAT(error.what(), HasSubstr("case.checkpoint: "));
      EXPECT_THAT(error.what(), HasSubstr("; run it without --continue"));
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(grid_), HasSubstr("there is no checkpoint"));
  io::write_checkpoint(path, checkpoint(7, {}));
  EXPECT_EQ(message(grid_), "no error");
  model::GridCase other = grid_;
  other.steps = 1000;  // only longer
  EXPECT_EQ(message(other), "no error");
  other.step = 0.25;
  EXPECT_THAT(message(other), HasSubstr("was written for another step than that of the case"));
  other = grid_;
  other.source.value = 1;
  EXPECT_THAT(message(other), HasSubstr("another source"));
  other = grid_;
  other.single_precision = true;
  EXPECT_THAT(message(other), HasSubstr("another precision"));
  const std::string whole = test::content(path);
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    EXPECT_THAT(message(grid_), HasSubstr("damaged")) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 17) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    std::ofstream(path, std::ios::binary) << changed;
    EXPECT_THAT(message(grid_), HasSubstr("damaged")) << at;
  }
  std::ofstream(path, std::ios::binary) << whole + "x";
  EXPECT_THAT(message(grid_), HasSubstr("damaged"));
  std::ofstream(path, std::ios::binary) << "something else altogether";
  EXPECT_THAT(message(grid_), HasSubstr("this is no checkpoint of Setka"));
}

TEST_F(GridFiles, refuse_a_checkpoint_without_all_its_parts) {
  const auto path = folder_ / "case.checkpoint";
  const auto refused = [&](const io::Checkpoint& written) -> std::string {
    io::write_checkpoint(path, written);
    try {
      read_checkpoint_of(grid_, path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  io::Checkpoint deck;
  deck.model = 1;
  EXPECT_THAT(refused(deck), HasSubstr("of a deck, not of a case on a grid"));
  io::Checkpoint fewer = checkpoint(7, {});
  fewer.put(grid_values_part, std::vector<double>(11));
  EXPECT_THAT(refused(fewer), HasSubstr("another number of values than the case"));
  fewer.parts.erase(grid_values_part);
  EXPECT_THAT(refused(fewer), HasSubstr("no part 'values'"));
}

}  // namespace
}  // namespace setka::cases
