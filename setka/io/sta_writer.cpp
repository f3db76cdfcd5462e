// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/sta_writer.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/numbers.hpp"

namespace setka::io {
namespace {

// The zero in the last head is CalculiX's own; programs may look for it.
constexpr const char* sta_head =
    "SUMMARY OF JOB INFORMATION\n"
    "  STEP      INC     ATT  ITRS     TOT TIME     STEP TIME      INC TIME\n";
constexpr const char* cvg_head =
    "SUMMARY OF C0NVERGENCE INFORMATION\n"
    "  STEP   INC  ATT   ITER     CONT.   RESID.        CORR.      RESID.      CORR.\n"
    "                              EL.    FORCE         DISP       FLUX        TEMP.\n"
    "                              (#)     (%)           (%)        (%)         (%)\n";

std::filesystem::path with_ending(std::filesystem::path stem, const char* ending) {
  stem += ending;
  return stem;
}

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  throw Error(Fault::resource,
              fmt::format("{} {}: {}", path.string(), what, std::system_category().message(errno)));
}

}  // namespace

StaWriter::File StaWriter::begin(const std::filesystem::path& path, const char* head) {
  File file(std::fopen(path.c_str(), "we"));
  if (!file) fail(path, "cannot be created");
  append(path, file.get(), head);
  return file;
}

void StaWriter::append(const std::filesystem::path& path, std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
    fail(path, "cannot be written");
}

StaWriter::StaWriter(const std::filesystem::path& stem)
    : path_(with_ending(stem, ".sta")), cvg_path_(with_ending(stem, ".cvg")), file_(begin(path_, sta_head)) {
  begin(cvg_path_, cvg_head);
}

void StaWriter::write(const model::Increment& increment) {
  std::string row;
  append_integer(row, increment.step, 6);
  append_integer(row, increment.number, 11);
  append_integer(row, increment.attempts, 6);
  append_integer(row, increment.iterations, 6);
  for (const double time : {increment.total_time, increment.time_in_step, increment.length}) {
    row += ' ';
    append_fortran_fraction(row, time, 13, 6);
  }
  append(path_, file_.get(), row + '\n');
}

}  // namespace setka::io
