// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Set-up and solution of a cantilever of C3D8 by conjugate gradients with multigrid, to a relative residual
// of 1e-8, for scripts/compare.
//
//   setka_amg 73 14 14                    one line of JSON: seconds, iterations, residual
//   setka_amg 73 14 14 --write FILE       writes the system instead, for the programs of the peers
//
// block_file.hpp describes the file: "SETKASYS", the matrix, the load and the coordinates of the nodes.
#include <cstdlib>
#include <string>

#include <fmt/core.h>

#include "peers/block_file.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "support/elastic_model.hpp"

namespace {

using setka::bench::ElasticModel;
using setka::exec::Device;
using setka::peers::seconds_now;

void write(const ElasticModel& model, const std::string& path) {
  setka::peers::write_blocks(path, "SETKASYS", {&model.system->system.matrix},
                             {model.load, model.system->geometry.coordinates});
}

void solve(const ElasticModel& model) {
  const Device cpu = Device::cpu();
  const setka::solve::BlockCsrOperator a(model.system->system.matrix);
  const setka::exec::Array<double> b(cpu, model.load);
  setka::exec::Array<double> x(cpu, a.rows());
  setka::Monitor monitor;
  // The first round warms up; the second counts.
  for (int round = 0; round < 2; ++round) {
    setka::exec::fill(cpu, x, 0.0);
    const double began = seconds_now();
    const setka::solve::Amg amg(cpu, a.matrix(), model.system->geometry, setka::solve::AmgOptions{}, monitor);
    const double set_up = seconds_now();
    const auto outcome = setka::solve::Cg().solve(cpu, a, amg, b, x, monitor);
    const double solved = seconds_now();
    if (round == 0) continue;
    fmt::print(
        "{{\"unknowns\": {}, \"threads\": {}, \"set_up_s\": {}, \"solve_s\": {}, \"iterations\": {}, "
        "\"residual\": {}, \"converged\": {}}}\n",
        a.rows(), cpu.threads(), set_up - began, solved - set_up, outcome.iterations, outcome.residual,
        outcome.status == setka::solve::Status::converged);
  }
}

int run(int argc, char** argv) {
  if (argc != 4 && !(argc == 6 && std::string(argv[4]) == "--write")) {
    fmt::print(stderr, "usage: setka_amg CELLS_X CELLS_Y CELLS_Z [--write FILE]\n");
    return static_cast<int>(setka::ExitCode::usage);
  }
  const ElasticModel model =
      setka::bench::cantilever({std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])});
  if (argc == 6) {
    write(model, argv[5]);
  } else {
    solve(model);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return setka::peers::told("setka_amg", [&] { return run(argc, argv); });
}
