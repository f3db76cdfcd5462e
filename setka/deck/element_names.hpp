// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "setka/mesh/mesh.hpp"
#include "setka/model/element_type.hpp"

/// The names that decks have for elements. Nothing else of the library knows them.
namespace setka::deck {

struct NamedElement {
  std::string_view name;  // "C3D20R"
  model::ElementType type;
};

/// All that can be computed.
std::span<const NamedElement> elements();

/// By the name in a deck, in capitals, DC3D8 for C3D8 as well; nothing where it is not one of ours.
std::optional<model::ElementType> find_element(std::string_view name);

/// The same for names that are known to be: any other is an Error(Fault::usage).
model::ElementType element(std::string_view name);

std::string_view name(const model::ElementType& type);
std::string_view name(const mesh::Mesh& mesh, std::int32_t element);

}  // namespace setka::deck
