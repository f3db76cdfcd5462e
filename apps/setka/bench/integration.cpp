// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/integration.hpp"

#include <array>

#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/exec/copy.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"

namespace setka::bench {
namespace {

using exec::Device;
using fem::Element;
using fem::IntegrationLevel;

constexpr int repeats = 5;

/// A row of the table of the paper "FEStudio": a GTX 680 against one core of a Xeon E5-2609, both transfers
/// included.
struct PaperRow {
  Element type;
  std::array<int, 3> cells;
  double cpu_seconds;
  std::array<double, 3> speed_up;  // levels I, II, IIa
};

constexpr std::array<PaperRow, 7> paper{{{Element::quad4, {100, 100, 0}, 0.01, {1.48, 1.10, 2.09}},
                                         {Element::quad4, {400, 250, 0}, 0.10, {2.25, 1.35, 3.54}},
                                         {Element::quad4, {1000, 1000, 0}, 0.99, {2.35, 1.49, 3.83}},
                                         {Element::quad4, {4000, 2500, 0}, 10.03, {2.44, 1.51, 4.28}},
                                         {Element::hex8, {25, 20, 20}, 0.14, {0.74, 0.67, 1.01}},
                                         {Element::hex8, {50, 50, 40}, 1.35, {1.64, 1.38, 3.14}},
                                         {Element::hex8, {100, 100, 50}, 6.77, {1.83, 1.50, 3.85}}}};

struct Level {
  const char* name;
  IntegrationLevel level;
};
constexpr std::array<Level, 4> levels{{{"I", IntegrationLevel::thread_per_element},
                                       {"II", IntegrationLevel::thread_per_point},
                                       {"IIa", IntegrationLevel::shared_blocks},
                                       {"best", IntegrationLevel::best}}};

std::int64_t element_count(const PaperRow& row) {
  return std::int64_t{row.cells[0]} * row.cells[1] * (row.cells[2] == 0 ? 1 : row.cells[2]);
}

/// Of the matrices, and of nodes and coordinates with what is made from them on the way.
double bytes_of_matrices(const PaperRow& row) {
  const int rows = row.type == Element::quad4 ? 8 : 24;
  return 8.0 * static_cast<double>(element_count(row)) * fem::triangle_size(rows);
}
double bytes_of_model(const PaperRow& row) {
  return 400.0 * static_cast<double>(element_count(row));
}

double cpu_seconds(const Device& cpu, const BlockModel& model) {
  const auto form = model.stiffness(cpu);
  fem::ElementMatrices matrices(*form->set());
  return median_seconds(
      cpu, [&] { form->integrate(cpu, matrices); }, repeats, 1);
}

void measure_gpu(const Device& gpu, const BlockModel& model, const PaperRow& row, IntegrationRow& measured) {
  IntegrationWithTransfers integration(gpu, model);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    LevelTimes times;
    times.level = levels[i].name;
    const IntegrationLevel level = levels[i].level;
    times.alone = median_seconds(
        gpu, [&] { integration.integrate(level); }, repeats);
    times.with_transfers = median_seconds(
        gpu, [&] { integration.run(level); }, repeats);
    if (i < row.speed_up.size()) times.paper_speed_up = row.speed_up[i];
    measured.gpu.push_back(times);
  }
}

IntegrationRow measure(const Device& cpu, const std::optional<Device>& gpu, const PaperRow& row) {
  IntegrationRow measured;
  measured.type = row.type;
  measured.elements = element_count(row);
  measured.paper_cpu = row.cpu_seconds;
  measured.paper_speed_up = row.speed_up;
  measured.skipped = lack_of_memory(cpu, bytes_of_matrices(row) + bytes_of_model(row));
  if (!measured.skipped.empty()) return measured;
  const BlockModel model = block_model(row.type, row.cells);
  measured.skipped = unless_out_of_memory([&] {
    measured.team = cpu_seconds(cpu, model);
    measured.one_core = cpu.threads() == 1 ? measured.team : cpu_seconds(Device::cpu(1), model);
  });
  if (!gpu) return measured;
  measured.gpu_skipped = lack_of_memory(*gpu, bytes_of_matrices(row) + bytes_of_model(row));
  if (measured.gpu_skipped.empty())
    measured.gpu_skipped = unless_out_of_memory([&] { measure_gpu(*gpu, model, row, measured); });
  return measured;
}

std::int64_t size(const std::vector<double>& values) {
  return static_cast<std::int64_t>(values.size());
}

}  // namespace

IntegrationWithTransfers::IntegrationWithTransfers(const Device& device, const BlockModel& model)
    : device_(device),
      stiffness_(model.stiffness(device)),
      matrices_(*stiffness_->set()),
      host_coordinates_(exec::pinned_array<double>(Device::cpu(), size(model.coordinates))),
      host_node_(
          exec::pinned_array<std::int32_t>(Device::cpu(), static_cast<std::int64_t>(model.node.size()))),
      host_matrices_(exec::pinned_array<double>(Device::cpu(), matrices_.group(0).size)),
      coordinates_(device, host_coordinates_.size()),
      node_(device, host_node_.size()) {
  exec::copy<double>({model.coordinates.data(), host_coordinates_.size()}, host_coordinates_);
  exec::copy<std::int32_t>({model.node.data(), host_node_.size()}, host_node_);
}

void IntegrationWithTransfers::integrate(IntegrationLevel level) {
  stiffness_->integrate(device_, matrices_, level);
}

void IntegrationWithTransfers::run(IntegrationLevel level) {
  exec::copy_async<double>(device_, host_coordinates_, coordinates_.view());
  exec::copy_async<std::int32_t>(device_, host_node_, node_.view());
  integrate(level);
  exec::copy_async<double>(device_, matrices_.group(0), host_matrices_.view());
}

std::vector<IntegrationRow> integration_table(const Device& cpu, const std::optional<Device>& gpu, bool quick,
                                              const std::function<void(const IntegrationRow&)>& show,
                                              Monitor& monitor) {
  std::vector<PaperRow> wanted;
  for (const PaperRow& row : paper) {
    if (!quick || element_count(row) == 10000) wanted.push_back(row);
  }
  std::vector<IntegrationRow> table;
  Stage stage = monitor.stage("integration", static_cast<std::int64_t>(wanted.size()), "sizes");
  for (const PaperRow& row : wanted) {
    {
      Stage size_stage = monitor.stage(fmt::format("{} {}", element_count(row), label(row.type)));
      size_stage.advance(0);
      table.push_back(measure(cpu, gpu, row));
    }
    show(table.back());  // no bar stands now that the inner stage is over
    stage.advance();
  }
  return table;
}

}  // namespace setka::bench
