// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What the page makes of it is looked at in a browser by tests/report/check_page.mjs.
#include "setka/io/report_writer.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "io/two_hexa.hpp"
#include "setka/base/error.hpp"
#include "setka/io/report_codec.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;

/// nx x ny x nz bricks of edge 1, the lower half of x in one section and the rest in another.
model::Model bricks(int nx, int ny, int nz, mesh::Cell cell = mesh::Cell::hex8) {
  model::Model m;
  const auto label = [&](int i, int j, int k) {  // on a grid of half edges, for nodes amid them
    return 1 + i + (2 * nx + 1) * (j + (2 * ny + 1) * k);
  };
  const auto node = [&](int i, int j, int k) {
    const std::int32_t known = m.mesh.find_node(label(i, j, k));
    return known >= 0 ? known : m.mesh.add_node(label(i, j, k), 0.5 * i, 0.5 * j, 0.5 * k);
  };
  m.element_sets = {{"LOW", {}}, {"HIGH", {}}};
  m.materials.resize(2);
  m.sections.resize(2);
  for (int s = 0; s < 2; ++s) {
    m.materials[static_cast<std::size_t>(s)].name = s == 0 ? "M0" : "M1";
    m.sections[static_cast<std::size_t>(s)].element_set = s;
    m.sections[static_cast<std::size_t>(s)].material = s;
  }
  constexpr std::array<std::array<int, 3>, 8> corners{
      {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}}};
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        std::vector<std::int32_t> nodes;
        for (const auto& c : corners) nodes.push_back(node(2 * i + c[0], 2 * j + c[1], 2 * k + c[2]));
        if (cell == mesh::Cell::hex20) {
          for (const auto& edge : mesh::edges_with_nodes(cell)) {
            const auto& a = corners[static_cast<std::size_t>(edge[0])];
            const auto& b = corners[static_cast<std::size_t>(edge[1])];
            nodes.push_back(
                node(2 * i + (a[0] + b[0]) / 2, 2 * j + (a[1] + b[1]) / 2, 2 * k + (a[2] + b[2]) / 2));
          }
        }
        const std::int32_t e =
            model::add_element(m.mesh, m.mesh.element_count() + 1, model::ElementType{cell}, nodes);
        m.element_sets[2 * i < nx ? 0 : 1].elements.push_back(e);
      }
    }
  }
  return m;
}

/// The volume that triangles enclose whose normals look outward, and their area.
struct Enclosed {
  double volume = 0;
  double area = 0;
};

Enclosed enclosed(const ReportSurface& surface, std::int64_t first, std::int64_t count) {
  Enclosed sum;
  for (std::int64_t t = first; t < first + count; ++t) {
    std::array<std::array<double, 3>, 3> x{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto point = static_cast<std::size_t>(surface.triangles[static_cast<std::size_t>(3 * t) + k]);
      for (std::size_t i = 0; i < 3; ++i) x[k][i] = surface.positions[3 * point + i];
    }
    std::array<double, 3> normal{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const std::size_t l = (i + 2) % 3;
      normal[i] = (x[1][j] - x[0][j]) * (x[2][l] - x[0][l]) - (x[1][l] - x[0][l]) * (x[2][j] - x[0][j]);
    }
    sum.area += 0.5 * std::hypot(normal[0], normal[1], normal[2]);
    for (std::size_t i = 0; i < 3; ++i) sum.volume += x[0][i] * normal[i] / 6;
  }
  return sum;
}

TEST(ReportSurface, EnclosesTheBodyAndNothingInside) {
  for (const mesh::Cell cell : {mesh::Cell::hex8, mesh::Cell::hex20}) {
    const ReportSurface surface = report_surface(bricks(4, 2, 3, cell), nullptr, 1'000'000);
    // Two sections: two chunks and the border between them, once from either side.
    ASSERT_EQ(surface.chunks.size(), 4U);
    EXPECT_EQ(surface.chunks[2].behind, 1);
    EXPECT_EQ(surface.chunks[3].behind, 0);
    const std::int64_t outer = surface.chunks[0].triangles + surface.chunks[1].triangles;
    const Enclosed whole = enclosed(surface, 0, outer);
    EXPECT_NEAR(whole.volume, 24, 1e-12);
    EXPECT_NEAR(whole.area, 52, 1e-12);
    EXPECT_EQ(outer, (cell == mesh::Cell::hex8 ? 2 : 6) * 52);
    // With its border each half is closed.
    const Enclosed own = enclosed(surface, 0, surface.chunks[0].triangles);
    const Enclosed border = enclosed(surface, outer, surface.chunks[2].triangles);
    EXPECT_NEAR(own.volume + border.volume, 12, 1e-12);
    EXPECT_NEAR(border.area, 6, 1e-12);
    EXPECT_FALSE(surface.coarser());
  }
}

