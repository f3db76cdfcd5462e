// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/pyramid.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::grid {
namespace {

class PyramidOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(PyramidOn);

template <class T>
std::vector<T> in_core(const exec::Device& device, const StationaryHeat& heat, const std::vector<T>& start,
                       const std::vector<T>& f, StationaryOptions options, StationaryReport& report) {
  exec::Array<T> u(device, start);
  const exec::Array<T> source(device, f);
  options.height = 1;
  report = heat.jacobi<T>(device, u, source, options);
  return u.to_vector();
}

template <class T>
void expect_bits_of_plain_sweeps(const exec::Device& device, const std::vector<StationaryAxis>& axes,
                                 bool staged) {
  const StationaryHeat heat(axes);
  const auto start = test::random_values<T>(heat.nodes(), 5);
  const auto f = test::random_values<T>(heat.nodes(), 6);
  StationaryOptions options;
  options.sweeps = 23;
  StationaryReport plain;
  const std::vector<T> expected = in_core(device, heat, start, f, options, plain);
  for (const PyramidShape shape : {PyramidShape::skewed, PyramidShape::overlapping}) {
    for (const int height : {1, 2, 3, 8, 11, 30}) {
      for (const std::int64_t planes : {1, 2, 5, 12, 31, 64}) {
        if (shape == PyramidShape::overlapping && planes < height) continue;
        std::vector<T> u = start;
        PyramidOptions pyramid;
        pyramid.shape = shape;
        pyramid.height = height;
        pyramid.planes = planes;
        pyramid.staged = staged;
        const StationaryReport report = pyramid_jacobi<T>(device, heat, u, f, options, pyramid);
        EXPECT_EQ(report.sweeps, 23);
        EXPECT_EQ(report.change, plain.change);
        EXPECT_EQ(u, expected) << name(shape) << ", height " << height << ", planes " << planes;
      }
    }
  }
}

TEST_P(PyramidOn, every_height_and_block_gives_the_bits_of_plain_sweeps) {
  expect_bits_of_plain_sweeps<double>(device(), {{61, 0.1, 1}, {7, 0.2, 2}, {10, 0.3, 1}}, false);
  expect_bits_of_plain_sweeps<float>(device(), {{40, 0.1, 1}, {5, 0.2, 2}, {17, 0.3, 1}}, false);
  expect_bits_of_plain_sweeps<double>(device(), {{57, 0.1, 1}, {33, 0.2, 2}}, false);
}

TEST_P(PyramidOn, through_buffers_of_its_own_as_well) {
  expect_bits_of_plain_sweeps<double>(device(), {{47, 0.1, 1}, {7, 0.2, 2}, {10, 0.3, 1}}, true);
}

TEST_P(PyramidOn, keeps_to_the_memory_it_was_given_and_stops_when_done) {
  const StationaryHeat heat({{90, 0.1, 1}, {20, 0.1, 1}, {24, 0.1, 1}});
  const auto start = test::random_values<double>(heat.nodes(), 7);
  const std::vector<double> f(start.size(), 0.0);
  const std::uint64_t limit = heat.nodes() * 8;  // a third of what all of it takes
  device().forget_memory_peak();
  const std::uint64_t before = device().memory_peak();
  std::vector<double> u = start;
  StationaryOptions options;
  options.tolerance = 1e-4;
  options.sweeps = 4000;
  PyramidOptions pyramid;
  pyramid.memory = limit;
  const StationaryReport report = pyramid_jacobi<double>(device(), heat, u, f, options, pyramid);
  EXPECT_LE(device().memory_peak(), before + limit + 64);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.change, 1e-4);
  options.sweeps = report.sweeps;
  options.tolerance = 0;
  StationaryReport plain;
  EXPECT_EQ(in_core(device(), heat, start, f, options, plain), u);
  EXPECT_EQ(plain.change, report.change);
}

TEST_P(PyramidOn, sweeps_a_file_that_is_mapped_to_memory) {
  const StationaryHeat heat({{40, 0.1, 1}, {12, 0.1, 1}, {16, 0.1, 1}});
  const auto start = test::random_values<double>(heat.nodes(), 8);
  const std::vector<double> f(start.size(), 0.5);
  const std::string path = ::testing::TempDir() + "/setka_pyramid_" + std::to_string(getpid()) + ".bin";
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  ASSERT_GE(file, 0);
  const std::size_t bytes = start.size() * sizeof(double);
  ASSERT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  const std::span<double> u(static_cast<double*>(mapped), start.size());
  std::copy(start.begin(), start.end(), u.begin());
  StationaryOptions options;
  options.sweeps = 12;
  PyramidOptions pyramid;
  pyramid.height = 4;
  pyramid.planes = 6;
  pyramid_jacobi<double>(device(), heat, u, f, options, pyramid);
  StationaryReport plain;
  EXPECT_EQ(in_core(device(), heat, start, f, options, plain), std::vector<double>(u.begin(), u.end()));
  munmap(mapped, bytes);
  close(file);
  unlink(path.c_str());
}

TEST(Pyramid, layout_fills_the_memory_with_planes) {
  const StationaryHeat heat({{800, 1, 1}, {800, 1, 1}, {800, 1, 1}});
  const std::uint64_t two_gib = std::uint64_t{2} << 30;  // 419 planes
  PyramidOptions options;
  options.height = 60;
  const PyramidLayout skewed = pyramid_layout(heat, 8, two_gib, options);
  EXPECT_EQ(skewed.planes, 39);  // 6 planes and 3 heights
  EXPECT_EQ(skewed.blocks, 23);  // 860 planes
  EXPECT_EQ(skewed.bytes, std::uint64_t{6 * 39 + 3 * 60} * 800 * 800 * 8);
  options.shape = PyramidShape::overlapping;
  options.height = 20;
  const PyramidLayout overlapping = pyramid_layout(heat, 8, two_gib, options);
  EXPECT_EQ(overlapping.planes, 29);  // 6 (planes + 40)
  EXPECT_EQ(overlapping.blocks, 28);
  const PyramidLayout chosen = pyramid_layout(heat, 8, two_gib, {});
  EXPECT_EQ(chosen.height, 46);
  EXPECT_LE(chosen.bytes, two_gib);
}

TEST(Pyramid, too_little_memory_is_refused_with_what_is_needed) {
  const StationaryHeat heat({{100, 1, 1}, {128, 1, 1}, {128, 1, 1}});
  PyramidOptions options;
  options.height = 10;
  const auto refuse = [&] { pyramid_layout(heat, 8, 36 * std::uint64_t{131072} - 1, options); };
  EXPECT_THAT(refuse, ::testing::ThrowsMessage<Error>(::testing::HasSubstr("height 10 with blocks of 1")));
  EXPECT_EQ(pyramid_layout(heat, 8, 36 * std::uint64_t{131072}, options).planes, 1);
  options.shape = PyramidShape::overlapping;
  options.planes = 9;
  EXPECT_THROW(pyramid_layout(heat, 8, 1 << 30, options), Error);
}

}  // namespace
}  // namespace setka::grid
