// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/inp.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/deck/detail/cards.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/attributes.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck {
namespace {

using detail::Card;
using detail::Cards;
using detail::Keyword;
using detail::Place;
using detail::Reader;
using detail::Round;

/// The keyword of a card that is to be read; what is not is told here.
const Keyword* keyword_of(Reader& reader, const Card& card) {
  const Keyword* keyword = detail::find_keyword(card.keyword);
  if (keyword != nullptr) {
    if (keyword->place == Place::model && card.in_step)
      reader.fail(card.line, fmt::format("{} inside a step", detail::spelled(card.keyword)),
                  "move it before the first *STEP");
    if (keyword->place == Place::step && !card.in_step)
      reader.fail(card.line, fmt::format("{} outside a step", detail::spelled(card.keyword)),
                  "move it between *STEP and *END STEP");
    return keyword;
  }
  const std::string_view known = detail::find_unsupported_keyword(card.keyword);
  if (!known.empty()) {
    reader.unsupported(card.line, std::string(known));
  } else {
    const std::string near = nearest_word(card.keyword, detail::all_keywords());
    reader.warn(card.line,
                fmt::format("unknown keyword {} and its data are ignored{}", card.keyword.substr(0, 40),
                            near.empty() ? "" : ", did you mean " + detail::spelled(near) + "?"));
  }
  return nullptr;
}

Deck read(const Cards& cards, Monitor& monitor, Completeness completeness) {
  Deck deck;
  deck.model.files = cards.files();
  Reader reader(cards, deck);
  Stage stage = monitor.stage("read deck", cards.bytes(), "B");

  std::vector<const Keyword*> keywords;
  keywords.reserve(cards.cards().size());
  for (const Card& card : cards.cards()) keywords.push_back(keyword_of(reader, card));
  for (const Round round : {Round::nodes, Round::elements, Round::sets, Round::definitions, Round::rest}) {
    for (std::size_t i = 0; i < keywords.size(); ++i) {
      if (keywords[i] == nullptr || keywords[i]->round != round) continue;
      if (keywords[i]->handler != nullptr) keywords[i]->handler(reader, cards.cards()[i]);
      stage.advance(cards.cards()[i].bytes);
    }
  }
  detail::check_end(reader);
  reader.finish();
  if (completeness == Completeness::demanded) {
    const std::vector<Error> missing = missing_from(deck);
    if (!missing.empty()) throw Error(missing.front());
  }
  return deck;
}

/// The keyword that says what an element is made of.
std::string_view section_keyword(model::Family family) {
  if (family == model::Family::shell) return "*SHELL SECTION";
  if (family == model::Family::membrane) return "*MEMBRANE SECTION";
  if (family == model::Family::beam) return "*BEAM SECTION";
  return model::is_spring(family) ? "*SPRING, *DASHPOT or *MASS" : "*SOLID SECTION";
}

/// Elements that have nothing to be made of; springs and others have different remedies.
void add_bare_elements(const model::Model& model, const SourceLine& where, bool springs,
                       std::vector<Error>& missing) {
  std::vector<std::int32_t> numbers;
  std::string_view type;
  model::Family family = model::Family::solid;
  for (const std::int32_t element : model::elements_without_section(model)) {
    if (model::is_spring(model::family(model.mesh, element)) != springs) continue;
    if (numbers.empty()) {
      type = deck::name(model.mesh, element);
      family = model::family(model.mesh, element);
    }
    numbers.push_back(model.mesh.element_label(element));
  }
  if (numbers.empty()) return;
  const bool one = numbers.size() == 1;
  missing.emplace_back(
      Fault::input,
      fmt::format("element{}{} {} no {}", one ? " " : "s ",
                  one ? fmt::format("{} of type {}", numbers[0], type) : some_numbers(numbers),
                  one ? "has" : "have", springs ? "spring constant" : "material"),
      fmt::format("put {} into the set of a {}", one ? "it" : "them", section_keyword(family)), where);
}

/// What the steps of a model ask of its materials.
struct Needs {
  bool mechanics = false;
  bool heat = false;
  bool heat_capacity = false;  // density and specific heat: temperatures that change
};

Needs needs_of(const model::Model& model) {
  Needs needs;
  bool modes_of_temperature = false;  // that sums of modes take
  for (const model::Step& step : model.steps) {
    const auto* heat = std::get_if<model::HeatStep>(&step.procedure);
    const auto* modes = std::get_if<model::FrequencyStep>(&step.procedure);
    if (modes != nullptr) modes_of_temperature = modes->of_temperature;
    const bool sums_modes = std::holds_alternative<model::ModalDynamicStep>(step.procedure) ||
                            std::holds_alternative<model::SteadyStateStep>(step.procedure);
    const bool of_temperature = heat != nullptr || ((modes != nullptr || sums_modes) && modes_of_temperature);
    needs.mechanics |= !of_temperature || (heat != nullptr && heat->displaces);
    needs.heat |= of_temperature;
    needs.heat_capacity |= of_temperature && (heat == nullptr || !heat->steady);
  }
  needs.mechanics |= !needs.heat;
  return needs;
}

/// Constants that the materials of sections lack, each material once.
void add_lacking_constants(const model::Model& model, std::vector<Error>& missing) {
  const Needs needs = needs_of(model);
  std::vector<char> told(model.materials.size(), 0);
  for (const model::Section& section : model.sections) {
    const auto m = static_cast<std::size_t>(section.material);
    if (std::exchange(told[m], 1) != 0) continue;
    const model::Material& material = model.materials[m];
    const auto lacks = [&](const char* what, const char* keyword) {
      missing.emplace_back(Fault::input, fmt::format("material {} has no {}", material.name, what),
                           fmt::format("add {} after it", keyword), model.source(material.line));
    };
    if (needs.mechanics && material.elastic.empty() && material.hyperelastic.empty())
      lacks("elastic constants", "*ELASTIC");
    if (needs.heat && material.conductivity.empty()) lacks("conductivity", "*CONDUCTIVITY");
    if (needs.heat_capacity && material.specific_heat.empty()) lacks("specific heat", "*SPECIFIC HEAT");
    if (needs.heat_capacity && material.density.empty()) lacks("density", "*DENSITY");
  }
}

/// What a user of a program that writes decks may ask for instead, by the start of what is not supported.
struct OtherWay {
  std::string_view start;
  std::string_view instead;
};
constexpr std::string_view use_solids = "mesh with solid elements";
constexpr std::string_view join_meshes = "let the parts share their nodes";
constexpr std::array other_ways_table{
    OtherWay{"*ELEMENT, TYPE=S", use_solids}, OtherWay{"*ELEMENT, TYPE=B", use_solids},
    OtherWay{"*SHELL SECTION", use_solids},   OtherWay{"*MEMBRANE SECTION", use_solids},
    OtherWay{"*BEAM SECTION", use_solids},    OtherWay{"*STEP, NLGEOM", "switch nonlinear geometry off"},
    OtherWay{"*CONTACT PAIR", join_meshes},   OtherWay{"*PLASTIC", "take an elastic material"},
};

std::string other_ways(const std::vector<Unsupported>& unsupported) {
  std::string text;
  for (const OtherWay& way : other_ways_table) {
    const bool fits = std::ranges::any_of(
        unsupported, [&](const Unsupported& entry) { return entry.what.starts_with(way.start); });
    if (fits && text.find(way.instead) == std::string::npos)
      text += (text.empty() ? "" : ", ") + std::string(way.instead);
  }
  return text;
}

}  // namespace

