// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/exec/device.hpp"

namespace setka::bench {

/// The paper "UZOR": a pump unit on its frame, by subspace iteration.
struct PaperModes {
  std::int64_t unknowns = 1858824;
  int modes = 27;
  int iterations = 18;
  double cpu_seconds = 2880;  // six cores
  double gpu_seconds = 1500;  // about; the projection alone on the GPU
};

struct ModesRequest {
  deck::ExampleRequest model{"pump", 50000, "C3D8I"};
  int modes = 27;
  double tolerance = 1e-6;  // of the residuals
};

/// A part of the iterations, and the least time that moving its bytes takes at the rate of a copy.
struct ModesWork {
  std::string what;
  double seconds = 0;
  double bytes = 0;
  double floor_seconds = 0;
};

/// The lowest modes of one model on a device, from the mesh in host memory to the shapes there.
struct ModesRow {
  ModesRequest request;
  deck::ExampleSize size;
  std::int64_t unknowns = 0;  // without fixed ones
  std::string skipped;        // why it was not measured; empty: it was

  double model_seconds = 0;      // the deck made and read; no part of the solution
  double assembly_seconds = 0;   // elements to the device, K and M
  double multigrid_seconds = 0;  // with rigid motions
  double iteration_seconds = 0;
  double check_seconds = 0;   // the last search for missing modes
  double shapes_seconds = 0;  // to the host
  double solution_seconds() const {
    return assembly_seconds + multigrid_seconds + iteration_seconds + check_seconds + shapes_seconds;
  }

  double copy_rate = 0;         // bytes a second, read and written
  std::vector<ModesWork> work;  // of the iterations
  ModesWork all_work() const;

  int columns = 0;  // iterated together: modes and guards
  int iterations = 0;
  double residual = 0;  // the largest
  bool converged = false;
  std::string check;
  std::string trouble;
  std::vector<double> frequency;  // Hz
};

/// By LOBPCG with multigrid, K and M assembled on the device.
///
/// The floor counts what an iteration has to move: a product with K and one with M, a cycle of multigrid,
/// each with every value of its matrices and vectors once, and 12, 9 and 14 passes over the blocks X, P and W
/// (the residual; W made orthonormal to the others in one pass; what is new in the projection of K; the three
/// blocks and their products combined).
ModesRow measure_modes(const ModesRequest& request, const exec::Device& device, Monitor& monitor);

}  // namespace setka::bench
