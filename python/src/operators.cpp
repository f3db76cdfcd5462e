// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of the library for Python, and functions of Python as operators of the library.
#include "operators.hpp"

#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "arrays.hpp"
#include "calls.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/sparse/blocked.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::python {
namespace {

using exec::Device;
using exec::MultiView;
using exec::Stream;
using exec::View;

class PythonOperator final : public solve::Operator {
 public:
  PythonOperator(Device device, std::int64_t rows, std::int64_t columns, py::object call)
      : device_(std::move(device)), rows_(rows), columns_(columns), owner_(kept(call)), call_(call) {}

  const Device& device() const override { return device_; }
  std::int64_t rows() const override { return rows_; }
  std::int64_t columns() const override { return columns_; }

  void apply(const Stream& stream, View<const double> x, View<double> y) const override {
    call(stream, {x.data, {x.size}, {1}}, {y.data, {y.size}, {1}});
  }
  void apply(const Stream& stream, MultiView<const double> x, MultiView<double> y) const override {
    call(stream, {x.data, {x.rows, x.columns}, {x.stride, 1}}, {y.data, {y.rows, y.columns}, {y.stride, 1}});
  }

 private:
  struct Values {
    const double* data;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> stride;
  };

  /// Functions work in CUDA's default stream, the main one of devices of this module.
  void call(const Stream& stream, Values x, Values y) const {
    const bool beside = device_.is_cuda() && &stream.state() != &device_.stream().state();
    if (beside) stream.synchronize();
    {
      const py::gil_scoped_acquire locked;
      const std::shared_ptr<void> nobody;
      const auto array = [&](Values& values, bool readonly) {
        return to_python({device_, const_cast<double*>(values.data), value_type<double>(),
                          std::move(values.shape), std::move(values.stride), nobody, readonly});
      };
      call_(array(x, true), array(y, false));
    }
    if (beside) device_.synchronize();
  }

  Device device_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::shared_ptr<void> owner_;
  py::handle call_;
};

/// [rows] or [rows, columns], C order.
MultiView<const double> columns_of(const Given& given, const Device& device, std::int64_t rows) {
  const bool block = given.dimensions() == 2;
  const View<const double> values =
      values_of<const double>(given, device, block ? std::vector<std::int64_t>{rows, -1} : std::vector{rows});
  const std::int64_t columns = block ? given.shape[1] : 1;
  return {values.data, rows, columns, columns};
}

py::object product(const SharedOperator& self, const py::object& x, const py::object& out) {
  const solve::Operator& a = *self.a;
  const Device& device = a.device();
  const Given given = look_at(x, "x");
  const MultiView<const double> from = columns_of(given, device, a.columns());
  const bool block = given.dimensions() == 2;
  const std::vector<std::int64_t> shape =
      block ? std::vector<std::int64_t>{a.rows(), from.columns} : std::vector<std::int64_t>{a.rows()};
  const auto apply = [&](double* y) {
    unlocked([&] {
      if (block) {
        a.apply(device, from, MultiView<double>{y, a.rows(), from.columns, from.columns});
      } else {
        a.apply(device, View<const double>{from.data, from.rows}, View<double>{y, a.rows()});
      }
    });
  };
  if (!out.is_none()) {
    const Given target = look_at(out, "out");
    const View<double> values = values_of<double>(target, device, shape);
    require(values.data != from.data, "A @ x: out is x, and a product needs another array");
    apply(values.data);
    return out;
  }
  exec::Array<double> y(device, a.rows() * from.columns);
  apply(y.data());
  return given_away(std::move(y), shape);
}

std::shared_ptr<Matrix> matrix_of_csr(const Device& device, std::int64_t rows, std::int64_t columns,
                                      const py::object& offset, const py::object& column,
                                      const py::object& value, int block) {
  const Given offsets = look_at(offset, "indptr");
  const Given indices = look_at(column, "indices");
  const Given values = look_at(value, "data");
  const std::int64_t entries = values.size();
  require(rows >= 0 && rows < INT32_MAX && columns >= 0 && columns < INT32_MAX && entries < INT32_MAX, [&] {
    return fmt::format("Matrix: {} x {} with {} entries; fewer than 2^31 of each are possible", rows, columns,
                       entries);
  });
  if (block <= 1) {
    return make_matrix(sparse::BlockCsr<double>(
        static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns), 1, 1,
        adopted<std::int32_t>(offsets, device, std::vector{rows + 1}),
        adopted<std::int32_t>(indices, device, std::vector{entries}), adopted<double>(values, device)));
  }
  require(rows % block == 0 && columns % block == 0, [&] {
    return fmt::format("Matrix: {} x {} cannot be cut into blocks of {}; give a block that divides both",
                       rows, columns, block);
  });
  sparse::Csr csr;
  csr.rows = static_cast<std::int32_t>(rows);
  csr.columns = static_cast<std::int32_t>(columns);
  const std::span<const std::int32_t> first = host_values<std::int32_t>(offsets, std::vector{rows + 1});
  const std::span<const std::int32_t> at = host_values<std::int32_t>(indices, std::vector{entries});
  const std::span<const double> numbers = host_values<double>(values);
  csr.offset.assign(first.begin(), first.end());
  csr.column.assign(at.begin(), at.end());
  csr.value.assign(numbers.begin(), numbers.end());
  return unlocked([&] { return make_matrix(sparse::blocked(Device::cpu(), csr, block).to(device)); });
}

