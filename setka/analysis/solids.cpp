// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/element_parts.hpp"
#include "setka/analysis/expansion.hpp"
#include "setka/analysis/nodal_frames.hpp"
#include "setka/analysis/truss.hpp"
#include "setka/base/error.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/local_system.hpp"

namespace setka::analysis {
namespace {

using model::Family;
using model::is_plane;

constexpr double half_angle = std::numbers::pi / 180;  // of the wedge of an axisymmetric element
constexpr double axisymmetric_share = 1.0 / 180;       // two degrees of a full turn

/// Directions of nodes, three of each, are numbered by 32 bits.
void require_numbered(std::size_t nodes) {
  constexpr std::size_t most = INT32_MAX / 3;
  if (nodes <= most) return;
  throw Error(Fault::input,
              fmt::format("the model has {} nodes, and directions of {} at most have numbers", nodes, most),
              "use a coarser mesh, or compute it in parts");
}

/// Makes the nodes of layers: below, amid (the node itself) and above a node of the mesh.
class Layers {
 public:
  Layers(const mesh::Mesh& mesh, Solids& solids) : mesh_(mesh), solids_(solids) {}

  struct Stack {
    std::int32_t below;
    std::int32_t above;
  };

  Stack stack(std::int32_t node, Family family, double thickness) {
    const auto key = std::pair(node, family == Family::axisymmetric ? -1.0 : thickness);
    const auto known = stacks_.find(key);
    if (known != stacks_.end()) return known->second;
    const Stack made = make(node, family, thickness);
    stacks_.emplace(key, made);
    return made;
  }

  bool empty() const { return stacks_.empty(); }

 private:
  Stack make(std::int32_t node, Family family, double thickness) {
    const auto x = mesh_.coordinates(node);
    const std::int32_t v = 3 * node;
    solids_.fixed_user_dofs.push_back(v + 2);
    if (family == Family::axisymmetric) {
      solids_.force_share[static_cast<std::size_t>(node)] = axisymmetric_share;
      const double c = std::cos(half_angle);
      const double s = std::sin(half_angle);
      const auto turned = [&](double sine) {
        return solids_.add_copy(node, {x[0] * c, x[1], x[0] * sine},
                                {row(node, 0, c), row(node, 1), row(node, 0, sine)});
      };
      const std::int32_t below = turned(-s);
      return {below, turned(s)};
    }
    std::vector<fem::Term> up{{v + 2, 1.0}};
    std::vector<fem::Term> down = up;
    if (family == Family::plane_stress) {
      const std::int32_t thickening = solids_.user_dofs++;
      up = {{thickening, 1.0}};
      down = {{thickening, -1.0}};
    }
    const auto shifted = [&](double height, std::vector<fem::Term>& across) {
      return solids_.add_copy(node, {x[0], x[1], x[2] + height},
                              {row(node, 0), row(node, 1), std::move(across)});
    };
    const std::int32_t below = shifted(-thickness / 2, down);
    return {below, shifted(thickness / 2, up)};
  }

  /// A multiple of the displacement of a node of the mesh, whose own axes may be turned.
  std::vector<fem::Term> row(std::int32_t node, std::size_t direction, double factor = 1) const {
    std::vector<fem::Term> terms = solids_.rows[3 * static_cast<std::size_t>(node) + direction];
    for (fem::Term& term : terms) term.coefficient *= factor;
    return terms;
  }

  const mesh::Mesh& mesh_;
  Solids& solids_;
  std::map<std::pair<std::int32_t, double>, Stack> stacks_;
};

/// Nodes of the solid over a plane element: corners below, corners above, mid-edges below, above, and the
/// corners amid.
void add_layer(const mesh::Mesh& mesh, std::int32_t element, double thickness, Layers& layers,
               std::vector<std::int32_t>& out) {
  const Family family = model::family(mesh, element);
  const auto nodes = mesh.nodes(element);
  const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh.cell(element)));
  const auto each = [&](std::size_t first, std::size_t last, bool above) {
    for (std::size_t i = first; i < last; ++i) {
      const Layers::Stack stack = layers.stack(nodes[i], family, thickness);
      out.push_back(above ? stack.above : stack.below);
    }
  };
  each(0, corners, false);
  each(0, corners, true);
  if (nodes.size() == corners) return;
  each(corners, nodes.size(), false);
  each(corners, nodes.size(), true);
  out.insert(out.end(), nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(corners));
}

