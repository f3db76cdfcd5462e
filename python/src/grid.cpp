// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal systems, heat on grids, and grids that are larger than the memory of a device.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/stationary.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::python {
namespace {

using exec::Device;

template <class E>
E chosen(const std::string& what, const std::string& word,
         std::initializer_list<std::pair<const char*, E>> words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (word == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(Fault::usage, what + " \"" + word + "\" is unknown", "it is one of " + known);
}

// Tridiagonal systems.

grid::Lines lines_along(const std::vector<std::int64_t>& shape, std::size_t axis) {
  grid::Lines lines;
  lines.rows = shape[axis];
  for (std::size_t i = 0; i < axis; ++i) lines.outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) lines.inner *= shape[i];
  lines.inner_stride = 1;
  lines.row_stride = lines.inner;
  lines.outer_stride = lines.rows * lines.inner;
  return lines;
}

/// Coefficients are three numbers, three arrays of a line's rows, or three of the shape of d.
template <class T>
grid::Tridiagonal<T> tridiagonal_of(const Device& device, const py::args& given, const Given& d,
                                    std::size_t axis, std::vector<Given>& held) {
  const char* const names[] = {"lower", "diagonal", "upper"};
  if (py::isinstance<py::float_>(given[0]) && py::isinstance<py::float_>(given[1]) &&
      py::isinstance<py::float_>(given[2])) {
    return grid::Tridiagonal<T>::constant(static_cast<T>(given[0].cast<double>()),
                                          static_cast<T>(given[1].cast<double>()),
                                          static_cast<T>(given[2].cast<double>()));
  }
  for (std::size_t i = 0; i < 3; ++i) held.push_back(look_at(given[i], names[i]));
  const bool shared = held[1].dimensions() == 1 && d.dimensions() != 1;
  const std::vector<std::int64_t> shape = shared ? std::vector<std::int64_t>{d.shape[axis]} : d.shape;
  const auto values = [&](std::size_t i) { return values_of<const T>(held[i], device, shape); };
  if (shared) return grid::Tridiagonal<T>::shared(values(0), values(1), values(2));
  return grid::Tridiagonal<T>::each(values(0), values(1), values(2));
}

py::object solve_tridiagonal(const Device& device, py::object lower, py::object diagonal, py::object upper,
                             py::object right, std::size_t axis, bool periodic, const std::string& method,
                             bool check, const py::object& out) {
  const Given d = look_at(right, "d");
  require(axis < d.dimensions(), "solve_tridiagonal: d has no such axis");
  grid::SweepOptions options;
  options.periodic = periodic;
  options.check_pivots = check;
  options.check_dominance = check;
  options.method = chosen<grid::SweepMethod>("solve_tridiagonal: the method", method,
                                             {{"automatic", grid::SweepMethod::automatic},
                                              {"reference", grid::SweepMethod::reference},
                                              {"fused", grid::SweepMethod::fused},
                                              {"split", grid::SweepMethod::split}});
  return with_precision(d, [&]<class T>(T) {
    const exec::View<const T> from = values_of<const T>(d, device);
    std::vector<Given> held;
    const grid::Tridiagonal<T> matrix = tridiagonal_of<T>(
        device, py::args(py::make_tuple(std::move(lower), std::move(diagonal), std::move(upper))), d, axis,
        held);
    const grid::Lines lines = lines_along(d.shape, axis);
    const auto solve = [&](exec::View<T> x) {
      if (d.size() > 0) unlocked([&] { grid::sweep<T>(device, lines, matrix, from, x, options); });
    };
    if (!out.is_none()) {
      solve(values_of<T>(look_at(out, "out"), device, d.shape));
      return out;
    }
    exec::Array<T> x(device, d.size());
    solve(x);
    return given_away(std::move(x), d.shape);
  });
}

// Heat.

grid::HeatSide side_of(const py::handle& given) {
  const auto side = given.cast<std::tuple<std::string, double, double>>();
  using Kind = grid::HeatSide::Kind;
  grid::HeatSide made;
  made.kind =
      chosen<Kind>("heat: the side", std::get<0>(side),
                   {{"dirichlet", Kind::dirichlet}, {"neumann", Kind::neumann}, {"robin", Kind::robin}});
  made.value = std::get<1>(side);
  made.coefficient = std::get<2>(side);
  return made;
}

/// axes: [(nodes, spacing, diffusivity, None or (low, high))]
std::vector<grid::HeatAxis> axes_of(const py::list& axes) {
  std::vector<grid::HeatAxis> made;
  for (const py::handle given : axes) {
    const auto parts = given.cast<py::tuple>();
    grid::HeatAxis axis;
    axis.nodes = parts[0].cast<std::int64_t>();
    axis.spacing = parts[1].cast<double>();
    axis.diffusivity = parts[2].cast<double>();
    axis.ends = parts[3].is_none() ? grid::Ends::periodic : grid::Ends::sides;
    if (!parts[3].is_none()) {
      const auto sides = parts[3].cast<py::tuple>();
      axis.low = side_of(sides[0]);
      axis.high = side_of(sides[1]);
    }
    made.push_back(axis);
  }
  return made;
}

std::vector<double> field_of(const py::object& given, const char* name,
                             const std::vector<std::int64_t>& shape) {
  if (given.is_none()) return {};
  const Given array = look_at(given, name);
  const std::span<const double> values = host_values<double>(array, shape);
  return {values.begin(), values.end()};
}

/// Steps of heat that stay ready: coefficients are made once.
class Heat {
 public:
  Heat(const Device& device, const py::list& axes, const std::string& scheme, double step,
       bool single_precision, const py::object& diffusivity, const py::object& reaction,
       double uniform_reaction, const py::object& source)
      : device_(device) {
    grid::HeatProblem problem;
    problem.axes = axes_of(axes);
    for (const grid::HeatAxis& axis : problem.axes) shape_.push_back(axis.nodes);
    problem.diffusivity = field_of(diffusivity, "diffusivity", shape_);
    problem.reaction = field_of(reaction, "reaction", shape_);
    problem.source = field_of(source, "source", shape_);
    problem.uniform_reaction = uniform_reaction;
    const auto kind = chosen<grid::HeatScheme>("heat: the scheme", scheme,
                                               {{"lod", grid::HeatScheme::lod},
                                                {"peaceman_rachford", grid::HeatScheme::peaceman_rachford},
                                                {"douglas", grid::HeatScheme::douglas},
                                                {"explicit", grid::HeatScheme::explicit_euler}});
    const py::gil_scoped_release others_may_run;
    if (kind == grid::HeatScheme::explicit_euler) longest_ = grid::longest_explicit_step(device, problem);
    if (step == 0) step = longest_;
    exchanges_ = kind == grid::HeatScheme::explicit_euler;
    step_ = step;
    if (single_precision) {
      single_.emplace(device, problem, kind, step);
    } else {
      double_.emplace(device, problem, kind, step);
    }
  }

