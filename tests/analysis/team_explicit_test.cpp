// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "setka/analysis/explicit_body.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "setka/dynamics/explicit_motion.hpp"
#include "support/on_team.hpp"
#include "support/tolerance.hpp"

namespace setka::analysis {
namespace {

class TeamExplicitOn : public test::OnTeam {};
SETKA_ON_ALL_DEVICES(TeamExplicitOn);

/// A bar of two materials, half of its elements with springs against hourglasses.
struct Bar {
  static constexpr int cells = 12;
  deck::Deck deck;
  Setup setup;
  ExplicitModel model;
  std::vector<double> force;
  std::vector<std::int32_t> held{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

  Bar() : deck(deck::read_inp_text(text(), "bar.inp", monitor())), setup(set_up(deck.model)) {
    model.laws.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
      model.laws[i].law = fem::Law::saint_venant_kirchhoff;
      model.laws[i].constants = {1.0, 2.0 + static_cast<double>(i)};
      model.laws[i].density = 1.0 + 0.5 * static_cast<double>(i);
    }
    for (int e = 0; e < cells; ++e) model.material_of.push_back(e % 3 == 0 ? 1 : 0);
    force.assign(static_cast<std::size_t>(3 * setup.solids.node_count()), 0.0);
    for (std::size_t i = 0; i < 4; ++i) force[force.size() - 3 * i - 1] = 0.004;
  }

  static Monitor& monitor() {
    static Monitor one(ProgressDisplay::silent());
    return one;
  }
  static std::string text() {
    std::string made = "*NODE\n";
    for (int n = 0; n < 4 * (cells + 1); ++n)
      made += fmt::format("{},{},{},{}\n", n + 1, n / 4, n % 4 % 2, n % 4 / 2);
    for (int e = 0; e < cells; ++e) {
      made += e < cells / 2 ? "*ELEMENT,TYPE=C3D8,ELSET=E\n" : "*ELEMENT,TYPE=C3D8R,ELSET=E\n";
      made += std::to_string(e + 1);
      for (const int k : {1, 5, 6, 2, 3, 7, 8, 4}) made += fmt::format(",{}", 4 * e + k);
      made += "\n";
    }
    return made +
           "*MATERIAL,NAME=M\n*ELASTIC\n1,0\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
           "*STEP\n*STATIC\n*END STEP\n";
  }