/// Rows of the mesh's own nodes: their directions, in the axes of *TRANSFORM where there are some.
void set_node_rows(const model::Model& model, Solids& solids) {
  const auto nodes = static_cast<std::size_t>(model.mesh.node_count());
  for (std::size_t d = 0; d < 3 * nodes; ++d) solids.rows[d] = {{static_cast<std::int32_t>(d), 1.0}};
  for (const model::Transform& transform : model.transforms) {
    for (const std::int32_t node : model.node_sets[static_cast<std::size_t>(transform.node_set)].nodes) {
      const model::Axes axes = model::axes_at(transform.system, model.mesh.coordinates(node));
      for (std::int32_t i = 0; i < 3; ++i) {
        std::vector<fem::Term>& row =
            solids.rows[3 * static_cast<std::size_t>(node) + static_cast<std::size_t>(i)];
        row.clear();
        for (std::int32_t k = 0; k < 3; ++k) {
          const double component = axes[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
          if (component != 0) row.push_back({3 * node + k, component});
        }
      }
    }
  }
}

void add_further_parts(const Whole& whole, const std::vector<Part>& parts, Solids& solids) {
  for (const Part& part : parts) {
    add_part_nodes(whole, part, solids);
    solids.type.push_back(part.type);
    solids.first_face.push_back(0);
    solids.first_node.push_back(static_cast<std::int64_t>(solids.node.size()));
    solids.part_of.push_back(whole.element);
    solids.part_section.push_back(part.section);
  }
}

/// Nodes of wholes belong to no solid, unless another element has them.
void note_idle_copies(Solids& solids) {
  if (solids.wholes.empty()) return;
  const auto own = static_cast<std::size_t>(solids.node_count()) - solids.origin.size();
  solids.copy_is_idle.assign(solids.origin.size(), 1);
  for (const std::int32_t node : solids.node) {
    const auto n = static_cast<std::size_t>(node);
    if (n >= own) solids.copy_is_idle[n - own] = 0;
  }
}

}  // namespace

std::int32_t Solids::add_copy(std::int32_t of, const std::array<double, 3>& place,
                              std::array<std::vector<fem::Term>, 3> in_v) {
  origin.push_back(of);
  coordinates.insert(coordinates.end(), place.begin(), place.end());
  for (auto& row : in_v) rows.push_back(std::move(row));
  return node_count() - 1;
}

std::array<std::int32_t, 2> Solids::further_parts(std::int32_t mesh_element) const {
  const auto [first, last] = std::equal_range(part_of.begin(), part_of.end(), mesh_element);
  const std::int32_t before = mesh_element_count();
  return {before + static_cast<std::int32_t>(first - part_of.begin()),
          before + static_cast<std::int32_t>(last - part_of.begin())};
}

const Whole* Solids::whole(std::int32_t mesh_element) const {
  const auto found = std::ranges::lower_bound(wholes, mesh_element, {}, &Whole::element);
  return found == wholes.end() || found->element != mesh_element ? nullptr : &*found;
}

std::span<const std::int32_t> Solids::loaded_nodes(std::int32_t mesh_element) const {
  const Whole* const own = whole(mesh_element);
  return own == nullptr ? nodes(mesh_element) : std::span(own->nodes);
}

fem::Element Solids::loaded_type(std::int32_t mesh_element) const {
  const Whole* const own = whole(mesh_element);
  return own == nullptr ? type[static_cast<std::size_t>(mesh_element)] : own->type;
}

const ExpandedNode* Solids::expanded_node(std::int32_t of) const {
  const auto found = std::ranges::lower_bound(expanded, of, {}, &ExpandedNode::node);
  return found == expanded.end() || found->node != of ? nullptr : &*found;
}

std::array<double, 3> Solids::axis_of(std::int32_t mesh_node, std::int32_t direction) const {
  std::array<double, 3> axis{};
  if (rows.empty()) {
    axis[static_cast<std::size_t>(direction)] = 1;
    return axis;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (const fem::Term& term : rows[3 * static_cast<std::size_t>(mesh_node) + i]) {
      if (term.index == 3 * mesh_node + direction) axis[i] = term.coefficient;
    }
  }
  return axis;
}

