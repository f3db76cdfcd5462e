// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

#include "setka/deck/detail/cards.hpp"

/// Long lists of nodes and elements, which all threads read at once.
namespace setka::deck::detail {

/// A part of the data of a card. An entry that begins in it may end behind it.
struct Piece {
  Run rest;          // from the start of the piece to the end of the data
  const char* stop;  // where the next piece begins
};

/// A run in pieces of about a megabyte.
/// begins(line): whether an entry begins with this line, as far as a line tells.
template <class Begins>
std::vector<Piece> pieces_of(const Run& run, const Begins& begins) {
  constexpr std::size_t usual = std::size_t{1} << 20;
  std::vector<Piece> pieces;
  const char* const end = run.text.data() + run.text.size();
  const auto line_after = [&](const char* at) {
    const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    return stop == nullptr ? end : stop + 1;
  };
  for (const char* at = run.text.data(); at != end;) {
    const char* stop = static_cast<std::size_t>(end - at) <= usual ? end : line_after(at + usual);
    for (const char* next = stop; stop != end; stop = next) {
      next = line_after(stop);
      const std::string_view line(stop, static_cast<std::size_t>(next - stop));
      if (begins(line.substr(0, line.find('\n')))) break;
    }
    pieces.push_back({{{at, static_cast<std::size_t>(end - at)}, run.first}, stop});
    at = stop;
  }
  // Lines before each.
  std::vector<std::int32_t> lines(pieces.size());
#pragma omp parallel for schedule(static) if (pieces.size() > 1)
  for (std::size_t p = 0; p < pieces.size(); ++p)
    lines[p] = static_cast<std::int32_t>(std::count(pieces[p].rest.text.data(), pieces[p].stop, '\n'));
  for (std::size_t p = 1; p < pieces.size(); ++p)
    pieces[p].rest.first.number = pieces[p - 1].rest.first.number + lines[p - 1];
  return pieces;
}

/// Whether there is one more line before `stop`, where there is one: an entry of this piece begins with it.
inline bool next_before(DataLines& lines, const char* stop) {
  return (stop == nullptr || lines.position() < stop) && lines.next();
}

/// read(lines, stop, rows) takes the entries that begin before `stop`, by many threads at once; take(rows)
/// then gets the rows of one piece after the other. Where an entry of a piece ends behind the start of the
/// next, that one was cut wrongly and is read again from there. The first thing that is wrong is told, once
/// the rows before it were taken.
template <class Rows, class Begins, class Read, class Take>
void read_pieces(const Cards& cards, const Card& card, const Begins& begins, const Read& read,
                 const Take& take) {
  struct Result {
    Rows rows;
    const char* end = nullptr;
    std::int32_t next_line = 0;
    std::exception_ptr failure;
  };
  const auto result_of = [&](DataLines lines, const char* stop) {
    Result result;
    try {
      read(lines, stop, result.rows);
    } catch (...) {
      result.failure = std::current_exception();
    }
    result.end = lines.position();
    result.next_line = lines.line().number + 1;
    return result;
  };
  std::vector<Piece> pieces;
  if (card.run_count == 1) pieces = pieces_of(cards.runs()[card.first_run], begins);
  if (pieces.size() < 2) {
    Result all = result_of(DataLines(cards, card), nullptr);
    take(all.rows);
    if (all.failure) std::rethrow_exception(all.failure);
    return;
  }
  std::vector<Result> results(pieces.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t p = 0; p < pieces.size(); ++p)
    results[p] = result_of(DataLines(pieces[p].rest), pieces[p].stop);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Run& own = pieces[p].rest;
    if (p > 0 && results[p - 1].end > own.text.data()) {
      Run run = own;
      run.text.remove_prefix(static_cast<std::size_t>(results[p - 1].end - own.text.data()));
      run.first.number = results[p - 1].next_line;
      results[p] = result_of(DataLines(run), pieces[p].stop);
    }
    take(results[p].rows);
    if (results[p].failure) std::rethrow_exception(results[p].failure);
    results[p].rows = {};
  }
}

}  // namespace setka::deck::detail
