// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Products and conjugate gradients over a team: one device given several times, so that what a team costs
// beside one device is seen.
//
//   domains_bench --benchmark_out=domains.json --benchmark_out_format=json
//
// block n: the cube of n^3 C3D8 held at x = 0, a random right-hand side. Of products, hidden_% is how much of
// the exchange, from the first member's x being there to its ghosts being there, passes while it multiplies
// with its own columns; by the clock of the device.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "support/context.hpp"
#include "support/elastic_model.hpp"

namespace {

using setka::domains::MatrixParts;
using setka::domains::TeamMatrix;
using setka::exec::Array;
using setka::exec::Device;
using setka::exec::Member;
using setka::exec::Team;

/// A block in parts, made when the first benchmark asks for it.
class PartedBlock {
 public:
  PartedBlock(int cells, int parts) : cells_(cells), parts_(parts) {}

  const MatrixParts& parts() {
    if (!made_) {
      block_ = setka::bench::random_block({cells_, cells_, cells_});
      const auto& a = matrix();
      made_.emplace(
          a, setka::domains::partition(
                 setka::domains::matrix_graph(a, geometry().coordinates, Device::cpu().threads()), parts_));
    }
    return *made_;
  }
  const setka::sparse::BlockCsr<double>& matrix() const { return block_->system->system.matrix; }
  const setka::solve::AmgGeometry& geometry() const { return block_->system->geometry; }
  const std::vector<double>& load() const { return block_->load; }

 private:
  int cells_;
  int parts_;
  std::optional<setka::bench::ElasticModel> block_;
  std::optional<MatrixParts> made_;
};

Team team_of(const Device& device, int members) {
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(members));
  for (int i = 0; i < members; ++i) {
    devices.push_back(device.is_cuda() ? Device::cuda(device.ordinal())
                                       : Device::cpu(std::max(1, device.threads() / members)));
  }
  return Team(devices);
}

/// Seconds that all members take together for some calls, the median over repeats of one of them; of the
/// first member.
double seconds(const Member& member, int repeats, int calls, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    member.device().synchronize();
    member.meet();
    const auto began = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) work();
    member.device().synchronize();
    member.meet();
    if (i > 0)  // the first warms up
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() /
                      calls);
  }
  return setka::bench::median(times);
}

void report(benchmark::State& state, double median) {
  for (auto _ : state) state.SetIterationTime(median);
  state.counters["median_ms"] = 1e3 * median;
}

struct Case {
  Device device;
  int members;
  std::string name;
  std::shared_ptr<PartedBlock> block;
};

template <class Body>
void add_case(const std::string& what, const Case& on, Body body) {
  benchmark::RegisterBenchmark(
      fmt::format("{}/{}/{}/{}", what, on.name, on.members, on.device.label()).c_str(), body)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

void add_product(const Case& on, int repeats) {
  add_case("team_product", on, [=](benchmark::State& state) {
    const MatrixParts& parts = on.block->parts();
    double whole = 0;
    double hidden = 0;
    double exchanged = 0;
    team_of(on.device, on.members).run([&](const Member& member) {
      const TeamMatrix a(member, parts);
      const setka::sparse::TeamCsr<double>& rows = a.matrix();
      const setka::exec::Stream stream = member.device();
      const Array<double> x(member.device(), parts.values_of(member.number(), on.block->load()));
      Array<double> y(member.device(), x.size());
      const double with = seconds(member, repeats, 20, [&] { a.apply(stream, x.view(), y.view()); });
      std::vector<double> parts_hidden;
      std::vector<double> exchanges;
      for (int i = 0; on.members > 1 && i < 20; ++i) {
        const setka::exec::Event begun = stream.record();
        rows.begin(stream, {x.data(), x.size(), 1, 1});
        setka::sparse::multiply<double>(stream, rows.own(), x.view(), y.view());
        const setka::exec::Event multiplied = stream.record();
        rows.finish(stream);
        const setka::exec::Event there = rows.exchanging().record();
        const double exchange = there.seconds_since(begun);
        exchanges.push_back(exchange);
        parts_hidden.push_back(std::min(1.0, multiplied.seconds_since(begun) / exchange));
      }
      if (member.number() != 0) return;
      whole = with;
      if (on.members == 1) return;
      hidden = setka::bench::median(parts_hidden);
      exchanged = setka::bench::median(exchanges);
    });
    report(state, whole);
    if (on.members == 1) return;
    state.counters["exchange_ms"] = 1e3 * exchanged;
    state.counters["hidden_%"] = 100 * hidden;
  });
}

using MakePreconditioner =
    std::function<std::unique_ptr<setka::solve::Operator>(const Case&, const Member&, const TeamMatrix&)>;

void add_cg(const Case& on, const std::string& name, double tolerance, int repeats,
            const MakePreconditioner& make) {
  add_case(fmt::format("{}_{:.0e}", name, tolerance), on, [=](benchmark::State& state) {
    const MatrixParts& parts = on.block->parts();
    double median = 0;
    double set_up = 0;
    setka::solve::Outcome outcome;
    team_of(on.device, on.members).run([&](const Member& member) {
      const TeamMatrix a(member, parts);
      std::unique_ptr<setka::solve::Operator> m;
      const double made = seconds(member, 2, 1, [&] { m = make(on, member, a); });
      const Array<double> b(member.device(), parts.values_of(member.number(), on.block->load()));
      Array<double> x(member.device(), b.size());
      setka::solve::SolverOptions options;
      options.tolerance = tolerance;
      setka::Monitor monitor;
      setka::solve::Outcome found;
      const double took = seconds(member, repeats, 1, [&] {
        setka::exec::fill(member.device(), x, 0.0);
        found = setka::solve::Cg(options).solve(member.device(), a, *m, b, x, monitor);
      });
      if (member.number() != 0) return;
      median = took;
      set_up = made;
      outcome = found;
    });
    report(state, median);
    state.counters["set_up_ms"] = 1e3 * set_up;
    state.counters["iterations"] = outcome.iterations;
    if (!outcome.converged()) state.SkipWithError("not converged");
  });
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const int cells = smoke ? 8 : device.is_cuda() ? 84 : 36;
      for (const int members : {1, 2, 4}) {
        const Case on{device, members, fmt::format("block_{}", cells),
                      std::make_shared<PartedBlock>(cells, members)};
        add_product(on, 7);
        add_cg(on, "team_cg_jacobi", 1e-6, 3, [](const Case&, const Member& member, const TeamMatrix& a) {
          return std::make_unique<setka::solve::BlockJacobi>(
              member.device(), 1, setka::solve::inverse_diagonal(a.matrix().own()));
        });
        add_cg(on, "team_cg_amg", 1e-8, 7, [](const Case& one, const Member& member, const TeamMatrix& a) {
          setka::Monitor monitor;
          return std::make_unique<setka::solve::Amg>(
              a.matrix(),
              setka::domains::geometry_of_part(one.block->parts(), member.number(), one.block->geometry()),
              setka::solve::AmgOptions{}, monitor);
        });
      }
    }
  });
}
