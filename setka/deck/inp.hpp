// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/transport.hpp"
#include "setka/model/model.hpp"

namespace setka::deck {

/// Something of CalculiX that the deck asks for and Setka does not compute yet.
struct Unsupported {
  SourceLine line;  // the first that asks for it
  std::string what;
  int lines = 1;  // that ask for it

  /// "deck.inp:23: *ELEMENT, TYPE=S8R (and on 10 more lines)"
  std::string text() const;
};

/// What is said of a line and holds for others too: " (and on 10 more lines)", or nothing.
std::string and_more_lines(int lines);

struct Deck {
  model::Model model;  // without what is unsupported
  std::vector<Unsupported> unsupported;
  std::vector<std::string> warnings;  // what is ignored as CalculiX ignores it, each with file:line
  bool mesh_alone = false;            // *NO ANALYSIS: the mesh is to be written, after the steps before it
};

/// Whether a deck that lacks something is refused, or read for missing_from() to tell what.
enum class Completeness : std::uint8_t { demanded, unchecked };

/// Reads a deck of CalculiX or Abaqus and what it *INCLUDEs; docs/deck.md lists the keywords. Wrong input is
/// an Error(Fault::input) with file, line and remedy; what is right but not supported is collected instead.
/// together: the processes that read the deck with this one, all by this call; each reads its stretches of
/// long files, and all get the whole deck, or the same Error. That they do not see the same files is one too.
Deck read_inp(const std::filesystem::path& path, Monitor& monitor,
              Completeness completeness = Completeness::demanded, const exec::Transport* together = nullptr);

/// The same from memory; messages call the text `name`, and *INCLUDEs are relative to its folder.
Deck read_inp_text(std::string_view text, const std::string& name, Monitor& monitor,
                   Completeness completeness = Completeness::demanded,
                   const exec::Transport* together = nullptr);

/// The deck and the files that it reads; of one that cannot be read, those up to what is wrong.
std::vector<std::string> files_of_deck(const std::filesystem::path& path);

/// What a run needs and the deck lacks: elements, steps, constants of materials (elastic ones, and what heat
/// transfer needs), sections of elements. Nothing is said of a deck that asks for unsupported things, where
/// it may lack what was not read.
std::vector<Error> missing_from(const Deck& deck);

/// Throws one Error(Fault::input) that lists all that is unsupported, with file:line each, when there is any.
void refuse_unsupported(const Deck& deck);

}  // namespace setka::deck
