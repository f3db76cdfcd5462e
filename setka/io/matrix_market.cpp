// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/matrix_market.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/io/detail/gunzip.hpp"
#include "setka/io/detail/matrix_market_header.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/parsing.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

using detail::MatrixMarketHeader;
using Symmetry = MatrixMarket::Symmetry;

constexpr const char* number_remedy = "write it like 1, 1.5 or 1.5e-3";

/// What is wrong in a line, and where it begins.
struct Problem {
  const char* line;
  std::string message;
  std::string remedy;
};

/// Whole lines of the file, with what they hold; threads parse one each.
struct Piece {
  std::string_view text;
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> column;
  std::vector<double> value;
  const char* below = nullptr;  // the first line of an entry below the diagonal, and above it
  const char* above = nullptr;
  std::optional<Problem> problem;
};

/// The next word before the end, and the place behind it.
std::string_view next_word(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  const char* const begin = at;
  while (at != end && !is_blank(*at)) ++at;
  return {begin, static_cast<std::size_t>(at - begin)};
}

const char* line_end(const char* at, const char* end) {
  const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

bool holds_entry(const char* line, const char* stop) {
  while (line != stop && is_blank(*line)) ++line;
  return line != stop && *line != '%';
}

class PieceParser {
 public:
  PieceParser(const MatrixMarketHeader& header, Piece& piece) : header_(header), piece_(piece) {}

  void parse() {
    const char* const end = piece_.text.data() + piece_.text.size();
    for (line_ = piece_.text.data(); line_ < end && !piece_.problem;) {
      const char* const stop = line_end(line_, end);
      if (holds_entry(line_, stop)) parse_line(stop);
      line_ = stop == end ? end : stop + 1;
    }
  }

 private:
  void fail(std::string message, std::string remedy) {
    piece_.problem = Problem{line_, std::move(message), std::move(remedy)};
  }

  void parse_line(const char* stop) {
    const char* at = line_;
    std::int32_t row = 0;
    std::int32_t column = 0;
    if (!header_.array && (!parse_index(next_word(at, stop), header_.rows, "row", row) ||
                           !parse_index(next_word(at, stop), header_.columns, "column", column)))
      return;
    double value = 1;
    if (!header_.pattern && !parse_value(next_word(at, stop), value)) return;
    const std::string_view more = next_word(at, stop);
    if (!more.empty()) {
      fail(fmt::format("'{}' follows the entry", detail::shown(more)), "write one entry a line");
      return;
    }
    if (!header_.array) {
      if (row > column && piece_.below == nullptr) piece_.below = line_;
      if (row < column && piece_.above == nullptr) piece_.above = line_;
      piece_.row.push_back(row);
      piece_.column.push_back(column);
    }
    piece_.value.push_back(value);
  }

  bool parse_index(std::string_view word, std::int32_t most, const char* what, std::int32_t& index) {
    std::int64_t number = 0;
    if (word.empty()) {
      fail(fmt::format("the {} of the entry is missing", what),
           header_.pattern ? "write 'row column'" : "write 'row column value'");
    } else if (!parse_integer(word, number)) {
      fail(fmt::format("the {} is '{}', which is no whole number", what, detail::shown(word)),
           "rows and columns are counted from 1");
    } else if (number < 1 || number > most) {
      fail(fmt::format("{} {} is not within the matrix of {} x {}", what, number, header_.rows,
                       header_.columns),
           number == 0 ? "rows and columns are counted from 1" : "correct the entry, or the size above");
    } else {
      index = static_cast<std::int32_t>(number - 1);
      return true;
    }
    return false;
  }

  bool parse_value(std::string_view word, double& value) {
    if (word.empty()) {
      fail("the value of the entry is missing", "write 'row column value'");
    } else if (!parse_real(word, value)) {
      fail(fmt::format("the value is '{}', which is no finite number", detail::shown(word)), number_remedy);
    } else {
      return true;
    }
    return false;
  }

  const MatrixMarketHeader& header_;
  Piece& piece_;
  const char* line_ = nullptr;
};

std::uint64_t memory_for(const MatrixMarketOptions& options) {
  return options.memory > 0 ? options.memory : host_memory().available;
}

class EntryReader {
 public:
  EntryReader(std::string_view text, const std::string& name, const MatrixMarketOptions& options)
      : text_(text), name_(name), options_(options) {}

  MatrixMarket read(Monitor& monitor) {
    Stage stage = monitor.stage("parse", static_cast<std::int64_t>(text_.size()), "B");
    header_ = detail::read_matrix_market_header(text_, name_);
    matrix_.symmetry = header_.symmetry;
    matrix_.array = header_.array;
    reserve();
    std::vector<Piece> pieces(static_cast<std::size_t>(std::max(1, options_.threads)) * 4);
    std::string_view rest = text_.substr(header_.size);
    while (!rest.empty()) {
      const std::size_t before = rest.size();
      for (Piece& piece : pieces) piece = take(rest);
      exec::host::for_each(
          options_.threads, static_cast<std::int64_t>(pieces.size()), 1,
          [&](std::int64_t i) { PieceParser(header_, pieces[static_cast<std::size_t>(i)]).parse(); });
      for (const Piece& piece : pieces) append(piece);
      stage.advance(static_cast<std::int64_t>(before - rest.size()));
    }
    if (count() < header_.entries) {
      detail::fail_at_byte(text_, name_, text_.size() - 1,
                           fmt::format("the file ends after {} of {} entries", count(), header_.entries),
                           "it was cut short: write or copy it again");
    }
    if (header_.array) place_array();
    return std::move(matrix_);
  }

 private:
  std::int64_t count() const { return matrix_.entries.size(); }

  /// All at once, so that a file that does not fit is refused before work is done.
  void reserve() {
    const std::uint64_t bytes = static_cast<std::uint64_t>(header_.entries) * 16;
    const std::uint64_t room = memory_for(options_);
    if (bytes > room) {
      throw Error(Fault::resource,
                  fmt::format("{} entries take {}, and {} of memory are free", header_.entries,
                              format_bytes(bytes), format_bytes(room)),
                  "use a machine with more memory", {name_, 0});
    }
    sparse::Triplets& entries = matrix_.entries;
    entries.rows = header_.rows;
    entries.columns = header_.columns;
    entries.row.reserve(static_cast<std::size_t>(header_.entries));
    entries.column.reserve(static_cast<std::size_t>(header_.entries));
    entries.value.reserve(static_cast<std::size_t>(header_.entries));
  }

  /// Cuts whole lines off the front.
  static Piece take(std::string_view& rest) {
    constexpr std::size_t about = std::size_t{1} << 18;
    Piece piece;
    const std::size_t newline = rest.size() > about ? rest.find('\n', about) : std::string_view::npos;
    const std::size_t size = newline == std::string_view::npos ? rest.size() : newline + 1;
    piece.text = rest.substr(0, size);
    rest.remove_prefix(size);
    return piece;
  }

  [[noreturn]] void fail(const char* line, std::string message, std::string remedy) const {
    detail::fail_at_byte(text_, name_, static_cast<std::size_t>(line - text_.data()), std::move(message),
                         std::move(remedy));
  }

  void append(const Piece& piece) {
    if (piece.problem) fail(piece.problem->line, piece.problem->message, piece.problem->remedy);
    const std::int64_t room = header_.entries - count();
    if (static_cast<std::int64_t>(piece.value.size()) > room) {
      fail(line_of_entry(piece, room),
           fmt::format("there are more than the {} entries that were announced", header_.entries),
           "correct the number in the line of the size");
    }
    if (below_ == nullptr) below_ = piece.below;
    if (above_ == nullptr) above_ = piece.above;
    if (header_.symmetry != Symmetry::general && below_ != nullptr && above_ != nullptr) {
      fail(std::max(below_, above_), "the matrix is called symmetric, but has entries of both triangles",
           "write the lower triangle alone, or call it general");
    }
    sparse::Triplets& entries = matrix_.entries;
    entries.row.insert(entries.row.end(), piece.row.begin(), piece.row.end());
    entries.column.insert(entries.column.end(), piece.column.begin(), piece.column.end());
    entries.value.insert(entries.value.end(), piece.value.begin(), piece.value.end());
  }

  /// Where the entry of that number in the piece, from 0, stands.
  static const char* line_of_entry(const Piece& piece, std::int64_t number) {
    const char* line = piece.text.data();
    const char* const end = line + piece.text.size();
    for (;;) {
      const char* const stop = line_end(line, end);
      if (holds_entry(line, stop) && number-- == 0) return line;
      line = stop + 1;  // there is another line: the entry was parsed from it
    }
  }

  /// Values of the array format stand column by column; of a triangle only what is below the diagonal.
  void place_array() {
    sparse::Triplets& entries = matrix_.entries;
    const std::int32_t skipped = header_.symmetry == Symmetry::skew_symmetric ? 1 : 0;
    for (std::int32_t j = 0; j < header_.columns; ++j) {
      for (std::int32_t i = header_.symmetry == Symmetry::general ? 0 : j + skipped; i < header_.rows; ++i) {
        entries.row.push_back(i);
        entries.column.push_back(j);
      }
    }
  }

  std::string_view text_;
  const std::string& name_;
  const MatrixMarketOptions& options_;
  MatrixMarketHeader header_;
  MatrixMarket matrix_;
  const char* below_ = nullptr;
  const char* above_ = nullptr;
};

}  // namespace

