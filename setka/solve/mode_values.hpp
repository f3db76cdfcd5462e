// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"

namespace setka::solve {

/// A near-nullspace: values that are given, or made on the device that asks for them, where they need not
/// travel. Cheap to copy.
class ModeValues {
 public:
  ModeValues() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): values are what it stands for
  ModeValues(std::vector<double> values) : size_(static_cast<std::int64_t>(values.size())) {
    make_ = [given = std::make_shared<const std::vector<double>>(std::move(values))](
                const exec::Device& device) { return exec::Array<double>(device, *given); };
  }

  ModeValues(std::int64_t size, std::function<exec::Array<double>(const exec::Device&)> make)
      : size_(size), make_(std::move(make)) {}

  std::int64_t size() const { return size_; }
  exec::Array<double> on(const exec::Device& device) const {
    return make_ ? make_(device) : exec::Array<double>(device);
  }
  std::vector<double> on_host() const { return on(exec::Device::cpu()).to_vector(); }

 private:
  std::int64_t size_ = 0;
  std::function<exec::Array<double>(const exec::Device&)> make_;
};

}  // namespace setka::solve
