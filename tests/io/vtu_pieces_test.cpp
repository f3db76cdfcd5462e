// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Frames that several processes write, here threads with a writer each. That VTK reads them is checked in
// check_vtu.py.
#include "setka/io/vtu_pieces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/io/mesh_piece.hpp"
#include "setka/io/vtu_writer.hpp"
#include "setka/model/element_type.hpp"
#include "support/thread_transport.hpp"
#include "support/vtu_file.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;
using test::VtuFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Processes = std::shared_ptr<const exec::Transport>;

/// Triangles in a row, two of three of one material; the last node is of no element.
model::Model row_of_triangles(int count) {
  model::Model model;
  for (int n = 0; n < count + 3; ++n) model.mesh.add_node(7 * n + 1, 0.5 * n, n % 2, 0);
  model.element_sets = {{"MOST", {}}};
  for (int e = 0; e < count; ++e) {
    model::add_element(model.mesh, 100 - e, deck::element("CPS3"), std::array{e, e + 1, e + 2});
    if (e % 3 != 0) model.element_sets[0].elements.push_back(e);
  }
  model.materials.resize(1);
  model.sections.resize(1);
  model.sections[0].element_set = 0;
  model.sections[0].material = 0;
  return model;
}

model::Frame numbered_frame(const model::Model& model, int number) {
  model::Frame frame;
  frame.increment = number;
  frame.time = 0.25 * number;
  for (const auto& [name, components] : {std::pair{"U", 3}, {"S", 6}, {"NT", 1}}) {
    model::NodeField field{name, components, {}};
    for (int i = 0; i < components * model.mesh.node_count(); ++i) field.values.push_back(i + 0.1 * number);
    frame.node_fields.push_back(field);
  }
  return frame;
}

/// Frames from `first` on, as setka run has them written.
void write_frames(VtuWriter& writer, const model::Model& model, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    writer.write(model::Step{}, numbered_frame(model, i));
    writer.meet();
  }
}

void run_by(int processes, const std::filesystem::path& stem, const model::Model& model, int frames) {
  const std::vector<std::string> thrown = test::run_members(processes, [&](const Processes& all) {
    VtuWriter writer(stem, model, all);
    write_frames(writer, model, 1, frames);
    writer.finish();
  });
  for (const std::string& text : thrown) EXPECT_EQ(text, "");
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// Each element is in one piece, with the nodes and values that the whole has.
void expect_whole(const std::filesystem::path& pvtu, const std::filesystem::path& vtu) {
  const VtuFile whole(vtu);
  std::map<std::int32_t, std::vector<std::int32_t>> elements;
  std::size_t cells = 0;
  for (const std::filesystem::path& file : test::pieces_in(pvtu)) {
    const VtuFile piece(file);
    const auto own = piece.elements();
    cells += own.size();
    elements.insert(own.begin(), own.end());
    EXPECT_EQ(piece.array<std::int32_t>("MaterialNumber").size(), own.size());
    for (const char* const field : {"U", "S", "S_Mises", "NT", "Points"}) {
      const auto expected = whole.by_node(field);
      for (const auto& [node, values] : piece.by_node(field)) EXPECT_EQ(values, expected.at(node)) << field;
    }
  }
  EXPECT_EQ(elements, whole.elements());
  EXPECT_EQ(cells, elements.size()) << "an element is in two pieces";
}

TEST(VtuPieces, NamesAndBack) {
  EXPECT_EQ((PieceName{1, 3, 8}.text()), "0001.3of8.vtu");
  const std::optional<PieceName> name = PieceName::of("12345.1000of1024.vtu");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->frame, 12345);
  EXPECT_EQ(name->piece, 1000);
  EXPECT_EQ(name->pieces, 1024);
  for (const char* const other :
       {"", "0001", "0001.", "0001.3of", "0001.3of8", "0001.3of8.vtu2", "1.3of8.vtu", "0001.3to8.vtu",
        "0001.vtu", "0001.99999999999of8.vtu", "x.3of8.vtu"})
    EXPECT_FALSE(PieceName::of(other)) << other;
}

