// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/nodal_frames.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/small_vectors.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/mesh/surface_normals.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

using model::Family;

constexpr double near_angle = 0.939693;  // cosine of 20 degrees: normals that become one
constexpr double same_angle = 0.999962;  // of half a degree: the same about a given one
constexpr double same_size = 1e-10;      // thicknesses and offsets
constexpr double parallel = 1e-10;       // sine of the angle between a beam and its axis 1

/// An element at a node.
struct Place {
  std::int64_t position;  // into NodalFrames::frame
  std::int32_t element;
  NodalFrame own;     // as the element alone would have it
  Vector3 tangent{};  // of a beam
  bool given = false;
  bool treated = false;
};

class Maker {
 public:
  Maker(const model::Model& model, std::span<const std::int32_t> section_of)
      : model_(model), mesh_(model.mesh), section_of_(section_of) {
    for (const model::NodalThickness& given : model.nodal_thicknesses) thickness_[given.node] = given.size;
    for (const model::GivenNormal& given : model.normals)
      normal_[{given.element, given.node}] = given.direction;
  }

  NodalFrames make() {
    NodalFrames made;
    made.first_place.reserve(static_cast<std::size_t>(mesh_.element_count()) + 1);
    made.first_place.push_back(0);
    std::vector<std::vector<Place>> at_node(static_cast<std::size_t>(mesh_.node_count()));
    for (std::int32_t e = 0; e < mesh_.element_count(); ++e) {
      const std::int64_t first = made.first_place.back();
      const Family family = model::family(mesh_, e);
      const bool counts = model::has_profile(family);
      made.first_place.push_back(first + (counts ? static_cast<std::int64_t>(mesh_.nodes(e).size()) : 0));
      if (counts) add_places(e, family, first, at_node);
    }
    made.frame.assign(static_cast<std::size_t>(made.first_place.back()), -1);
    for (std::vector<Place>& places : at_node) {
      std::ranges::sort(places, {}, [&](const Place& place) { return mesh_.element_label(place.element); });
      share(places, made);
    }
    return made;
  }

 private:
  void add_places(std::int32_t element, Family family, std::int64_t first,
                  std::vector<std::vector<Place>>& at_node) {
    const auto nodes = mesh_.nodes(element);
    x_.clear();
    for (const std::int32_t node : nodes) {
      const auto x = mesh_.coordinates(node);
      x_.insert(x_.end(), x.begin(), x.end());
    }
    if (model::is_surface(family)) {
      normals_.resize(x_.size());
      mesh::surface_normals(mesh_.cell(element), x_, normals_);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Place place{first + static_cast<std::int64_t>(i), element, {}};
      set_sizes(element, nodes[i], place.own);
      if (model::is_surface(family))
        set_normal(i, nodes[i], place);
      else
        set_axes(i, nodes[i], place);
      at_node[static_cast<std::size_t>(nodes[i])].push_back(place);
    }
  }

  const model::Profile& profile(std::int32_t element) const {
    static const model::Profile none;
    const std::int32_t section = section_of_[static_cast<std::size_t>(element)];
    if (section < 0) return none;
    const auto& own = model_.sections[static_cast<std::size_t>(section)].profile;
    return own ? *own : none;
  }

  void set_sizes(std::int32_t element, std::int32_t node, NodalFrame& frame) const {
    const model::Profile& own = profile(element);
    frame.node = node;
    frame.shape = own.shape;
    if (model::family(mesh_, element) == Family::beam && frame.shape == model::ProfileShape::plate)
      frame.shape = model::ProfileShape::rectangle;  // without a section
    frame.size = own.size;
    frame.offset = own.offset;
    frame.hinged = model::family(mesh_, element) == Family::membrane;
    const auto given = thickness_.find(node);
    if (given == thickness_.end()) return;
    frame.size[0] = given->second[0];
    if (given->second[1] > 0) frame.size[1] = given->second[1];
  }

  [[noreturn]] void fail(const Place& place, const char* what, const char* remedy) const {
    throw Error(Fault::input,
                fmt::format("element {} ({}) has no {} at node {}", mesh_.element_label(place.element),
                            deck::name(mesh_, place.element), what, mesh_.node_label(place.own.node)),
                remedy);
  }

  void set_normal(std::size_t i, std::int32_t node, Place& place) const {
    const auto given = normal_.find({place.element, node});
    place.given = given != normal_.end();
    place.own.axis[0] =
        place.given ? given->second : unit({normals_[3 * i], normals_[3 * i + 1], normals_[3 * i + 2]});
    if (length(place.own.axis[0]) == 0)
      fail(place, "normal", "move its nodes, or give the normal by *NORMAL");
  }

