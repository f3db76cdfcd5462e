// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "setka/model/model.hpp"
#include "setka/model/results.hpp"

namespace setka::io {

enum class ReportFrameKind : std::uint8_t { state, mode, buckling, time, harmonic };

/// Values at the points of a surface, packed (report_codec.hpp).
struct PackedField {
  std::string name;
  int components = 0;
  int bits = 16;
  bool imaginary = false;
  std::vector<double> low;  // [components]
  std::vector<double> high;
  std::string bytes;
};

struct PackedFrame {
  ReportFrameKind kind = ReportFrameKind::state;
  int step = 1;
  double time = 0;
  std::optional<model::Mode> mode;
  std::optional<model::BucklingMode> buckling;
  bool last_of_step = true;
  std::vector<PackedField> fields;
};

/// The largest sizes in a frame, of all nodes, whether the frame is kept or not.
struct FrameSizes {
  struct Size {
    std::string name;          // of the field; S_Mises of stresses
    double largest = 0;        // of the vector, or the scalar
    double smallest = 0;       // of a scalar
    std::int32_t node = -1;    // of the mesh that is shown, where it is largest
    std::int32_t lowest = -1;  // where a scalar is smallest
  };
  ReportFrameKind kind = ReportFrameKind::state;
  int step = 1;
  double time = 0;
  std::vector<Size> sizes;
  std::optional<std::vector<double>> reactions;  // [3] sum over supports, where RF was asked for
};

/// Frames over the points of a surface within so many bytes. When they are more, fields are rounded to fewer
/// bits, then tensors go (what is made of them stays), then every other frame of a motion, or the higher half
/// of modes.
class ReportFrames {
 public:
  /// value: [points] where the values of each are in the fields of a frame. bytes: in base64.
  ReportFrames(std::vector<std::int32_t> value, std::size_t most_bytes)
      : value_(std::move(value)), most_bytes_(most_bytes) {}

  void add(ReportFrameKind kind, const model::Frame& frame);

  const std::vector<PackedFrame>& frames() const { return frames_; }
  int bits() const { return bits_; }
  bool without_tensors() const { return without_tensors_; }
  std::int64_t given() const { return given_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void pack(const model::Frame& from, bool imaginary, PackedFrame& to) const;
  void pack(const std::string& name, int components, const std::vector<double>& values, bool imaginary,
            PackedFrame& to) const;
  /// Whether there was anything left to give up.
  bool shrink();
  void round_to(int bits);
  bool thin_out();
  void count_bytes();

  std::vector<std::int32_t> value_;
  std::size_t most_bytes_;
  std::vector<PackedFrame> frames_;
  std::size_t bytes_ = 0;
  int bits_ = 16;
  bool without_tensors_ = false;
  std::int64_t given_ = 0;
  std::int64_t stride_ = 1;     // of the frames of a motion
  std::int64_t of_motion_ = 0;  // frames that were given
  std::size_t most_modes_ = SIZE_MAX;
};

ReportFrameKind kind_of(const model::Step& step, const model::Frame& frame);

/// Mises' stress of xx yy zz xy xz yz.
double mises(const double* stress);

}  // namespace setka::io
