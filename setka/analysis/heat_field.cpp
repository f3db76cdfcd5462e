// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_parts.hpp"
#include "setka/analysis/nodal_values.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/point_places.hpp"
#include "setka/fem/recovery.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

/// Temperatures of the sections of a hinged node, each by itself: the node has the mean of below and above,
/// and with something amid that of their parabolas. Where it is prescribed and has one section, that has it
/// all over.
void add_hinged_rows(const ExpandedNode& expanded, bool prescribed,
                     std::vector<std::vector<fem::Term>>& rows) {
  if (prescribed && expanded.turning.size() == 2) return;
  const double sections = static_cast<double>(expanded.turning.size()) / 2;
  const double share = -2 / (3 * sections);
  const auto set = [&](std::int32_t copy, std::int32_t own, double sign) {
    std::vector<fem::Term>& row = rows[static_cast<std::size_t>(copy)];
    row = {{expanded.node, 1.0}, {own, sign}};
    for (const std::int32_t middle : expanded.hinged_middles) {
      if (middle == own)
        row[1].coefficient += share;
      else
        row.push_back({middle, share});
    }
  };
  for (std::size_t i = 0; i < expanded.turning.size(); i += 2) {
    set(expanded.turning[i], expanded.turning[i], 1);
    set(expanded.turning[i + 1], expanded.turning[i], -1);
  }
  for (const std::int32_t middle : expanded.hinged_middles) set(middle, middle, 1);
}

/// Of each solids' node its temperature as multiples of those of the nodes of the mesh, and of how much
/// warmer than these their copies are. Copies are as warm as their node, but in a section of a shell or beam
/// that deforms freely: there the node has the mean of those by which it moves, and where its temperature is
/// prescribed they all have it. What is amid the sides of a beam has a temperature of its own in any case.
/// Layers and fibres have what the whole has there.
std::vector<std::vector<fem::Term>> rows_of_copies(const Solids& solids, std::int32_t nodes,
                                                   std::span<const std::int8_t> prescribed) {
  std::vector<std::vector<fem::Term>> rows(static_cast<std::size_t>(solids.node_count()));
  for (std::int32_t node = 0; node < solids.node_count(); ++node) {
    rows[static_cast<std::size_t>(node)] = {{solids.origin_of(node), 1.0}};
    const ExpandedNode* const expanded =
        node < nodes ? nullptr : solids.expanded_node(solids.origin_of(node));
    if (expanded == nullptr || expanded->knot >= 0 || expanded->hinged) continue;
    const bool averaged =
        node == expanded->middle || std::ranges::find(expanded->turning, node) != expanded->turning.end();
    if (!averaged || prescribed[static_cast<std::size_t>(expanded->node)] == 0)
      rows[static_cast<std::size_t>(node)].push_back({node, 1.0});
  }
  for (const ExpandedNode& expanded : solids.expanded) {
    if (expanded.hinged)
      add_hinged_rows(expanded, prescribed[static_cast<std::size_t>(expanded.node)] != 0, rows);
    if (expanded.knot >= 0 || expanded.hinged || prescribed[static_cast<std::size_t>(expanded.node)] != 0)
      continue;
    // Weights of the mean: a sixth, two thirds and a sixth over a parabola, else equal ones.
    const std::int32_t last = expanded.middle >= 0 ? expanded.middle : expanded.turning.back();
    std::vector<fem::Term>& row = rows[static_cast<std::size_t>(last)];
    SETKA_ASSERT(row.size() == 2);  // its own, which the others determine
    row.pop_back();
    for (const std::int32_t copy : expanded.turning) {
      if (copy != last) row.push_back({copy, expanded.middle >= 0 ? -0.25 : -1.0});
    }
  }
  for (const PartNode& part : solids.part_nodes) {
    std::vector<fem::Term>& row = rows[static_cast<std::size_t>(part.node)];
    row.clear();
    for (const fem::Term& share : part.share) {
      for (const fem::Term& term : rows[static_cast<std::size_t>(share.index)])
        row.push_back({term.index, share.coefficient * term.coefficient});
    }
    add_up(row);
  }
  return rows;
}

/// What the host has for one of several members.
exec::Device host_for(const exec::Member& member, const exec::Device& cpu) {
  if (member.transport() != nullptr) return cpu;
  return member.device().is_cuda() ? exec::Device::cpu(std::max(1, cpu.threads() / member.size()))
                                   : member.device();
}

}  // namespace

