// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/results.hpp"

#include <cmath>
#include <numbers>

namespace setka::model {
namespace {

template <class Field>
const Field* named(const std::vector<Field>& fields, const std::string& name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

}  // namespace

double Mode::angular_frequency() const {
  return eigenvalue > 0 ? std::sqrt(eigenvalue) : 0.0;
}
double Mode::frequency() const {
  return angular_frequency() / (2 * std::numbers::pi);
}

const NodeField* Frame::node_field(const std::string& name) const {
  return named(node_fields, name);
}
const NodeField* Frame::local_node_field(const std::string& name) const {
  const NodeField* local = named(local_node_fields, name);
  return local != nullptr ? local : node_field(name);
}
const PointField* Frame::point_field(const std::string& name) const {
  return named(point_fields, name);
}
bool Frame::of_temperature() const {
  return node_field("U") == nullptr && node_field("NT") != nullptr;
}

}  // namespace setka::model
