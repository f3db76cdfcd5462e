// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_modes.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/modes/iterative.hpp"
#include "setka/modes/motions_of_parts.hpp"

namespace setka::domains {
namespace {

constexpr double usual_tolerance = 1e-6;  // of iterations, as modes::find() has it

/// A matrix in the memory of the host.
class OnHost {
 public:
  explicit OnHost(const sparse::BlockCsr<double>& given) : given_(given) {
    if (given.device().is_cuda()) moved_.emplace(given.to(exec::Device::cpu()));
  }
  const sparse::BlockCsr<double>& operator()() const { return moved_ ? *moved_ : given_; }

 private:
  const sparse::BlockCsr<double>& given_;
  std::optional<sparse::BlockCsr<double>> moved_;
};

/// Motions of the pieces of a model over all rows, found out when the first member asks.
class MotionsOfAll {
 public:
  explicit MotionsOfAll(const std::function<modes::Motions()>& find) : find_(find) {}

  modes::Motions of(const RowParts& parts, int p) {
    std::call_once(once_, [&] { all_ = find_(); });
    return {all_.count, parts.values_of(p, all_.values, parts.block() * static_cast<int>(all_.count))};
  }

 private:
  const std::function<modes::Motions()>& find_;
  std::once_flag once_;
  modes::Motions all_;
};

void check(const modes::Choice& choice) {
  if (choice.method != modes::Method::automatic && choice.method != modes::Method::lobpcg &&
      choice.method != modes::Method::subspace) {
    throw Error(Fault::usage, "several devices find modes by LOBPCG or subspace iteration",
                "choose the method lobpcg or subspace, or name one device");
  }
}

/// The matrix as its member has it.
modes::SystemMatrix matrix_of(const exec::Member& member, const DistributedMatrix& matrix) {
  const TeamMatrix& own = *matrix.of(member);
  return {&own.matrix().own(), &own, &own.matrix(), {}, {}};
}

modes::SystemMatrix matrix_of(const exec::Member& member, const DistributedOperator& matrix) {
  const DistributedOperator::Rows& own = matrix.of(member);
  return {nullptr, own.product.get(), nullptr, own.diagonal_blocks, {}};
}

template <class Matrix>
modes::Modes found_over_team(const EigenSystemInParts<Matrix>& system, const exec::Device& cpu,
                             modes::Request request, const modes::Choice& choice, Monitor& monitor) {
  check(choice);
  if (request.tolerance == 0) request.tolerance = usual_tolerance;
  const RowParts& parts = system.stiffness.parts();
  const exec::Team& team = system.stiffness.team();
  MotionsOfAll motions(system.motions);
  modes::Modes found;
  team.run([&](const exec::Member& member) {
    const int p = member.number();
    Monitor silent;
    modes::EigenSystem own;
    own.stiffness = matrix_of(member, system.stiffness);
    own.mass = matrix_of(member, system.mass);
    own.geometry = [&] { return system.geometry(p); };
    own.motions = [&] { return motions.of(parts, p); };
    own.free = system.free;
    const modes::Iteration iteration{choice.method == modes::Method::subspace,
                                     modes::preconditioner_for(own, choice.preconditioner)};
    modes::Modes of_member =
        modes::iterated(member.device(), cpu, own, request, iteration, p == 0 ? monitor : silent);
    const std::vector<double> shapes = std::move(of_member.shape);
    const std::size_t count = of_member.lambda.size();
    if (p == 0 || team.only() == p) {
      found = std::move(of_member);
      found.rows = system.stiffness.scalar_rows();
      found.shape.assign(static_cast<std::size_t>(found.rows) * count, 0.0);
    }
    member.meet();
    parts.put(p, shapes, found.shape, parts.block() * static_cast<int>(count));
  });
  team.collect(found.shape);
  found.method +=
      fmt::format(" on {} {}", team.size(), team.transport() != nullptr ? "processes" : "devices");
  modes::fix_signs(found, cpu.threads());
  modes::keep_unknowns(system.place, cpu, found);
  return found;
}

}  // namespace

modes::Modes find_modes(const exec::Team& team, const exec::Device& cpu, const modes::EigenSystem& system,
                        modes::Request request, const modes::Choice& choice, Monitor& monitor) {
  check(choice);
  if (!system.assembled()) {
    throw Error(Fault::usage, "several devices find modes of assembled matrices",
                "leave --operator out, or name one device");
  }
  require(system.start_count == 0, "domains::find_modes: shapes to begin with are of one device");
  std::optional<Stage> stage(monitor.stage("share out"));
  const OnHost k(*system.stiffness.assembled);
  const OnHost m(*system.mass.assembled);
  const solve::AmgGeometry geometry = system.geometry();
  const auto parts = std::make_shared<const MatrixParts>(
      k(), partition(matrix_graph(k(), geometry.coordinates, cpu.threads()), team));
  const DistributedMatrix stiffness(team, parts);
  const DistributedMatrix mass(team, std::make_shared<const MatrixParts>(m(), *parts));
  stage.reset();
  return find_modes(
      {stiffness, mass, [&](int p) { return geometry_of_part(*parts, p, geometry); },
       [&] { return modes::motions_of_parts(modes::parts_of(k()), geometry, modes::max_lobpcg_columns); },
       system.place, system.free},
      cpu, request, choice, monitor);
}

modes::Modes find_modes(const TeamEigenSystem& system, const exec::Device& cpu, modes::Request request,
                        const modes::Choice& choice, Monitor& monitor) {
  return found_over_team(system, cpu, request, choice, monitor);
}

modes::Modes find_modes(const UnassembledEigenSystem& system, const exec::Device& cpu, modes::Request request,
                        const modes::Choice& choice, Monitor& monitor) {
  return found_over_team(system, cpu, request, choice, monitor);
}

}  // namespace setka::domains