std::vector<fem::Element> heat_elements(const Setup& setup) {
  std::vector<fem::Element> types = setup.solids.type;
  for (std::size_t e = 0; e < types.size(); ++e) {
    fem::Element& type = types[e];
    const auto element = static_cast<std::int32_t>(e);
    if (type == fem::Element::spring) {
      throw Error(
          Fault::input,
          fmt::format("element {} is a spring: *HEAT TRANSFER is computed for solids, plane and axisymmetric "
                      "elements, shells and beams",
                      setup.model->mesh.element_label(element)),
          "take springs out of the deck of heat transfer");
    }
    if (type == fem::Element::hex8_incompatible || type == fem::Element::hex8_uniform)
      type = fem::Element::hex8;
  }
  return types;
}

bool is_unknown(const fem::Constraints& constraints, std::int32_t node) {
  return std::ranges::any_of(constraints.row(node), [&](const fem::Term& term) {
    return constraints.unknown_dofs()[static_cast<std::size_t>(term.index)] == node;
  });
}

fem::Constraints temperature_constraints(const Setup& setup, const LoadState& loads,
                                         std::span<const double> before, const HeatTime& time) {
  return temperature_constraints(setup, loads, before, [&](const model::PrescribedValue& value) {
    return prescribed_temperature(loads, value, before[static_cast<std::size_t>(value.node)], time);
  });
}

fem::Constraints temperature_constraints(const Setup& setup, const LoadState& loads,
                                         std::span<const double> before, const PrescribedNow& value_of) {
  const model::Model& model = *setup.model;
  const std::int32_t nodes = model.mesh.node_count();
  fem::ConstraintBuilder builder(
      setup.solids.node_count(),
      [&](std::int32_t node) {
        return fmt::format("the temperature of node {}", model.mesh.node_label(setup.solids.origin_of(node)));
      },
      [&](model::Line line) { return model.source(line); });
  std::vector<std::int8_t> used(static_cast<std::size_t>(nodes), 0);
  std::vector<std::int8_t> prescribed(static_cast<std::size_t>(nodes), 0);
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    for (const std::int32_t node : model.mesh.nodes(e)) used[static_cast<std::size_t>(node)] = 1;
  }
  for (const model::PrescribedValue& value : loads.prescribed()) {
    if (value.direction != temperature_direction || value.imaginary) continue;
    used[static_cast<std::size_t>(value.node)] = 1;
    prescribed[static_cast<std::size_t>(value.node)] = 1;
    builder.prescribe(value.node, value_of(value), value.line);
  }
  std::vector<fem::Term> terms;
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const model::Equation& equation = model.equations[i];
    if (!loads.has_equation(i) || equation.terms.front().direction != temperature_direction) continue;
    terms.clear();
    for (const model::EquationTerm& term : equation.terms) {
      terms.push_back({term.node, term.coefficient});
      used[static_cast<std::size_t>(term.node)] = 1;
    }
    builder.add_equation(terms, equation.constant, equation.line);
  }
  // What nothing reaches stays as warm as it is.
  for (std::int32_t node = 0; node < nodes; ++node) {
    if (used[static_cast<std::size_t>(node)] == 0)
      builder.prescribe(node, before[static_cast<std::size_t>(node)], {});
  }
  if (setup.solids.origin.empty()) return builder.build();
  const auto rows = rows_of_copies(setup.solids, nodes, prescribed);
  for (std::int32_t copy = nodes; copy < setup.solids.node_count(); ++copy) {
    const auto& row = rows[static_cast<std::size_t>(copy)];
    if (row.size() < 2 || row[1].index != copy)
      builder.leave_out(copy);  // a temperature of its own is second
  }
  return builder.build().compose(rows);
}

HeatSpace heat_space(const Setup& setup, fem::Constraints constraints) {
  const auto types = std::make_shared<const std::vector<fem::Element>>(heat_elements(setup));
  const fem::Region region{setup.solids.coordinates, *types, setup.solids.first_node, setup.solids.node, {}};
  return {types, fem::Space(region, 1, std::move(constraints))};
}

HeatField::HeatField(const Setup& setup, const exec::Device& device, const exec::Device& cpu,
                     std::shared_ptr<const std::vector<fem::Element>> types, const fem::Space& space,
                     std::span<const std::int32_t> elements, bool with_capacity)
    : setup_(setup),
      device_(device),
      cpu_(cpu),
      types_(std::move(types)),
      region_(space.region()),
      elements_(elements),
      materials_(setup, region_, elements, with_capacity),
      set_(std::make_shared<const fem::ElementSet>(device, region_)),
      dofs_(std::make_shared<const fem::DofMap>(device, space)),
      all_(std::make_shared<const fem::DofMap>(
          device, fem::Space(region_, 1, fem::Constraints::none(region_.node_count())))) {}

HeatField::HeatField(const Setup& setup, const Computing& computing, HeatSpace space, bool with_capacity)
    : HeatField(setup, computing.device, computing.cpu, std::move(space.types), space.space, {},
                with_capacity) {}

