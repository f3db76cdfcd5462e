// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Linear systems: Krylov methods over any operators, multigrid and its kin, and a whole solution by the
// library's choice.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "operators.hpp"
#include "report.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/gmres.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/minres.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::python {
namespace {

using exec::Device;

py::dict outcome_dict(solve::Outcome&& outcome) {
  py::dict made;
  made["converged"] = outcome.converged();
  made["status"] = solve::describe(outcome.status);
  made["iterations"] = outcome.iterations;
  made["residual"] = outcome.residual;
  const auto count = static_cast<std::int64_t>(outcome.history.size());
  made["history"] = given_away(std::move(outcome.history), {count});
  return made;
}

py::tuple krylov(const std::string& method, const SharedOperator& a, const py::object& right,
                 const SharedOperator* preconditioner, const py::object& start, const py::object& out,
                 const solve::SolverOptions& options, int restart, py::object progress) {
  const Device device = a.a->device();
  const std::int64_t rows = a.a->rows();
  const Given given = look_at(right, "b");
  const exec::View<const double> b = values_of<const double>(given, device, std::vector{rows});
  std::optional<exec::Array<double>> own;
  exec::View<double> x;
  if (out.is_none()) {
    x = own.emplace(device, rows);
  } else {
    x = values_of<double>(look_at(out, "out"), device, std::vector{rows});
  }
  if (start.is_none()) {
    exec::fill<double>(device, x, 0.0);
  } else {
    const Given from = look_at(start, "x0");
    const exec::View<const double> values = values_of<const double>(from, device, std::vector{rows});
    if (values.data != x.data) exec::copy_async<double>(device, values, x);
  }
  Watch watch(std::move(progress));
  solve::Outcome outcome = unlocked([&] {
    const solve::IdentityOperator identity(device, rows);
    const solve::Operator& p = preconditioner != nullptr ? *preconditioner->a : identity;
    std::unique_ptr<solve::Solver> solver;
    if (method == "cg") {
      solver = std::make_unique<solve::Cg>(options);
    } else if (method == "minres") {
      solver = std::make_unique<solve::Minres>(options);
    } else {
      solve::GmresOptions own_options;
      static_cast<solve::SolverOptions&>(own_options) = options;
      own_options.restart = restart;
      solver = std::make_unique<solve::Gmres>(own_options);
    }
    return solver->solve(device, *a.a, p, b, x, watch.monitor());
  });
  return py::make_tuple(own ? given_away(*std::move(own), {rows}) : out, outcome_dict(std::move(outcome)));
}

/// Multigrid, with what Python may ask of its hierarchy.
struct Multigrid : SharedOperator {
  std::shared_ptr<const solve::Amg> amg;
};

std::shared_ptr<Multigrid> make_multigrid(const Device& device, const Matrix& matrix,
                                          const solve::AmgOptions& options, py::object progress) {
  Watch watch(std::move(progress));
  return unlocked([&] {
    auto made = std::make_shared<Multigrid>();
    made->amg = std::make_shared<const solve::Amg>(device, *matrix.blocks, matrix.amg_geometry(), options,
                                                   watch.monitor());
    made->a = made->amg;
    return made;
  });
}

std::shared_ptr<SharedOperator> make_preconditioner(const std::string& word,
                                                    const std::shared_ptr<Matrix>& matrix,
                                                    py::object progress) {
  Watch watch(std::move(progress));
  return unlocked([&] {
    const solve::PreconditionerKind& kind = solve::preconditioner_of(word);
    solve::PreconditionerInput input;
    input.matrix = matrix->blocks.get();
    input.geometry = [&] { return matrix->amg_geometry(); };
    input.product = matrix->a;
    std::shared_ptr<const solve::Operator> made = kind.make(input, watch.monitor());
    // It may look at the matrix as long as it is there.
    const auto both =
        std::make_shared<const std::pair<decltype(made), std::shared_ptr<Matrix>>>(made, matrix);
    return std::make_shared<SharedOperator>(solve::OperatorPointer(both, made.get()));
  });
}

py::tuple solve_by_choice(const Device& device, const Matrix& matrix, const py::object& right,
                          const std::string& method, const std::string& preconditioner, double tolerance,
                          int max_iterations, py::object progress) {
  const auto unknowns = static_cast<std::int64_t>(
      matrix.place.empty() ? static_cast<std::size_t>(matrix.blocks->scalar_rows()) : matrix.place.size());
  const Given given = look_at(right, "b");
  const auto values = host_values<double>(given, std::vector{unknowns});
  solve::SolverChoice choice;
  choice.method = solve::method_of(method);
  choice.preconditioner = preconditioner;
  choice.tolerance = tolerance;
  choice.max_iterations = max_iterations;
  std::vector<double> b(values.begin(), values.end());
  Watch watch(std::move(progress));
  solve::SolveResult result = unlocked([&] {
    solve::LinearSystem system;
    system.matrix = matrix.blocks.get();
    system.unknown_count = static_cast<std::int32_t>(unknowns);
    system.place = matrix.place;
    system.geometry = [&] { return matrix.amg_geometry(); };
    return solve::solve(device, system, b, choice, watch.monitor());
  });
  return py::make_tuple(given_away(std::move(result.x), {unknowns}), as_dict(result.report));
}

}  // namespace

