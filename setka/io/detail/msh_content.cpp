// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Sections of Gmsh files: https://gmsh.info/doc/texinfo/gmsh.html#Gmsh-file-formats
#include "setka/io/detail/msh_content.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/core.h>

#include "setka/io/detail/msh_entities.hpp"
#include "setka/io/parsing.hpp"

namespace setka::io::detail {
namespace {

constexpr const char* write_again = "the file is damaged: write it again";

class ContentReader {
 public:
  explicit ContentReader(MshSource& source) : in_(source) {}

  MshContent read() {
    read_format();
    for (std::string_view word = in_.word(); !word.empty(); word = in_.word())
      read_section(std::string(word));
    if (content_.element_tags.empty()) {
      in_.fail("the file holds no elements",
               "mesh the geometry before it is saved: gmsh -3 part.geo -format msh41 (-2 for a plane model)");
    }
    return std::move(content_);
  }

 private:
  void read_format();
  void read_section(const std::string& name);
  void read_names();
  void read_nodes_22();
  void read_nodes_41();
  struct ElementTags {
    std::int32_t group = 0;
    std::int32_t entity = 0;
    std::int32_t partition = 0;
  };
  ElementTags read_tags_22(std::int64_t count);
  void read_elements_22();
  void read_elements_41();

  void add_node(std::int64_t tag);
  void read_coordinates(std::int32_t tag);
  const MshShape& shape(std::int64_t number) const;
  void read_element(const MshShape& shape, std::int64_t tag);
  /// Where a record of elements began; its line must end with it.
  std::size_t begin_record() { return in_.binary() ? 0 : in_.line_end(); }
  void end_record(std::size_t line_end, const MshShape& shape);
  void expect_sum(std::int64_t found, std::int64_t announced, const char* what) const;
  MshBlock& open_block(const MshShape& shape, MshTag entity, std::int32_t group, std::int32_t partition);

