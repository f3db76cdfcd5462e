// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/profile.hpp"

/// What the models of setka/plan predict against what is measured.
namespace setka::bench {

struct ModelPoint {
  std::string label;    // where x alone does not say it
  double x = 0;         // what is varied
  double measured = 0;  // seconds
  double predicted = 0;
  double printed = 0;  // by the paper's formula; 0: it has none
};

struct ModelTable {
  std::string name;
  std::string x_label;
  std::string unit;  // what a point's seconds are of
  std::vector<ModelPoint> points;
  double error = 0;          // of the prediction, as the paper defines it
  double printed_error = 0;  // of the paper's formula
  std::string skipped;       // why there are no points

  // Of the pyramids: the height that the model chooses, and the best of those that were measured.
  int chosen = 0;
  int best = 0;
  double chosen_seconds = 0;
  double best_seconds = 0;
};

using ShowPoint = std::function<void(const ModelTable&, const ModelPoint&)>;

/// Steps of LongVectorHeat, with the vector there and back: 10 ... 7000 inner nodes a side on a GPU.
ModelTable long_vector_model(const exec::Device& device, const plan::DeviceProfile& profile, bool quick,
                             const ShowPoint& show, Monitor& monitor);

/// Sweeps of pyramid_jacobi() over the height: 800^3 nodes and 2 GiB on a GPU, less on a CPU.
ModelTable pyramid_model(const exec::Device& device, const plan::DeviceProfile& profile, bool quick,
                         const ShowPoint& show, Monitor& monitor);

/// Tridiagonal sweeps over numbers of lines and rows that the profile does not hold.
ModelTable sweep_model(const exec::Device& device, const plan::DeviceProfile& profile, bool quick,
                       const ShowPoint& show, Monitor& monitor);

}  // namespace setka::bench
