// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "setka/io/record.hpp"

/// What the ground is like, and how hard it shakes.
struct Ground {
  double angular_frequency = 15;  // rad/s, of the soil above the rock
  double damping = 0.6;           // its ratio of critical
  double least_frequency = 1.5;   // rad/s, below which nothing is left: the ground comes back to its place
  double peak = 3;                // m/s², of the acceleration
};

/// A record of so many seconds that depends on the seed alone. White noise that rises, stays and dies out
/// shakes the soil, an oscillator (Kanai and Tajimi); what it feels goes through a second, slow one that
/// takes the drift out (Clough and Penzien).
setka::io::Record synthetic_record(const Ground& ground, double seconds, double step, unsigned seed);

/// As a file of PEER.
void write_record(const std::filesystem::path& path, const setka::io::Record& record);