TEST(ReportSurface, EdgesAreSharpWhereFacesMeetAtAnAngle) {
  model::Model m = bricks(2, 2, 2);
  m.sections[1].material = 0;
  m.sections.pop_back();
  m.element_sets[0].elements = {0, 1, 2, 3, 4, 5, 6, 7};
  m.element_sets.pop_back();
  const ReportSurface surface = report_surface(m, nullptr, 1'000'000);
  ASSERT_EQ(surface.chunks.size(), 1U);
  EXPECT_EQ(surface.chunks[0].sharp_edges, 12 * 2);
  EXPECT_EQ(surface.chunks[0].edges, 12 * 2 + 6 * 4);
}

TEST(ReportSurface, PartsAreSectionsAndSetsThatSayMore) {
  model::Model m = bricks(4, 1, 1);
  m.element_sets.push_back({"MIDDLE", {1, 2}});
  m.element_sets.push_back({"ALL", {0, 1, 2, 3}});
  m.element_sets.push_back({"LOW_AGAIN", {0, 1}});
  const ReportSurface surface = report_surface(m, nullptr, 1'000'000);
  std::vector<std::string> names;
  for (const ReportPart& part : surface.parts) names.push_back(part.name);
  EXPECT_THAT(names, testing::ElementsAre("LOW: M0", "HIGH: M1", "MIDDLE"));
  EXPECT_FALSE(surface.parts[2].is_section);
}

TEST(ReportSurface, IsMadeCoarserBeyondItsLimit) {
  const model::Model m = bricks(24, 24, 24, mesh::Cell::hex20);
  const ReportSurface whole = report_surface(m, nullptr, 1'000'000);
  for (const std::int64_t most : {12'000, 2'000, 300}) {
    const ReportSurface surface = report_surface(m, nullptr, most);
    const auto triangles = static_cast<std::int64_t>(surface.triangles.size() / 3);
    EXPECT_LE(triangles, most);
    EXPECT_GT(triangles, most / 12);
    EXPECT_TRUE(surface.coarser());
    EXPECT_EQ(surface.whole_triangles, static_cast<std::int64_t>(whole.triangles.size() / 3));
    // Points are still nodes of the mesh, with their values.
    for (std::size_t i = 0; i < surface.node.size(); ++i) {
      const auto x = m.mesh.coordinates(surface.node[i]);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(surface.positions[3 * i + k], x[k]);
    }
    const Enclosed left = enclosed(surface, 0, surface.chunks[0].triangles + surface.chunks[1].triangles);
    EXPECT_NEAR(left.volume, 24 * 24 * 24, 0.25 * 24 * 24 * 24);
  }
}

TEST(ReportSurface, LinesAreClosedPrisms) {
  model::Model m;
  for (int i = 0; i < 3; ++i) m.mesh.add_node(i + 1, 10.0 * i, 0, 0);
  const std::vector<std::int32_t> nodes{0, 2, 1};
  model::add_element(m.mesh, 1, {mesh::Cell::line3, model::Family::beam}, nodes);
  const ReportSurface surface = report_surface(m, nullptr, 1'000);
  EXPECT_TRUE(surface.has_lines);
  EXPECT_EQ(surface.triangles.size() / 3, 2U * 12);
  // Six sides of the same width: the volume of a prism without its ends.
  const double radius = 0.004 * 20;
  EXPECT_NEAR(enclosed(surface, 0, 24).area, 20 * 6 * radius, 1e-9);
}

TEST(ReportCodec, ValuesComeBackToHalfAStep) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-3e5, 1e5);
  std::vector<double> values(1000);
  for (double& value : values) value = any(random);
  values[17] = std::numeric_limits<double>::quiet_NaN();
  for (const int bits : {16, 12, 10}) {
    const Quantised made = quantise(values, bits);
    EXPECT_TRUE(made.has_gaps);
    const double step = (made.high - made.low) / most_code(bits);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == 17) {
        EXPECT_EQ(made.codes[i], most_code(bits) + 1);
        continue;
      }
      EXPECT_LE(std::abs(made.low + step * made.codes[i] - values[i]), 0.5000001 * step) << i;
    }
    const std::vector<std::uint16_t> back = unpacked_codes(packed_codes(made.codes, 4), values.size() / 4, 4);
    EXPECT_EQ(back, made.codes);
    const std::vector<std::uint16_t> fewer = in_fewer_bits(made.codes, bits, 10);
    EXPECT_EQ(fewer[17], most_code(10) + 1);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_LE(fewer[i], most_code(10) + 1);
  }
}

