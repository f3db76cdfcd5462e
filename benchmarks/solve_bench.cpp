// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Assembled products and preconditioned conjugate gradients on blocks of C3D8.
//
//   solve_bench --benchmark_out=solve.json --benchmark_out_format=json
//
// block n: the cube of n^3 elements held at x = 0, a random right-hand side. cantilever: 5 x 1 x 1 with a
// force at its end. %_of_copy and %_of_triad: the bytes that must move, each stored value and each vector
// once, over the rate of a copy and of z = x + a y by the same threads in the same run. The 1.25 GB of block
// 84 are beyond every cache; those of block 36 are not.
//
// cusparse_*: the same product of the same matrix by cuSPARSE, checked against ours.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_cg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/fsai.hpp"
#include "setka/sparse/column_tiles.hpp"
#include "support/context.hpp"
#include "support/cusparse_peer.hpp"
#include "support/elastic_model.hpp"
#include "support/limits.hpp"

namespace {

using setka::bench::ElasticModel;
using setka::exec::Array;
using setka::exec::Device;
using setka::exec::MultiVector;

using Limits = std::shared_ptr<setka::bench::MemoryRates>;

/// A model that is made when a benchmark that was not filtered out asks for it first.
class LazyModel {
 public:
  explicit LazyModel(std::function<ElasticModel()> make) : make_(std::move(make)) {}
  const ElasticModel& operator()() {
    if (!model_) model_ = make_();
    return *model_;
  }

 private:
  std::function<ElasticModel()> make_;
  std::optional<ElasticModel> model_;
};

struct Case {
  Device device;
  std::string name;  // of the model
  Limits limits;
  std::shared_ptr<LazyModel> lazy;

