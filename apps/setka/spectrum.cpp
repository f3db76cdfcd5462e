// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spectrum.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <filesystem>

#include <fmt/core.h>

#include "cli.hpp"
#include "json.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/record_spectrum.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/record.hpp"
#include "setka/plot/svg_plot.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

constexpr int most_points = 100000;
constexpr std::size_t longest_name = 80;  // of a deck

struct Spectrum {
  std::vector<double> periods;                   // s
  std::vector<double> dampings;                  // ratios
  std::vector<dynamics::SpectralValues> values;  // [dampings, periods]

  const dynamics::SpectralValues& at(std::size_t damping, std::size_t period) const {
    return values[damping * periods.size() + period];
  }
};

/// Rising; by frequencies where they were given.
std::vector<double> chosen_periods(const SpectrumOptions& options) {
  if (!options.periods.empty() && !options.frequencies.empty())
    throw Error(Fault::usage, "--periods and --frequencies say the same thing twice", "give one of them");
  const bool by_frequency = !options.frequencies.empty();
  const std::vector<double> range = by_frequency              ? options.frequencies
                                    : options.periods.empty() ? std::vector<double>{0.02, 10, 200}
                                                              : options.periods;
  const char* name = by_frequency ? "--frequencies" : "--periods";
  if (range.size() != 3 || !(range[0] > 0) || !(range[1] > range[0]) || !std::isfinite(range[1]) ||
      !(range[2] >= 2 && range[2] <= most_points) || range[2] != std::floor(range[2]))
    throw Error(Fault::usage, fmt::format("{} is not a range", name),
                "give FROM,TO,COUNT: both above zero and rising, then how many, as in 0.02,10,200");
  std::vector<double> values = dynamics::logarithmic_range(range[0], range[1], static_cast<int>(range[2]));
  if (by_frequency) {
    for (double& value : values) value = 1 / value;
    std::ranges::reverse(values);
  }
  return values;
}

void check_dampings(const std::vector<double>& dampings) {
  for (const double damping : dampings) {
    if (!(damping >= 0 && damping < 1))
      throw Error(Fault::usage, fmt::format("--damping {} is no ratio of critical damping", damping),
                  "use values from 0 to below 1, as 0.02,0.05");
  }
}

void write_csv(const std::filesystem::path& path, const Spectrum& spectrum) {
  io::OutputFile file(path);
  file.write("period [s],frequency [Hz],damping,SD [m],SV [m/s],SA [m/s2]\n");
  for (std::size_t d = 0; d < spectrum.dampings.size(); ++d) {
    for (std::size_t p = 0; p < spectrum.periods.size(); ++p) {
      const auto& at = spectrum.at(d, p);
      file.write(fmt::format("{:.9g},{:.9g},{:g},{:.9g},{:.9g},{:.9g}\n", spectrum.periods[p],
                             1 / spectrum.periods[p], spectrum.dampings[d], at.displacement,
                             at.pseudo_velocity, at.pseudo_acceleration));
    }
  }
  file.commit();
}

void check_card(const std::string& name) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  };
  if (name.size() > longest_name || !std::ranges::all_of(name, allowed))
    throw Error(Fault::usage,
                fmt::format("--card '{}' is no name of a spectrum", name.substr(0, longest_name)),
                fmt::format("use at most {} letters, digits and the signs - _ .", longest_name));
}

/// To be read by *INCLUDE before the steps of a deck.
void write_card(const std::filesystem::path& path, const std::string& record, const std::string& name,
                const Spectrum& spectrum) {
  io::OutputFile file(path);
  file.write(
      fmt::format("** Response spectrum of {}: pseudo-acceleration in m/s2, frequency in Hz, damping\n"
                  "*SPECTRUM, NAME={}, TYPE=ACCELERATION\n",
                  record, name));
  for (std::size_t d = 0; d < spectrum.dampings.size(); ++d) {
    for (std::size_t p = spectrum.periods.size(); p-- > 0;)
      file.write(fmt::format("{:.9g}, {:.9g}, {:g}\n", spectrum.at(d, p).pseudo_acceleration,
                             1 / spectrum.periods[p], spectrum.dampings[d]));
  }
  file.commit();
}

void write_plot(const std::filesystem::path& path, const std::string& name, const Spectrum& spectrum) {
  plot::Plot plot;
  plot.title = "Response spectrum of " + name;
  plot.x = {"period, s", true};
  plot.y = {"pseudo-acceleration, g", false};
  for (std::size_t d = 0; d < spectrum.dampings.size(); ++d) {
    plot::PlotSeries& series = plot.series.emplace_back();
    series.label = fmt::format("damping {:g} %", 100 * spectrum.dampings[d]);
    series.x = spectrum.periods;
    for (std::size_t p = 0; p < spectrum.periods.size(); ++p)
      series.y.push_back(spectrum.at(d, p).pseudo_acceleration / io::standard_gravity);
  }
  plot::write_svg_plot(path, plot);
}

/// At most about thirty rows: all are in the file.
void print_table(const Spectrum& spectrum) {
  const std::size_t every = 1 + (spectrum.periods.size() - 1) / 30;
  for (std::size_t d = 0; d < spectrum.dampings.size(); ++d) {
    fmt::print("\ndamping {:g} %\n{:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", 100 * spectrum.dampings[d],
               "period, s", "f, Hz", "SD, m", "SV, m/s", "SA, m/s2", "SA, g");
    for (std::size_t p = 0; p < spectrum.periods.size(); p += every) {
      const auto& at = spectrum.at(d, p);
      fmt::print("{:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}\n", spectrum.periods[p],
                 1 / spectrum.periods[p], at.displacement, at.pseudo_velocity, at.pseudo_acceleration,
                 at.pseudo_acceleration / io::standard_gravity);
    }
  }
}

}  // namespace