TEST(VtuPieces, ElementsAreSharedOutOnceAndAlike) {
  for (const int elements : {0, 1, 2, 7, 64}) {
    const model::Model model = row_of_triangles(elements);
    for (const int pieces : {1, 2, 3, 7}) {
      std::vector<std::int32_t> all;
      for (int p = 0; p < pieces; ++p) {
        const auto own = elements_of_piece(model.mesh, p, pieces);
        EXPECT_LE(static_cast<int>(own.size()), elements / pieces + 1);
        EXPECT_GE(static_cast<int>(own.size()), elements / pieces);
        all.insert(all.end(), own.begin(), own.end());
      }
      ASSERT_EQ(static_cast<int>(all.size()), elements);
      for (std::int32_t e = 0; e < elements; ++e) EXPECT_EQ(all[static_cast<std::size_t>(e)], e);
    }
  }
}

TEST(VtuPieces, TogetherAreWhatOneProcessWrites) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(7);
  run_by(1, folder / "alone", model, 2);
  EXPECT_TRUE(std::filesystem::exists(folder / "alone.0002.vtu"));
  for (const int processes : {2, 3, 5}) {
    run_by(processes, folder / "job", model, 2);
    const auto pieces = test::pieces_in(folder / "job.0002.pvtu");
    EXPECT_EQ(static_cast<int>(pieces.size()), processes);
    expect_whole(folder / "job.0001.pvtu", folder / "alone.0001.vtu");
    expect_whole(folder / "job.0002.pvtu", folder / "alone.0002.vtu");
    for (const auto& piece : pieces) EXPECT_LE(VtuFile(piece).elements().size(), 7U / processes + 1);
    // Nothing else is left of those before.
    EXPECT_THAT(names_in(folder / "job.pieces"), testing::SizeIs(2 * processes));
  }
  EXPECT_THAT(content(folder / "job.pvd"),
              HasSubstr("<DataSet timestep=\"0.25\" part=\"0\" file=\"job.0001.pvtu\"/>\n"
                        "<DataSet timestep=\"0.5\" part=\"0\" file=\"job.0002.pvtu\"/>\n"));
}

TEST(VtuPieces, WhatTheFirstOneSaysOfThem) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(3);
  run_by(2, folder / "a<b", model, 1);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a<b.pieces", "a<b.pvd", "a<b.pvtu"));
  const std::string text = content(folder / "a<b.pvtu");
  for (const std::string& part :
       {std::string("<PUnstructuredGrid GhostLevel=\"0\">"), std::string("Name=\"TimeValue\""),
        std::string("<PPointData>\n<PDataArray type=\"Float64\" Name=\"U\" NumberOfComponents=\"3\" "
                    "ComponentName0=\"X\""),
        std::string("<PPoints>\n<PDataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"/>"),
        std::string("<Piece Source=\"a&lt;b.pieces/0001.1of2.vtu\"/>\n"
                    "<Piece Source=\"a&lt;b.pieces/0001.2of2.vtu\"/>\n")})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(VtuPieces, MoreProcessesThanElements) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(2);
  run_by(1, folder / "alone", model, 1);
  run_by(5, folder / "job", model, 1);
  EXPECT_THAT(names_in(folder / "job.pieces"), ElementsAre("0001.1of2.vtu", "0001.2of2.vtu"));
  expect_whole(folder / "job.pvtu", folder / "alone.vtu");
}

TEST(VtuPieces, AreListedWhenAllAreThere) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(4);
  const auto thrown = test::run_members(2, [&](const Processes& all) {
    VtuWriter writer(folder / "job", model, all);
    if (all->number() == 0) {
      writer.write(model::Step{}, numbered_frame(model, 1));
      EXPECT_TRUE(test::appears(folder / "job.pieces" / "0001.1of2.vtu"));
      EXPECT_FALSE(std::filesystem::exists(folder / "job.0001.pvtu"));
    }
    all->meet();
    if (all->number() == 1) writer.write(model::Step{}, numbered_frame(model, 1));
    writer.meet();
    EXPECT_TRUE(std::filesystem::exists(folder / "job.pieces" / "0001.2of2.vtu"));
    EXPECT_TRUE(test::appears(folder / "job.0001.pvtu"));
  });
  EXPECT_THAT(thrown, ElementsAre("", ""));
}