  double step() const { return step_; }
  double longest() const { return longest_; }
  const Device& device() const { return device_; }

  /// Some steps from u on; the answer is in `u` itself.
  void advance(const py::object& u, std::int64_t steps, py::object progress) {
    const Given given = look_at(u, "u");
    single_ ? advance_by<float>(*single_, given, steps, std::move(progress))
            : advance_by<double>(*double_, given, steps, std::move(progress));
  }

 private:
  template <class T>
  void advance_by(grid::HeatSteps<T>& steps_of, const Given& given, std::int64_t steps,
                  py::object progress) const {
    const exec::View<T> values = values_of<T>(given, device_, shape_);
    Watch watch(std::move(progress));
    unlocked([&] {
      Stage stage = watch.monitor().stage("heat", steps, "steps");
      std::int64_t done = 0;
      if (exchanges_ && steps % 2 == 1) {
        // An odd step ends in the other array of two, and the user's must not stay behind there.
        exec::Array<T> first(device_, values.size);
        exec::copy_async<T>(device_, values, first.view());
        steps_of.advance(first, ++done);
        exec::copy_async<T>(device_, first, values);
        stage.advance();
        device_.synchronize();
      }
      exec::Array<T> u = exec::Array<T>::adopt(device_, values.data, values.size);
      while (done < steps) {
        const std::int64_t now = std::min<std::int64_t>(steps - done, 16);
        steps_of.advance(u, now);
        done += now;
        stage.advance(now);
      }
      device_.synchronize();
    });
  }

