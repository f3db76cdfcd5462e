// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/select.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::exec {

namespace {

/// The number of a GPU; an Error for other words.
int ordinal_of(const std::string& name) {
  int number = -1;
  const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (status != std::errc() || end != name.data() + name.size() || number < 0) {
    throw Error(Fault::usage, fmt::format("there is no device '{}'", name),
                "name GPUs by their numbers (see setka info) and CPU threads by cpu, as in --devices 0,cpu");
  }
  return number;
}

}  // namespace

std::vector<Device> select_devices(const std::string& backend, const std::vector<std::string>& names,
                                   int threads) {
  const std::vector<std::string> known{"auto", "cpu", "cuda"};
  if (backend != "auto" && backend != "cpu" && backend != "cuda") {
    const std::string meant = nearest_word(backend, known);
    throw Error(Fault::usage, fmt::format("unknown back end '{}'", backend),
                fmt::format("use {}{}", join_words(known, "or"),
                            meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant)));
  }
  require(threads >= 0,
          [&] { return fmt::format("{} threads asked for; give 1 or more, or 0 for all", threads); });
  if (names.empty()) {
    const bool on_gpu = backend == "cuda" || (backend == "auto" && why_no_cuda().empty());
    return {on_gpu ? Device::cuda(0) : Device::cpu(threads)};
  }
  const auto cpus = static_cast<int>(std::ranges::count(names, "cpu"));
  if (backend == "cpu" && cpus < static_cast<int>(names.size())) {
    throw Error(Fault::usage, "device numbers name GPUs, but the cpu back end was asked for",
                "leave the numbers out, or use the cuda back end");
  }
  if (backend == "cuda" && cpus > 0) {
    throw Error(Fault::usage, "the device cpu is no GPU, but the cuda back end was asked for",
                "leave --backend out where CPUs and GPUs compute together");
  }
  std::vector<Device> devices;
  for (const std::string& name : names) {
    if (name != "cpu") {
      devices.push_back(Device::cuda(ordinal_of(name)));
      continue;
    }
    const int all = cpus > 1 ? Device::cpu(threads).threads() : threads;
    devices.push_back(Device::cpu(cpus > 1 ? std::max(1, all / cpus) : all));
  }
  return devices;
}

}  // namespace setka::exec
