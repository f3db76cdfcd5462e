// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <vector>

#include <setka/base/config.hpp>
#include <setka/exec/array.hpp>
#include <setka/exec/vector.hpp>

int main() {
  const setka::exec::Device device = setka::exec::Device::cpu();
  const setka::exec::Array<double> x(device, std::vector<double>{3, 4});
  std::printf("setka %s: norm %g\n", setka::version, setka::exec::norm(device, x));
}
