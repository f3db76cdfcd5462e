// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For the one source that reads TOML; toml++ is long to compile.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/detail/toml.hpp"

namespace setka::io::detail {

/// A table of a TOML file whose keys are known beforehand; what is wrong with it is an Error(Fault::input)
/// that names file, line, key and what is allowed.
class TomlSection {
 public:
  /// path: how the table is called, as "time"; empty for the file itself. Refuses keys that are not listed.
  TomlSection(const toml::table& table, std::string path, std::string file, std::vector<std::string> keys)
      : table_(&table), path_(std::move(path)), file_(std::move(file)) {
    for (const auto& [key, node] : table) {
      const std::string word(key.str());
      if (std::find(keys.begin(), keys.end(), word) != keys.end()) continue;
      const std::string meant = nearest_word(word, keys);
      throw Error(
          Fault::input,
          fmt::format("unknown key '{}'{}", shown(word), path_.empty() ? "" : fmt::format(" in {}", path_)),
          fmt::format("{}the keys are {}", meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant),
                      join_words(keys)),
          {file_, line_of(key.source())});
    }
  }

  bool has(std::string_view key) const { return table_->contains(key); }
  const toml::node* find(std::string_view key) const { return table_->get(key); }
  const std::string& path() const { return path_; }
  const std::string& file() const { return file_; }

  /// The line of a key, or of the table where the key is missing.
  long line(std::string_view key) const {
    const toml::node* const node = find(key);
    return line_of(node == nullptr ? table_->source() : node->source());
  }

  std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  [[noreturn]] void refuse(std::string_view key, const std::string& what, const std::string& remedy) const {
    throw Error(Fault::input, fmt::format("{} {}", full(key), what), remedy, {file_, line(key)});
  }

  [[noreturn]] void refuse_missing(std::string_view key, const std::string& remedy) const {
    refuse(key, "is missing", remedy);
  }

  double number(std::string_view key, const toml::node& node) const {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value) refuse(key, fmt::format("is {}, not a number", kind_of(node)), "give a number, as 0.5");
    if (!std::isfinite(*value)) refuse(key, fmt::format("is {}", *value), "give a finite number");
    return *value;
  }

  std::optional<double> number(std::string_view key) const {
    const toml::node* const node = find(key);
    return node == nullptr ? std::nullopt : std::optional(number(key, *node));
  }

  double positive(std::string_view key) const {
    const std::optional<double> value = number(key);
    if (!value) refuse_missing(key, fmt::format("give {} a positive number", key));
    if (!(*value > 0)) refuse(key, fmt::format("is {}", *value), "give a positive number");
    return *value;
  }

  std::int64_t integer(std::string_view key, const toml::node& node, std::int64_t least,
                       std::int64_t most) const {
    const std::optional<std::int64_t> value =
        node.is_integer() ? node.value<std::int64_t>() : std::optional<std::int64_t>{};
    if (!value) refuse(key, fmt::format("is {}, not an integer", kind_of(node)), "give an integer, as 100");
    if (*value < least || *value > most)
      refuse(key, fmt::format("is {}", *value), fmt::format("give a number from {} to {}", least, most));
    return *value;
  }

  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most) const {
    const toml::node* const node = find(key);
    return node == nullptr ? std::nullopt : std::optional(integer(key, *node, least, most));
  }

  std::string text(std::string_view key, const toml::node& node) const {
    const std::optional<std::string> value =
        node.is_string() ? node.value<std::string>() : std::optional<std::string>{};
    if (!value) refuse(key, fmt::format("is {}, not text", kind_of(node)), "give text in quotes");
    return *value;
  }

  std::optional<std::string> text(std::string_view key) const {
    const toml::node* const node = find(key);
    return node == nullptr ? std::nullopt : std::optional(text(key, *node));
  }

  /// One of some words; its place among them.
  std::size_t word(std::string_view key, const std::string& given,
                   const std::vector<std::string>& words) const {
    const auto found = std::find(words.begin(), words.end(), given);
    if (found == words.end()) {
      const std::string meant = nearest_word(given, words);
      refuse(key, fmt::format("is '{}'", shown(given)),
             fmt::format("{}it can be {}", meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant),
                         join_words(words, "or")));
    }
    return static_cast<std::size_t>(found - words.begin());
  }

  /// count numbers, or where `alone` one for all of them.
  std::vector<double> numbers(std::string_view key, std::size_t count, bool alone = false) const {
    const toml::node* const node = find(key);
    if (node == nullptr) refuse_missing(key, fmt::format("give {} numbers, one an axis", count));
    std::vector<double> found;
    if (alone && node->is_number()) {
      found.assign(count, number(key, *node));
      return found;
    }
    const toml::array* const array = node->as_array();
    if (array == nullptr || array->size() != count) {
      refuse(key, fmt::format("is {}", array == nullptr ? kind_of(*node) : values(array->size())),
             fmt::format("give {} numbers in brackets{}", count, alone ? ", or one for all" : ""));
    }
    for (const toml::node& item : *array) found.push_back(number(key, item));
    return found;
  }

  const toml::table& table_at(std::string_view key) const {
    const toml::table* const table = find(key)->as_table();
    if (table == nullptr)
      refuse(key, fmt::format("is {}, not a table", kind_of(*find(key))),
             fmt::format("write [{}]", full(key)));
    return *table;
  }

  /// The tables of [[key]]; none where the key is missing.
  std::vector<const toml::table*> tables(std::string_view key) const {
    std::vector<const toml::table*> found;
    const toml::node* const node = find(key);
    if (node == nullptr) return found;
    const toml::array* const array = node->as_array();
    const auto refuse_kind = [&](const toml::node& wrong) {
      refuse(key, fmt::format("is {}, not a list of tables", kind_of(wrong)),
             fmt::format("write [[{}]]", full(key)));
    };
    if (array == nullptr) refuse_kind(*node);
    for (const toml::node& item : *array) {
      if (!item.is_table()) refuse_kind(item);
      found.push_back(item.as_table());
    }
    return found;
  }

  static long line_of(const toml::source_region& source) { return static_cast<long>(source.begin.line); }

  static std::string values(std::size_t count) {
    return count == 1 ? "a list of 1 value" : fmt::format("a list of {} values", count);
  }

  static std::string kind_of(const toml::node& node) {
    switch (node.type()) {
      case toml::node_type::table:
        return "a table";
      case toml::node_type::array:
        return "a list";
      case toml::node_type::string:
        return fmt::format("'{}'", shown(*node.value<std::string>()));
      case toml::node_type::integer:
        return fmt::format("{}", *node.value<std::int64_t>());
      case toml::node_type::floating_point:
        return fmt::format("{}", *node.value<double>());
      case toml::node_type::boolean:
        return *node.value<bool>() ? "true" : "false";
      default:
        return "a date";
    }
  }

 private:
  const toml::table* table_;
  std::string path_;
  std::string file_;
};

}  // namespace setka::io::detail
