// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/recovery.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::analysis {
namespace {

class DeviceRecoveryOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(DeviceRecoveryOn);

struct Frames {
  model::Frame by_host;
  model::Frame by_device;
};

/// What both ways make of displacements at random.
Frames recovered(const model::Model& model, const Wanted& wanted, const exec::Device& device) {
  const Setup setup = set_up(model);
  const ElementState state(setup, {});
  const std::vector<double> u = test::random_values<double>(3 * std::int64_t{setup.solids.node_count()}, 4);
  const ElementMaterials made = element_materials(setup, state);
  const auto set = std::make_shared<const fem::ElementSet>(device, setup.solids.region());
  fem::Recovery on_device(fem::elastic_form(set, made.materials, made.material_of));
  Frames frames;
  recover(setup, state, u, wanted, 2, frames.by_host);
  recover(setup, state, u, wanted, 2, frames.by_device,
          device_recovers(setup, state, wanted) ? &on_device : nullptr);
  return frames;
}

void expect_same_fields(const Frames& frames) {
  ASSERT_EQ(frames.by_device.node_fields.size(), frames.by_host.node_fields.size());
  for (std::size_t f = 0; f < frames.by_host.node_fields.size(); ++f) {
    const model::NodeField& expected = frames.by_host.node_fields[f];
    const model::NodeField& found = frames.by_device.node_fields[f];
    EXPECT_EQ(found.name, expected.name);
    double size = 0;
    for (const double value : expected.values) size = std::max(size, std::abs(value));
    if (expected.name != "ERR") {
      EXPECT_GT(size, 0) << expected.name;
    }
    EXPECT_TRUE(test::all_near(found.values, expected.values, 1e-11 * size)) << expected.name;
  }
}

model::Model bent_block(const char* type) {
  return test::block_model(
      {3, 2, 2}, deck::element(type),
      [](double s, double t, double r) {
        return std::array<double, 3>{3 * s, t + 0.3 * s * s, r + 0.1 * t};
      },
      1000, 0.3);
}

TEST_P(DeviceRecoveryOn, gives_what_the_host_recovers) {
  Wanted wanted;
  wanted.at_nodes = {"S", "E", "ME", "ENER"};
  for (const char* const type : {"C3D4", "C3D6", "C3D8", "C3D10", "C3D15", "C3D20", "C3D20R"}) {
    SCOPED_TRACE(type);
    const Frames frames = recovered(bent_block(type), wanted, device());
    expect_same_fields(frames);
    // By the device, indeed: it leaves no values of points behind.
    EXPECT_EQ(frames.by_device.point_field("S"), nullptr);
    const std::vector<double>& at_points = frames.by_host.point_field("S")->values;
    double largest = 0;
    for (std::size_t p = 0; p < at_points.size(); p += 6) {
      const double* const s = at_points.data() + p;
      const double normal = std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
      largest = std::max(largest, normal / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
    }
    EXPECT_NEAR(*std::ranges::max_element(frames.by_device.element_mises), std::sqrt(largest),
                1e-12 * std::sqrt(largest));
  }
}

/// Their strains hang on D: stresses alone are the device's.
TEST_P(DeviceRecoveryOn, elements_with_a_formulation_of_their_own) {
  for (const char* const type : {"C3D8I", "C3D8R"}) {
    SCOPED_TRACE(type);
    Wanted wanted;
    wanted.at_nodes = {"S"};
    const Frames stresses = recovered(bent_block(type), wanted, device());
    expect_same_fields(stresses);
    EXPECT_EQ(stresses.by_device.point_field("S"), nullptr);
    wanted.at_nodes = {"S", "E"};
    const Frames both = recovered(bent_block(type), wanted, device());
    expect_same_fields(both);
    EXPECT_NE(both.by_device.point_field("E"), nullptr) << "by the host";
  }
}

TEST_P(DeviceRecoveryOn, values_of_points_are_the_hosts) {
  Wanted wanted;
  wanted.at_nodes = {"S"};
  wanted.at_points = {"S"};
  const Frames frames = recovered(bent_block("C3D20R"), wanted, device());
  expect_same_fields(frames);
  EXPECT_NE(frames.by_device.point_field("S"), nullptr);
}

}  // namespace
}  // namespace setka::analysis
