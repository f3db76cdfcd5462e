// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "example.hpp"

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/io/output_file.hpp"

namespace setka::app {
namespace {

std::string list_of_examples() {
  std::string text = "\nExamples, with the element types they can be made of (the first is the default):\n";
  for (const deck::Example& example : deck::examples()) {
    text += fmt::format("  {}: {}\n   ", example.name, example.what);
    for (const std::string_view element : example.elements) text += fmt::format(" {}", element);
    text += "\n";
  }
  return text + "\nThe deck runs in CalculiX too. Without -o it goes to standard output.";
}

std::vector<std::string> names_of_examples() {
  std::vector<std::string> names;
  for (const deck::Example& example : deck::examples()) names.emplace_back(example.name);
  return names;
}

deck::ExampleRequest request_of(const ExampleOptions& options) {
  if (!(options.size >= 1 && options.size <= static_cast<double>(deck::largest_example)) ||
      options.size != std::floor(options.size)) {
    throw Error(Fault::usage, fmt::format("--size {} is not a number of unknowns", options.size),
                fmt::format("use a whole number up to {}", deck::largest_example));
  }
  if (options.modes && *options.modes < 1) {
    throw Error(Fault::usage, fmt::format("--modes {} asks for no modes", *options.modes),
                "give a number from 1 on");
  }
  deck::ExampleRequest request{options.name, static_cast<std::int64_t>(options.size), options.element,
                               options.modes.value_or(0)};
  for (char& letter : request.element)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return request;
}

void check_standard_output(bool written) {
  if (!written) throw Error(Fault::resource, "standard output cannot be written", "name a file with -o");
}

void to_standard_output(std::string_view text) {
  throw_if_interrupted();
  check_standard_output(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

}  // namespace

cli::App* add_example_command(cli::App& cli, ExampleOptions& options) {
  cli::App* command = cli.add_subcommand("example", "Write a ready deck, of any size");
  command->add_option("name", options.name, "The example")
      ->required()
      ->type_name("NAME")
      ->offers(names_of_examples());
  command
      ->add_option(
          "--size", options.size,
          "Unknowns, about: three displacements a node, two in the plane, six of shells, one of heat "
          "[default: 10000]")
      ->type_name("N");
  command->add_option("--element", options.element, "Element type, as C3D20R")->type_name("TYPE");
  command->add_option("--modes", options.modes, "A step of so many natural frequencies instead of its own")
      ->type_name("N");
  command->add_option("-o,--output", options.output, "The deck to write")->type_name("DECK");
  command->add_flag("--force", options.force, "Overwrite the deck where it exists");
  command->footer(list_of_examples());
  return command;
}

int run_example(const ExampleOptions& options, const CommonOptions& common, Monitor& monitor) {
  const deck::ExampleRequest request = request_of(options);
  if (options.output.empty() && common.json) {
    throw Error(Fault::usage, "the deck and --json cannot both go to standard output",
                "name a file for the deck with -o");
  }
  deck::ExampleSize made = deck::example_size(request);  // refuses before any file is there
  if (options.output.empty()) {
    const Stage stage = monitor.stage("write");
    deck::write_example(request, to_standard_output);
    check_standard_output(std::fflush(stdout) == 0);
  } else {
    refuse_existing(options.output, options.force);
    claim_outputs({}, {{options.output, {}}});
    const Stage stage = monitor.stage("write");
    io::OutputFile file(options.output);
    made = deck::write_example(request, [&](std::string_view text) {
      throw_if_interrupted();
      file.write(text);
    });
    file.commit();
  }
  const std::string_view element = deck::name(made.element);
  if (common.json) {
    nlohmann::ordered_json json{{"example", request.name},   {"element", element},
                                {"nodes", made.nodes},       {"elements", made.elements},
                                {"unknowns", made.unknowns}, {"file", options.output}};
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else if (!common.quiet) {
    fmt::print(options.output.empty() ? stderr : stdout, "{}: {} nodes, {} elements {}, {} unknowns{}\n",
               request.name, made.nodes, made.elements, element, made.unknowns,
               options.output.empty() ? "" : fmt::format("; written: {}", options.output));
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