  Device device_;
  std::vector<std::int64_t> shape_;
  double step_ = 0;
  double longest_ = 0;
  bool exchanges_ = false;  // steps go from one array to another and back
  std::optional<grid::HeatSteps<float>> single_;
  std::optional<grid::HeatSteps<double>> double_;
};

// Stationary heat by Jacobi's sweeps.

py::dict as_dict(const grid::StationaryReport& report) {
  py::dict made;
  made["sweeps"] = report.sweeps;
  made["change"] = report.change;
  made["converged"] = report.converged;
  return made;
}

grid::StationaryHeat stationary_of(const std::vector<std::int64_t>& shape, const std::vector<double>& spacing,
                                   const std::vector<double>& conductivity) {
  std::vector<grid::StationaryAxis> axes;
  for (std::size_t i = 0; i < shape.size(); ++i) axes.push_back({shape[i], spacing[i], conductivity[i]});
  return grid::StationaryHeat(axes);
}

py::dict stationary(const Device& device, const py::object& unknown, const py::object& source,
                    const std::vector<double>& spacing, const std::vector<double>& conductivity,
                    const std::string& method, const grid::StationaryOptions& options, bool out_of_core,
                    std::uint64_t memory, int height, std::int64_t planes) {
  const Given u = look_at(unknown, "u");
  const Given f = look_at(source, "f");
  require(spacing.size() == u.dimensions() && conductivity.size() == u.dimensions(),
          "stationary_heat: one spacing and one conductivity an axis are wanted");
  const grid::StationaryHeat heat = stationary_of(u.shape, spacing, conductivity);
  return with_precision(u, [&]<class T>(T) {
    grid::StationaryReport report;
    if (out_of_core) {
      const Device host = Device::cpu(1);
      const exec::View<T> of_u = values_of<T>(u, host);
      const exec::View<const T> of_f = values_of<const T>(f, host, u.shape);
      grid::PyramidOptions pyramid;
      pyramid.memory = memory;
      pyramid.height = height;
      pyramid.planes = planes;
      unlocked([&] {
        report = grid::pyramid_jacobi<T>(
            device, heat, std::span<T>(of_u.data, static_cast<std::size_t>(of_u.size)),
            std::span<const T>(of_f.data, static_cast<std::size_t>(of_f.size)), options, pyramid);
      });
    } else {
      const exec::View<T> of_u = values_of<T>(u, device);
      const exec::View<const T> of_f = values_of<const T>(f, device, u.shape);
      unlocked([&] {
        report = method == "sor" ? heat.red_black<T>(device, of_u, of_f, options)
                                 : heat.jacobi<T>(device, of_u, of_f, options);
        device.synchronize();
      });
    }
    return as_dict(report);
  });
}

}  // namespace

void add_grid(py::module_& module) {
  module.def("solve_tridiagonal", &solve_tridiagonal, py::arg("device"), py::arg("lower"),
             py::arg("diagonal"), py::arg("upper"), py::arg("d"), py::arg("axis"), py::arg("periodic"),
             py::arg("method"), py::arg("check"), py::arg("out"));
  py::class_<Heat>(module, "Heat")
      .def(py::init<const Device&, const py::list&, const std::string&, double, bool, const py::object&,
                    const py::object&, double, const py::object&>(),
           py::arg("device"), py::arg("axes"), py::arg("scheme"), py::arg("step"),
           py::arg("single_precision"), py::arg("diffusivity"), py::arg("reaction"),
           py::arg("uniform_reaction"), py::arg("source"))
      .def_property_readonly("step", &Heat::step)
      .def_property_readonly("longest_step", &Heat::longest)
      .def_property_readonly("device", &Heat::device)
      .def("advance", &Heat::advance, py::arg("u"), py::arg("steps"), py::arg("progress"));
  module.def(
      "stationary_heat",
      [](const Device& device, const py::object& u, const py::object& f, const std::vector<double>& spacing,
         const std::vector<double>& conductivity, const std::string& method, std::int64_t sweeps,
         double tolerance, double weight, bool out_of_core, std::uint64_t memory, int height,
         std::int64_t planes) {
        grid::StationaryOptions options;
        options.sweeps = sweeps;
        options.tolerance = tolerance;
        options.weight = weight;
        if (method != "jacobi" && method != "sor") {
          throw Error(Fault::usage, "stationary_heat: the method \"" + method + "\" is unknown",
                      "it is one of jacobi, sor");
        }
        if (out_of_core && method != "jacobi")
          throw Error(Fault::usage, "stationary_heat: out of core there are Jacobi's sweeps alone",
                      "leave method out, or out_of_core");
        return stationary(device, u, f, spacing, conductivity, method, options, out_of_core, memory, height,
                          planes);
      },
      py::arg("device"), py::arg("u"), py::arg("f"), py::arg("spacing"), py::arg("conductivity"),
      py::arg("method"), py::arg("sweeps"), py::arg("tolerance"), py::arg("weight"), py::arg("out_of_core"),
      py::arg("memory"), py::arg("height"), py::arg("planes"));
}

}  // namespace setka::python
