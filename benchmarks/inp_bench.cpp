// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Reading a deck from a file that the system holds in memory: a block of C3D8 elements with a node set, an
// element set, and a load of every node of a face.
//
//   inp_bench --benchmark_out=inp.json --benchmark_out_format=json
//
// MB/s: bytes of the deck over the median time of read_inp, one thread. MB/cpu_s: over the least processor
// time, which a machine that is shared does not spoil. scan_MB/s: of finding all line ends of the same text
// by memchr, which no reader can beat. memory/model: growth of the resident set at its largest while the deck
// is read, the mapped pages of the file included, over the bytes of the mesh, the sets and the loads.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include <malloc.h>
#include <unistd.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/timing.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
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

/// A deck in a file of its own, gone with it.
class DeckFile {
 public:
  explicit DeckFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("inp_bench_{}.inp", ::getpid())) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~DeckFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  DeckFile(const DeckFile&) = delete;
  DeckFile& operator=(const DeckFile&) = delete;

  setka::deck::Deck read() const {
    setka::Monitor monitor;
    return setka::deck::read_inp(path_, monitor);
  }

 private:
  std::filesystem::path path_;
};

/// Resident bytes now, or the most since reset_peak(), by the name of a line in /proc/self/status.
double resident_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return 1024 * std::stod(line.substr(name.size() + 1));
  }
  return 0;
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// What the model itself holds: no spare room, nothing of the reader.
double bytes_of(const setka::model::Model& model) {
  const setka::mesh::Mesh& mesh = model.mesh;
  std::size_t bytes = mesh.coordinates().size_bytes();
  bytes +=
      2 * sizeof(std::int32_t) * static_cast<std::size_t>(mesh.node_count());  // number, and the way back
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    bytes += mesh.nodes(e).size_bytes() + sizeof(setka::mesh::Cell) + sizeof(std::uint8_t) +
             sizeof(std::int64_t) + 2 * sizeof(std::int32_t);
  }
  for (const auto& set : model.node_sets) bytes += set.nodes.size() * sizeof(std::int32_t);
  for (const auto& set : model.element_sets) bytes += set.elements.size() * sizeof(std::int32_t);
  bytes += model.prescribed.size() * sizeof(setka::model::PrescribedValue);
  for (const auto& step : model.steps) bytes += step.point_loads.size() * sizeof(setka::model::PointLoad);
  return static_cast<double>(bytes);
}

/// Seconds to find all line ends.
double scan_seconds(const std::string& text, const setka::exec::Device& device) {
  return setka::bench::median_seconds(device, [&] {
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
}

void read_deck(benchmark::State& state, int n) {
  const setka::exec::Device device = setka::bench::devices().front();
  std::string text = block_deck(n);
  const auto bytes = static_cast<double>(text.size());
  const DeckFile file(text);
  const double scan = scan_seconds(text, device);
  text = std::string();
  ::malloc_trim(0);  // what was freed is not there to be used again unseen
  const double before = resident_bytes("VmRSS:");
  reset_peak();
  const double model = bytes_of(file.read().model);
  const double peak = resident_bytes("VmHWM:") - before;

  double least_cpu = 1e30;
  const double seconds = setka::bench::measure(state, device, [&] {
    const std::clock_t began = std::clock();
    benchmark::DoNotOptimize(file.read());
    least_cpu = std::min(least_cpu, static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC);
  });
  state.counters["MB"] = 1e-6 * bytes;
  state.counters["MB/s"] = 1e-6 * bytes / seconds;
  state.counters["MB/cpu_s"] = 1e-6 * bytes / least_cpu;
  state.counters["scan_MB/s"] = 1e-6 * bytes / scan;
  state.counters["model_MB"] = 1e-6 * model;
  state.counters["memory/model"] = peak / model;
}

void add_case(int n) {
  benchmark::RegisterBenchmark(fmt::format("read_inp/nodes:{}", std::int64_t{n} * n * n).c_str(), read_deck,
                               n)
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
