// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Motion in time by Newmark's method, from matrices or from any operators.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "operators.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::python {
namespace {

/// m M + k K with the structure that both have.
sparse::BlockCsr<double> sum_of(double m, const sparse::BlockCsr<double>& mass, double k,
                                const sparse::BlockCsr<double>& stiffness) {
  sparse::BlockCsr<double> sum = stiffness.to(stiffness.device());
  exec::axpby<double>(stiffness.device(), m, mass.value(), k, sum.value());
  return sum;
}

bool alike(const Matrix& a, const Matrix& b) {
  return a.blocks->rows() == b.blocks->rows() && a.blocks->blocks() == b.blocks->blocks() &&
         a.blocks->height() == b.blocks->height() &&
         a.blocks->column().to_vector() == b.blocks->column().to_vector() &&
         a.blocks->offset().to_vector() == b.blocks->offset().to_vector();
}

class Motion {
 public:
  Motion(const std::shared_ptr<SharedOperator>& stiffness, const std::shared_ptr<SharedOperator>& mass,
         double by_mass, double by_stiffness, const py::list& patterns, const std::string& preconditioner,
         const std::shared_ptr<SharedOperator>& given, double tolerance) {
    const std::int64_t rows = stiffness->a->rows();
    std::vector<std::vector<double>> forces;
    for (const py::handle pattern : patterns) {
      const Given values = look_at(pattern, "a pattern of forces");
      const auto own = host_values<double>(values, std::vector{rows});
      forces.emplace_back(own.begin(), own.end());
    }
    solve::SolverOptions options;
    options.tolerance = tolerance;
    const auto k = std::dynamic_pointer_cast<Matrix>(stiffness);
    const auto m = std::dynamic_pointer_cast<Matrix>(mass);
    const bool assembled = k && m && given == nullptr && alike(*k, *m);
    const auto make = [=](double of_damping, double of_stiffness, Monitor& monitor) {
      const double of_m = 1 + of_damping * by_mass;
      const double of_k = of_stiffness + of_damping * by_stiffness;
      dynamics::CgStepSolver::System system;
      if (!assembled) {
        system.matrix = std::make_shared<const solve::SumOperator>(of_m, mass->a, of_k, stiffness->a);
        system.preconditioner =
            given ? given->a : std::make_shared<const solve::IdentityOperator>(stiffness->a->device(), rows);
        return system;
      }
      const auto sum = make_matrix(sum_of(of_m, *m->blocks, of_k, *k->blocks));
      sum->space = k->space;
      sum->geometry = k->geometry;
      solve::PreconditionerInput input;
      input.matrix = sum->blocks.get();
      input.geometry = [&] { return sum->amg_geometry(); };
      system.matrix = {sum, sum->a.get()};
      system.preconditioner =
          solve::preconditioner_of(preconditioner).make(input, monitor);  // gone before the matrix is
      return system;
    };
    const py::gil_scoped_release others_may_run;
    solver_ = std::make_unique<dynamics::CgStepSolver>(stiffness->a->device(), make, options);
    motion_ = std::make_unique<dynamics::ImplicitDynamics>(
        dynamics::MotionOperators{stiffness->a, mass->a, nullptr, by_mass, by_stiffness}, *solver_, forces);
    patterns_ = forces.size();
  }

  void set_state(const py::object& u, const py::object& v) {
    const Given of_u = look_at(u, "u");
    const Given of_v = look_at(v, "v");
    const std::vector<std::int64_t> shape{motion_->rows()};
    motion_->set_state(host_values<double>(of_u, shape), host_values<double>(of_v, shape));
  }

  void begin(const std::vector<double>& factors, py::object progress) {
    check(factors);
    Watch watch(std::move(progress));
    tell(unlocked([&] { return motion_->begin(factors, 0, watch.monitor()); }));
  }

  int advance(double step, double alpha, const std::vector<double>& factors, py::object progress) {
    check(factors);
    Watch watch(std::move(progress));
    const dynamics::StepSolve solved = unlocked([&] {
      const dynamics::Newmark scheme = dynamics::Newmark::hilber_hughes_taylor(alpha, step);
      dynamics::StepSolve made = motion_->advance(scheme, factors, {}, watch.monitor());
      if (made.converged) motion_->accept();
      return made;
    });
    tell(solved);
    return solved.iterations;
  }

  py::object displacements() const { return given_away(motion_->displacements(), {motion_->rows()}); }
  py::object velocities() const { return given_away(motion_->velocities(), {motion_->rows()}); }
  py::object accelerations() const { return given_away(motion_->accelerations(), {motion_->rows()}); }
  std::pair<double, double> energies() const {
    const dynamics::BodyEnergies found = unlocked([&] { return motion_->energies(); });
    return {found.kinetic, found.elastic};
  }
  int preparations() const { return motion_->preparations(); }

 private:
  void check(const std::vector<double>& factors) const {
    require(factors.size() == patterns_,
            "Motion: as many factors as there are patterns of forces are wanted");
  }
  static void tell(const dynamics::StepSolve& solved) {
    if (!solved.converged) {
      throw Error(Fault::input, "Motion: a step was not solved: " + solved.trouble,
                  "raise the tolerance, or give another preconditioner");
    }
  }

  std::unique_ptr<dynamics::CgStepSolver> solver_;
  std::unique_ptr<dynamics::ImplicitDynamics> motion_;
  std::size_t patterns_ = 0;
};

}  // namespace

void add_motion(py::module_& module) {
  py::class_<Motion>(module, "Motion")
      .def(py::init<const std::shared_ptr<SharedOperator>&, const std::shared_ptr<SharedOperator>&, double,
                    double, const py::list&, const std::string&, const std::shared_ptr<SharedOperator>&,
                    double>(),
           py::arg("stiffness"), py::arg("mass"), py::arg("by_mass"), py::arg("by_stiffness"),
           py::arg("patterns"), py::arg("word"), py::arg("preconditioner"), py::arg("tolerance"))
      .def("set_state", &Motion::set_state, py::arg("u"), py::arg("v"))
      .def("begin", &Motion::begin, py::arg("factors"), py::arg("progress"))
      .def("advance", &Motion::advance, py::arg("step"), py::arg("alpha"), py::arg("factors"),
           py::arg("progress"))
      .def("displacements", &Motion::displacements)
      .def("velocities", &Motion::velocities)
      .def("accelerations", &Motion::accelerations)
      .def("energies", &Motion::energies)
      .def_property_readonly("preparations", &Motion::preparations);
}

}  // namespace setka::python
