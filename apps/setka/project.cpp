// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "project.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>
#include <vector>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/array.hpp"
#include "setka/fem/streamed_projection.hpp"
#include "setka/io/binary_matrix.hpp"
#include "setka/io/element_file.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

void check_vectors(const io::BinaryMatrix& x, const io::ElementFile& file, const std::string& name) {
  if (x.columns() < 1 || x.columns() > fem::most_projected_columns) {
    throw Error(
        Fault::input, fmt::format("X has {} columns", x.columns()),
        fmt::format("give 1 to {} columns; project more in several runs", fem::most_projected_columns),
        {name, 0});
  }
  if (x.rows() != file.unknowns()) {
    throw Error(Fault::input,
                fmt::format("X has {} rows, but {} has {} unknowns", x.rows(), file.name(), file.unknowns()),
                fmt::format("give {} rows of {} columns", file.unknowns(), x.columns()), {name, 0});
  }
}

/// Bytes of a piece: what the device has room for beside X, but no more than overlapping needs.
std::int64_t bytes_of_piece(const ProjectOptions& options, const io::ElementFile& file,
                            const io::BinaryMatrix& x, const exec::Device& device) {
  constexpr std::int64_t enough = std::int64_t{64} << 20;
  const std::int64_t for_sums = std::int64_t{device.is_cuda() ? 16 : 1} << 20;
  const auto for_x = static_cast<std::int64_t>(8 * x.values().size());
  const auto free = static_cast<std::int64_t>(device.info().free_memory);
  const std::int64_t room = options.memory > 0 ? static_cast<std::int64_t>(options.memory) : free - free / 16;
  const std::int64_t least = fem::piece_slots * io::ElementFilePieces::largest(file, 1).bytes();
  const std::int64_t needed = for_x + for_sums + least;
  if (needed > room || needed > free) {
    throw Error(Fault::resource,
                fmt::format("projecting needs at least {} on {}, {} of it for X, but {} of {} are free",
                            format_bytes(static_cast<std::uint64_t>(needed)), device.label(),
                            format_bytes(static_cast<std::uint64_t>(for_x)),
                            options.memory > 0
                                ? fmt::format("--memory allows {} and {}", format_bytes(options.memory),
                                              format_bytes(static_cast<std::uint64_t>(free)))
                                : format_bytes(static_cast<std::uint64_t>(free)),
                            format_bytes(device.info().total_memory)),
                options.memory > 0 ? "allow more, or project fewer columns at a time"
                                   : "project fewer columns at a time, or use a device with more memory");
  }
  return std::min(enough, (room - for_x - for_sums) / fem::piece_slots);
}

struct Result {
  std::vector<double> matrix;  // [n, n]
  fem::StreamedTimes times;
  double upload = 0;  // seconds of X to the device
  std::int64_t piece_bytes = 0;
};

Result project(const ProjectOptions& options, const io::ElementFile& file, const io::BinaryMatrix& vectors,
               const exec::Device& device, const exec::Device& cpu) {
  Result result;
  const std::int64_t n = vectors.columns();
  const std::int64_t bytes = bytes_of_piece(options, file, vectors, device);
  const auto begin = std::chrono::steady_clock::now();
  const exec::Array<double> x(device, vectors.values());
  result.upload = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  exec::MultiVector<double> s(device, n, n, std::vector<double>(static_cast<std::size_t>(n * n), 0.0));
  io::ElementFilePieces pieces(file, cpu, bytes);
  result.piece_bytes = pieces.largest().bytes();
  fem::StreamedProjection projection(device, pieces.largest());
  result.times = projection.run(pieces, {x.data(), vectors.rows(), n, n}, s);
  result.matrix = s.values().to_vector();
  return result;
}

struct Summary {
  std::vector<double> diagonal;
  double trace = 0;
  double norm = 0;  // of Frobenius
};

Summary summary_of(std::span<const double> matrix, std::int64_t n) {
  Summary summary;
  for (std::int64_t i = 0; i < n; ++i)
    summary.diagonal.push_back(matrix[static_cast<std::size_t>(i * n + i)]);
  for (const double value : summary.diagonal) summary.trace += value;
  for (const double value : matrix) summary.norm += value * value;
  summary.norm = std::sqrt(summary.norm);
  return summary;
}

