// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "setka/exec/letter.hpp"
#include "setka/exec/transport.hpp"

/// A deck that several processes read together, each its stretches of long files. Null in the place of a
/// Transport: one process reads alone.
namespace setka::deck::detail {

struct Stretch {
  std::size_t first;
  std::size_t end;
};

/// Which of `count` things, in their order, are this member's.
inline Stretch stretch_of(std::size_t count, std::size_t members, std::size_t member) {
  return {count * member / members, count * (member + 1) / members};
}
inline Stretch own_stretch(std::size_t count, const exec::Transport* together) {
  if (together == nullptr) return {0, count};
  return stretch_of(count, static_cast<std::size_t>(together->size()),
                    static_cast<std::size_t>(together->number()));
}

/// What each member tells all, in their order.
inline std::vector<exec::Letter> told_by_all(const exec::Transport& together, const exec::Letter& own) {
  return together.exchange(std::vector(static_cast<std::size_t>(together.size()), own));
}

/// Error(Fault::input) everywhere where not all have the same file, or text, of this name. A file whose
/// folder they share is not read for that. Asked for before any of it is exchanged: of different files
/// members would wait for each other in vain.
void require_same_file(const exec::Transport* together, const std::string& file);
void require_same_text(const exec::Transport* together, std::string_view text, const std::string& name);

}  // namespace setka::deck::detail
