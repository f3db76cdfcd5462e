// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/report_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "setka/io/detail/report_chunks.hpp"
#include "setka/io/detail/report_coarsening.hpp"
#include "setka/io/detail/report_faces.hpp"
#include "setka/mesh/cell.hpp"

namespace setka::io {
namespace {

using detail::ReportFace;
using Vector = std::array<double, 3>;

constexpr std::size_t most_faces_with_edges = 150'000;
constexpr double sharp = 0.8;  // cosine between the normals of faces that meet at an edge, below which it is

Vector place(const mesh::Mesh& mesh, std::int32_t node) {
  const auto x = mesh.coordinates(node);
  return {x[0], x[1], x[2]};
}

Vector difference(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector unit(const Vector& a) {
  const double length = std::hypot(a[0], a[1], a[2]);
  if (!(length > 0)) return {0, 0, 0};
  return {a[0] / length, a[1] / length, a[2] / length};
}

Vector normal_of(const mesh::Mesh& mesh, const ReportFace& face) {
  const Vector a = place(mesh, face.nodes[0]);
  const Vector b = place(mesh, face.nodes[1]);
  const Vector c = place(mesh, face.nodes[2]);
  if (face.corners == 3) return unit(cross(difference(b, a), difference(c, a)));
  return unit(cross(difference(c, a), difference(place(mesh, face.nodes[3]), b)));
}

/// The edge of a face, in its chunk; the lower node first.
struct FaceEdge {
  std::int32_t chunk;
  std::int32_t from;
  std::int32_t to;
  std::int32_t amid;  // -1: none
  std::size_t face;

  auto key() const { return std::tie(chunk, from, to); }
};

/// What the surface is made of while nodes are still those of the mesh.
struct Pieces {
  std::vector<std::int32_t> triangles;    // [n, 3]
  std::vector<std::int32_t> sharp_edges;  // [n, 2]
  std::vector<std::int32_t> edges;        // [n, 2] the others
};

void add_triangles(const ReportFace& face, bool coarse, std::vector<std::int32_t>& triangles) {
  const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
    if (a != b && b != c && c != a) triangles.insert(triangles.end(), {a, b, c});
  };
  const std::array<std::int32_t, 8>& n = face.nodes;
  const bool whole = face.quadratic && !coarse;
  if (face.corners == 3 && whole) {
    add(n[0], n[3], n[5]);
    add(n[3], n[1], n[4]);
    add(n[5], n[4], n[2]);
    add(n[3], n[4], n[5]);
  } else if (face.corners == 3) {
    add(n[0], n[1], n[2]);
  } else if (whole) {
    add(n[0], n[4], n[7]);
    add(n[1], n[5], n[4]);
    add(n[2], n[6], n[5]);
    add(n[3], n[7], n[6]);
    add(n[4], n[5], n[7]);
    add(n[5], n[6], n[7]);
  } else {
    add(n[0], n[1], n[2]);
    add(n[0], n[2], n[3]);
  }
}

class Builder {
 public:
  Builder(const model::Model& model, const model::ShownSolids* shown, std::int64_t most_triangles)
      : mesh_(shown != nullptr ? shown->model.mesh : model.mesh),
        shown_(shown),
        chunks_(detail::report_chunks(model, shown)),
        faces_(detail::report_faces(mesh_, chunks_.of_element)) {
    made_.parts = chunks_.parts;
    made_.sets_left_out = chunks_.sets_left_out;
    std::int64_t triangles = 0;
    std::int64_t coarse = 0;
    for (const ReportFace& face : faces_) {
      coarse += face.corners - 2;
      triangles += face.quadratic && face.corners > 2 ? 2 * face.corners - 2 : face.corners - 2;
    }
    made_.whole_triangles = triangles;
    coarse_ = triangles > most_triangles;
    for (std::int32_t e = 0; e < mesh_.element_count(); ++e)
      made_.has_sheets |= mesh::dimension(mesh_.cell(e)) == 2;
    number_chunks();
    add_faces();
    if (coarse_ && coarse > most_triangles) coarsen(most_triangles);
    add_edges();
    number_points();
    add_lines();
  }

  ReportSurface made() { return std::move(made_); }