Deck read_inp(const std::filesystem::path& path, Monitor& monitor, Completeness completeness,
              const exec::Transport* together) {
  return read(Cards::of_file(path, together), monitor, completeness);
}

Deck read_inp_text(std::string_view text, const std::string& name, Monitor& monitor,
                   Completeness completeness, const exec::Transport* together) {
  return read(Cards::of_text(text, name, together), monitor, completeness);
}

std::vector<std::string> files_of_deck(const std::filesystem::path& path) {
  return Cards::files_of(path);
}

std::vector<Error> missing_from(const Deck& deck) {
  std::vector<Error> missing;
  if (!deck.unsupported.empty()) return missing;  // what is missing may be what was not read
  const model::Model& model = deck.model;
  const SourceLine whole = model.source({0, 0});
  if (model.mesh.element_count() == 0)
    missing.emplace_back(Fault::input, "the deck has no elements", "add them by *ELEMENT", whole);
  if (model.steps.empty() && !deck.mesh_alone)
    missing.emplace_back(Fault::input, "the deck has no steps", "end it with *STEP, *STATIC and *END STEP",
                         whole);
  add_lacking_constants(model, missing);
  add_bare_elements(model, whole, false, missing);
  add_bare_elements(model, whole, true, missing);
  return missing;
}

std::string and_more_lines(int lines) {
  return lines < 2 ? "" : fmt::format(" (and on {} more line{})", lines - 1, lines == 2 ? "" : "s");
}

std::string Unsupported::text() const {
  return fmt::format("{}:{}: {}{}", line.file, line.line, what, and_more_lines(lines));
}

void refuse_unsupported(const Deck& deck) {
  if (deck.unsupported.empty()) return;
  const std::size_t count = deck.unsupported.size();
  std::string remedy = "run it with CalculiX itself";
  const std::string other = other_ways(deck.unsupported);
  if (!other.empty()) remedy += ", or where the deck was made " + other;
  remedy += ':';
  for (const Unsupported& entry : deck.unsupported) remedy += "\n  " + entry.text();
  throw Error(Fault::input,
              fmt::format("the deck asks for {} that Setka does not compute yet",
                          count == 1 ? "one thing" : fmt::format("{} things", count)),
              remedy, {deck.model.files.empty() ? std::string() : deck.model.files.front(), 0});
}

}  // namespace setka::deck