MatrixMarket read_matrix_market(const std::filesystem::path& path, const MatrixMarketOptions& options,
                                Monitor& monitor) {
  const TextFile file(path);
  return read_matrix_market_text(file.text(), path.string(), options, monitor);
}

MatrixMarket read_matrix_market_text(std::string_view bytes, const std::string& name,
                                     const MatrixMarketOptions& options, Monitor& monitor) {
  if (!detail::is_gzip(bytes)) return EntryReader(bytes, name, options).read(monitor);
  const std::string text = detail::gunzip(bytes, name, memory_for(options) / 2, monitor);
  return EntryReader(text, name, options).read(monitor);
}

DenseMatrix dense(const MatrixMarket& matrix, const std::string& name, std::uint64_t memory) {
  const sparse::Triplets& entries = matrix.entries;
  DenseMatrix full;
  full.rows = entries.rows;
  full.columns = entries.columns;
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(full.rows) * static_cast<std::uint64_t>(full.columns);
  if (bytes > memory / sizeof(double)) {
    throw Error(Fault::resource,
                fmt::format("a full matrix of {} x {} does not fit into memory", full.rows, full.columns),
                "is this the right file?", {name, 0});
  }
  full.value.assign(static_cast<std::size_t>(bytes), 0.0);
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    const std::int64_t i = entries.row[k];
    const std::int64_t j = entries.column[k];
    full.value[static_cast<std::size_t>(i * full.columns + j)] += entries.value[k];
    if (matrix.symmetry == Symmetry::general || i == j) continue;
    full.value[static_cast<std::size_t>(j * full.columns + i)] +=
        matrix.symmetry == Symmetry::symmetric ? entries.value[k] : -entries.value[k];
  }
  return full;
}

DenseMatrix read_dense_matrix(const std::filesystem::path& path, const MatrixMarketOptions& options,
                              Monitor& monitor) {
  return dense(read_matrix_market(path, options, monitor), path.string(), memory_for(options));
}

void write_vector(const std::filesystem::path& path, std::span<const double> values,
                  const std::string& comment) {
  write_columns(path, values, 1, comment);
}

void write_columns(const std::filesystem::path& path, std::span<const double> values, std::int64_t columns,
                   const std::string& comment) {
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t rows = width == 0 ? 0 : values.size() / width;
  OutputFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix array real general\n% {}\n{} {}\n", comment, rows, columns));
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      std::array<char, 32> word;
      const char* const end =
          std::to_chars(word.data(), word.data() + word.size(), values[i * width + j]).ptr;
      file.write({word.data(), static_cast<std::size_t>(end - word.data())});
      file.write("\n");
    }
  }
  file.commit();
}

}  // namespace setka::io
