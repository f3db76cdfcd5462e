// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes, spaces, forms: from arrays to matrices, operators and fields.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "arrays.hpp"
#include "calls.hpp"
#include "meshes.hpp"
#include "operators.hpp"
#include "report.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/problem.hpp"
#include "setka/io/msh.hpp"
#include "setka/solve/block_csr_operator.hpp"

namespace setka::python {
namespace {

using exec::Device;

/// What fem::Region looks at.
struct MeshData {
  std::vector<double> coordinates;
  std::vector<fem::Element> type;
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> node;

  fem::Region region() const { return {coordinates, type, first, node}; }
};

/// "hex8", or as a deck names it: "C3D8I".
fem::Element element_named(const std::string& name) {
  for (int k = 0; k < static_cast<int>(fem::Element::spring); ++k) {
    const auto element = static_cast<fem::Element>(k);
    if (fem::name(element) == name) return element;
  }
  return fem::element_of(deck::element(name));
}

std::shared_ptr<MeshData> make_mesh(const py::object& points, const py::list& blocks) {
  auto made = std::make_shared<MeshData>();
  const Given given = look_at(points, "points");
  const auto coordinates = host_values<double>(given, std::vector<std::int64_t>{-1, 3});
  made->coordinates.assign(coordinates.begin(), coordinates.end());
  const std::int64_t nodes = given.shape[0];
  for (const py::handle block : blocks) {
    const auto parts = block.cast<py::tuple>();
    const fem::Element element = element_named(parts[0].cast<std::string>());
    const int width = mesh::node_count(fem::cell_of(element));
    const Given cells = look_at(parts[1], "cells");
    const auto own = host_values<std::int32_t>(cells, std::vector<std::int64_t>{-1, width});
    const auto outside = std::ranges::find_if(own, [&](std::int32_t n) { return n < 0 || n >= nodes; });
    if (outside != own.end()) {
      throw Error(Fault::usage,
                  fmt::format("Mesh: element {} of the cells {} has node {}, and there are {} points",
                              (outside - own.begin()) / width, fem::name(element), *outside, nodes),
                  "nodes are numbered from 0");
    }
    made->node.insert(made->node.end(), own.begin(), own.end());
    for (std::int64_t e = 0; e < cells.shape[0]; ++e) {
      made->type.push_back(element);
      made->first.push_back(made->first.back() + width);
    }
  }
  return made;
}

/// A form as Python has it: its kind, rows of coefficients, and the row of each element.
struct GivenForm {
  fem::FormKind kind;
  std::vector<double> table;
  std::vector<std::int32_t> row_of;
};

fem::FormKind kind_of(const std::string& word) {
  if (word == "elasticity") return fem::FormKind::elasticity;
  if (word == "conduction") return fem::FormKind::conduction;
  if (word == "mass") return fem::FormKind::mass;
  throw Error(Fault::usage, "there is no form \"" + word + "\"", "it is elasticity, conduction or mass");
}

std::vector<GivenForm> forms_of(const py::list& given, const fem::Region& region) {
  std::vector<GivenForm> made;
  for (const py::handle one : given) {
    const auto parts = one.cast<py::tuple>();
    GivenForm form{kind_of(parts[0].cast<std::string>()), {}, {}};
    const Given table = look_at(parts[1], "the coefficients of a form");
    const auto values = host_values<double>(table, std::vector<std::int64_t>{-1, -1});
    form.table.assign(values.begin(), values.end());
    if (parts[2].is_none()) {
      form.row_of.assign(region.type.size(), 0);
    } else {
      const Given rows = look_at(parts[2], "the rows of a form");
      const auto of =
          host_values<std::int32_t>(rows, std::vector{static_cast<std::int64_t>(region.type.size())});
      form.row_of.assign(of.begin(), of.end());
    }
    made.push_back(std::move(form));
  }
  return made;
}

class Space {
 public:
  Space(std::shared_ptr<MeshData> mesh, const Device& device, int components, const py::object& fixed,
        const py::object& values)
      : mesh_(std::move(mesh)),
        device_(device),
        space_(mesh_->region(), components, constraints(mesh_->region(), components, fixed, values)) {}

