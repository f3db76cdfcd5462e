// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/projection.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bench/timing.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/form.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;
using exec::MultiVector;

constexpr int across = 17;

constexpr std::array<PaperProjection, 4> paper{{{"CPU i7 3.2 GHz, 6 cores", 81},
                                                {"GeForce GT 630M", 31.86},
                                                {"GeForce GTX 470", 6.72},
                                                {"GeForce GTX 780", 4.36}}};

fem::ElementProjection projection_of(const Device& device, const BlockModel& model) {
  return {std::make_shared<const fem::ElementSet>(device, model.region()),
          std::make_shared<const fem::DofMap>(device, space_of(model, fixed_at_x0(model)))};
}

/// In [-1, 1], scattered by the bits of the number.
std::vector<double> scattered_values(std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  exec::host::for_each(Device::cpu().threads(), count, 2048, [&](std::int64_t i) {
    std::uint64_t bits = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits ^= bits >> 27;
    values[static_cast<std::size_t>(i)] = static_cast<double>(bits >> 11) / 4503599627370496.0 - 1;
  });
  return values;
}

/// From a device to pinned memory.
template <class T>
Array<T> on_host(const Device& device, const T* data, std::int64_t size) {
  Array<T> host = exec::pinned_array<T>(Device::cpu(), size);
  exec::copy_async<T>(device, {data, size}, host.view());
  device.synchronize();
  return host;
}

double flops_of(std::int64_t elements, int rows, std::int64_t columns) {
  const double l = rows;
  const auto n = static_cast<double>(columns);
  return static_cast<double>(elements) * (2 * l * l * n + l * n * (n + 1));
}

}  // namespace

std::span<const PaperProjection> paper_projections() {
  return paper;
}

std::array<int, 3> projection_cells(std::int64_t unknowns) {
  constexpr std::int64_t of_a_layer = std::int64_t{3} * (across + 1) * (across + 1);
  const std::int64_t layers = (unknowns + of_a_layer / 2) / of_a_layer;
  return {static_cast<int>(std::clamp<std::int64_t>(layers, 1, 2000000)), across, across};
}

ProjectionInMemory::ProjectionInMemory(const Device& device, const BlockModel& model, int columns)
    : projection_(projection_of(device, model)),
      matrices_(projection_.set()),
      x_(device, projection_.rows(), columns, scattered_values(projection_.rows() * columns)),
      s_(device, columns, columns) {
  fem::elastic_form(projection_.shared_set(), model.materials, model.material_of)
      ->integrate(device, matrices_);
}

void ProjectionInMemory::run(const fem::ProjectionChoice& choice) {
  projection_.apply(x_.device(), matrices_, x_, s_, choice);
}

double ProjectionInMemory::bytes() const {
  const fem::PackedElements packed = elements();
  return static_cast<double>(fem::PieceSize::of(packed.rows, packed.blocks).bytes()) +
         static_cast<double>(x_.values().bytes());
}

double ProjectionInMemory::flops() const {
  return flops_of(projection_.set().element_count(), elements().rows, x_.columns());
}

ProjectionFromHost::ProjectionFromHost(const ProjectionInMemory& source, std::int64_t bytes)
    : device_(source.x().device()),
      index_(on_host(device_, source.elements().index,
                     fem::PieceSize::of(source.elements().rows, source.elements().blocks).indices)),
      triangle_(on_host(device_, source.elements().triangle,
                        fem::PieceSize::of(source.elements().rows, source.elements().blocks).entries)),
      host_x_(on_host(device_, source.x().values().data(), source.x().values().size())),
      x_(device_, source.x().rows(), source.x().columns()),
      s_(device_, source.x().columns(), source.x().columns()),
      pieces_(std::vector<fem::PackedElements>{{source.elements().rows, source.elements().blocks,
                                                index_.data(), triangle_.data()}},
              bytes),
      projection_(device_, pieces_.largest()) {}

fem::StreamedTimes ProjectionFromHost::run() {
  exec::copy_async<double>(device_, {host_x_.data(), host_x_.size()}, x_.values().view());
  exec::fill(device_, s_.values(), 0.0);
  pieces_.rewind();
  return projection_.run(pieces_, x_, s_);
}