TEST(ReportCodec, ConstantsAndExtremesAreNoTrouble) {
  const double most = std::numeric_limits<double>::max();
  const Quantised wide = quantise(std::vector<double>{-most, 0, most}, 16);
  EXPECT_THAT(wide.codes, testing::ElementsAre(0, 32767, 65534));
  const Quantised flat = quantise(std::vector<double>{2.5, 2.5}, 16);
  EXPECT_EQ(flat.low, 2.5);
  EXPECT_THAT(flat.codes, testing::ElementsAre(0, 0));
  EXPECT_EQ(quantise(std::vector<double>{NAN}, 12).codes.at(0), most_code(12) + 1);
  EXPECT_TRUE(quantise(std::vector<double>{}, 12).codes.empty());
}

TEST(ReportCodec, Base64IsThatOfTheStandard) {
  // RFC 4648, 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
  for (std::size_t size = 0; size < 10; ++size)
    EXPECT_EQ(base64(std::string(size, 'x')).size(), base64_size(size));
}

TEST(ReportCodec, ReferencesMustAppearInTheirOrder) {
  EXPECT_FALSE(packed_references(std::vector<std::int32_t>{0, 1, 2, 0, 3}).empty());
  EXPECT_THROW(packed_references(std::vector<std::int32_t>{0, 2}), Error);
}

model::Frame frame_of(const model::Model& m, int number, double time) {
  const auto nodes = static_cast<std::size_t>(m.mesh.node_count());
  model::Frame frame;
  frame.increment = number;
  frame.time = time;
  frame.last_of_step = false;
  model::NodeField u{"U", 3, std::vector<double>(3 * nodes)};
  model::NodeField s{"S", 6, std::vector<double>(6 * nodes)};
  std::mt19937 random(static_cast<unsigned>(number));
  std::uniform_real_distribution<double> any(-1, 1);
  for (double& value : u.values) value = any(random);
  for (double& value : s.values) value = any(random);
  frame.node_fields = {u, s};
  return frame;
}

TEST(ReportFrames, ShrinkToTheirLimitAndKeepEnds) {
  const model::Model m = bricks(10, 10, 10);
  const ReportSurface surface = report_surface(m, nullptr, 1'000'000);
  constexpr std::size_t limit = 120'000;
  ReportFrames frames(surface.value, limit);
  frames.add(ReportFrameKind::time, frame_of(m, 1, 0.5));
  EXPECT_EQ(frames.bits(), 16);
  EXPECT_FALSE(frames.without_tensors());
  for (int k = 2; k <= 40; ++k) {
    model::Frame frame = frame_of(m, k, 0.5 * k);
    frame.last_of_step = k == 40;
    frames.add(ReportFrameKind::time, frame);
    EXPECT_LE(frames.bytes(), limit) << k;
  }
  EXPECT_EQ(frames.given(), 40);
  EXPECT_EQ(frames.bits(), 10);
  EXPECT_TRUE(frames.without_tensors());
  EXPECT_LT(frames.frames().size(), 40U);
  EXPECT_GT(frames.frames().size(), 2U);
  EXPECT_EQ(frames.frames().front().time, 0.5);
  EXPECT_EQ(frames.frames().back().time, 20);
  // What is kept is what was given, to the bits that are left.
  const PackedFrame& last = frames.frames().back();
  const model::Frame given = frame_of(m, 40, 20);
  const std::vector<std::uint16_t> codes = unpacked_codes(last.fields[0].bytes, surface.value.size(), 3);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < surface.value.size(); ++i) {
      const double step = (last.fields[0].high[k] - last.fields[0].low[k]) / most_code(10);
      const double back = last.fields[0].low[k] + step * codes[k * surface.value.size() + i];
      EXPECT_NEAR(back, given.node_fields[0].values[3 * static_cast<std::size_t>(surface.value[i]) + k],
                  0.51 * step);
    }
  }
}

