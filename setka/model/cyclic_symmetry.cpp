// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/cyclic_symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "setka/mesh/face_search.hpp"
#include "setka/model/tie.hpp"

namespace setka::model {
namespace {

using Place = std::array<double, 3>;

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// Those of a surface of faces; of one of nodes, all faces of solids whose nodes it has.
std::vector<mesh::SurfaceFace> faces_of_side(const mesh::Mesh& mesh, const Surface& surface) {
  std::vector<mesh::SurfaceFace> faces;
  for (const ElementFace& face : surface.faces)
    faces.push_back(mesh::surface_face(mesh, face.element, face.face));
  if (!surface.of_nodes) return faces;
  std::vector<std::int8_t> has(at(mesh.node_count()), 0);
  for (const std::int32_t node : surface.nodes) has[at(node)] = 1;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const mesh::Cell cell = mesh.cell(e);
    if (mesh::dimension(cell) != 3) continue;
    for (int f = 0; f < mesh::face_count(cell); ++f) {
      const auto own = mesh.nodes(e);
      const bool all = std::ranges::all_of(mesh::face_nodes(cell, f), [&](std::int8_t local) {
        return has[at(own[static_cast<std::size_t>(local)])] != 0;
      });
      if (all) faces.push_back(mesh::surface_face(mesh, e, f));
    }
  }
  return faces;
}

Place turned(const Axes& turn, const Place& about, std::span<const double, 3> x) {
  Place place = about;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) place[i] += turn[i][j] * (x[j] - about[j]);
  }
  return place;
}

double distance(std::span<const double, 3> x, std::span<const double, 3> y) {
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

constexpr double no_share = 1e-12;   // a shape function that is zero but for rounding
constexpr double same_place = 1e-3;  // of the mean edge: meshes match there
constexpr double default_share = 0.025;

/// One way round; the sum of all distances, infinite for a node that is loose.
struct Tried {
  CyclicSearch search;
  double sum = 0;
};

Tried try_angle(const mesh::Mesh& mesh, const CyclicSymmetry& cyclic, const mesh::FaceSearch& faces,
                std::span<const std::int32_t> dependent, double edge, double tolerance, double angle) {
  Tried tried;
  CyclicSearch& result = tried.search;
  result.angle = angle;
  result.turn = rotation(cyclic, angle);
  result.tolerance = tolerance;
  const Axes back = rotation(cyclic, -angle);
  for (const std::int32_t node : dependent) {
    const Place place = turned(back, cyclic.a, mesh.coordinates(node));
    CyclicNode tied{node, 0, {}, {}};
    if (distance(place, mesh.coordinates(node)) < 1e-4 * edge) {
      tied.on_axis = true;
      result.tied.push_back(tied);
      continue;
    }
    const std::optional<mesh::FacePlace> found =
        faces.nearest(place, std::numeric_limits<double>::infinity());
    const double away = found ? found->distance : std::numeric_limits<double>::infinity();
    tried.sum += away;
    if (away > tolerance) {
      result.loose.push_back(node);
      result.farthest = std::max(result.farthest, away);
      continue;
    }
    const mesh::SurfaceFace& face = faces.face(found->face);
    for (std::int32_t i = 0; i < face.node_count; ++i) {
      const std::int32_t other = face.nodes[at(i)];
      if (distance(mesh.coordinates(other), place) < same_place * edge) {  // meshes match
        tied.count = 1;
        tied.others[0] = other;
        tied.weight[0] = 1;
        break;
      }
      if (std::abs(found->weight[at(i)]) < no_share) continue;
      tied.others[at(tied.count)] = other;
      tied.weight[at(tied.count++)] = found->weight[at(i)];
    }
    if (std::find(tied.others.begin(), tied.others.begin() + tied.count, node) !=
        tied.others.begin() + tied.count)
      result.amid.push_back(node);
    else
      result.tied.push_back(tied);
  }
  return tried;
}

/// Rows of a matrix, reduced so that each begins with a 1 where all others have 0, its pivot.
struct Reduced {
  std::vector<std::array<double, 6>> rows;
  std::vector<std::size_t> pivots;
};

Reduced reduced(std::array<std::array<double, 6>, 6> matrix, std::size_t size) {
  constexpr double hardly = 1e-9;
  Reduced result;
  std::array<bool, 6> used{};
  std::vector<std::size_t> pivot_rows;
  for (std::size_t step = 0; step < size; ++step) {
    std::size_t row = 0;
    std::size_t column = 0;
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size && !used[i]; ++j) {
        if (std::abs(matrix[i][j]) <= largest * (1 + hardly)) continue;
        largest = std::abs(matrix[i][j]);
        row = i;
        column = j;
      }
    }
    if (largest < hardly) break;
    used[row] = true;
    const double pivot = matrix[row][column];
    for (double& value : matrix[row]) value /= pivot;
    for (std::size_t i = 0; i < size; ++i) {
      const double factor = i == row ? 0.0 : matrix[i][column];
      for (std::size_t j = 0; j < size; ++j) matrix[i][j] -= factor * matrix[row][j];
    }
    result.pivots.push_back(column);
    pivot_rows.push_back(row);
  }
  for (const std::size_t row : pivot_rows) result.rows.push_back(matrix[row]);
  return result;
}