cli::App* add_spectrum_command(cli::App& cli, SpectrumOptions& options) {
  cli::App* command = cli.add_subcommand("spectrum", "Response spectrum of an accelerogram");
  command->add_option("record", options.record, "The record: .at2 of PEER, or a table of one or two columns")
      ->required()
      ->type_name("RECORD");
  command->add_option("--damping", options.dampings, "Ratios of critical damping [default: 0.05]")
      ->type_name("LIST")
      ->delimiter(',');
  command->add_option("--periods", options.periods, "Periods in s [default: 0.02,10,200]")
      ->type_name("FROM,TO,COUNT")
      ->delimiter(',');
  command->add_option("--frequencies", options.frequencies, "Frequencies in Hz instead")
      ->type_name("FROM,TO,COUNT")
      ->delimiter(',');
  command
      ->add_option("--units", options.units, "Of the accelerations, whatever the header says, as g or m/s2")
      ->type_name("UNIT");
  command->add_option("--step", options.step, "Time step in s of a record with one column")->type_name("S");
  command->add_option("-o,--output", options.output, "Stem of what is written [default: RECORD-spectrum]")
      ->type_name("STEM");
  command
      ->add_option("--card", options.card,
                   "Also write STEM.inc with a *SPECTRUM of this name, for *INCLUDE in a deck")
      ->type_name("NAME");
  command->footer(
      "\nWrites STEM.csv and STEM.svg. SD is the largest displacement against the base; SV and SA are "
      "pseudo\n"
      "values, SD times w and w squared. The motion after the end of the record counts.");
  return command;
}

int run_spectrum(const SpectrumOptions& options, const CommonOptions& common, const DeviceOptions& device,
                 Monitor& monitor) {
  Spectrum spectrum;
  spectrum.periods = chosen_periods(options);
  spectrum.dampings = options.dampings;
  check_dampings(options.dampings);
  check_card(options.card);
  if (options.step < 0 || !std::isfinite(options.step))
    throw Error(Fault::usage, fmt::format("--step {} is no time step", options.step),
                "give seconds above zero");
  if (device.named())
    device.select_one();  // computed on the CPU, but what is not there is refused as everywhere
  const std::filesystem::path path = options.record;
  std::filesystem::path stem = options.output;
  if (stem.empty()) {
    stem = path;
    stem.replace_extension();
    stem += "-spectrum";
  }
  const auto named = [&](const char* ending) {
    std::filesystem::path file = stem;
    file += ending;
    return file;
  };
  std::vector<std::filesystem::path> files{named(".csv"), named(".svg")};
  if (!options.card.empty()) files.push_back(named(".inc"));
  for (const auto& file : files) claim_outputs({path}, {{file, {}}}, "give another stem by -o");
  io::Record record;
  {
    const Stage stage = monitor.stage("read");
    record = io::read_record(path, {options.step, options.units});
  }
  {
    const Stage stage = monitor.stage("spectrum");
    std::vector<double> frequencies;
    for (const double period : spectrum.periods) frequencies.push_back(1 / period);
    if (record.step > dynamics::most_periods_of_step * spectrum.periods.front())
      throw Error(
          Fault::input,
          fmt::format("the time step of {:g} s is longer than {:g} periods of {:g} s, of which the record "
                      "says nothing",
                      record.step, dynamics::most_periods_of_step, spectrum.periods.front()),
          "correct the step of the record, or ask for longer periods by --periods", {path.string(), 0});
    spectrum.values =
        dynamics::record_spectrum(record.acceleration, record.step, frequencies, spectrum.dampings,
                                  exec::Device::cpu(device.threads).threads());
  }
  {
    const Stage stage = monitor.stage("write");
    write_csv(files[0], spectrum);
    write_plot(files[1], path.filename().string(), spectrum);
    if (!options.card.empty()) write_card(files[2], path.filename().string(), options.card, spectrum);
  }
  double peak = 0;
  for (const double value : record.acceleration) peak = std::max(peak, std::abs(value));
  if (common.json) {
    ordered_json json{{"record", path.string()},
                      {"title", record.title},
                      {"values", record.acceleration.size()},
                      {"step", record.step},
                      {"peak_acceleration", peak},
                      {"periods", spectrum.periods},
                      {"spectra", ordered_json::array()}};
    for (std::size_t d = 0; d < spectrum.dampings.size(); ++d) {
      ordered_json one{{"damping", spectrum.dampings[d]}};
      for (std::size_t p = 0; p < spectrum.periods.size(); ++p) {
        one["displacement"].push_back(spectrum.at(d, p).displacement);
        one["pseudo_velocity"].push_back(spectrum.at(d, p).pseudo_velocity);
        one["pseudo_acceleration"].push_back(spectrum.at(d, p).pseudo_acceleration);
      }
      json["spectra"].push_back(std::move(one));
    }
    for (const auto& file : files) json["files"].push_back(file.string());
    if (common.timings) json["timings"] = to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("{}: {} values, step {:g} s, {:g} s long, peak {:.5g} m/s2 = {:.4g} g\n", path.string(),
               record.acceleration.size(), record.step, record.duration(), peak, peak / io::standard_gravity);
    print_table(spectrum);
    fmt::print("\nwritten:");
    for (const auto& file : files) fmt::print(" {}", file.string());
    fmt::print("\n");
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