namespace {

Limits measure_limits(const Device& device, bool quick) {
  Limits limits;
  const std::int64_t size = std::int64_t{1} << (quick ? 16 : device.is_cuda() ? 27 : 24);
  Array<double> from(device, size);
  Array<double> to(device, size);
  exec::fill(device, from, 1.0);
  exec::fill(device, to, 0.0);
  limits.memory = 16.0 * static_cast<double>(size) /
                  median_seconds(
                      device, [&] { copy(from, to); }, 7);
  constexpr std::int64_t wide = 256;
  const std::int64_t tall = quick ? 512 : device.is_cuda() ? 200000 : 8192;
  MultiVector<double> x(device, tall, wide);
  MultiVector<double> y(device, tall, wide);
  MultiVector<double> s(device, wide, wide);
  for (MultiVector<double>* m : {&x, &y, &s}) exec::fill(device, m->values(), 0.5);
  const double seconds = median_seconds(
      device, [&] { exec::multiply_small(device, 1.0, x, s, 0.0, y); }, 7);
  limits.flops = 2.0 * static_cast<double>(tall * wide * wide) / seconds;
  if (device.is_cuda()) {
    const std::int64_t part = std::min(size, std::int64_t{1} << 25);
    const Array<double> host = on_host(device, from.data(), part);
    const double time = median_seconds(
        device,
        [&] {
          exec::copy_async<double>(device, {host.data(), part}, to.view().part(0, part));
        },
        7);
    limits.link = 8.0 * static_cast<double>(part) / time;
  }
  return limits;
}

/// Measures one device's ways; keeps the result of the first to hold the others against.
class Measuring {
 public:
  Measuring(ProjectionTable& table, const std::function<void(const ProjectionRow&)>& show, Stage& stage,
            Monitor& monitor)
      : table_(table), show_(show), stage_(stage), monitor_(monitor) {}

  void device(const Device& device, const BlockModel& model) {
    const bool quick = model.elements() < 20000;
    double needed = static_cast<double>(model.elements()) * (2400 + 96 + 8 * 24) + 6e8;
    needed += 8.0 * projection_columns * 3 * static_cast<double>(model.nodes());
    std::string lack = quick ? std::string() : lack_of_memory(device, needed);
    if (lack.empty()) lack = unless_out_of_memory([&] { measure(device, model, quick); });
    if (!lack.empty()) add({device.label(), "all", lack, 0, 0, ""});
  }

 private:
  void measure(const Device& device, const BlockModel& model, bool quick) {
    const Limits limits = measure_limits(device, quick);
    (device.is_cuda() ? table_.gpu : table_.cpu) = limits;
    ProjectionInMemory projection(device, model);
    table_.unknowns = projection.unknowns();
    table_.matrix_bytes = projection.matrix_bytes();
    table_.vector_bytes = static_cast<double>(projection.x().values().bytes());
    table_.flops = projection.flops();
    const int repeats = device.is_cuda() ? 15 : 3;
    const double memory = projection.bytes() / limits.memory;
    const double flops = projection.flops() / limits.flops;
    for (const auto& [way, scheme] : {std::pair{"grouped", fem::ProjectionScheme::grouped},
                                      std::pair{"fused", fem::ProjectionScheme::fused}}) {
      const fem::ProjectionChoice choice{scheme, 0, {}};
      ProjectionRow row{
          device.label(), way, "", 0, std::max(memory, flops), memory > flops ? "memory" : "flops"};
      {
        const Stage measured = monitor_.stage(way);
        row.seconds = median_seconds(
            device, [&] { projection.run(choice); }, repeats, 1);
      }
      compare(projection.result());
      add(row);
    }
    if (!device.is_cuda()) return;
    const std::string lack = unless_out_of_memory([&] {
      ProjectionFromHost streamed(projection);
      ProjectionRow row{device.label(), "streamed", "", 0, projection.bytes() / limits.link, "link"};
      row.seconds = median_seconds(
          device, [&] { streamed.run(); }, 7, 2);
      compare(streamed.result());
      add(row);
    });
    if (!lack.empty()) add({device.label(), "streamed", lack, 0, 0, ""});
  }

  void compare(const MultiVector<double>& result) {
    const std::vector<double> own = result.values().to_vector();
    if (reference_.empty()) reference_ = own;
    double norm = 0;
    double largest = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      norm += reference_[i] * reference_[i];
      largest = std::max(largest, std::abs(own[i] - reference_[i]));
    }
    table_.difference = std::max(table_.difference, largest / std::sqrt(norm));
  }

  void add(ProjectionRow row) {
    table_.rows.push_back(std::move(row));
    show_(table_.rows.back());  // no bar stands now that the inner stage is over
    stage_.advance();
  }

  ProjectionTable& table_;
  const std::function<void(const ProjectionRow&)>& show_;
  Stage& stage_;
  Monitor& monitor_;
  std::vector<double> reference_;
};

}  // namespace

ProjectionTable projection_table(const Device& cpu, const std::optional<Device>& gpu, std::int64_t unknowns,
                                 const std::function<void(const ProjectionRow&)>& show, Monitor& monitor) {
  ProjectionTable table;
  Stage stage = monitor.stage("projection", gpu ? 5 : 2, "ways");
  const std::array<int, 3> cells = projection_cells(unknowns);
  table.elements = std::int64_t{cells[0]} * cells[1] * cells[2];
  // The mesh on the host with all that it is made from, before a device gets its share.
  const double bytes = 700.0 * static_cast<double>(table.elements);
  if (const std::string lack = lack_of_memory(cpu, bytes); !lack.empty()) {
    table.rows.push_back({cpu.label(), "all", lack, 0, 0, ""});
    show(table.rows.back());
    return table;
  }
  const BlockModel model = block_model(fem::Element::hex8, cells);
  Measuring measuring(table, show, stage, monitor);
  measuring.device(cpu, model);
  if (gpu) measuring.device(*gpu, model);
  return table;
}

}  // namespace setka::bench
