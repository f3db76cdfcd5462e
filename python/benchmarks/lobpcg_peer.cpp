// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The lowest tones of a cube by LOBPCG with multigrid, from C++: what figures.py does from Python, matrix for
// matrix.
//
// A library that figures.py calls by ctypes, so that both are of one process, with the same threads and
// memory.
#include <cstdint>
#include <ctime>
#include <memory>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/matrix_system.hpp"
#include "setka/solve/operators.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;

setka::sparse::BlockCsr<double> laplacian(const Device& device, std::int32_t n) {
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  const std::int32_t step[] = {n * n, n, 1};
  for (std::int32_t row = 0; row < n * n * n; ++row) {
    const std::int32_t at[] = {row / (n * n), row / n % n, row % n};
    const auto add = [&](std::int32_t where, double entry) {
      column.push_back(where);
      value.push_back(entry);
    };
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] > 0) add(row - step[axis], -1);
    }
    add(row, 6);
    for (int axis = 2; axis >= 0; --axis) {
      if (at[axis] < n - 1) add(row + step[axis], -1);
    }
    offset.push_back(static_cast<std::int32_t>(value.size()));
  }
  return {n * n * n,
          n * n * n,
          1,
          1,
          Array<std::int32_t>(device, offset),
          Array<std::int32_t>(device, column),
          Array<double>(device, value)};
}

/// All but the search.
struct Cube {
  explicit Cube(std::int32_t n)
      : matrix(laplacian(device, n)),
        k(matrix),
        mass(device, k.rows()),
        amg(device, matrix, setka::solve::geometry_of(matrix, {}), {}, monitor) {}

  Device device = Device::cpu();
  setka::Monitor monitor;
  setka::sparse::BlockCsr<double> matrix;
  setka::solve::BlockCsrOperator k;
  setka::solve::IdentityOperator mass;
  setka::solve::Amg amg;
};

}  // namespace

/// CPU seconds of a search for so many modes; the cube of n nodes a side is kept for the next call.
extern "C" double setka_peer_lobpcg(std::int32_t n, std::int64_t count, std::int32_t* iterations) {
  static std::unique_ptr<Cube> cube;
  if (cube == nullptr || cube->k.rows() != std::int64_t{n} * n * n) cube = std::make_unique<Cube>(n);
  setka::modes::Request request;
  request.count = count;
  const std::clock_t began = std::clock();
  const setka::modes::Modes modes =
      setka::modes::lobpcg(cube->device, cube->k, cube->mass, cube->amg, request, cube->monitor);
  *iterations = modes.iterations;
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}
