// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/shared_heat.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

class SharedHeatOn : public test::OnDevice {
 protected:
  /// Another device of the same kind: the same GPU with streams of its own.
  exec::Device twin() const {
    return device().is_cuda() ? exec::Device::cuda(device().ordinal()) : exec::Device::cpu(1);
  }
};
SETKA_ON_ALL_DEVICES(SharedHeatOn);

template <class T>
void expect_values_of_one(const exec::Device& device, const std::vector<exec::Device>& devices,
                          const std::vector<HeatAxis>& axes) {
  std::int64_t nodes = 1;
  for (const HeatAxis& axis : axes) nodes *= axis.nodes;
  const auto start = test::random_values<T>(nodes, 9);
  const LodHeat alone(axes, 0.02);
  exec::Array<T> u(device, start);
  for (int i = 0; i < 3; ++i) alone.advance<T>(device, u);
  std::vector<T> shared = start;
  SharedLodHeat(devices, axes, 0.02).advance<T>(shared, 3);
  SCOPED_TRACE(testing::Message() << devices.size() << " devices, " << axes.size() << " axes");
  if (device.is_cuda()) {  // kernels for narrow and for wide shares round differently
    EXPECT_TRUE(test::all_near(shared, u.to_vector(), test::rounding<T>(100, 1)));
  } else {
    EXPECT_EQ(shared, u.to_vector());
  }
}

TEST_P(SharedHeatOn, any_number_of_devices_gives_the_values_of_one) {
  const std::vector<std::vector<HeatAxis>> grids = {
      {{40, 0.1, 1, Ends::insulated}},
      {{33, 0.1, 1, Ends::periodic}, {50, 0.2, 2, Ends::periodic}},
      {{2, 0.1, 1, Ends::fixed}, {47, 0.2, 2, Ends::insulated}},
      {{9, 0.1, 1, Ends::insulated}, {12, 0.2, 1, Ends::periodic}, {18, 0.1, 3, Ends::fixed}},
  };
  for (const auto& axes : grids) {
    std::vector<exec::Device> devices;
    for (int count = 1; count <= 3; ++count) {
      devices.push_back(count == 1 ? device() : twin());
      expect_values_of_one<double>(device(), devices, axes);
      expect_values_of_one<float>(device(), devices, axes);
    }
  }
}

TEST_P(SharedHeatOn, devices_may_be_of_both_kinds) {
  const std::vector<HeatAxis> axes{{33, 0.1, 1, Ends::periodic}, {50, 0.2, 2, Ends::insulated}};
  const auto start = test::random_values<double>(1650, 9);
  exec::Array<double> u(device(), start);
  LodHeat(axes, 0.02).advance<double>(device(), u);
  for (const std::vector<exec::Device>& devices :
       {std::vector{device(), exec::Device::cpu(1)}, {exec::Device::cpu(2), device(), twin()}}) {
    std::vector<double> found = start;
    SharedLodHeat(devices, axes, 0.02).advance<double>(found);
    EXPECT_TRUE(test::all_near(found, u.to_vector(), test::rounding<double>(100, 1)));
  }
}

TEST(SharedHeat, wrong_use_is_refused) {
  const exec::Device cpu = exec::Device::cpu(1);
  EXPECT_THROW(SharedLodHeat({}, {{5, 1, 1, Ends::fixed}}, 0.1), Error);
  HeatAxis warm{5, 1, 1, Ends::sides};
  warm.low = {HeatSide::Kind::dirichlet, 1.0};
  EXPECT_THROW(SharedLodHeat({cpu}, {warm}, 0.1), Error);
  std::vector<double> u(4);
  EXPECT_THROW(SharedLodHeat({cpu}, {{5, 1, 1, Ends::fixed}}, 0.1).advance<double>(u), Error);
}

}  // namespace
}  // namespace setka::grid
