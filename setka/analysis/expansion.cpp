// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "setka/analysis/beam_nodes.hpp"
#include "setka/analysis/membrane_twist.hpp"
#include "setka/analysis/small_vectors.hpp"
#include "setka/base/dense.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

using model::Family;
using model::ProfileShape;
using Rows3 = std::array<std::vector<fem::Term>, 3>;

constexpr std::size_t corner_count = 4;
constexpr double corner_of_round = 0.35355339059327376;  // over the diameter, along each axis

/// Signs of the eight places of a beam's section along its axes.
constexpr std::array<std::array<int, 2>, 8> places_round{
    {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}}};

bool is_shell(const NodalFrame& frame) {
  return frame.shape == ProfileShape::plate;
}

/// Where in a frame a solid node lies: over the size, from the middle.
Vector3 place_in(const NodalFrame& frame, const Vector3& at, std::array<double, 2> over_size) {
  Vector3 x = at;
  for (std::size_t k = 0; k < (is_shell(frame) ? 1U : 2U); ++k)
    x = plus(x, frame.size[k] * (over_size[k] - frame.offset[k]), frame.axis[k]);
  return x;
}

Vector3 shell_place(const NodalFrame& frame, const Vector3& at, std::size_t level) {
  return place_in(frame, at, {0.5 * (static_cast<double>(level) - 1), 0});
}

Vector3 beam_place(const NodalFrame& frame, const Vector3& at, std::size_t place) {
  const bool round = frame.shape == ProfileShape::ellipse && place < corner_count;
  const double reach = round ? corner_of_round : 0.5;
  return place_in(frame, at, {reach * places_round[place][0], reach * places_round[place][1]});
}

/// The membrane whose points notice all that moves amid it.
constexpr model::ElementType free_amid{mesh::Cell::quad8, Family::membrane, model::Integration::full};

/// What frames need besides what they always have, and what else there is at nodes.
struct Needs {
  std::vector<std::int8_t> middle;       // [frames] nodes amid a surface, amid the sides of a beam
  std::vector<std::int8_t> free_middle;  // [frames] which are not between below and above
  std::vector<std::int8_t> others;  // [mesh nodes] trusses, plane elements and membranes: they make a knot
  std::vector<std::int8_t> not_hinged;  // [mesh nodes] anything but membranes
};

Needs needs_of(const mesh::Mesh& mesh, const NodalFrames& frames) {
  const std::vector<std::int8_t> of_frames(frames.frames.size(), 0);
  const std::vector<std::int8_t> of_nodes(static_cast<std::size_t>(mesh.node_count()), 0);
  Needs needs{of_frames, of_frames, of_nodes, of_nodes};
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::ElementType type = model::element_type(mesh, e);
    const bool hinged = type.family == Family::membrane;
    for (const std::int32_t node : mesh.nodes(e)) {
      const auto n = static_cast<std::size_t>(node);
      if (hinged || type.family == Family::truss || model::is_plane(type.family)) needs.others[n] = 1;
      if (!hinged) needs.not_hinged[n] = 1;
    }
    if (!model::has_profile(type.family)) continue;
    const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh.cell(e)));
    const auto own = frames.of(e);
    if (own.size() == corners) continue;
    for (std::size_t i = 0; i < corners; ++i) {
      const auto frame = static_cast<std::size_t>(own[i]);
      needs.middle[frame] = 1;
      needs.free_middle[frame] = !hinged || type == free_amid ? 1 : 0;
    }
  }
  return needs;
}

/// The sections of the frames of one node.
class Sections {
 public:
  Sections(const mesh::Mesh& mesh, Solids& solids, std::int32_t node)
      : solids_(solids),
        at_{mesh.coordinates(node)[0], mesh.coordinates(node)[1], mesh.coordinates(node)[2]} {
    expanded_.node = node;
  }

