// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_run.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"

namespace setka::cases {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
class GridRuns : public ::testing::Test {
 protected:
  GridRuns() {
    grid_.file = folder_ / "case.toml";
    grid_.single_precision = sizeof(T) == 4;
    grid_.cells = {3, 2, 1};
    grid_.step = 0.5;
    grid_.steps = 10;
    grid_.output.folder = folder_.path();
    grid_.output.vti = false;
    grid_.probes = {{"p", {}}};
  }
  GridRun<T> run(bool go_on) { return {grid_, {"step", grid_.steps, "time.steps"}, go_on, outcome_}; }
  std::vector<T> begin(GridRun<T>& run) {
    return run.begin([&] { return values_; });
  }

  test::ScratchFolder folder_;
  model::GridCase grid_;
  GridOutcome outcome_;
  std::vector<T> values_{1, 2, T(1) / 3, 4, -5, 6};
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GridRuns, Precisions);

TYPED_TEST(GridRuns, go_on_where_the_user_stopped_them) {
  const auto checkpoint = this->folder_ / "case.checkpoint";
  {
    GridRun<TypeParam> first = this->run(false);
    EXPECT_EQ(this->begin(first), this->values_);
    first.until_stopped([&] {
      this->outcome_.done = 4;
      first.note(2, {0.25});
      throw Error(Fault::interrupted, "a signal");
    });
    this->values_[0] = TypeParam(1) / 7;
    first.save(this->values_);
    first.finish(this->values_, false);
  }
  EXPECT_EQ(this->outcome_.stopped, "interrupted after step 4 of 10; " + checkpoint.string() + " is written");
  EXPECT_EQ(this->outcome_.own(), 4);
  EXPECT_THAT(this->outcome_.files, ElementsAre(checkpoint));
  EXPECT_EQ(this->outcome_.least, -5);
  EXPECT_EQ(this->outcome_.largest, 6);

  this->outcome_ = {};
  GridRun<TypeParam> second = this->run(true);
  const std::vector<TypeParam> expected = this->values_;
  this->values_.clear();
  EXPECT_EQ(this->begin(second), expected);
  EXPECT_EQ(this->outcome_.first, 4);
  second.until_stopped([&] { this->outcome_.done = 10; });
  second.note(5, {0.5});
  second.finish(expected, false);
  EXPECT_EQ(this->outcome_.own(), 6);
  EXPECT_EQ(this->outcome_.stopped, "");
  EXPECT_THAT(this->outcome_.files, ElementsAre(this->folder_ / "case-probes.csv"));
  EXPECT_EQ(test::content(this->folder_ / "case-probes.csv"), "time,p\n2,0.25\n5,0.5\n");
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

TYPED_TEST(GridRuns, end_from_a_checkpoint_of_their_end_and_pass_on_errors) {
  GridRun<TypeParam> first = this->run(false);
  this->begin(first);
  EXPECT_THROW(first.until_stopped([] { throw Error(Fault::input, "not finite"); }), Error);
  EXPECT_EQ(this->outcome_.stopped, "");
  this->outcome_.done = 10;
  this->outcome_.change = 0.125;
  first.note(5, {0.5});
  first.save(this->values_);
  first.finish(this->values_, true);
  EXPECT_EQ(this->outcome_.files.back(), this->folder_ / "case.checkpoint");
  this->outcome_ = {};
  GridRun<TypeParam> second = this->run(true);
  EXPECT_EQ(this->begin(second), this->values_);
  EXPECT_EQ(this->outcome_.own(), 0);
  EXPECT_EQ(this->outcome_.change, 0.125);
  second.note(5, {0.5});  // that the checkpoint has already
  second.finish(this->values_, true);
  EXPECT_EQ(test::content(this->folder_ / "case-probes.csv"), "time,p\n5,0.5\n");
  this->grid_.steps = 9;
  GridRun<TypeParam> third = this->run(true);
  try {
    this->begin(third);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_THAT(error.what(),
                HasSubstr("has 10 steps already, and the case asks for 9; raise time.steps to go on"));
  }
}

}  // namespace
}  // namespace setka::cases
