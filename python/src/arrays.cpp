// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What Python is given: numpy.ndarray on the CPU, setka.Array on a GPU, over memory of the library.
#include "arrays.hpp"

#include <pybind11/numpy.h>

#include <memory>
#include <utility>

#include <fmt/core.h>

#include "dlpack.hpp"

namespace setka::python {
namespace {

std::vector<std::int64_t> c_order(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> stride(shape.size());
  std::int64_t next = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    stride[i] = next;
    next *= shape[i];
  }
  return stride;
}

py::object to_numpy(const DeviceArray& array) {
  std::vector<py::ssize_t> strides;
  for (const std::int64_t stride : array.stride) strides.push_back(stride * array.type.bytes);
  py::capsule base(new std::shared_ptr<void>(array.owner),
                   [](void* held) { delete static_cast<std::shared_ptr<void>*>(held); });
  py::array made(py::dtype(fmt::format("{}{}", array.type.kind, array.type.bytes)),
                 std::vector<py::ssize_t>(array.shape.begin(), array.shape.end()), strides, array.data, base);
  if (array.readonly) made.attr("setflags")(py::arg("write") = false);
  return made;
}

py::tuple tuple_of(const std::vector<std::int64_t>& numbers) {
  py::tuple made(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) made[i] = numbers[i];
  return made;
}

py::dict cuda_interface(const DeviceArray& array) {
  if (!array.device.is_cuda()) throw py::attribute_error("__cuda_array_interface__: the array is on the CPU");
  py::dict face;
  face["shape"] = tuple_of(array.shape);
  face["typestr"] =
      fmt::format("{}{}{}", array.type.bytes == 1 ? '|' : '<', array.type.kind, array.type.bytes);
  face["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(array.data), array.readonly);
  face["version"] = 3;
  if (array.stride == c_order(array.shape)) {
    face["strides"] = py::none();
  } else {
    py::tuple strides(array.stride.size());
    for (std::size_t i = 0; i < array.stride.size(); ++i) strides[i] = array.stride[i] * array.type.bytes;
    face["strides"] = strides;
  }
  face["stream"] = 1;  // the legacy default stream
  return face;
}

std::uint8_t code_of(char kind) {
  switch (kind) {
    case 'i':
      return dlpack::integer;
    case 'u':
      return dlpack::unsigned_integer;
    case 'c':
      return dlpack::complex;
    default:
      return dlpack::floating;
  }
}

/// What the capsule of DLPack holds.
struct Exported {
  dlpack::ManagedTensor managed{};
  DeviceArray array;
};

void drop_untaken(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor") == 0) return;  // somebody took it
  auto* managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}

/// stream: that of who takes it, which is made to wait; 1 and none are the default stream, -1: it needs no
/// order.
py::object dlpack_of(const DeviceArray& array, const py::object& stream) {
  const bool of_default = stream.is_none() || (py::isinstance<py::int_>(stream) && stream.cast<long>() <= 1);
  if (array.device.is_cuda() && !of_default) array.device.synchronize();
  auto exported = std::make_unique<Exported>(Exported{{}, array});
  dlpack::Tensor& tensor = exported->managed.tensor;
  tensor.data = exported->array.data;
  tensor.device_type = array.device.is_cuda() ? dlpack::cuda : dlpack::cpu;
  tensor.device_id = array.device.is_cuda() ? array.device.ordinal() : 0;
  tensor.ndim = static_cast<std::int32_t>(array.shape.size());
  tensor.code = code_of(array.type.kind);
  tensor.bits = static_cast<std::uint8_t>(8 * array.type.bytes);
  tensor.lanes = 1;
  tensor.shape = exported->array.shape.data();
  tensor.strides = exported->array.stride.data();
  exported->managed.context = exported.get();
  exported->managed.deleter = [](dlpack::ManagedTensor* managed) {
    delete static_cast<Exported*>(managed->context);
  };
  PyObject* capsule = PyCapsule_New(&exported->managed, "dltensor", drop_untaken);
  if (capsule == nullptr) throw py::error_already_set();
  exported.release();  // NOLINT(bugprone-unused-return-value): the capsule's now
  return py::reinterpret_steal<py::object>(capsule);
}

/// A copy on the host.
py::object numpy_copy(const DeviceArray& array) {
  if (array.stride != c_order(array.shape)) {
    throw Error(Fault::usage, "Array.numpy: the values do not lie one after the other",
                "take a copy by the library of the GPU, as cupy.ascontiguousarray(x)");
  }
  const auto bytes = static_cast<std::size_t>(array.size()) * static_cast<std::size_t>(array.type.bytes);
  auto host = std::make_shared<std::vector<double>>((bytes + sizeof(double) - 1) / sizeof(double));
  exec::detail::copy_to_host(array.device, array.data, host->data(), bytes);
  return to_numpy({exec::Device::cpu(1), host->data(), array.type, array.shape, array.stride, host, false});
}

}  // namespace

std::int64_t DeviceArray::size() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

py::object to_python(DeviceArray array) {
  if (array.stride.empty()) array.stride = c_order(array.shape);
  if (!array.device.is_cuda()) return to_numpy(array);
  return py::cast(std::move(array));
}

void add_arrays(py::module_& module) {
  py::class_<DeviceArray>(module, "Array")
      .def_property_readonly("shape", [](const DeviceArray& array) { return tuple_of(array.shape); })
      .def_property_readonly("dtype", [](const DeviceArray& array) { return array.type.name(); })
      .def_property_readonly("ndim", [](const DeviceArray& array) { return array.shape.size(); })
      .def_property_readonly("size", &DeviceArray::size)
      .def_property_readonly("device", [](const DeviceArray& array) { return array.device.label(); })
      .def_property_readonly("__cuda_array_interface__", &cuda_interface)
      .def("__dlpack__", &dlpack_of, py::arg("stream") = py::none())
      .def("__dlpack_device__",
           [](const DeviceArray& array) {
             return array.device.is_cuda() ? py::make_tuple(2, array.device.ordinal()) : py::make_tuple(1, 0);
           })
      .def("numpy", &numpy_copy)
      .def("__len__", [](const DeviceArray& array) { return array.shape.empty() ? 0 : array.shape.front(); })
      .def("__repr__", [](const DeviceArray& array) {
        return fmt::format("<setka.Array {} {} on {}>", array.type.name(),
                           py::str(tuple_of(array.shape)).cast<std::string>(), array.device.label());
      });

  // For tests of what arrays become on their way.
  module.def("_array_in_words", [](py::handle object) { return look_at(object, "x").in_words(); });
  module.def("_address",
             [](py::handle object) { return reinterpret_cast<std::uintptr_t>(look_at(object, "x").data); });
}

}  // namespace setka::python
