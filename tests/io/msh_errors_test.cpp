// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What is wrong in a Gmsh file is told with its place and a remedy; nothing in a file makes the reader crash.
#include <cmath>
#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/msh_models.hpp"
#include "setka/base/log.hpp"

namespace setka {
namespace {

using test::error_of;
using test::msh_bytes;
using test::with;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string tetra22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 1 1 1 2 3 4
$EndElements
)";

const std::string tetra41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
)";

TEST(MshErrors, TheExamplesThemselvesAreRight) {
  EXPECT_EQ(test::read_bytes(tetra22).mesh.element_count(), 1);
  EXPECT_EQ(test::read_bytes(tetra41).mesh.element_count(), 1);
  std::string dos;
  for (const char c : tetra41) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(test::read_bytes(dos).mesh.element_count(), 1);
}

struct Case {
  const char* old;
  const char* changed;
  const char* message;
};

TEST(MshErrors, TextOfVersion22) {
  for (const Case& c : {
           Case{"2.2 0", "4 0",
                "part.msh:2: the file has version 4 of Gmsh's format; write it as 4.1 (gmsh -format "
                "msh41) or 2.2 (msh22)"},
           Case{"2.2 0 8", "2.2 7 8", "part.msh:2: the file type is 7; it is 0 for text and 1 for binary"},
           Case{"2.2 0 8", "2.2 0 4", "part.msh:2: the data size is 4; 8 bytes are supported"},
           Case{"$EndMeshFormat", "$EndFormat",
                "part.msh:3: $EndMeshFormat should follow the format, but there is '$EndFormat'"},
           Case{"$MeshFormat", "*NODE", "part.msh:1: this is not a Gmsh mesh; it begins with $MeshFormat"},
           Case{"$MeshFormat", "$NOD",
                "part.msh:1: the file has version 1 of Gmsh's format; write it as 4.1"},
           Case{"\n4\n1 0", "\n3\n1 0", "part.msh:9: $EndNodes should follow 3 nodes, but there is '4'"},
           Case{"\n4\n1 0", "\n5\n1 0", "part.msh:10: the number of a node is missing: there is $EndNodes"},
           Case{"\n4\n1 0", "\n123456789\n1 0",
                "part.msh:5: 123456789 nodes are announced, but the rest of the file can hold at most"},
           Case{"\n4\n1 0", "\n-4\n1 0", "part.msh:5: -4 nodes are announced"},
           Case{"2 1 0 0", "2 nan 0 0", "part.msh:7: a coordinate is 'nan', not a number; mesh again"},
           Case{"2 1 0 0", "2 inf 0 0", "part.msh:7: a coordinate is 'inf', not a number"},
           Case{"2 1 0 0", "2 1e200 0 0", "part.msh:7: node 2 has the coordinate 1e+200"},
           Case{"2 1 0 0", "1 1 0 0", "part.msh:7: node 1 is given twice"},
           Case{"2 1 0 0", "2x 1 0 0", "part.msh:7: the number of a node is '2x', not a whole number"},
           Case{"2 1 0 0", "0 1 0 0",
                "part.msh:7: a node has the number 0, out of the range from 1 to 2147483647; number the mesh "
                "anew"},
           Case{"2 1 0 0", "3000000000 1 0 0",
                "part.msh:7: a node has the number 3000000000, out of the range"},
           Case{"1 4 2 1 1 1 2 3 4", "1 4 2 1 1 1 2 3 5",
                "part.msh:13: element 1 has node 5, which does not exist"},
           Case{"1 4 2 1 1 1 2 3 4", "1 4 2 1 1 1 2 3",
                "part.msh:14: a node of an element is missing: there is $EndElements"},
           Case{"1 4 2 1 1 1 2 3 4", "1 4 2 1 1 1 2 3 4 4",
                "part.msh:13: element 1 does not end with its line: 4-node tetrahedra have 4 nodes"},
           Case{"1 4 2 1 1 1 2 3 4", "1 99 2 1 1 1 2 3 4",
                "part.msh:13: element type 99 of Gmsh is not known"},
           Case{"1 4 2 1 1 1 2 3 4", "1 4 2 9999999999 1 1 2 3 4",
                "part.msh:13: a physical group has the tag 9999999999; tags have 32 bits"},
           Case{"1 4 2 1 1 1 2 3 4", "-1 4 2 1 1 1 2 3 4",
                "part.msh:13: an element has the number -1, out of"},
           Case{"1\n1 4 2 1 1 1 2 3 4", "2\n1 4 2 1 1 1 2 3 4\n1 4 2 1 1 1 2 3 4",
                "part.msh: element 1 is given twice"},
           Case{"1 4 2 1 1 1 2 3 4", "1 1 2 1 1 1 2",
                "part.msh: the file holds only points and lines; mesh surfaces or volumes (gmsh -2 or -3)"},
           Case{"1 4 2 1 1 1 2 3 4", "1 2 2 1 1 1 2 4",
                "part.msh: the mesh has no volumes, and its surfaces are not in the plane z = 0: node 4 has "
                "z = 1"},
           Case{"1 4 2 1 1 1 2 3 4", "1 7 2 1 1 1 2 3 4 4",
                "part.msh: the mesh has 1 5-node pyramids (type 7), which Setka does not compute; mesh "
                "without"},
           Case{"$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n", "",
                "the file holds no elements; mesh the geometry before it is saved: gmsh -3"},
           Case{"$Nodes\n", "4\n$Nodes\n", "part.msh:4: a section should begin here, with $ and a name"},
           Case{"$EndNodes\n", "$EndNodes\n$Nodes\n", "part.msh:11: there is a second section $Nodes"},
           Case{"$EndElements\n", "$EndElements\n$Elements\n",
                "part.msh:15: there is a second section $Elements"},
           Case{"$Nodes\n", "$Elements\n", "part.msh:4: $Elements come before $Nodes"},
           Case{"$Nodes\n", "$ParametricNodes\n", "part.msh:4: version 2.2 with parametric nodes; write it"},
           Case{"$Nodes\n", "$Comments\n", "the file ends inside $Comments; it was cut short"},
           Case{"$Nodes\n", "$PhysicalNames\n1\n4 1 \"a\"\n$EndPhysicalNames\n$Nodes\n",
                "part.msh:6: a physical group has dimension 4; it is 0, 1, 2 or 3"},
       }) {
    EXPECT_THAT(error_of(with(tetra22, c.old, c.changed)), HasSubstr(c.message));
  }
  EXPECT_THAT(error_of(""), HasSubstr("the file is empty; a Gmsh mesh begins with $MeshFormat"));
  EXPECT_THAT(error_of(tetra22.substr(0, tetra22.find("4 0 0 1") + 5)),
              HasSubstr("part.msh:9: the file ends inside $Nodes; it was cut short: write or copy it again"));
}