  const fem::Space& space() const { return space_; }
  const Device& device() const { return device_; }
  std::int64_t nodes() const { return space_.region().node_count(); }

  std::shared_ptr<fem::Problem> problem(const py::list& forms) const {
    const std::vector<GivenForm> given = forms_of(forms, space_.region());
    const py::gil_scoped_release others_may_run;
    auto made = std::make_shared<fem::Problem>(device_, space_);
    for (const GivenForm& form : given) made->add(form.kind, form.table, form.row_of);
    return made;
  }

  std::shared_ptr<Matrix> matrix(const py::list& forms, py::object progress) const {
    const std::shared_ptr<fem::Problem> of = problem(forms);
    Watch watch(std::move(progress));
    return unlocked([&] {
      auto made = std::make_shared<Matrix>();
      made->blocks = {of, &of->matrix(watch.monitor())};
      // The product looks at the matrix of the problem, and both go together.
      struct Both {
        Both(std::shared_ptr<fem::Problem> kept_alive, const sparse::BlockCsr<double>& matrix)
            : problem(std::move(kept_alive)), product(matrix) {}
        std::shared_ptr<fem::Problem> problem;
        solve::BlockCsrOperator product;
      };
      const auto both = std::make_shared<const Both>(of, *made->blocks);
      made->a = {both, &both->product};
      made->space.emplace(space_);
      if (space_.size() != space_.unknown_count())
        made->place.assign(space_.places().begin(), space_.places().end());
      return made;
    });
  }

  /// Without a matrix: stored element matrices, or elements integrated anew in each product.
  std::shared_ptr<SharedOperator> product(const py::list& forms, bool stored) const {
    const std::vector<GivenForm> given = forms_of(forms, space_.region());
    require(!given.empty(), "Space.operator: there is no form; give one");
    return unlocked([&] {
      const auto set = std::make_shared<const fem::ElementSet>(device_, space_.region());
      const auto dofs = std::make_shared<const fem::DofMap>(device_, space_);
      solve::OperatorPointer sum;
      for (const GivenForm& form : given) {
        auto own =
            std::make_shared<const fem::Form>(form.kind, set, space_.components(), form.table, form.row_of);
        solve::OperatorPointer next;
        if (stored) {
          auto matrices = std::make_shared<fem::ElementMatrices>(*set, space_.components());
          own->integrate(device_, *matrices);
          device_.synchronize();
          next = std::make_shared<const fem::StoredElementOperator>(set, std::move(matrices), dofs);
        } else {
          next = std::make_shared<const fem::FormOperator>(std::move(own), dofs);
        }
        sum = sum ? std::make_shared<const solve::SumOperator>(sum, next) : next;
      }
      return std::make_shared<SharedOperator>(sum);
    });
  }

  py::object forces_of(const py::object& density) const {
    const Given given = look_at(density, "density");
    const auto values = host_values<double>(given, std::vector{nodes(), std::int64_t{space_.components()}});
    std::vector<double> made = unlocked([&] { return fem::Problem(device_, space_).forces_of(values); });
    return given_away(std::move(made), {nodes(), space_.components()});
  }

  py::tuple solve(const py::list& forms, const py::object& forces, const std::string& method,
                  const std::string& preconditioner, double tolerance, int max_iterations,
                  py::object progress) const {
    const Given given = look_at(forces, "forces");
    const auto f = host_values<double>(given, std::vector{nodes(), std::int64_t{space_.components()}});
    const std::shared_ptr<fem::Problem> of = problem(forms);
    solve::SolverChoice choice;
    choice.method = solve::method_of(method);
    choice.preconditioner = preconditioner;
    choice.tolerance = tolerance;
    choice.max_iterations = max_iterations;
    Watch watch(std::move(progress));
    fem::Solution solution = unlocked([&] { return of->solve(f, choice, watch.monitor()); });
    py::dict report = as_dict(solution.report);
    return py::make_tuple(given_away(std::move(solution.u), {nodes(), space_.components()}), report);
  }

