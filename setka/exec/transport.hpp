// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/exec/letter.hpp"

namespace setka::exec {

/// What one member sends to another and has from it, in host memory.
struct Parcel {
  int with = 0;
  std::span<const std::byte> out;
  std::span<std::byte> in;
};

/// How members of a team tell each other what they do not find in common memory, as those of other processes.
/// All of them call everything equally often and in the same order.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual int size() const = 0;
  virtual int number() const = 0;

  /// Waits for all. Ends the work where another one has failed.
  virtual void meet() const = 0;

  /// What each member gives, as many values, in the order of the members.
  virtual std::vector<double> gather(std::span<const double> own) const = 0;

  /// values = their sums over all members, the same bits everywhere.
  virtual void sum(std::span<double> values) const = 0;

  /// What the first member has written, for all.
  virtual Letter from_first(const Letter& letter) const = 0;

  /// What each member has for this one, in their order. to: [members] what this one has for each.
  virtual std::vector<Letter> exchange(const std::vector<Letter>& to) const = 0;

  /// Sets parcels on their way; what they are made of stays until all have come. finish() is called in the
  /// order of begin().
  class Journey {
   public:
    Journey() = default;
    Journey(const Journey&) = delete;
    Journey& operator=(const Journey&) = delete;
    virtual ~Journey() = default;
    virtual void begin(std::span<const Parcel> parcels) = 0;
    virtual void finish() = 0;
  };
  virtual std::unique_ptr<Journey> journey() const = 0;
};

}  // namespace setka::exec
