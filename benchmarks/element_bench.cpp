// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Integration of element matrices, and products element by element, against the memory of the device,
// measured in the same run.
//
//   element_bench --benchmark_out=element.json --benchmark_out_format=json
//   element_bench --benchmark_filter=product
//
// bytes: what must move, each input read once and each output written once: matrices, coordinates, nodes of
// elements, unknowns. %_of_copy and %_of_triad: their rate over that of a copy and of z = x + a y.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/block_model.hpp"
#include "bench/integration.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/elements.hpp"
#include "support/context.hpp"
#include "support/limits.hpp"

namespace {

using setka::bench::BlockModel;
using setka::exec::Device;
using setka::exec::MultiVector;
using setka::fem::Element;
using setka::fem::ElementMatrices;
using setka::fem::IntegrationLevel;

using Cells = std::array<int, 3>;

struct Case {
  Device device;
  std::shared_ptr<setka::bench::MemoryRates> rates;
};

template <class Work>
void measure(benchmark::State& state, const Case& on, double bytes, double elements, const Work& work) {
  const double seconds = setka::bench::measure(state, on.device, *on.rates, bytes, work);
  state.counters["Melements/s"] = 1e-6 * elements / seconds;
}

template <class Body>
void add_case(const std::string& name, const Case& on, Body body) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}", name, on.device.label()).c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

double bytes_of_elements(const BlockModel& model) {
  return 4.0 * static_cast<double>(model.node.size()) + 8.0 * static_cast<double>(model.coordinates.size());
}

std::string size_name(const BlockModel& model) {
  return fmt::format("{}_elements", model.elements());
}

void integrate(benchmark::State& state, const Case& on, const BlockModel& model, IntegrationLevel level) {
  const auto form = model.stiffness(on.device);
  ElementMatrices matrices(*form->set());
  measure(state, on, static_cast<double>(matrices.bytes()) + bytes_of_elements(model),
          static_cast<double>(model.elements()), [&] { form->integrate(on.device, matrices, level); });
}

void integrate_with_transfers(benchmark::State& state, const Case& on, const BlockModel& model) {
  setka::bench::IntegrationWithTransfers integration(on.device, model);
  measure(state, on, static_cast<double>(integration.matrix_bytes()) + bytes_of_elements(model),
          static_cast<double>(model.elements()), [&] { integration.run(IntegrationLevel::best); });
}

void add_integration(const Case& on, Element type, const Cells& cells) {
  const auto model = std::make_shared<const BlockModel>(setka::bench::block_model(type, cells));
  const std::string name = fmt::format("integrate_{}_{}", setka::bench::label(type), size_name(*model));
  add_case(name + "/best", on,
           [=](benchmark::State& state) { integrate(state, on, *model, IntegrationLevel::best); });
  if (!on.device.is_cuda()) return;
  if (type == Element::hex8 || type == Element::quad4) {
    const std::pair<const char*, IntegrationLevel> levels[] = {{"I", IntegrationLevel::thread_per_element},
                                                               {"II", IntegrationLevel::thread_per_point},
                                                               {"IIa", IntegrationLevel::shared_blocks}};
    for (const auto& [label, level] : levels) {
      add_case(name + "/" + label, on,
               [=, level = level](benchmark::State& state) { integrate(state, on, *model, level); });
    }
  }
  add_case(name + "/best_with_transfers", on,
           [=](benchmark::State& state) { integrate_with_transfers(state, on, *model); });
}

MultiVector<double> vectors(const Device& device, std::int64_t rows, std::int64_t columns) {
  MultiVector<double> x(device, rows, columns);
  setka::exec::fill(device, x.values(), 1.5);
  return x;
}

enum class Kind { stored_gather, stored_scatter, matrix_free };

void multiply(benchmark::State& state, const Case& on, const BlockModel& model, Kind kind,
              std::int64_t columns) {
  const auto form = model.stiffness(on.device);
  const auto unknowns = std::make_shared<const setka::fem::DofMap>(
      on.device, setka::bench::space_of(model, setka::bench::fixed_at_x0(model)));
  std::unique_ptr<setka::solve::Operator> a;
  double bytes = bytes_of_elements(model);
  if (kind == Kind::matrix_free) {
    a = std::make_unique<setka::fem::MatrixFreeOperator>(form, unknowns);
  } else {
    auto matrices = std::make_shared<ElementMatrices>(*form->set());
    form->integrate(on.device, *matrices);
    a = std::make_unique<setka::fem::StoredElementOperator>(
        form->set(), matrices, unknowns,
        kind == Kind::stored_gather ? setka::fem::ElementScheme::gather : setka::fem::ElementScheme::scatter);
    bytes = 4.0 * static_cast<double>(model.node.size()) + static_cast<double>(matrices->bytes());
  }
  const MultiVector<double> x = vectors(on.device, a->rows(), columns);
  MultiVector<double> y = vectors(on.device, a->rows(), columns);
  bytes += 16.0 * static_cast<double>(a->rows() * columns);
  measure(state, on, bytes, static_cast<double>(model.elements()),
          [&] { a->apply(on.device, x.view(), y.view()); });
  state.counters["unknowns"] = static_cast<double>(a->rows());
}

void add_products(const Case& on, Element type, const Cells& cells) {
  const auto model = std::make_shared<const BlockModel>(setka::bench::block_model(type, cells));
  const std::pair<const char*, Kind> kinds[] = {{"stored_gather", Kind::stored_gather},
                                                {"stored_scatter", Kind::stored_scatter},
                                                {"matrix_free", Kind::matrix_free}};
  for (const auto& [label, kind] : kinds) {
    for (const std::int64_t columns : {1, 8, 32}) {
      add_case(fmt::format("product_{}_{}/{}/{}_columns", setka::bench::label(type), size_name(*model), label,
                           columns),
               on, [=, kind = kind](benchmark::State& state) { multiply(state, on, *model, kind, columns); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const bool gpu = device.is_cuda();
      const std::int64_t size = smoke ? 10000 : gpu ? std::int64_t{1} << 28 : std::int64_t{1} << 25;
      const Case on{device, std::make_shared<setka::bench::MemoryRates>(device, size)};
      const auto cells = [&](const Cells& on_gpu, const Cells& on_cpu) {
        return smoke ? Cells{3, 2, 2} : gpu ? on_gpu : on_cpu;
      };
      add_integration(on, Element::hex8, cells({100, 100, 50}, {40, 40, 40}));
      add_integration(on, Element::quad4, cells({4000, 2500, 0}, {1000, 500, 0}));
      add_integration(on, Element::tet10, cells({45, 45, 45}, {16, 16, 16}));
      add_integration(on, Element::hex20_reduced, cells({50, 50, 40}, {16, 16, 16}));
      add_integration(on, Element::hex20, cells({50, 50, 40}, {16, 16, 16}));
      add_products(on, Element::hex8, cells({84, 84, 84}, {40, 40, 40}));
      // Matrices of 1.4 GB: beyond the caches of CPUs, which hold those of 40^3.
      if (!gpu && !smoke) add_products(on, Element::hex8, {84, 84, 84});
      add_products(on, Element::tet10, cells({45, 45, 45}, {16, 16, 16}));
      add_products(on, Element::hex20_reduced, cells({50, 50, 40}, {16, 16, 16}));
    }
  });
}