/// (indptr, indices, data) of single rows, without the zeros that fill blocks; `place`: of these rows alone.
py::tuple csr_of(const Matrix& matrix) {
  std::vector<std::int64_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::int64_t unknowns = 0;
  unlocked([&] {
    const sparse::BlockCsr<double> host = matrix.blocks->to(Device::cpu());
    const auto rows = static_cast<std::size_t>(host.scalar_rows());
    std::vector<std::int32_t> number;  // of unknowns
    if (!matrix.place.empty()) {
      number.assign(rows, -1);
      for (std::size_t q = 0; q < matrix.place.size(); ++q)
        number[static_cast<std::size_t>(matrix.place[q])] = static_cast<std::int32_t>(q);
    }
    const std::int64_t height = host.height();
    const std::int64_t width = host.width();
    const auto first = host.offset().host();
    const auto blocks = host.column().host();
    const auto values = host.value().host();
    unknowns = static_cast<std::int64_t>(matrix.place.empty() ? rows : matrix.place.size());
    for (std::int64_t q = 0; q < unknowns; ++q) {
      const std::int64_t at = matrix.place.empty() ? q : matrix.place[static_cast<std::size_t>(q)];
      const auto row = static_cast<std::size_t>(at / height);
      const std::int64_t begin = first[row];
      const std::int64_t count = first[row + 1] - begin;
      const double* const own = values.data() + begin * height * width + at % height * count * width;
      for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t j = 0; j < width; ++j) {
          const double entry = own[k * width + j];
          const std::int64_t where = blocks[static_cast<std::size_t>(begin + k)] * width + j;
          const std::int64_t named = number.empty() ? where : number[static_cast<std::size_t>(where)];
          if (named < 0 || (entry == 0 && height * width > 1)) continue;
          column.push_back(static_cast<std::int32_t>(named));
          value.push_back(entry);
        }
      }
      offset.push_back(static_cast<std::int64_t>(value.size()));
    }
  });
  const auto entries = static_cast<std::int64_t>(value.size());
  return py::make_tuple(given_away(std::move(offset), {unknowns + 1}),
                        given_away(std::move(column), {entries}), given_away(std::move(value), {entries}));
}

}  // namespace

solve::AmgGeometry Matrix::amg_geometry() const {
  if (space) return space->amg_geometry(Device::cpu());
  if (!blocks->device().is_cuda()) return solve::geometry_of(*blocks, geometry);
  return solve::geometry_of(blocks->to(Device::cpu()), geometry);
}

std::shared_ptr<Matrix> make_matrix(sparse::BlockCsr<double>&& blocks) {
  auto matrix = std::make_shared<Matrix>();
  auto product = std::make_shared<const solve::BlockCsrOperator>(std::move(blocks));
  matrix->blocks = {product, &product->matrix()};
  matrix->geometry.block = matrix->blocks->height();
  matrix->a = std::move(product);
  return matrix;
}

