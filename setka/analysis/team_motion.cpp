// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/team_motion.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/modal_matrices.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/vector.hpp"
#include "setka/modes/shifted_matrix.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::analysis {
namespace {

using sparse::BlockCsr;

std::shared_ptr<const domains::TeamMatrix> rows_of(
    const std::shared_ptr<const domains::DistributedMatrix>& matrix, const exec::Member& member) {
  return matrix == nullptr ? nullptr : matrix->of(member);
}

/// m M + k K + c C; C may be none.
BlockCsr<double> weighted(double m, const BlockCsr<double>& mass, double k, const BlockCsr<double>& stiffness,
                          double c, const BlockCsr<double>* damping) {
  BlockCsr<double> sum = modes::shifted_matrix(mass, k / m, stiffness);
  if (m != 1) exec::scale<double>(sum.device(), m, sum.value());
  return damping != nullptr && c != 0 ? modes::shifted_matrix(sum, c, *damping) : std::move(sum);
}

}  // namespace

TeamMotion::TeamMotion(const Setup& setup, const ElementState& state, const fem::Space& space,
                       const std::vector<std::vector<double>>& patterns, const Computing& computing,
                       Monitor& monitor)
    : computing_(computing), team_(computing.team.value()) {
  const std::string obstacle = obstacle_to_parts(setup, team_.size());
  if (!obstacle.empty())
    throw Error(Fault::usage,
                fmt::format("*DYNAMIC: {} devices cannot share the model out: {}", team_.size(), obstacle),
                "name one device");
  const Stage stage = monitor.stage("matrices");
  TeamAssembly assembly(setup, state, space, team_, computing.cpu, monitor);
  parts_ = assembly.shared_parts();
  stiffness_ =
      assembly.assemble(modal_stiffness(setup, state, nullptr), &ElementMaterials::elasticity, monitor)
          .matrix;
  mass_ = assembly.assemble(modal_mass(setup, state), &ElementMaterials::mass, monitor).matrix;
  const std::optional<RayleighDamping> common = common_damping(setup);
  if (common) {
    common_ = *common;
  } else {
    damping_ = assembly.assemble(dynamic_element_matrix(setup, state, 0, 1, 0), nullptr, monitor).matrix;
  }
  members_.resize(static_cast<std::size_t>(team_.size()));
  team_.run([&](const exec::Member& member) {
    auto own = std::make_unique<Own>();
    own->solver = std::make_unique<dynamics::CgStepSolver>(
        member.device(),
        [this, member](double c, double k, Monitor& of_member) { return system_of(member, c, k, of_member); },
        options_of_steps(computing_));
    std::vector<std::vector<double>> forces;
    forces.reserve(patterns.size());
    for (const std::vector<double>& pattern : patterns)
      forces.push_back(parts_->values_of(member.number(), pattern));
    own->motion = std::make_unique<dynamics::ImplicitDynamics>(
        dynamics::MotionOperators{rows_of(stiffness_, member), rows_of(mass_, member),
                                  rows_of(damping_, member), common_.by_mass, common_.by_stiffness},
        *own->solver, forces);
    members_[static_cast<std::size_t>(member.number())] = std::move(own);
  });
}

