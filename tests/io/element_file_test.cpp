// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/element_file.hpp"

#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/binary_files.hpp"
#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/io/binary_matrix.hpp"

namespace setka::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ElementFiles : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& bytes) const {
    std::ofstream(folder_ / "test.bin", std::ios::binary) << bytes;
    return folder_ / "test.bin";
  }

  /// What reading and packing all of it says; begins with the name of the file.
  std::string refusal(const std::string& bytes) const {
    return error_of([&] {
      const ElementFile elements(file(bytes));
      ElementFilePieces pieces(elements, exec::Device::cpu(1), 1 << 20);
      while (pieces.next()) {
      }
    });
  }
  std::string matrix_refusal(const std::string& bytes) const {
    return error_of([&] { const BinaryMatrix matrix(file(bytes), 2); });
  }

  std::string error_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      EXPECT_FALSE(error.remedy().empty());
      EXPECT_THAT(error.what(), StartsWith((folder_ / "test.bin").string()));
      return error.what();
    }
    return "nothing was thrown";
  }

  test::ScratchFolder folder_;
  test::SpringFile springs_;
};

TEST_F(ElementFiles, ReadAsDescribed) {
  const ElementFile elements(file(springs_.bytes()));
  EXPECT_EQ(elements.unknowns(), 3);
  EXPECT_EQ(elements.element_count(), 4);
  EXPECT_EQ(elements.matrix_bytes(), 80U);
  ASSERT_EQ(elements.groups().size(), 2U);
  ElementFilePieces pieces(elements, exec::Device::cpu(2), 1 << 20);
  const auto first = pieces.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rows, 2);
  EXPECT_EQ(first->blocks, 1);
  for (int lane = 0; lane < fem::block_lanes; ++lane) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(first->index[i * fem::block_lanes + lane],
                lane < 3 ? springs_.index[static_cast<std::size_t>(2 * lane + i)] : -1);
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(first->triangle[k * fem::block_lanes + lane],
                lane < 3 ? springs_.triangle[static_cast<std::size_t>(3 * lane + k)] : 0.0);
    }
  }
  const auto second = pieces.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->rows, 1);
  EXPECT_EQ(second->index[0], 2);
  EXPECT_EQ(second->triangle[0], 7);
  EXPECT_FALSE(pieces.next());
}

TEST_F(ElementFiles, PiecesAreReadBeforeTheyArePacked) {
  // Two whole blocks of springs and a part of one; pieces of a block each.
  constexpr std::int64_t count = 2 * fem::block_lanes + 5;
  const std::vector<ElementFileGroup> groups{{2, count}, {1, 0}};
  const std::filesystem::path path = folder_ / "test.bin";
  std::vector<double> triangles;
  {
    ElementFileWriter writer(path, 2, groups);
    std::vector<std::int32_t> indices;
    for (std::int64_t e = 0; e < count; ++e) {
      indices.insert(indices.end(), {0, 1});
      triangles.insert(triangles.end(), {static_cast<double>(e), -1, 1});
    }
    writer.add_indices(indices);
    writer.add_triangles(triangles);
    writer.commit();
  }
  const ElementFile elements(path);
  EXPECT_EQ(elements.read(0, 0, 1), (2U * 4 + 3 * 8) * fem::block_lanes);
  EXPECT_EQ(elements.read(0, 1, 2), (2U * 4 + 3 * 8) * (fem::block_lanes + 5));
  ElementFilePieces pieces(elements, exec::Device::cpu(1), 1);
  std::int64_t seen = 0;
  while (const auto piece = pieces.next()) {
    ASSERT_EQ(piece->blocks, 1);
    for (std::int64_t lane = 0; lane < fem::block_lanes; ++lane)
      EXPECT_EQ(piece->triangle[lane], seen + lane < count ? static_cast<double>(seen + lane) : 0.0);
    seen += fem::block_lanes;
  }
  EXPECT_EQ(seen, 3 * fem::block_lanes);
  ElementFilePieces left(elements, exec::Device::cpu(1), 1);  // goes while the second is being read
  EXPECT_TRUE(left.next());
}

TEST_F(ElementFiles, WrittenByteByByte) {
  const std::vector<ElementFileGroup> groups{{2, 3}, {1, 1}};
  ElementFileWriter writer(folder_ / "own.bin", 3, groups);
  writer.add_indices(std::span(springs_.index).first(2));
  writer.add_indices(std::span(springs_.index).subspan(2));
  writer.add_triangles(springs_.triangle);
  const std::vector<std::int32_t> last{2};
  const std::vector<double> support{7};
  writer.add_indices(last);
  writer.add_triangles(support);
  writer.commit();
  EXPECT_EQ(test::content(folder_ / "own.bin"), springs_.bytes());
}

