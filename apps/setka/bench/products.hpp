// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/time_step.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::bench {

/// Seconds of one time step's solution in the paper: 8 cores of a Xeon E5420, and a GTX 680.
struct PaperSolve {
  double cpu = 0;
  double gpu = 0;
};

/// How a time step is solved on one device; nothing where it was not.
struct ProductTimes {
  std::optional<SolveTime> cpu;
  std::optional<SolveTime> gpu;
  std::optional<PaperSolve> paper;  // none for the meshes of a quick run, which the paper does not have
};

/// One mesh of the paper's table.
struct ProductsRow {
  std::string elements;     // "triangles", "quads", "tetrahedra", "hexahedra"
  std::string computed_as;  // "C3D4", "CPE3"
  std::int64_t element_count = 0;
  std::int64_t nodes = 0;
  std::int64_t unknowns = 0;
  std::int64_t paper_elements = 0;   // 0: none
  std::vector<std::string> skipped;  // what was not measured for want of memory, and why
  ProductTimes assembled;
  ProductTimes by_elements;
};

/// The paper's table of the solution of a time step with assembled products and element by element, measured
/// here on meshes of the same sizes. Those of triangles, quads and hexahedra are the paper's numbers of nodes
/// and elements exactly; its tetrahedra, which were not all structured, within one percent. quick: small
/// meshes of each kind, which the paper does not have. A solve that would take more than max_seconds is
/// stopped then, without an answer but with the time of its iterations. show is called with each row when it
/// has been measured.
std::vector<ProductsRow> products_table(const exec::Device& cpu, const std::optional<exec::Device>& gpu,
                                        bool quick, double max_seconds,
                                        const std::function<void(const ProductsRow&)>& show,
                                        Monitor& monitor);

}  // namespace setka::bench
