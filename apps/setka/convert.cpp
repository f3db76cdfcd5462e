// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert.hpp"

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include "json.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/deck/inp_writer.hpp"
#include "setka/io/msh.hpp"
#include "setka/model/element_type.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

std::string in_capitals(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

io::MshOptions element_types(const std::vector<std::string>& names) {
  io::MshOptions options;
  for (const std::string& given : names) {
    const std::string name = in_capitals(given);
    const auto type = deck::find_element(name);
    if (!type || mesh::dimension(type->cell) < 2) {
      std::vector<std::string> known;
      for (const deck::NamedElement& element : deck::elements()) {
        if (mesh::dimension(element.type.cell) >= 2) known.emplace_back(element.name);
      }
      const std::string trouble = type ? fmt::format("--element: {} is no element of a Gmsh mesh", name)
                                       : fmt::format("--element: there is no element type {}", name);
      throw Error(Fault::usage, trouble, "there are " + join_words(known));
    }
    options.use(*type);
  }
  return options;
}

std::filesystem::path output_path(const ConvertOptions& options) {
  std::filesystem::path path = options.output;
  if (path.empty()) path = std::filesystem::path(options.mesh).replace_extension(".inp");
  claim_outputs({options.mesh}, {{path, {}}});
  refuse_existing(path, options.force);
  return path;
}

/// Types that were asked for and that no element has. Plane types bring their family to all plane shapes.
void refuse_unused(const std::vector<std::string>& asked, const mesh::Mesh& mesh, const std::string& file) {
  const auto used = [&](const model::ElementType& type) {
    for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
      const model::ElementType found = model::element_type(mesh, e);
      if (found == type || (mesh::dimension(type.cell) == 2 && found.family == type.family)) return true;
    }
    return false;
  };
  for (const std::string& name : asked) {
    const model::ElementType type = deck::element(in_capitals(name));
    if (used(type)) continue;
    std::set<std::string> there;
    for (std::int32_t e = 0; e < mesh.element_count(); ++e) there.emplace(deck::name(mesh, e));
    throw Error(Fault::usage, fmt::format("--element {}: the mesh has no elements of its shape", name),
                fmt::format("it has {}", join_words({there.begin(), there.end()})), {file, 0});
  }
}

template <class Sets>
std::vector<std::string> names(const Sets& sets) {
  std::vector<std::string> all;
  all.reserve(sets.size());
  for (const auto& set : sets) all.push_back(set.name);
  return all;
}

}  // namespace

int convert_mesh(const ConvertOptions& options, const CommonOptions& common, Monitor& monitor) {
  const io::MshOptions types = element_types(options.elements);
  const std::filesystem::path output = output_path(options);
  const model::Model model = io::read_msh(options.mesh, types, monitor);
  refuse_unused(options.elements, model.mesh, options.mesh);
  if (model.partition.count > 0)
    log::warning("{}: the mesh is in {} partitions, which a deck does not hold", options.mesh,
                 model.partition.count);
  {
    const Stage stage = monitor.stage("write mesh");
    io::OutputFile file(output);
    deck::write_inp_mesh(model, file);
    file.commit();
  }
  if (common.json) {
    ordered_json json{{"nodes", model.mesh.node_count()},    {"elements", model.mesh.element_count()},
                      {"node_sets", names(model.node_sets)}, {"element_sets", names(model.element_sets)},
                      {"surfaces", names(model.surfaces)},   {"files", {output.string()}}};
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else if (!common.quiet) {
    fmt::print("{} nodes, {} elements\n", model.mesh.node_count(), model.mesh.element_count());
    const auto list = [](const char* kind, const std::vector<std::string>& all) {
      if (!all.empty()) fmt::print("{}: {}\n", kind, join_words(all));
    };
    list("node sets", names(model.node_sets));
    list("element sets", names(model.element_sets));
    list("surfaces", names(model.surfaces));
    fmt::print("written: {}\n", output.string());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
