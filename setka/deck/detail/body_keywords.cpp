// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *RIGID BODY, *COUPLING with *KINEMATIC and *DISTRIBUTING, *DISTRIBUTING COUPLING.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/elements.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

/// A node that the deck does not name, with a number beyond all others.
std::int32_t new_node(Reader& reader, Line line, const std::array<double, 3>& x) {
  mesh::Mesh& mesh = reader.model().mesh;
  if (mesh.highest_node_label() == INT32_MAX)
    reader.fail(line, "there is no number left for the node of the rotations", "give one by ROT NODE");
  return mesh.add_node(mesh.highest_node_label() + 1, x[0], x[1], x[2]);
}

std::vector<std::int32_t> nodes_of_elements(const model::Model& model, std::int32_t set) {
  std::vector<std::int32_t> nodes;
  for (const std::int32_t element : model.element_sets[static_cast<std::size_t>(set)].elements) {
    const auto own = model.mesh.nodes(element);
    nodes.insert(nodes.end(), own.begin(), own.end());
  }
  return nodes;
}

/// [nodes] whether they lie in plane or axisymmetric elements.
std::vector<bool> nodes_of_plane_elements(const mesh::Mesh& mesh) {
  std::vector<bool> in_plane(static_cast<std::size_t>(mesh.node_count()), false);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    if (!model::is_plane(model::family(mesh, e))) continue;
    for (const std::int32_t node : mesh.nodes(e)) in_plane[static_cast<std::size_t>(node)] = true;
  }
  return in_plane;
}

void require_no_element(const Reader& reader, const mesh::Mesh& mesh, std::int32_t node, Line line,
                        std::string_view what) {
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    if (std::ranges::find(mesh.nodes(e), node) == mesh.nodes(e).end()) continue;
    reader.fail(
        line,
        fmt::format("{}, {}, belongs to element {}", what, mesh.node_label(node), mesh.element_label(e)),
        "give a node that no element has");
  }
}

/// The *COUPLING that a card belongs to.
Reader::Coupling take_coupling(Reader& reader, const Card& card) {
  if (!reader.coupling)
    reader.fail(card.line, fmt::format("{} does not follow a *COUPLING", spelled(card.keyword)),
                "begin with *COUPLING, CONSTRAINT NAME=, REF NODE=, SURFACE=");
  return *std::exchange(reader.coupling, std::nullopt);
}

struct DofRange {
  std::int64_t first;
  std::int64_t last;
};

DofRange dof_range(const Reader& reader, const DataLines& lines, std::string_view keyword, int most) {
  Fields fields(lines.text());
  const std::int64_t first = reader.integer(fields.next(), lines.line(), "the first degree of freedom");
  const std::int64_t last = reader.integer(fields.next(), lines.line(), "the last degree of freedom", first);
  if (first < 1 || last > most || last < first)
    reader.fail(lines.line(), fmt::format("{}: degrees of freedom from {} to {}", keyword, first, last),
                fmt::format("they are from 1 to {}", most));
  return {first, last};
}

/// The nodes of faces with their shares of the area: integrals of their shape functions.
std::vector<model::NodeShare> area_shares(Reader& reader, const model::Surface& surface, Line line) {
  const mesh::Mesh& mesh = reader.mesh();
  std::map<std::int32_t, double> shares;
  std::vector<double> x;
  for (const model::ElementFace& face : surface.faces) {
    if (mesh::dimension(mesh.cell(face.element)) != 3) {
      reader.unsupported(line, "*DISTRIBUTING over plane and axisymmetric elements");
      return {};
    }
    const auto nodes = mesh.nodes(face.element);
    x.clear();
    for (const std::int32_t node : nodes) {
      const auto place = mesh.coordinates(node);
      x.insert(x.end(), place.begin(), place.end());
    }
    const fem::Element type = fem::element_of(model::element_type(mesh, face.element));
    for (const fem::FacePoint& point : fem::face_points(type, face.face, x)) {
      const double area = std::hypot(point.area[0], point.area[1], point.area[2]);
      for (std::size_t i = 0; i < point.nodes.size(); ++i)
        shares[nodes[static_cast<std::size_t>(point.nodes[i])]] += area * point.shape[i];
    }
  }
  std::vector<model::NodeShare> listed;
  listed.reserve(shares.size());
  for (const auto& [node, share] : shares) listed.push_back({node, share});
  return listed;
}

[[noreturn]] void fail_conflict(const Reader& reader, Line line, std::string_view keyword,
                                const model::Conflict& conflict, std::string remedy) {
  const SourceLine other = reader.cards().source(conflict.line);
  reader.fail(
      line,
      fmt::format("{}: node {}, direction {} is prescribed or tied already, at {}:{}", keyword,
                  reader.mesh().node_label(conflict.node), conflict.direction, other.file, other.line),
      std::move(remedy));
}

}  // namespace

