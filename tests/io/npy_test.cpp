// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/npy.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/io/npy_state.hpp"

namespace setka::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::string_literals;

std::string npy(const std::string& dictionary, const std::string& data) {
  const auto length = static_cast<unsigned char>(dictionary.size());
  return "\x93NUMPY\x01\x00"s + static_cast<char>(length) + '\0' + dictionary + data;
}

class Npy : public ::testing::Test {
 protected:
  std::vector<double> read(const std::string& bytes) const {
    std::ofstream(folder_ / "a.npy", std::ios::binary) << bytes;
    const NpyFile file(folder_ / "a.npy");
    std::vector<double> values(static_cast<std::size_t>(file.size()));
    file.read(0, values);
    return values;
  }
  std::string message(const std::string& bytes) const {
    try {
      read(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return error.what();
    }
    return "no error";
  }
  test::ScratchFolder folder_;
};

TEST_F(Npy, brings_back_what_was_written) {
  const std::vector<double> values{1, -2.5, 1e300, 0, 5, 6};
  write_npy(folder_ / "a.npy", {2, 1, 3}, values);
  const NpyFile file(folder_ / "a.npy");
  EXPECT_THAT(file.shape(), ElementsAre(2, 1, 3));
  std::vector<double> found(6);
  file.read(0, found);
  EXPECT_EQ(found, values);
  std::vector<double> part(2);
  file.read(1, part);
  EXPECT_THAT(part, ElementsAre(-2.5, 1e300));
  EXPECT_THROW(file.read(5, part), Error);
  const std::string bytes = test::content(folder_ / "a.npy");
  EXPECT_EQ((bytes.size() - 48) % 64, 0U);
  EXPECT_THAT(bytes, HasSubstr("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 3), }"));
  write_npy(folder_ / "b.npy", {2}, std::vector<float>{0.5F, 3});
  EXPECT_THAT(test::content(folder_ / "b.npy"),
              HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"));
}

TEST_F(Npy, reads_other_types_and_versions) {
  EXPECT_THAT(read(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", "\x01\x02\xff")),
              ElementsAre(1, 2, 255));
  EXPECT_THAT(
      read(npy("{'shape': (1,2), 'fortran_order': False, 'descr': '<i4'}", "\x01\0\0\0\xff\xff\xff\xff"s)),
      ElementsAre(1, -1));
  const std::string dictionary = "{'descr': '<i8', 'fortran_order': False, 'shape': (), }";
  EXPECT_THAT(read("\x93NUMPY\x02\x00"s + static_cast<char>(dictionary.size()) + "\0\0\0"s + dictionary +
                   "\x07\0\0\0\0\0\0\0"s),
              ElementsAre(7));
}

TEST_F(Npy, refuses_what_it_cannot_read) {
  EXPECT_THAT(message("P5 3 4"), HasSubstr("this is not an array of NumPy"));
  EXPECT_THAT(message("\x93NUMPY\x09\x00\x01\x00{}"s), HasSubstr("version 9"));
  EXPECT_THAT(message(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1,)}", "12345678")),
              HasSubstr("Fortran's order; save numpy.ascontiguousarray(a)"));
  EXPECT_THAT(message(npy("{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", "")),
              HasSubstr("type '<c16'; save a.astype(float)"));
  EXPECT_THAT(message(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "12345678")),
              HasSubstr("cut off: it has 8 bytes of numbers, but shape (2) needs 16"));
  EXPECT_THAT(message(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", "1")),
              HasSubstr("has more"));
  EXPECT_THAT(message(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,16)}", "")),
              HasSubstr("too large for any file"));
  for (const char* const damaged : {"{", "{'descr'", "{'descr': '<f8'", "{'descr': [('a', '<f8')]}",
                                    "{'shape': (1,-2)}", "{'a': 1}", "{}", "{'fortran_order': Maybe}"}) {
    EXPECT_THAT(message(npy(damaged, "")), HasSubstr("the header of the array ")) << damaged;
  }
  EXPECT_THAT(message("\x93NUMPY\x01\x00\xff\x00{}}"s), HasSubstr("cut off within its header"));
}

TEST_F(Npy, maps_a_file_to_be_changed) {
  {
    const auto state = NpyState<float>::create(folder_ / "state.npy", {2, 3});
    EXPECT_EQ(state.values().size(), 6U);
    for (const float value : state.values()) EXPECT_EQ(value, 0);
    state.values()[4] = 2.5F;
  }
  const NpyFile file(folder_ / "state.npy");
  EXPECT_THAT(file.shape(), ElementsAre(2, 3));
  EXPECT_THAT(file.values_as<float>(), ElementsAre(0, 0, 0, 0, 2.5F, 0));
  EXPECT_TRUE(file.values_as<double>().empty());
  auto copy = NpyState<float>::copy_of(folder_ / "state.npy", folder_ / "copy.npy", {2, 3});
  copy.values()[0] = -1;
  EXPECT_THAT(file.values_as<float>(), ElementsAre(0, 0, 0, 0, 2.5F, 0));
  copy.rename(folder_ / "other.npy");
  EXPECT_EQ(copy.path(), folder_ / "other.npy");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "copy.npy"));
  EXPECT_THAT(NpyFile(folder_ / "other.npy").values_as<float>(), ElementsAre(-1, 0, 0, 0, 2.5F, 0));
  EXPECT_THROW(copy.rename(folder_ / "no" / "other.npy"), Error);
  const auto copied = [&]<class T>(T, const std::string& name, const std::vector<std::int64_t>& shape) {
    NpyState<T>::copy_of(folder_ / name, folder_ / "new.npy", shape);
  };
  EXPECT_THROW(copied(float{}, "state.npy", {3, 2}), Error);
  EXPECT_THROW(copied(double{}, "state.npy", {2, 3}), Error);
  EXPECT_THROW(copied(double{}, "none.npy", {2, 3}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new.npy"));
  EXPECT_THROW(NpyState<double>::create(folder_ / "no" / "state.npy", {2, 3}), Error);
}

}  // namespace
}  // namespace setka::io
