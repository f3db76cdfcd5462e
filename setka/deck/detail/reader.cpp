// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/detail/reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

/// The start of a field, for messages, without bytes that would spoil a terminal.
std::string shown(std::string_view field) {
  std::string text(field.substr(0, 40));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  }
  return field.size() > 40 ? text + "..." : text;
}

bool contains(std::initializer_list<std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Reader::Reader(const Cards& cards, Deck& deck) : cards_(cards), deck_(deck), model_(deck.model) {
  has_heat_steps_ = std::ranges::any_of(cards.cards(), [](const Card& card) {
    return card.keyword == "*HEATTRANSFER" || card.keyword.ends_with("COUPLEDTEMPERATURE-DISPLACEMENT");
  });
}

void Reader::fail(Line line, std::string message, std::string remedy) const {
  throw Error(Fault::input, std::move(message), std::move(remedy), cards_.source(line));
}

void Reader::warn(Line line, std::string message) {
  warnings_.push_back({line, std::move(message)});
}

void Reader::warn_if_supported(Line line, std::string message) {
  warnings_.push_back({line, std::move(message), true});
}

void Reader::finish() {
  struct Told {
    SourceLine first;
    std::string_view message;
    int lines = 0;
  };
  std::vector<Told> told;
  std::unordered_map<std::string_view, std::size_t> known;
  for (const Warning& warning : warnings_) {
    if (warning.if_supported && anything_unsupported()) continue;
    const auto [at, is_new] = known.try_emplace(warning.message, told.size());
    if (is_new) told.push_back({cards_.source(warning.line), warning.message});
    ++told[at->second].lines;
  }
  for (const Told& one : told)
    deck_.warnings.push_back(
        fmt::format("{}:{}: {}{}", one.first.file, one.first.line, one.message, and_more_lines(one.lines)));
  const auto place = [&](const Unsupported& entry) {
    return std::pair(std::ranges::find(model_.files, entry.line.file), entry.line.line);
  };
  std::ranges::stable_sort(deck_.unsupported, {}, place);
  if (!no_analysis) return;
  deck_.mesh_alone = true;
  model_.steps.resize(*no_analysis);
}

void Reader::unsupported(Line line, std::string what) {
  const auto [at, is_new] = unsupported_.try_emplace(what, deck_.unsupported.size());
  if (is_new) {
    deck_.unsupported.push_back({cards_.source(line), std::move(what)});
  } else {
    ++deck_.unsupported[at->second].lines;
  }
}

void Reader::check_parameters(const Card& card, std::initializer_list<std::string_view> known,
                              std::initializer_list<std::string_view> not_supported) {
  for (const Parameter& parameter : card.parameters) {
    if (contains(known, parameter.key)) continue;
    const std::string name = spelled(card.keyword);
    if (contains(not_supported, parameter.key)) {
      unsupported(card.line, fmt::format("{}, parameter {}", name, shown(parameter.key)));
      continue;
    }
    std::vector<std::string> candidates(known.begin(), known.end());
    candidates.insert(candidates.end(), not_supported.begin(), not_supported.end());
    const std::string near = nearest_word(parameter.key, candidates);
    warn(card.line, fmt::format("{} has no parameter {}; it is ignored{}", name, shown(parameter.key),
                                near.empty() ? "" : ", did you mean " + near + "?"));
  }
}

std::string Reader::required(const Card& card, std::string_view key) const {
  const std::string_view value = card.value(key);
  if (value.empty())
    fail(card.line, fmt::format("{} without {}", spelled(card.keyword), key),
         fmt::format("add {}=name", key));
  return std::string(value);
}

std::int64_t Reader::integer(std::string_view field, Line line, std::string_view what) const {
  std::int64_t value = 0;
  if (!io::parse_integer(field, value))
    fail(line, fmt::format("{} is '{}', which is not a whole number", what, shown(field)),
         "write digits, with a sign if needed");
  return value;
}

double Reader::real(std::string_view field, Line line, std::string_view what) const {
  double value = 0;
  if (!io::parse_real(field, value))
    fail(line, fmt::format("{} is '{}', which is not a number", what, shown(field)),
         "write it like 1, 1.5 or 1.5E-3");
  return value;
}

std::int32_t Reader::label(std::string_view field, Line line, std::string_view what) const {
  const std::int64_t value = integer(field, line, what);
  if (value < 1 || value > INT32_MAX)
    fail(line, fmt::format("{} is {}", what, value), fmt::format("numbers go from 1 to {}", INT32_MAX));
  return static_cast<std::int32_t>(value);
}

std::int32_t Reader::Names::find(const std::string& name) const {
  const auto found = positions.find(name);
  return found == positions.end() ? -1 : found->second;
}

std::vector<std::string> Reader::Names::all() const {
  std::vector<std::string> names;
  for (const auto& [name, position] : positions) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void Reader::fail_to_find(const Names& names, std::string_view kind, const std::string& name, Line line,
                          std::string_view asked_by) const {
  const std::vector<std::string> all = names.all();
  const std::string near = nearest_word(name, all);
  std::string remedy;
  if (!near.empty()) {
    remedy = "did you mean " + near + "?";
  } else if (all.empty()) {
    remedy = fmt::format("the deck defines no {}", kind);
  } else if (all.size() == 1) {
    remedy = "there is only " + all.front();
  } else if (all.size() <= 12) {
    remedy = "there are " + join_words(all);
  } else {
    remedy = "define it first";
  }
  fail(line, fmt::format("{} names {} {}, which does not exist", asked_by, kind, shown(name)), remedy);
}

void Reader::take_procedure(const Card& card, decltype(model::Step::procedure) taken) {
  if (!procedure.empty())
    fail(card.line, fmt::format("{} in a step that has {} already", spelled(card.keyword), procedure),
         "give it a *STEP and an *END STEP of its own");
  procedure = spelled(card.keyword);
  model_.steps.back().procedure = std::move(taken);
}

std::int32_t Reader::open_node_set(const std::string& name) {
  const auto [at, added] = node_sets.positions.try_emplace(name, model_.node_sets.size());
  if (added) {
    model_.node_sets.push_back({name, {}});
  }
  return at->second;
}

std::int32_t Reader::open_element_set(const std::string& name) {
  const auto [at, added] = element_sets.positions.try_emplace(name, model_.element_sets.size());
  if (added) {
    model_.element_sets.push_back({name, {}});
    element_set_partial.push_back(0);
  }
  return at->second;
}

std::int32_t Reader::node_set(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t set = node_sets.find(name);
  if (set < 0) fail_to_find(node_sets, "node set", name, line, asked_by);
  return set;
}

std::int32_t Reader::element_set(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t set = element_sets.find(name);
  if (set < 0) fail_to_find(element_sets, "element set", name, line, asked_by);
  return set;
}

std::int32_t Reader::surface(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t position = surfaces.find(name);
  if (position < 0) fail_to_find(surfaces, "surface", name, line, asked_by);
  return position;
}

std::int32_t Reader::material(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t position = materials.find(name);
  if (position < 0) fail_to_find(materials, "material", name, line, asked_by);
  return position;
}

std::int32_t Reader::orientation(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t position = orientations.find(name);
  if (position < 0) fail_to_find(orientations, "orientation", name, line, asked_by);
  return position;
}

std::int32_t Reader::amplitude(const Card& card, std::string_view key) const {
  if (!card.has(key)) return -1;
  const std::string name = required(card, key);
  const std::int32_t position = amplitudes.find(name);
  if (position < 0) fail_to_find(amplitudes, "amplitude", name, card.line, spelled(card.keyword));
  return position;
}

std::int32_t Reader::points_in_time(const Card& card) const {
  if (!card.has("TIMEPOINTS")) return -1;
  const std::string name = required(card, "TIMEPOINTS");
  const std::int32_t position = time_points.find(name);
  if (position < 0) fail_to_find(time_points, "time points", name, card.line, spelled(card.keyword));
  return position;
}

std::int32_t Reader::spectrum(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t position = spectra.find(name);
  if (position < 0) fail_to_find(spectra, "spectrum", name, line, asked_by);
  return position;
}

std::int32_t Reader::matrix(const std::string& name, Line line, std::string_view asked_by) const {
  const std::int32_t position = matrices.find(name);
  if (position < 0) fail_to_find(matrices, "matrix", name, line, asked_by);
  return position;
}

std::int32_t Reader::node(std::string_view field, Line line, std::string_view asked_by) const {
  const std::int32_t number = label(field, line, "the node");
  const std::int32_t position = model_.mesh.find_node(number);
  if (position < 0)
    fail(line, fmt::format("{} names node {}, which does not exist", asked_by, number), "define it by *NODE");
  return position;
}

std::span<const std::int32_t> Reader::nodes(std::string_view field, Line line, std::string_view asked_by) {
  std::int64_t number = 0;
  if (io::parse_integer(field, number)) {
    one_[0] = node(field, line, asked_by);
    return one_;
  }
  if (field.empty()) fail(line, fmt::format("{} names no node", asked_by), "give a node or a node set");
  const std::int32_t set = node_set(word(field), line, asked_by);
  const auto& found = model_.node_sets[static_cast<std::size_t>(set)];
  if (found.nodes.empty())
    warn(line, fmt::format("{}: node set {} is empty; the line has no effect", asked_by, found.name));
  return found.nodes;
}

std::span<const std::int32_t> Reader::elements(std::string_view field, Line line, std::string_view asked_by) {
  std::int64_t number = 0;
  if (io::parse_integer(field, number)) {
    label(field, line, "the element");
    one_[0] = model_.mesh.find_element(number);
    if (one_[0] >= 0) return one_;
    if (skipped(number)) return {};
    fail(line, fmt::format("{} names element {}, which does not exist", asked_by, number),
         "define it by *ELEMENT");
  }
  if (field.empty())
    fail(line, fmt::format("{} names no element", asked_by), "give an element or an element set");
  const auto set = static_cast<std::size_t>(element_set(word(field), line, asked_by));
  const auto& found = model_.element_sets[set];
  if (found.elements.empty() && element_set_partial[set] == 0)
    warn(line, fmt::format("{}: element set {} is empty; the line has no effect", asked_by, found.name));
  return found.elements;
}

std::optional<Reader::UserDirection> Reader::user_direction(std::int32_t node, std::int32_t direction) {
  if (direction < 4 || direction > 6) return UserDirection{node, direction};
  const auto found = rotation_of.find(node);
  if (found != rotation_of.end()) return UserDirection{found->second, direction - 3};
  const mesh::Mesh& mesh = model_.mesh;
  if (has_rotations_.empty()) {
    has_rotations_.resize(static_cast<std::size_t>(mesh.node_count()));
    for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
      if (!model::has_rotations(model::family(mesh, e))) continue;
      for (const std::int32_t own : mesh.nodes(e)) has_rotations_[static_cast<std::size_t>(own)] = true;
    }
  }
  const auto at = static_cast<std::size_t>(node);  // rigid bodies add nodes later
  if (at >= has_rotations_.size() || !has_rotations_[at]) return std::nullopt;
  return UserDirection{node, direction};
}

std::vector<std::int32_t> Reader::distinct_elements(std::string_view field, Line line,
                                                    std::string_view asked_by) {
  const auto all = elements(field, line, asked_by);
  std::vector<std::int32_t> distinct;
  std::vector<bool> taken(static_cast<std::size_t>(model_.mesh.element_count()), false);
  for (const std::int32_t element : all) {
    if (taken[static_cast<std::size_t>(element)]) continue;
    taken[static_cast<std::size_t>(element)] = true;
    distinct.push_back(element);
  }
  return distinct;
}

}  // namespace setka::deck::detail