  MshSource& in_;
  MshContent content_;
};

void ContentReader::read_format() {
  const std::string_view first = in_.word();
  if (first.empty()) in_.fail("the file is empty", "a Gmsh mesh begins with $MeshFormat");
  if (first == "$NOD")
    in_.fail("the file has version 1 of Gmsh's format",
             "write it as 4.1 (gmsh -format msh41) or 2.2 (msh22)");
  if (first != "$MeshFormat")
    in_.fail("this is not a Gmsh mesh", "it begins with $MeshFormat: save it with gmsh -format msh41");
  in_.set_section("$MeshFormat");
  const std::string version(in_.word());
  double number = 0;
  const bool is_number = parse_real(version, number);
  content_.old = std::abs(number - 2.2) < 1e-9;
  if (!is_number || (!content_.old && std::abs(number - 4.1) >= 1e-9)) {
    if (version.empty()) in_.fail_truncated();
    in_.fail(fmt::format("the file has version {} of Gmsh's format", version.substr(0, 20)),
             "write it as 4.1 (gmsh -format msh41) or 2.2 (msh22)");
  }
  const std::int64_t kind = in_.text_integer("the file type");
  if (kind != 0 && kind != 1)
    in_.fail(fmt::format("the file type is {}", kind), "it is 0 for text and 1 for binary");
  const std::int64_t width = in_.text_integer("the data size");
  if (width != 8)
    in_.fail(fmt::format("the data size is {}", width), "8 bytes are supported: write it again");
  if (kind == 1) {
    in_.skip_newline();
    in_.set_binary();
    const std::int64_t one = in_.integer("the byte order");
    if (one == 0x01000000)
      in_.fail("the file has the byte order of another machine",
               "write it as text: gmsh -format msh41 without -bin");
    if (one != 1) in_.fail(fmt::format("the byte order is {}, not 1", one), write_again);
  }
  in_.expect_end("$MeshFormat", "the format");
}

void ContentReader::read_section(const std::string& name) {
  if (!name.starts_with('$') || name.starts_with("$End"))
    in_.fail("a section should begin here, with $ and a name", write_again);
  in_.set_section(name.substr(0, 40));
  if (name == "$PhysicalNames") {
    read_names();
  } else if (name == "$Entities" && !content_.old) {
    read_msh_entities(in_, content_);
  } else if (name == "$PartitionedEntities" && !content_.old) {
    if (!content_.element_tags.empty()) in_.fail("$PartitionedEntities come after $Elements", write_again);
    read_msh_partitioned_entities(in_, content_);
  } else if (name == "$Nodes") {
    if (!content_.node_tags.empty()) in_.fail("there is a second section $Nodes", write_again);
    content_.old ? read_nodes_22() : read_nodes_41();
  } else if (name == "$Elements") {
    if (content_.node_tags.empty()) in_.fail("$Elements come before $Nodes", write_again);
    if (!content_.element_tags.empty()) in_.fail("there is a second section $Elements", write_again);
    content_.old ? read_elements_22() : read_elements_41();
  } else if (name == "$ParametricNodes") {
    in_.fail("version 2.2 with parametric nodes",
             "write it without -save_parametric, or as 4.1: gmsh -format msh41");
  } else {
    in_.skip_to_end(name);
  }
  in_.set_section("");
  in_.tick();
}

void ContentReader::read_names() {
  const std::int64_t count =
      in_.checked_count(in_.text_integer("the number of physical names"), 6, 3, "physical names");
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t dimension = in_.text_integer("the dimension of a group");
    if (dimension < 0 || dimension > 3)
      in_.fail(fmt::format("a physical group has dimension {}", dimension), "it is 0, 1, 2 or 3");
    const std::int32_t tag = msh_group(in_, in_.text_integer("the tag of a group"));
    std::string_view name = in_.rest_of_line();
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    content_.names[{static_cast<int>(dimension), tag}] = name;
  }
  in_.expect_end("$PhysicalNames", fmt::format("{} names", count));
}

void ContentReader::add_node(std::int64_t tag) {
  const std::int32_t label = in_.label(tag, "a node");
  if (content_.node_map.find(label) != mesh::LabelMap::none)
    in_.fail(fmt::format("node {} is given twice", label), write_again);
  content_.node_map.set(label, static_cast<std::int32_t>(content_.node_tags.size()));
  content_.node_tags.push_back(label);
}

void ContentReader::read_coordinates(std::int32_t tag) {
  for (int k = 0; k < 3; ++k) {
    content_.coordinates.push_back(in_.real("a coordinate"));
    // Sums and squares of coordinates must stay numbers too.
    if (std::abs(content_.coordinates.back()) > 1e100)
      in_.fail(fmt::format("node {} has the coordinate {}", tag, content_.coordinates.back()), write_again);
  }
}

void ContentReader::read_nodes_22() {
  const std::int64_t count = in_.checked_count(in_.text_integer("the number of nodes"), 28, 4, "nodes");
  if (in_.binary()) in_.skip_newline();
  content_.node_tags.reserve(static_cast<std::size_t>(count));
  content_.coordinates.reserve(3 * static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    add_node(in_.integer("the number of a node"));
    read_coordinates(content_.node_tags.back());
    in_.tick();
  }
  in_.expect_end("$Nodes", fmt::format("{} nodes", count));
}

void ContentReader::expect_sum(std::int64_t found, std::int64_t announced, const char* what) const {
  if (found == announced) return;
  in_.fail(fmt::format("{} {} are announced, but the blocks hold {}", announced, what, found), write_again);
}

void ContentReader::read_nodes_41() {
  if (in_.binary()) in_.skip_newline();
  const std::int64_t blocks = in_.checked_count(in_.size("the number of blocks"), 20, 4, "blocks");
  const std::int64_t count = in_.checked_count(in_.size("the number of nodes"), 32, 4, "nodes");
  in_.size("the least number");
  in_.size("the largest number");
  content_.node_tags.reserve(static_cast<std::size_t>(count));
  content_.coordinates.reserve(3 * static_cast<std::size_t>(count));
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t dimension = in_.integer("the dimension of an entity");
    in_.integer("the tag of an entity");
    const std::int64_t parametric = in_.integer("the parametric flag");
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1)
      in_.fail(fmt::format("a block of nodes has dimension {} and parametric {}", dimension, parametric),
               "the one is 0 to 3, the other 0 or 1");
    const std::int64_t nodes = in_.checked_count(in_.size("the number of nodes"), 32, 4, "nodes");
    const auto first = content_.node_tags.size();
    if (static_cast<std::int64_t>(first) + nodes > count)
      expect_sum(static_cast<std::int64_t>(first) + nodes, count, "nodes");
    for (std::int64_t i = 0; i < nodes; ++i) add_node(in_.size("the number of a node"));
    for (std::size_t i = first; i < content_.node_tags.size(); ++i) {
      read_coordinates(content_.node_tags[i]);
      for (std::int64_t k = 0; parametric == 1 && k < dimension; ++k) in_.real("a parameter of a node");
      in_.tick();
    }
  }
  expect_sum(static_cast<std::int64_t>(content_.node_tags.size()), count, "nodes");
  in_.expect_end("$Nodes", fmt::format("{} nodes", count));
}

const MshShape& ContentReader::shape(std::int64_t number) const {
  const MshShape* found = find_msh_shape(number);
  if (found == nullptr)
    in_.fail(fmt::format("element type {} of Gmsh is not known", number),
             "mesh with order 1 or 2, and second-order elements with Mesh.SecondOrderIncomplete = 1");
  return *found;
}

MshBlock& ContentReader::open_block(const MshShape& shape, MshTag entity, std::int32_t group,
                                    std::int32_t partition) {
  auto& blocks = content_.blocks;
  if (blocks.empty() || blocks.back().shape != &shape || blocks.back().entity != entity ||
      blocks.back().group != group || blocks.back().partition != partition) {
    blocks.push_back({&shape, entity, group, partition,
                      static_cast<std::int64_t>(content_.element_tags.size()),
                      static_cast<std::int64_t>(content_.element_nodes.size()), 0, false});
  }
  return blocks.back();
}

