// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/dynamic_matrices.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "setka/analysis/element_products.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/spring.hpp"
#include "setka/analysis/user_material.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/vector.hpp"
#include "setka/modes/shifted_matrix.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/solve/solver_choices.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::analysis {
namespace {

bool factorised(const Computing& computing, std::int64_t unknowns) {
  require_no_factor(computing);
  const solve::SolverChoice& choice = computing.solver;
  if (choice.method == solve::Method::cholesky && !solve::Cholesky::available()) {
    throw Error(Fault::usage, "this build of setka has no Cholesky factorisation",
                "build it with SuiteSparse (libsuitesparse-dev), or choose the solver cg");
  }
  if (choice.method != solve::Method::automatic) return choice.method == solve::Method::cholesky;
  return !computing.device.is_cuda() && !by_elements(computing.operator_kind) &&
         choice.preconditioner == "auto" && unknowns <= solve::dynamic_cholesky_max_unknowns &&
         solve::Cholesky::available();
}

std::unique_ptr<dynamics::StepSolver> by_factor(const DynamicMatrices& matrices) {
  return std::make_unique<dynamics::CholeskyStepSolver>(
      matrices.device, dynamics::CholeskyStepSolver::Rows{
                           [&](double c, double k, Monitor&) {
                             return sparse::over_unknowns(matrices.combined(c, k), matrices.space.places());
                           },
                           matrices.space.places()});
}

/// Multigrid of one increment's length after the other: matrices have one structure, so that aggregates are
/// made once.
class KeptMultigrid {
 public:
  std::shared_ptr<const solve::Operator> of(const sparse::BlockCsr<double>& a, const fem::Space& space,
                                            const exec::Device& cpu, Monitor& monitor) {
    if (amg_ != nullptr && amg_->refreshes(a)) {
      amg_->refresh(a, monitor);
    } else {
      solve::AmgOptions options;
      options.refreshable = true;
      amg_ = std::make_shared<solve::Amg>(a.device(), a, space.amg_geometry(cpu), options, monitor);
    }
    return amg_;
  }

 private:
  std::shared_ptr<solve::Amg> amg_;
};

std::unique_ptr<dynamics::StepSolver> by_iteration(const DynamicMatrices& matrices,
                                                   const Computing& computing) {
  const auto make = [&matrices, &computing, multigrid = KeptMultigrid()](double c, double k,
                                                                         Monitor& monitor) mutable {
    const Stage stage = monitor.stage("set up");
    solve::SolverChoice choice = computing.solver;
    if (choice.preconditioner == "auto") {
      choice.preconditioner = preconditioner_of_steps(
          (k + c * matrices.by_stiffness) * modes::trace(*matrices.stiffness), modes::trace(*matrices.mass));
    }
    const solve::PreconditionerKind& kind = solve::preconditioner_of(choice);
    log::debug("*DYNAMIC: {}{}", solve::name_of(choice, kind), matrices.elements ? ", by elements" : "");
    dynamics::CgStepSolver::System system;
    if (matrices.elements != nullptr)
      system = matrices.elements->sum(matrices.weights(c, k), choice, monitor);
    if (system.preconditioner != nullptr) return system;
    const auto a = std::make_shared<solve::BlockCsrOperator>(matrices.combined(c, k));
    if (system.matrix == nullptr) system.matrix = a;
    system.preconditioner = kind.word == "amg"
                                ? multigrid.of(a->matrix(), matrices.space, computing.cpu, monitor)
                                : kind.make({&a->matrix(),
                                             solve::MatrixKind::positive_definite,
                                             [&] { return matrices.space.amg_geometry(computing.cpu); },
                                             {},
                                             system.matrix},
                                            monitor);
    return system;
  };
  return std::make_unique<dynamics::CgStepSolver>(matrices.device, make, options_of_steps(computing));
}

/// Conjugate gradients until they fail for the first time.
class CarefulSolver final : public dynamics::StepSolver {
 public:
  CarefulSolver(std::unique_ptr<dynamics::StepSolver> iterating,
                std::unique_ptr<dynamics::StepSolver> factorising)
      : now_(std::move(iterating)), instead_(std::move(factorising)) {}

  const exec::Device& device() const override { return now_->device(); }

  dynamics::StepSolve solve(const exec::Stream& stream, exec::View<const double> b, exec::View<double> x,
                            double forces, Monitor& monitor) override {
    dynamics::StepSolve report = now_->solve(stream, b, x, forces, monitor);
    if (report.converged || instead_ == nullptr) return report;
    log::warning("*DYNAMIC: {} after {} iterations (residual {:.1e}); factorising instead", report.trouble,
                 report.iterations, report.residual);
    now_ = std::move(instead_);
    now_->set(of_damping_, of_stiffness_, monitor);
    return now_->solve(stream, b, x, forces, monitor);
  }

 private:
  void prepare(double of_damping, double of_stiffness, Monitor& monitor) override {
    of_damping_ = of_damping;
    of_stiffness_ = of_stiffness;
    now_->set(of_damping, of_stiffness, monitor);
  }

  std::unique_ptr<dynamics::StepSolver> now_;
  std::unique_ptr<dynamics::StepSolver> instead_;
  double of_damping_ = 0;
  double of_stiffness_ = 0;
};

}  // namespace

namespace {

bool is_damper(const Setup& setup, std::int32_t element) {
  return setup.is_spring(element) && !setup.spring_section(element).damping.empty();
}

}  // namespace

