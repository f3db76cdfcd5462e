// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/common.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/vector.hpp"
#include "support/on_team.hpp"

namespace setka::exec {
namespace {

class CommonOn : public test::OnTeam {};
SETKA_ON_ALL_DEVICES(CommonOn);

/// Each member adds to the part of the next.
void expect_all_reach(const std::vector<Device>& devices, Array<double>& values,
                      const std::vector<std::int64_t>& ends) {
  std::vector<double> expected(static_cast<std::size_t>(values.size()));
  std::iota(expected.begin(), expected.end(), 1.0);
  copy(View<const double>{expected.data(), values.size()}, values);
  Team(devices).run([&](const Member& member) {
    const Stream stream = member.device().stream();
    const auto next = static_cast<std::size_t>((member.number() + 1) % member.size());
    const std::int64_t begin = next == 0 ? 0 : ends[next - 1];
    const View<double> part = values.view().part(begin, ends[next] - begin);
    axpy(stream, 1.0, part, part);
  });
  for (double& value : expected) value *= 2;
  EXPECT_EQ(values.to_vector(), expected);
}

TEST_P(CommonOn, every_device_reads_and_writes_all_parts) {
  const std::vector<Device> devices = twins(3);
  const std::vector<std::int64_t> ends{1000, 1000, 250'001};
  Array<double> values = common_array<double>(devices, ends);
  ASSERT_EQ(values.size(), 250'001);
  EXPECT_TRUE(reach_each_other(devices));
  require_reach("test", devices, values);
  expect_all_reach(devices, values, ends);
  EXPECT_EQ(common_array<float>(devices, {0, 0, 0}).size(), 0);
}

TEST_P(CommonOn, pages_of_several_gpus_are_one_array) {
  if (!device().is_cuda()) GTEST_SKIP() << "of GPUs alone";
  if constexpr (with_cuda) {  // one GPU in the place of three
    const std::vector<Device> devices = twins(3);
    const std::vector<std::int64_t> ends{100'000, 500'000, 1'000'000};
    void* const data = detail::allocate_spread(devices, {800'000, 4'000'000, 8'000'000});
    auto values = Array<double>::adopt(devices.front(), static_cast<double*>(data), ends.back(),
                                       [data] { detail::free_spread(data); });
    require_reach("test", devices, values);
    expect_all_reach(devices, values, ends);
  }
}

TEST_P(CommonOn, free_memory_is_shared_out) {
  const std::uint64_t alone = free_memory_of_each({device()});
  const std::uint64_t of_two = free_memory_of_each(twins(2));
  EXPECT_GT(of_two, alone / 4);
  EXPECT_LT(of_two, alone / 4 * 3);
}

TEST(Common, WrongUseIsRefused) {
  const Device cpu = Device::cpu(1);
  EXPECT_THROW(common_array<double>({}, {}), Error);
  EXPECT_THROW(common_array<double>({cpu}, {1, 2}), Error);
  EXPECT_THROW(common_array<double>({cpu, cpu}, {2, 1}), Error);
  if (!why_no_cuda().empty()) return;
  const std::vector<Device> mixed{cpu, Device::cuda(0)};
  EXPECT_FALSE(reach_each_other(mixed));
  EXPECT_THAT(
      [&] {
        common_array<double>(mixed, {1, 2});
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("give GPUs alone (--devices 0,1)")));
  const Array<double> on_cpu(cpu, 5);
  EXPECT_THROW(require_reach("test", mixed, on_cpu), Error);
}

}  // namespace
}  // namespace setka::exec
