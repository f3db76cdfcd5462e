// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>

#include "bench/modal_model.hpp"
#include "bench/recorded_operator.hpp"
#include "bench/timing.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/space.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"

namespace setka::bench {
namespace {

using exec::Device;

struct ModalMatrices {
  fem::Space space;
  std::optional<solve::BlockCsrOperator> k;
  std::optional<solve::BlockCsrOperator> m;
};

/// While it is solved: element matrices, K and M in double and K again in single precision with its coarser
/// levels, and the blocks of LOBPCG and of multigrid.
double bytes_needed(const deck::ExampleSize& size, double columns) {
  const int nodes = mesh::node_count(size.element.cell);
  const double neighbours = nodes > 8 ? 60 : 27;
  const double of_matrices = neighbours * (2 * 76.0 + 1.6 * 40);
  const double of_blocks = 3 * columns * (12 * 8 + 5 * 4);
  return static_cast<double>(size.elements) * 8 * fem::triangle_size(3 * nodes) +
         static_cast<double>(size.nodes) * (of_matrices + of_blocks);
}

void assemble(const ModalModel& model, const Device& device, ModalMatrices& made) {
  const auto set = std::make_shared<const fem::ElementSet>(device, model.solids.region());
  const fem::DofMap dofs(device, made.space);
  const fem::DeviceAssembly assembly(device, *set, dofs);
  const auto assembled = [&](const fem::Form& form) { return assembly.assemble(device, form, dofs).matrix; };
  made.k.emplace(assembled(*fem::elastic_form(set, model.materials, model.material_of)));
  made.m.emplace(assembled(*fem::mass_form(set, model.materials, model.material_of)));
}

/// Bytes that a cycle moves: those of the matrices, and of vectors a column.
struct CycleBytes {
  double matrices = 0;
  double column = 0;
};

/// Of one that has not been used yet: its vectors have one column each.
CycleBytes cycle_bytes(const solve::Amg& amg, int degree) {
  const std::vector<solve::Amg::LevelInfo> levels = amg.levels();
  CycleBytes bytes;
  auto others = static_cast<double>(amg.bytes());  // prolongations, restrictions and the coarsest inverse
  double visits = 1;                               // of a level in a cycle
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double block = l == 0 ? 3 : 6;
    const auto rows = static_cast<double>(levels[l].unknowns);
    const auto values = static_cast<double>(levels[l].values);
    const double matrix = 4 * values + 4 * values / (block * block) + 4 * rows / block;
    const bool coarsest = l + 1 == levels.size();
    const double smoother = coarsest ? 0 : 4 * rows * block;
    others -= matrix + smoother + (levels[l].visits > 1 ? 28 : 16) * rows;
    if (coarsest) continue;
    // Each visit but the first has a product for its residual, and 8 words for the sum of the steps.
    const double again = visits * (levels[l].visits - 1);
    bytes.matrices += again * matrix;
    bytes.column += again * 4 * rows * (3 + 8);
    visits *= levels[l].visits;
    // A product in each step of the smoother but the first, which begins with zero, and one for the residual.
    bytes.matrices += visits * 2.0 * degree * (matrix + smoother);
    // Words of a step: 3 of the first, 5 of others, 4 of the first after the coarse level; 3 of the residual,
    // which is read again, and 2 of the correction.
    bytes.column += visits * 4 * rows * (3 + 5 * (degree - 1) + 3 + 1 + 2 + 4 + 5 * (degree - 1));
  }
  bytes.matrices += others;
  bytes.column += 24 * static_cast<double>(levels.front().unknowns);  // to single precision and back
  return bytes;
}

double copy_rate(const Device& device) {
  const std::int64_t size = device.is_cuda() ? 100'000'000 : 10'000'000;
  exec::Array<double> from(device, size);
  exec::Array<double> to(device, size);
  exec::fill(device, from, 1.0);
  exec::fill(device, to, 0.0);
  return 16.0 * static_cast<double>(size) /
         median_seconds(
             device, [&] { exec::copy<double>(from, to); }, 5);
}

/// Where in the calls LOBPCG began the search for missing modes; calls.size(): nowhere. A block begins with
/// noise that goes through M and the preconditioner, one after the other.
std::size_t begin_of_search(const std::vector<RecordedCall>& calls) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    if (calls[i].what == Recorded::preconditioner && calls[i - 1].what == Recorded::mass)
      starts.push_back(i - 1);
  }
  return starts.size() > 1 ? starts.back() : calls.size();
}

