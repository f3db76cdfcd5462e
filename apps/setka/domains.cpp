// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "domains.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "cli.hpp"
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

namespace setka::app {
namespace {

using domains::Decomposition;
using nlohmann::ordered_json;

struct SharedOut {
  Decomposition parts;
  std::string method;
  domains::PartitionQuality quality;
};

SharedOut shared_out(const DomainsOptions& options, const fem::Region& region, Monitor& monitor) {
  const bool by_nodes = options.by == "nodes";
  if (!by_nodes && options.by != "elements")
    throw Error(Fault::usage, fmt::format("--by {} is unknown", options.by), "it is elements or nodes");
  const domains::PartitionOptions how{domains::partitioner_of(options.partitioner)};
  if (region.element_count() == 0)
    throw Error(Fault::input, "the deck has no elements to share out", "add *ELEMENT");
  std::optional<Stage> stage(monitor.stage("graph"));
  const int threads = exec::Device::cpu().threads();
  const domains::Graph graph =
      by_nodes ? domains::node_graph(region, threads) : domains::element_graph(region, threads);
  stage.reset();
  stage.emplace(monitor.stage("partition"));
  const domains::Partition partition = domains::partition(graph, options.parts, how);
  stage.reset();
  stage.emplace(monitor.stage("borders"));
  return {
      by_nodes ? Decomposition::by_nodes(region, partition) : Decomposition::by_elements(region, partition),
      partition.method, domains::quality(graph, partition)};
}

void print_table(const SharedOut& made, const DomainsOptions& options) {
  const auto table_row = [](const auto&... words) {
    fmt::print("  {:>6} {:>11} {:>11} {:>9} {:>9} {:>10}\n", words...);
  };
  table_row("part", "elements", "nodes", "boundary", "ghosts", "neighbours");
  constexpr int most_lines = 64;
  for (int p = 0; p < std::min(made.parts.count(), most_lines); ++p) {
    const domains::Part& part = made.parts.part(p);
    table_row(p, part.own_elements, part.owned_nodes, part.boundary_nodes(), part.ghosts(),
              part.neighbours.size());
  }
  if (made.parts.count() > most_lines) fmt::print("  ... {} more\n", made.parts.count() - most_lines);
  fmt::print("\nby {} of {}; the heaviest part exceeds the mean by {:.1f} %; {} nodes are shared\n",
             made.method, options.by, 100 * made.quality.imbalance, made.parts.shared_nodes());
  int broken = 0;
  int empty = 0;
  for (int p = 0; p < made.parts.count(); ++p) {
    broken += made.parts.part(p).pieces > 1 ? 1 : 0;
    empty += made.parts.part(p).owned_nodes == 0 ? 1 : 0;
  }
  if (broken > 0)
    fmt::print("{} into pieces that no element connects\n",
               broken == 1 ? "one part falls" : fmt::format("{} parts fall", broken));
  if (empty > 0)
    fmt::print("{} no node: there are too few for so many parts\n",
               empty == 1 ? "one part owns" : fmt::format("{} parts own", empty));
}

ordered_json to_json(const SharedOut& made, const DomainsOptions& options) {
  ordered_json json{{"parts", made.parts.count()},   {"by", options.by},
                    {"method", made.method},         {"imbalance", made.quality.imbalance},
                    {"cut", made.quality.cut},       {"shared_nodes", made.parts.shared_nodes()},
                    {"table", ordered_json::array()}};
  for (int p = 0; p < made.parts.count(); ++p) {
    const domains::Part& part = made.parts.part(p);
    json["table"].push_back({{"part", p},
                             {"elements", part.own_elements},
                             {"nodes", part.owned_nodes},
                             {"boundary", part.boundary_nodes()},
                             {"ghosts", part.ghosts()},
                             {"neighbours", part.neighbours.size()},
                             {"pieces", part.pieces},
                             {"weight", made.quality.weight[static_cast<std::size_t>(p)]}});
  }
  return json;
}

/// Nodes and elements of the deck; those of layers beyond them are not to be seen.
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
  command->add_option("deck", options.deck, "The deck, with or without .inp")->required()->type_name("DECK");
  command->add_option("--parts", options.parts, "How many")->type_name("N")->capture_default_str();
  command->add_option("--by", options.by, "What is shared out evenly: elements or nodes")
      ->type_name("WORD")
      ->capture_default_str();
  command->add_option("--partitioner", options.partitioner, "auto, metis, scotch or bisection")
      ->type_name("WORD")
      ->capture_default_str();
  command
      ->add_option("-o,--output", options.output,
                   "The mesh coloured by part, for ParaView [default: DECK-domains.vtu]")
      ->type_name("FILE");
  command->footer("\nSolves nothing.");
  return command;
}

int show_domains(const DomainsOptions& options, const CommonOptions& common, Monitor& monitor) {
  const std::filesystem::path path = deck_path(options.deck);
  std::filesystem::path output = options.output;
  if (output.empty()) {
    output = path;
    output.replace_extension();
    output += "-domains.vtu";
  }
  deck::Deck deck;
  {
    const Stage stage = monitor.stage("read");
    deck = deck::read_inp(path, monitor, deck::Completeness::unchecked);
  }
  claim_outputs(io::InputFiles(deck.model.files), {{output, {}}});
  const mesh::Mesh& mesh = deck.model.mesh;
  const std::vector<std::int32_t> no_sections(static_cast<std::size_t>(mesh.element_count()), -1);
  const analysis::Solids solids = analysis::make_solids(deck.model, no_sections);
  const SharedOut made = shared_out(options, solids.region(), monitor);
  {
    const Stage stage = monitor.stage("write");
    write_parts(output, mesh, made.parts);
  }
  if (common.json) {
    ordered_json json = to_json(made, options);
    json["files"] = {output.string()};
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else if (!common.quiet) {
    fmt::print("setka {}: {}\n{} nodes, {} elements\n\n", version, path.string(), mesh.node_count(),
               mesh.element_count());
    print_table(made, options);
    fmt::print("written: {}\n", output.string());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
