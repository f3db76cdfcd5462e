// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/model.hpp"

namespace setka::test {

/// The model of data/two_hexa.inp, with what its result files need.
inline model::Model two_hexa() {
  model::Model m;
  m.title = "Model: two hexahedra     Date: now";
  struct Node {
    std::int32_t label;
    double x, y, z;
  };
  for (const Node& n :
       {Node{5, 0, 0, 1}, Node{1, 0, 0, 0}, Node{2, 1, 0, 0}, Node{3, 1, 1, 0}, Node{4, 0, 1, 0},
        Node{6, 1, 0, 1}, Node{7, 1, 1, 1.1}, Node{8, 0, 1, 1}, Node{12, 2, 0, 0}, Node{13, 2, 1, 0},
        Node{16, 2, 0, 1}, Node{17, 2, 1, 1}, Node{99, 5, 5, 5}}) {
    m.mesh.add_node(n.label, n.x, n.y, n.z);
  }
  const auto positions = [&](const std::vector<std::int32_t>& labels) {
    std::vector<std::int32_t> nodes;
    for (const std::int32_t label : labels) nodes.push_back(m.mesh.find_node(label));
    return nodes;
  };
  model::add_element(m.mesh, 20, deck::element("C3D8"), positions({2, 12, 13, 3, 6, 16, 17, 7}));
  model::add_element(m.mesh, 10, deck::element("C3D8R"), positions({1, 2, 3, 4, 5, 6, 7, 8}));
  m.node_sets = {{"NALL", positions({5, 1, 2, 3, 4, 6, 7, 8, 12, 13, 16, 17})},
                 {"FIX", positions({1, 4, 5, 8})},
                 {"ODD", positions({17, 3, 12, 6})}};
  m.element_sets = {{"EALL", {0, 1}}, {"E20", {0}}, {"E10", {1}}};
  m.surfaces.resize(2);
  m.surfaces[0].name = "SF";
  m.surfaces[1].name = "S2";
  m.materials.resize(2);
  m.materials[0].name = "STEEL";
  m.materials[1].name = "ALUMINIUM";
  m.orientations.resize(2);
  m.orientations[0].name = "AROUND_A_SLANTING_AXIS";
  m.orientations[0].cylindrical = true;
  m.orientations[0].a = {0, 0, -0.5};
  m.orientations[0].b = {0, 0.1, 1};
  m.orientations[1].name = "TURNED";
  m.orientations[1].a = {1, 1, 0};
  m.orientations[1].b = {0, 1, 0};
  m.orientations[1].turned_about = 3;
  m.orientations[1].turned_by = 30;
  m.sections.resize(2);
  m.sections[0].element_set = 1;
  m.sections[0].material = 0;
  m.sections[0].orientation = 0;
  m.sections[1].element_set = 2;
  m.sections[1].material = 1;
  m.sections[1].orientation = 1;
  m.transforms.resize(1);
  m.transforms[0].node_set = 2;
  m.transforms[0].system.cylindrical = true;
  m.transforms[0].system.a = {0, 0, 0};
  m.transforms[0].system.b = {0, 0, 1};

  using model::OutputKind;
  using model::Totals;
  const auto request = [](OutputKind kind, std::int32_t set, std::vector<std::string> variables, bool global,
                          Totals totals = Totals::no) {
    model::OutputRequest r;
    r.kind = kind;
    r.set = set;
    r.variables = std::move(variables);
    r.global = global;
    r.totals = totals;
    return r;
  };
  m.steps.resize(1);
  m.steps[0].output = {
      request(OutputKind::section_print, 1, {"SOF"}, true),
      request(OutputKind::node_print, 0, {"U", "RF", "NT"}, true),
      request(OutputKind::element_print, 0, {"S", "E", "ME", "ENER", "ELSE", "EVOL", "COORD"}, true),
      request(OutputKind::node_print, 2, {"RF", "U", "NT"}, false, Totals::yes),
      request(OutputKind::node_print, 1, {"RF", "U"}, false, Totals::only),
      request(OutputKind::element_print, 0, {"S", "ELSE", "E", "EVOL"}, false, Totals::yes),
      request(OutputKind::element_print, 2, {"ME", "ELSE", "ENER"}, false, Totals::only),
      request(OutputKind::section_print, 0, {"SOF", "SOM", "SOAREA"}, true),
      request(OutputKind::node_file, -1, {"U", "RF", "NT"}, true),
      request(OutputKind::element_file, -1, {"S", "E", "ENER"}, true),
  };
  return m;
}

}  // namespace setka::test