py::dict as_dict(const solve::SolveReport& report) {
  py::dict made;
  made["converged"] = report.converged && report.singular < 0;
  made["method"] = report.method;
  made["iterations"] = report.iterations;
  made["residual"] = report.residual;
  made["singular"] = report.singular;
  made["status"] = report.trouble.empty() ? "converged" : report.trouble;
  made["unknowns"] = report.unknowns;
  made["setup_seconds"] = report.setup_seconds;
  made["solve_seconds"] = report.solve_seconds;
  return made;
}

void add_solvers(py::module_& module) {
  module.def(
      "krylov",
      [](const std::string& method, const SharedOperator& a, const py::object& b,
         const SharedOperator* preconditioner, const py::object& x0, const py::object& out, double tolerance,
         int max_iterations, int restart, py::object progress) {
        solve::SolverOptions options;
        options.tolerance = tolerance;
        options.max_iterations = max_iterations;
        return krylov(method, a, b, preconditioner, x0, out, options, restart, std::move(progress));
      },
      py::arg("method"), py::arg("a"), py::arg("b"), py::arg("preconditioner"), py::arg("x0"), py::arg("out"),
      py::arg("tolerance"), py::arg("max_iterations"), py::arg("restart"), py::arg("progress"));
  py::class_<Multigrid, SharedOperator, std::shared_ptr<Multigrid>>(module, "Multigrid")
      .def("levels",
           [](const Multigrid& self) {
             py::list made;
             for (const solve::Amg::LevelInfo& level : self.amg->levels()) {
               py::dict row;
               row["unknowns"] = level.unknowns;
               row["values"] = level.values;
               row["visits"] = level.visits;
               made.append(row);
             }
             return made;
           })
      .def_property_readonly("operator_complexity",
                             [](const Multigrid& self) { return self.amg->operator_complexity(); })
      .def_property_readonly("bytes", [](const Multigrid& self) { return self.amg->bytes(); });
  module.def(
      "multigrid",
      [](const Device& device, const Matrix& matrix, double strength, int degree, int max_coarse_size,
         int max_levels, py::object progress) {
        solve::AmgOptions options;
        if (strength > 0) options.strength_threshold = strength;
        if (degree > 0) options.smoother_degree = degree;
        if (max_coarse_size > 0) options.max_coarse_size = max_coarse_size;
        if (max_levels > 0) options.max_levels = max_levels;
        return make_multigrid(device, matrix, options, std::move(progress));
      },
      py::arg("device"), py::arg("matrix"), py::arg("strength"), py::arg("degree"),
      py::arg("max_coarse_size"), py::arg("max_levels"), py::arg("progress"));
  module.def("preconditioner", &make_preconditioner, py::arg("word"), py::arg("matrix"), py::arg("progress"));
  module.def("solve", &solve_by_choice, py::arg("device"), py::arg("matrix"), py::arg("b"), py::arg("method"),
             py::arg("preconditioner"), py::arg("tolerance"), py::arg("max_iterations"), py::arg("progress"));
}

}  // namespace setka::python
