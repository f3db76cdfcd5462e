// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "domains.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cli.hpp"
#include "domains_prediction.hpp"
#include "json.hpp"
#include "setka/analysis/solids.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/inp.hpp"
#include "setka/domains/decomposition.hpp"
#include "setka/domains/graph.hpp"
#include "setka/domains/partition.hpp"
#include "setka/exec/device.hpp"
#include "setka/io/mesh_file.hpp"
#include "setka/io/msh.hpp"
#include "setka/model/model.hpp"
#include "setka/plan/team_device.hpp"

namespace setka::app {
namespace {

using domains::Decomposition;
using nlohmann::ordered_json;

constexpr int usual_parts = 2;

struct SharedOut {
  Decomposition parts;
  std::string by;      // elements or nodes
  std::string method;  // that chose the parts
  bool given = false;  // by the file
  domains::PartitionQuality quality;
  int left_aside = 0;  // partitions that the file has and that are not these
  IterationPrediction predicted;
  std::vector<std::int32_t> pieces;  // that each part falls into
};

bool is_gmsh_mesh(const std::filesystem::path& path) {
  return path.extension() == ".msh" || path.extension() == ".MSH";
}

model::Model read_model(const std::filesystem::path& path, Monitor& monitor) {
  if (is_gmsh_mesh(path)) return io::read_msh(path, {}, monitor);
  const Stage stage = monitor.stage("read");
  return deck::read_inp(path, monitor, deck::Completeness::unchecked).model;
}

/// Whether what was asked for is what the file has: then its partitions are taken as they are.
bool takes_given(const DomainsOptions& options, const model::GivenPartition& given) {
  return given.count > 0 && options.partitioner.empty() && options.by != "nodes" &&
         options.parts.value_or(given.count) == given.count;
}

domains::Partition chosen_partition(const DomainsOptions& options, const model::Model& model,
                                    const domains::Graph& graph) {
  const model::GivenPartition& given = model.partition;
  if (takes_given(options, given))
    return domains::given_partition(given.count, given.of_element, model.files.front());
  const int parts = options.parts.value_or(given.count > 0 ? given.count : usual_parts);
  const std::string by = options.partitioner.empty() ? "auto" : options.partitioner;
  return domains::partition(graph, parts, {domains::partitioner_of(by)});
}

SharedOut shared_out(const DomainsOptions& options, const model::Model& model, Monitor& monitor) {
  const bool by_nodes = options.by == "nodes";
  if (!by_nodes && !options.by.empty() && options.by != "elements")
    throw Error(Fault::usage, fmt::format("--by {} is unknown", options.by), "it is elements or nodes");
  const plan::TeamDevice device = plan::find_team_device(options.device);
  const plan::Transfer link = options.link.link(device.gpu);
  if (model.mesh.element_count() == 0)
    throw Error(Fault::input, "the deck has no elements to share out", "add *ELEMENT");
  const std::vector<std::int32_t> no_sections(static_cast<std::size_t>(model.mesh.element_count()), -1);
  const analysis::Solids solids = analysis::make_solids(model, no_sections);
  const fem::Region region = solids.region();

  std::optional<Stage> stage(monitor.stage("graph"));
  const int threads = exec::Device::cpu().threads();
  const domains::Graph graph =
      by_nodes ? domains::node_graph(region, threads) : domains::element_graph(region, threads);
  stage.reset();
  stage.emplace(monitor.stage("partition"));
  const domains::Partition partition = chosen_partition(options, model, graph);
  if (partition.parts == 1 && options.link.given())
    throw Error(Fault::usage, "--link and --latency are between devices, and one part is on one device",
                "leave them out, or ask for more parts");
  stage.reset();
  stage.emplace(monitor.stage("borders"));
  Decomposition parts = by_nodes ? Decomposition::by_nodes(region, partition)
                                 : Decomposition::by_elements(region, partition, threads);
  std::vector<std::int32_t> pieces = domains::pieces_of_parts(region, parts);
  stage.reset();
  stage.emplace(monitor.stage("prediction"));
  const bool given = takes_given(options, model.partition);
  IterationPrediction predicted = predict_iteration(solids, model.mesh.node_count(), parts, device, link);
  return {std::move(parts),
          by_nodes ? "nodes" : "elements",
          partition.method,
          given,
          domains::quality(graph, partition),
          given ? 0 : model.partition.count,
          std::move(predicted),
          std::move(pieces)};
}

void print_table(const SharedOut& made) {
  const auto table_row = [](const auto&... words) {
    fmt::print("  {:>6} {:>11} {:>11} {:>9} {:>9} {:>10} {:>13}\n", words...);
  };
  table_row("part", "elements", "nodes", "boundary", "ghosts", "neighbours", "predicted ms");
  constexpr int most_lines = 64;
  for (int p = 0; p < std::min(made.parts.count(), most_lines); ++p) {
    const domains::Part& part = made.parts.part(p);
    table_row(p, part.own_elements, part.owned_nodes, part.boundary_nodes(), part.ghosts(),
              part.neighbours.size(),
              fmt::format("{:.3g}", 1e3 * made.predicted.of_part[static_cast<std::size_t>(p)]));
  }
  if (made.parts.count() > most_lines) fmt::print("  ... {} more\n", made.parts.count() - most_lines);
  fmt::print("\n{}; the heaviest part exceeds the mean by {:.1f} %; {} nodes are shared\n",
             made.given ? made.method : fmt::format("by {} of {}", made.method, made.by),
             100 * made.quality.imbalance, made.parts.shared_nodes());
  if (made.left_aside > 0) fmt::print("the {} partitions of the file are left aside\n", made.left_aside);
  int broken = 0;
  int empty = 0;
  for (int p = 0; p < made.parts.count(); ++p) {
    broken += made.pieces[static_cast<std::size_t>(p)] > 1 ? 1 : 0;
    empty += made.parts.part(p).owned_nodes == 0 ? 1 : 0;
  }
  if (broken > 0)
    fmt::print("{} into pieces that no element connects\n",
               broken == 1 ? "one part falls" : fmt::format("{} parts fall", broken));
  if (empty > 0)
    fmt::print("{} no node: there are too few for so many parts\n",
               empty == 1 ? "one part owns" : fmt::format("{} parts own", empty));
  fmt::print("{}\n", in_words(made.predicted));
}

ordered_json to_json(const SharedOut& made) {
  ordered_json json{{"parts", made.parts.count()},
                    {"by", made.by},
                    {"method", made.method},
                    {"left_aside", made.left_aside},
                    {"imbalance", made.quality.imbalance},
                    {"cut", made.quality.cut},
                    {"shared_nodes", made.parts.shared_nodes()},
                    {"predicted", to_json(made.predicted)},
                    {"table", ordered_json::array()}};
  for (int p = 0; p < made.parts.count(); ++p) {
    const domains::Part& part = made.parts.part(p);
    json["table"].push_back({{"part", p},
                             {"elements", part.own_elements},
                             {"nodes", part.owned_nodes},
                             {"boundary", part.boundary_nodes()},
                             {"ghosts", part.ghosts()},
                             {"neighbours", part.neighbours.size()},
                             {"pieces", made.pieces[static_cast<std::size_t>(p)]},
                             {"weight", made.quality.weight[static_cast<std::size_t>(p)]},
                             {"predicted_s", made.predicted.of_part[static_cast<std::size_t>(p)]}});
  }
  return json;
}

/// Nodes and elements of the model; those of layers beyond them are not to be seen.
void write_parts(const std::filesystem::path& path, const mesh::Mesh& mesh, const Decomposition& parts) {
  const auto owner = parts.owner_of_node().first(static_cast<std::size_t>(mesh.node_count()));
  std::vector<io::VtkArray> of_nodes;
  std::vector<io::VtkArray> of_elements;
  of_nodes.emplace_back(io::ArrayForm{"Owner", "Int32"}, io::numbers_in(owner));
  of_elements.emplace_back(io::ArrayForm{"Part", "Int32"}, io::numbers_in(parts.part_of_element()));
  io::write_mesh_file(path, mesh, of_nodes, of_elements);
}

}  // namespace

cli::App* add_domains_command(cli::App& cli, DomainsOptions& options) {
  cli::App* command =
      cli.add_subcommand("domains", "Share a model out to parts, and tell what they have in common");
  command->add_option("model", options.model, "A deck, with or without .inp, or a mesh of Gmsh (.msh)")
      ->required()
      ->type_name("MODEL");
  command
      ->add_option("--parts", options.parts,
                   "How many [default: 2; the partitions of a mesh that Gmsh shared out, as they are]")
      ->type_name("N");
  command->add_option("--by", options.by, "What is shared out evenly: elements or nodes [default: elements]")
      ->type_name("WORD")
      ->offers({"elements", "nodes"});
  command
      ->add_option("--partitioner", options.partitioner, "auto, metis, scotch or bisection [default: auto]")
      ->type_name("WORD")
      ->offers({"auto", "metis", "scotch", "bisection"});
  command
      ->add_option("-o,--output", options.output,
                   "The mesh coloured by part, for ParaView [default: MODEL-domains.vtu]")
      ->type_name("FILE");
  constexpr const char* group = "Prediction";
  command
      ->add_option(
          "--device", options.device,
          "The device whose rates count: h200, or one that setka calibrate measured, as cuda:0 or cpu "
          "[default: the first GPU that it measured, else h200]")
      ->type_name("NAME")
      ->group(group);
  add_link_options(*command, options.link, group);
  command->footer(
      "\nSolves nothing. What is predicted is an iteration of conjugate gradients with the assembled matrix, "
      "a\n"
      "part a device.");
  return command;
}

int show_domains(const DomainsOptions& options, const CommonOptions& common, Monitor& monitor) {
  const std::filesystem::path path = deck_path(options.model);
  std::filesystem::path output = options.output;
  if (output.empty()) {
    output = path;
    output.replace_extension();
    output += "-domains.vtu";
  }
  const model::Model model = read_model(path, monitor);
  claim_outputs(io::InputFiles(model.files), {{output, {}}});
  const SharedOut made = shared_out(options, model, monitor);
  {
    const Stage stage = monitor.stage("write");
    write_parts(output, model.mesh, made.parts);
  }
  if (common.json) {
    ordered_json json = to_json(made);
    json["files"] = {output.string()};
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else if (!common.quiet) {
    fmt::print("setka {}: {}\n{} nodes, {} elements\n\n", version, path.string(), model.mesh.node_count(),
               model.mesh.element_count());
    print_table(made);
    fmt::print("written: {}\n", output.string());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
