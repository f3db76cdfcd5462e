// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/msh_groups.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/io/parsing.hpp"

namespace setka::io::detail {
namespace {

std::span<const std::int32_t> nodes_of(const MshContent& content, const MshBlock& block, std::int64_t i) {
  const auto size = static_cast<std::size_t>(block.shape->nodes);
  return std::span(content.element_nodes)
      .subspan(static_cast<std::size_t>(block.first_node) + static_cast<std::size_t>(i) * size, size);
}

void keep_each_once(std::vector<std::int32_t>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

/// The corners of a face in rising order; the largest number for those that an edge or a triangle has not.
using Corners = std::array<std::int32_t, 4>;

struct CornersHash {
  std::size_t operator()(const Corners& corners) const {
    std::uint64_t hash = 0;
    for (const std::int32_t corner : corners)
      hash = (hash ^ static_cast<std::uint32_t>(corner)) * 0x9e3779b97f4a7c15U + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

Corners sorted(Corners corners, std::size_t count) {
  for (std::size_t i = count; i < corners.size(); ++i) corners[i] = INT32_MAX;
  constexpr std::array<std::pair<std::size_t, std::size_t>, 5> network{
      {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}}};
  for (const auto& [i, k] : network) {
    if (corners[k] < corners[i]) std::swap(corners[i], corners[k]);
  }
  return corners;
}

/// Whether b follows a in a face, so that both may be asked which way they turn.
bool follows(const Corners& face, std::size_t count, std::int32_t a, std::int32_t b) {
  for (std::size_t i = 0; i < count; ++i) {
    if (face[i] == a) return face[(i + 1) % count] == b;
  }
  return false;
}

/// Finds the faces of elements that the surface elements of groups lie on.
class FaceFinder {
 public:
  FaceFinder(const MshContent& content, std::span<const std::int32_t> node_of, int dimension)
      : content_(content), node_of_(node_of), corners_(dimension) {}

  void ask(const MshBlock& block) {
    for (std::int64_t i = 0; i < block.count; ++i) {
      const auto [turning, count] = boundary(block, i);
      found_.try_emplace(sorted(turning, count), Found{{-1, -1}, turning[0], turning[1], false});
    }
  }

  void search(const mesh::Mesh& mesh) {
    if (found_.empty()) return;
    for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
      const mesh::Cell cell = mesh.cell(e);
      const auto nodes = mesh.nodes(e);
      for (int f = 0; f < mesh::face_count(cell); ++f) {
        const auto local = mesh::face_nodes(cell, f);
        const std::size_t count = corner_count(local.size());
        Corners corners{};
        for (std::size_t k = 0; k < count; ++k) corners[k] = nodes[static_cast<std::size_t>(local[k])];
        const auto at = found_.find(sorted(corners, count));
        if (at == found_.end()) continue;
        Found& found = at->second;
        // Faces of solids turn inwards, so the one that turns against Gmsh's surface has its normal outside.
        const bool outward = corners_ == 3 && follows(corners, count, found.second, found.first);
        if (found.face.element >= 0 && (found.outward || !outward)) continue;
        found.face = {e, f};
        found.outward = outward;
      }
    }
  }

  std::vector<model::ElementFace> faces(const std::vector<const MshBlock*>& blocks,
                                        std::int64_t& missing) const {
    std::vector<model::ElementFace> faces;
    for (const MshBlock* block : blocks) {
      for (std::int64_t i = 0; i < block->count; ++i) {
        const auto [turning, count] = boundary(*block, i);
        const model::ElementFace face = found_.at(sorted(turning, count)).face;
        if (face.element < 0) {
          ++missing;
        } else {
          faces.push_back(face);
        }
      }
    }
    const auto key = [](const model::ElementFace& face) { return std::pair(face.element, face.face); };
    std::sort(faces.begin(), faces.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    faces.erase(std::unique(faces.begin(), faces.end(),
                            [&](const auto& a, const auto& b) { return key(a) == key(b); }),
                faces.end());
    return faces;
  }

 private:
  struct Found {
    model::ElementFace face;
    std::int32_t first, second;  // corners of Gmsh's surface, in its turn
    bool outward;
  };
  struct Boundary {
    Corners corners;
    std::size_t count;
  };

  /// Of a face with so many nodes: triangles have 3 or 6, quadrangles 4 or 8, edges 2 or 3.
  std::size_t corner_count(std::size_t nodes) const {
    if (corners_ == 2) return 2;
    return nodes % 3 == 0 ? 3 : 4;
  }

  Boundary boundary(const MshBlock& block, std::int64_t i) const {
    const auto nodes = nodes_of(content_, block, i);
    Corners corners{-1, -1, -1, -1};
    const auto count = static_cast<std::size_t>(block.shape->corners);
    for (std::size_t k = 0; k < count; ++k) corners[k] = node_of_[static_cast<std::size_t>(nodes[k])];
    return {corners, count};
  }

  const MshContent& content_;
  std::span<const std::int32_t> node_of_;
  int corners_;  // 3: faces of solids; 2: edges of plane elements
  std::unordered_map<Corners, Found, CornersHash> found_;
};

std::string set_name(const MshContent& content, MshTag group) {
  const auto found = content.names.find(group);
  std::string name = found == content.names.end() ? std::string() : found->second;
  for (char& c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        c == '_' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 128;
    if (!letter) c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  if (name.empty()) return fmt::format("PHYSICAL_{}_{}", group.dimension, group.tag);
  double number = 0;
  return parse_real(name, number) ? "PHYSICAL_" + name : name;
}

}  // namespace

std::span<const std::int32_t> groups_of(const MshContent& content, const MshBlock& block) {
  if (block.ghost) return {};
  if (content.old) return {&block.group, block.group == 0 ? std::size_t{0} : std::size_t{1}};
  const auto found = content.groups.find(block.entity);
  return found == content.groups.end() ? std::span<const std::int32_t>() : found->second;
}

MshGroups msh_groups(const MshContent& content) {
  MshGroups groups;
  for (const MshBlock& block : content.blocks) {
    for (const std::int32_t tag : groups_of(content, block))
      groups[{block.shape->dimension, tag}].push_back(&block);
  }
  return groups;
}

std::map<MshTag, std::string> msh_set_names(const MshContent& content, const MshGroups& groups,
                                            const std::string& file) {
  std::map<MshTag, std::string> names;
  std::map<std::string, MshTag> known;
  for (const auto& [group, blocks] : groups) {
    const std::string name = set_name(content, group);
    const auto [other, is_new] = known.try_emplace(name, group);
    if (!is_new)
      throw Error(
          Fault::input,
          fmt::format("two physical groups come to the name {} in capitals: {} of dimension {} and {} "
                      "of dimension {}",
                      name, other->second.tag, other->second.dimension, group.tag, group.dimension),
          "give one of them another name in Gmsh", {file, 0});
    names[group] = name;
  }
  return names;
}

void add_msh_sets(const MshContent& content, std::span<const std::int32_t> node_of,
                  std::span<const std::int32_t> element_of, int dimension, const std::string& file,
                  model::Model& model) {
  const MshGroups groups = msh_groups(content);
  const auto names = msh_set_names(content, groups, file);
  FaceFinder finder(content, node_of, dimension);
  for (const auto& [group, blocks] : groups) {
    if (group.dimension != dimension - 1) continue;
    for (const MshBlock* block : blocks) finder.ask(*block);
  }
  finder.search(model.mesh);
  for (const auto& [group, name] : content.names) {
    if (!groups.contains(group))
      log::warning("{}: physical group '{}' has no elements and becomes no set", file, name);
  }

  for (const auto& [group, blocks] : groups) {
    const std::string& name = names.at(group);
    model::NodeSet nodes{name, {}};
    model::ElementSet elements{name, {}};
    for (const MshBlock* block : blocks) {
      for (std::int64_t i = 0; i < block->count; ++i) {
        for (const std::int32_t node : nodes_of(content, *block, i)) {
          const std::int32_t kept = node_of[static_cast<std::size_t>(node)];
          if (kept >= 0) nodes.nodes.push_back(kept);
        }
        if (group.dimension == dimension)
          elements.elements.push_back(element_of[static_cast<std::size_t>(block->first_element + i)]);
      }
    }
    keep_each_once(nodes.nodes);
    keep_each_once(elements.elements);
    if (nodes.nodes.empty()) {
      log::warning("{}: no element has nodes of the physical group {}; it becomes no set", file, name);
      continue;
    }
    model.node_sets.push_back(std::move(nodes));
    if (group.dimension == dimension) model.element_sets.push_back(std::move(elements));
    if (group.dimension != dimension - 1) continue;
    std::int64_t missing = 0;
    model::Surface surface{name, false, finder.faces(blocks, missing), {}};
    if (missing > 0)
      log::warning(
          "{}: {} faces of the physical group {} are faces of no element and are left out of the surface",
          file, missing, name);
    if (!surface.faces.empty()) model.surfaces.push_back(std::move(surface));
  }
}

}  // namespace setka::io::detail
