// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace setka::app {

struct SpectrumOptions {
  std::string record;
  std::vector<double> dampings{0.05};
  std::vector<double> periods;      // from, to, count
  std::vector<double> frequencies;  // likewise
  std::string units;
  double step = 0;
  std::string output;  // empty: the record's name with -spectrum
  std::string card;    // name of a *SPECTRUM to write; empty: none
};

cli::App* add_spectrum_command(cli::App& cli, SpectrumOptions& options);

/// setka spectrum RECORD: the response spectrum of an accelerogram.
int run_spectrum(const SpectrumOptions& options, const CommonOptions& common, const DeviceOptions& device,
                 Monitor& monitor);

}  // namespace setka::app