/// What is on the axis is its own image: (1 - e^(i diameter angle) turn) u = 0, in global components.
void add_on_axis(EquationMaker& equations, const CyclicSearch& found, const CyclicNode& tied, double c,
                 double s, std::int32_t imaginary, Line line) {
  const std::size_t size = imaginary == 0 ? 3 : 6;
  std::array<std::array<double, 6>, 6> matrix{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double own = i == j ? 1 : 0;
      matrix[i][j] = own - c * found.turn[i][j];
      if (imaginary == 0) continue;
      matrix[3 + i][3 + j] = matrix[i][j];
      matrix[i][3 + j] = s * found.turn[i][j];
      matrix[3 + i][j] = -s * found.turn[i][j];
    }
  }
  // In the node's own axes, which equations are written in: u = A' v.
  const Axes axes = equations.axes(tied.node);
  std::array<std::array<double, 6>, 6> own{};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < 3; ++k) own[i][j] += matrix[i][j / 3 * 3 + k] * axes[j % 3][k];
    }
  }
  const Reduced rows = reduced(own, size);
  const auto term = [&](std::size_t j, double factor) {
    return EquationTerm{tied.node + (j >= 3 ? imaginary : 0), static_cast<std::int32_t>(j % 3) + 1, factor};
  };
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const std::size_t pivot = rows.pivots[r];
    const EquationTerm first = term(pivot, 1.0);
    if (equations.taken(first.node, first.direction)) continue;
    std::vector<EquationTerm> terms{first};
    for (std::size_t j = 0; j < size; ++j) {
      if (j != pivot && std::abs(rows.rows[r][j]) > 1e-12) terms.push_back(term(j, rows.rows[r][j]));
    }
    equations.add(std::move(terms), line);
  }
}

}  // namespace

Axes rotation(const CyclicSymmetry& cyclic, double angle) {
  Place n{};
  double length = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    n[k] = cyclic.b[k] - cyclic.a[k];
    length = std::hypot(length, n[k]);
  }
  for (double& component : n) component /= length;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Axes turn{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) turn[i][j] = (1 - c) * n[i] * n[j] + (i == j ? c : 0.0);
  }
  turn[0][1] -= s * n[2];
  turn[1][0] += s * n[2];
  turn[0][2] += s * n[1];
  turn[2][0] -= s * n[1];
  turn[1][2] -= s * n[0];
  turn[2][1] += s * n[0];
  return turn;
}

CyclicSearch find_sides(const Model& model, const CyclicSymmetry& cyclic) {
  const mesh::Mesh& mesh = model.mesh;
  const std::vector<std::int32_t> dependent = nodes_of_surface(mesh, model.surfaces[at(cyclic.dependent)]);
  std::vector<mesh::SurfaceFace> faces = faces_of_side(mesh, model.surfaces[at(cyclic.independent)]);
  double edge = 0;
  for (const mesh::SurfaceFace& face : faces)
    edge += mesh::mean_edge(mesh, face) / static_cast<double>(faces.size());
  const double tolerance =
      cyclic.tolerance > 0 ? std::min(cyclic.tolerance, largest_cyclic_share * edge) : default_share * edge;
  const mesh::FaceSearch search(mesh, std::move(faces));
  const double angle = 2 * std::numbers::pi / cyclic.sectors;
  Tried one = try_angle(mesh, cyclic, search, dependent, edge, tolerance, angle);
  Tried other = try_angle(mesh, cyclic, search, dependent, edge, tolerance, -angle);
  return std::move(one.sum <= other.sum ? one : other).search;
}