std::vector<double> on_solid_nodes(const Solids& solids, std::span<const double> at_nodes) {
  std::vector<double> values(at_nodes.begin(), at_nodes.end());
  if (values.empty() || std::cmp_equal(values.size(), solids.node_count())) return values;
  values.reserve(static_cast<std::size_t>(solids.node_count()));
  for (const std::int32_t origin : solids.origin)
    values.push_back(at_nodes[static_cast<std::size_t>(origin)]);
  return values;
}

Solids make_solids(const model::Model& model, std::span<const std::int32_t> section_of) {
  const mesh::Mesh& mesh = model.mesh;
  const auto nodes = static_cast<std::size_t>(mesh.node_count());
  const auto elements = static_cast<std::size_t>(mesh.element_count());
  Solids solids;
  solids.coordinates.assign(mesh.coordinates().begin(), mesh.coordinates().end());
  require_numbered(nodes);
  solids.user_dofs = static_cast<std::int32_t>(3 * nodes);
  solids.force_share.assign(nodes, 1.0);
  solids.type.reserve(elements);
  solids.first_node.reserve(elements + 1);
  solids.first_face.reserve(elements);

  bool tied = !model.transforms.empty();  // u is not simply v
  for (std::int32_t e = 0; e < mesh.element_count() && !tied; ++e) {
    const Family family = model::family(mesh, e);
    tied = is_plane(family) || family == Family::truss || model::has_profile(family);
  }
  if (tied) {
    solids.rows.resize(3 * nodes);
    set_node_rows(model, solids);
  }

  Layers layers(mesh, solids);
  std::vector<std::vector<Part>> further;  // [wholes] parts besides the first one
  const NodalFrames frames = nodal_frames(model, section_of);
  const Expansion expansion(mesh, frames, solids);
  std::vector<std::int8_t> used(nodes, 0);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const Family family = model::family(mesh, e);
    for (const std::int32_t node : mesh.nodes(e)) used[static_cast<std::size_t>(node)] = 1;
    const std::int32_t section = section_of[static_cast<std::size_t>(e)];
    fem::Element type = fem::element_of(model::element_type(mesh, e));
    if (is_plane(family)) {
      const double thickness = section < 0 ? 1 : model.sections[static_cast<std::size_t>(section)].thickness;
      add_layer(mesh, e, thickness, layers, solids.node);
    } else if (family == Family::truss) {
      const double area = section < 0 ? 1 : model.sections[static_cast<std::size_t>(section)].thickness;
      add_truss(mesh.nodes(e), area, solids);
    } else if (model::has_profile(family)) {
      expansion.add_element(e, solids);
      std::vector<Part> parts = parts_of(model, type, section);
      if (!parts.empty()) {
        const auto own = solids.node.begin() + solids.first_node.back();
        solids.wholes.push_back({e, type, {own, solids.node.end()}});
        solids.node.erase(own, solids.node.end());
        add_part_nodes(solids.wholes.back(), parts.front(), solids);
        type = parts.front().type;
        parts.erase(parts.begin());
        further.push_back(std::move(parts));
      }
    } else {
      const auto own = mesh.nodes(e);
      solids.node.insert(solids.node.end(), own.begin(), own.end());
    }
    solids.type.push_back(type);
    solids.first_face.push_back(is_plane(family) ? 2 : 0);
    solids.first_node.push_back(static_cast<std::int64_t>(solids.node.size()));
  }
  for (std::size_t w = 0; w < further.size(); ++w) add_further_parts(solids.wholes[w], further[w], solids);
  note_idle_copies(solids);
  require_numbered(solids.coordinates.size() / 3);  // with those of layers and trusses
  std::vector<std::int8_t> stiff(3 * nodes, 0);     // by a superelement, whose directions are global
  for (const model::Superelement& element : model.superelements) {
    for (const model::NodalDof& dof : element.dofs) {
      const std::int32_t own = 3 * dof.node + dof.direction - 1;
      if (!tied) stiff[static_cast<std::size_t>(own)] = 1;
      if (!tied) continue;
      for (const fem::Term& term : solids.rows[static_cast<std::size_t>(own)])
        stiff[static_cast<std::size_t>(term.index)] = 1;
    }
  }
  for (std::size_t d = 0; d < 3 * nodes; ++d) {
    if (used[d / 3] == 0 && stiff[d] == 0) solids.idle_user_dofs.push_back(static_cast<std::int32_t>(d));
  }
  return solids;
}

}  // namespace setka::analysis