  template <class T>
  std::unique_ptr<dynamics::ExplicitMotion<T>> begun(const dynamics::ExplicitBody<T>& body,
                                                     const dynamics::StableStep& stable) const {
    dynamics::ExplicitOptions options;
    options.step = 0.5 * stable.step;
    options.damping = 0.01;
    options.stable = stable;
    auto motion = body.motion(options);
    motion->hold(held);
    motion->add_load(force, [](double time) { return std::min(1.0, time); });
    motion->watch(std::vector<std::int32_t>{50, 3, 17});
    return motion;
  }
};

template <class T>
void expect_the_motion_of_one_device(const exec::Device& device, const std::vector<exec::Team>& teams,
                                     double tolerance) {
  const Bar bar;
  const auto alone = explicit_body<T>(device, bar.setup, bar.model);
  const dynamics::StableStep stable = alone->least_stable_step({});
  const auto expected = bar.begun<T>(*alone, stable);
  expected->advance(300);
  const dynamics::ExplicitEnergies energies = expected->look();
  const std::vector<double> u = expected->displacements();
  double size = 0;
  for (const double value : u) size = std::max(size, std::abs(value));
  ASSERT_GT(size, 0.01);
  std::vector<dynamics::ExplicitMemory<T>> memories;
  for (const exec::Team& team : teams) {
    SCOPED_TRACE(testing::Message() << team.size() << " members");
    const auto body = explicit_body<T>(team, bar.setup, bar.model, exec::Device::cpu(1));
    EXPECT_NEAR(body->least_stable_step({}).step, stable.step, 1e-12 * stable.step);
    const auto motion = bar.begun<T>(*body, stable);
    motion->advance(100);
    memories.push_back(motion->memory());
    motion->advance(200);
    motion->wait();
    EXPECT_EQ(motion->steps_done(), 300);
    const dynamics::ExplicitEnergies seen = motion->look();
    EXPECT_TRUE(test::all_near(motion->displacements(), u, tolerance * size));
    EXPECT_NEAR(seen.kinetic, energies.kinetic, tolerance * energies.kinetic);
    EXPECT_NEAR(seen.internal, energies.internal, tolerance * energies.internal);
    EXPECT_NEAR(seen.external, energies.external, tolerance * energies.external);
    EXPECT_NEAR(seen.damping, energies.damping, tolerance * energies.external);
    EXPECT_NEAR(motion->hourglass_energy(), expected->hourglass_energy(), tolerance * energies.internal);
    EXPECT_TRUE(test::all_near(motion->seen_velocities(), expected->seen_velocities(), tolerance * size));
    EXPECT_TRUE(test::all_near(motion->seen_forces(), expected->seen_forces(), tolerance * size));
    EXPECT_TRUE(test::all_near(motion->seen_of_watched(), expected->seen_of_watched(), tolerance * size));
    EXPECT_NEAR(motion->least_stable_step().step, expected->least_stable_step().step,
                tolerance * stable.step);
  }
  // What one number of devices left another one goes on with.
  const auto last = explicit_body<T>(teams.back(), bar.setup, bar.model, exec::Device::cpu(1));
  const auto goes_on = bar.begun<T>(*last, stable);
  goes_on->restore(memories.front());
  goes_on->advance(200);
  EXPECT_TRUE(test::all_near(goes_on->displacements(), u, tolerance * size));
}

TEST_P(TeamExplicitOn, moves_as_on_one_device) {
  expect_the_motion_of_one_device<double>(device(), {team(1), team(2), team(3), team(5), team(9)}, 1e-9);
}

TEST_P(TeamExplicitOn, moves_as_on_one_device_in_single_precision) {
  expect_the_motion_of_one_device<float>(device(), {team(2), team(3)}, 1e-3);
}

TEST_P(TeamExplicitOn, moves_so_whatever_the_shares) {
  const exec::Team uneven(twins(2), {5, 1});
  expect_the_motion_of_one_device<double>(device(), {uneven, exec::Team(twins(3), {1, 8, 3})}, 1e-9);
}

/// As far as it goes with times that are measured: whether elements have moved is for DevicesCommand to see.
TEST_P(TeamExplicitOn, moves_so_where_devices_are_balanced_on_the_way) {
  const Bar bar;
  const auto alone = explicit_body<double>(device(), bar.setup, bar.model);
  const dynamics::StableStep stable = alone->least_stable_step({});
  const auto expected = bar.begun<double>(*alone, stable);
  expected->advance(3000);
  const auto body = explicit_body<double>(exec::Team(twins(2), {11, 1}), bar.setup, bar.model,
                                          exec::Device::cpu(1), domains::Balancing::measured);
  const auto motion = bar.begun<double>(*body, stable);
  for (const std::int64_t steps : {1, 7, 1, 991, 2000}) motion->advance(steps);
  EXPECT_EQ(motion->steps_done(), 3000);
  expected->look();
  motion->look();
  EXPECT_TRUE(test::all_near(motion->displacements(), expected->displacements(), 1e-8));
  EXPECT_TRUE(test::all_near(motion->seen_of_watched(), expected->seen_of_watched(), 1e-8));
}

TEST_P(TeamExplicitOn, has_the_same_bits_at_every_run) {
  const Bar bar;
  const auto body = explicit_body<double>(team(3), bar.setup, bar.model, exec::Device::cpu(1));
  const dynamics::StableStep stable = body->least_stable_step({});
  std::vector<std::vector<double>> found;
  for (int run = 0; run < 2; ++run) {
    const auto motion = bar.begun<double>(*body, stable);
    motion->advance(150);
    found.push_back(motion->displacements());
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(TeamExplicit, NeedsAnElementForEachDevice) {
  const Bar bar;
  const exec::Team many(std::vector<exec::Device>(Bar::cells + 1, exec::Device::cpu(1)));
  EXPECT_THROW(explicit_body<double>(many, bar.setup, bar.model, exec::Device::cpu(1)), Error);
}

}  // namespace
}  // namespace setka::analysis
