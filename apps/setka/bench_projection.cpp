// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_projection.hpp"

#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "bench/projection.hpp"

namespace setka::app {
namespace {

using bench::ProjectionRow;
using bench::ProjectionTable;
using nlohmann::ordered_json;

constexpr const char* line = "{:<24} {:<10} {:>11} {:>11} {:>9}  {}\n";

void print_head() {
  fmt::print(
      "\nOne projection X'KX from element matrices, double precision, {} columns; seconds, medians. grouped: "
      "the\n"
      "paper's two stages; fused: each matrix read once; both with all data in the device's memory. "
      "streamed:\n"
      "matrices and X from pinned host memory, in pieces. The floor is what the bytes and flops take at the\n"
      "rates of a copy and of a matrix product, measured here.\n\n",
      bench::projection_columns);
  fmt::print(line, "device", "way", "time", "floor", "of floor", "bound by");
  for (const bench::PaperProjection& paper : bench::paper_projections())
    fmt::print(line, paper.device, "paper", fmt::format("{:.4g}", paper.seconds), "-", "-", "");
  std::fflush(stdout);
}

void print(const ProjectionRow& row) {
  if (!row.skipped.empty()) {
    fmt::print("  skipped {} on {}: {}\n", row.way, row.device, row.skipped);
  } else {
    fmt::print(line, row.device, row.way, fmt::format("{:.4g}", row.seconds),
               fmt::format("{:.4g}", row.floor), fmt::format("{:.0f} %", 100 * row.floor / row.seconds),
               row.bound);
  }
  std::fflush(stdout);
}

void print_foot(const ProjectionTable& table) {
  fmt::print(
      "\n{} C3D8, {} unknowns (the paper: {}); triangles {:.0f} MB, X {:.0f} MB, {:.1f} GFlop; ways differ "
      "by "
      "{:.0e}\n",
      table.elements, table.unknowns, bench::paper_projection_unknowns, 1e-6 * table.matrix_bytes,
      1e-6 * table.vector_bytes, 1e-9 * table.flops, table.difference);
  const auto limits = [](const char* name, const bench::Limits& own) {
    fmt::print("{}: copy {:.0f} GB/s, matrix product {:.0f} GFlop/s", name, 1e-9 * own.memory,
               1e-9 * own.flops);
    if (own.link > 0) fmt::print(", from pinned memory {:.1f} GB/s", 1e-9 * own.link);
    fmt::print("\n");
  };
  if (table.cpu) limits("CPU", *table.cpu);
  if (table.gpu) limits("GPU", *table.gpu);
}

ordered_json limits_json(const std::optional<bench::Limits>& limits) {
  if (!limits) return nullptr;
  return {{"copy_bytes_per_s", limits->memory},
          {"flops_per_s", limits->flops},
          {"link_bytes_per_s", limits->link}};
}

}  // namespace

ordered_json bench_projection(const exec::Device& cpu, const std::optional<exec::Device>& gpu,
                              std::int64_t unknowns, bool talk, Monitor& monitor) {
  if (talk) print_head();
  const auto show = [&](const ProjectionRow& row) {
    if (talk) print(row);
  };
  const ProjectionTable table = bench::projection_table(cpu, gpu, unknowns, show, monitor);
  if (talk) print_foot(table);
  ordered_json json{{"unit", "s"},
                    {"elements", table.elements},
                    {"unknowns", table.unknowns},
                    {"columns", bench::projection_columns},
                    {"matrix_bytes", table.matrix_bytes},
                    {"vector_bytes", table.vector_bytes},
                    {"flops", table.flops},
                    {"difference", table.difference},
                    {"limits", {{"cpu", limits_json(table.cpu)}, {"gpu", limits_json(table.gpu)}}},
                    {"paper", ordered_json::array()},
                    {"rows", ordered_json::array()}};
  for (const bench::PaperProjection& paper : bench::paper_projections())
    json["paper"].push_back({{"device", paper.device}, {"seconds", paper.seconds}});
  for (const ProjectionRow& row : table.rows) {
    ordered_json own{{"device", row.device}, {"way", row.way}};
    if (row.skipped.empty()) {
      own["seconds"] = row.seconds;
      own["floor_s"] = row.floor;
      own["bound"] = row.bound;
    } else {
      own["skipped"] = row.skipped;
    }
    json["rows"].push_back(own);
  }
  return json;
}

}  // namespace setka::app
