// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/scan.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"

namespace setka::exec {
namespace {

class ScanOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(ScanOn);

template <class T>
std::vector<T> counts(std::int64_t size) {
  std::vector<T> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>((i * 7919) % 13);
  return values;
}

template <class T>
void check_scan(const Device& device) {
  for (const std::int64_t size : test::awkward_sizes()) {
    const auto values = counts<T>(size);
    std::vector<T> expected(values.size());
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), T(0));
    const Array<T> in(device, values);
    Array<T> out(device, size);
    exclusive_scan<T>(device, in, out);
    EXPECT_EQ(out.to_vector(), expected) << "size " << size;
    Array<T> same(device, values);
    exclusive_scan<T>(device, same, same);
    EXPECT_EQ(same.to_vector(), expected) << "in place, size " << size;
  }
}

TEST_P(ScanOn, SumsWhatComesBefore32) {
  check_scan<std::int32_t>(device());
}
TEST_P(ScanOn, SumsWhatComesBefore64) {
  check_scan<std::int64_t>(device());
}

TEST_P(ScanOn, RefusesUnequalLengths) {
  const Array<std::int32_t> in(device(), 3);
  Array<std::int32_t> out(device(), 2);
  EXPECT_THROW(exclusive_scan<std::int32_t>(device(), in, out), Error);
}

}  // namespace
}  // namespace setka::exec
