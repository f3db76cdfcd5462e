// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "python.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// Arrays cross between Python and the library without copies, in both directions and on every device.
namespace setka::python {

/// The type of a value in memory, as __array_interface__ and DLPack have it.
struct ValueType {
  char kind = 'f';  // f, i, u, b, c; ? for others
  int bytes = 8;

  bool operator==(const ValueType&) const = default;
  std::string name() const;  // "float64"
};

template <class T>
constexpr ValueType value_type() {
  return {std::is_floating_point_v<T> ? 'f' : (std::is_signed_v<T> ? 'i' : 'u'), static_cast<int>(sizeof(T))};
}

/// An array that somebody in Python gave: where its values are, and who owns them.
struct Given {
  std::string name;  // of the argument, for messages
  std::string kind;  // "numpy.ndarray"
  void* data = nullptr;
  ValueType type;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> stride;  // in values
  bool readonly = false;
  bool on_gpu = false;
  int ordinal = 0;
  py::object owner;

  std::int64_t size() const;
  std::size_t dimensions() const { return shape.size(); }
  bool contiguous() const;       // C order
  std::string place() const;     // "cpu", "cuda:0"
  std::string in_words() const;  // "x is a numpy.ndarray float64 [3, 4] on cpu"
};

/// By the buffer protocol, __dlpack__ or __cuda_array_interface__, in this order. On a GPU work that was
/// given to its stream is waited for by the default stream, which is the main one of devices made here. What
/// has none of them is an ArrayError.
Given look_at(py::handle object, const std::string& name);

enum class Access : std::uint8_t { read, write };

[[noreturn]] void refuse(const Given& array, const std::string& wrong, const std::string& remedy);
void require_type(const Given& array, ValueType wanted);
void require_contiguous(const Given& array);
void require_device(const Given& array, const exec::Device& device);
void require_writable(const Given& array);
void require_shape(const Given& array, std::span<const std::int64_t> shape);

/// Values in C order on the device, of that type. shape: nothing is asked of it where it is left out.
template <class T>
exec::View<T> values_of(const Given& array, const exec::Device& device,
                        std::optional<std::vector<std::int64_t>> shape = {}) {
  require_type(array, value_type<std::remove_const_t<T>>());
  require_device(array, device);
  if (shape) require_shape(array, *shape);
  require_contiguous(array);
  if constexpr (!std::is_const_v<T>) require_writable(array);
  return {static_cast<T*>(array.data), array.size()};
}

/// The same as an Array of the library, which keeps the owner alive.
template <class T>
exec::Array<T> adopted(const Given& array, const exec::Device& device,
                       std::optional<std::vector<std::int64_t>> shape = {}) {
  const exec::View<const T> values = values_of<const T>(array, device, std::move(shape));
  return exec::Array<T>::adopt(device, const_cast<T*>(values.data), values.size,
                               [owner = kept(array.owner)]() mutable { owner.reset(); });
}

/// Host values that are needed as a span; on_host says what they are for.
template <class T>
std::span<const T> host_values(const Given& array, std::optional<std::vector<std::int64_t>> shape = {}) {
  const exec::View<const T> values = values_of<const T>(array, exec::Device::cpu(1), std::move(shape));
  return {values.data, static_cast<std::size_t>(values.size)};
}

/// Memory that Python sees. On the CPU it becomes a numpy.ndarray, on a GPU a setka.Array, which has
/// __cuda_array_interface__ and __dlpack__; nothing is copied.
struct DeviceArray {
  exec::Device device;
  void* data = nullptr;
  ValueType type;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> stride;  // in values
  std::shared_ptr<void> owner;
  bool readonly = false;

  std::int64_t size() const;
};

py::object to_python(DeviceArray array);

/// Values that now are Python's.
template <class T>
py::object given_away(exec::Array<T>&& values, std::vector<std::int64_t> shape) {
  auto owner = std::make_shared<exec::Array<T>>(std::move(values));
  return to_python({owner->device(), owner->data(), value_type<T>(), std::move(shape), {}, owner, false});
}

template <class T>
py::object given_away(std::vector<T>&& values, std::vector<std::int64_t> shape) {
  auto owner = std::make_shared<std::vector<T>>(std::move(values));
  return to_python(
      {exec::Device::cpu(1), owner->data(), value_type<T>(), std::move(shape), {}, owner, false});
}

/// Values of something that stays the library's and that `owner` keeps; they are not to be changed.
template <class T>
py::object shown(std::span<const T> values, std::vector<std::int64_t> shape, std::shared_ptr<void> owner) {
  return to_python({exec::Device::cpu(1),
                    const_cast<T*>(values.data()),
                    value_type<T>(),
                    std::move(shape),
                    {},
                    std::move(owner),
                    true});
}

/// Calls f with a value of the type that an array has, single or double precision.
template <class F>
auto with_precision(const Given& array, F&& f) {
  if (array.type == value_type<float>()) return f(float{});
  if (array.type == value_type<double>()) return f(double{});
  refuse(array, "values of " + array.type.name(), "give float64 or float32, as x.astype(float)");
}

}  // namespace setka::python
