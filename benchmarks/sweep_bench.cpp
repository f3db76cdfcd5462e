// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal systems, one a line of a grid, against the copy bandwidth of the device in the same run.
//
//   sweep_bench --benchmark_out=sweep.json --benchmark_out_format=json
//
// sweep_each, _shared, _constant: whose coefficients; _periodic; along: lines lie in memory one after the
// other; across: neighbouring lines have neighbouring values; n x n: n lines of n rows. Bytes: coefficients
// and right-hand side read once, solution written once. lod_step: a sweep along and one across, in place,
// periodic with constant coefficients.
//
// cusparse_*: the same systems by cuSPARSE, lapack_*: by dgtsv, line after line in all threads (periodic:
// with a second right-hand side); both are checked against ours.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "setka/exec/array.hpp"
#include "setka/grid/heat.hpp"
#include "setka/grid/sweep.hpp"
#include "support/context.hpp"
#include "support/limits.hpp"
#include "support/sweep_peers.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;
using setka::grid::Coefficients;
using setka::grid::Lines;
using setka::grid::SweepMethod;
using setka::grid::SweepOptions;
using setka::grid::Tridiagonal;

struct Case {
  Device device;
  std::shared_ptr<setka::bench::MemoryRates> limits;
  std::int64_t n;
  bool along;

  Lines lines() const { return Lines::along(along ? 1 : 0, {n, n}); }
};

