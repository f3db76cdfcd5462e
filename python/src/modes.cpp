// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Natural frequencies: LOBPCG over any operators, and the library's choice for assembled matrices.
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "operators.hpp"
#include "report.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/lobpcg.hpp"

namespace setka::python {
namespace {

using exec::Device;

/// [rows, columns] of host values; nothing of None.
std::vector<double> columns_of(const py::object& given, const char* name, std::int64_t rows,
                               std::int64_t& count) {
  if (given.is_none()) return {};
  const Given array = look_at(given, name);
  const auto values = host_values<double>(array, std::vector<std::int64_t>{rows, -1});
  count = array.shape[1];
  return {values.begin(), values.end()};
}

modes::Request request_of(std::int64_t count, double lower, double upper, double tolerance,
                          int max_iterations, std::int64_t guards) {
  modes::Request request;
  request.count = count;
  request.lower = lower;
  request.upper = upper;
  request.tolerance = tolerance;
  request.max_iterations = max_iterations;
  request.guards = guards;
  return request;
}

py::dict lobpcg(const SharedOperator& k, const SharedOperator* m, const SharedOperator* preconditioner,
                const modes::Request& request, const py::object& start, const py::object& null_space,
                int search, py::object progress) {
  const Device device = k.a->device();
  const std::int64_t rows = k.a->rows();
  modes::LobpcgOptions options;
  std::int64_t start_count = 0;
  const std::vector<double> first = columns_of(start, "start", rows, start_count);
  options.start = {first.data(), rows, start_count, start_count};
  options.null_space = columns_of(null_space, "null_space", rows, options.null_count);
  if (search >= 0) options.search_iterations = search;
  Watch watch(std::move(progress));
  modes::Modes found = unlocked([&] {
    const solve::IdentityOperator identity(device, rows);
    const solve::Operator& mass = m != nullptr ? *m->a : identity;
    const solve::Operator& p = preconditioner != nullptr ? *preconditioner->a : identity;
    return modes::lobpcg(device, *k.a, mass, p, request, watch.monitor(), options);
  });
  return as_dict(std::move(found));
}

py::dict find(const Device& device, const std::shared_ptr<Matrix>& k, const std::shared_ptr<Matrix>& m,
              const std::string& method, const std::string& preconditioner, const modes::Request& request,
              py::object progress) {
  Watch watch(std::move(progress));
  modes::Modes found = unlocked([&] {
    modes::EigenSystem system;
    system.stiffness.assembled = k->blocks.get();
    system.mass.assembled = m->blocks.get();
    system.place = k->place;
    system.geometry = [&] { return k->amg_geometry(); };
    return modes::find(device, device.is_cuda() ? Device::cpu() : device, system, request,
                       modes::Choice(modes::method_of(method), preconditioner), watch.monitor());
  });
  return as_dict(std::move(found));
}

}  // namespace

py::dict as_dict(modes::Modes&& modes) {
  const std::int64_t count = modes.count();
  const std::int64_t rows = count > 0 ? static_cast<std::int64_t>(modes.shape.size()) / count : modes.rows;
  const auto steps = static_cast<std::int64_t>(modes.history.size());
  py::dict made;
  made["eigenvalues"] = given_away(std::move(modes.lambda), {count});
  made["shapes"] = given_away(std::move(modes.shape), {rows, count});
  made["residuals"] = given_away(std::move(modes.residual), {count});
  made["history"] = given_away(std::move(modes.history), {steps});
  made["iterations"] = modes.iterations;
  made["method"] = modes.method;
  made["check"] = modes.check_text;
  made["converged"] = modes.converged;
  made["status"] = modes.trouble.empty() ? "converged" : modes.trouble;
  return made;
}

void add_modes(py::module_& module) {
  module.def(
      "lobpcg",
      [](const SharedOperator& k, const SharedOperator* m, const SharedOperator* preconditioner,
         std::int64_t count, double tolerance, int max_iterations, std::int64_t guards,
         const py::object& start, const py::object& null_space, int search, py::object progress) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return lobpcg(k, m, preconditioner,
                      request_of(count, -infinity, infinity, tolerance, max_iterations, guards), start,
                      null_space, search, std::move(progress));
      },
      py::arg("k"), py::arg("m"), py::arg("preconditioner"), py::arg("count"), py::arg("tolerance"),
      py::arg("max_iterations"), py::arg("guards"), py::arg("start"), py::arg("null_space"),
      py::arg("search"), py::arg("progress"));
  module.def(
      "find_modes",
      [](const Device& device, const std::shared_ptr<Matrix>& k, const std::shared_ptr<Matrix>& m,
         const std::string& method, const std::string& preconditioner, std::int64_t count, double lower,
         double upper, double tolerance, int max_iterations, py::object progress) {
        return find(device, k, m, method, preconditioner,
                    request_of(count, lower, upper, tolerance, max_iterations, -1), std::move(progress));
      },
      py::arg("device"), py::arg("k"), py::arg("m"), py::arg("method"), py::arg("preconditioner"),
      py::arg("count"), py::arg("lower"), py::arg("upper"), py::arg("tolerance"), py::arg("max_iterations"),
      py::arg("progress"));
}

}  // namespace setka::python
