// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/throw_together.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::exec {
namespace {

Letter letter_of(const std::exception_ptr& failure) {
  Letter letter;
  const auto tell = [&](Fault fault, std::string text) {
    letter.put_one(fault);
    letter.put(std::vector<char>(text.begin(), text.end()));
  };
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    tell(error.fault(), error.what());
  } catch (const std::bad_alloc&) {
    tell(Fault::resource, "out of memory on the host; use a smaller model or end other programs");
  } catch (const std::exception& error) {
    tell(Fault::internal, error.what());
  }
  return letter;
}

}  // namespace

void throw_together(const Transport& transport, const std::exception_ptr& own) {
  const double failed = own ? 1 : 0;
  const std::vector<double> of_all = transport.gather({&failed, 1});
  const auto found = std::ranges::find(of_all, 1.0);
  if (found == of_all.end()) return;
  const auto who = static_cast<std::size_t>(found - of_all.begin());
  std::vector<Letter> letters(of_all.size());
  if (transport.number() == static_cast<int>(who)) letters.assign(of_all.size(), letter_of(own));
  Letter& letter = (letters = transport.exchange(letters))[who];
  const auto fault = letter.take_one<Fault>();
  const auto text = letter.take<char>();
  throw Error(fault, fmt::format("{}{}", who == 0 ? "" : fmt::format("process {}: ", who),
                                 std::string(text.begin(), text.end())));
}

}  // namespace setka::exec