TEST(ReportFrames, OfManyModesTheLowestStay) {
  const model::Model m = bricks(6, 6, 6);
  ReportFrames frames(report_surface(m, nullptr, 1'000'000).value, 30'000);
  for (int k = 1; k <= 30; ++k) {
    model::Frame frame = frame_of(m, k, 0);
    frame.mode = model::Mode{};
    frame.mode->number = k;
    frames.add(ReportFrameKind::mode, frame);
    EXPECT_LE(frames.bytes(), 30'000U);
  }
  for (std::size_t k = 0; k < frames.frames().size(); ++k)
    EXPECT_EQ(frames.frames()[k].mode->number, static_cast<int>(k) + 1);
  EXPECT_GT(frames.frames().size(), 3U);
}

class ReportPage : public ::testing::Test {
 protected:
  ReportPage() {
    std::ofstream(folder_ / "page.html") << "<html><!-- setka: numbers --><script>show()</script></html>";
  }
  ScratchFolder folder_;
};

TEST_F(ReportPage, HasTheNumbersInIt) {
  model::Model m = test::two_hexa();
  const auto held = [](std::int32_t node, std::int32_t direction) {
    model::PrescribedValue value{};
    value.node = node;
    value.direction = direction;
    return value;
  };
  m.prescribed = {held(0, 1), held(1, 1), held(1, 3)};
  m.steps[0].prescribed = {held(4, 1),
                           held(3, 2)};  // the latter in a cylindrical system: it acts along all axes
  ReportWriter writer(folder_ / "job.html", folder_ / "page.html", m);
  model::Frame frame;
  frame.node_fields = {{"U", 3, std::vector<double>(39, 0.0)}, {"RF", 3, std::vector<double>(39, 0.5)}};
  frame.node_fields[0].values[3 * 7 + 1] = -2;
  writer.write(model::Step{}, frame);
  writer.tell("\"title\":\"\\u003cb\"");
  writer.finish();
  EXPECT_EQ(writer.files(), std::vector{folder_ / "job.html"});
  const std::string page = content(folder_ / "job.html");
  EXPECT_THAT(page, testing::StartsWith("<html><script type=\"text/plain\" id=\"numbers-1\">"));
  EXPECT_THAT(page, testing::EndsWith("</script>\n<script>show()</script></html>"));
  EXPECT_THAT(page, testing::HasSubstr("{\"format\":1,\"title\":\"\\u003cb\",\"model\":{\"points\":12,"));
  EXPECT_THAT(page, testing::HasSubstr("\"low\":[0,-2,0],\"high\":[0,0,0]"));
  ASSERT_EQ(writer.sizes().size(), 1U);
  EXPECT_EQ(writer.sizes()[0].sizes[0].largest, 2);
  EXPECT_EQ(m.mesh.node_label(writer.sizes()[0].sizes[0].node), 8);
  EXPECT_EQ(writer.sizes()[0].reactions, (std::vector<double>{2, 0.5, 1}));
  EXPECT_TRUE(writer.left_out().empty());
}

TEST_F(ReportPage, IsNeededAndMustBeOne) {
  const model::Model m = test::two_hexa();
  EXPECT_THAT([&] { ReportWriter(folder_ / "job.html", folder_ / "none.html", m); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("the page of reports, cannot be read")));
  std::ofstream(folder_ / "other.html") << "<html></html>";
  EXPECT_THAT([&] { ReportWriter(folder_ / "job.html", folder_ / "other.html", m); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("other.html")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "job.html"));
}

TEST_F(ReportPage, GrowsWithTheModelWithinBounds) {
  EXPECT_EQ(report_bytes(10), 2'000'000U);
  EXPECT_EQ(report_bytes(20'000), 2'000'000U);
  EXPECT_EQ(report_bytes(700'000), 20'000'000U);
  EXPECT_EQ(report_bytes(90'000'000), 20'000'000U);
}

}  // namespace
}  // namespace setka::io
