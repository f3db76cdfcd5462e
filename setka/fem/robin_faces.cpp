// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/robin_faces.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/sort.hpp"
#include "setka/exec/vector.hpp"
#include "setka/sparse/add_entries.hpp"

namespace setka::fem {
namespace {

/// Where each run of equal keys begins, and behind the last.
template <class Key>
std::vector<std::int64_t> runs_of(const std::vector<Key>& keys) {
  std::vector<std::int64_t> first;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) first.push_back(static_cast<std::int64_t>(i));
  }
  first.push_back(static_cast<std::int64_t>(keys.size()));
  return first;
}

/// Sorts keys, and values with them; equal ones stay in their order.
template <class Key, class Value>
void sort_by(const exec::Device& device, std::vector<Key>& keys, std::vector<Value>& values) {
  std::vector<std::int64_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  exec::Array<Key> on_device(device, keys);
  exec::Array<std::int64_t> places(device, order);
  exec::sort_by_key<Key, std::int64_t>(device, on_device, places);
  keys = on_device.to_vector();
  order = places.to_vector();
  std::vector<Value> sorted;
  sorted.reserve(values.size());
  for (const std::int64_t from : order) sorted.push_back(values[static_cast<std::size_t>(from)]);
  values = std::move(sorted);
}

// A place in the matrix as a number that sorts by rows.
std::int64_t key_of(std::int32_t row, std::int32_t column) {
  return std::int64_t{row} << 32 | column;
}
std::int32_t row_of(std::int64_t key) {
  return static_cast<std::int32_t>(key >> 32);
}
std::int32_t column_of(std::int64_t key) {
  return static_cast<std::int32_t>(key & 0xffffffff);
}

}  // namespace

RobinFaces::RobinFaces(const exec::Device& device, const Space& space, std::span<const RobinFace> faces)
    : device_(device),
      first_node_(device),
      first_point_(device),
      first_shape_(device),
      face_(device),
      node_(device),
      area_(device),
      shape_(device),
      reached_(device),
      first_of_reached_(device),
      of_reached_(device),
      row_(device),
      column_(device),
      first_share_(device),
      share_(device),
      values_(device) {
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int64_t> first_point{0};
  std::vector<std::int64_t> first_shape;
  std::vector<std::int32_t> face;
  std::vector<std::int32_t> node;
  std::vector<double> area;
  std::vector<double> shape;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const RobinFace& own = faces[f];
    require(own.shape.size() == own.area.size() * own.node.size(),
            "RobinFaces: not one shape function for each point and node of a face");
    first_shape.push_back(static_cast<std::int64_t>(shape.size()));
    node.insert(node.end(), own.node.begin(), own.node.end());
    area.insert(area.end(), own.area.begin(), own.area.end());
    shape.insert(shape.end(), own.shape.begin(), own.shape.end());
    face.insert(face.end(), own.area.size(), static_cast<std::int32_t>(f));
    first_node.push_back(static_cast<std::int64_t>(node.size()));
    first_point.push_back(static_cast<std::int64_t>(area.size()));
  }
  first_node_ = exec::Array<std::int64_t>(device, first_node);
  first_point_ = exec::Array<std::int64_t>(device, first_point);
  first_shape_ = exec::Array<std::int64_t>(device, first_shape);
  face_ = exec::Array<std::int32_t>(device, face);
  node_ = exec::Array<std::int32_t>(device, node);
  area_ = exec::Array<double>(device, area);
  shape_ = exec::Array<double>(device, shape);
  list_nodes(faces);
  list_entries(space, faces);
  take(std::vector<RobinValues>(faces.size()));
}

void RobinFaces::list_nodes(std::span<const RobinFace> faces) {
  std::vector<std::int32_t> nodes;
  std::vector<kernel::NodeOfFace> of_faces;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t i = 0; i < faces[f].node.size(); ++i) {
      nodes.push_back(faces[f].node[i]);
      of_faces.push_back({static_cast<std::int32_t>(f), static_cast<std::int32_t>(i)});
    }
  }
  sort_by(device_, nodes, of_faces);
  first_of_reached_ = exec::Array<std::int64_t>(device_, runs_of(nodes));
  of_reached_ = exec::Array<kernel::NodeOfFace>(device_, of_faces);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  reached_ = exec::Array<std::int32_t>(device_, nodes);
}

void RobinFaces::list_entries(const Space& space, std::span<const RobinFace> faces) {
  const Constraints& constraints = space.constraints();
  std::vector<std::int64_t> places;
  std::vector<kernel::RobinShare> shares;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::vector<std::int32_t>& node = faces[f].node;
    for (std::size_t a = 0; a < node.size(); ++a) {
      for (std::size_t b = 0; b < node.size(); ++b) {
        for (const Term& row : constraints.row(node[a])) {
          for (const Term& column : constraints.row(node[b])) {
            places.push_back(key_of(space.place(row), space.place(column)));
            shares.push_back({static_cast<std::int32_t>(f), static_cast<std::int16_t>(a),
                              static_cast<std::int16_t>(b), row.coefficient * column.coefficient});
          }
        }
      }
    }
  }
  sort_by(device_, places, shares);
  first_share_ = exec::Array<std::int64_t>(device_, runs_of(places));
  share_ = exec::Array<kernel::RobinShare>(device_, shares);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> columns;
  for (const std::int64_t place : places) {
    rows.push_back(row_of(place));
    columns.push_back(column_of(place));
  }
  row_ = exec::Array<std::int32_t>(device_, rows);
  column_ = exec::Array<std::int32_t>(device_, columns);
}

kernel::RobinFacesView RobinFaces::view() const {
  return {first_node_.data(), first_point_.data(), first_shape_.data(), face_.data(),
          node_.data(),       area_.data(),        shape_.data()};
}

void RobinFaces::take(std::span<const RobinValues> values) {
  require(static_cast<std::int64_t>(values.size()) == first_shape_.size(),
          "RobinFaces: not one value for each face");
  values_ = exec::Array<RobinValues>(device_, values);
}

void RobinFaces::give_off(const exec::Stream& stream, double zero, exec::View<const double> u,
                          exec::View<double> given) const {
  require(u.size == given.size, "RobinFaces: not as many nodes in and out");
  exec::fill(stream, given, 0.0);
  const exec::Scratch<double> points(stream, face_.size());
  exec::parallel_for(stream, face_.size(),
                     kernel::RobinPoints<false>{view(), values_.data(), u.data, zero, points.data()});
  exec::parallel_for(stream, reached_.size(),
                     kernel::RobinNodes{view(), reached_.data(), first_of_reached_.data(), of_reached_.data(),
                                        points.data(), given.data});
  stream.synchronize();
}

void RobinFaces::add_tangent(const exec::Stream& stream, double zero, exec::View<const double> u,
                             sparse::BlockCsr<double>& a) const {
  const exec::Scratch<double> points(stream, face_.size());
  exec::parallel_for(stream, face_.size(),
                     kernel::RobinPoints<true>{view(), values_.data(), u.data, zero, points.data()});
  const exec::Scratch<double> entries(stream, row_.size());
  exec::parallel_for(
      stream, row_.size(),
      kernel::RobinEntries{view(), first_share_.data(), share_.data(), points.data(), entries.data()});
  sparse::add_entries(stream, row_, column_, entries, a);
  stream.synchronize();
}

}  // namespace setka::fem
