// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/solve_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/free_motions.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/domains/distributed_product.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/domains/substructures.hpp"
#include "setka/domains/team_solver.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/vector.hpp"
#include "setka/model/element_type.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::analysis {
namespace {

/// A pivot that is a smaller part of its diagonal makes one look for motions without stiffness.
constexpr double suspicious_pivot = 1e-12;

/// What rounding leaves of the stiffness of a motion without any, relative to the diagonal. The solid of a
/// bar is stiffer across than along by the square of its slenderness, and that has to cancel out; the ends of
/// the bar lean with a stiffness that is smaller by the same square, which is none of rounding.
double noise_of(const Setup& setup) {
  const model::Model& model = *setup.model;
  double most = 1;  // square of the slenderness
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    if (model::family(model.mesh, e) != model::Family::truss) continue;
    const auto a = model.mesh.coordinates(model.mesh.nodes(e)[0]);
    const auto b = model.mesh.coordinates(model.mesh.nodes(e)[1]);
    const double length = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const std::int32_t section = setup.section_of[static_cast<std::size_t>(e)];
    most = std::max(most, length * length / model.sections[static_cast<std::size_t>(section)].thickness);
  }
  return std::min(solve::min_noise * most, 0.1 / most);
}

constexpr std::int32_t most_mechanisms = 200;

[[noreturn]] void refuse_singular(const Setup& setup, const fem::Constraints& users, std::int32_t unknown) {
  std::string where;
  for (std::int32_t d = 0; d < 3 * setup.model->mesh.node_count() && where.empty(); ++d) {
    for (const fem::Term& term : users.row(d)) {
      if (term.index == unknown)
        where = fmt::format(" near node {}, direction {}", setup.model->mesh.node_label(d / 3), d % 3 + 1);
    }
  }
  throw Error(Fault::input,
              fmt::format("the stiffness matrix is singular{}: a part of the model is not held", where),
              "look for parts that hang together by nothing, or by a hinge");
}

/// "node 2 along y": where a motion is largest.
std::string place_of(const Setup& setup, const fem::Constraints& constraints,
                     const solve::SparseVector& motion) {
  static constexpr std::array axes{"x", "y", "z"};
  std::vector<double> q(static_cast<std::size_t>(constraints.unknown_count()), 0.0);
  for (std::size_t i = 0; i < motion.row.size(); ++i)
    q[static_cast<std::size_t>(motion.row[i])] = motion.value[i];
  double largest = 0;
  std::int32_t node = -1;
  std::array<double, 3> way{};
  for (std::int32_t n = 0; n < setup.model->mesh.node_count(); ++n) {
    std::array<double, 3> u{};
    double squares = 0;
    for (std::int32_t k = 0; k < 3; ++k) {
      for (const fem::Term& term : constraints.row(3 * n + k))
        u[static_cast<std::size_t>(k)] += term.coefficient * q[static_cast<std::size_t>(term.index)];
      squares += u[static_cast<std::size_t>(k)] * u[static_cast<std::size_t>(k)];
    }
    if (squares <= largest * 1.000001) continue;  // of equal ones the first
    largest = squares;
    node = n;
    way = u;
  }
  if (node < 0) return "the section of a truss";
  std::vector<std::string> along;
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(way[k]) > 1e-3 * std::sqrt(largest)) along.emplace_back(axes[k]);
  }
  return fmt::format("node {} along {}", setup.model->mesh.node_label(node), join_words(along));
}

std::string mechanisms_in_words(const Setup& setup, const fem::Constraints& constraints,
                                const std::vector<solve::SparseVector>& motions) {
  constexpr std::size_t most_told = 3;
  std::vector<std::string> places;
  for (const solve::SparseVector& motion : motions) {
    if (places.size() < most_told) places.push_back(place_of(setup, constraints, motion));
  }
  if (motions.size() > most_told) places.push_back(fmt::format("{} more", motions.size() - most_told));
  return fmt::format("the model is a mechanism: nothing holds {}", join_words(places));
}

/// Finds what is free, tells it, and holds it by springs that carry nothing.
class FreeSpace {
 public:
  FreeSpace(const Setup& setup, const fem::Constraints& constraints, Stiffness& stiffness,
            const std::vector<double>& forces)
      : setup_(setup),
        constraints_(constraints),
        stiffness_(stiffness),
        forces_(forces),
        noise_(noise_of(setup)) {}

  /// Whether a pivot of a factorisation may be rounding.
  bool doubts(double pivot) const { return pivot < std::max(suspicious_pivot, 10 * noise_); }