void print_summary(const Result& result, const Summary& summary, std::int64_t n, double seconds,
                   const std::string& output) {
  const fem::StreamedTimes& times = result.times;
  fmt::print("in {} piece{} of at most {}\n", times.pieces, times.pieces == 1 ? "" : "s",
             format_bytes(static_cast<std::uint64_t>(result.piece_bytes)));
  fmt::print("\n{:>12} {:>12} {:>12} {:>12} {:>12}\n", "X to device", "packing", "transfer", "computing",
             "total");
  fmt::print("{:>12} {:>12} {:>12} {:>12} {:>12}\n", format_seconds(result.upload),
             format_seconds(times.packing), format_seconds(times.transfer), format_seconds(times.computing),
             format_seconds(times.total));
  const auto [least, most] = std::minmax_element(summary.diagonal.begin(), summary.diagonal.end());
  fmt::print("\nX'KX is {} x {}: diagonal from {:.6g} to {:.6g}, trace {:.6g}, norm {:.6g}\n", n, n, *least,
             *most, summary.trace, summary.norm);
  fmt::print("\n{}, at most {} of memory{}\n", format_seconds(seconds), format_bytes(peak_resident_bytes()),
             output.empty() ? "" : "; written: " + output);
}

ordered_json summary_json(const ProjectOptions& options, const io::ElementFile& file, const Result& result,
                          const Summary& summary, std::int64_t n) {
  ordered_json groups = ordered_json::array();
  for (const io::ElementFileGroup& group : file.groups())
    groups.push_back({{"order", group.rows}, {"elements", group.elements}});
  ordered_json json{{"elements", options.elements},
                    {"vectors", options.vectors},
                    {"unknowns", file.unknowns()},
                    {"columns", n},
                    {"groups", groups},
                    {"matrix_bytes", file.matrix_bytes()},
                    {"pieces", result.times.pieces},
                    {"piece_bytes", result.piece_bytes},
                    {"seconds",
                     {{"upload", result.upload},
                      {"packing", result.times.packing},
                      {"transfer", result.times.transfer},
                      {"computing", result.times.computing},
                      {"total", result.times.total}}},
                    {"diagonal", summary.diagonal},
                    {"trace", summary.trace},
                    {"norm", summary.norm},
                    {"peak_memory", peak_resident_bytes()},
                    {"files", ordered_json::array()}};
  if (!options.output.empty()) json["files"].push_back(options.output);
  return json;
}

}  // namespace

cli::App* add_project_command(cli::App& cli, ProjectOptions& options) {
  cli::App* command = cli.add_subcommand("project", "X'KX from element matrices in a file");
  command
      ->add_option("elements", options.elements, "Element matrices, as setka run --write-elements has them")
      ->required()
      ->type_name("K.elements");
  command->add_option("vectors", options.vectors, "X: a binary matrix, a row an unknown, 1 to 64 columns")
      ->required()
      ->type_name("X.bin");
  command->add_option("-o,--output", options.output, "The result to write, a binary matrix")
      ->type_name("FILE");
  add_memory_option(*command, options.memory);
  command->footer(
      "\nThe matrices come in pieces: one is packed while the next to it travels and is computed with, so "
      "that\n"
      "they need not fit the device's memory. Formats: docs/element-files.md.");
  return command;
}

int project_elements(const ProjectOptions& options, const CommonOptions& common, const DeviceOptions& device,
                     Monitor& monitor) {
  const exec::Device on = device.select_one();
  const exec::Device cpu = on.is_cuda() ? exec::Device::cpu(device.threads) : on;
  claim_outputs({options.elements, options.vectors}, {{options.output, {}}});
  const bool talk = !common.quiet && !common.json;
  if (talk)
    fmt::print("setka {}: {} on {}{} CPU thread{}\n", version, options.elements,
               on.is_cuda() ? on.info().name + " and " : "", cpu.threads(), cpu.threads() == 1 ? "" : "s");
  const io::ElementFile file(options.elements);
  Result result;
  std::int64_t n = 0;
  {
    const Stage reading = monitor.stage("read X");
    const io::BinaryMatrix x(options.vectors, cpu.threads());
    check_vectors(x, file, options.vectors);
    n = x.columns();
    if (talk) {
      fmt::print("{} element matrices of {}, {} unknowns; X of {} columns, {}\n", file.element_count(),
                 format_bytes(file.matrix_bytes()), file.unknowns(), n, format_bytes(8 * x.values().size()));
    }
    const Stage projecting = monitor.stage("project");
    result = project(options, file, x, on, cpu);
  }
  if (!options.output.empty()) {
    const Stage writing = monitor.stage("write");
    io::write_binary_matrix(options.output, n, n, result.matrix);
  }
  const Summary summary = summary_of(result.matrix, n);
  if (!common.json) print_summary(result, summary, n, monitor.times().seconds, options.output);
  if (common.json) {
    ordered_json json = summary_json(options, file, result, summary, n);
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