HeatField::HeatField(const Setup& setup, const Computing& computing, fem::Constraints constraints,
                     bool with_capacity)
    : HeatField(setup, computing, heat_space(setup, std::move(constraints)), with_capacity) {}

HeatField::HeatField(const Setup& setup, const exec::Member& member, const exec::Device& cpu,
                     const domains::SpaceParts& parts, bool with_capacity)
    : HeatField(setup, member.device(), host_for(member, cpu), nullptr, parts.space(member.number()),
                parts.elements(member.number()), with_capacity) {}

std::optional<std::int32_t> not_held(const Setup& setup, const fem::Space& space,
                                     std::span<const std::int32_t> losing) {
  const fem::Constraints& constraints = space.constraints();
  const auto unknowns = static_cast<std::size_t>(constraints.unknown_count());
  std::vector<std::int32_t> leader(unknowns);
  std::iota(leader.begin(), leader.end(), 0);
  const auto leader_of = [&](std::int32_t unknown) {
    while (leader[static_cast<std::size_t>(unknown)] != unknown) {
      std::int32_t& next = leader[static_cast<std::size_t>(unknown)];
      unknown = next = leader[static_cast<std::size_t>(next)];
    }
    return unknown;
  };
  std::vector<std::int8_t> held(unknowns, 0);
  const std::int32_t mesh_nodes = setup.model->mesh.node_count();
  // A constant is no solution where a temperature is not a mean of others.
  const auto is_mean = [&](std::int32_t node) {
    double sum = 0;
    for (const fem::Term& term : constraints.row(node)) {
      if (constraints.unknown_dofs()[static_cast<std::size_t>(term.index)] < mesh_nodes)
        sum += term.coefficient;
    }
    return std::abs(sum - 1) < 1e-9;
  };
  const auto hold = [&](std::int32_t element) {
    for (const std::int32_t node : setup.solids.nodes(element)) {
      for (const fem::Term& term : constraints.row(node)) held[static_cast<std::size_t>(term.index)] = 1;
    }
  };
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    std::int32_t first = -1;
    bool means = true;
    for (const std::int32_t node : setup.solids.nodes(e)) {
      means = means && is_mean(node);
      for (const fem::Term& term : constraints.row(node)) {
        const std::int32_t own = leader_of(term.index);
        if (first < 0) first = own;
        leader[static_cast<std::size_t>(own)] = first = leader_of(first);
      }
    }
    if (!means) hold(e);
  }
  for (const std::int32_t element : losing) hold(element);
  std::vector<std::int8_t> part_held(unknowns, 0);
  for (std::size_t q = 0; q < unknowns; ++q) {
    if (held[q] != 0) part_held[static_cast<std::size_t>(leader_of(static_cast<std::int32_t>(q)))] = 1;
  }
  for (std::size_t q = 0; q < unknowns; ++q) {
    if (part_held[static_cast<std::size_t>(leader_of(static_cast<std::int32_t>(q)))] != 0) continue;
    return setup.solids.origin_of(constraints.unknown_dofs()[q]);
  }
  return std::nullopt;
}

std::shared_ptr<const fem::Form> HeatField::conduction(std::span<const double> temperature) const {
  const HeatCoefficients of = materials_.conductivity(temperature, cpu_.threads());
  return std::make_shared<const fem::Form>(fem::FormKind::conduction, set_, 1, of.table, of.row_of);
}

std::shared_ptr<const fem::Form> HeatField::capacity(std::span<const double> temperature) const {
  const HeatCoefficients of = materials_.capacity(temperature, cpu_.threads());
  return std::make_shared<const fem::Form>(fem::FormKind::mass, set_, 1, of.table, of.row_of);
}

sparse::BlockCsr<double> HeatField::assemble(const fem::Form& form, Monitor& monitor) {
  if (space().blocks() == 0) return domains::no_rows(device_, 1);
  if (dofs_->picks()) {
    if (!pattern_) pattern_.emplace(device_, *set_, *dofs_);
    return std::move(pattern_->assemble(device_, form, *dofs_).matrix);
  }
  fem::ElementMatrices matrices(*set_, 1);
  form.integrate(device_, matrices);
  device_.synchronize();
  return fem::assemble(dofs_->space(), fem::element_matrices_on_host(*set_, matrices), cpu_, monitor)
      .matrix.to(device_);
}

std::vector<double> HeatField::conducted(const std::shared_ptr<const fem::Form>& conduction,
                                         const exec::Array<double>& temperature) const {
  exec::Array<double> heat(device_, temperature.size());
  fem::FormOperator(conduction, all_).apply(device_, temperature, heat);
  return heat.to_vector();
}

