// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/dat_modes.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "setka/io/numbers.hpp"

namespace setka::io::detail {
namespace {

void print_row(std::string& text, std::string_view head, std::span<const double> numbers) {
  fmt::format_to(std::back_inserter(text), "{:>7}", head);
  for (const double number : numbers) {
    text += "  ";
    append_fortran_fraction(text, number);
  }
  text += '\n';
}

void print_row(std::string& text, int mode, std::span<const double> numbers) {
  print_row(text, std::to_string(mode), numbers);
}

void print_title_of_components(std::string& text, std::string_view title) {
  fmt::format_to(std::back_inserter(text),
                 "\n     {}\n\nMODE NO.   X-COMPONENT     Y-COMPONENT     Z-COMPONENT     X-ROTATION      "
                 "Y-ROTATION      Z-ROTATION\n\n",
                 title);
}

}  // namespace

void print_modes(std::string& text, const model::ModeTable& table) {
  const bool by_diameters = !table.modes.empty() && table.modes.front().nodal_diameter;
  if (by_diameters)
    text +=
        "\n     E I G E N V A L U E   O U T P U T\n\n  NODAL   MODE NO    EIGENVALUE                      "
        "FREQUENCY\n DIAMETER                                    REAL PART            IMAGINARY PART\n"
        "                                    (RAD/TIME)      (CYCLES/TIME)   (RAD/TIME)\n\n";
  else
    text +=
        "\n     E I G E N V A L U E   O U T P U T\n\n MODE NO    EIGENVALUE                       FREQUENCY  "
        " "
        "\n"
        "                                     REAL PART            IMAGINARY PART\n"
        "                           (RAD/TIME)      (CYCLES/TIME     (RAD/TIME)\n\n";
  for (const model::Mode& mode : table.modes) {
    if (!mode.in_range) continue;
    if (by_diameters) fmt::format_to(std::back_inserter(text), "{:>5}    ", *mode.nodal_diameter);
    const double imaginary = mode.eigenvalue < 0 ? std::sqrt(-mode.eigenvalue) : 0.0;
    print_row(text, mode.number,
              std::array{mode.eigenvalue, mode.angular_frequency(), mode.frequency(), imaginary});
  }
  if (table.of_temperature) return;
  print_title_of_components(text, "P A R T I C I P A T I O N   F A C T O R S");
  for (const model::Mode& mode : table.modes) print_row(text, mode.number, mode.participation);
  print_title_of_components(text, "E F F E C T I V E   M O D A L   M A S S");
  std::array<double, 6> total{};
  for (const model::Mode& mode : table.modes) {
    std::array<double, 6> mass{};
    for (std::size_t i = 0; i < 6; ++i) {
      mass[i] = mode.participation[i] * mode.participation[i];
      total[i] += mass[i];
    }
    print_row(text, mode.number, mass);
  }
  print_row(text, "TOTAL  ", total);
  print_title_of_components(text, "T O T A L   E F F E C T I V E   M A S S");
  print_row(text, "", table.total_mass);
}

void print_factors(std::string& text, double frequency, const std::vector<model::ModeFactor>& factors) {
  // Thirteen figures, where Fortran has a zero before the point.
  std::string digits = fmt::format("{:.12E}", frequency);  // d.ddddddddddddE+xx
  const int exponent = frequency == 0 ? 0 : std::stoi(digits.substr(15)) + 1;
  digits = digits.substr(0, 1) + digits.substr(2, 12);
  fmt::format_to(std::back_inserter(text),
                 "\nP A R T I C I P A T I O N   F A C T O R S   F O R   F R E Q U E N C Y    "
                 "0.{}E{:+03} (CYCLES/TIME)\n\n MODE NO    FREQUENCY               FACTOR\n"
                 "           (CYCLES/TIME)      REAL        IMAGINARY\n\n",
                 digits, exponent);
  for (const model::ModeFactor& factor : factors)
    print_row(text, factor.number, std::array{factor.frequency, factor.real, factor.imaginary});
}

void print_mode_number(std::string& text, int number) {
  fmt::format_to(std::back_inserter(text),
                 "\n                    E I G E N V A L U E    N U M B E R {:5}\n\n", number);
}

void print_factors(std::string& text, const model::BucklingTable& table) {
  text +=
      "\n     B U C K L I N G   F A C T O R   O U T P U T\n\n MODE NO       BUCKLING\n                "
      "FACTOR\n\n";
  for (const model::BucklingMode& mode : table.modes) print_row(text, mode.number, std::array{mode.factor});
}

}  // namespace setka::io::detail