TEST(MshErrors, TextOfVersion41) {
  for (const Case& c : {
           Case{"1 4 1 4", "1 5 1 5", "part.msh:14: 5 nodes are announced, but the blocks hold 4"},
           Case{"1 4 1 4", "1 3 1 3", "part.msh:6: 3 nodes are announced, but the blocks hold 4"},
           Case{"3 1 0 4", "3 1 2 4", "part.msh:6: a block of nodes has dimension 3 and parametric 2"},
           Case{"1 1 1 1", "1 2 1 2", "part.msh:19: 2 elements are announced, but the blocks hold 1"},
           Case{"3 1 4 1", "2 1 4 1", "part.msh:18: 4-node tetrahedra in an entity of dimension 2"},
           Case{"3 1 4 1", "3 1 4 2", "part.msh:18: 1 elements are announced, but the blocks hold 2"},
           Case{"$EndElements", "$EndElement", "part.msh:20: $EndElements should follow 1 elements"},
           Case{"$Nodes", "$PartitionedEntities\n$EndPartitionedEntities\n$Nodes",
                "part.msh:5: the number of partitions is missing: there is $EndPartitionedEntities"},
           Case{"$EndElements", "$EndElements\n$PartitionedEntities\n$EndPartitionedEntities",
                "part.msh:21: $PartitionedEntities come after $Elements"},
           Case{"$Nodes", "$Entities\n0 0 0 99999\n$EndEntities\n$Nodes",
                "part.msh:5: 99999 entities are announced"},
       }) {
    EXPECT_THAT(error_of(with(tetra41, c.old, c.changed)), HasSubstr(c.message));
  }
}

TEST(MshErrors, GroupsOfOneName) {
  std::string twice =
      with(tetra22, "$Nodes", "$PhysicalNames\n2\n2 1 \"Fix\"\n3 1 \"FIX\"\n$EndPhysicalNames\n$Nodes");
  twice = with(twice, "1\n1 4 2 1 1 1 2 3 4", "2\n2 2 2 1 1 1 2 3\n1 4 2 1 1 1 2 3 4");
  EXPECT_THAT(error_of(twice),
              HasSubstr("two physical groups come to the name FIX in capitals: 1 of dimension 2 and "
                        "1 of dimension 3; give one of them another name in Gmsh"));
}

TEST(MshErrors, UnsupportedShapesAreCounted) {
  std::string nodes = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n27\n";
  std::string element = "12 2 1 1";
  for (int i = 1; i <= 27; ++i) {
    nodes.append(std::to_string(i)).append(" 0 0 0\n");
    element.append(" ").append(std::to_string(i));
  }
  const std::string bytes =
      nodes + "$EndNodes\n$Elements\n2\n1 " + element + "\n2 " + element + "\n$EndElements\n";
  EXPECT_THAT(
      error_of(bytes),
      HasSubstr("the mesh has 2 27-node hexahedra (type 12), which Setka does not compute; mesh without "
                "pyramids, with order 1 or 2, and Mesh.SecondOrderIncomplete = 1"));
}

