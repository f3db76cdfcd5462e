// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// setka under mpirun: the same command line in many processes, of which the first speaks.
#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "program.hpp"
#include "ranks.hpp"
#include "setka/petsc/session.hpp"
#include "standard_streams.hpp"

namespace {

using namespace setka;

/// One message for all of them, whoever fails; and nobody waits for one that has failed.
int fail_together(const petsc::Session& session, const app::Failure& failure) {
  const int code = static_cast<int>(failure.code);
  const bool all = petsc::all_fail();
  if (!all || session.number() == 0) {
    const std::string who = all || session.number() == 0 ? "" : fmt::format("process {}: ", session.number());
    app::fail(failure.code, (who + failure.text).c_str());
  }
  if (!all) petsc::abort(code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  app::guard_standard_streams();
  petsc::Session session(app::petsc_options(argc, argv).value_or(""));
  app::set_ranks(&session);
  if (app::speaks_not() && std::freopen("/dev/null", "w", stdout) == nullptr)
    return static_cast<int>(ExitCode::internal);
  const auto fail_by = [&](const app::Failure& failure) { return fail_together(session, failure); };
  return app::code_after_output(app::run_program(argc, argv, fail_by));
}