 private:
  /// Chunks of elements first, then borders between two of them, which are seen in another's place.
  void number_chunks() {
    for (const std::vector<std::int32_t>& parts : chunks_.parts_of_chunk)
      made_.chunks.push_back({parts, -1, 0, 0, 0});
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> borders;
    for (ReportFace& face : faces_) {
      if (face.behind < 0) continue;
      const auto [at, fresh] =
          borders.try_emplace({face.chunk, face.behind}, static_cast<std::int32_t>(made_.chunks.size()));
      if (fresh) {
        made_.chunks.push_back(made_.chunks[static_cast<std::size_t>(face.chunk)]);
        made_.chunks.back().behind = face.behind;
      }
      face.chunk = at->second;
    }
    pieces_.resize(made_.chunks.size());
  }

  void add_faces() {
    for (const ReportFace& face : faces_) {
      if (face.corners > 2)
        add_triangles(face, coarse_, pieces_[static_cast<std::size_t>(face.chunk)].triangles);
    }
  }

  void coarsen(std::int64_t most_triangles) {
    std::vector<std::vector<std::int32_t>*> triangles;
    for (Pieces& pieces : pieces_) triangles.push_back(&pieces.triangles);
    place_of_ = detail::coarsen_triangles(mesh_, triangles, most_triangles);
  }

  void add_edges() {
    std::vector<FaceEdge> edges;
    std::vector<Vector> normals(faces_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const ReportFace& face = faces_[f];
      if (face.corners < 3) continue;
      normals[f] = normal_of(mesh_, face);
      for (int i = 0; i < face.corners; ++i) {
        const std::int32_t a = face.nodes[static_cast<std::size_t>(i)];
        const std::int32_t b = face.nodes[static_cast<std::size_t>((i + 1) % face.corners)];
        if (a != b)
          edges.push_back({face.chunk, std::min(a, b), std::max(a, b), coarse_ ? -1 : face.amid(i), f});
      }
    }
    std::ranges::sort(
        edges, {}, [](const FaceEdge& edge) { return std::tie(edge.chunk, edge.from, edge.to, edge.face); });
    const bool all = !coarse_ && faces_.size() <= most_faces_with_edges;
    for (auto first = edges.begin(); first != edges.end();) {
      auto last = first;
      while (last != edges.end() && last->key() == first->key()) ++last;
      const bool is_sharp =
          last - first != 2 || meets_sharply(normals[first->face], normals[(last - 1)->face]);
      Pieces& pieces = pieces_[static_cast<std::size_t>(first->chunk)];
      if (is_sharp || all) add_edge(*first, is_sharp ? pieces.sharp_edges : pieces.edges);
      first = last;
    }
  }

  static bool meets_sharply(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < sharp;
  }

  void add_edge(const FaceEdge& edge, std::vector<std::int32_t>& to) const {
    const auto add = [&](std::int32_t a, std::int32_t b) {
      if (!place_of_.empty()) {
        a = place_of_[static_cast<std::size_t>(a)];
        b = place_of_[static_cast<std::size_t>(b)];
      }
      if (a != b) to.insert(to.end(), {a, b});
    };
    if (edge.amid < 0) return add(edge.from, edge.to);
    add(edge.from, edge.amid);
    add(edge.amid, edge.to);
  }

  std::int32_t add_point(std::int32_t node, const Vector& x) {
    made_.node.push_back(node);
    made_.value.push_back(shown_ == nullptr ? node : shown_->node[static_cast<std::size_t>(node)]);
    made_.positions.insert(made_.positions.end(), x.begin(), x.end());
    return static_cast<std::int32_t>(made_.node.size() - 1);
  }