  /// One section that deforms as it likes.
  std::array<std::int32_t, 8> free(const NodalFrame& frame, bool middle) {
    std::array<std::int32_t, 8> copies{-1, -1, -1, -1, -1, -1, -1, -1};
    if (is_shell(frame)) {
      expanded_.normal = frame.axis[0];
      const std::int32_t difference = take_v(3);
      for (const std::size_t level : {0U, 2U}) {
        Rows3 rows = of_node();
        add(rows, difference, level == 0 ? -1 : 1);
        copies[level] = add_copy(shell_place(frame, at_, level), std::move(rows));
        expanded_.turning.push_back(copies[level]);
      }
      if (!middle) return copies;
      expanded_.middle_v = take_v(3);
      Rows3 rows = of_node();
      add_along_axes(rows, expanded_.middle_v);
      copies[1] = expanded_.middle = add_copy(shell_place(frame, at_, 1), std::move(rows));
      mean_over_thickness(expanded_.middle_v, 2.0 / 3);
      return copies;
    }
    expanded_.leaning_v = take_v(9);
    for (std::size_t c = 0; c < corner_count; ++c) {
      const auto [s, t] = places_round[c];
      Rows3 rows = of_node();
      add(rows, expanded_.leaning_v, s);
      add(rows, expanded_.leaning_v + 3, t);
      add(rows, expanded_.leaning_v + 6, s * t);
      copies[c] = add_copy(beam_place(frame, at_, c), std::move(rows));
      expanded_.turning.push_back(copies[c]);
    }
    for (std::size_t side = 0; side < corner_count && middle; ++side) {
      Rows3 rows = of_node();
      expanded_.sides_v[side] = take_v(3);
      add(rows, expanded_.sides_v[side], 1);
      copies[corner_count + side] = add_copy(beam_place(frame, at_, corner_count + side), std::move(rows));
    }
    return copies;
  }

  /// The places of a frame of a knot, in the order in which knot() makes copies of them.
  void collect(const NodalFrame& frame, bool middle) {
    for (std::size_t i = 0; i < 8; ++i) {
      if (is_shell(frame) && (i > 2 || (i == 1 && !middle))) continue;
      if (!is_shell(frame) && i >= corner_count && !middle) continue;
      places_.push_back({is_shell(frame) ? shell_place(frame, at_, i) : beam_place(frame, at_, i), i});
    }
    first_of_frame_.push_back(places_.size());
    if (is_shell(frame))
      expanded_.normal = frame.axis[0];
    else
      beams_ = true;
  }

  /// Sections that turn together. Returns the copies frame by frame.
  std::vector<std::array<std::int32_t, 8>> knot() {
    const Eigenpairs spread = spread_of_places();
    constexpr double flat = 1e-10;  // of squares
    const double most = spread.value[2];
    const bool in_line = spread.value[1] < flat * most;
    const bool in_plane = beams_ && !in_line && spread.value[0] < flat * most;
    expanded_.knot = take_v(3);
    expanded_.knot_widths = in_plane ? 2 : 1;
    const std::int32_t expansion = take_v(expanded_.knot_widths);
    std::vector<std::array<std::int32_t, 8>> sections;
    std::size_t next = 0;
    for (const std::size_t end : first_of_frame_) {
      std::array<std::int32_t, 8> copies{-1, -1, -1, -1, -1, -1, -1, -1};
      for (; next < end; ++next) {
        const Vector3 arm = plus(places_[next].x, -1, at_);
        Rows3 rows = of_node();
        for (std::int32_t k = 0; k < 3; ++k)
          add(rows, expanded_.knot + k, cross(solids_.axis_of(expanded_.node, k), arm));
        if (in_plane) {
          for (std::int32_t k = 0; k < 2; ++k) {
            const auto column = spread.vector.column(k + 1);
            const Vector3 along{column[0], column[1], column[2]};
            add(rows, expansion + k, plus({}, dot(along, arm), along));
          }
        } else {
          add(rows, expansion, arm);
        }
        copies[places_[next].number] = add_copy(places_[next].x, std::move(rows));
        expanded_.turning.push_back(copies[places_[next].number]);
      }
      sections.push_back(copies);
    }
    if (in_line) hold_about(spread);
    return sections;
  }

  /// The section of one element of a membrane; the first v of its d is returned too.
  std::array<std::int32_t, 8> hinge(const NodalFrame& frame, bool middle, bool free_middle,
                                    std::int32_t& difference) {
    std::array<std::int32_t, 8> copies{-1, -1, -1, -1, -1, -1, -1, -1};
    difference = take_v(3);
    for (const std::size_t level : {0U, 2U}) {
      Rows3 rows = of_node();
      add(rows, difference, level == 0 ? -1 : 1);
      copies[level] = add_copy(shell_place(frame, at_, level), std::move(rows));
      hinged_.push_back(copies[level]);
    }
    if (!middle) return copies;
    Rows3 rows = of_node();
    if (free_middle) {
      hinged_middle_v_.push_back(take_v(3));
      add_along_axes(rows, hinged_middle_v_.back());
    }
    copies[1] = add_copy(shell_place(frame, at_, 1), std::move(rows));
    if (free_middle) hinged_middles_.push_back(copies[1]);
    return copies;
  }

