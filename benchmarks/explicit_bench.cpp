// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Steps of explicit dynamics, forces and update, against the memory of the device, measured in the same run.
//
//   explicit_bench --benchmark_out=explicit.json --benchmark_out_format=json
//   explicit_bench --benchmark_filter=C3D8_
//
// One iteration is 10 steps. bytes: what must move, each thing once:
// nodes of elements and materials, forces of elements written and read again, places of nodes, coordinates,
// displacements and velocities; with stored derivatives these too. Gflop/s: operations of C3D8, a fused one
// counted twice (total_lagrangian_kernel.hpp).
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/block_model.hpp"
#include "setka/dynamics/explicit_dynamics.hpp"
#include "setka/fem/elements.hpp"
#include "support/context.hpp"
#include "support/limits.hpp"

namespace {

using setka::bench::BlockModel;
using setka::dynamics::ExplicitDynamics;
using setka::dynamics::ExplicitElements;
using setka::exec::Device;
using setka::fem::Derivatives;
using setka::fem::Element;
using setka::fem::LawMaterial;

using Cells = std::array<int, 3>;

constexpr std::int64_t steps = 10;
constexpr double hexa_flops = 3200;

struct Case {
  Device device;
  std::shared_ptr<setka::bench::MemoryRates> rates;
};

struct Way {
  const char* name;
  LawMaterial material;
  Derivatives derivatives;
  int energy_every;
};

template <class T>
double bytes_of_step(const BlockModel& model, const Way& way, Element type) {
  const auto rows = static_cast<double>(model.node.size());  // of elements' nodes
  const auto nodes = static_cast<double>(model.nodes());
  const auto elements = static_cast<double>(model.elements());
  double bytes = rows * (4 + 4 + sizeof(T) * 6) + 4 * elements;
  bytes += nodes * (8 + sizeof(T) * (3 + 3 + 1 + 4 * 3));  // x, u; mass; u and v read and written
  if (type == Element::hex8 && way.derivatives == Derivatives::stored)
    bytes += elements * sizeof(T) * (80 - 24);
  if (type == Element::hex8_uniform) bytes += elements * sizeof(T) * 37;
  return bytes;
}

template <class T>
void step(benchmark::State& state, const Case& on, const BlockModel& model, const Way& way, Element type) {
  const setka::fem::Region topology{model.coordinates, model.type, model.first_node, model.node};
  const auto elements = std::make_shared<const ExplicitElements<T>>(
      on.device, topology, std::vector<LawMaterial>{way.material}, model.material_of,
      setka::fem::LargeStrainOptions{.derivatives = way.derivatives});
  ExplicitDynamics<T> run(elements, {.energy_every = way.energy_every});
  std::vector<double> v;
  for (const double x : model.coordinates) v.push_back(0.1 * std::sin(0.1 * x));
  run.set_velocities(v);
  const double seconds = setka::bench::measure(
      state, on.device, *on.rates, static_cast<double>(steps) * bytes_of_step<T>(model, way, type),
      [&] { run.run(steps); });
  const double rate = static_cast<double>(steps) * static_cast<double>(model.elements()) / seconds;
  state.counters["Melement-steps/s"] = 1e-6 * rate;
  if (type == Element::hex8) state.counters["Gflop/s"] = 1e-9 * hexa_flops * rate;
}

void add(const Case& on, Element type, const Cells& cells, const Way& way) {
  const auto model = std::make_shared<const BlockModel>(setka::bench::block_model(type, cells));
  const auto name = [&](const char* precision) {
    return fmt::format("step_{}_{}_elements/{}/{}/{}", setka::bench::label(type), model->elements(), way.name,
                       precision, on.device.label());
  };
  benchmark::RegisterBenchmark(name("double").c_str(),
                               [=](benchmark::State& state) { step<double>(state, on, *model, way, type); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(name("float").c_str(),
                               [=](benchmark::State& state) { step<float>(state, on, *model, way, type); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    const LawMaterial steel = setka::fem::saint_venant_kirchhoff(2.1e11, 0.3, 7800);
    const LawMaterial rubber = setka::fem::mooney_rivlin(3e5, 1e5, 1e-8, 1000);
    const Way computed{"computed", steel, Derivatives::computed, 0};
    const Way stored{"stored", steel, Derivatives::stored, 0};
    const Way mooney{"mooney_rivlin", rubber, Derivatives::computed, 0};
    const Way energies{"energies_each_10", steel, Derivatives::computed, 10};
    for (const Device& device : setka::bench::devices()) {
      const bool gpu = device.is_cuda();
      const std::int64_t size = smoke ? 10000 : gpu ? std::int64_t{1} << 28 : std::int64_t{1} << 25;
      const Case on{device, std::make_shared<setka::bench::MemoryRates>(device, size)};
      const auto cells = [&](const Cells& on_gpu, const Cells& on_cpu) {
        return smoke ? Cells{3, 2, 2} : gpu ? on_gpu : on_cpu;
      };
      const Cells main_size = cells({100, 100, 100}, {60, 60, 60});
      for (const Way& way : {computed, stored, mooney, energies}) add(on, Element::hex8, main_size, way);
      if (!smoke) {
        add(on, Element::hex8, cells({20, 20, 20}, {12, 12, 12}), computed);
        add(on, Element::hex8, cells({200, 200, 200}, {100, 100, 100}), computed);
      }
      add(on, Element::hex8_uniform, main_size, computed);
      add(on, Element::tet4, cells({60, 60, 60}, {24, 24, 24}), computed);
      add(on, Element::tet10, cells({45, 45, 45}, {16, 16, 16}), computed);
      add(on, Element::hex20_reduced, cells({60, 60, 60}, {20, 20, 20}), computed);
    }
  });
}
