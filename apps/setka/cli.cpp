// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cli.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::app::cli {

Option* Option::type_name(const std::string& name) {
  made_->type_name(name);
  return this;
}

Option* Option::group(const std::string& name) {
  made_->group(name);
  return this;
}

Option* Option::required() {
  made_->required();
  return this;
}

Option* Option::delimiter(char letter) {
  made_->delimiter(letter);
  return this;
}

Option* Option::expected(int count) {
  made_->expected(count);
  return this;
}

Option* Option::expected(int least, int most) {
  made_->expected(least, most);
  return this;
}

Option* Option::allow_extra_args(bool allowed) {
  made_->allow_extra_args(allowed);
  return this;
}

Option* Option::capture_default_str() {
  made_->capture_default_str();
  return this;
}

Option* Option::is_member(const std::vector<std::string>& words) {
  made_->check(CLI::IsMember(words));
  return offers(words);
}

Option* Option::offers(std::vector<std::string> words) {
  words_ = std::move(words);
  return this;
}

Option* Option::positive_number() {
  made_->check(CLI::PositiveNumber);
  return this;
}

Option* Option::size_value() {
  made_->transform(CLI::AsSizeValue(true));
  return this;
}

bool Option::given() const {
  return made_->count() > 0;
}

namespace {

std::string with_default(const CLI::Option& option) {
  const std::string& value = option.get_default_str();
  return value.empty() ? option.get_description()
                       : fmt::format("{} [default: {}]", option.get_description(), value);
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& letter : option.get_snames()) names.push_back("-" + letter);
  for (const std::string& word : option.get_lnames()) names.push_back("--" + word);
  return names;
}

OptionText described(const CLI::Option& option, const std::vector<std::string>& words) {
  OptionText text;
  text.names = names_of(option);
  text.help = with_default(option);
  text.group = option.get_group();
  text.takes_value = option.get_items_expected_max() > 0;
  text.value_optional = option.get_items_expected_min() == 0;
  text.required = option.get_required();
  if (text.takes_value) text.value = option.get_type_name();
  // A check of words shows itself in the name of the type.
  text.value = text.value.substr(0, text.value.find(':'));
  text.words = words;
  return text;
}

}  // namespace

OptionText Option::described() const {
  return cli::described(*made_, words_);
}

App::App(const std::string& description, const std::string& name)
    : own_(std::make_unique<CLI::App>(description, name)), made_(own_.get()) {}

App::App(CLI::App* made) : made_(made) {}

App::~App() = default;

App* App::add_subcommand(const std::string& name, const std::string& description) {
  subcommands_.push_back(std::make_unique<App>(made_->add_subcommand(name, description)));
  return subcommands_.back().get();
}

Option* App::keep(CLI::Option* option) {
  options_.push_back(std::make_unique<Option>(option));
  return options_.back().get();
}

template <class T>
Option* App::add_option(const std::string& names, T& value, const std::string& help) {
  return keep(made_->add_option(names, value, help));
}

template Option* App::add_option(const std::string&, std::string&, const std::string&);
template Option* App::add_option(const std::string&, double&, const std::string&);
template Option* App::add_option(const std::string&, int&, const std::string&);
template Option* App::add_option(const std::string&, std::int64_t&, const std::string&);
template Option* App::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* App::add_option(const std::string&, std::optional<std::int64_t>&, const std::string&);
template Option* App::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option* App::add_option(const std::string&, std::vector<int>&, const std::string&);
template Option* App::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option* App::add_option(const std::string&, std::vector<std::string>&, const std::string&);

Option* App::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(made_->add_flag(names, value, help));
}

void App::forget(const std::string& name) {
  const CLI::Option* gone = made_->get_option(name);
  std::erase_if(options_, [&](const auto& option) { return option->made() == gone; });
}

CommandText App::described() const {
  CommandText text{made_->get_name(), made_->get_description(), made_->get_footer(), {}, {}};
  for (const CLI::Option* own : {made_->get_help_ptr(), made_->get_version_ptr()}) {
    if (own != nullptr) text.options.push_back(cli::described(*own, {}));
  }
  for (const auto& option : options_) text.options.push_back(option->described());
  for (const auto& command : subcommands_) text.commands.push_back(command->described());
  return text;
}

void App::set_version_flag(const std::string& names, const std::string& text) {
  made_->set_version_flag(names, text);
}

void App::require_subcommand(int least, int most) {
  made_->require_subcommand(static_cast<std::size_t>(least), static_cast<std::size_t>(most));
}

void App::footer(const std::string& text) {
  made_->footer(text);
}

void App::remove_option(const std::string& name) {
  forget(name);
  made_->remove_option(made_->get_option(name));
}

std::string App::footer() const {
  return made_->get_footer();
}

std::vector<App*> App::subcommands() {
  std::vector<App*> all;
  for (const auto& command : subcommands_) all.push_back(command.get());
  return all;
}

std::string App::help() const {
  return made_->help();
}

std::string App::name() const {
  return made_->get_name();
}

bool App::parsed() const {
  return made_->parsed();
}

bool App::any_subcommand_parsed() const {
  return !made_->get_subcommands().empty();
}

namespace {

std::vector<std::string> command_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string perhaps(const std::string& meant) {
  return meant.empty() ? "" : fmt::format("did you mean {}? ", meant);
}

/// CLI11's own texts name what was not expected; we also say what would have been.
[[noreturn]] void refuse(CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
  CLI::App* command = &app;
  const std::vector<std::string> commands = command_names(app);
  int i = 1;
  if (i < argc && argv[i][0] != '-') {
    if (std::find(commands.begin(), commands.end(), argv[i]) == commands.end()) {
      throw Error(Fault::usage, fmt::format("unknown command '{}'", argv[i]),
                  fmt::format("{}the commands are {} (see setka --help)",
                              perhaps(nearest_word(argv[i], commands)), join_words(commands)));
    }
    command = app.get_subcommand(argv[i]);
    ++i;
  }
  const std::string help =
      command == &app ? "setka --help" : fmt::format("setka {} --help", command->get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
      if (word.starts_with("-") && command->get_option_no_throw(word) == nullptr) {
        throw Error(Fault::usage, fmt::format("unknown option '{}'", word),
                    fmt::format("{}see {}", perhaps(nearest_word(word, option_names(*command))), help));
      }
    }
  }
  std::string text = error.what();
  for (char& letter : text) {
    if (letter == '\n') letter = ' ';
  }
  throw Error(Fault::usage, text, "see " + help);
}

}  // namespace

bool parse(App& app, int argc, char** argv) {
  try {
    app.made().parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    app.made().exit(success);
    return false;
  } catch (const CLI::ParseError& error) {
    refuse(app.made(), argc, argv, error);
  }
  return true;
}

bool parse(App& app, const std::string& program, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.made().parse(std::move(arguments));
  } catch (const CLI::Success& success) {  // --help
    app.made().exit(success);
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(Fault::usage, error.what(), fmt::format("see {} --help", program));
  }
  return true;
}

}  // namespace setka::app::cli