template <class Body>
void add_case(const std::string& what, const Case& on, Body body) {
  benchmark::RegisterBenchmark(
      fmt::format("{}/{}/{}x{}/{}", what, on.along ? "along" : "across", on.n, on.n, on.device.label())
          .c_str(),
      body)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// Values from first to first + spread that are not all equal.
template <class T>
Array<T> values(const Device& device, std::int64_t size, double first, double spread) {
  std::vector<T> all(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<T>(first + spread * static_cast<double>(i * 7919 % 1009) / 1009);
  return Array<T>(device, all);
}

/// Diagonally dominant systems of all lines and a place for their solution.
template <class T>
struct Systems {
  Array<T> lower, diagonal, upper, d, x;
  Coefficients kind;

  Systems(const Case& on, Coefficients how)
      : lower(values<T>(on.device, count(on, how), -1, 0.5)),
        diagonal(values<T>(on.device, count(on, how), 2.5, 1)),
        upper(values<T>(on.device, count(on, how), -1, 0.7)),
        d(values<T>(on.device, on.n * on.n, 0, 1)),
        x(on.device, on.n * on.n),
        kind(how) {}

  static std::int64_t count(const Case& on, Coefficients how) {
    return how == Coefficients::each ? on.n * on.n : how == Coefficients::shared ? on.n : 1;
  }
  Tridiagonal<T> matrix() const {
    if (kind == Coefficients::each) return Tridiagonal<T>::each(lower, diagonal, upper);
    if (kind == Coefficients::shared) return Tridiagonal<T>::shared(lower, diagonal, upper);
    return Tridiagonal<T>::constant(T(-1), T(3), T(-1));
  }
  double bytes() const {
    const std::size_t coefficients =
        kind == Coefficients::constant ? 0 : lower.bytes() + diagonal.bytes() + upper.bytes();
    return static_cast<double>(coefficients + d.bytes() + x.bytes());
  }
};

std::string name_of(Coefficients kind) {
  return kind == Coefficients::each ? "each" : kind == Coefficients::shared ? "shared" : "constant";
}

template <class T>
void add_sweep(const Case& on, Coefficients kind, bool periodic,
               SweepMethod method = SweepMethod::automatic) {
  std::string what = fmt::format("sweep_{}_{}{}", name_of(kind),
                                 std::is_same_v<T, float> ? "float" : "double", periodic ? "_periodic" : "");
  if (method != SweepMethod::automatic) what += fmt::format("_{}", name(method));
  add_case(what, on, [=](benchmark::State& state) {
    Systems<T> systems(on, kind);
    SweepOptions options;
    options.periodic = periodic;
    options.method = method;
    setka::bench::measure(state, on.device, *on.limits, systems.bytes(), [&] {
      setka::grid::sweep(on.device, on.lines(), systems.matrix(), systems.d, systems.x, options);
    });
  });
}

void add_lod_step(const Case& on) {
  benchmark::RegisterBenchmark(
      fmt::format("lod_step_double_periodic/{}x{}/{}", on.n, on.n, on.device.label()).c_str(),
      [=](benchmark::State& state) {
        Array<double> u = values<double>(on.device, on.n * on.n, 0, 1);
        const auto matrix = Tridiagonal<double>::constant(-0.5, 2, -0.5);
        SweepOptions options;
        options.periodic = true;
        setka::bench::measure(state, on.device, *on.limits, 4 * static_cast<double>(u.bytes()), [&] {
          setka::grid::sweep(on.device, Lines::along(1, {on.n, on.n}), matrix, u, u, options);
          setka::grid::sweep(on.device, Lines::along(0, {on.n, on.n}), matrix, u, u, options);
        });
      })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void add_explicit_step(const Case& on) {
  benchmark::RegisterBenchmark(
      fmt::format("explicit_step_double_periodic/{}x{}/{}", on.n, on.n, on.device.label()).c_str(),
      [=](benchmark::State& state) {
        const Array<double> u = values<double>(on.device, on.n * on.n, 0, 1);
        Array<double> next(on.device, on.n * on.n);
        const setka::grid::HeatAxis axis{on.n, 1.0, 1.0};
        const setka::grid::ExplicitHeat heat({axis, axis}, 0.2);
        setka::bench::measure(state, on.device, *on.limits, 2 * static_cast<double>(u.bytes()),
                              [&] { heat.advance<double>(on.device, u, next); });
      })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// Ours into systems.x; the peer's into other.
template <class Solve>
void measure_peer(benchmark::State& state, const Case& on, bool periodic, Systems<double>& systems,
                  Array<double>& other, const Solve& solve) {
  SweepOptions options;
  options.periodic = periodic;
  setka::grid::sweep(on.device, on.lines(), systems.matrix(), systems.d, systems.x, options);
  on.device.synchronize();
  solve();
  on.device.synchronize();
  state.counters["difference"] = setka::bench::difference(other.to_vector(), systems.x.to_vector());
  setka::bench::measure(state, on.device, *on.limits, systems.bytes(), solve);
}

/// cuSPARSE overwrites the right-hand side, and in the interleaved way the coefficients too; the times do not
/// depend on what they have become.
void add_cusparse(const Case& on) {
  add_case(on.along ? "cusparse_gtsv2StridedBatch" : "cusparse_gtsvInterleavedBatch", on,
           [=](benchmark::State& state) {
             Systems<double> systems(on, Coefficients::each);
             Array<double> lower = systems.lower.to(on.device);
             Array<double> diagonal = systems.diagonal.to(on.device);
             Array<double> upper = systems.upper.to(on.device);
             Array<double> x = systems.d.to(on.device);
             setka::bench::clear_ends(on.device, on.n, on.along, lower, upper);
             const setka::bench::CusparseSweeps peer(on.device, on.n, on.along, lower, diagonal, upper, x);
             measure_peer(state, on, false, systems, x, [&] { peer.solve(); });
           });
}

void add_lapack(const Case& on, bool periodic) {
  add_case(periodic ? "lapack_dgtsv_periodic" : "lapack_dgtsv", on, [=](benchmark::State& state) {
    Systems<double> systems(on, Coefficients::each);
    Array<double> x(on.device, systems.d.size());
    measure_peer(state, on, periodic, systems, x, [&] {
      setka::bench::lapack_sweeps(on.device.threads(), on.n, periodic, systems.lower.data(),
                                  systems.diagonal.data(), systems.upper.data(), systems.d.data(), x.data());
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const bool gpu = device.is_cuda();
      const std::int64_t size = smoke ? 1 << 16 : gpu ? 1 << 28 : 1 << 25;
      const auto limits = std::make_shared<setka::bench::MemoryRates>(device, size);
      for (const std::int64_t n :
           smoke ? std::vector<std::int64_t>{64} : std::vector<std::int64_t>{4096, 8192}) {
        if (n == 8192 && !gpu) continue;
        const Case along{device, limits, n, true};
        const Case across{device, limits, n, false};
        for (const Case& on : {along, across}) {
          for (const bool periodic : {false, true}) {
            for (const Coefficients kind : {Coefficients::each, Coefficients::shared, Coefficients::constant})
              add_sweep<double>(on, kind, periodic);
            add_sweep<float>(on, Coefficients::each, periodic);
            add_sweep<double>(on, Coefficients::each, periodic, SweepMethod::reference);
          }
          add_sweep<double>(on, Coefficients::each, false, SweepMethod::split);
          if (gpu) add_cusparse(on);
        }
        if (!gpu && setka::bench::with_lapack()) {
          add_lapack(along, false);
          add_lapack(along, true);
        }
        add_lod_step(along);
        add_explicit_step(along);
      }
    }
  });
}