solve::OperatorPointer python_operator(const Device& device, std::int64_t rows, std::int64_t columns,
                                       py::object call) {
  return std::make_shared<PythonOperator>(device, rows, columns, std::move(call));
}

void add_operators(py::module_& module) {
  py::class_<SharedOperator, std::shared_ptr<SharedOperator>>(module, "Operator")
      .def_property_readonly("rows", [](const SharedOperator& self) { return self.a->rows(); })
      .def_property_readonly("columns", [](const SharedOperator& self) { return self.a->columns(); })
      .def_property_readonly("device", [](const SharedOperator& self) { return self.a->device(); })
      .def("apply", &product, py::arg("x"), py::arg("out") = py::none());
  py::class_<Matrix, SharedOperator, std::shared_ptr<Matrix>>(module, "Matrix")
      .def_property_readonly("block", [](const Matrix& self) { return self.blocks->height(); })
      .def_property_readonly("entries",
                             [](const Matrix& self) {
                               return self.blocks->blocks() * self.blocks->height() * self.blocks->width();
                             })
      .def_property_readonly("bytes", [](const Matrix& self) { return self.blocks->bytes(); })
      .def("csr", &csr_of)
      .def(
          "to",
          [](const Matrix& self, const Device& device) {
            return unlocked([&] {
              auto made = make_matrix(self.blocks->to(device));
              made->space = self.space;
              made->geometry = self.geometry;
              made->place = self.place;
              return made;
            });
          },
          py::arg("device"))
      .def("unknowns",
           [](const Matrix& self) {
             return given_away(std::vector<std::int32_t>(self.place),
                               {static_cast<std::int64_t>(self.place.size())});
           })
      .def(
          "set_geometry",
          [](Matrix& self, const py::object& coordinates, const py::object& modes) {
            const std::int64_t nodes = self.blocks->rows();
            if (!coordinates.is_none()) {
              const Given given = look_at(coordinates, "coordinates");
              const auto values = host_values<double>(given, std::vector<std::int64_t>{nodes, 3});
              self.geometry.coordinates.assign(values.begin(), values.end());
            }
            if (!modes.is_none()) {
              const Given given = look_at(modes, "near_nullspace");
              const auto values =
                  host_values<double>(given, std::vector<std::int64_t>{self.blocks->scalar_rows(), -1});
              self.geometry.modes = static_cast<int>(given.shape[1]);
              self.geometry.mode.assign(values.begin(), values.end());
            }
          },
          py::arg("coordinates"), py::arg("near_nullspace"));
  module.def("matrix", &matrix_of_csr, py::arg("device"), py::arg("rows"), py::arg("columns"),
             py::arg("indptr"), py::arg("indices"), py::arg("data"), py::arg("block"));
  module.def(
      "operator",
      [](const Device& device, std::int64_t rows, std::int64_t columns, py::object call) {
        return std::make_shared<SharedOperator>(python_operator(device, rows, columns, std::move(call)));
      },
      py::arg("device"), py::arg("rows"), py::arg("columns"), py::arg("call"));
  module.def(
      "sum_of",
      [](double s, const SharedOperator& a, double t, const SharedOperator& b) {
        return std::make_shared<SharedOperator>(std::make_shared<const solve::SumOperator>(s, a.a, t, b.a));
      },
      py::arg("s"), py::arg("a"), py::arg("t"), py::arg("b"));
  module.def(
      "scaled",
      [](double scale, const SharedOperator& a) {
        return std::make_shared<SharedOperator>(std::make_shared<const solve::ScaledOperator>(scale, a.a));
      },
      py::arg("scale"), py::arg("a"));
  module.def(
      "product_of",
      [](const SharedOperator& a, const SharedOperator& b) {
        return std::make_shared<SharedOperator>(std::make_shared<const solve::ProductOperator>(a.a, b.a));
      },
      py::arg("a"), py::arg("b"));
  module.def(
      "identity",
      [](const Device& device, std::int64_t rows) {
        return std::make_shared<SharedOperator>(
            std::make_shared<const solve::IdentityOperator>(device, rows));
      },
      py::arg("device"), py::arg("rows"));
}

}  // namespace setka::python
