// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The projection X'KX from element matrices, against the memory of the device, measured in the same run.
//
//   projection_bench --benchmark_out=projection.json --benchmark_out_format=json
//   projection_bench --benchmark_filter=fused
//
// bytes: triangles, index vectors and X, each read once. %_of_copy: their rate over that of a copy. GFlop/s:
// Y = L X and one triangle of X'Y.
#include <cstdint>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/projection.hpp"
#include "setka/fem/elements.hpp"
#include "support/context.hpp"
#include "support/limits.hpp"

namespace {

using setka::bench::BlockModel;
using setka::bench::ProjectionFromHost;
using setka::bench::ProjectionInMemory;
using setka::exec::Device;
using setka::fem::Element;
using setka::fem::ProjectionChoice;
using setka::fem::ProjectionScheme;

struct Case {
  Device device;
  double copy_rate;  // bytes a second
};

void count(benchmark::State& state, const Case& on, const ProjectionInMemory& projection, double seconds) {
  state.counters["GB/s"] = 1e-9 * projection.bytes() / seconds;
  state.counters["%_of_copy"] = 100 * projection.bytes() / seconds / on.copy_rate;
  state.counters["GFlop/s"] = 1e-9 * projection.flops() / seconds;
  state.counters["unknowns"] = static_cast<double>(projection.unknowns());
}

template <class Body>
void add_case(const std::string& name, const Case& on, Body body) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}", name, on.device.label()).c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void add_in_memory(const std::string& name, const Case& on, const std::shared_ptr<const BlockModel>& model,
                   int columns, const ProjectionChoice& choice) {
  add_case(fmt::format("{}/{}_columns", name, columns), on, [=](benchmark::State& state) {
    ProjectionInMemory projection(on.device, *model, columns);
    count(state, on, projection, setka::bench::measure(state, on.device, [&] { projection.run(choice); }));
  });
}

void add_streamed(const std::string& name, const Case& on, const std::shared_ptr<const BlockModel>& model,
                  std::int64_t megabytes) {
  add_case(fmt::format("{}/{}MB_pieces", name, megabytes), on, [=](benchmark::State& state) {
    const ProjectionInMemory source(on.device, *model);
    ProjectionFromHost projection(source, megabytes << 20);
    setka::fem::StreamedTimes times;
    count(state, on, source, setka::bench::measure(state, on.device, [&] { times = projection.run(); }));
    state.counters["transfer_ms"] = 1e3 * times.transfer;
    state.counters["computing_ms"] = 1e3 * times.computing;
    state.counters["pieces"] = static_cast<double>(times.pieces);
  });
}

void add_cases(const Case& on, bool smoke) {
  const std::int64_t unknowns = smoke ? 2000 : setka::bench::paper_projection_unknowns;
  const auto model = std::make_shared<const BlockModel>(
      setka::bench::block_model(Element::hex8, setka::bench::projection_cells(unknowns)));
  const std::string name = fmt::format("project_C3D8_{}_elements", model->elements());
  const bool gpu = on.device.is_cuda();
  for (const int columns : {8, 16, 30, 32, 64}) {
    add_in_memory(name + "/fused", on, model, columns, {});
    if (columns == 30)
      add_in_memory(name + "/grouped", on, model, columns, {ProjectionScheme::grouped, 0, {}});
  }
  if (gpu) {
    for (const int warps : {2, 4, 8}) {
      for (const int elements : {4, 8, 16, 32}) {
        add_in_memory(fmt::format("{}/fused_{}_warps_{}_elements", name, warps, elements), on, model, 30,
                      {ProjectionScheme::fused, 0, {warps, elements}});
      }
    }
    for (const std::int64_t megabytes : {16, 64, 256}) add_streamed(name + "/streamed", on, model, megabytes);
  }
  for (const Element type : {Element::tet4, Element::tet10, Element::hex20_reduced}) {
    const auto others =
        std::make_shared<const BlockModel>(setka::bench::block_model(type, smoke ? std::array{2, 2, 1}
                                                                           : gpu ? std::array{45, 45, 45}
                                                                                 : std::array{16, 16, 16}));
    add_in_memory(fmt::format("project_{}_{}_elements/fused", setka::bench::label(type), others->elements()),
                  on, others, 30, {});
  }
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const std::int64_t size = smoke              ? 10000
                                : device.is_cuda() ? std::int64_t{1} << 28
                                                   : std::int64_t{1} << 26;
      add_cases({device, setka::bench::MemoryRates(device, size).copy()}, smoke);
    }
  });
}