void ContentReader::read_element(const MshShape& shape, std::int64_t tag) {
  const std::int32_t label = in_.label(tag, "an element");
  content_.element_tags.push_back(label);
  for (int k = 0; k < shape.nodes; ++k) {
    const std::int64_t node =
        content_.old ? in_.integer("a node of an element") : in_.size("a node of an element");
    const std::int32_t position = content_.node_map.find(node);
    if (position == mesh::LabelMap::none)
      in_.fail(fmt::format("element {} has node {}, which does not exist", label, node), write_again);
    content_.element_nodes.push_back(position);
  }
}

void ContentReader::end_record(std::size_t line_end, const MshShape& shape) {
  in_.tick();
  if (in_.binary() || in_.stands_at(line_end)) return;
  in_.fail(fmt::format("element {} does not end with its line: {} have {} node{}",
                       content_.element_tags.back(), shape.name, shape.nodes, shape.nodes == 1 ? "" : "s"),
           write_again);
}

/// Group, entity, the number of partitions, as many of them: first the one that the element is of, then, with
/// a minus sign, those that have it as a ghost. Other programs write other tags there, which say nothing.
ContentReader::ElementTags ContentReader::read_tags_22(std::int64_t count) {
  ElementTags tags;
  std::int64_t partitions = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t value = in_.integer("a tag of an element");
    if (k == 0) tags.group = msh_group(in_, value);
    if (k == 1) tags.entity = static_cast<std::int32_t>(value);
    if (k == 2 && value >= 1 && value <= count - 3) partitions = value;
    if (k < 3 || k >= 3 + partitions || value < -INT32_MAX || value > INT32_MAX) continue;
    if (value > 0 && tags.partition == 0) tags.partition = static_cast<std::int32_t>(value);
    content_.partitions = std::max(content_.partitions, static_cast<std::int32_t>(std::abs(value)));
  }
  return tags;
}

void ContentReader::read_elements_22() {
  const std::int64_t count = in_.checked_count(in_.text_integer("the number of elements"), 8, 4, "elements");
  if (in_.binary()) in_.skip_newline();
  content_.element_tags.reserve(static_cast<std::size_t>(count));
  for (std::int64_t done = 0; done < count;) {
    // Text has a head for each element, binary one for several.
    const std::size_t line_end = begin_record();
    std::int64_t tag = in_.binary() ? 0 : in_.integer("the number of an element");
    const MshShape& kind = shape(in_.integer("the type of an element"));
    const std::int64_t follow = in_.binary() ? in_.integer("the number of elements") : 1;
    if (follow < 1 || follow > count - done)
      in_.fail(fmt::format("{} elements are announced, of {} that are left", follow, count - done),
               write_again);
    const std::int64_t tags = in_.checked_count(in_.integer("the number of tags"), 4, 1, "tags");
    for (std::int64_t i = 0; i < follow; ++i) {
      if (in_.binary()) tag = in_.integer("the number of an element");
      const ElementTags known = read_tags_22(tags);
      MshBlock& block = open_block(kind, {kind.dimension, known.entity}, known.group, known.partition);
      read_element(kind, tag);
      ++block.count;
    }
    end_record(line_end, kind);
    done += follow;
  }
  in_.expect_end("$Elements", fmt::format("{} elements", count));
}

void ContentReader::read_elements_41() {
  if (in_.binary()) in_.skip_newline();
  const std::int64_t blocks = in_.checked_count(in_.size("the number of blocks"), 20, 4, "blocks");
  const std::int64_t count = in_.checked_count(in_.size("the number of elements"), 16, 2, "elements");
  in_.size("the least number");
  in_.size("the largest number");
  content_.element_tags.reserve(static_cast<std::size_t>(count));
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t dimension = in_.integer("the dimension of an entity");
    const auto entity = static_cast<std::int32_t>(in_.integer("the tag of an entity"));
    const MshShape& kind = shape(in_.integer("the type of elements"));
    if (dimension != kind.dimension)
      in_.fail(fmt::format("{} in an entity of dimension {}", kind.name, dimension), write_again);
    const std::int64_t elements = in_.checked_count(
        in_.size("the number of elements"), std::int64_t{8} * (1 + kind.nodes), 1 + kind.nodes, "elements");
    const auto known = static_cast<std::int64_t>(content_.element_tags.size());
    if (known + elements > count) expect_sum(known + elements, count, "elements");
    const MshTag of{kind.dimension, entity};
    const auto partition = content_.partition_of.find(of);
    MshBlock& block =
        open_block(kind, of, 0, partition == content_.partition_of.end() ? 0 : partition->second);
    block.count += elements;
    block.ghost = content_.ghost_entities.contains(of);
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::size_t line_end = begin_record();
      read_element(kind, in_.size("the number of an element"));
      end_record(line_end, kind);
    }
  }
  expect_sum(static_cast<std::int64_t>(content_.element_tags.size()), count, "elements");
  in_.expect_end("$Elements", fmt::format("{} elements", count));
}

}  // namespace

MshContent read_msh_content(MshSource& source) {
  return ContentReader(source).read();
}

}  // namespace setka::io::detail
