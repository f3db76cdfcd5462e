// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What the files hold is checked by meshio and VTK in check_vtu.py; here, what they are and how they fail.
#include "setka/io/vtu_writer.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "io/two_hexa.hpp"
#include "setka/base/error.hpp"
#include "setka/io/vtk_data.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;

model::Frame frame_at(double time) {
  model::Frame frame;
  frame.time = time;
  frame.node_fields = {{"U", 3, std::vector<double>(39, 0.5)}};
  return frame;
}

TEST(VtuWriter, AFileAFrameAndACollectionWithItsTimes) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  VtuWriter writer(folder / "a<b", model);
  writer.write(model::Step{}, frame_at(0.5));
  EXPECT_EQ(writer.files(), std::vector{folder / "a<b.0001.vtu"});
  EXPECT_TRUE(test::appears(folder / "a<b.0001.vtu"));
  writer.write(model::Step{}, frame_at(1));
  writer.finish();
  EXPECT_EQ(writer.files(),
            (std::vector{folder / "a<b.0001.vtu", folder / "a<b.0002.vtu", folder / "a<b.pvd"}));
  EXPECT_THAT(content(folder / "a<b.pvd"),
              testing::HasSubstr("<DataSet timestep=\"0.5\" part=\"0\" file=\"a&lt;b.0001.vtu\"/>\n"
                                 "<DataSet timestep=\"1\" part=\"0\" file=\"a&lt;b.0002.vtu\"/>\n"));
  EXPECT_EQ(folder.entries(), 3);
}

TEST(VtuWriter, ASingleFrameHasThePlainName) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  VtuWriter writer(folder / "job", model);
  writer.write(model::Step{}, frame_at(1));
  writer.finish();
  EXPECT_EQ(writer.files(), (std::vector{folder / "job.vtu", folder / "job.pvd"}));
  EXPECT_EQ(folder.entries(), 2);
}

TEST(VtuWriter, WrongSizesAndFoldersAreErrors) {
  const ScratchFolder folder;
  const model::Model model = test::two_hexa();
  model::Frame frame = frame_at(1);
  frame.node_fields[0].values.pop_back();
  VtuWriter writer(folder / "job", model);
  EXPECT_THAT([&] { writer.write(model::Step{}, frame); },
              testing::ThrowsMessage<Error>(".vtu: U has 38 values in the frame where the mesh needs 39"));
  VtuWriter nowhere(folder / "no" / "job", model);
  EXPECT_THAT(
      [&] { nowhere.write(model::Step{}, frame_at(1)); },
      testing::ThrowsMessage<Error>(testing::HasSubstr("job.0001.vtu cannot be created: No such file")));
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace setka::io