  /// What bodies do that the constraints do not hold; once for a stiffness.
  void find_rigid(const fem::Constraints& users) {
    if (stiffness_.free) {
      for (const solve::NullSpace::Group& group : stiffness_.free->groups())
        judge(group.name, of_unknowns(group));
      return;
    }
    stiffness_.free.emplace();
    for (FreeMotion& motion :
         stiffness_.motions.valid() ? stiffness_.motions.get() : free_motions(setup_, users)) {
      if (!motion.certain || !without_stiffness(motion.vectors)) continue;
      judge(motion.text, motion.vectors);
      add(std::move(motion.text), std::move(motion.vectors));
    }
  }

  /// What the matrix shows besides. False: nothing that could be helped.
  bool find_mechanisms(const sparse::SymmetricCsr& matrix) {
    std::vector<solve::SparseVector> vectors = solve::null_vectors(matrix, most_mechanisms, noise_);
    if (vectors.empty()) return false;
    std::string text = mechanisms_in_words(setup_, constraints_, vectors);
    judge(text, vectors);
    add(std::move(text), std::move(vectors));
    return true;
  }

  /// Warns, or throws where forces drive a motion.
  void judge(const std::string& text, const std::vector<solve::SparseVector>& vectors) const {
    if (std::ranges::any_of(vectors, [&](const auto& z) { return drives(constraints_, forces_, z); })) {
      throw Error(Fault::input, text + ", and the loads would set it moving", "add *BOUNDARY that holds it");
    }
    log::warning("{}; no load drives that, and the answer has nothing of it", text);
  }

 private:
  std::vector<solve::SparseVector> of_unknowns(const solve::NullSpace::Group& group) const {
    const std::span<const std::int32_t> place = stiffness_.space.places();
    std::vector<solve::SparseVector> vectors = group.vectors;
    for (solve::SparseVector& vector : vectors) {
      for (std::int32_t& row : vector.row)
        row = static_cast<std::int32_t>(std::ranges::lower_bound(place, row) - place.begin());
    }
    return vectors;
  }

  void add(std::string text, std::vector<solve::SparseVector> vectors) {
    const std::size_t group = stiffness_.free->groups().size();
    for (solve::SparseVector& vector : vectors) {
      for (std::int32_t& row : vector.row) row = stiffness_.space.places()[static_cast<std::size_t>(row)];
    }
    stiffness_.free->add(std::move(text), std::move(vectors));
    hold(stiffness_.free->held_rows(group));
  }

  const solve::Operator& product() {
    if (stiffness_.product) return *stiffness_.product;
    if (stiffness_.shared) {
      if (!of_shared_) of_shared_.emplace(*stiffness_.shared);
      return *of_shared_;
    }
    if (stiffness_.shared_product) {
      if (!of_shared_) of_shared_.emplace(*stiffness_.shared_product);
      return *of_shared_;
    }
    if (!of_matrix_) of_matrix_.emplace(*stiffness_.matrix);
    return *of_matrix_;
  }

  /// A body that is loaded already may resist to turn although nothing holds it.
  bool without_stiffness(const std::vector<solve::SparseVector>& vectors) {
    const double hardly = std::max(1e-10, 10 * noise_);
    const std::span<const std::int32_t> place = stiffness_.space.places();
    const exec::Device& device = product().device();
    exec::Array<double> force(device, product().rows());
    for (const solve::SparseVector& vector : vectors) {
      std::vector<double> z(static_cast<std::size_t>(product().rows()), 0.0);
      std::vector<std::int32_t> rows;
      for (std::size_t i = 0; i < vector.row.size(); ++i) {
        rows.push_back(place[static_cast<std::size_t>(vector.row[i])]);
        z[static_cast<std::size_t>(rows.back())] = vector.value[i];
      }
      const std::vector<double> diagonal = diagonal_at(rows);
      double scale = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) scale += diagonal[i] * vector.value[i] * vector.value[i];
      const exec::Array<double> motion(device, z);
      product().apply(device, motion, force);
      if (std::abs(exec::dot(device, motion, force)) > hardly * scale) return false;
    }
    return true;
  }

  std::vector<double> diagonal_at(const std::vector<std::int32_t>& rows) const {
    if (stiffness_.matrix) return solve::diagonal_at(*stiffness_.matrix, rows);
    if (stiffness_.shared) return stiffness_.shared->diagonal_at(rows);
    if (stiffness_.shared_product && stiffness_.diagonal.empty())
      stiffness_.diagonal = stiffness_.shared_product->diagonal();
    std::vector<double> diagonal;
    diagonal.reserve(rows.size());
    for (const std::int32_t row : rows)
      diagonal.push_back(stiffness_.diagonal[static_cast<std::size_t>(row)]);
    return diagonal;
  }

  /// By springs as stiff as what is there.
  void hold(const std::vector<std::int32_t>& rows) {
    const std::vector<double> stiff = diagonal_at(rows);
    const double largest = *std::ranges::max_element(stiff);
    std::vector<solve::Support> supports;
    for (std::size_t i = 0; i < rows.size(); ++i)
      supports.push_back({rows[i], stiff[i] > 0 ? stiff[i] : (largest > 0 ? largest : 1.0)});
    if (stiffness_.matrix) solve::add_supports(*stiffness_.matrix, supports);
    if (stiffness_.shared) stiffness_.shared->add_supports(supports);
    if (stiffness_.shared_product) stiffness_.shared_product->add_supports(supports);
    if (stiffness_.product) stiffness_.product = solve::supported(stiffness_.product, std::move(supports));
  }

  const Setup& setup_;
  const fem::Constraints& constraints_;
  Stiffness& stiffness_;
  const std::vector<double>& forces_;
  double noise_;
  std::optional<solve::BlockCsrOperator> of_matrix_;
  std::optional<domains::DistributedProduct> of_shared_;
};

}  // namespace

