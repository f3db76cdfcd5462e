// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory and streams of others. On a GPU the "other" is an Array or a Stream of a second device on the same
// one.
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/foreign_stream.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::exec {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class AdoptOn : public test::OnDevice {
 protected:
  Device another() const { return device().is_cuda() ? Device::cuda(device().ordinal()) : Device::cpu(1); }
};
SETKA_ON_ALL_DEVICES(AdoptOn);

TEST_P(AdoptOn, works_in_the_memory_of_others) {
  const auto values = test::random_values<double>(1000, 1);
  Array<double> theirs(another(), values);
  int released = 0;
  {
    Array<double> ours =
        Array<double>::adopt(device(), theirs.data(), theirs.size(), [&released] { ++released; });
    EXPECT_TRUE(ours.adopted());
    EXPECT_EQ(ours.data(), theirs.data());
    scale(device(), 2.0, ours);
    Array<double> moved = std::move(ours);
    Array<double> assigned(device());
    assigned = std::move(moved);
    EXPECT_EQ(released, 0);
    EXPECT_EQ(std::move(assigned).to(device()).data(), theirs.data()) << "no copy";
    EXPECT_EQ(released, 1) << "the last owner is gone";
  }
  EXPECT_EQ(released, 1);
  std::vector<double> expected = values;
  for (double& value : expected) value *= 2;
  EXPECT_EQ(theirs.to_vector(), expected);
}

TEST_P(AdoptOn, releases_after_the_work_is_done) {
  // What release() reads must have been written: by kernels that were given just before.
  const std::int64_t size = 1 << 22;
  Array<double> theirs(another(), size);
  std::vector<double> seen;
  {
    Array<double> ours =
        Array<double>::adopt(device(), theirs.data(), size, [&] { seen = theirs.to_vector(); });
    fill(device(), ours, 1.0);
    for (int k = 0; k < 20; ++k) axpy(device(), 1.0, ours, ours);
  }
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(size));
  EXPECT_EQ(seen.front(), 1 << 20);
  EXPECT_EQ(seen.back(), 1 << 20);
}

TEST_P(AdoptOn, lent_memory_is_left_alone) {
  Array<float> theirs(another(), std::vector<float>{1, 2, 3, 4, 5, 6});
  const std::uint64_t peak = device().memory_peak();
  { const Array<float> ours = Array<float>::adopt(device(), theirs.data(), 6); }
  EXPECT_EQ(device().memory_peak(), peak) << "it is not the device's";
  EXPECT_EQ(theirs.to_vector(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const MultiVector<float> block(Array<float>::adopt(device(), theirs.data(), 6), 2, 3);
  EXPECT_EQ(block.view().data, theirs.data());
  EXPECT_EQ(block.view().stride, 3);
  EXPECT_TRUE(Array<float>::adopt(device(), nullptr, 0).empty());
}

TEST_P(AdoptOn, refuses_what_is_no_memory_for_it) {
  bool released = false;
  const auto adopt = [&](double* data, std::int64_t size) {
    return [=, this, &released] {
      Array<double>::adopt(device(), data, size, [&released] { released = true; });
    };
  };
  Array<double> theirs(another(), 4);
  EXPECT_THAT(adopt(nullptr, 3), ThrowsMessage<Error>(HasSubstr("no memory")));
  EXPECT_THAT(adopt(theirs.data(), -1), ThrowsMessage<Error>(HasSubstr("negative size")));
  auto* const odd = reinterpret_cast<double*>(reinterpret_cast<char*>(theirs.data()) + 4);
  EXPECT_THAT(adopt(odd, 1), ThrowsMessage<Error>(HasSubstr("not aligned")));
  if (device().is_cuda()) {
    double on_host = 0;
    EXPECT_THAT(adopt(&on_host, 1), ThrowsMessage<Error>(HasSubstr("is not one that cuda:")));
    EXPECT_THAT([&] { Array<double>::adopt(Device::cpu(), theirs.data(), 4); },
                ThrowsMessage<Error>("Array::adopt: the memory is not one that cpu reaches"));
  }
  EXPECT_FALSE(released);
}

TEST_P(AdoptOn, tells_what_it_reaches) {
  const Array<int> own(device(), 1);
  const int on_host = 0;
  EXPECT_TRUE(device().reaches(own.data()));
  EXPECT_EQ(device().reaches(&on_host), !device().is_cuda());
  EXPECT_EQ(Device::cpu().reaches(own.data()), !device().is_cuda());
}

TEST_P(AdoptOn, a_cpu_wraps_no_stream) {
  if (device().is_cuda()) GTEST_SKIP() << "it is a GPU";
  EXPECT_THAT([&] { device().wrap({}); },
              ThrowsMessage<Error>("Device::wrap: a CPU has no streams of CUDA; use the GPU of the stream"));
}

TEST_P(AdoptOn, streams_of_others_order_the_work) {
  if constexpr (with_cuda) {
    if (!device().is_cuda()) GTEST_SKIP() << "a CPU has no streams";
    const test::ForeignStream theirs(device().ordinal());
    {
      const Device on_theirs = Device::cuda(device().ordinal(), NativeStream{theirs.handle()});
      const Stream wrapped = device().wrap(NativeStream{theirs.handle()});
      EXPECT_EQ(test::native(wrapped), theirs.handle());
      EXPECT_EQ(test::native(on_theirs.stream()), theirs.handle());
      const std::int64_t size = 1 << 22;
      Array<double> x(device(), size);
      // No event, no wait: one stream has the order.
      fill(on_theirs, x, 1.0);
      for (int k = 0; k < 10; ++k) {
        axpy(wrapped, 1.0, x, x);
        scale(on_theirs, 2.0, x);
      }
      EXPECT_EQ(sum<double>(wrapped, x), static_cast<double>(size) * (1 << 20));
    }
    EXPECT_TRUE(theirs.is_alive());
  } else {
    GTEST_SKIP() << "built without CUDA";
  }
}

}  // namespace
}  // namespace setka::exec