fem::ElementMatrix dynamic_element_matrix(const Setup& setup, const ElementState& state, double k, double c,
                                          double m) {
  return [&setup, &state, k, c, m, mass = modal_mass(setup, state)](std::int32_t e, std::span<double> sum) {
    double of_stiffness = k;
    double of_mass = m;
    if (!setup.is_spring(e)) {
      of_stiffness += c * setup.material(e).damping_by_stiffness;
      of_mass += c * setup.material(e).damping_by_mass;
    }
    std::fill(sum.begin(), sum.end(), 0.0);
    if (of_stiffness != 0) state.element_matrix(e, sum);
    for (double& value : sum) value *= of_stiffness;
    if (c != 0 && is_damper(setup, e)) {
      std::vector<double> x;
      element_coordinates(setup.solids, e, x);
      Spring::damping(c * interpolate(setup.spring_section(e).damping, 0)[0], x, sum);
      return;  // it has neither stiffness nor mass
    }
    if (of_mass == 0) return;
    std::vector<double> own(sum.size(), 0.0);
    mass(e, own);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += of_mass * own[i];
  };
}

std::string preconditioner_of_steps(double stiffness, double inertia) {
  return stiffness <= solve::block_jacobi_max_stiffness_to_inertia * inertia ? "block-jacobi" : "amg";
}

solve::SolverOptions options_of_steps(const Computing& computing) {
  solve::SolverOptions options;
  options.tolerance = computing.solver.tolerance;
  options.max_iterations = computing.solver.max_iterations;
  options.ahead = 3;
  return options;
}

bool has_damping(const Setup& setup) {
  for (const model::SpringSection& section : setup.model->springs) {
    if (!section.damping.empty()) return true;
  }
  return std::ranges::any_of(setup.model->materials, [](const model::Material& material) {
    return material.damping_by_mass != 0 || material.damping_by_stiffness != 0;
  });
}

std::optional<RayleighDamping> common_damping(const Setup& setup) {
  std::optional<RayleighDamping> common;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (is_damper(setup, e)) return std::nullopt;
    RayleighDamping own;
    if (!setup.is_spring(e))
      own = {setup.material(e).damping_by_mass, setup.material(e).damping_by_stiffness};
    if (common && !(*common == own)) return std::nullopt;
    common = own;
  }
  return common ? *common : RayleighDamping();
}

dynamics::MotionOperators DynamicMatrices::operators() const {
  if (elements != nullptr)
    return {elements->stiffness(), elements->mass(), elements->damping(), by_mass, by_stiffness};
  const auto product = [](const auto& matrix) -> std::shared_ptr<const solve::Operator> {
    if (matrix == nullptr) return nullptr;
    return std::make_shared<solve::BlockCsrOperator>(*matrix);
  };
  return {product(stiffness), product(mass), product(damping), by_mass, by_stiffness};
}

DynamicElements::Weights DynamicMatrices::weights(double of_damping, double of_stiffness) const {
  return {1 + of_damping * by_mass, of_stiffness + of_damping * by_stiffness, of_damping};
}

sparse::BlockCsr<double> DynamicMatrices::combined(double of_damping, double of_stiffness) const {
  const DynamicElements::Weights of = weights(of_damping, of_stiffness);
  sparse::BlockCsr<double> sum = modes::shifted_matrix(*mass, of.stiffness / of.mass, *stiffness);
  if (of.mass != 1) exec::scale<double>(device, of.mass, sum.value());
  return damping != nullptr && of_damping != 0 ? modes::shifted_matrix(sum, of_damping, *damping)
                                               : std::move(sum);
}

DynamicMatrices dynamic_matrices(const Setup& setup, const ElementState& state,
                                 const fem::Constraints& constraints, const Computing& computing,
                                 Monitor& monitor) {
  const Stage stage = monitor.stage("matrices");
  const bool factor = factorised(computing, constraints.unknown_count());
  const exec::Device& device = factor ? computing.cpu : computing.device;
  DynamicMatrices matrices{device, factor, fem::Space(setup.solids.region(), 3, constraints)};
  const std::optional<RayleighDamping> common = common_damping(setup);
  if (common) {
    matrices.by_mass = common->by_mass;
    matrices.by_stiffness = common->by_stiffness;
  }
  const bool elementwise = by_elements(computing.operator_kind);
  const auto take_elements = [&] {
    matrices.elements =
        std::make_shared<DynamicElements>(setup, state, matrices.space, computing, !common, monitor);
  };
  if (elementwise && computing.solver.preconditioner != "auto" && from_diagonal(computing.solver)) {
    take_elements();
    return matrices;
  }
  ModalMatrices made =
      modal_matrices(setup, state, constraints, nullptr, computing, device.is_cuda(), monitor);
  const auto moved = [&](sparse::BlockCsr<double>&& matrix) {
    return std::make_shared<const sparse::BlockCsr<double>>(std::move(matrix).to(device));
  };
  matrices.space = made.space;
  matrices.stiffness = moved(std::move(made.stiffness));
  matrices.mass = moved(std::move(made.mass));
  if (!common) {
    matrices.damping = moved(
        fem::assemble(matrices.space, dynamic_element_matrix(setup, state, 0, 1, 0), computing.cpu, monitor)
            .matrix);
  }
  if (elementwise) take_elements();  // in the order of the assembled matrices' unknowns
  return matrices;
}

std::unique_ptr<dynamics::StepSolver> step_solver(const DynamicMatrices& matrices,
                                                  const Computing& computing) {
  if (matrices.factorised) return by_factor(matrices);
  auto iterating = by_iteration(matrices, computing);
  if (computing.solver.method == solve::Method::cg || !matrices.assembled() || !solve::Cholesky::available())
    return iterating;
  return std::make_unique<CarefulSolver>(std::move(iterating), by_factor(matrices));
}

}  // namespace setka::analysis