dynamics::CgStepSolver::System TeamMotion::system_of(const exec::Member& member, double of_damping,
                                                     double of_stiffness, Monitor& monitor) const {
  const Stage stage = monitor.stage("set up");
  const double m = 1 + of_damping * common_.by_mass;
  const double k = of_stiffness + of_damping * common_.by_stiffness;
  const sparse::TeamCsr<double>& stiffness = stiffness_->of(member)->matrix();
  const sparse::TeamCsr<double>& mass = mass_->of(member)->matrix();
  const sparse::TeamCsr<double>* const damping =
      damping_ == nullptr ? nullptr : &damping_->of(member)->matrix();
  solve::SolverChoice choice = computing_.solver;
  if (choice.preconditioner == "auto") {
    choice.preconditioner = preconditioner_of_steps(k * member.sum(modes::trace(stiffness.own())),
                                                    member.sum(modes::trace(mass.own())));
  }
  const solve::PreconditionerKind& kind = solve::preconditioner_of(choice);
  if (member.number() == 0)
    log::debug("*DYNAMIC: {} on {} devices", solve::name_of(choice, kind), member.size());
  const auto matrix = std::make_shared<const domains::TeamMatrix>(sparse::TeamCsr<double>(
      member,
      weighted(m, mass.own(), k, stiffness.own(), of_damping, damping == nullptr ? nullptr : &damping->own()),
      weighted(m, mass.beside(), k, stiffness.beside(), of_damping,
               damping == nullptr ? nullptr : &damping->beside()),
      stiffness.links()));
  dynamics::CgStepSolver::System system;
  system.matrix = matrix;
  if (computing_.ranks != nullptr && kind.over_team) {
    system.preconditioner = computing_.ranks->multigrid(
        *parts_, *matrix, [&] { return parts_->geometry(member.number(), computing_.cpu); }, monitor);
    return system;
  }
  system.preconditioner = kind.make({&matrix->matrix().own(),
                                     solve::MatrixKind::positive_definite,
                                     [&] { return parts_->geometry(member.number(), computing_.cpu); },
                                     {},
                                     matrix,
                                     &matrix->matrix()},
                                    monitor);
  return system;
}

template <class Do>
auto TeamMotion::together(Monitor* monitor, const Do& work) const {
  using Given = std::invoke_result_t<Do, dynamics::ImplicitDynamics&, Monitor&>;
  std::optional<Given> given;
  team_.run([&](const exec::Member& member) {
    Own& own = *members_[static_cast<std::size_t>(member.number())];
    const bool first = member.number() == std::max(0, team_.only());
    Given of_member = work(*own.motion, first && monitor != nullptr ? *monitor : own.silent);
    if (first) given.emplace(std::move(of_member));
  });
  return *given;
}

void TeamMotion::set_state(std::span<const double> u, std::span<const double> v) {
  for (int p = 0; p < team_.size(); ++p) {
    if (team_.here(p))
      members_[static_cast<std::size_t>(p)]->motion->set_state(parts_->values_of(p, u),
                                                               parts_->values_of(p, v));
  }
}

dynamics::StepSolve TeamMotion::begin(std::span<const double> factors, double of_stiffness,
                                      Monitor& monitor) {
  return together(&monitor, [&](dynamics::ImplicitDynamics& motion, Monitor& own) {
    return motion.begin(factors, of_stiffness, own);
  });
}

dynamics::StepSolve TeamMotion::advance(const dynamics::Newmark& scheme, std::span<const double> factors,
                                        std::span<const double> inertial, Monitor& monitor) {
  return together(&monitor, [&](dynamics::ImplicitDynamics& motion, Monitor& own) {
    return motion.advance(scheme, factors, inertial, own);
  });
}

void TeamMotion::replace_pattern(std::size_t k, std::span<const double> pattern) {
  for (int p = 0; p < team_.size(); ++p) {
    if (team_.here(p))
      members_[static_cast<std::size_t>(p)]->motion->replace_pattern(k, parts_->values_of(p, pattern));
  }
}

dynamics::LocalError TeamMotion::local_error() const {
  return together(nullptr,
                  [](const dynamics::ImplicitDynamics& motion, Monitor&) { return motion.local_error(); });
}

void TeamMotion::accept() {
  for (const std::unique_ptr<Own>& member : members_) {
    if (member) member->motion->accept();
  }
}

std::vector<double> TeamMotion::collected(std::vector<double> (dynamics::ImplicitDynamics::*values)()
                                              const) const {
  std::vector<double> all(static_cast<std::size_t>(parts_->scalar_rows()));
  for (int p = 0; p < team_.size(); ++p) {
    if (team_.here(p)) parts_->put(p, ((*members_[static_cast<std::size_t>(p)]->motion).*values)(), all);
  }
  team_.collect(all);
  return all;
}

std::vector<double> TeamMotion::displacements() const {
  return collected(&dynamics::ImplicitDynamics::displacements);
}

std::vector<double> TeamMotion::velocities() const {
  return collected(&dynamics::ImplicitDynamics::velocities);
}

int TeamMotion::preparations() const {
  return members_[static_cast<std::size_t>(std::max(0, team_.only()))]->motion->preparations();
}

}  // namespace setka::analysis
