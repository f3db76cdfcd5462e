// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "setka/base/config.hpp"
#include "setka/exec/device.hpp"
#include "support/run_command.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

test::CommandResult setka_command(const std::string& arguments) {
  return test::run_command(std::string(SETKA_COMMAND) + " " + arguments);
}

/// Wrong usage: exit code 2, nothing on standard output, one line that holds the text.
void expect_refused(const std::string& arguments, const std::string& text) {
  const auto result = setka_command(arguments);
  EXPECT_EQ(result.code, 2) << arguments;
  EXPECT_EQ(result.out, "") << arguments;
  EXPECT_THAT(result.error, StartsWith("setka: error: ")) << arguments;
  EXPECT_THAT(result.error, HasSubstr(text)) << arguments;
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << arguments << "\n"
                                                                           << result.error;
}

TEST(Command, InfoTellsWhatThereIs) {
  const auto result = setka_command("info");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.out, StartsWith(std::string("setka ") + version));
  EXPECT_THAT(result.out, HasSubstr("Devices"));
  EXPECT_THAT(result.out, HasSubstr("Eigen"));
}

TEST(Command, InfoAsJson) {
  const auto result = setka_command("info --json --timings");
  EXPECT_EQ(result.code, 0);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("version"), version);
  EXPECT_EQ(json.at("devices").at(0).at("label"), "cpu");
  EXPECT_EQ(json.at("timings").at("parts").at(0).at("name"), "look for devices");
}

TEST(Command, InfoOnOneThread) {
  const auto result = setka_command("info --backend cpu --threads 1");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("* cpu"));
}

TEST(Command, TimingsGoToStandardError) {
  const auto result = setka_command("info --timings");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.error, HasSubstr("look for devices"));
}

TEST(Command, HelpTeaches) {
  for (const char* arguments : {"", "--help", "info --help"}) {
    const auto result = setka_command(arguments);
    EXPECT_EQ(result.code, 0) << arguments;
    EXPECT_THAT(result.out, HasSubstr("Usage: setka")) << arguments;
  }
  EXPECT_THAT(setka_command("--help").out, HasSubstr("Exit codes"));
  EXPECT_THAT(setka_command("info --help").out, HasSubstr("--backend"));
  EXPECT_EQ(setka_command("--version").out, std::string(version) + "\n");
}

TEST(Command, CompletesAndDocumentsItself) {
  const auto completion = setka_command("completion bash");
  EXPECT_EQ(completion.code, 0);
  EXPECT_THAT(completion.out, HasSubstr("complete -F _setka setka"));
  EXPECT_THAT(completion.out, HasSubstr("--preconditioner) _setka_words 'auto jacobi"));
  expect_refused("completion tcsh", "tcsh");

  const auto manual = setka_command("manual run");
  EXPECT_EQ(manual.code, 0);
  EXPECT_THAT(manual.out, HasSubstr(".TH \"SETKA-RUN\" \"1\""));
  EXPECT_THAT(manual.out, HasSubstr("\\fB\\-\\-preconditioner\\fR \\fINAME\\fR"));
  EXPECT_THAT(setka_command("manual").out, HasSubstr(".SH EXIT STATUS"));
  expect_refused("manual rnu", "there is no command 'rnu'; the commands are info, run");
  expect_refused("manual run --folder x", "leave out the command");
}

TEST(Command, WrongUsageIsOneClearLine) {
  expect_refused("inof", "unknown command 'inof'; did you mean info?");
  expect_refused("info --jsn", "unknown option '--jsn'; did you mean --json?");
  expect_refused("info --frobnicate=3", "unknown option '--frobnicate'");
  expect_refused("--frob", "unknown option '--frob'");
  expect_refused("info extra", "extra");
  expect_refused("info --backend vulkan", "unknown back end 'vulkan'; use auto, cpu or cuda");
  expect_refused("info --backend", "--backend");
  expect_refused("info --devices x", "--devices");
  expect_refused("info --devices 9999", "no CUDA device");
  expect_refused("info --backend cpu --devices 0", "device numbers name GPUs");
  expect_refused("info --threads -1", "-1 threads");
}

TEST(Command, CudaWhereThereIsNone) {
  if (exec::why_no_cuda().empty()) GTEST_SKIP() << "there is a GPU";
  expect_refused("info --backend cuda", exec::why_no_cuda());
}

}  // namespace
}  // namespace setka
