// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "info.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "json.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/gpu_transport.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

/// Those of the library, and what the program finds beside itself.
std::vector<Library> libraries() {
  std::vector<Library> all = build_info().libraries;
  const bool found = has_report_page();
  all.push_back({"report page", found ? version : "", found, "setka report: three.js, uPlot",
                 "no setka report; install npm, configure and build again"});
  return all;
}

bool is_selected(const exec::DeviceInfo& info, const std::vector<exec::Device>& selected) {
  return std::any_of(selected.begin(), selected.end(), [&](const exec::Device& device) {
    return device.backend() == info.backend && device.ordinal() == info.ordinal;
  });
}

std::string label(const exec::DeviceInfo& info) {
  return info.backend == exec::Backend::cuda ? fmt::format("cuda:{}", info.ordinal) : "cpu";
}

void print_text(const std::vector<exec::DeviceInfo>& devices, const std::vector<exec::Device>& selected) {
  const BuildInfo& build = build_info();
  fmt::print("setka {} (revision {}, {})\n", build.version, build.revision, build.build_type);
  fmt::print("compiler    {}", build.compiler);
  if (with_cuda) fmt::print("; nvcc {} for architecture {}", build.cuda_compiler, build.cuda_architectures);
  fmt::print("\nback ends   cpu{}\n", with_cuda ? ", cuda" : "");

  fmt::print("\nDevices ('*': used with these options)\n");
  for (const exec::DeviceInfo& info : devices) {
    fmt::print("  {} {:<8} {}, {}; {} of {} free\n", is_selected(info, selected) ? '*' : ' ', label(info),
               info.name, info.description, format_bytes(info.free_memory), format_bytes(info.total_memory));
  }
  if (const std::string why = exec::why_no_cuda(); !why.empty()) fmt::print("    no GPU: {}\n", why);
  if (ranks() != nullptr)
    fmt::print("    MPI of {} process{}: {}\n", ranks()->size(), ranks()->size() == 1 ? "" : "es",
               exec::takes_gpu_memory(*ranks()->transport())
                   ? "GPU-aware, it is handed the memory of GPUs"
                   : "not GPU-aware, what GPUs exchange goes through memory of the host");
  if (ranks() != nullptr) fmt::print("    PETSc numbers up to {} unknowns\n", ranks()->max_unknowns());

  fmt::print("\nLibraries\n");
  const std::vector<Library> all = libraries();
  for (const Library& library : all) {
    if (library.found) fmt::print("    {:<16} {:<12} {}\n", library.name, library.version, library.purpose);
  }
  for (const Library& library : all) {
    if (!library.found) fmt::print("    {:<16} {:<12} {}\n", library.name, "missing", library.without);
  }
}

ordered_json to_json(const std::vector<exec::DeviceInfo>& devices,
                     const std::vector<exec::Device>& selected) {
  const BuildInfo& build = build_info();
  ordered_json json{{"version", build.version},
                    {"revision", build.revision},
                    {"build_type", build.build_type},
                    {"compiler", build.compiler},
                    {"backends", with_cuda ? ordered_json{"cpu", "cuda"} : ordered_json{"cpu"}}};
  if (with_cuda)
    json["cuda"] = {{"compiler", build.cuda_compiler}, {"architectures", build.cuda_architectures}};
  if (const std::string why = exec::why_no_cuda(); !why.empty()) json["why_no_gpu"] = why;
  json["devices"] = ordered_json::array();
  for (const exec::DeviceInfo& info : devices) {
    json["devices"].push_back({{"label", label(info)},
                               {"name", info.name},
                               {"description", info.description},
                               {"total_memory", info.total_memory},
                               {"free_memory", info.free_memory},
                               {"selected", is_selected(info, selected)}});
  }
  if (ranks() != nullptr) {
    json["processes"] = ranks()->size();
    json["max_unknowns"] = ranks()->max_unknowns();
    json["gpu_aware_mpi"] = exec::takes_gpu_memory(*ranks()->transport());
  }
  json["libraries"] = ordered_json::array();
  for (const Library& library : libraries()) {
    ordered_json row{{"name", library.name}, {"found", library.found}, {"purpose", library.purpose}};
    row[library.found ? "version" : "without"] = library.found ? library.version : library.without;
    json["libraries"].push_back(std::move(row));
  }
  return json;
}

}  // namespace

int run_info(const CommonOptions& common, const DeviceOptions& device, Monitor& monitor) {
  std::vector<exec::DeviceInfo> devices;
  std::vector<exec::Device> selected;
  {
    const Stage stage = monitor.stage("look for devices");
    selected = device.select();
    devices = exec::all_devices();
  }
  if (common.json) {
    ordered_json json = to_json(devices, selected);
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else {
    print_text(devices, selected);
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
