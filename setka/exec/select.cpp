// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/select.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::exec {

std::vector<Device> select_devices(const std::string& backend, const std::vector<int>& numbers, int threads) {
  const std::vector<std::string> known{"auto", "cpu", "cuda"};
  if (backend != "auto" && backend != "cpu" && backend != "cuda") {
    const std::string meant = nearest_word(backend, known);
    throw Error(Fault::usage, fmt::format("unknown back end '{}'", backend),
                fmt::format("use {}{}", join_words(known, "or"),
                            meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant)));
  }
  require(threads >= 0,
          [&] { return fmt::format("{} threads asked for; give 1 or more, or 0 for all", threads); });
  const bool on_gpu = backend == "cuda" || (backend == "auto" && (!numbers.empty() || why_no_cuda().empty()));
  if (!on_gpu) {
    if (!numbers.empty()) {
      throw Error(Fault::usage, "device numbers name GPUs, but the cpu back end was asked for",
                  "leave the numbers out, or use the cuda back end");
    }
    return {Device::cpu(threads)};
  }
  std::vector<Device> devices;
  for (const int number : numbers.empty() ? std::vector<int>{0} : numbers)
    devices.push_back(Device::cuda(number));
  return devices;
}

}  // namespace setka::exec
