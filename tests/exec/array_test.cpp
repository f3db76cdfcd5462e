// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/array.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::exec {
namespace {

using ::testing::HasSubstr;

class ArrayOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(ArrayOn);

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_P(ArrayOn, ValuesSurviveTheWayThereAndBack) {
  for (const std::int64_t size : test::awkward_sizes()) {
    const auto values = test::random_values<double>(size, 1);
    const Array<double> array(device(), values);
    EXPECT_EQ(array.size(), size);
    EXPECT_EQ(array.to_vector(), values) << "size " << size;
  }
}

TEST_P(ArrayOn, CopiesBetweenDevices) {
  const auto values = test::random_values<float>(1000, 2);
  const Array<float> here(device(), values);
  const Array<float> on_host = here.to(Device::cpu());
  const Array<float> back = on_host.to(device());
  EXPECT_TRUE(std::equal(values.begin(), values.end(), on_host.host().begin()));
  EXPECT_EQ(back.to_vector(), values);
}

TEST_P(ArrayOn, TwoDevicesOnOnePieceOfHardware) {
  const Device other = device().is_cuda() ? Device::cuda(device().ordinal()) : Device::cpu(1);
  EXPECT_FALSE(other == device());
  Array<double> here(device(), 100000);
  fill(device(), here, 3.0);
  Array<double> there(other, 100000);
  copy(here, there);
  fill(device(), here, 7.0);  // ordered after the copy
  axpy(other, 2.0, there, there);
  EXPECT_EQ(there.to_vector(), std::vector<double>(100000, 9.0));
  EXPECT_EQ(here.to_vector(), std::vector<double>(100000, 7.0));
}

TEST_P(ArrayOn, MovesWithoutCopying) {
  Array<int> first(device(), std::vector<int>{1, 2, 3});
  const int* const place = first.data();
  Array<int> second = std::move(first);
  EXPECT_EQ(second.data(), place);
  Array<int> third(device());
  third = std::move(second);
  EXPECT_EQ(third.data(), place);
  EXPECT_EQ(third.to_vector(), (std::vector<int>{1, 2, 3}));
}

TEST_P(ArrayOn, AsynchronousCopyThroughPinnedMemory) {
  const std::int64_t size = 1 << 20;
  const Device cpu = Device::cpu();
  Array<double> sent = pinned_array<double>(cpu, size);
  Array<double> received = pinned_array<double>(cpu, size);
  std::iota(sent.host().begin(), sent.host().end(), 0.0);
  Array<double> there(device(), size);
  device().synchronize();
  const Stream side = device().make_stream();
  copy_async<double>(side, sent, there.view());
  const Event arrived = side.record();
  device().stream().wait(arrived);
  scale(device(), 2.0, there);
  side.wait(device().stream().record());
  copy_async<double>(side, there, received.view());
  side.synchronize();
  EXPECT_EQ(received.host()[12345], 24690.0);
  EXPECT_EQ(received.host()[size - 1], 2.0 * (size - 1));
}

TEST_P(ArrayOn, CopiesRowsThatLieApart) {
  const std::int64_t rows = 37;
  std::vector<float> values(static_cast<std::size_t>(rows * 50));
  std::iota(values.begin(), values.end(), 0.0F);
  const Array<float> whole(device(), values);
  Array<float> part(device(), rows * 8);
  const Stream stream = device().stream();
  copy_rows_async<float>(stream, {whole.data() + 3, rows, 7, 50}, {part.data(), rows, 7, 8});
  Array<float> back(device(), std::vector<float>(values.size(), -1.0F));
  copy_rows_async<float>(stream, {part.data(), rows, 7, 8}, {back.data() + 3, rows, 7, 50});
  const std::vector<float> found = back.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool copied = i % 50 >= 3 && i % 50 < 10;
    ASSERT_EQ(found[i], copied ? values[i] : -1.0F) << "value " << i;
  }
  copy_rows_async<float>(stream, {whole.data(), 0, 7, 50}, {part.data(), 0, 7, 8});
  EXPECT_THAT(message_of([&] {
                copy_rows_async<float>(stream, {whole.data(), 3, 7, 50}, {part.data(), 3, 8, 8});
              }),
              HasSubstr("from 3 rows of 7 values to 3 rows of 8"));
}

TEST_P(ArrayOn, RefusesCopiesOfUnequalLength) {
  const Array<int> three(device(), 3);
  Array<int> four(device(), 4);
  EXPECT_THAT(message_of([&] { copy(three, four); }), HasSubstr("from 3 values to 4"));
}

TEST_P(ArrayOn, OutOfMemorySaysHowMuchAndWhere) {
  const std::int64_t pebibyte = std::int64_t{1} << 50;
  try {
    const Array<char> huge(device(), pebibyte);
    FAIL() << "got a pebibyte";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
    EXPECT_THAT(error.what(), HasSubstr("out of memory on " + device().label()));
    EXPECT_THAT(error.what(), HasSubstr("1.00 PiB asked for"));
    EXPECT_THAT(error.what(), HasSubstr("free"));
  }
  const Array<char> small(device(), 10);  // the device still works
  EXPECT_EQ(small.size(), 10);
}

TEST_P(ArrayOn, NegativeSizeIsRefused) {
  EXPECT_THAT(message_of([&] { const Array<int> array(device(), -1); }), HasSubstr("size is negative"));
}

TEST_P(ArrayOn, HostRangeOfAGpuIsRefused) {
  Array<int> array(device(), std::vector<int>{5});
  if (device().is_cuda()) {
    EXPECT_THAT(message_of([&] { array.host(); }), HasSubstr("on a GPU"));
    EXPECT_THAT(message_of([&] { pinned_array<int>(device(), 1); }), HasSubstr("host memory"));
  } else {
    EXPECT_EQ(array.host()[0], 5);
  }
}

TEST_P(ArrayOn, ScratchIsReused) {
  const Stream stream = device().stream();
  const void* first = nullptr;
  {
    const Scratch<double> scratch(stream, 1000);
    first = scratch.data();
    const Scratch<double> second(stream, 1000);
    EXPECT_NE(second.data(), first);
  }
  bool seen_again = false;
  const Scratch<double> one(stream, 900);
  const Scratch<double> two(stream, 900);
  seen_again = one.data() == first || two.data() == first;
  EXPECT_TRUE(seen_again);
}

TEST_P(ArrayOn, MultiVectorChecksItsShape) {
  EXPECT_THAT(message_of([&] { const MultiVector<double> x(device(), 2, 3, std::vector<double>(5)); }),
              HasSubstr("rows x columns"));
}

}  // namespace
}  // namespace setka::exec
