// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes .vtu files of every shape into a folder, and beside each what it holds as JSON, for check_vtu.py.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/small_deck.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/io/vtu_writer.hpp"
#include "setka/model/element_type.hpp"
#include "support/thread_transport.hpp"

namespace {

using namespace setka;

model::Frame random_frame(const mesh::Mesh& mesh, int number) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  std::uniform_real_distribution<double> value(-1, 1);
  model::Frame frame;
  frame.increment = number;
  frame.time = 0.1 * number;
  for (const auto& [name, components] : {std::pair{"U", 3}, {"RF", 3}, {"S", 6}, {"E", 6}, {"NT", 1}}) {
    model::NodeField field{name, components, {}};
    for (int i = 0; i < components * mesh.node_count(); ++i) field.values.push_back(value(random));
    frame.node_fields.push_back(field);
  }
  frame.node_fields[0].values[0] = 1e300;
  frame.node_fields[0].values[1] = 5e-324;
  frame.node_fields[0].values[2] = -0.0;
  return frame;
}

nlohmann::json described(const model::Model& model, const std::vector<model::Frame>& frames) {
  nlohmann::json j;
  const mesh::Mesh& mesh = model.mesh;
  j["points"] = std::vector<double>(mesh.coordinates().begin(), mesh.coordinates().end());
  for (std::int32_t n = 0; n < mesh.node_count(); ++n) j["node_numbers"].push_back(mesh.node_label(n));
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.nodes(e);
    j["elements"].push_back({{"number", mesh.element_label(e)},
                             {"type", std::string(deck::name(mesh, e))},
                             {"nodes", std::vector<std::int32_t>(nodes.begin(), nodes.end())}});
  }
  for (const model::Section& section : model.sections) {
    for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
      j["elements"][static_cast<std::size_t>(e)]["material"] = section.material + 1;
    }
  }
  for (const model::Frame& frame : frames) {
    nlohmann::json f;
    f["time"] = frame.time;
    for (const model::NodeField& field : frame.node_fields) f["fields"][field.name] = field.values;
    j["frames"].push_back(f);
  }
  return j;
}

void describe(const std::filesystem::path& stem, const model::Model& model,
              const std::vector<model::Frame>& frames, const std::vector<std::filesystem::path>& files) {
  nlohmann::json j = described(model, frames);
  for (const auto& path : files) j["files"].push_back(path.filename().string());
  std::ofstream(stem.string() + ".json") << j;
}

void write(const std::filesystem::path& stem, const model::Model& model, int count) {
  io::VtuWriter writer(stem, model);
  std::vector<model::Frame> frames;
  for (int i = 1; i <= count; ++i) {
    frames.push_back(random_frame(model.mesh, i));
    writer.write(model::Step{}, frames.back());
  }
  writer.finish();
  describe(stem, model, frames, writer.files());
}

/// By three processes, which are threads here.
void write_pieces(const std::filesystem::path& stem, const model::Model& model) {
  const std::vector frames{random_frame(model.mesh, 1), random_frame(model.mesh, 2)};
  std::vector<std::filesystem::path> files;
  const auto thrown = test::run_members(3, [&](const std::shared_ptr<const exec::Transport>& all) {
    io::VtuWriter writer(stem, model, all);
    for (const model::Frame& frame : frames) {
      writer.write(model::Step{}, frame);
      writer.meet();
    }
    writer.finish();
    if (all->number() == 0) files = writer.files();
  });
  for (const std::string& text : thrown) std::cerr << text;
  describe(stem, model, frames, files);
}

/// More nodes than a block of compressed data holds.
model::Model large_block() {
  model::Model model;
  constexpr int n = 48;
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) model.mesh.add_node(model.mesh.node_count() + 1, i, j, k);
    }
  }
  const auto at = [&](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
  model.element_sets.push_back({"ALL", {}});
  for (int i = 0; i < n; ++i) {
    const std::array nodes{at(i, 0, 0), at(i + 1, 0, 0), at(i + 1, 1, 0), at(i, 1, 0),
                           at(i, 0, 1), at(i + 1, 0, 1), at(i + 1, 1, 1), at(i, 1, 1)};
    model.element_sets[0].elements.push_back(
        model::add_element(model.mesh, i + 1, deck::element("C3D8"), nodes));
  }
  model.materials.resize(1);
  model.sections.resize(1);
  model.sections[0].element_set = 0;
  model.sections[0].material = 0;
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: io_write_vtu DATA FOLDER\n";
    return 2;
  }
  const std::filesystem::path data = argv[1];
  const std::filesystem::path folder = argv[2];
  write(folder / "solids", test::small_deck(data / "solids.inp"), 3);
  model::Model planes = test::small_deck(data / "planes.inp");
  model::add_element(planes.mesh, 7, deck::element("SPRING1"), std::array{0});
  write(folder / "planes", planes, 1);
  write(folder / "large", large_block(), 1);
  write_pieces(folder / "pieces", test::small_deck(data / "solids.inp"));
  return 0;
}
