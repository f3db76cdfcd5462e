// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/shown_solids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "setka/analysis/beam_nodes.hpp"
#include "setka/fem/elements.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

using model::Family;

/// Solid nodes at a node of the mesh that belong together, by their places: below, amid and above, or round
/// the section of a beam.
struct Group {
  Family family;
  std::array<std::int32_t, 8> nodes{-1, -1, -1, -1, -1, -1, -1, -1};
};

/// How many numbers a group takes.
std::int32_t numbers_of(const Group& group) {
  if (group.family == Family::beam) return 8;
  return group.family == Family::truss ? 9 : 3;
}

/// What CalculiX keeps for the equations of a knot.
std::int32_t numbers_of_knot(std::span<const Group> groups) {
  std::int32_t turning = 0;  // of shells and beams
  std::int32_t planes = 0;
  bool knot = false;
  for (const Group& group : groups) {
    if (model::has_rotations(group.family)) turning += numbers_of(group);
    planes += model::is_plane(group.family) ? 1 : 0;
    knot |= model::has_profile(group.family);
  }
  return knot && groups.size() > 1 ? 2 + turning + planes : 0;
}

class Numbering {
 public:
  explicit Numbering(const Setup& setup)
      : mesh_(setup.model->mesh),
        solids_(setup.solids),
        groups_(static_cast<std::size_t>(mesh_.node_count())),
        label_(static_cast<std::size_t>(solids_.node_count()), 0) {
    for (std::int32_t node = 0; node < mesh_.node_count(); ++node)
      label_[static_cast<std::size_t>(node)] = mesh_.node_label(node);
    std::vector<std::int32_t> elements(static_cast<std::size_t>(mesh_.element_count()));
    for (std::size_t e = 0; e < elements.size(); ++e) elements[e] = static_cast<std::int32_t>(e);
    std::ranges::sort(elements, {}, [&](std::int32_t e) { return mesh_.element_label(e); });
    for (const std::int32_t e : elements) add_groups(e);
    number_groups();
    for (std::int32_t& label : label_) {  // those of parts
      if (label == 0) label = next_++;
    }
  }

  std::int32_t label(std::int32_t node) const { return label_[static_cast<std::size_t>(node)]; }

 private:
  void add_groups(std::int32_t element) {
    const Family family = model::family(mesh_, element);
    const bool line = family == Family::beam || family == Family::truss;
    if (!line && !model::is_plane(family) && !model::has_profile(family)) return;
    const Whole* const whole = solids_.whole(element);
    const std::span<const std::int32_t> solid =
        whole == nullptr ? solids_.nodes(element) : std::span<const std::int32_t>(whole->nodes);
    const auto nodes = mesh_.nodes(element);
    std::vector<Group> own(nodes.size(), Group{family});
    if (line) {
      for (std::size_t i = 0; i < solid.size(); ++i) own[beam_nodes[i][0]].nodes[beam_nodes[i][1]] = solid[i];
    } else {
      // Corners below, above; what is amid the edges below, above; corners amid.
      const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh_.cell(element)));
      const std::size_t edges = nodes.size() - corners;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::size_t below = i < corners ? i : corners + i;
        own[i].nodes[0] = solid[below];
        own[i].nodes[2] = solid[below + (i < corners ? corners : edges)];
        if (i < corners && edges > 0) own[i].nodes[1] = solid[2 * nodes.size() + i];
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::vector<Group>& known = groups_[static_cast<std::size_t>(nodes[i])];
      const auto same =
          std::ranges::find_if(known, [&](const Group& group) { return group.nodes[0] == own[i].nodes[0]; });
      if (same == known.end()) {
        // Planes come first, the last of them before the others.
        known.insert(model::is_plane(family) ? known.begin() : known.end(), own[i]);
        continue;
      }
      for (std::size_t k = 0; k < same->nodes.size(); ++k) {
        if (same->nodes[k] < 0) same->nodes[k] = own[i].nodes[k];
      }
    }
  }

  void number_groups() {
    std::vector<std::int32_t> nodes(groups_.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = static_cast<std::int32_t>(n);
    std::ranges::sort(nodes, {}, [&](std::int32_t node) { return mesh_.node_label(node); });
    next_ = nodes.empty() ? 1 : mesh_.node_label(nodes.back()) + 1;
    for (const std::int32_t node : nodes) {
      const std::vector<Group>& groups = groups_[static_cast<std::size_t>(node)];
      for (const Group& group : groups) {
        for (std::size_t place = 0; place < group.nodes.size(); ++place) {
          if (group.nodes[place] >= 0)
            label_[static_cast<std::size_t>(group.nodes[place])] = next_ + static_cast<std::int32_t>(place);
        }
        next_ += numbers_of(group);
      }
      next_ += numbers_of_knot(groups);
    }
  }

  const mesh::Mesh& mesh_;
  const Solids& solids_;
  std::vector<std::vector<Group>> groups_;  // [mesh nodes]
  std::vector<std::int32_t> label_;         // [solid nodes]
  std::int32_t next_ = 1;
};

/// Sections or springs, each with a set of the shown elements that are made of it.
template <class Kind>
void set_members(const std::vector<Kind>& all, const std::vector<std::int32_t>& of_element,
                 std::vector<Kind>& shown, model::Model& model) {
  shown = all;
  std::vector<model::ElementSet> sets(all.size());
  for (std::size_t e = 0; e < of_element.size(); ++e) {
    if (of_element[e] >= 0)
      sets[static_cast<std::size_t>(of_element[e])].elements.push_back(static_cast<std::int32_t>(e));
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    shown[k].element_set = static_cast<std::int32_t>(model.element_sets.size());
    model.element_sets.push_back(std::move(sets[k]));
  }
}

}  // namespace

std::shared_ptr<const model::ShownSolids> shown_solids(const Setup& setup) {
  if (!setup.shows_solids) return nullptr;
  const model::Model& model = *setup.model;
  const Solids& solids = setup.solids;
  const Numbering numbers(setup);
  auto shown = std::make_shared<model::ShownSolids>();
  shown->model.title = model.title;
  shown->model.materials = model.materials;
  std::vector<std::int32_t> position(static_cast<std::size_t>(solids.node_count()), -1);
  mesh::Mesh& mesh = shown->model.mesh;
  std::int32_t next_label = 1;
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e)
    next_label = std::max(next_label, model.mesh.element_label(e) + 1);
  std::vector<std::int32_t> nodes;
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    nodes.clear();
    for (const std::int32_t node : solids.nodes(e)) {
      std::int32_t& at = position[static_cast<std::size_t>(node)];
      if (at < 0) {
        const double* const x = solids.coordinates.data() + 3 * static_cast<std::size_t>(node);
        at = mesh.add_node(numbers.label(node), x[0], x[1], x[2]);
        shown->node.push_back(node);
      }
      nodes.push_back(at);
    }
    const std::int32_t of_mesh = solids.mesh_element(e);
    const bool part = solids.whole(of_mesh) != nullptr;
    const bool other = setup.is_spring(e) || model::family(model.mesh, of_mesh) == Family::solid;
    const model::ElementType type =
        other ? model::element_type(model.mesh, of_mesh)
              : model::ElementType{fem::cell_of(solids.type[static_cast<std::size_t>(e)])};
    model::add_element(mesh, part ? next_label++ : model.mesh.element_label(e), type, nodes);
  }
  set_members(model.sections, setup.section_of, shown->model.sections, shown->model);
  set_members(model.springs, setup.spring_of, shown->model.springs, shown->model);
  return shown;
}

}  // namespace setka::analysis
