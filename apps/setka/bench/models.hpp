// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/plan/profile.hpp"

/// What the models of setka/plan predict against what is measured.
namespace setka::bench {

struct ModelPoint {
  std::string label;    // where x alone does not say it
  std::string group;    // points of one curve
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
  double error = 0;                   // of the prediction, as the paper defines it
  double printed_error = 0;           // of the paper's formula
  double median_error = 0;            // the middle one of |measured - predicted| / measured
  std::string skipped;                // why there are no points
  std::vector<std::string> left_out;  // points that would have taken too long or too much memory
  double seconds = 0;                 // that the part took

  // Of the pyramids: the height that the model chooses, and the best of those that were measured.
  int chosen = 0;
  int best = 0;
  double chosen_seconds = 0;
  double best_seconds = 0;
};

/// Errors from the points.
void sum_up(ModelTable& table);

using ShowPoint = std::function<void(const ModelTable&, const ModelPoint&)>;

struct ModelRun {
  exec::Device device;
  plan::DeviceProfile profile;
  bool quick = false;                             // the smallest sizes alone
  ShowPoint show;                                 // a point that is final
  std::function<void(const ModelTable&)> so_far;  // after every measurement
};

/// Steps of LongVectorHeat, with the vector there and back: 10 ... 7000 inner nodes a side on a GPU.
ModelTable long_vector_model(const ModelRun& run, double max_seconds, Monitor& monitor);

/// Sweeps of pyramid_jacobi() over the height: 800^3 nodes and 2 GiB on a GPU, less on a CPU.
ModelTable pyramid_model(const ModelRun& run, double max_seconds, Monitor& monitor);

/// Heights to measure: all about the chosen one, few below it, none far above.
std::vector<int> heights_around(int chosen, int most);

/// Tridiagonal sweeps over numbers of lines and rows that the profile does not hold.
ModelTable sweep_model(const ModelRun& run, double max_seconds, Monitor& monitor);

/// Steps of heat: every scheme in the plane and in space, with uniform diffusivity and one of cells.
ModelTable step_model(const ModelRun& run, double max_seconds, Monitor& monitor);

struct ModelPart {
  const char* name;  // of the option
  ModelTable (*measure)(const ModelRun& run, double max_seconds, Monitor& monitor);
  double max_seconds;
};

/// All of them: three and a half minutes at most, beside a calibration of half a minute.
std::span<const ModelPart> model_parts();

}  // namespace setka::bench
