// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/solve/operator.hpp"

namespace setka::bench {

/// What an eigenvalue method applies.
enum class Recorded : std::uint8_t { stiffness, mass, preconditioner };

struct RecordedCall {
  Recorded what;
  std::int64_t columns;
  exec::Event begin;
  exec::Event end;
};

/// An operator whose calls are noted with their times by the device's own clock; nothing waits for it.
class RecordedOperator final : public solve::Operator {
 public:
  /// All of them have to outlive it.
  RecordedOperator(const solve::Operator& inner, Recorded what, std::vector<RecordedCall>& calls)
      : inner_(inner), what_(what), calls_(calls) {}

  const exec::Device& device() const override { return inner_.device(); }
  std::int64_t rows() const override { return inner_.rows(); }

  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    const exec::Event begin = stream.record();
    inner_.apply(stream, x, y);
    calls_.push_back({what_, 1, begin, stream.record()});
  }

  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    const exec::Event begin = stream.record();
    inner_.apply(stream, x, y);
    calls_.push_back({what_, x.columns, begin, stream.record()});
  }

 private:
  const solve::Operator& inner_;
  Recorded what_;
  std::vector<RecordedCall>& calls_;
};

}  // namespace setka::bench