solve::SolveResult solve_system(const Setup& setup, const fem::Constraints& constraints,
                                const fem::Constraints& users, Stiffness& stiffness,
                                const std::vector<double>& forces, const Computing& computing,
                                Monitor& monitor) {
  const fem::Space& space = stiffness.space;
  FreeSpace free(setup, constraints, stiffness, forces);
  std::optional<Stage> stage(monitor.stage("free motions"));
  free.find_rigid(users);
  stage.reset();
  stage.emplace(monitor.stage("right-hand side"));
  const auto unknowns = [&] { return sparse::over_unknowns(*stiffness.matrix, space.places()); };
  std::vector<double> b = forces.empty() ? std::vector<double>(static_cast<std::size_t>(space.size()))
                                         : space.restrict_forces(forces, computing.cpu);
  if (constraints.shifted()) {
    for (std::size_t i = 0; i < b.size(); ++i) b[i] -= stiffness.from_shifts[i];
  }
  stage.reset();

  const bool in_substructures = static_cast<bool>(stiffness.element_matrix);
  const auto solved = [&] {
    std::vector<double> right = b;
    stiffness.free->project_out(right);
    if (in_substructures) {
      return domains::solve_by_substructures(computing.cpu,
                                             {space, stiffness.element_matrix, *stiffness.matrix}, right,
                                             *computing.substructures, computing.solver, monitor);
    }
    if (stiffness.shared && computing.ranks != nullptr) {
      const int here = computing.ranks->number();
      return computing.ranks->solve(
          {*stiffness.shared, [&] { return stiffness.parts->geometry(here, computing.cpu); },
           constraints.unknown_count(), stiffness.free->groups().empty() ? stiffness.unassembled : nullptr},
          right, computing.solver, monitor);
    }
    if (stiffness.shared) {
      return domains::solve(
          {*stiffness.shared, [&](int part) { return stiffness.parts->geometry(part, computing.cpu); },
           constraints.unknown_count()},
          right, computing.solver, monitor);
    }
    if (stiffness.shared_product) {
      const domains::UnassembledSystem system{*stiffness.shared_product, constraints.unknown_count()};
      return computing.ranks != nullptr ? computing.ranks->solve(system, right, computing.solver, monitor)
                                        : domains::solve(system, right, computing.solver, monitor);
    }
    solve::LinearSystem system;
    system.matrix = stiffness.matrix ? &*stiffness.matrix : nullptr;
    system.product = stiffness.product.get();
    system.preconditioner = stiffness.preconditioner.get();
    system.geometry = [&] { return space.amg_geometry(computing.cpu); };
    system.place = space.places();
    system.ordered = &stiffness.ordered;
    system.unknown_count = constraints.unknown_count();
    if (computing.ranks != nullptr)
      return domains::solve(*computing.ranks, *computing.team, system, right, computing.solver, monitor);
    if (computing.team) return domains::solve(*computing.team, system, right, computing.solver, monitor);
    return solve::solve(computing.device, system, right, computing.solver, monitor);
  };
  // Conjugate gradients do not notice what bars leave free where loads balance: a factorisation has to look.
  const bool factorises = solve::factorises(computing.solver, constraints.unknown_count()) &&
                          !stiffness.product && !in_substructures;
  if (!factorises && stiffness.matrix && solve::Cholesky::available() && !solids_alone(setup) &&
      solve::factorises({}, constraints.unknown_count())) {
    free.find_mechanisms(unknowns());
  }
  solve::SolveResult result = solved();
  const solve::SolveReport& report = result.report;
  const bool suspicious = report.singular >= 0 || (report.factorised && free.doubts(report.min_pivot));
  if (suspicious && stiffness.matrix && solve::Cholesky::available() && free.find_mechanisms(unknowns()))
    result = solved();
  if (report.singular >= 0) refuse_singular(setup, users, report.singular);
  if (!std::isfinite(report.residual)) {
    throw Error(Fault::input, "the solution is not a number",
                "check loads and materials for values out of range");
  }
  stiffness.free->project_out(result.x);
  return result;
}

}  // namespace setka::analysis
