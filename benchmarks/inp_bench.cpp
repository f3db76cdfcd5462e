// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Reading a deck: a block of C3D8 elements with a node set, an element set, and a load of every node of a
// face.
//
//   inp_bench --benchmark_out=inp.json --benchmark_out_format=json
//
// MB/s: bytes of the deck over the time of read_inp_text, one thread, text in memory. MB/cpu_s: over the
// least processor time, which a machine that is shared does not spoil. scan_MB/s: of finding all line ends of
// the same text by memchr, which no reader can beat.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "setka/base/monitor.hpp"
#include "setka/io/inp.hpp"
#include "support/context.hpp"

namespace {

/// n nodes along each edge.
std::string block_deck(int n) {
  fmt::memory_buffer text;
  const auto out = [&] { return std::back_inserter(text); };
  fmt::format_to(out(), "*HEADING\nblock of {0} x {0} x {0} nodes\n*NODE, NSET=NALL\n", n);
  const double h = 1.0 / (n - 1);
  const auto label = [n](int i, int j, int k) { return 1 + i + n * (j + static_cast<std::int64_t>(n) * k); };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        fmt::format_to(out(), "{:8},{:14.7f},{:14.7f},{:14.7e}\n", label(i, j, k), i * h, j * h, k * h);
  fmt::format_to(out(), "*ELEMENT, TYPE=C3D8, ELSET=EALL\n");
  std::int64_t element = 0;
  for (int k = 0; k + 1 < n; ++k)
    for (int j = 0; j + 1 < n; ++j)
      for (int i = 0; i + 1 < n; ++i)
        fmt::format_to(out(), "{:8},{:8},{:8},{:8},{:8},{:8},{:8},{:8},{:8}\n", ++element, label(i, j, k),
                       label(i + 1, j, k), label(i + 1, j + 1, k), label(i, j + 1, k), label(i, j, k + 1),
                       label(i + 1, j, k + 1), label(i + 1, j + 1, k + 1), label(i, j + 1, k + 1));
  fmt::format_to(out(), "*NSET, NSET=BOTTOM, GENERATE\n1, {}\n*MATERIAL, NAME=EL\n*ELASTIC\n210000., 0.3\n",
                 n * n);
  fmt::format_to(
      out(), "*SOLID SECTION, ELSET=EALL, MATERIAL=EL\n*BOUNDARY\nBOTTOM, 1, 3\n*STEP\n*STATIC\n*CLOAD\n");
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) fmt::format_to(out(), "{}, 3, {:.6e}\n", label(i, j, n - 1), 1e-3 * (i + j));
  fmt::format_to(out(), "*NODE FILE\nU\n*END STEP\n");
  return fmt::to_string(text);
}

void add_case(int n) {
  benchmark::RegisterBenchmark(
      fmt::format("read_inp/nodes:{}", std::int64_t{n} * n * n).c_str(),
      [n](benchmark::State& state) {
        const std::string text = block_deck(n);
        const setka::exec::Device device = setka::bench::devices().front();
        const auto bytes = static_cast<double>(text.size());
        const double scan = setka::bench::median_seconds(device, [&] {
          const char* at = text.data();
          const char* end = at + text.size();
          std::int64_t lines = 0;
          while (at != end) {
            at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
            ++at;
            ++lines;
          }
          benchmark::DoNotOptimize(lines);
        });
        double least_cpu = 1e30;
        const double seconds = setka::bench::measure(state, device, [&] {
          const std::clock_t began = std::clock();
          setka::Monitor monitor;
          benchmark::DoNotOptimize(setka::io::read_inp_text(text, "block.inp", monitor));
          least_cpu = std::min(least_cpu, static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC);
        });
        state.counters["MB"] = 1e-6 * bytes;
        state.counters["MB/s"] = 1e-6 * bytes / seconds;
        state.counters["MB/cpu_s"] = 1e-6 * bytes / least_cpu;
        state.counters["scan_MB/s"] = 1e-6 * bytes / scan;
      })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    add_case(smoke ? 8 : 30);
    if (!smoke) add_case(100);
  });
}