  const setka::test::ElasticSystem& system() const { return *(*lazy)().system; }
  const setka::sparse::BlockCsr<double>& matrix() const { return system().system.matrix; }
  const std::vector<double>& load() const { return (*lazy)().load; }
};

template <class Body>
void add_case(const std::string& what, const Case& on, Body body) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", what, on.name, on.device.label()).c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

template <class T>
setka::sparse::BlockCsr<T> matrix_on(const Case& on) {
  if constexpr (std::is_same_v<T, float>) {
    return on.matrix().cast<float>().to(on.device);
  } else {
    return on.matrix().to(on.device);
  }
}

template <class T>
void add_product(const Case& on, const char* precision, std::int64_t columns) {
  add_case(fmt::format("product_{}_{}", precision, columns), on, [=](benchmark::State& state) {
    const auto a = matrix_on<T>(on);
    MultiVector<T> x(on.device, a.scalar_columns(), columns);
    MultiVector<T> y(on.device, a.scalar_rows(), columns);
    setka::exec::fill<T>(on.device, x.values(), T(1));
    const auto bytes = static_cast<double>(a.bytes() + x.values().bytes() + y.values().bytes());
    setka::bench::measure(state, on.device, *on.limits, bytes, [&] {
      if (columns == 1) {
        setka::sparse::multiply<T>(on.device, a, x.values(), y.values());
      } else {
        setka::sparse::multiply<T>(on.device, a, x, y);
      }
    });
  });
}

/// The product of many columns by tiles. Making these, once for all products, takes seconds_to_make.
void add_tiled_product(const Case& on, std::int64_t columns) {
  add_case(fmt::format("product_tiles_double_{}", columns), on, [=](benchmark::State& state) {
    const auto a = matrix_on<double>(on);
    const auto begin = std::chrono::steady_clock::now();
    const auto tiles = setka::sparse::ColumnTiles::of(a);
    state.counters["seconds_to_make"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!tiles) return state.SkipWithError("no tiles");
    state.counters["loads_of_x"] = tiles->loads();
    MultiVector<double> x(on.device, a.scalar_columns(), columns);
    MultiVector<double> y(on.device, a.scalar_rows(), columns);
    setka::exec::fill<double>(on.device, x.values(), 1.0);
    const auto bytes = static_cast<double>(a.bytes() + x.values().bytes() + y.values().bytes());
    setka::bench::measure(state, on.device, *on.limits, bytes,
                          [&] { setka::sparse::multiply(on.device, a, *tiles, x, y); });
  });
}

void add_cusparse_product(const Case& on, const char* name, std::int64_t columns,
                          setka::bench::CusparseWay way) {
  add_case(fmt::format("cusparse_{}_double_{}", name, columns), on, [=](benchmark::State& state) {
    const auto a = matrix_on<double>(on);
    const MultiVector<double> x(
        on.device, a.scalar_columns(), columns,
        setka::bench::random_values(static_cast<std::size_t>(a.scalar_columns() * columns)));
    MultiVector<double> y(on.device, a.scalar_rows(), columns);
    setka::sparse::multiply<double>(on.device, a, x, y);
    const std::vector<double> ours = y.values().to_vector();
    setka::bench::CusparsePeer peer(on.device, on.matrix(), columns, way);
    const auto bytes = static_cast<double>(a.bytes() + x.values().bytes() + y.values().bytes());
    setka::bench::measure(state, on.device, *on.limits, bytes,
                          [&] { peer.multiply(x.values().view(), y.values().view()); });
    if (!(setka::bench::difference(y.values().to_vector(), ours) < 1e-12))
      state.SkipWithError("cuSPARSE gives another y");
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
  std::vector<double> times;
  for (auto _ : state) {
    times.push_back(wall_seconds(device, work));
    state.SetIterationTime(times.back());
  }
  state.counters["median_ms"] = 1e3 * setka::bench::median(times);
}

void add_cg(const Case& on, const std::string& name, double tolerance,
            const std::function<std::unique_ptr<setka::solve::Operator>()>& preconditioner) {
  add_case(name, on, [=](benchmark::State& state) {
    const setka::solve::BlockCsrOperator a(matrix_on<double>(on));
    const auto m = preconditioner();
    const Array<double> b(on.device, on.load());
    Array<double> x(on.device, a.rows());
    setka::solve::SolverOptions options;
    options.tolerance = tolerance;
    setka::Monitor monitor;
    setka::solve::Outcome outcome;
    repeat(state, on.device, [&] {
      setka::exec::fill(on.device, x, 0.0);
      outcome = setka::solve::Cg(options).solve(on.device, a, *m, b, x, monitor);
    });
    if (outcome.status != setka::solve::Status::converged) state.SkipWithError("not converged");
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
    std::vector<double> loads = setka::bench::random_values(static_cast<std::size_t>(a.rows() * columns));
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const double load = on.load()[k / static_cast<std::size_t>(columns)];
      loads[k] = loads[k] < 0 ? -load : load;
    }
    const MultiVector<double> b(on.device, a.rows(), columns, loads);
    MultiVector<double> x(on.device, a.rows(), columns);
    setka::Monitor monitor;
    setka::solve::BlockOutcome outcome;
    repeat(state, on.device, [&] {
      setka::exec::fill(on.device, x.values(), 0.0);
      outcome = setka::solve::BlockCg().solve(on.device, a, *m, b.view(), x.view(), monitor);
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
  add_cg(on, fmt::format("cg_jacobi_{:.0e}", jacobi_tolerance), jacobi_tolerance, [on] {
    return std::make_unique<setka::solve::BlockJacobi>(on.device, 1,
                                                       setka::solve::inverse_diagonal(on.matrix()));
  });
  const auto amg = [on] {
    setka::Monitor monitor;
    return std::make_unique<setka::solve::Amg>(on.device, on.matrix(), on.system().geometry,
                                               setka::solve::AmgOptions{}, monitor);
  };
  // From a matrix that is on the device already, as conjugate gradients want it.
  add_case("amg_set_up", on, [=](benchmark::State& state) {
    const auto a = matrix_on<double>(on);
    setka::Monitor monitor;
    repeat(state, on.device, [&] {
      const setka::solve::Amg made_anew(on.device, a, on.system().geometry, setka::solve::AmgOptions{},
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
    setka::solve::Amg refreshed(on.device, a, on.system().geometry, options, monitor);
    repeat(state, on.device, [&] { refreshed.refresh(a, monitor); });
  });
  add_cg(on, "cg_amg_1e-08", 1e-8, amg);
  for (const bool single : {true, false}) {
    const auto fsai = [on, single] {
      return std::make_unique<setka::solve::Fsai>(on.device, on.matrix(),
                                                  setka::solve::FsaiOptions{0.05, single});
    };
    const std::string name = single ? "fsai_single" : "fsai_double";
    for (const std::int64_t columns : {1, 8}) add_preconditioner(on, name, columns, fsai);
    add_cg(on, fmt::format("cg_{}_{:.0e}", name, jacobi_tolerance), jacobi_tolerance, fsai);
  }
  for (const std::int64_t columns : {1, 4, 8, 32, 40}) add_preconditioner(on, "amg", columns, amg);
  for (const std::int64_t columns : {8, 32}) add_block_cg(on, "amg", columns, amg);
}

Case make_case(const Device& device, const Limits& limits, const std::string& name,
               const std::function<ElasticModel()>& make) {
  return {device, name, limits, std::make_shared<LazyModel>(make)};
}

Case block_case(const Device& device, const Limits& limits, int n) {
  return make_case(device, limits, fmt::format("block_{}", n), [=] {
    return setka::bench::random_block({n, n, n});
  });
}

Case cantilever_case(const Device& device, const Limits& limits, int m) {
  return make_case(device, limits, fmt::format("cantilever_{}", m), [=] {
    return setka::bench::cantilever({5 * m, m, m});
  });
}

void add_products(const Case& on) {
  add_product<double>(on, "double", 1);
  add_product<float>(on, "float", 1);
  add_product<double>(on, "double", 8);
  add_product<double>(on, "double", 16);
  add_product<double>(on, "double", 32);
  if (on.device.is_cuda()) {
    for (const std::int64_t columns : {16, 32}) add_tiled_product(on, columns);
  }
  if (!on.device.is_cuda()) return;
  for (const std::int64_t columns : {1, 32}) {
    add_cusparse_product(on, "plain", columns, setka::bench::CusparseWay::plain);
    add_cusparse_product(on, "preprocessed", columns, setka::bench::CusparseWay::preprocessed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const bool gpu = device.is_cuda();
      const std::int64_t size = smoke ? 1 << 16 : gpu ? 1 << 28 : 1 << 25;
      const auto limits = std::make_shared<setka::bench::MemoryRates>(device, size);
      const Case block = block_case(device, limits, smoke ? 6 : gpu ? 84 : 36);
      add_products(block);
      if (!gpu && !smoke) add_products(block_case(device, limits, 84));
      add_solvers(block, 1e-6);
      if (!smoke) {  // that iterations do not grow with the mesh
        for (const int finer : {16, 32, 64}) {
          const Case on = block_case(device, limits, finer);
          add_cg(on, "cg_amg_1e-08", 1e-8, [on] {
            setka::Monitor monitor;
            return std::make_unique<setka::solve::Amg>(on.device, on.matrix(), on.system().geometry,
                                                       setka::solve::AmgOptions{}, monitor);
          });
        }
      }
      add_solvers(cantilever_case(device, limits, smoke ? 4 : gpu ? 32 : 20), 1e-8);
    }
  });
}