TEST_F(ElementFiles, WriterHoldsItsCallerToTheGroups) {
  const auto wrong = [&](const std::function<void(ElementFileWriter&)>& write) {
    try {
      const std::vector<ElementFileGroup> groups{{2, 1}};
      ElementFileWriter writer(folder_ / "own.bin", 3, groups);
      write(writer);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  const std::vector<std::int32_t> index{0, 1, 2};
  const std::vector<double> triangle{1, 2, 3};
  EXPECT_THAT(wrong([&](auto& w) { w.add_indices(index); }), HasSubstr("more than the groups have"));
  EXPECT_THAT(wrong([&](auto& w) { w.add_triangles(triangle); }), HasSubstr("indices of a group"));
  EXPECT_THAT(wrong([&](auto& w) { w.commit(); }), HasSubstr("less than the groups have"));
  EXPECT_EQ(folder_.entries(), 0) << "nothing half written stays";
}

TEST_F(ElementFiles, EveryWayToBeWrongIsNamed) {
  const std::string right = springs_.bytes();
  EXPECT_EQ(refusal(right), "nothing was thrown");
  EXPECT_THAT(refusal("*NODE\n1, 0, 0, 0\n"), HasSubstr("this is not a file of element matrices"));
  EXPECT_THAT(refusal(""), HasSubstr("the file is cut off: it has 0 bytes"));
  EXPECT_THAT(refusal("SETKA"), HasSubstr("the file is cut off: it has 5 bytes"));
  EXPECT_THAT(refusal(right.substr(0, 40)), HasSubstr("the file is cut off: 2 groups do not fit"));
  for (const std::size_t size : {right.size() - 1, right.size() - 9, std::size_t{70}})
    EXPECT_THAT(refusal(right.substr(0, size)), HasSubstr("its header tells of 176"));
  EXPECT_THAT(refusal(right + "x"), HasSubstr("has more than it should"));
  EXPECT_THAT(refusal(test::binary_header("SETKAELM", 2) + right.substr(16)),
              HasSubstr("version 2 of its format, but this Setka reads version 1"));
  EXPECT_THAT(refusal(test::binary_header("SETKAELM", 1U << 24, 0x04030201) + right.substr(16)),
              HasSubstr("other order of bytes"));
  EXPECT_THAT(refusal(test::binary_header("SETKAELM", 1, 5) + right.substr(16)),
              HasSubstr("the header is damaged"));
  const auto with = [&](std::size_t place, std::int64_t value) {
    std::string bytes = right;
    return bytes.replace(place, 8, test::raw<std::int64_t>({value}));
  };
  EXPECT_THAT(refusal(with(16, 0)), HasSubstr("0 unknowns"));
  EXPECT_THAT(refusal(with(24, -1)), HasSubstr("-1 groups"));
  EXPECT_THAT(refusal(with(24, std::int64_t{1} << 62)), HasSubstr("groups do not fit"));
  EXPECT_THAT(refusal(with(32, 0)), HasSubstr("group 1 has matrices of order 0; 1 to 3000 are right"));
  EXPECT_THAT(refusal(with(40, -5)), HasSubstr("group 1 has -5 elements"));
  EXPECT_THAT(refusal(with(56, std::int64_t{1} << 40)), HasSubstr("group 2 has 1099511627776 elements"));
  EXPECT_THAT(refusal(with(16, 2)),
              HasSubstr("element 3 of group 1 has the index 2 in row 2, but there are 2 unknowns"));
  test::SpringFile bad;
  bad.index[2] = -2;
  EXPECT_THAT(refusal(bad.bytes()), HasSubstr("element 2 of group 1 has the index -2 in row 1"));
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    bad = {};
    bad.triangle[4] = value;
    EXPECT_THAT(refusal(bad.bytes()),
                HasSubstr("the matrix of element 2 of group 1 has an entry that is not finite"));
  }
  EXPECT_THAT(refusal(test::matrix_bytes(3, 1, {1, 2, 3})), HasSubstr("which begins with SETKAELM"));
}

TEST_F(ElementFiles, Matrices) {
  const BinaryMatrix matrix(file(test::matrix_bytes(2, 3, {1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(matrix.rows(), 2);
  EXPECT_EQ(matrix.columns(), 3);
  EXPECT_EQ(std::vector<double>(matrix.values().begin(), matrix.values().end()),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
  write_binary_matrix(folder_ / "own.bin", 2, 3, matrix.values());
  EXPECT_EQ(test::content(folder_ / "own.bin"), test::matrix_bytes(2, 3, {1, 2, 3, 4, 5, 6}));

  const std::string right = test::matrix_bytes(2, 2, {1, 2, 3, 4});
  EXPECT_THAT(matrix_refusal(springs_.bytes()), HasSubstr("this is not a binary matrix"));
  EXPECT_THAT(matrix_refusal(right.substr(0, 20)), HasSubstr("the file is cut off: it has 20 bytes"));
  EXPECT_THAT(matrix_refusal(right.substr(0, 50)), HasSubstr("the file is cut off: it has 50 bytes"));
  EXPECT_THAT(matrix_refusal(right + "12345678"), HasSubstr("has more than it should"));
  EXPECT_THAT(matrix_refusal(test::matrix_bytes(-1, 2, {})), HasSubstr("the header is damaged"));
  EXPECT_THAT(matrix_refusal(test::matrix_bytes(std::int64_t{1} << 40, std::int64_t{1} << 40, {})),
              HasSubstr("the header is damaged"));
  EXPECT_THAT(matrix_refusal(test::matrix_bytes(2, 2, {1, 2, std::numeric_limits<double>::quiet_NaN(), 4})),
              HasSubstr("row 2, column 1 is nan"));
}

}  // namespace
}  // namespace setka::io