void read_rigid_body(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NSET", "ELSET", "REFNODE", "ROTNODE"},
                          {"ANALYTICALSURFACE", "PINNSET", "TIENSET", "ISOTHERMAL", "POSITION"});
  if (card.has("NSET") == card.has("ELSET"))
    reader.fail(
        card.line,
        card.has("NSET") ? "*RIGID BODY with both NSET and ELSET" : "*RIGID BODY without NSET and ELSET",
        "give one of them: NSET=nodes or ELSET=elements");
  model::Model& model = reader.model();
  model::RigidBody body;
  body.line = card.line;
  if (card.has("NSET")) {
    const std::int32_t set = reader.node_set(reader.required(card, "NSET"), card.line, "*RIGID BODY");
    body.nodes = model.node_sets[static_cast<std::size_t>(set)].nodes;
  } else {
    body.nodes = nodes_of_elements(
        model, reader.element_set(reader.required(card, "ELSET"), card.line, "*RIGID BODY"));
  }
  if (body.nodes.empty()) reader.fail(card.line, "*RIGID BODY: the set is empty", "put nodes into it");
  body.reference = card.has("REFNODE") ? reader.node(card.value("REFNODE"), card.line, "*RIGID BODY")
                                       : new_node(reader, card.line, {});
  body.rotation = card.has("ROTNODE") ? reader.node(card.value("ROTNODE"), card.line, "*RIGID BODY")
                                      : new_node(reader, card.line, {});
  if (body.reference == body.rotation)
    reader.fail(card.line,
                fmt::format("*RIGID BODY: node {} is both REF NODE and ROT NODE",
                            model.mesh.node_label(body.reference)),
                "give the rotations a node of their own");
  require_no_element(reader, model.mesh, body.rotation, card.line, "*RIGID BODY: the node of the rotations");
  if (!reader.rotation_of.try_emplace(body.reference, body.rotation).second)
    reader.fail(card.line,
                fmt::format("*RIGID BODY: node {} is the REF NODE of another body as well",
                            model.mesh.node_label(body.reference)),
                "give each body a REF NODE of its own");
  reader.rigid_bodies.push_back(std::move(body));
}

void require_no_open_coupling(const Reader& reader) {
  if (reader.coupling)
    reader.fail(reader.coupling->line, "*COUPLING without *KINEMATIC and *DISTRIBUTING",
                "follow it by one of them");
}

void read_coupling(Reader& reader, const Card& card) {
  require_no_open_coupling(reader);
  reader.check_parameters(card, {"CONSTRAINTNAME", "REFNODE", "SURFACE"}, {"ORIENTATION", "INFLUENCERADIUS"});
  reader.required(card, "CONSTRAINTNAME");
  const std::int32_t reference = reader.node(reader.required(card, "REFNODE"), card.line, "*COUPLING");
  const std::string name = reader.required(card, "SURFACE");
  const std::int32_t of_nodes = reader.node_surfaces.find(name);
  const std::int32_t surface = reader.surfaces.find(name) < 0 && of_nodes >= 0
                                   ? of_nodes
                                   : reader.surface(name, card.line, "*COUPLING");
  if (reader.rotation_of.contains(reference))
    reader.fail(card.line,
                fmt::format("*COUPLING: node {} is the REF NODE of another body or coupling as well",
                            reader.mesh().node_label(reference)),
                "give each a REF NODE of its own");
  reader.rotation_of[reference] = new_node(reader, card.line, {});
  reader.coupling = Reader::Coupling{reference, surface, card.line};
}

void read_kinematic(Reader& reader, const Card& card) {
  reader.check_parameters(card, {});
  const Reader::Coupling coupling = take_coupling(reader, card);
  model::RigidBody body;
  body.line = coupling.line;
  body.reference = coupling.reference;
  body.rotation = reader.rotation_of.at(coupling.reference);
  body.directions = {false, false, false};
  const model::Surface& surface = reader.model().surfaces[static_cast<std::size_t>(coupling.surface)];
  body.nodes = surface.nodes;
  for (const model::ElementFace& face : surface.faces) {
    const auto own = reader.mesh().nodes(face.element);
    for (const std::int8_t local : mesh::face_nodes(reader.mesh().cell(face.element), face.face))
      body.nodes.push_back(own[static_cast<std::size_t>(local)]);
  }
  DataLines lines = reader.data(card);
  while (lines.next()) {
    const DofRange range = dof_range(reader, lines, "*KINEMATIC", 3);
    for (std::int64_t d = range.first; d <= range.last; ++d)
      body.directions[static_cast<std::size_t>(d - 1)] = true;
  }
  if (std::ranges::find(body.directions, true) == body.directions.end())
    reader.fail(card.line, "*KINEMATIC without degrees of freedom",
                "give the first and the last one on the next line: 1,3");
  reader.rigid_bodies.push_back(std::move(body));
}

