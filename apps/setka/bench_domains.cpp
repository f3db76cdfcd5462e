// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_domains.hpp"

#include <cstdio>
#include <filesystem>

#include <fmt/core.h>

#include "bench/domains.hpp"
#include "setka/base/error.hpp"

namespace setka::app {
namespace {

using bench::DomainsRow;
using bench::DomainsTime;
using nlohmann::ordered_json;

std::string text(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.3g}", *seconds) : "-";
}

void print_head(const bench::DomainsBench& about) {
  fmt::print(
      "\nConjugate gradients with the diagonal to {:.0e}, random right-hand sides; seconds. {} is given so "
      "many\n"
      "times, and does all parts' work: measured is what sharing out costs. predicted: on as many devices of "
      "the\n"
      "kind, from this one's memory and a link of {:.3g} GB/s and {:.3g} us between them. paper: Tesla "
      "M2090; "
      "its\n"
      "tolerance is not told.\n\n",
      about.tolerance, about.device.label(), 1e-9 * about.link.rate, 1e6 * about.link.latency);
  fmt::print("{:<22} {:>10} {:>12} {:>6} {:>11} {:>10} {:>10} {:>9}\n", "matrix", "unknowns", "entries",
             "parts", "iterations", "measured", "predicted", "paper");
  std::fflush(stdout);
}

void print(const DomainsRow& row) {
  if (!row.skipped.empty()) {
    fmt::print("{:<22} skipped: {}\n", row.name, row.skipped);
    std::fflush(stdout);
    return;
  }
  bool first = true;
  for (const DomainsTime& time : row.times) {
    fmt::print("{:<22} {:>10} {:>12} {:>6} {:>11} {:>10} {:>10} {:>9}\n",
               first ? row.name + (row.given ? "" : ", a block") : "",
               first ? fmt::format("{}", row.rows) : "", first ? fmt::format("{}", row.entries) : "",
               time.parts, time.iterations, time.converged ? text(time.seconds) : "failed",
               text(time.predicted), text(time.paper));
    first = false;
  }
  std::fflush(stdout);
}

ordered_json to_json(const DomainsRow& row) {
  ordered_json json{{"matrix", row.name},     {"given", row.given},         {"unknowns", row.rows},
                    {"entries", row.entries}, {"paper_cpu", row.paper_cpu}, {"times", ordered_json::array()}};
  if (!row.skipped.empty()) json["skipped"] = row.skipped;
  for (const DomainsTime& time : row.times) {
    ordered_json one{{"parts", time.parts},
                     {"seconds", time.seconds},
                     {"iterations", time.iterations},
                     {"converged", time.converged}};
    if (time.predicted) one["predicted"] = *time.predicted;
    if (time.paper) one["paper"] = *time.paper;
    json["times"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

void add_domains_options(cli::App& command, BenchDomainsOptions& options) {
  constexpr const char* group = "Domains";
  command
      .add_option("--matrices", options.matrices,
                  "Folder with Flan_1565.mtx and the others, .mtx or .mtx.gz [default: blocks of elements of "
                  "their size]")
      ->type_name("FOLDER")
      ->group(group);
  add_link_options(command, options.link, group);
}

ordered_json bench_domains(const exec::Device& device, const BenchDomainsOptions& options, bool quick,
                           bool talk, bool& converged, Monitor& monitor) {
  if (!options.matrices.empty() && !std::filesystem::is_directory(options.matrices)) {
    throw Error(Fault::usage, fmt::format("--matrices {} is no folder", options.matrices),
                "name the folder that the .mtx files are in");
  }
  bench::DomainsBench about;
  about.device = device;
  about.folder = options.matrices;
  about.link = options.link.link(device.is_cuda());
  about.quick = quick;
  if (talk) print_head(about);
  const std::vector<DomainsRow> table = bench::domains_table(
      about,
      [&](const DomainsRow& row) {
        if (talk) print(row);
      },
      monitor);
  ordered_json json{{"unit", "s"},
                    {"tolerance", about.tolerance},
                    {"link", {{"bytes_per_s", about.link.rate}, {"latency_s", about.link.latency}}},
                    {"rows", ordered_json::array()}};
  for (const DomainsRow& row : table) {
    json["rows"].push_back(to_json(row));
    for (const DomainsTime& time : row.times) converged = converged && time.converged;
  }
  return json;
}

}  // namespace setka::app