  /// After all of them, where nothing turns: the node is where their parabolas have their means, unless other
  /// elements have it too.
  void settle_hinges(bool alone) {
    expanded_.hinged = true;
    expanded_.turning = std::move(hinged_);
    if (!alone) return;
    expanded_.hinged_middles = std::move(hinged_middles_);
    const double sections = static_cast<double>(expanded_.turning.size()) / 2;
    for (const std::int32_t v : hinged_middle_v_) mean_over_thickness(v, 2 / (3 * sections));
    // One that is alone is held with the node, as a shell is.
    if (expanded_.turning.size() == 2 && !hinged_middle_v_.empty())
      expanded_.middle_v = hinged_middle_v_.front();
  }

  ExpandedNode take_expanded() { return std::move(expanded_); }

 private:
  struct Numbered {
    Vector3 x;
    std::size_t number;  // within the section
  };

  Eigenpairs spread_of_places() const {
    Vector3 center{};
    for (const Numbered& place : places_)
      center = plus(center, 1.0 / static_cast<double>(places_.size()), place.x);
    Dense squares(3, 3);
    for (const Numbered& place : places_) {
      const Vector3 arm = plus(place.x, -1, center);
      for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j)
          squares(i, j) += arm[static_cast<std::size_t>(i)] * arm[static_cast<std::size_t>(j)];
      }
    }
    return eigenpairs(squares);
  }

  /// Places in one line do not turn about it: that v has no stiffness. It is the axis that lies nearest to
  /// the line that is held; the others are about axes across it as far as they matter.
  void hold_about(const Eigenpairs& spread) {
    const auto column = spread.vector.column(2);
    const Vector3 line{column[0], column[1], column[2]};
    std::int32_t nearest = 0;
    for (std::int32_t k = 1; k < 3; ++k) {
      if (std::abs(dot(solids_.axis_of(expanded_.node, k), line)) >
          std::abs(dot(solids_.axis_of(expanded_.node, nearest), line)))
        nearest = k;
    }
    solids_.idle_user_dofs.push_back(expanded_.knot + nearest);
  }

  std::int32_t take_v(std::int32_t count) {
    const std::int32_t first = solids_.user_dofs;
    solids_.user_dofs += count;
    return first;
  }

  /// A middle counts in the displacement of the node: over a parabola below 1/6, amid 2/3, above 1/6.
  void mean_over_thickness(std::int32_t middle_v, double share) {
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<fem::Term>& row = solids_.rows[3 * static_cast<std::size_t>(expanded_.node) + i];
      const std::size_t count = row.size();
      for (std::size_t t = 0; t < count; ++t) {
        const fem::Term own = row[t];
        const std::int32_t direction = own.index - 3 * expanded_.node;
        if (direction >= 0 && direction < 3) row.push_back({middle_v + direction, own.coefficient * share});
      }
    }
  }

  /// A v for each of the node's own axes, in which it may be held.
  void add_along_axes(Rows3& rows, std::int32_t first_v) const {
    for (std::int32_t k = 0; k < 3; ++k) {
      const Vector3 axis = solids_.axis_of(expanded_.node, k);
      for (std::size_t i = 0; i < 3; ++i) {
        if (axis[i] != 0) rows[i].push_back({first_v + k, axis[i]});
      }
    }
  }

  Rows3 of_node() const {
    const auto d = 3 * static_cast<std::size_t>(expanded_.node);
    return {solids_.rows[d], solids_.rows[d + 1], solids_.rows[d + 2]};
  }

  /// A v for each direction.
  static void add(Rows3& rows, std::int32_t first_v, int factor) {
    for (std::size_t i = 0; i < 3; ++i)
      rows[i].push_back({first_v + static_cast<std::int32_t>(i), static_cast<double>(factor)});
  }

  /// One v along a vector.
  static void add(Rows3& rows, std::int32_t v, const Vector3& along) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (along[i] != 0) rows[i].push_back({v, along[i]});
    }
  }

  std::int32_t add_copy(const Vector3& x, Rows3 rows) {
    const std::int32_t copy = solids_.add_copy(expanded_.node, x, std::move(rows));
    solids_.turning_copies.push_back(copy);
    return copy;
  }

  Solids& solids_;
  Vector3 at_;
  ExpandedNode expanded_;
  std::vector<Numbered> places_;
  std::vector<std::size_t> first_of_frame_;  // ends, frame by frame
  bool beams_ = false;
  std::vector<std::int32_t> hinged_;           // copies below and above of membranes
  std::vector<std::int32_t> hinged_middles_;   // those between that move by themselves
  std::vector<std::int32_t> hinged_middle_v_;  // and their first v
};

}  // namespace

