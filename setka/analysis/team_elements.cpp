// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/team_elements.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "setka/analysis/element_products.hpp"
#include "setka/domains/team_product.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/copy.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/fem/element_operator.hpp"
#include "setka/fem/form.hpp"

namespace setka::analysis {
namespace {

/// Of matrices on their way to the diagonal. It stays taken, and a process may be there for every core.
std::int64_t bytes_at_once(const exec::Device& device) {
  return std::int64_t{device.is_cuda() ? 128 : 8} << 20;
}

/// A form on the elements of a part, with its matrices where they are stored.
struct PartOfForm {
  std::shared_ptr<const fem::Form> form;
  std::shared_ptr<const fem::ElementMatrices> matrices;

  std::shared_ptr<const solve::Operator> product(std::shared_ptr<const fem::DofMap> unknowns) const {
    if (matrices == nullptr) return fem::matrix_free(form, std::move(unknowns));
    return std::make_shared<const fem::StoredElementOperator>(form->set(), matrices, std::move(unknowns));
  }

  /// [rows / n, n, n] of the first rows of the part, whose sums are complete.
  exec::Array<double> diagonal_blocks(const fem::DofMap& unknowns, std::int64_t rows, int n) const {
    const exec::Device& device = unknowns.device();
    exec::Array<double> with_ghosts(device, unknowns.size() * n);
    if (matrices == nullptr)
      fem::diagonal(device, *form, unknowns, with_ghosts, n, bytes_at_once(device));
    else
      fem::diagonal(device, *form->set(), *matrices, unknowns, with_ghosts, n);
    exec::Array<double> d(device, rows * n);
    exec::copy_async<double>(device, with_ghosts.view().part(0, d.size()), d);
    device.synchronize();
    return d;
  }

  /// T'Kg over the rows of the part and its ghosts.
  std::vector<double> from_shifts(const fem::Space& space) const {
    const exec::Device& device = form->set()->device();
    const fem::Constraints& constraints = space.constraints();
    const fem::Space all(space.region(), space.components(), fem::Constraints::none(constraints.dof_count()));
    const exec::Array<double> g(device, constraints.shifts());
    exec::Array<double> f(device, g.size());
    product(std::make_shared<const fem::DofMap>(device, all))->apply(device, g, f);
    return space.spread(constraints.restrict_forces(f.to_vector()));
  }
};

}  // namespace

TeamElements::TeamElements(const Setup& setup, const ElementState& state, const fem::Space& space,
                           const Computing& computing, Monitor& monitor)
    : setup_(setup),
      team_(*computing.team),
      kind_(computing.operator_kind),
      materials_(materials_for_products(setup, state, computing)),
      members_(static_cast<std::size_t>(team_.size())) {
  const std::string obstacle = obstacle_to_parts(setup, team_.size());
  if (!obstacle.empty())
    refuse_operator("the model cannot be shared out: " + obstacle,
                    "use --operator assembled, or one device in one process");
  parts_ = parts_for(space, team_, computing.cpu, monitor);
}

const TeamElements::Own& TeamElements::own(const exec::Member& member) {
  std::unique_ptr<const Own>& own = members_[static_cast<std::size_t>(member.number())];
  if (own == nullptr) {
    const int p = member.number();
    const fem::Space& space = parts_->space(p);
    own = std::make_unique<const Own>(
        Own{std::make_shared<const fem::ElementSet>(member.device(), space.region()),
            std::make_shared<const fem::DofMap>(member.device(), space),
            materials_.of_elements(setup_, parts_->elements(p))});
  }
  return *own;
}

domains::DistributedOperator::Rows TeamElements::rows_of(const exec::Member& member,
                                                         TeamAssembly::FormOf form,
                                                         std::vector<double>& from_shifts) {
  const int p = member.number();
  const exec::Device& device = member.device();
  const domains::RowsOfPart& rows = parts_->part(p);
  if (parts_->space(p).blocks() == 0)
    return {std::make_shared<domains::TeamProduct>(member, nullptr, parts_->block(), rows),
            [device](int) { return exec::Array<double>(device); }};
  const Own& here = own(member);
  PartOfForm part{(here.materials.*form)(here.set), nullptr};
  if (kind_ == OperatorKind::elements) {
    const auto matrices = std::make_shared<fem::ElementMatrices>(*here.set);
    part.form->integrate(device, *matrices);
    device.synchronize();
    part.matrices = matrices;
  }
  const std::int64_t owned = parts_->block() * static_cast<std::int64_t>(rows.rows.size());
  if (parts_->space(p).constraints().shifted()) {
    const std::vector<double> shifts = part.from_shifts(parts_->space(p));
    parts_->put(p, std::span(shifts).first(static_cast<std::size_t>(owned)), from_shifts);
  }
  return {
      std::make_shared<domains::TeamProduct>(member, part.product(here.unknowns), parts_->block(), rows),
      [part, unknowns = here.unknowns, owned](int n) { return part.diagonal_blocks(*unknowns, owned, n); }};
}

SharedProducts TeamElements::products(TeamAssembly::FormOf form, Monitor& monitor) {
  const Stage stage = monitor.stage("elements", setup_.solids.element_count(), "elements");
  SharedProducts made;
  made.from_shifts.assign(static_cast<std::size_t>(parts_->scalar_rows()), 0.0);
  made.product = std::make_shared<domains::DistributedOperator>(
      team_, parts_, [&](const exec::Member& member) { return rows_of(member, form, made.from_shifts); });
  team_.collect(made.from_shifts);
  return made;
}

}  // namespace setka::analysis
