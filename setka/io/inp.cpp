// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/inp.hpp"

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/io/detail/cards.hpp"
#include "setka/io/detail/reader.hpp"

namespace setka::io {
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

Deck read(const Cards& cards, Monitor& monitor) {
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
  detail::check_model(reader);
  return deck;
}

}  // namespace

Deck read_inp(const std::filesystem::path& path, Monitor& monitor) {
  return read(Cards::of_file(path), monitor);
}

Deck read_inp_text(std::string_view text, const std::string& name, Monitor& monitor) {
  return read(Cards::of_text(text, name), monitor);
}

void refuse_unsupported(const Deck& deck) {
  if (deck.unsupported.empty()) return;
  const std::size_t count = deck.unsupported.size();
  std::string message = fmt::format("the deck asks for {} that Setka does not compute yet:",
                                    count == 1 ? "one thing" : fmt::format("{} things", count));
  for (const Unsupported& entry : deck.unsupported)
    message += fmt::format("\n  {}:{}: {}", entry.line.file, entry.line.line, entry.what);
  throw Error(Fault::input, message, "\n  run it with CalculiX, or take these lines out",
              {deck.model.files.empty() ? std::string() : deck.model.files.front(), 0});
}

}  // namespace setka::io