  void set_axes(std::size_t i, std::int32_t node, Place& place) const {
    place.tangent = unit(tangent(i));
    if (length(place.tangent) == 0) fail(place, "tangent", "move its nodes apart");
    const auto given = normal_.find({place.element, node});
    place.given = given != normal_.end();
    const Vector3 second =
        place.given ? given->second : cross(place.tangent, profile(place.element).first_axis);
    if (length(second) < parallel)
      fail(place, "axis 2, as its axis 1 lies along it",
           "give another axis 1 on the third line of *BEAM SECTION: (0, 0, -1) unless given");
    place.own.axis[1] = unit(second);
  }

  Vector3 node_of_element(std::size_t i) const { return {x_[3 * i], x_[3 * i + 1], x_[3 * i + 2]}; }

  /// Of a beam's node: both ends, then the one between.
  Vector3 tangent(std::size_t i) const {
    const Vector3 from = node_of_element(0);
    const Vector3 to = node_of_element(1);
    const Vector3 chord = plus(to, -1, from);
    if (x_.size() == 6 || i == 2) return chord;
    const Vector3 middle = node_of_element(2);
    const Vector3 bow = plus(plus(from, 1, to), -2, middle);
    return plus(chord, i == 0 ? -2 : 2, bow);
  }

  static bool alike(const Place& a, const Place& b) {
    if (a.own.hinged || b.own.hinged) return false;
    for (std::size_t k = 0; k < 2; ++k) {
      if (k == 1 && a.own.shape == model::ProfileShape::plate) continue;
      if (std::abs(a.own.size[k] - b.own.size[k]) >= same_size ||
          std::abs(a.own.offset[k] - b.own.offset[k]) >= same_size)
        return false;
    }
    return a.own.shape == b.own.shape;
  }

  static bool is_beam(const Place& place) { return place.own.shape != model::ProfileShape::plate; }

  /// The frames of the elements at one node, each with those that fit to it: given normals first.
  static void share(std::vector<Place>& places, NodalFrames& made) {
    for (const bool given : {true, false}) {
      for (Place& reference : places) {
        if (reference.treated || reference.given != given) continue;
        const double near = given ? same_angle : near_angle;
        std::vector<Place*> together;
        for (Place& other : places) {
          if (&other != &reference && (other.treated || !alike(reference, other))) continue;
          const std::size_t normal = is_beam(reference) ? 1 : 0;
          const bool fits = dot(other.own.axis[normal], reference.own.axis[normal]) > near &&
                            (!is_beam(reference) || dot(other.tangent, reference.tangent) > near);
          if (&other == &reference || fits) together.push_back(&other);
        }
        made.frames.push_back(common(reference, together, given));
        for (Place* place : together) {
          place->treated = true;
          made.frame[static_cast<std::size_t>(place->position)] =
              static_cast<std::int32_t>(made.frames.size()) - 1;
        }
      }
    }
  }

  static NodalFrame common(const Place& reference, const std::vector<Place*>& together, bool given) {
    NodalFrame frame = reference.own;
    const std::size_t normal = is_beam(reference) ? 1 : 0;
    if (!given) {
      Vector3 sum{};
      for (const Place* place : together) sum = plus(sum, 1, place->own.axis[normal]);
      frame.axis[normal] = unit(sum);
    }
    if (!is_beam(reference)) return frame;
    Vector3 tangents{};
    for (const Place* place : together) tangents = plus(tangents, 1, place->tangent);
    const Vector3 along = unit(tangents);
    frame.axis[1] = unit(plus(frame.axis[1], -dot(frame.axis[1], along), along));
    frame.axis[0] = cross(frame.axis[1], along);
    return frame;
  }

  const model::Model& model_;
  const mesh::Mesh& mesh_;
  std::span<const std::int32_t> section_of_;
  std::unordered_map<std::int32_t, std::array<double, 2>> thickness_;
  std::map<std::pair<std::int32_t, std::int32_t>, Vector3> normal_;  // by element and node
  std::vector<double> x_;                                            // of the element's nodes
  std::vector<double> normals_;                                      // likewise, of a shell
};

}  // namespace

NodalFrames nodal_frames(const model::Model& model, std::span<const std::int32_t> section_of) {
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
    if (model::has_profile(model::family(model.mesh, e))) return Maker(model, section_of).make();
  }
  return {};
}

}  // namespace setka::analysis
