// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/model.hpp"

#include <cstddef>

namespace setka::model {
namespace {

template <class Named>
std::int32_t position_of(const std::vector<Named>& all, const std::string& name) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace

SourceLine Model::source(Line line) const {
  if (line.file < 0 || line.file >= static_cast<std::int32_t>(files.size())) return {};
  return {files[static_cast<std::size_t>(line.file)], line.number};
}

std::int32_t Model::find_node_set(const std::string& name) const {
  return position_of(node_sets, name);
}
std::int32_t Model::find_element_set(const std::string& name) const {
  return position_of(element_sets, name);
}
std::int32_t Model::find_surface(const std::string& name) const {
  return position_of(surfaces, name);
}
std::int32_t Model::find_material(const std::string& name) const {
  return position_of(materials, name);
}

}  // namespace setka::model
