// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "failure.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

namespace setka::app {

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {exit_code(error.fault()), error.what()};
  } catch (const std::bad_alloc&) {
    return {ExitCode::resource, "out of memory on the host; use a smaller model or end other programs"};
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0)
      return {ExitCode::resource, "standard output cannot be written: " + error.code().message()};
    if (error.code() == std::errc::resource_unavailable_try_again)
      return {ExitCode::resource, "a thread cannot be started; give fewer by --threads"};
    return {ExitCode::internal, error.what()};
  } catch (const std::exception& error) {
    return {ExitCode::internal, error.what()};
  }
}

}  // namespace setka::app