TEST(VtuPieces, GoOnWithOtherProcesses) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(9);
  run_by(1, folder / "alone", model, 3);
  std::string position;
  (void)test::run_members(4, [&](const Processes& all) {
    VtuWriter writer(folder / "job", model, all);
    write_frames(writer, model, 1, 1);
    const std::string own = writer.position();
    if (all->number() == 0) position = own;
    write_frames(writer, model, 2, 1);  // and is killed
  });
  for (const int processes : {1, 2}) {
    const auto thrown = test::run_members(processes, [&](const Processes& all) {
      VtuWriter writer(folder / "job", model, all);
      writer.go_on(position);
      write_frames(writer, model, 2, 2);
      if (processes == 2) writer.finish();  // else it is killed as well
    });
    for (const std::string& text : thrown) EXPECT_EQ(text, "");
  }
  EXPECT_THAT(content(folder / "job.pvd"),
              HasSubstr("<DataSet timestep=\"0.25\" part=\"0\" file=\"job.0001.pvtu\"/>\n"
                        "<DataSet timestep=\"0.5\" part=\"0\" file=\"job.0002.pvtu\"/>\n"
                        "<DataSet timestep=\"0.75\" part=\"0\" file=\"job.0003.pvtu\"/>\n"));
  EXPECT_THAT(names_in(folder / "job.pieces"),
              ElementsAre("0001.1of4.vtu", "0001.2of4.vtu", "0001.3of4.vtu", "0001.4of4.vtu", "0002.1of2.vtu",
                          "0002.2of2.vtu", "0003.1of2.vtu", "0003.2of2.vtu"));
  for (const int frame : {1, 2, 3}) {
    expect_whole(folder / fmt::format("job.{:04}.pvtu", frame),
                 folder / fmt::format("alone.{:04}.vtu", frame));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "job.0002.vtu"));

  std::filesystem::remove(folder / "job.pieces" / "0001.3of4.vtu");
  VtuWriter late(folder / "job", model);
  EXPECT_THAT([&] { late.go_on(position); },
              testing::ThrowsMessage<Error>(HasSubstr("0001.3of4.vtu is needed to go on and is gone")));
}

TEST(VtuPieces, OneProcessLeavesNoneOfThem) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(4);
  run_by(3, folder / "job", model, 2);
  std::ofstream(folder / "job.pieces" / "mine.vtu") << "of the user";
  run_by(1, folder / "job", model, 1);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("job.pieces", "job.pvd", "job.vtu"));
  EXPECT_THAT(names_in(folder / "job.pieces"), ElementsAre("mine.vtu"));
  std::filesystem::remove(folder / "job.pieces" / "mine.vtu");
  run_by(2, folder / "job", model, 1);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("job.pieces", "job.pvd", "job.pvtu"));
  run_by(1, folder / "job", model, 1);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("job.pvd", "job.vtu"));
}

TEST(VtuPieces, OneThatCannotBeWrittenFailsForAll) {
  const ScratchFolder folder;
  const model::Model model = row_of_triangles(6);
  std::filesystem::create_directories(folder / "job.pieces" / "0001.2of3.vtu");
  const auto thrown = test::run_members(3, [&](const Processes& all) {
    VtuWriter writer(folder / "job", model, all);
    write_frames(writer, model, 1, 1);
    writer.finish();
  });
  for (const std::string& text : thrown) {
    EXPECT_THAT(text, HasSubstr("process 1: "));
    EXPECT_THAT(text, HasSubstr("0001.2of3.vtu cannot be given its name: "));
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("job.pieces"));
  EXPECT_THAT(names_in(folder / "job.pieces"),
              ElementsAre("0001.1of3.vtu", "0001.2of3.vtu", "0001.3of3.vtu"));  // and no part of a file

  const auto nowhere = test::run_members(2, [&](const Processes& all) {
    VtuWriter writer(folder / "no" / "job", model, all);
    writer.write(model::Step{}, numbered_frame(model, 1));
  });
  for (const std::string& text : nowhere)
    EXPECT_THAT(text, HasSubstr("job.pieces cannot be created: No such"));
}

}  // namespace
}  // namespace setka::io