/// Times and floors of what the calls before the search did.
std::vector<ModesWork> work_of(const std::vector<RecordedCall>& calls, std::size_t count,
                               const ModalMatrices& matrices, const CycleBytes& cycle, double columns,
                               double seconds) {
  std::vector<ModesWork> work{
      {"products with K"}, {"products with M"}, {"multigrid"}, {"blocks, small problems"}};
  const auto rows = static_cast<double>(matrices.k->rows());
  const double vector = 8 * rows;
  double rest = seconds;
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = static_cast<std::size_t>(calls[i].what);
    const double took = calls[i].end.seconds_since(calls[i].begin);
    work[part].seconds += took;
    rest -= took;
    if (calls[i].what != Recorded::preconditioner) continue;
    const auto w = static_cast<double>(calls[i].columns);
    work[0].bytes += static_cast<double>(matrices.k->matrix().bytes()) + 2 * w * vector;
    work[1].bytes += static_cast<double>(matrices.m->matrix().bytes()) + 2 * w * vector;
    work[2].bytes += cycle.matrices + w * cycle.column;
    // Inner products read 2 blocks of all columns and 5 of w, combinations read 3 and 6 and write 3 and 3,
    // residuals read 2 and write 1.
    work[3].bytes += vector * (11 * columns + 14 * w);
  }
  work[3].seconds = rest;
  return work;
}

void solve(const ModalModel& model, const Device& device, ModesRow& row, Monitor& monitor) {
  const exec::Stream stream = device.stream();
  ModalMatrices matrices{fem::Space(model.solids.region(), 3, model.constraints), {}, {}};
  {
    const Stage stage = monitor.stage("assembly");
    assemble(model, device, matrices);
    device.synchronize();
    row.assembly_seconds = stage.seconds();
  }
  std::optional<solve::Amg> amg;
  const solve::AmgOptions options;
  {
    const Stage stage = monitor.stage("preconditioner");
    amg.emplace(device, matrices.k->matrix(), matrices.space.amg_geometry(exec::Device::cpu()), options,
                monitor);
    device.synchronize();
    row.multigrid_seconds = stage.seconds();
  }
  const CycleBytes cycle = cycle_bytes(*amg, options.smoother_degree);

  std::vector<RecordedCall> calls;
  const RecordedOperator k(*matrices.k, Recorded::stiffness, calls);
  const RecordedOperator m(*matrices.m, Recorded::mass, calls);
  const RecordedOperator preconditioner(*amg, Recorded::preconditioner, calls);
  modes::Request request;
  request.count = row.request.modes;
  request.tolerance = row.request.tolerance;
  const exec::Event begin = stream.record();
  const modes::Modes found = modes::lobpcg(stream, k, m, preconditioner, request, monitor);
  const exec::Event end = stream.record();

  const std::size_t search = begin_of_search(calls);
  const exec::Event& last = calls.back().end;
  const exec::Event& iterated = search < calls.size() ? calls[search].begin : last;
  row.iteration_seconds = iterated.seconds_since(begin);
  row.check_seconds = last.seconds_since(iterated);
  row.shapes_seconds = end.seconds_since(last);
  for (std::size_t i = 0; i < search; ++i)
    row.columns = std::max(row.columns, static_cast<int>(calls[i].columns));
  row.work = work_of(calls, search, matrices, cycle, row.columns, row.iteration_seconds);
  row.iterations = found.iterations;
  row.converged = found.converged;
  row.check = found.check_text;
  row.trouble = found.trouble;
  if (!found.residual.empty()) row.residual = *std::max_element(found.residual.begin(), found.residual.end());
  for (const double lambda : found.lambda)
    row.frequency.push_back(std::sqrt(std::max(lambda, 0.0)) / (2 * std::numbers::pi));
}

}  // namespace

ModesWork ModesRow::all_work() const {
  ModesWork all{"iterations"};
  for (const ModesWork& part : work) {
    all.seconds += part.seconds;
    all.bytes += part.bytes;
    all.floor_seconds += part.floor_seconds;
  }
  return all;
}

ModesRow measure_modes(const ModesRequest& request, const Device& device, Monitor& monitor) {
  ModesRow row;
  row.request = request;
  row.size = deck::example_size(request.model);
  row.skipped = lack_of_memory(device, bytes_needed(row.size, 1.25 * request.modes));
  if (!row.skipped.empty()) return row;
  ModalModel model;
  {
    const Stage stage = monitor.stage("model");
    model = modal_model(request.model, monitor);
    row.model_seconds = stage.seconds();
  }
  row.unknowns = model.constraints.unknown_count();
  row.skipped = unless_out_of_memory([&] {
    row.copy_rate = copy_rate(device);
    solve(model, device, row, monitor);
  });
  for (ModesWork& part : row.work) part.floor_seconds = part.bytes / row.copy_rate;
  return row;
}

}  // namespace setka::bench
