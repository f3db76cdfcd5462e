// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/free_motions.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/fem/rigid_motions.hpp"
#include "setka/mesh/parts.hpp"

namespace setka::analysis {
namespace {

std::string name_of(const mesh::Mesh& mesh, const mesh::Parts& parts, const fem::FreeBody& body) {
  if (body.parts.size() == static_cast<std::size_t>(parts.count())) return "the model";
  std::vector<std::int32_t> elements;
  std::int64_t count = 0;
  for (const std::int32_t part : body.parts) {
    elements.push_back(mesh.element_label(parts.first_element[static_cast<std::size_t>(part)]));
    count += parts.element_count[static_cast<std::size_t>(part)];
  }
  const std::string size = fmt::format("{} element{}", count, count == 1 ? "" : "s");
  if (elements.size() == 1) return fmt::format("the part with element {} ({})", elements[0], size);
  return fmt::format("the body of the parts with elements {} ({})", some_numbers(elements), size);
}

std::string in_words(const std::string& name, const fem::FreeBody& body) {
  if (!body.checked) return name + " has too many parts to say whether all of them are held";
  if (body.motions.empty()) {
    return fmt::format("{} is held, but its parts are free to move against one another in {} way{}", name,
                       body.loose, body.loose == 1 ? "" : "s");
  }
  return fmt::format("{} is not held: free to move by {}{}", name, join_words(body.motions),
                     body.loose > 0 ? fmt::format(", and its parts against one another in {} way{}",
                                                  body.loose, body.loose == 1 ? "" : "s")
                                    : std::string());
}

}  // namespace

std::vector<FreeMotion> free_motions(const Setup& setup, const fem::Constraints& of_users) {
  const mesh::Mesh& mesh = setup.model->mesh;
  // Springs at single directions hold what the constraints leave free.
  for (const mesh::ElementType type : setup.solids.type) {
    if (type == mesh::ElementType::spring1 || type == mesh::ElementType::spring2) return {};
  }
  const mesh::Parts parts = mesh::connected_parts(mesh);
  std::vector<FreeMotion> free;
  for (const fem::FreeBody& body : fem::free_bodies(parts, setup.solids, of_users))
    free.push_back({in_words(name_of(mesh, parts, body), body), body.checked});
  return free;
}

}  // namespace setka::analysis