void read_distributing(Reader& reader, const Card& card) {
  reader.check_parameters(card, {}, {"CYCLICSYMMETRY", "COUPLING", "WEIGHTINGMETHOD"});
  const Reader::Coupling coupling = take_coupling(reader, card);
  const model::Surface& surface = reader.model().surfaces[static_cast<std::size_t>(coupling.surface)];
  if (surface.of_nodes)
    reader.fail(card.line, fmt::format("*DISTRIBUTING: surface {} is one of nodes", surface.name),
                "give *COUPLING a surface of element faces, whose areas are the weights");
  std::array<bool, 6> given{};
  DataLines lines = reader.data(card);
  while (lines.next()) {
    const DofRange range = dof_range(reader, lines, "*DISTRIBUTING", 6);
    for (std::int64_t d = range.first; d <= range.last; ++d) given[static_cast<std::size_t>(d - 1)] = true;
  }
  if (std::ranges::find(given, true) != given.end() && std::ranges::find(given, false) != given.end())
    reader.warn(card.line,
                "*DISTRIBUTING: forces and moments in all directions are distributed, also in those that are "
                "not given");
  model::MeanMotion mean;
  mean.line = coupling.line;
  mean.reference = coupling.reference;
  mean.rotation = reader.rotation_of.at(coupling.reference);
  mean.shares = area_shares(reader, surface, coupling.line);
  require_no_element(reader, reader.mesh(), mean.reference, coupling.line,
                     "*COUPLING with *DISTRIBUTING: REF NODE");
  reader.mean_motions.push_back(std::move(mean));
}

void read_coupling_elements(Reader& reader, const Card& card) {
  std::string set;
  if (card.has("ELSET")) {
    set = reader.required(card, "ELSET");
    reader.element_set_partial[static_cast<std::size_t>(reader.open_element_set(set))] = 1;
  }
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::int32_t label = reader.label(fields.next(), lines.line(), "the element");
    const std::int32_t node = reader.node(fields.next(), lines.line(), "*ELEMENT, TYPE=DCOUP3D");
    reader.skip_element(label);
    if (!reader.coupling_node.try_emplace(label, node).second)
      reader.fail(lines.line(), fmt::format("element {} is defined twice", label),
                  "give one of them another number");
    if (!set.empty()) reader.couplings[set].push_back(node);
  }
}

void read_distributing_coupling(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET"});
  const std::string set = reader.required(card, "ELSET");
  const auto found = reader.couplings.find(set);
  if (found == reader.couplings.end() || found->second.size() != 1)
    reader.fail(card.line,
                fmt::format("*DISTRIBUTING COUPLING: element set {} does not hold one DCOUP3D element", set),
                "define it by *ELEMENT, TYPE=DCOUP3D; its node is the one that loads act on");
  model::MeanDisplacement mean;
  mean.line = card.line;
  mean.reference = found->second.front();
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const double weight = reader.real(fields.next(), lines.line(), "the weight");
    if (!(weight > 0))
      reader.fail(lines.line(), fmt::format("*DISTRIBUTING COUPLING: the weight is {}", weight),
                  "it is larger than zero");
    for (const std::int32_t node : reader.nodes(who, lines.line(), "*DISTRIBUTING COUPLING")) {
      const auto known = std::ranges::find(mean.shares, node, &model::NodeShare::node);
      if (known != mean.shares.end() || node == mean.reference)
        reader.fail(
            lines.line(),
            fmt::format("*DISTRIBUTING COUPLING: node {} is there twice", reader.mesh().node_label(node)),
            "give each node once, without that of the DCOUP3D element");
      mean.shares.push_back({node, weight});
    }
  }
  if (mean.shares.empty())
    reader.fail(card.line, "*DISTRIBUTING COUPLING without nodes",
                "give a node or a node set and a weight on the next lines");
  require_no_element(reader, reader.mesh(), mean.reference, card.line,
                     "*DISTRIBUTING COUPLING: the node of the DCOUP3D element");
  reader.mean_displacements.push_back(std::move(mean));
}

void make_bodies(Reader& reader, model::EquationMaker& equations) {
  const std::vector<bool> in_plane =
      reader.rigid_bodies.empty() ? std::vector<bool>() : nodes_of_plane_elements(reader.mesh());
  for (const model::RigidBody& body : reader.rigid_bodies) {
    const auto conflict = model::add_rigid_body(equations, reader.mesh(), body, in_plane);
    if (conflict)
      fail_conflict(reader, body.line, "*RIGID BODY", *conflict,
                    "prescribe the REF NODE and the ROT NODE instead, or take the node out of the body");
  }
  for (const model::MeanMotion& mean : reader.mean_motions) {
    const model::MeanMotionFault fault = model::add_mean_motion(equations, reader.mesh(), mean);
    if (fault == model::MeanMotionFault::taken)
      reader.fail(mean.line,
                  "*COUPLING with *DISTRIBUTING: its REF NODE is prescribed or tied by another constraint",
                  "it takes forces and moments alone; prescribe that of a *COUPLING with *KINEMATIC");
    if (fault == model::MeanMotionFault::in_line)
      reader.fail(mean.line,
                  "*COUPLING with *DISTRIBUTING: the nodes lie in one line, and have no mean rotation",
                  "give a surface with an area");
  }
  for (const model::MeanDisplacement& mean : reader.mean_displacements) {
    const auto conflict = model::add_mean_displacement(equations, mean);
    if (conflict)
      fail_conflict(reader, mean.line, "*DISTRIBUTING COUPLING", *conflict, "leave one of its nodes free");
  }
}

}  // namespace setka::deck::detail
