// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The lowest modes of a cantilever of C3D8 from its assembled matrices, to residuals of 1e-6, for
// scripts/compare.
//
//   setka_modes 73 14 14 27 lobpcg              with multigrid; one line of JSON: seconds, residual, lambda
//   setka_modes 73 14 14 27 lanczos             with a factorisation
//   setka_modes 73 14 14 27 --write FILE        writes the matrices instead, for the programs of the peers
//
// block_file.hpp describes the file: "SETKAEIG", K and M, the coordinates of the nodes.
#include <algorithm>
#include <cstdlib>
#include <string>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "peers/block_file.hpp"
#include "setka/base/error.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/sparse/unknowns.hpp"
#include "solve/elastic_block.hpp"

namespace {

using setka::exec::Device;
using setka::peers::seconds_now;
using setka::test::ElasticBlock;
using setka::test::ElasticSystem;

struct ElasticModes {
  ElasticSystem stiffness;
  ElasticSystem mass;
};

setka::sparse::SymmetricCsr upper(const ElasticSystem& of) {
  return setka::sparse::over_unknowns(of.system.matrix, of.space.places());
}

void write(const ElasticModes& model, const std::string& path) {
  setka::peers::write_blocks(path, "SETKAEIG", {&model.stiffness.system.matrix, &model.mass.system.matrix},
                             {model.stiffness.geometry.coordinates});
}

void solve(const ElasticModes& model, int count, const std::string& method) {
  const Device cpu = Device::cpu();
  setka::Monitor monitor;
  setka::modes::Request request;
  request.count = count;
  const setka::solve::BlockCsrOperator k(model.stiffness.system.matrix);
  const setka::solve::BlockCsrOperator m(model.mass.system.matrix);
  const setka::sparse::SymmetricCsr upper_k = upper(model.stiffness);
  const setka::sparse::SymmetricCsr upper_m = upper(model.mass);
  const double began = seconds_now();
  double set_up = began;
  setka::modes::Modes found;
  if (method == "lobpcg") {
    const setka::solve::Amg amg(cpu, k.matrix(), model.stiffness.geometry, {}, monitor);
    set_up = seconds_now();
    found = setka::modes::lobpcg(cpu, k, m, amg, request, monitor);
  } else {
    found = setka::modes::lanczos(upper_k, upper_m, request, monitor);
  }
  const double solved = seconds_now();
  fmt::print(
      "{{\"unknowns\": {}, \"threads\": {}, \"set_up_s\": {}, \"solve_s\": {}, \"iterations\": {}, "
      "\"residual\": {}, \"converged\": {}, \"lambda\": [{}]}}\n",
      k.rows(), cpu.threads(), set_up - began, solved - set_up, found.iterations,
      *std::max_element(found.residual.begin(), found.residual.end()), found.converged,
      fmt::join(found.lambda, ", "));
}

int run(int argc, char** argv) {
  const std::string what = argc >= 6 ? argv[5] : "";
  if (!(argc == 6 && (what == "lobpcg" || what == "lanczos")) && !(argc == 7 && what == "--write")) {
    fmt::print(stderr, "usage: setka_modes CELLS_X CELLS_Y CELLS_Z MODES lobpcg|lanczos|--write FILE\n");
    return static_cast<int>(setka::ExitCode::usage);
  }
  ElasticBlock block;
  block.cells = {std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])};
  for (std::size_t i = 0; i < 3; ++i) block.size[i] = static_cast<double>(block.cells[i]) / block.cells[2];
  const ElasticModes model{setka::test::assemble(block), setka::test::assemble_mass(block, 7800)};
  if (argc == 7) {
    write(model, argv[6]);
  } else {
    solve(model, std::atoi(argv[4]), what);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return setka::peers::told("setka_modes", [&] { return run(argc, argv); });
}