Expansion::Expansion(const mesh::Mesh& mesh, const NodalFrames& frames, Solids& solids)
    : mesh_(mesh), frames_(frames) {
  if (frames.empty()) return;
  const Needs needs = needs_of(mesh, frames);
  sections_.resize(frames.frames.size());
  difference_.assign(frames.frames.size(), -1);
  for (std::size_t first = 0; first < frames.frames.size();) {
    const std::int32_t node = frames.frames[first].node;
    std::size_t last = first + 1;
    while (last < frames.frames.size() && frames.frames[last].node == node) ++last;
    Sections sections(mesh, solids, node);
    std::vector<std::size_t> turning;
    for (std::size_t f = first; f < last; ++f) {
      const NodalFrame& frame = frames.frames[f];
      if (frame.hinged)
        sections_[f] = sections.hinge(frame, needs.middle[f] != 0, needs.free_middle[f] != 0, difference_[f]);
      else
        turning.push_back(f);
    }
    const bool others = needs.others[static_cast<std::size_t>(node)] != 0;
    if (turning.size() == 1 && !others) {
      sections_[first] = sections.free(frames.frames[first], needs.middle[first] != 0);
    } else if (!turning.empty()) {
      for (const std::size_t f : turning) sections.collect(frames.frames[f], needs.middle[f] != 0);
      const auto made = sections.knot();
      for (std::size_t i = 0; i < turning.size(); ++i) sections_[turning[i]] = made[i];
    } else {
      sections.settle_hinges(needs.not_hinged[static_cast<std::size_t>(node)] == 0);
    }
    solids.expanded.push_back(sections.take_expanded());
    first = last;
  }
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) hold_twist(e, solids);
  for (std::size_t f = 0; f < sections_.size(); ++f) {
    const Section& section = sections_[f];
    const auto note = [&](std::size_t place, std::vector<std::int32_t>& amid) {
      if (section[place] >= 0) amid.push_back(section[place]);
    };
    if (is_shell(frames.frames[f])) note(1, solids.amid_surfaces);
    for (std::size_t place = corner_count; place < section.size(); ++place) note(place, solids.amid_sides);
  }
}

void Expansion::hold_twist(std::int32_t element, Solids& solids) const {
  const std::vector<Vector3> twist = membrane_twist(mesh_, element);
  if (twist.empty()) return;
  const auto own = frames_.of(element);
  const auto largest = std::ranges::max_element(twist, {}, [](const Vector3& t) { return length(t); });
  const auto last = static_cast<std::size_t>(largest - twist.begin());
  const Vector3 along = unit(twist[last]);
  // Across it the section of that node has two v in the place of three; along it, what the others leave.
  const auto frame = static_cast<std::size_t>(own[last]);
  const Vector3& normal = frames_.frames[frame].axis[0];
  const std::array<Vector3, 2> across{unit(cross(normal, along)), unit(cross(along, cross(normal, along)))};
  const std::int32_t v = difference_[frame];
  std::vector<fem::Term> left;
  for (std::size_t i = 0; i < twist.size(); ++i) {
    const std::int32_t other = difference_[static_cast<std::size_t>(own[i])];
    for (std::size_t k = 0; k < 3 && i != last; ++k)
      left.push_back({other + static_cast<std::int32_t>(k), -twist[i][k] / length(twist[last])});
  }
  for (const std::size_t level : {0U, 2U}) {
    const auto first = 3 * static_cast<std::size_t>(sections_[frame][level]);
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<fem::Term>& row = solids.rows[first + k];
      const double sign = level == 0 ? -1 : 1;
      std::erase_if(row, [&](const fem::Term& term) { return term.index >= v && term.index < v + 3; });
      for (std::size_t j = 0; j < 2; ++j)
        row.push_back({v + static_cast<std::int32_t>(j), sign * across[j][k]});
      for (const fem::Term& term : left) row.push_back({term.index, sign * along[k] * term.coefficient});
    }
  }
  solids.idle_user_dofs.push_back(v + 2);
}

void Expansion::add_element(std::int32_t element, Solids& solids) const {
  const auto own = frames_.of(element);
  const auto at = [&](std::size_t i, std::size_t place) {
    return sections_[static_cast<std::size_t>(own[i])][place];
  };
  std::vector<std::int32_t>& out = solids.node;
  const auto corners = static_cast<std::size_t>(mesh::corner_count(mesh_.cell(element)));
  if (model::family(mesh_, element) == Family::beam) {
    for (const auto& [end, place] : std::span(beam_nodes).first(own.size() == corners ? 8 : 20))
      out.push_back(at(end, place));
    return;
  }
  const auto level = [&](std::size_t first, std::size_t last, std::size_t height) {
    for (std::size_t i = first; i < last; ++i) out.push_back(at(i, height));
  };
  level(0, corners, 0);
  level(0, corners, 2);
  if (own.size() == corners) return;
  level(corners, own.size(), 0);
  level(corners, own.size(), 2);
  level(0, corners, 1);
}

}  // namespace setka::analysis
