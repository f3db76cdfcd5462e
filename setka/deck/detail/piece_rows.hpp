// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/deck/detail/together.hpp"

/// What processes tell each other of the pieces of a list that they have read.
namespace setka::deck::detail {

/// Rows names its parts by std::tie() in parts(): vectors and single values, of types that are copied byte by
/// byte.
template <class Rows>
struct PieceResult {
  Rows rows;
  const char* end = nullptr;  // behind the last line that was read
  std::int32_t next_line = 0;
  std::optional<Error> wrong;
};

inline void put_text(exec::Letter& letter, const std::string& text) {
  letter.put(std::span(text.data(), text.size()));
}
inline std::string take_text(exec::Letter& letter) {
  const std::vector<char> text = letter.take<char>();
  return {text.begin(), text.end()};
}

inline void put_error(exec::Letter& letter, const std::optional<Error>& error) {
  letter.put_one(error.has_value());
  if (!error) return;
  letter.put_one(error->fault());
  put_text(letter, error->message());
  put_text(letter, error->remedy());
  put_text(letter, error->where().file);
  letter.put_one(error->where().line);
}
inline std::optional<Error> take_error(exec::Letter& letter) {
  if (!letter.take_one<bool>()) return std::nullopt;
  const auto fault = letter.take_one<Fault>();
  std::string message = take_text(letter);
  std::string remedy = take_text(letter);
  std::string file = take_text(letter);
  return Error(fault, std::move(message), std::move(remedy), {std::move(file), letter.take_one<long>()});
}

/// list(vector), value(single) for each part.
template <class Rows, class List, class Value>
void for_parts(Rows& rows, const List& list, const Value& value) {
  const auto of_part = [&](auto& part) {
    if constexpr (requires { part.resize(0); }) {
      list(part);
    } else {
      value(part);
    }
  };
  std::apply([&](auto&... part) { (of_part(part), ...); }, rows.parts());
}

/// results: each member has those of its stretch, then all have all. text: where all of them see the data
/// begin. Rows go from where they lie to where they will lie.
template <class Rows>
void tell_results(const exec::Transport& together, const char* text,
                  std::vector<PieceResult<Rows>>& results) {
  const Stretch own = own_stretch(results.size(), &together);
  exec::Letter sizes;
  std::vector<std::span<const std::byte>> out;
  for (std::size_t r = own.first; r < own.end; ++r) {
    PieceResult<Rows>& result = results[r];
    sizes.put_one(result.end - text);
    sizes.put_one(result.next_line);
    put_error(sizes, result.wrong);
    for_parts(
        result.rows,
        [&](const auto& list) {
          sizes.put_one(list.size());
          out.push_back(std::as_bytes(std::span(list)));
        },
        [&](const auto& value) { sizes.put_one(value); });
  }
  std::vector<exec::Letter> told = told_by_all(together, sizes);
  std::vector<exec::Parcel> parcels;
  for (std::size_t member = 0; member < told.size(); ++member) {
    const auto with = static_cast<int>(member);
    if (with == together.number()) continue;
    for (const std::span<const std::byte> rows : out) parcels.push_back({with, rows, {}});
    const Stretch others = stretch_of(results.size(), told.size(), member);
    for (std::size_t r = others.first; r < others.end; ++r) {
      PieceResult<Rows>& result = results[r];
      result.end = text + told[member].template take_one<std::ptrdiff_t>();
      result.next_line = told[member].template take_one<std::int32_t>();
      result.wrong = take_error(told[member]);
      for_parts(
          result.rows,
          [&](auto& list) {
            list.resize(told[member].template take_one<std::size_t>());
            parcels.push_back({with, {}, std::as_writable_bytes(std::span(list))});
          },
          [&](auto& value) { value = told[member].template take_one<std::decay_t<decltype(value)>>(); });
    }
  }
  const auto journey = together.journey();
  journey->begin(parcels);
  journey->finish();
}

}  // namespace setka::deck::detail
