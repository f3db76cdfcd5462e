// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/model.hpp"

namespace setka::test {

inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

/// Nodes, elements, materials, sections and heading of a deck in data/: just what those files have.
inline model::Model small_deck(const std::filesystem::path& path) {
  model::Model m;
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::string keyword;
  std::vector<std::int32_t> pending;  // label and nodes of an element on several lines
  model::ElementType type{};
  std::int32_t set = -1;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("**", 0) == 0) continue;
    const std::vector<std::string> words = words_of(line);
    if (line[0] == '*') {
      keyword = words[0];
      if (keyword == "*STEP") break;
      if (keyword == "*ELEMENT") {
        type = deck::element(words[1].substr(5));
        set = static_cast<std::int32_t>(m.element_sets.size());
        m.element_sets.push_back({words[2].substr(6), {}});
      } else if (keyword == "*MATERIAL") {
        m.materials.emplace_back().name = words[1].substr(5);
      } else if (keyword == "*SOLID SECTION") {
        model::Section& section = m.sections.emplace_back();
        section.element_set = m.find_element_set(words[1].substr(6));
        section.material = m.find_material(words[2].substr(9));
      }
      continue;
    }
    if (keyword == "*HEADING") m.title += (m.title.empty() ? "" : "\n") + line;
    if (keyword == "*NODE") {
      m.mesh.add_node(std::stoi(words[0]), std::stod(words[1]), std::stod(words[2]), std::stod(words[3]));
    }
    if (keyword != "*ELEMENT") continue;
    for (const std::string& word : words) pending.push_back(std::stoi(word));
    if (static_cast<int>(pending.size()) <= mesh::node_count(type.cell)) continue;
    std::vector<std::int32_t> nodes;
    for (std::size_t i = 1; i < pending.size(); ++i) nodes.push_back(m.mesh.find_node(pending[i]));
    m.element_sets[static_cast<std::size_t>(set)].elements.push_back(
        model::add_element(m.mesh, pending[0], type, nodes));
    pending.clear();
  }
  return m;
}

}  // namespace setka::test
