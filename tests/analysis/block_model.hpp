// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "setka/analysis/job.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/model.hpp"

namespace setka::test {

/// A model of a grid of blocks, one isotropic material and one static step.
inline model::Model block_model(const mesh::BlockGrid& grid, model::ElementType type,
                                const mesh::BlockPosition& position, double e, double nu) {
  model::Model model;
  model.mesh = mesh::block_mesh(grid, type.cell, position, type.attribute()).mesh;
  model::ElementSet all{"ALL", {}};
  for (std::int32_t i = 0; i < model.mesh.element_count(); ++i) all.elements.push_back(i);
  model.element_sets.push_back(all);
  model::Material material;
  material.name = "M";
  material.elastic = {{0, {e, nu}}};
  model.materials.push_back(material);
  model::Section section;
  section.element_set = 0;
  section.material = 0;
  model.sections.push_back(section);
  model::OutputRequest stresses;
  stresses.kind = model::OutputKind::element_file;
  stresses.variables = {"S"};
  model.steps.emplace_back();
  model.steps.back().output.push_back(stresses);
  return model;
}

/// The same of one block, cells[i] along each axis; the third 0: plane.
inline model::Model block_model(std::array<int, 3> cells, model::ElementType type,
                                const mesh::BlockPosition& position, double e, double nu) {
  mesh::BlockGrid grid;
  for (std::size_t k = 0; k < 3; ++k) {
    if (cells[k] > 0) grid.cells[k] = {cells[k]};
  }
  return block_model(grid, type, position, e, nu);
}

inline void prescribe(model::Model& model, std::int32_t node, int direction, double value) {
  model::PrescribedValue prescribed{};
  prescribed.node = node;
  prescribed.direction = direction;
  prescribed.value = value;
  model.steps.back().prescribed.push_back(prescribed);
}

/// Nodes whose place fulfils a condition.
inline std::vector<std::int32_t> nodes_where(const mesh::Mesh& mesh,
                                             const std::function<bool(double, double, double)>& condition) {
  std::vector<std::int32_t> found;
  for (std::int32_t n = 0; n < mesh.node_count(); ++n) {
    const auto x = mesh.coordinates(n);
    if (condition(x[0], x[1], x[2])) found.push_back(n);
  }
  return found;
}

/// Pressure on the faces whose nodes all fulfil a condition.
inline void press(model::Model& model, double pressure,
                  const std::function<bool(double, double, double)>& condition) {
  std::vector<bool> chosen(static_cast<std::size_t>(model.mesh.node_count()), false);
  for (const std::int32_t n : nodes_where(model.mesh, condition)) chosen[static_cast<std::size_t>(n)] = true;
  for (const mesh::MeshFace& face : mesh::faces_of_nodes(model.mesh, chosen)) {
    model::DistributedLoad load{};
    load.element = face.element;
    load.face = face.face;
    load.value = pressure;
    model.steps.back().distributed_loads.push_back(load);
  }
}

/// Temperatures of all nodes, by their places; the body is free of stress at zero.
inline void warm(model::Model& model, double expansion,
                 const std::function<double(double, double, double)>& temperature) {
  model.materials.front().expansion = {{0, {expansion}}};
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    const auto x = model.mesh.coordinates(n);
    model::NodeTemperature given{};
    given.node = n;
    given.value = temperature(x[0], x[1], x[2]);
    model.steps.back().temperatures.push_back(given);
  }
}

/// The frame of the only step.
inline model::Frame solve(const model::Model& model, const analysis::Computing& computing) {
  Monitor monitor;
  const analysis::Setup setup = analysis::prepare(model, monitor);
  model::Frame result;
  analysis::run_steps(
      setup, computing, [&](const model::Step&, const model::Frame& frame) { result = frame; }, monitor);
  return result;
}

inline model::Frame solve(const model::Model& model, int threads = 2) {
  return solve(model, analysis::Computing::on_cpu(threads));
}

inline double value_at(const model::Frame& frame, const char* field, std::int32_t node, int component) {
  const model::NodeField* values = frame.node_field(field);
  return values == nullptr ? std::nan("")
                           : values->values[static_cast<std::size_t>(node * values->components + component)];
}

inline bool near(double a, double b) {
  return std::abs(a - b) < 1e-9;
}

}  // namespace setka::test
