// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "link_options.hpp"

#include "setka/base/error.hpp"
#include "setka/plan/team_device.hpp"

namespace setka::app {

plan::Transfer LinkOptions::link(bool gpu) const {
  plan::Transfer link = plan::usual_link(gpu);
  if (rate) link.rate = 1e9 * *rate;
  if (latency) link.latency = 1e-6 * *latency;
  if (!(link.rate > 0 && link.latency >= 0))
    throw Error(Fault::usage, "--link and --latency describe no link", "give a rate above zero and a time");
  return link;
}

void add_link_options(cli::App& command, LinkOptions& options, const char* group) {
  command.add_option("--link", options.rate, "GB/s between two devices [default: 200 of GPUs, 10 of CPUs]")
      ->type_name("RATE")
      ->group(group);
  command.add_option("--latency", options.latency, "Of that link, in us [default: 10 of GPUs, 2 of CPUs]")
      ->type_name("TIME")
      ->group(group);
}

}  // namespace setka::app