  void number_points() {
    std::vector<std::int32_t> point(static_cast<std::size_t>(mesh_.node_count()), -1);
    const auto numbered = [&](std::int32_t node) {
      std::int32_t& at = point[static_cast<std::size_t>(node)];
      if (at < 0) at = add_point(node, place(mesh_, node));
      return at;
    };
    for (std::size_t c = 0; c < pieces_.size(); ++c) {
      Pieces& pieces = pieces_[c];
      ReportChunk& chunk = made_.chunks[c];
      for (const std::int32_t node : pieces.triangles) made_.triangles.push_back(numbered(node));
      chunk.triangles = static_cast<std::int64_t>(pieces.triangles.size() / 3);
      for (const std::vector<std::int32_t>* edges : {&pieces.sharp_edges, &pieces.edges}) {
        for (const std::int32_t node : *edges) made_.edges.push_back(numbered(node));
      }
      chunk.sharp_edges = static_cast<std::int64_t>(pieces.sharp_edges.size() / 2);
      chunk.edges = chunk.sharp_edges + static_cast<std::int64_t>(pieces.edges.size() / 2);
      pieces = {};
    }
  }

  /// Beams, trusses and springs as prisms, a chunk of their own each.
  void add_lines() {
    Vector low{1e300, 1e300, 1e300};
    Vector high{-1e300, -1e300, -1e300};
    for (std::int32_t node = 0; node < mesh_.node_count(); ++node) {
      const Vector x = place(mesh_, node);
      for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], x[i]);
        high[i] = std::max(high[i], x[i]);
      }
    }
    const Vector size = difference(high, low);
    const double radius = 0.004 * std::hypot(size[0], size[1], size[2]);
    std::map<std::int32_t, std::vector<const ReportFace*>> by_chunk;
    for (const ReportFace& face : faces_) {
      if (face.corners == 2) by_chunk[face.chunk].push_back(&face);
    }
    for (const auto& [chunk, lines] : by_chunk) {
      made_.has_lines = true;
      const std::size_t before = made_.triangles.size();
      for (const ReportFace* line : lines) {
        if (line->quadratic) {
          add_prism(line->nodes[0], line->nodes[2], radius);
          add_prism(line->nodes[2], line->nodes[1], radius);
        } else {
          add_prism(line->nodes[0], line->nodes[1], radius);
        }
      }
      ReportChunk own{made_.chunks[static_cast<std::size_t>(chunk)].parts, -1, 0, 0, 0};
      own.triangles = static_cast<std::int64_t>((made_.triangles.size() - before) / 3);
      made_.chunks.push_back(std::move(own));
      made_.whole_triangles += made_.chunks.back().triangles;
    }
  }

  void add_prism(std::int32_t from, std::int32_t to, double radius) {
    constexpr int sides = 6;
    const Vector a = place(mesh_, from);
    const Vector b = place(mesh_, to);
    const Vector along = unit(difference(b, a));
    const bool upright = std::abs(along[2]) > 0.9;
    const Vector u = unit(cross(along, upright ? Vector{1, 0, 0} : Vector{0, 0, 1}));
    const Vector v = cross(along, u);
    std::array<std::array<std::int32_t, sides>, 2> ring{};
    for (std::size_t end = 0; end < 2; ++end) {
      const Vector& middle = end == 0 ? a : b;
      for (std::size_t k = 0; k < sides; ++k) {
        const double angle = 2 * 3.14159265358979 * static_cast<double>(k) / sides;
        Vector x;
        for (std::size_t i = 0; i < 3; ++i)
          x[i] = middle[i] + radius * (std::cos(angle) * u[i] + std::sin(angle) * v[i]);
        ring[end][k] = add_point(end == 0 ? from : to, x);
      }
    }
    for (std::size_t k = 0; k < sides; ++k) {
      const std::size_t next = (k + 1) % sides;
      made_.triangles.insert(made_.triangles.end(), {ring[0][k], ring[0][next], ring[1][next]});
      made_.triangles.insert(made_.triangles.end(), {ring[0][k], ring[1][next], ring[1][k]});
    }
  }

  const mesh::Mesh& mesh_;
  const model::ShownSolids* shown_;
  detail::ReportChunks chunks_;
  std::vector<ReportFace> faces_;
  std::vector<Pieces> pieces_;          // [chunks]
  std::vector<std::int32_t> place_of_;  // [nodes] the node in whose place each is; empty: in its own
  bool coarse_ = false;
  ReportSurface made_;
};

}  // namespace

ReportSurface report_surface(const model::Model& model, const model::ShownSolids* shown,
                             std::int64_t most_triangles) {
  return Builder(model, shown, most_triangles).made();
}

}  // namespace setka::io
