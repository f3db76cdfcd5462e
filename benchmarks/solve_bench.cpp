// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Assembled products and preconditioned conjugate gradients on blocks of C3D8.
//
//   solve_bench --benchmark_out=solve.json --benchmark_out_format=json
//
// block n: the cube of n^3 elements held at x = 0, a random right-hand side. cantilever: 5 x 1 x 1 with a
// force at its end. %_of_copy: the bytes that must move, each stored value and each vector once, over the
// rate of a copy in the same run.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_cg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/fsai.hpp"
#include "solve/elastic_block.hpp"
#include "support/context.hpp"
#include "support/limits.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;
using setka::exec::MultiVector;
using System = std::shared_ptr<const setka::test::ElasticSystem>;

struct Case {
  Device device;
  std::string name;  // of the model
  double copy_rate;  // bytes a second
  System system;
  std::vector<double> load;
};

std::vector<double> random_load(std::size_t size) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(size);
  for (double& value : values) value = uniform(generator);
  return values;
}

template <class Body>
void add_case(const std::string& what, const Case& on, Body body) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", what, on.name, on.device.label()).c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

template <class T>
setka::sparse::BlockCsr<T> matrix_on(const Case& on) {
  if constexpr (std::is_same_v<T, float>) {
    return on.system->system.matrix.cast<float>().to(on.device);
  } else {
    return on.system->system.matrix.to(on.device);
  }
}

template <class T>
void add_product(const Case& on, const char* precision, std::int64_t columns) {
  add_case(fmt::format("product_{}_{}", precision, columns), on, [=](benchmark::State& state) {
    const auto a = matrix_on<T>(on);
    MultiVector<T> x(on.device, a.scalar_columns(), columns);
    MultiVector<T> y(on.device, a.scalar_rows(), columns);
    setka::exec::fill<T>(on.device, x.values(), T(1));
    const double seconds = setka::bench::measure(state, on.device, [&] {
      if (columns == 1) {
        setka::sparse::multiply<T>(on.device, a, x.values(), y.values());
      } else {
        setka::sparse::multiply<T>(on.device, a, x, y);
      }
    });
    const auto bytes = static_cast<double>(a.bytes() + x.values().bytes() + y.values().bytes());
    state.counters["GB/s"] = 1e-9 * bytes / seconds;
    state.counters["%_of_copy"] = 100 * bytes / seconds / on.copy_rate;
  });
}

/// Seconds by the wall clock, all work of the device included.
template <class Work>
double wall_seconds(const Device& device, const Work& work) {
  device.synchronize();
  const auto began = std::chrono::steady_clock::now();
  work();
  device.synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

template <class Work>
void repeat(benchmark::State& state, const Device& device, const Work& work) {
  for (auto _ : state) state.SetIterationTime(wall_seconds(device, work));
}

void add_cg(const Case& on, const std::string& name, double tolerance,
            const std::function<std::unique_ptr<setka::solve::Operator>()>& preconditioner) {
  add_case(name, on, [=](benchmark::State& state) {
    const setka::solve::BlockCsrOperator a(matrix_on<double>(on));
    const auto m = preconditioner();
    const Array<double> b(on.device, on.load);
    Array<double> x(on.device, a.rows());
    setka::solve::CgOptions options;
    options.tolerance = tolerance;
    setka::Monitor monitor;
    setka::solve::CgOutcome outcome;
    repeat(state, on.device, [&] {
      setka::exec::fill(on.device, x, 0.0);
      outcome = setka::solve::cg(on.device, a, *m, b, x, options, monitor);
    });
    if (outcome.ending != setka::solve::Ending::converged) state.SkipWithError("not converged");
    state.counters["iterations"] = outcome.iterations;
    state.counters["residual"] = outcome.residual;
  });
}

/// All columns together, each the load with other signs of its entries.
void add_block_cg(const Case& on, const std::string& name, std::int64_t columns,
                  const std::function<std::unique_ptr<setka::solve::Operator>()>& preconditioner) {
  add_case(fmt::format("block_cg_{}_{}_1e-08", name, columns), on, [=](benchmark::State& state) {
    const setka::solve::BlockCsrOperator a(matrix_on<double>(on));
    const auto m = preconditioner();
    std::vector<double> loads = random_load(static_cast<std::size_t>(a.rows() * columns));
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const double load = on.load[k / static_cast<std::size_t>(columns)];
      loads[k] = loads[k] < 0 ? -load : load;
    }
    const MultiVector<double> b(on.device, a.rows(), columns, loads);
    MultiVector<double> x(on.device, a.rows(), columns);
    setka::Monitor monitor;
    setka::solve::BlockCgOutcome outcome;
    repeat(state, on.device, [&] {
      setka::exec::fill(on.device, x.values(), 0.0);
      outcome = setka::solve::block_cg(on.device, a, *m, b.view(), x.view(), {}, monitor);
    });
    if (!outcome.converged()) state.SkipWithError("not converged");
    state.counters["iterations"] = outcome.iterations;
  });
}

