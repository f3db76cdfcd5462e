// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/team_formulas.hpp"

namespace setka::bench {

/// A matrix of the table of the paper on several GPUs, and the seconds that conjugate gradients take there:
/// on a CPU, and on 1, 2, 4, 6 and 8 GPUs.
struct PaperMatrix {
  std::string_view name;
  std::int64_t rows;
  std::int64_t entries;
  double cpu;
  std::array<double, 5> gpus;
};
inline constexpr std::array<int, 5> paper_gpus{1, 2, 4, 6, 8};
std::span<const PaperMatrix> paper_matrices();

/// Conjugate gradients with the diagonal over so many devices.
struct DomainsTime {
  int parts = 1;
  double seconds = 0;
  int iterations = 0;
  bool converged = false;
  std::optional<double> paper;      // seconds
  std::optional<double> predicted;  // seconds on as many devices of the kind; none on one, which is measured
};

struct DomainsRow {
  std::string name;
  bool given = false;  // read from a file; else a block of elements in its place
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string skipped;  // why nothing was measured
  double paper_cpu = 0;
  std::vector<DomainsTime> times;
};

struct DomainsBench {
  exec::Device device = exec::Device::cpu();  // that is given several times
  std::filesystem::path folder = {};          // of matrices, as NAME.mtx or NAME.mtx.gz; empty: none
  plan::Transfer link = {};                   // between devices, for what is predicted
  double tolerance = 1e-6;
  bool quick = false;  // small blocks instead
};

/// Seconds of a copy's bytes, and of a kernel in a row of others, on a device as it is now.
plan::TeamMachine measured_machine(const exec::Device& device, const plan::Transfer& link);

/// The table, matrix by matrix: one device is given 1 to 8 times, a CPU in shares of its threads. show is
/// called with each row when it has been measured.
std::vector<DomainsRow> domains_table(const DomainsBench& bench,
                                      const std::function<void(const DomainsRow&)>& show, Monitor& monitor);

}  // namespace setka::bench
