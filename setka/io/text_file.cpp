// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/text_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/detail/descriptor.hpp"

namespace setka::io {
namespace {

[[noreturn]] void fail(const std::string& name, std::string message, std::string remedy) {
  throw Error(Fault::input, std::move(message), std::move(remedy), {name, 0});
}

[[noreturn]] void fail_to_read(const std::string& name, int code) {
  fail(name, fmt::format("cannot read the file: {}", std::generic_category().message(code)),
       code == ENOENT ? "check the path" : "check its permissions");
}

bool is_text(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code >= 32 || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\v' || code == 26;
}

}  // namespace

TextFile::TextFile(const std::filesystem::path& path) : TextFile(path, nullptr, TextCheck::beginning) {}

TextFile::TextFile(const std::filesystem::path& path, const TextKind& kind, TextCheck check)
    : TextFile(path, &kind, check) {}

TextFile::TextFile(const std::filesystem::path& path, const TextKind* kind, TextCheck check)
    : name_(path.string()) {
  // Without waiting: a pipe that nobody writes to would hold the program here for ever.
  const detail::Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) fail_to_read(name_, errno);
  struct stat about {};
  if (::fstat(file.number, &about) != 0) fail_to_read(name_, errno);
  if (S_ISDIR(about.st_mode)) {
    if (kind == nullptr) fail(name_, "is a directory, not a file", "give a file inside it");
    fail(name_, fmt::format("is a directory, not {}", kind->what),
         fmt::format("give {} inside it", kind->file));
  }
  if (!S_ISREG(about.st_mode))  // what it holds has no end, or none that is known
    fail(name_, "is a device or a pipe, not a file", "copy what it holds to a file and give that");
  if (about.st_size > 0) map(file.number, static_cast<std::size_t>(about.st_size));
  if (kind != nullptr) require_text(text_, name_, *kind, check);
}

TextFile::~TextFile() {
  if (mapped_ != nullptr) ::munmap(mapped_, text_.size());
}

void TextFile::map(int descriptor, std::size_t size) {
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (memory == MAP_FAILED) {
    read(descriptor);
    return;
  }
  ::madvise(memory, size, MADV_SEQUENTIAL);
  mapped_ = memory;
  text_ = {static_cast<const char*>(memory), size};
}

void TextFile::read(int descriptor) {
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_read(name_, errno);
    if (count == 0) break;
    whole_.append(block.data(), static_cast<std::size_t>(count));
  }
  text_ = whole_;
}

void require_text(std::string_view text, const std::string& name, const TextKind& kind, TextCheck check) {
  if (text.empty()) fail(name, "the file is empty", fmt::format("{} {}", kind.what, kind.begins));
  if (text.starts_with("\x1f\x8b")) fail(name, "is compressed, not text", "unpack it with gunzip first");
  const std::string_view beginning = text.substr(0, 1 << 16);
  const auto odd = std::find_if_not(beginning.begin(), beginning.end(), is_text);
  auto at = std::string_view::npos;
  if (odd != beginning.end()) {
    at = static_cast<std::size_t>(odd - beginning.begin());
  } else if (check == TextCheck::whole) {
    at = text.find('\0');
  }
  if (at == std::string_view::npos) return;
  fail(name, fmt::format("is not text: byte {} is {:#04x}", at + 1, static_cast<unsigned char>(text[at])),
       fmt::format("{} {}", kind.what, kind.is));
}

}  // namespace setka::io