void add_preconditioner(const Case& on, const std::string& name, std::int64_t columns,
                        const std::function<std::unique_ptr<setka::solve::Operator>()>& preconditioner) {
  add_case(fmt::format("{}_apply_{}", name, columns), on, [=](benchmark::State& state) {
    const auto m = preconditioner();
    MultiVector<double> x(on.device, m->rows(), columns);
    MultiVector<double> y(on.device, m->rows(), columns);
    setka::exec::fill(on.device, x.values(), 1.0);
    setka::bench::measure(state, on.device, [&] {
      if (columns == 1) {
        m->apply(on.device, x.values().view(), y.values().view());
      } else {
        m->apply(on.device, x.view(), y.view());
      }
    });
  });
}

void add_solvers(const Case& on, double jacobi_tolerance) {
  const auto& made = *on.system;
  add_cg(on, fmt::format("cg_jacobi_{:.0e}", jacobi_tolerance), jacobi_tolerance, [on] {
    return std::make_unique<setka::solve::BlockJacobi>(
        on.device, 1, setka::solve::inverse_diagonal(on.system->system.matrix));
  });
  const auto amg = [on, &made] {
    setka::Monitor monitor;
    return std::make_unique<setka::solve::Amg>(on.device, made.system.matrix, made.geometry,
                                               setka::solve::AmgOptions{}, monitor);
  };
  // From a matrix that is on the device already, as conjugate gradients want it.
  add_case("amg_set_up", on, [=](benchmark::State& state) {
    const auto a = matrix_on<double>(on);
    setka::Monitor monitor;
    repeat(state, on.device, [&] {
      const setka::solve::Amg made_anew(on.device, a, on.system->geometry, setka::solve::AmgOptions{},
                                        monitor);
    });
    const setka::StageTime times = monitor.times();
    for (const setka::StageTime& part : times.parts.front().parts)
      state.counters[part.name] = 1e3 * part.seconds / static_cast<double>(part.visits);
  });
  add_case("amg_refresh", on, [=](benchmark::State& state) {
    const auto a = matrix_on<double>(on);
    setka::Monitor monitor;
    setka::solve::AmgOptions options;
    options.refreshable = true;
    setka::solve::Amg refreshed(on.device, a, on.system->geometry, options, monitor);
    repeat(state, on.device, [&] { refreshed.refresh(a, monitor); });
  });
  add_cg(on, "cg_amg_1e-08", 1e-8, amg);
  for (const bool single : {true, false}) {
    const auto fsai = [on, single] {
      return std::make_unique<setka::solve::Fsai>(on.device, on.system->system.matrix,
                                                  setka::solve::FsaiOptions{0.05, single});
    };
    const std::string name = single ? "fsai_single" : "fsai_double";
    for (const std::int64_t columns : {1, 8}) add_preconditioner(on, name, columns, fsai);
    add_cg(on, fmt::format("cg_{}_{:.0e}", name, jacobi_tolerance), jacobi_tolerance, fsai);
  }
  for (const std::int64_t columns : {1, 8, 32}) add_preconditioner(on, "amg", columns, amg);
  for (const std::int64_t columns : {8, 32}) add_block_cg(on, "amg", columns, amg);
}

Case make_case(const Device& device, double copy_rate, const std::string& name, std::array<int, 3> cells,
               bool cantilever) {
  setka::test::ElasticBlock block;
  block.cells = cells;
  for (std::size_t i = 0; i < 3; ++i) block.size[i] = static_cast<double>(cells[i]) / cells[2];
  auto system = std::make_shared<setka::test::ElasticSystem>(setka::test::assemble(block));
  std::vector<double> load(static_cast<std::size_t>(system->numbering.size()), 0.0);
  if (cantilever) {
    for (std::size_t b = 0; b < load.size() / 3; ++b) {
      if (system->geometry.coordinates[3 * b] > block.size[0] * (1 - 1e-9)) load[3 * b + 2] = 1;
    }
  } else {
    load = random_load(load.size());
  }
  return {device, name, copy_rate, system, load};
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const bool gpu = device.is_cuda();
      const double rate = setka::bench::copy_rate(device, smoke ? 1 << 16 : gpu ? 1 << 28 : 1 << 24);
      const int n = smoke ? 6 : gpu ? 84 : 36;
      const Case block = make_case(device, rate, fmt::format("block_{}", n), {n, n, n}, false);
      add_product<double>(block, "double", 1);
      add_product<float>(block, "float", 1);
      add_product<double>(block, "double", 8);
      add_product<double>(block, "double", 16);
      add_product<double>(block, "double", 32);
      add_solvers(block, 1e-6);
      if (!smoke) {  // that iterations do not grow with the mesh
        for (const int finer : {16, 32, 64}) {
          const Case on =
              make_case(device, rate, fmt::format("block_{}", finer), {finer, finer, finer}, false);
          add_cg(on, "cg_amg_1e-08", 1e-8, [on] {
            setka::Monitor monitor;
            return std::make_unique<setka::solve::Amg>(on.device, on.system->system.matrix,
                                                       on.system->geometry, setka::solve::AmgOptions{},
                                                       monitor);
          });
        }
      }
      const int m = smoke ? 4 : gpu ? 32 : 20;
      add_solvers(make_case(device, rate, fmt::format("cantilever_{}", m), {5 * m, m, m}, true), 1e-8);
    }
  });
}
