// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// From what is in a Gmsh file to a mesh with sets.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/io/detail/msh_content.hpp"
#include "setka/io/detail/msh_groups.hpp"
#include "setka/model/element_type.hpp"

namespace setka::io::detail {
namespace {

class ModelMaker {
 public:
  ModelMaker(const MshContent& content, const std::string& name, const MshOptions& options)
      : content_(content), name_(name), options_(options) {}

  model::Model make() {
    model_.files = {name_};
    choose_dimension();
    refuse_unsupported_shapes();
    add_nodes();
    if (dimension_ == 2) require_plane();
    add_elements();
    add_msh_sets(content_, node_of_, element_of_, dimension_, name_, model_);
    warn_of_elements_in_no_group();
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail(std::string message, std::string remedy) const {
    throw Error(Fault::input, std::move(message), std::move(remedy), {name_, 0});
  }
  bool kept(const MshBlock& block) const { return block.shape->dimension == dimension_ && !block.ghost; }

  void choose_dimension() {
    for (const MshBlock& block : content_.blocks) {
      if (block.count > 0 && !block.ghost) dimension_ = std::max(dimension_, block.shape->dimension);
    }
    if (dimension_ < 2)
      fail("the file holds only points and lines",
           "mesh surfaces or volumes (gmsh -2 or -3), and have them in a physical group so that they are "
           "saved");
  }

  void refuse_unsupported_shapes() const {
    std::map<int, std::int64_t> counts;
    for (const MshBlock& block : content_.blocks) {
      if (kept(block) && !block.shape->cell) counts[block.shape->number] += block.count;
    }
    if (counts.empty()) return;
    std::vector<std::string> kinds;
    kinds.reserve(counts.size());
    for (const auto& [number, count] : counts)
      kinds.push_back(fmt::format("{} {} (type {})", count, find_msh_shape(number)->name, number));
    fail(fmt::format("the mesh has {}, which Setka does not compute", join_words(kinds)),
         "mesh without pyramids, with order 1 or 2, and Mesh.SecondOrderIncomplete = 1 for the nodes amid "
         "edges "
         "alone");
  }

  void add_nodes() {
    node_of_.assign(content_.node_tags.size(), -1);
    for (const MshBlock& block : content_.blocks) {
      if (!kept(block)) continue;
      const auto begin = content_.element_nodes.begin() + block.first_node;
      std::for_each(begin, begin + block.count * block.shape->nodes,
                    [&](std::int32_t node) { node_of_[static_cast<std::size_t>(node)] = 0; });
    }
    const auto used = std::count(node_of_.begin(), node_of_.end(), 0);
    model_.mesh.reserve(used, static_cast<std::int64_t>(content_.element_tags.size()));
    for (std::size_t i = 0; i < node_of_.size(); ++i) {
      if (node_of_[i] < 0) continue;
      const double* x = &content_.coordinates[3 * i];
      node_of_[i] = model_.mesh.add_node(content_.node_tags[i], x[0], x[1], x[2]);
    }
    const auto dropped = static_cast<std::int64_t>(node_of_.size()) - used;
    if (dropped > 0) log::debug("{}: {} nodes that no element uses are dropped", name_, dropped);
  }

  /// Plane elements lie in z = 0; what Gmsh's geometry left there of rounding is taken away.
  void require_plane() {
    const auto x = model_.mesh.coordinates();
    double extent = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % 3 != 2) extent = std::max(extent, std::abs(x[i]));
    }
    for (std::int32_t node = 0; node < model_.mesh.node_count(); ++node) {
      double& z = x[3 * static_cast<std::size_t>(node) + 2];
      if (std::abs(z) > 1e-9 * extent)
        fail(fmt::format(
                 "the mesh has no volumes, and its surfaces are not in the plane z = 0: node {} has z = {}",
                 model_.mesh.node_label(node), z),
             "mesh the volumes (gmsh -3) and have them in a physical group, or draw a plane model in z = 0");
      z = 0;
    }
  }

  bool clockwise(std::span<const std::int32_t> nodes, int corners) const {
    double area = 0;
    for (int i = 0; i < corners; ++i) {
      const auto a = model_.mesh.coordinates(nodes[static_cast<std::size_t>(i)]);
      const auto b = model_.mesh.coordinates(nodes[static_cast<std::size_t>((i + 1) % corners)]);
      area += a[0] * b[1] - b[0] * a[1];
    }
    return area < 0;
  }

  /// The same element from the same first corner the other way round.
  static void turn(std::span<std::int32_t> nodes, int corners) {
    std::reverse(nodes.begin() + 1, nodes.begin() + corners);
    std::reverse(nodes.begin() + corners, nodes.end());
  }

  void add_elements() {
    element_of_.assign(content_.element_tags.size(), -1);
    model_.partition.count = content_.partitions;
    const MshBlock* before = nullptr;
    std::span<const std::int32_t> nodes_before;
    for (const MshBlock& block : content_.blocks) {
      if (!kept(block)) continue;
      const auto count = static_cast<std::size_t>(block.shape->nodes);
      for (std::int64_t i = 0; i < block.count; ++i) {
        const auto nodes =
            std::span(content_.element_nodes)
                .subspan(static_cast<std::size_t>(block.first_node) + static_cast<std::size_t>(i) * count,
                         count);
        const auto at = static_cast<std::size_t>(block.first_element + i);
        // Version 2.2 writes an element once for each of its groups, one after the other.
        const bool again = content_.old && before != nullptr && before->entity == block.entity &&
                           before->shape == block.shape && before->group != block.group &&
                           std::equal(nodes.begin(), nodes.end(), nodes_before.begin(), nodes_before.end());
        if (!again && content_.partitions > 0) model_.partition.of_element.push_back(block.partition - 1);
        element_of_[at] = again ? model_.mesh.element_count() - 1 : add_element(block, at, nodes);
        before = &block;
        nodes_before = nodes;
      }
    }
  }

  std::int32_t add_element(const MshBlock& block, std::size_t at, std::span<const std::int32_t> in_file) {
    std::array<std::int32_t, 20> nodes{};
    const auto count = in_file.size();
    const auto order = msh_node_order(*block.shape->cell);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t from = order.empty() ? k : static_cast<std::size_t>(order[k]);
      nodes[k] = node_of_[static_cast<std::size_t>(in_file[from])];
    }
    const std::span<std::int32_t> used(nodes.data(), count);
    if (dimension_ == 2 && clockwise(used, block.shape->corners)) turn(used, block.shape->corners);
    const std::int32_t label = content_.element_tags[at];
    if (model_.mesh.find_element(label) >= 0)
      fail(fmt::format("element {} is given twice", label), "the file is damaged: write it again");
    return model::add_element(model_.mesh, label, options_.type(*block.shape->cell), used);
  }

  void warn_of_elements_in_no_group() const {
    if (model_.node_sets.empty()) return;
    std::int64_t free = 0;
    for (const MshBlock& block : content_.blocks) {
      if (kept(block) && groups_of(content_, block).empty()) free += block.count;
    }
    if (free > 0)
      log::warning("{}: {} elements are in no physical group; they are kept, but in no element set", name_,
                   free);
  }

  const MshContent& content_;
  const std::string& name_;
  const MshOptions& options_;
  model::Model model_;
  int dimension_ = 0;
  std::vector<std::int32_t> node_of_;
  std::vector<std::int32_t> element_of_;
};

}  // namespace

model::Model make_msh_model(const MshContent& content, const std::string& name, const MshOptions& options) {
  return ModelMaker(content, name, options).make();
}

}  // namespace setka::io::detail
