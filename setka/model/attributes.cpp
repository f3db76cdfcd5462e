// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/attributes.hpp"

namespace setka::model {
namespace {

template <class Given>
std::vector<std::int32_t> by_element(const Model& model, const std::vector<Given>& sections) {
  std::vector<std::int32_t> of_element(static_cast<std::size_t>(model.mesh.element_count()), -1);
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const auto set = static_cast<std::size_t>(sections[s].element_set);
    for (const std::int32_t element : model.element_sets[set].elements) {
      of_element[static_cast<std::size_t>(element)] = static_cast<std::int32_t>(s);
    }
  }
  return of_element;
}

}  // namespace

std::vector<std::int32_t> transforms_of_nodes(const Model& model) {
  std::vector<std::int32_t> of_node(static_cast<std::size_t>(model.mesh.node_count()), -1);
  for (std::size_t t = 0; t < model.transforms.size(); ++t) {
    for (const std::int32_t node :
         model.node_sets[static_cast<std::size_t>(model.transforms[t].node_set)].nodes) {
      of_node[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(t);
    }
  }
  return of_node;
}

std::vector<std::int32_t> sections_of_elements(const Model& model) {
  return by_element(model, model.sections);
}

std::vector<std::int32_t> springs_of_elements(const Model& model) {
  return by_element(model, model.springs);
}

std::vector<std::int32_t> orientations_of_elements(const Model& model) {
  std::vector<std::int32_t> of_element = sections_of_elements(model);
  for (std::int32_t& x : of_element) {
    if (x >= 0) x = model.sections[static_cast<std::size_t>(x)].orientation;
  }
  return of_element;
}

std::vector<std::int32_t> materials_of_elements(const Model& model) {
  std::vector<std::int32_t> of_element = sections_of_elements(model);
  for (std::int32_t& x : of_element) {
    if (x >= 0) x = model.sections[static_cast<std::size_t>(x)].material;
  }
  return of_element;
}

std::vector<std::int32_t> elements_without_section(const Model& model) {
  std::vector<std::int32_t> of_element = sections_of_elements(model);
  for (const SpringSection& spring : model.springs) {
    for (const std::int32_t element :
         model.element_sets[static_cast<std::size_t>(spring.element_set)].elements) {
      of_element[static_cast<std::size_t>(element)] = 0;
    }
  }
  std::vector<std::int32_t> without;
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    if (of_element[static_cast<std::size_t>(e)] < 0) without.push_back(e);
  }
  return without;
}

}  // namespace setka::model
