// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/deck/detail/cards.hpp"
#include "setka/deck/detail/piece_rows.hpp"
#include "setka/deck/detail/together.hpp"

/// Long lists of nodes and elements, which all threads of all processes read at once.
namespace setka::deck::detail {

/// A part of the data of a card. An entry that begins in it may end behind it.
struct Piece {
  Run rest;          // from the start of the piece to the end of the data
  const char* stop;  // where the next piece begins
};

/// A run in pieces of about a megabyte, which begin at marks or soon behind them.
/// begins(line): whether an entry begins with this line, as far as a line tells.
template <class Begins>
std::vector<Piece> pieces_of(const Run& run, std::span<const Mark> marks, const Begins& begins) {
  std::vector<Piece> pieces;
  const char* const end = run.text.data() + run.text.size();
  const auto add = [&](Mark at) {
    if (!pieces.empty()) pieces.back().stop = at.at;
    pieces.push_back({{{at.at, static_cast<std::size_t>(end - at.at)}, {run.first.file, at.number}}, end});
  };
  if (!run.text.empty()) add({run.text.data(), run.first.number});
  for (Mark at : marks) {
    if (at.at <= pieces.back().rest.text.data()) continue;  // the one before begins behind it
    while (at.at != end) {
      const std::string_view rest(at.at, static_cast<std::size_t>(end - at.at));
      const std::string_view line = rest.substr(0, rest.find('\n'));
      if (begins(line)) break;
      at.at += std::min(line.size() + 1, rest.size());
      ++at.number;
    }
    if (at.at == end) break;
    add(at);
  }
  return pieces;
}

/// Whether there is one more line before `stop`, where there is one: an entry of this piece begins with it.
inline bool next_before(DataLines& lines, const char* stop) {
  return (stop == nullptr || lines.position() < stop) && lines.next();
}

/// How many pieces are read before their rows are taken: enough for all threads, few for memory. Asked for by
/// all processes together.
inline std::size_t pieces_at_once(const exec::Transport* together) {
  constexpr std::size_t a_thread = 4;
  double threads = omp_get_max_threads();
  if (together == nullptr) return a_thread * static_cast<std::size_t>(threads);
  threads = std::ranges::max(together->gather({&threads, 1}));
  return a_thread * static_cast<std::size_t>(threads) * static_cast<std::size_t>(together->size());
}

/// read(lines, stop, rows) takes the entries that begin before `stop`, by many threads and processes at once;
/// take(rows) then gets the rows of one piece after the other, in each process all of them. Where an entry of
/// a piece ends behind the start of the next, that one was cut wrongly and is read again from there. The
/// first thing that is wrong is told, once the rows before it were taken. Rows: has parts(), see
/// piece_rows.hpp.
template <class Rows, class Begins, class Read, class Take>
void read_pieces(const Cards& cards, const Card& card, const Begins& begins, const Read& read,
                 const Take& take) {
  const auto result_of = [&](DataLines lines, const char* stop) {
    PieceResult<Rows> result;
    try {
      read(lines, stop, result.rows);
    } catch (const Error& error) {
      result.wrong = error;
    }
    result.end = lines.position();
    result.next_line = lines.line().number + 1;
    return result;
  };
  const auto take_from = [&](const PieceResult<Rows>& result) {
    take(result.rows);
    if (result.wrong) throw Error(*result.wrong);
  };
  std::vector<Piece> pieces;
  if (card.run_count == 1) {
    const Run& run = cards.runs()[card.first_run];
    pieces = pieces_of(run, cards.marks(run), begins);
  }
  if (pieces.size() < 2) {
    take_from(result_of(DataLines(cards, card), nullptr));
    return;
  }
  const std::size_t most = pieces_at_once(cards.together());
  const std::size_t rounds = (pieces.size() + most - 1) / most;
  const char* taken = pieces.front().rest.text.data();  // all before it
  std::int32_t next_line = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Stretch here = stretch_of(pieces.size(), rounds, round);
    std::vector<PieceResult<Rows>> results(here.end - here.first);
    const Stretch own = own_stretch(results.size(), cards.together());
    std::exception_ptr failure;  // of this process, as for want of memory: others have no part in it
#pragma omp parallel for schedule(dynamic)
    for (std::size_t r = own.first; r < own.end; ++r) {
      try {
        const Piece& piece = pieces[here.first + r];
        results[r] = result_of(DataLines(piece.rest), piece.stop);
      } catch (...) {
#pragma omp critical(setka_read_pieces)
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    if (cards.together() != nullptr)
      tell_results(*cards.together(), pieces.front().rest.text.data(), results);
    for (std::size_t r = 0; r < results.size(); ++r) {
      const Piece& piece = pieces[here.first + r];
      if (taken > piece.rest.text.data()) {
        Run run = piece.rest;
        run.text.remove_prefix(static_cast<std::size_t>(taken - piece.rest.text.data()));
        run.first.number = next_line;
        results[r] = result_of(DataLines(run), piece.stop);
      }
      taken = results[r].end;
      next_line = results[r].next_line;
      take_from(results[r]);
      results[r].rows = {};
    }
  }
}

}  // namespace setka::deck::detail