exec::Array<double> HeatField::device_flux(const fem::PointPlaces& places, const fem::Form& conduction,
                                           const exec::Array<double>& temperature) const {
  exec::Array<double> flux(device_, 3 * places.count());
  conduction.flux_at_points(device_, places, temperature, flux);
  exec::scale(device_, -1.0, flux);  // against the gradient
  return flux;
}

bool HeatField::points_agree() const {
  for (std::int32_t e = 0; e < region_.element_count(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    const auto of_model = static_cast<std::size_t>(elements_.empty() ? e : elements_[at]);
    if (fem::point_count(region_.type[at]) !=
        setup_.points.first_point[of_model + 1] - setup_.points.first_point[of_model])
      return false;
  }
  return true;
}

void HeatField::take_flux(const fem::Form& conduction, const exec::Array<double>& temperature,
                          const Wanted& wanted, HeatFrame& values) const {
  if (wanted.at_points.contains("HFL") || !points_agree()) {
    values.flux_at_points = flux_at_points(conduction, temperature);
    return;
  }
  const fem::PointPlaces places(*set_);
  values.flux_at_nodes =
      fem::node_means<3>(device_, *set_, places, device_flux(places, conduction, temperature));
}

std::vector<double> HeatField::flux_at_points(const fem::Form& conduction,
                                              const exec::Array<double>& temperature) const {
  std::vector<double> values = device_flux(fem::PointPlaces(*set_), conduction, temperature).to_vector();
  if (points_agree()) return values;
  // Of elements that have other points elsewhere, the mean of those here.
  std::vector<double> means;
  means.reserve(values.size());
  std::size_t first = 0;
  for (std::int32_t e = 0; e < region_.element_count(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    const auto of_model = static_cast<std::size_t>(elements_.empty() ? e : elements_[at]);
    const auto here = static_cast<std::size_t>(fem::point_count(region_.type[at]));
    const auto wanted = static_cast<std::size_t>(setup_.points.first_point[of_model + 1] -
                                                 setup_.points.first_point[of_model]);
    for (std::size_t p = 0; p < wanted; ++p) {
      for (std::size_t k = 0; k < 3; ++k) {
        double value = values[3 * (first + p) + k];
        if (wanted != here) {
          value = 0;
          for (std::size_t q = 0; q < here; ++q)
            value += values[3 * (first + q) + k] / static_cast<double>(here);
        }
        means.push_back(value);
      }
    }
    first += here;
  }
  return means;
}

bool wants_conducted(const Wanted& wanted) {
  return wanted.at_nodes.contains("RFL");
}

bool wants_flux(const Wanted& wanted) {
  return wanted.at_nodes.contains("HFL") || wanted.at_points.contains("HFL");
}

void fill_heat_frame(const Setup& setup, HeatFrame values, const Wanted& wanted, int threads,
                     model::Frame& frame) {
  const auto nodes = static_cast<std::size_t>(setup.model->mesh.node_count());
  values.temperature.resize(setup.result_nodes());
  frame.node_fields.push_back({"NT", 1, std::move(values.temperature)});
  if (wants_conducted(wanted)) {
    std::vector<double>& heat = values.conducted;
    for (const PartNode& part : setup.solids.part_nodes) {
      const double own = std::exchange(heat[static_cast<std::size_t>(part.node)], 0.0);
      for (const fem::Term& share : part.share)
        heat[static_cast<std::size_t>(share.index)] += share.coefficient * own;
    }
    for (std::size_t i = 0; i < setup.solids.origin.size(); ++i)
      heat[static_cast<std::size_t>(setup.solids.origin[i])] += heat[nodes + i];
    heat.resize(setup.result_nodes());
    frame.node_fields.push_back({"RFL", 1, std::move(heat)});
  }
  std::vector<double>& flux = values.flux_at_points;
  if (wanted.at_nodes.contains("HFL")) {
    if (values.flux_at_nodes.empty()) values.flux_at_nodes = solid_node_values(setup, 3, flux, threads);
    frame.node_fields.push_back({"HFL", 3, mesh_node_values(setup, 3, std::move(values.flux_at_nodes))});
  }
  if (wanted.at_points.contains("HFL"))
    frame.point_fields.push_back({"HFL", 3, result_point_values(setup, 3, std::move(flux))});
}

void fill_heat_frame(const Setup& setup, const HeatField& of_all,
                     const std::shared_ptr<const fem::Form>& conduction,
                     const exec::Array<double>& temperature, const Wanted& wanted, int threads,
                     model::Frame& frame) {
  HeatFrame values{temperature.to_vector(), {}, {}, {}};
  if (wants_conducted(wanted)) values.conducted = of_all.conducted(conduction, temperature);
  if (wants_flux(wanted)) of_all.take_flux(*conduction, temperature, wanted, values);
  fill_heat_frame(setup, std::move(values), wanted, threads, frame);
}

}  // namespace setka::analysis
