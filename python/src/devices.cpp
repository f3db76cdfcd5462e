// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/device.hpp"

#include "calls.hpp"
#include "python.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/config.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/select.hpp"

namespace setka::python {
namespace {

py::dict as_dict(const exec::DeviceInfo& info) {
  py::dict made;
  made["backend"] = exec::name(info.backend);
  made["ordinal"] = info.ordinal;
  made["name"] = info.name;
  made["description"] = info.description;
  made["total_memory"] = info.total_memory;
  made["free_memory"] = info.free_memory;
  return made;
}

py::dict build() {
  const BuildInfo& info = build_info();
  py::dict libraries;
  for (const Library& library : info.libraries)
    libraries[py::str(library.name)] = library.found ? py::object(py::str(library.version)) : py::none();
  py::dict made;
  made["version"] = info.version;
  made["revision"] = info.revision;
  made["compiler"] = info.compiler;
  made["cuda"] = with_cuda;
  made["libraries"] = libraries;
  return made;
}

}  // namespace

void add_devices(py::module_& module) {
  using exec::Device;
  py::class_<Device>(module, "Device")
      .def_static("cpu", &Device::cpu, py::arg("threads") = 0)
      // CUDA's default stream for the main one, so that all is in the order of CuPy's and PyTorch's work.
      .def_static(
          "cuda", [](int ordinal) { return Device::cuda(ordinal, exec::NativeStream{}); },
          py::arg("ordinal") = 0)
      .def_property_readonly("is_cuda", &Device::is_cuda)
      .def_property_readonly("ordinal", &Device::ordinal)
      .def_property_readonly("threads", &Device::threads)
      .def_property_readonly("label", &Device::label)
      .def_property_readonly("memory_peak", &Device::memory_peak)
      .def("limit_memory", &Device::limit_memory, py::arg("bytes"))
      .def("info", [](const Device& device) { return as_dict(device.info()); })
      .def("synchronize", [](const Device& device) { unlocked([&] { device.synchronize(); }); })
      .def("__eq__", [](const Device& a, const Device& b) { return a == b; })
      .def("__hash__", [](const Device& device) { return reinterpret_cast<std::uintptr_t>(&device.state()); })
      .def("__repr__", [](const Device& device) { return "<setka.Device " + device.label() + ">"; });
  module.def("devices", [] {
    py::list made;
    for (const exec::DeviceInfo& info : exec::all_devices()) made.append(as_dict(info));
    return made;
  });
  module.def("why_no_cuda", &exec::why_no_cuda);
  module.def("build_info", &build);
  module.def("_set_log_level", [](int level) { log::set_level(static_cast<log::Level>(level)); });
  module.attr("version") = version;
}

}  // namespace setka::python
