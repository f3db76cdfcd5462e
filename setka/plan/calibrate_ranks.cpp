// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/calibrate_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <memory>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/device.hpp"

namespace setka::plan {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of an entry in a product with a sparse matrix, as of hexahedra, on the slowest process.
double measured_product(const exec::Transport& transport) {
  constexpr int edge = 32;  // nodes, three rows each
  constexpr std::int32_t rows = 3 * edge * edge * edge;
  constexpr int rounds = 6;
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  for (std::int32_t row = 0; row < rows; ++row) {
    for (const int z : {-1, 0, 1}) {
      for (const int y : {-1, 0, 1}) {
        const std::int32_t first = row / 3 + (z * edge + y) * edge - 1;
        for (std::int32_t k = std::max(0, 3 * first); k < std::min(rows, 3 * first + 9); ++k)
          column.push_back(k);
      }
    }
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  const std::vector<double> value(column.size(), 0.5);
  const std::vector<double> x(rows, 1.0);
  std::vector<double> y(rows);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    transport.meet();
    const double began = now();
    for (std::size_t row = 0; row < y.size(); ++row) {
      double sum = 0;
      for (auto k = static_cast<std::size_t>(offset[row]); k < static_cast<std::size_t>(offset[row + 1]); ++k)
        sum += value[k] * x[static_cast<std::size_t>(column[k])];
      y[row] = sum;
    }
    least = std::min(least, now() - began);
  }
  least += y[rows / 2] > 0 ? 0 : 1e9;  // it has to be computed
  return std::ranges::max(transport.gather({&least, 1})) / static_cast<double>(column.size());
}

/// Seconds of one way between the first and the last process.
double measured_way(const exec::Transport& transport, std::size_t bytes, int rounds) {
  const int last = transport.size() - 1;
  const bool first = transport.number() == 0;
  const bool takes_part = first || transport.number() == last;
  const std::unique_ptr<exec::Transport::Journey> journey = transport.journey();
  const std::vector<std::byte> out(bytes);
  std::vector<std::byte> in(bytes);
  double least = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < 5 && takes_part; ++batch) {
    const double began = now();
    for (int round = 0; round < rounds; ++round) {
      const exec::Parcel there{first ? last : 0, out, {}};
      const exec::Parcel back{first ? last : 0, {}, in};
      for (const bool sends : {first, !first}) {
        journey->begin({sends ? &there : &back, 1});
        journey->finish();
      }
    }
    least = std::min(least, (now() - began) / (2 * rounds));
  }
  if (!takes_part) least = 0;
  return std::ranges::max(transport.gather({&least, 1}));
}

}  // namespace

RankProfile calibrate(const exec::Transport& transport, Monitor& monitor) {
  if (transport.size() < 2)
    throw Error(Fault::usage, "one process has nobody to tell anything", "run it under mpirun -n 2, or more");
  RankProfile made;
  made.processes = transport.size();
  made.hardware = hardware_identity(exec::Device::cpu());
  made.date = date_text(std::time(nullptr));
  {
    const Stage stage = monitor.stage("products");
    made.product = measured_product(transport);
  }
  const Stage stage = monitor.stage("messages");
  constexpr std::size_t much = std::size_t{8} << 20U;
  made.link.latency = measured_way(transport, 8, 200);
  made.link.rate = static_cast<double>(much) / measured_way(transport, much, 4);
  return made;
}

}  // namespace setka::plan