/// Overwrites bytes behind a text.
template <class T>
std::string poked(std::string bytes, const std::string& behind, std::size_t offset, T value) {
  const std::size_t at = bytes.find(behind) + behind.size() + offset;
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

TEST(MshErrors, Binary) {
  const std::string old = msh_bytes("hexa_2_msh22_binary");
  const std::string now = msh_bytes("hexa_2_binary");
  EXPECT_THAT(
      error_of(poked(now, "4.1 1 8\n", 0, 0x01000000)),
      StartsWith("part.msh: byte 21: the file has the byte order of another machine; write it as text"));
  EXPECT_THAT(error_of(poked(now, "4.1 1 8\n", 0, 77)), HasSubstr("byte 21: the byte order is 77, not 1"));
  EXPECT_THAT(
      error_of(poked(now, "$Nodes\n", 8, std::uint64_t{1} << 60)),
      HasSubstr("1152921504606846976 nodes are announced, but the rest of the file can hold at most"));
  EXPECT_THAT(error_of(poked(now, "$Nodes\n", 8, ~std::uint64_t{0})),
              HasSubstr("the number of nodes is 18446744073709551615"));
  EXPECT_THAT(error_of(poked(now, "$Nodes\n", 8, std::uint64_t{33})),
              HasSubstr("33 nodes are announced, but the blocks hold 32"));
  EXPECT_THAT(error_of(poked(now, "$Nodes\n", 32 + 20, std::uint64_t{1} << 40)),
              HasSubstr("a node has the number 1099511627776, out of the range from 1 to 2147483647"));
  EXPECT_THAT(error_of(poked(now, "$Nodes\n", 32 + 28, std::nan(""))),
              HasSubstr("a coordinate is 'nan', not a number"));
  EXPECT_THAT(error_of(poked(old, "$Nodes\n32\n", 4, std::nan(""))),
              HasSubstr("a coordinate is 'nan', not a number"));
  EXPECT_THAT(error_of(poked(old, "$Elements\n6\n", 4, 7)),
              HasSubstr("7 elements are announced, of 6 that are left"));
  EXPECT_THAT(error_of(with(old, "$Elements\n6\n", "$Elements\n5\n")),
              HasSubstr("$EndElements should follow 5 elements"));
  EXPECT_THAT(error_of(with(now, "$Nodes\n", "$Nodes!\n")), HasSubstr("the file ends inside $Nodes!"));
  EXPECT_THAT(error_of(now.substr(0, now.find("$EndNodes") - 9)),
              HasSubstr("the file ends inside $Nodes; it was cut"));
}

const std::vector<std::string> files{"hexa_2",
                                     "hexa_2_binary",
                                     "hexa_2_msh22",
                                     "hexa_2_msh22_binary",
                                     "several",
                                     "several_binary",
                                     "several_msh22",
                                     "several_msh22_binary",
                                     "hexa_2_parametric",
                                     "hexa_2_parametric_binary",
                                     "plane_quads"};

/// Reads, or throws an Error of the input.
void survive(const std::string& bytes, const std::string& what) {
  try {
    test::read_bytes(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input) << what << ": " << error.what();
  }
}

TEST(MshErrors, EveryTruncationIsTold) {
  log::set_level(log::Level::off);
  for (const std::string& file : files) {
    const std::string bytes = msh_bytes(file);
    const std::size_t whole = bytes.rfind("$EndElements") + std::strlen("$EndElements");
    for (std::size_t size = 0; size < whole; size += 7) error_of(bytes.substr(0, size));
  }
  log::set_level(log::Level::warning);
}

TEST(MshErrors, MutationsReadOrThrow) {
  log::set_level(log::Level::off);
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::string original = msh_bytes(files[f]);
    for (unsigned round = 0; round < 300; ++round) {
      const unsigned seed = static_cast<unsigned>(1000 * f) + round;
      std::mt19937 generator(seed);
      const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(generator()) % bound; };
      std::string bytes = original;
      for (std::size_t change = 0; change <= below(4); ++change) {
        const std::size_t at = below(bytes.size());
        switch (below(5)) {
          case 0:
            bytes[at] = static_cast<char>(below(256));
            break;
          case 1:
            bytes[at] = "0123456789 -\n$e."[below(16)];
            break;
          case 2:
            bytes.erase(at, 1 + below(16));
            break;
          case 3:
            bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(32)));
            break;
          default:
            bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << below(8)));
        }
        if (bytes.empty()) bytes = original;
      }
      survive(bytes, files[f] + ", seed " + std::to_string(seed));
    }
  }
  log::set_level(log::Level::warning);
}

}  // namespace
}  // namespace setka
