// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/superelement.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/numbers.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/parsing.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

constexpr int nodes_a_line = 10;
constexpr int values_a_line = 4;
constexpr double least_value = 1e-90;  // rounding, of which the exponent would push its letter out
constexpr TextKind superelement_text{"a superelement", "the .mtx file", "has a line *USER ELEMENT",
                                     "is a text file that *SUBSTRUCTURE GENERATE wrote"};

class SuperelementReader {
 public:
  explicit SuperelementReader(const std::filesystem::path& path)
      : name_(path.string()), file_(path, superelement_text), left_(file_.text()) {}

  SuperelementMatrix read() {
    while (next() && !keyword("*USERELEMENT")) {
      if (!comment()) fail("no superelement begins like this", "the first keyword is *USER ELEMENT");
    }
    const std::int64_t count = declared_dofs();
    SuperelementMatrix matrix;
    bool has = next();
    for (; has && comment(); has = next()) take_nodes(matrix.node);
    if (static_cast<std::int64_t>(matrix.node.size()) != count)
      fail(fmt::format("{} degrees of freedom, and {} nodes in comments", count, matrix.node.size()),
           "the line ** ELEMENT NODES is followed by the node of each");
    for (; has && line_.front() != '*'; has = next()) take_direction(matrix.direction);
    if (matrix.direction.size() != matrix.node.size())
      fail(fmt::format("{} nodes, and directions of {}", matrix.node.size(), matrix.direction.size()),
           "give the direction of each");
    if (!has || !keyword("*MATRIX") || squeezed(line_).find("TYPE=STIFFNESS") == std::string::npos)
      fail("the stiffness is missing", "it begins with *MATRIX,TYPE=STIFFNESS");
    while (next() && line_.front() != '*') take_values(matrix.lower);
    const std::size_t entries = matrix.node.size() * (matrix.node.size() + 1) / 2;
    if (matrix.lower.size() != entries)
      fail(fmt::format("the stiffness has {} entries", matrix.lower.size()),
           fmt::format("the lower triangle of {} degrees of freedom has {}", count, entries));
    refuse_repeated(matrix);
    return matrix;
  }

 private:
  /// The next line that is not blank.
  bool next() {
    while (!left_.empty()) {
      const std::string_view raw = left_.substr(0, left_.find('\n'));
      left_.remove_prefix(std::min(raw.size() + 1, left_.size()));
      ++number_;
      line_ = trimmed(raw);
      if (!line_.empty()) return true;
    }
    line_ = {};
    return false;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(Fault::input, "superelement: " + what, remedy, SourceLine{name_, number_});
  }

  bool comment() const { return line_.starts_with("**"); }
  static std::string squeezed(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (!is_blank(c)) result.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
    }
    return result;
  }
  bool keyword(std::string_view word) const { return squeezed(line_).starts_with(word); }

  std::int64_t declared_dofs() const {
    const std::string text = squeezed(line_);
    const auto at = text.find("NODES=");
    std::int64_t count = 0;
    if (at == std::string::npos || !parse_integer(text.substr(at + 6, text.find(',', at) - at - 6), count) ||
        count < 1)
      fail("*USER ELEMENT does not say how many degrees of freedom there are", "give NODES=number");
    return count;
  }

  template <class Take>
  void each_field(std::string_view text, Take&& take) const {
    while (!text.empty()) {
      const auto comma = text.find(',');
      const std::string_view field = trimmed(text.substr(0, comma));
      text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
      if (!field.empty()) take(field);
    }
  }

  std::int32_t integer(std::string_view field, std::int64_t last) const {
    std::int64_t value = 0;
    if (!parse_integer(field, value) || value < 1 || value > last)
      fail(fmt::format("'{}' is no number from 1 to {}", field.substr(0, 20), last), "correct it");
    return static_cast<std::int32_t>(value);
  }

  void take_nodes(std::vector<std::int32_t>& nodes) const {
    const std::string_view content = trimmed(line_.substr(2));
    if (content.empty() || std::isdigit(static_cast<unsigned char>(content.front())) == 0) return;  // words
    each_field(content, [&](std::string_view field) { nodes.push_back(integer(field, INT32_MAX)); });
  }

  /// "1" of the first node, "2,  3" of the others: which of them, and its direction.
  void take_direction(std::vector<std::int32_t>& directions) const {
    std::vector<std::string_view> fields;
    each_field(line_, [&](std::string_view field) { fields.push_back(field); });
    const auto place = static_cast<std::int64_t>(directions.size()) + 1;
    const bool first = directions.empty() && fields.size() == 1;
    if (!first && (fields.size() != 2 || integer(fields[0], INT32_MAX) != place))
      fail(fmt::format("degree of freedom {} is expected here", place), "give its number and its direction");
    directions.push_back(integer(fields.back(), 3));
  }

  void take_values(std::vector<double>& values) const {
    each_field(line_, [&](std::string_view field) {
      double value = 0;
      if (!parse_real(field, value))
        fail(fmt::format("'{}' is no number", field.substr(0, 30)), "write it like 1.5E-3");
      values.push_back(value);
    });
  }

  void refuse_repeated(const SuperelementMatrix& matrix) const {
    std::set<std::pair<std::int32_t, std::int32_t>> known;
    for (std::size_t i = 0; i < matrix.node.size(); ++i) {
      if (!known.emplace(matrix.node[i], matrix.direction[i]).second)
        fail(fmt::format("node {} has direction {} twice", matrix.node[i], matrix.direction[i]),
             "each is there once");
    }
  }

  std::string name_;
  TextFile file_;
  std::string_view left_;
  std::string_view line_;
  int number_ = 0;
};

}  // namespace

void write_superelement(const std::filesystem::path& path, const SuperelementMatrix& matrix) {
  OutputFile file(path);
  std::string& text = file.text();
  const std::size_t count = matrix.node.size();
  text += fmt::format(
      "**\n** GENERATION OF SUBSTRUCTURE\n*USER ELEMENT,NODES={:11d},LINEAR\n** ELEMENT NODES\n", count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % nodes_a_line == 0) text += "**";
    append_integer(text, matrix.node[i], 10);
    text += (i + 1) % nodes_a_line == 0 || i + 1 == count ? ",\n" : ",";
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) {
      append_integer(text, static_cast<std::int64_t>(i) + 1, 10);
      text += ',';
    }
    append_integer(text, matrix.direction[i], 10);
    text += '\n';
  }
  text += "*MATRIX,TYPE=STIFFNESS\n";
  const double* value = matrix.lower.data();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      append_fortran_fraction(text, std::abs(*value) < least_value ? 0.0 : *value, 20, 13);
      ++value;
      text += (j + 1) % values_a_line == 0 || j == i ? ",\n" : ",";
    }
    file.flush_if_full();
  }
  file.commit();
}

SuperelementMatrix read_superelement(const std::filesystem::path& path) {
  return SuperelementReader(path).read();
}

}  // namespace setka::io