  /// All degrees of freedom, [nodes, components], from values of the unknowns; and forces on the unknowns.
  py::object expand(const py::object& unknowns) const {
    const Given given = look_at(unknowns, "q");
    const auto q = host_values<double>(given, std::vector{std::int64_t{space_.unknown_count()}});
    return given_away(space_.constraints().expand(q), {nodes(), space_.components()});
  }
  py::object restrict_forces(const py::object& forces) const {
    const Given given = look_at(forces, "forces");
    const auto f = host_values<double>(given, std::vector{nodes(), std::int64_t{space_.components()}});
    return given_away(space_.constraints().restrict_forces(f), {space_.unknown_count()});
  }

  /// From values of the unknowns to vectors of operators, with zeros where places fill blocks; and back.
  py::object spread(const py::object& unknowns) const {
    const Given given = look_at(unknowns, "q");
    return given_away(
        space_.spread(host_values<double>(given, std::vector{std::int64_t{space_.unknown_count()}})),
        {space_.size()});
  }
  py::object collect(const py::object& vector) const {
    const Given given = look_at(vector, "x");
    return given_away(space_.collect(host_values<double>(given, std::vector{space_.size()})),
                      {space_.unknown_count()});
  }

 private:
  static fem::Constraints constraints(const fem::Region& region, int components, const py::object& fixed,
                                      const py::object& values) {
    const std::int64_t dofs = std::int64_t{components} * region.node_count();
    require(dofs < INT32_MAX, "Space: there are more than 2^31 - 1 degrees of freedom");
    const auto count = static_cast<std::int32_t>(dofs);
    const Given given = look_at(fixed, "fixed");
    const auto of = host_values<std::int32_t>(given, std::vector<std::int64_t>{-1});
    if (of.empty()) return fem::Constraints::none(count);
    const Given numbers = look_at(values, "values");
    return fem::Constraints::fixed(count, of, host_values<double>(numbers, given.shape));
  }

  std::shared_ptr<MeshData> mesh_;
  Device device_;
  fem::Space space_;
};

}  // namespace

void add_problems(py::module_& module) {
  py::class_<MeshData, std::shared_ptr<MeshData>>(module, "MeshData")
      .def(py::init(&make_mesh), py::arg("points"), py::arg("blocks"));
  py::class_<Space, std::shared_ptr<Space>>(module, "Space")
      .def(py::init<std::shared_ptr<MeshData>, const Device&, int, const py::object&, const py::object&>(),
           py::arg("mesh"), py::arg("device"), py::arg("components"), py::arg("fixed"), py::arg("values"))
      .def_property_readonly("size", [](const Space& self) { return self.space().size(); })
      .def_property_readonly("unknown_count", [](const Space& self) { return self.space().unknown_count(); })
      .def_property_readonly("components", [](const Space& self) { return self.space().components(); })
      .def_property_readonly("device", &Space::device)
      .def("matrix", &Space::matrix, py::arg("forms"), py::arg("progress"))
      .def("product", &Space::product, py::arg("forms"), py::arg("stored"))
      .def("forces_of", &Space::forces_of, py::arg("density"))
      .def("solve", &Space::solve, py::arg("forms"), py::arg("forces"), py::arg("method"),
           py::arg("preconditioner"), py::arg("tolerance"), py::arg("max_iterations"), py::arg("progress"))
      .def("expand", &Space::expand, py::arg("q"))
      .def("restrict", &Space::restrict_forces, py::arg("forces"))
      .def("spread", &Space::spread, py::arg("q"))
      .def("collect", &Space::collect, py::arg("x"));
  module.def(
      "read_msh",
      [](const std::string& path, py::object progress) {
        Watch watch(std::move(progress));
        auto model = unlocked([&] {
          return std::make_shared<model::Model>(io::read_msh(path, io::MshOptions(), watch.monitor()));
        });
        return mesh_of(*model, model);
      },
      py::arg("path"), py::arg("progress"));
}

}  // namespace setka::python
