// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/io/msh.hpp"
#include "setka/model/element_type.hpp"

namespace setka::test {

inline std::string msh_bytes(const std::string& name) {
  return content(std::string(SETKA_TEST_DATA) + "/msh/" + name + ".msh");
}

inline model::Model read_bytes(const std::string& bytes, const io::MshOptions& options = {}) {
  Monitor monitor;
  return io::read_msh_text(bytes, "part.msh", options, monitor);
}

inline model::Model read_data(const std::string& name, const io::MshOptions& options = {}) {
  return read_bytes(msh_bytes(name), options);
}

/// The whole message of the error that the bytes give; fails where they are read.
inline std::string error_of(const std::string& bytes) {
  try {
    read_bytes(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    EXPECT_NE(error.remedy(), "") << error.what();
    return error.what();
  }
  ADD_FAILURE() << "the bytes were read without an error";
  return {};
}

/// Replaces a text that is there just once.
inline std::string with(std::string bytes, const std::string& old, const std::string& changed) {
  const std::size_t at = bytes.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  if (at != std::string::npos) bytes.replace(at, old.size(), changed);
  return bytes;
}

using Labels = std::vector<std::int32_t>;

inline Labels node_labels(const model::Model& model, const std::string& set) {
  const std::int32_t position = model.find_node_set(set);
  Labels labels;
  if (position < 0) return labels;
  for (const std::int32_t node : model.node_sets[static_cast<std::size_t>(position)].nodes)
    labels.push_back(model.mesh.node_label(node));
  std::sort(labels.begin(), labels.end());
  return labels;
}

inline std::vector<double> element_coordinates(const mesh::Mesh& mesh, std::int32_t element) {
  std::vector<double> x;
  for (const std::int32_t node : mesh.nodes(element)) {
    const auto at = mesh.coordinates(node);
    x.insert(x.end(), at.begin(), at.end());
  }
  return x;
}

inline void expect_same_sets(const model::Model& a, const model::Model& b) {
  ASSERT_EQ(a.node_sets.size(), b.node_sets.size());
  for (std::size_t i = 0; i < a.node_sets.size(); ++i) {
    EXPECT_EQ(a.node_sets[i].name, b.node_sets[i].name);
    EXPECT_EQ(a.node_sets[i].nodes, b.node_sets[i].nodes) << a.node_sets[i].name;
  }
  ASSERT_EQ(a.element_sets.size(), b.element_sets.size());
  for (std::size_t i = 0; i < a.element_sets.size(); ++i) {
    EXPECT_EQ(a.element_sets[i].name, b.element_sets[i].name);
    EXPECT_EQ(a.element_sets[i].elements, b.element_sets[i].elements) << a.element_sets[i].name;
  }
  ASSERT_EQ(a.surfaces.size(), b.surfaces.size());
  for (std::size_t i = 0; i < a.surfaces.size(); ++i) {
    EXPECT_EQ(a.surfaces[i].name, b.surfaces[i].name);
    ASSERT_EQ(a.surfaces[i].faces.size(), b.surfaces[i].faces.size()) << a.surfaces[i].name;
    for (std::size_t k = 0; k < a.surfaces[i].faces.size(); ++k) {
      EXPECT_EQ(a.surfaces[i].faces[k].element, b.surfaces[i].faces[k].element);
      EXPECT_EQ(a.surfaces[i].faces[k].face, b.surfaces[i].faces[k].face);
    }
  }
}

/// Bit for bit; labels of elements only where asked for. Coordinates may differ by `rounding`.
inline void expect_same_mesh(const mesh::Mesh& a, const mesh::Mesh& b, bool element_labels = true,
                             double rounding = 0) {
  ASSERT_EQ(a.node_count(), b.node_count());
  ASSERT_EQ(a.element_count(), b.element_count());
  for (std::int32_t n = 0; n < a.node_count(); ++n) {
    EXPECT_EQ(a.node_label(n), b.node_label(n));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.coordinates(n)[k], b.coordinates(n)[k], rounding) << n;
  }
  for (std::int32_t e = 0; e < a.element_count(); ++e) {
    if (element_labels) {
      EXPECT_EQ(a.element_label(e), b.element_label(e));
    }
    EXPECT_EQ(model::element_type(a, e), model::element_type(b, e));
    EXPECT_TRUE(std::ranges::equal(a.nodes(e), b.nodes(e))) << a.element_label(e);
  }
}

}  // namespace setka::test
