// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/example_decks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/detail/example_model.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck {
namespace {

using detail::ExampleModel;

std::array<const ExampleModel*, 6> models() {
  return {&detail::block_example(), &detail::plate_example(),  &detail::pump_example(),
          &detail::fin_example(),   &detail::column_example(), &detail::roof_example()};
}

const ExampleModel& find_model(const std::string& name) {
  std::vector<std::string> names;
  for (const ExampleModel* model : models()) {
    if (model->example.name == name) return *model;
    names.push_back(model->example.name);
  }
  const std::string meant = nearest_word(name, names);
  throw Error(Fault::usage, fmt::format("unknown example '{}'", name),
              fmt::format("{}the examples are {}",
                          meant.empty() ? "" : fmt::format("did you mean {}? ", meant), join_words(names)));
}

model::ElementType find_element(const Example& example, const std::string& name) {
  const std::string_view chosen = name.empty() ? example.elements.front() : name;
  if (std::ranges::find(example.elements, chosen) != example.elements.end()) return deck::element(chosen);
  throw Error(Fault::usage, fmt::format("{} cannot be made of {}", example.name, name),
              fmt::format("its element types are {}",
                          join_words({example.elements.begin(), example.elements.end()})));
}

/// Of a node: a temperature, or displacements and the rotations of a shell.
int components(const ExampleModel& model, const model::ElementType& type) {
  if (model.field == detail::ExampleField::temperatures) return 1;
  if (model::has_rotations(type.family)) return 6;
  return mesh::dimension(type.cell);
}

std::int64_t unknowns(const ExampleModel& model, const model::ElementType& type,
                      const mesh::BlockGrid& grid) {
  return mesh::block_node_count(grid, type.cell) * components(model, type);
}

/// The division nearest to the size. Coarser cells never give more unknowns, so that halving the interval
/// brackets the size; the divisions about it are then all tried.
mesh::BlockGrid nearest_grid(const ExampleModel& model, const model::ElementType& type, std::int64_t size) {
  const mesh::Cell cell = type.cell;
  double coarse = model.coarsest;
  const mesh::BlockGrid coarsest = model.grid(coarse, cell);
  const std::int64_t least = unknowns(model, type, coarsest);
  if (size < least || size > largest_example) {
    throw Error(Fault::usage,
                fmt::format("{} of {} cannot have {} unknowns", model.example.name, deck::name(type), size),
                fmt::format("use a size from {} to {}", least, largest_example));
  }
  while (unknowns(model, type, model.grid(coarse / 2, cell)) < size) coarse /= 2;
  mesh::BlockGrid best = coarsest;
  double best_ratio = std::numeric_limits<double>::infinity();
  constexpr int tries = 500;
  for (int i = 0; i <= tries; ++i) {
    mesh::BlockGrid grid = model.grid(coarse * std::exp2(-1.0 * i / tries), cell);
    const double ratio =
        std::abs(std::log(static_cast<double>(unknowns(model, type, grid)) / static_cast<double>(size)));
    if (ratio >= best_ratio) continue;
    best_ratio = ratio;
    best = std::move(grid);
  }
  return best;
}

struct Choice {
  const ExampleModel* model;
  mesh::BlockGrid grid;
  ExampleSize size;
};

Choice choose(const ExampleRequest& request) {
  Choice choice{&find_model(request.name), {}, {}};
  choice.size.element = find_element(choice.model->example, request.element);
  const mesh::Cell cell = choice.size.element.cell;
  choice.grid = nearest_grid(*choice.model, choice.size.element, request.size);
  choice.size.nodes = mesh::block_node_count(choice.grid, cell);
  choice.size.elements = mesh::block_element_count(choice.grid, cell);
  choice.size.unknowns = unknowns(*choice.model, choice.size.element, choice.grid);
  if (request.modes < 0 || request.modes > choice.size.unknowns) {
    throw Error(Fault::usage,
                fmt::format("{} of {} unknowns cannot have {} modes", request.name, choice.size.unknowns,
                            request.modes),
                fmt::format("use a number from 1 to {}", choice.size.unknowns));
  }
  return choice;
}

}  // namespace

namespace detail {

std::vector<std::string_view> solid_elements() {
  return {"C3D20R", "C3D20", "C3D8", "C3D8I", "C3D8R", "C3D10", "C3D4", "C3D15", "C3D6"};
}

void static_step(DeckText& text, const mesh::BlockMesh& made,
                 void (*loads)(DeckText& text, const mesh::BlockMesh& made)) {
  text.print("*STEP\n*STATIC\n");
  loads(text, made);
  text.print("*NODE FILE\nU\n*EL FILE\nS\n*NODE PRINT, NSET=PROBE\nU\n*END STEP\n");
}

int cell_count(double length, double size, int least) {
  return std::max(least, static_cast<int>(std::lround(length / size)));
}

std::vector<bool> nodes_at(const mesh::Mesh& mesh, int axis, double value) {
  std::vector<bool> chosen(static_cast<std::size_t>(mesh.node_count()));
  for (std::int32_t node = 0; node < mesh.node_count(); ++node)
    chosen[static_cast<std::size_t>(node)] = mesh.coordinates(node)[static_cast<std::size_t>(axis)] == value;
  return chosen;
}

std::int32_t nearest_node(const mesh::Mesh& mesh, const std::array<double, 3>& point) {
  std::int32_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    const auto x = mesh.coordinates(node);
    const double distance = std::hypot(x[0] - point[0], x[1] - point[1], x[2] - point[2]);
    if (distance >= least) continue;
    least = distance;
    nearest = node;
  }
  return mesh.node_label(nearest);
}

}  // namespace detail

std::span<const Example> examples() {
  static const std::vector<Example> list = [] {
    std::vector<Example> all;
    for (const ExampleModel* model : models()) all.push_back(model->example);
    return all;
  }();
  return list;
}

ExampleSize example_size(const ExampleRequest& request) {
  return choose(request).size;
}

ExampleSize write_example(const ExampleRequest& request, const TextSink& sink) {
  const Choice choice = choose(request);
  const ExampleModel& model = *choice.model;
  detail::DeckText text(sink);
  std::istringstream lines(model.comment());
  for (std::string line; std::getline(lines, line);) text.print("** {}\n", line);
  text.print("** {} nodes, {} elements {}, {} unknowns (fixed ones included)\n", choice.size.nodes,
             choice.size.elements, deck::name(choice.size.element), choice.size.unknowns);
  text.print("** Written by: setka example {} --size {} --element {}{} (setka {})\n", request.name,
             request.size, deck::name(choice.size.element),
             request.modes > 0 ? fmt::format(" --modes {}", request.modes) : "", version);
  const mesh::BlockMesh made = mesh::block_mesh(choice.grid, choice.size.element.cell, model.position,
                                                choice.size.element.attribute());
  text.nodes(made.mesh);
  model.body(text, made);
  if (request.modes > 0) {
    const bool heat = model.field == detail::ExampleField::temperatures;
    text.print("*STEP\n{}\n{}\n*NODE FILE\n{}\n*END STEP\n",
               heat ? "*HEAT TRANSFER, FREQUENCY" : "*FREQUENCY", request.modes, heat ? "NT" : "U");
  } else {
    model.step(text, made);
  }
  text.flush();
  return choice.size;
}

}  // namespace setka::deck
