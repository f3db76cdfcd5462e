// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What somebody in Python gives: found without a copy, or refused with what would be right.
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "arrays.hpp"
#include "dlpack.hpp"
#include "errors.hpp"
#include "setka/base/config.hpp"

namespace setka::python {
namespace {

std::string type_name(py::handle object) {
  const py::handle type = py::type::handle_of(object);
  const auto name = py::str(type.attr("__qualname__")).cast<std::string>();
  const auto module = py::str(type.attr("__module__")).cast<std::string>();
  return module == "builtins" ? name : module + "." + name;
}

/// Of format characters of Python's struct module, with the size that the buffer says.
ValueType type_of_format(const char* format, Py_ssize_t bytes) {
  std::string text = format == nullptr ? "B" : format;
  if (!text.empty() && (text[0] == '@' || text[0] == '=' || text[0] == '<' || text[0] == '|'))
    text.erase(0, 1);
  char kind = '?';
  if (text.size() == 1) {
    switch (text[0]) {
      case 'e':
      case 'f':
      case 'd':
      case 'g':
        kind = 'f';
        break;
      case 'b':
      case 'h':
      case 'i':
      case 'l':
      case 'q':
      case 'n':
        kind = 'i';
        break;
      case 'B':
      case 'H':
      case 'I':
      case 'L':
      case 'Q':
      case 'N':
        kind = 'u';
        break;
      case '?':
        kind = 'b';
        break;
      default:
        break;
    }
  } else if (text.size() == 2 && text[0] == 'Z') {
    kind = 'c';
  }
  return {kind, static_cast<int>(bytes)};
}

[[noreturn]] void refuse_object(const std::string& name, const std::string& wrong,
                                const std::string& remedy) {
  throw ArrayError(fmt::format("{}: {}", name, wrong), remedy);
}

void set_strides(Given& given, const std::int64_t* bytes, bool in_bytes) {
  std::int64_t expected = 1;
  given.stride.assign(given.shape.size(), 0);
  for (std::size_t i = given.shape.size(); i-- > 0;) {
    if (bytes == nullptr) {
      given.stride[i] = expected;
      expected *= given.shape[i];
    } else if (in_bytes && bytes[i] % given.type.bytes != 0) {
      refuse_object(given.name,
                    fmt::format("its stride of {} bytes is no multiple of the {} bytes of a value", bytes[i],
                                given.type.bytes),
                    "give a copy of it");
    } else {
      given.stride[i] = in_bytes ? bytes[i] / given.type.bytes : bytes[i];
    }
  }
}

/// A view of an object's memory, held as long as the object that Python is given.
struct Buffer {
  Py_buffer view{};
  ~Buffer() { PyBuffer_Release(&view); }
};

std::optional<Given> by_buffer(py::handle object, const std::string& name) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) return std::nullopt;
  auto buffer = std::make_unique<Buffer>();
  bool readonly = false;
  if (PyObject_GetBuffer(object.ptr(), &buffer->view, PyBUF_STRIDED | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    readonly = true;
    if (PyObject_GetBuffer(object.ptr(), &buffer->view, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
      PyErr_Clear();  // of a type that buffers do not know
      return std::nullopt;
    }
  }
  const Py_buffer& view = buffer->view;
  Given given;
  given.name = name;
  given.data = view.buf;
  given.type = type_of_format(view.format, view.itemsize);
  given.readonly = readonly || view.readonly != 0;
  given.shape.assign(view.shape, view.shape + view.ndim);
  std::vector<std::int64_t> strides(view.strides, view.strides + view.ndim);
  if (given.type.bytes == 0) given.type.bytes = 1;
  set_strides(given, strides.data(), true);
  given.owner = py::capsule(buffer.release(), [](void* held) { delete static_cast<Buffer*>(held); });
  return given;
}

ValueType type_of(const dlpack::Tensor& tensor) {
  const int bytes = tensor.bits / 8;
  if (tensor.lanes != 1) return {'?', bytes};
  switch (tensor.code) {
    case dlpack::integer:
      return {'i', bytes};
    case dlpack::unsigned_integer:
      return {'u', bytes};
    case dlpack::floating:
      return {'f', bytes};
    case dlpack::complex:
      return {'c', bytes};
    case dlpack::boolean:
      return {'b', bytes};
    default:
      return {'?', bytes};
  }
}

std::optional<Given> by_dlpack(py::handle object, const std::string& name) {
  if (!py::hasattr(object, "__dlpack__") || !py::hasattr(object, "__dlpack_device__")) return std::nullopt;
  const auto where = object.attr("__dlpack_device__")().cast<std::pair<int, int>>();
  const bool on_gpu = where.first == dlpack::cuda || where.first == dlpack::cuda_managed;
  if (!on_gpu && where.first != dlpack::cpu && where.first != dlpack::cuda_host) {
    refuse_object(name,
                  fmt::format("a {} on a device that Setka does not know (number {} of DLPack)",
                              type_name(object), where.first),
                  "move it to the CPU or to an NVIDIA GPU");
  }
  // 1: the legacy default stream, which is made to wait for what is in flight.
  py::object capsule =
      on_gpu ? object.attr("__dlpack__")(py::arg("stream") = 1) : object.attr("__dlpack__")();
  const auto* managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed == nullptr) throw py::error_already_set();
  const dlpack::Tensor& tensor = managed->tensor;
  Given given;
  given.name = name;
  given.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  given.type = type_of(tensor);
  given.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  set_strides(given, tensor.strides, false);
  given.on_gpu = on_gpu;
  given.ordinal = on_gpu ? tensor.device_id : 0;
  // The capsule that nobody took lets the memory go with itself.
  given.owner = std::move(capsule);
  return given;
}

std::optional<Given> by_cuda_interface(py::handle object, const std::string& name) {
  if (!py::hasattr(object, "__cuda_array_interface__")) return std::nullopt;
  const py::dict face = object.attr("__cuda_array_interface__");
  const auto [address, readonly] = face["data"].cast<std::pair<std::uintptr_t, bool>>();
  const auto type = face["typestr"].cast<std::string>();
  Given given;
  given.name = name;
  given.data =
      reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): as the interface has it
  given.readonly = readonly;
  given.type = {type.size() > 2 && type[0] != '>' ? type[1] : '?',
                type.size() > 2 ? std::atoi(type.c_str() + 2) : 1};
  given.shape = face["shape"].cast<std::vector<std::int64_t>>();
  const bool strided = face.contains("strides") && !face["strides"].is_none();
  const auto strides =
      strided ? face["strides"].cast<std::vector<std::int64_t>>() : std::vector<std::int64_t>{};
  set_strides(given, strided ? strides.data() : nullptr, true);
  given.on_gpu = true;
  if (py::hasattr(object, "device")) {
    const py::object device = object.attr("device");
    for (const char* const attribute : {"id", "index", "ordinal"}) {
      if (py::hasattr(device, attribute) && py::isinstance<py::int_>(device.attr(attribute))) {
        given.ordinal = device.attr(attribute).cast<int>();
        break;
      }
    }
  }
  if (face.contains("stream") && !face["stream"].is_none() && with_cuda) {
    const auto stream = face["stream"].cast<std::uintptr_t>();
    if (stream > 2) {  // 1 and 2 are the default ones
      exec::Device::cuda(given.ordinal)
          .wrap({reinterpret_cast<void*>(stream)})  // NOLINT(performance-no-int-to-ptr): likewise
          .synchronize();
    }
  }
  given.owner = py::reinterpret_borrow<py::object>(object);
  return given;
}

}  // namespace