Model two_copies(const Model& model, const CyclicSymmetry& cyclic) {
  Model pair = model;
  pair.cyclic.reset();
  const std::int32_t nodes = model.mesh.node_count();
  const std::int32_t elements = model.mesh.element_count();
  const auto double_nodes = [nodes](auto& list) {
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count; ++i) {
      auto copy = list[i];
      copy.node += nodes;
      list.push_back(std::move(copy));
    }
  };
  const auto double_elements = [elements](auto& list) {
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count; ++i) {
      auto copy = list[i];
      copy.element += elements;
      list.push_back(std::move(copy));
    }
  };

  std::int32_t highest_element = 0;
  for (std::int32_t e = 0; e < elements; ++e)
    highest_element = std::max(highest_element, model.mesh.element_label(e));
  pair.mesh.reserve(2 * std::int64_t{nodes}, 2 * std::int64_t{elements});
  for (std::int32_t n = 0; n < nodes; ++n) {
    const auto x = model.mesh.coordinates(n);
    pair.mesh.add_node(model.mesh.highest_node_label() + 1 + n, x[0], x[1], x[2]);
  }
  std::vector<std::int32_t> own;
  for (std::int32_t e = 0; e < elements; ++e) {
    own.assign(model.mesh.nodes(e).begin(), model.mesh.nodes(e).end());
    for (std::int32_t& node : own) node += nodes;
    pair.mesh.add_element(highest_element + 1 + e, model.mesh.cell(e), own, model.mesh.attribute(e));
  }
  // Sets give sections, springs and axes; what is asked for of them is of the first copy.
  for (const Transform& transform : model.transforms) {
    std::vector<std::int32_t>& set = pair.node_sets[at(transform.node_set)].nodes;
    const std::vector<std::int32_t>& given = model.node_sets[at(transform.node_set)].nodes;
    if (set.size() > given.size()) continue;  // of another transform too
    for (const std::int32_t node : given) set.push_back(node + nodes);
  }
  const auto double_set = [&](std::int32_t element_set) {
    std::vector<std::int32_t>& set = pair.element_sets[at(element_set)].elements;
    const std::vector<std::int32_t>& given = model.element_sets[at(element_set)].elements;
    if (set.size() > given.size()) return;
    for (const std::int32_t element : given) set.push_back(element + elements);
  };
  for (const Section& section : model.sections) double_set(section.element_set);
  for (const SpringSection& spring : model.springs) double_set(spring.element_set);

  pair.equations.resize(at(cyclic.first_equation));
  const std::size_t equations = pair.equations.size();
  for (std::size_t i = 0; i < equations; ++i) {
    Equation copy = pair.equations[i];
    for (EquationTerm& term : copy.terms) term.node += nodes;
    pair.equations.push_back(std::move(copy));
  }
  const std::size_t rotations = pair.mean_rotations.size();
  for (std::size_t i = 0; i < rotations; ++i) {
    MeanRotation copy = pair.mean_rotations[i];
    for (std::int32_t& node : copy.nodes) node += nodes;
    copy.angle_node += nodes;
    pair.mean_rotations.push_back(std::move(copy));
  }
  double_nodes(pair.prescribed);
  double_nodes(pair.initial_temperatures);
  double_nodes(pair.nodal_thicknesses);
  for (std::size_t i = 0, count = pair.normals.size(); i < count; ++i) {
    GivenNormal copy = pair.normals[i];
    copy.element += elements;
    copy.node += nodes;
    pair.normals.push_back(copy);
  }
  double_elements(pair.initial_stresses);
  double_elements(pair.initial_strains);
  for (Step& step : pair.steps) {
    double_nodes(step.prescribed);
    const std::size_t removed = step.removed_equations.size();
    for (std::size_t i = 0; i < removed; ++i)
      step.removed_equations.push_back(step.removed_equations[i] + static_cast<std::int32_t>(equations));
  }
  return pair;
}

std::vector<std::int32_t> add_cyclic(EquationMaker& equations, const CyclicSearch& found, int diameter,
                                     std::int32_t imaginary, bool temperatures, Line line) {
  std::vector<std::int32_t> left_out;
  const double c = std::cos(diameter * found.angle);
  const double s = std::sin(diameter * found.angle);
  for (const CyclicNode& tied : found.tied) {
    if (tied.on_axis) {
      add_on_axis(equations, found, tied, c, s, imaginary, line);
      continue;
    }
    bool whole = true;
    for (int part = 0; part < (imaginary == 0 ? 1 : 2); ++part) {
      const std::int32_t node = tied.node + part * imaginary;
      const Axes axes = equations.axes(node);
      for (std::int32_t direction = 1; direction <= 3; ++direction) {
        if (equations.taken(node, direction)) {
          whole = false;
          continue;
        }
        Place along{};  // turn' times the direction
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t k = 0; k < 3; ++k) along[i] += found.turn[k][i] * axes[at(direction - 1)][k];
        }
        const auto scaled = [&along](double factor) {
          Place result = along;
          for (double& value : result) value *= factor;
          return result;
        };
        std::vector<EquationTerm> terms{{node, direction, 1.0}};
        for (std::size_t i = 0; i < at(tied.count); ++i) {
          const double w = tied.weight[i];
          const double of_other_part = part == 0 ? s : -s;
          equations.add_terms(terms, tied.others[i] + part * imaginary, scaled(-c * w));
          if (imaginary != 0)
            equations.add_terms(terms, tied.others[i] + (1 - part) * imaginary, scaled(of_other_part * w));
        }
        equations.add(std::move(terms), line);
      }
    }
    if (temperatures && !equations.taken(tied.node, temperature_direction)) {
      std::vector<EquationTerm> terms{{tied.node, temperature_direction, 1.0}};
      for (std::size_t i = 0; i < at(tied.count); ++i)
        terms.push_back({tied.others[i], temperature_direction, -tied.weight[i]});
      equations.add(std::move(terms), line);
    }
    if (!whole) left_out.push_back(tied.node);
  }
  return left_out;
}

}  // namespace setka::model