std::string ValueType::name() const {
  switch (kind) {
    case 'f':
      return fmt::format("float{}", 8 * bytes);
    case 'i':
      return fmt::format("int{}", 8 * bytes);
    case 'u':
      return fmt::format("uint{}", 8 * bytes);
    case 'c':
      return fmt::format("complex{}", 8 * bytes);
    case 'b':
      return "bool";
    default:
      return "a type that is no plain number";
  }
}

std::int64_t Given::size() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

bool Given::contiguous() const {
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && stride[i] != expected) return size() == 0;
    expected *= shape[i];
  }
  return true;
}

std::string Given::place() const {
  return on_gpu ? fmt::format("cuda:{}", ordinal) : "cpu";
}

std::string Given::in_words() const {
  return fmt::format("{} is a {} {} [{}] on {}", name, kind, type.name(), fmt::join(shape, ", "), place());
}

void refuse(const Given& array, const std::string& wrong, const std::string& remedy) {
  throw ArrayError(fmt::format("{}: {}", array.in_words(), wrong), remedy);
}

void require_type(const Given& array, ValueType wanted) {
  if (array.type == wanted) return;
  refuse(array, fmt::format("{} is wanted", wanted.name()),
         fmt::format("convert it, as by {}.astype(\"{}\")", array.name, wanted.name()));
}

void require_contiguous(const Given& array) {
  if (array.contiguous()) return;
  refuse(array,
         fmt::format("values one after the other in C order are wanted, its strides are [{}] values",
                     fmt::join(array.stride, ", ")),
         fmt::format("make a copy, as by numpy.ascontiguousarray({})", array.name));
}

void require_device(const Given& array, const exec::Device& device) {
  const bool same = array.on_gpu == device.is_cuda() && (!array.on_gpu || array.ordinal == device.ordinal());
  if (same) return;
  refuse(array, fmt::format("it is computed on {}", device.label()),
         fmt::format("give an array there, or device=\"{}\" with all arrays on it", array.place()));
}

void require_writable(const Given& array) {
  if (array.readonly) refuse(array, "it is to be written and may only be read", "give a copy of it");
}

void require_shape(const Given& array, std::span<const std::int64_t> shape) {
  bool same = shape.size() == array.shape.size();
  for (std::size_t i = 0; same && i < shape.size(); ++i) same = shape[i] < 0 || shape[i] == array.shape[i];
  if (same) return;
  std::string wanted;
  for (const std::int64_t extent : shape)
    wanted += fmt::format("{}{}", wanted.empty() ? "" : ", ", extent < 0 ? "any" : std::to_string(extent));
  refuse(array, fmt::format("the shape [{}] is wanted", wanted), "give one of that shape");
}

Given look_at(py::handle object, const std::string& name) {
  std::optional<Given> found = by_buffer(object, name);
  if (!found) found = by_dlpack(object, name);
  if (!found) found = by_cuda_interface(object, name);
  if (!found) {
    refuse_object(name, fmt::format("a {} is no array", type_name(object)),
                  "give a numpy.ndarray, or an array of a GPU with __dlpack__ or __cuda_array_interface__");
  }
  found->kind = type_name(object);
  return *std::move(found);
}

}  // namespace setka::python
