// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/report_frames.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "setka/base/error.hpp"
#include "setka/io/report_codec.hpp"

namespace setka::io {
namespace {

constexpr int fewest_bits = 10;
constexpr std::size_t bytes_of_a_frame = 400;  // what the page says of it besides

bool is_motion(ReportFrameKind kind) {
  return kind == ReportFrameKind::time || kind == ReportFrameKind::harmonic;
}

bool is_shape(ReportFrameKind kind) {
  return kind == ReportFrameKind::mode || kind == ReportFrameKind::buckling;
}

}  // namespace

double mises(const double* s) {
  const double a = s[0] - s[1];
  const double b = s[1] - s[2];
  const double c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

ReportFrameKind kind_of(const model::Step& step, const model::Frame& frame) {
  if (frame.mode) return ReportFrameKind::mode;
  if (frame.buckling) return ReportFrameKind::buckling;
  if (!frame.imaginary.empty() || std::holds_alternative<model::SteadyStateStep>(step.procedure))
    return ReportFrameKind::harmonic;
  if (std::holds_alternative<model::StaticStep>(step.procedure) ||
      std::holds_alternative<model::BuckleStep>(step.procedure) ||
      std::holds_alternative<model::ResponseSpectrumStep>(step.procedure))
    return ReportFrameKind::state;
  if (const auto* heat = std::get_if<model::HeatStep>(&step.procedure))
    return heat->steady ? ReportFrameKind::state : ReportFrameKind::time;
  return ReportFrameKind::time;
}

void ReportFrames::add(ReportFrameKind kind, const model::Frame& frame) {
  ++given_;
  if (is_motion(kind) && of_motion_++ % stride_ != 0 && !frame.last_of_step) return;
  if (is_shape(kind)) {
    const auto modes =
        std::ranges::count_if(frames_, [](const PackedFrame& one) { return is_shape(one.kind); });
    if (static_cast<std::size_t>(modes) >= most_modes_) return;
  }
  PackedFrame packed;
  packed.kind = kind;
  packed.step = frame.step;
  packed.time = frame.time;
  packed.mode = frame.mode;
  packed.buckling = frame.buckling;
  packed.last_of_step = frame.last_of_step;
  pack(frame, false, packed);
  for (const model::Frame& part : frame.imaginary) pack(part, true, packed);
  frames_.push_back(std::move(packed));
  count_bytes();
  while (bytes_ > most_bytes_ && shrink()) count_bytes();
}

void ReportFrames::pack(const model::Frame& from, bool imaginary, PackedFrame& to) const {
  for (const model::NodeField& field : from.node_fields) {
    if (field.empty()) continue;
    if (!(without_tensors_ && field.components == 6))
      pack(field.name, field.components, field.values, imaginary, to);
    if (field.name != "S" || field.components != 6) continue;
    std::vector<double> sizes(field.values.size() / 6);
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = mises(field.values.data() + 6 * i);
    pack("S_Mises", 1, sizes, imaginary, to);
  }
}

void ReportFrames::pack(const std::string& name, int components, const std::vector<double>& values,
                        bool imaginary, PackedFrame& to) const {
  const auto c = static_cast<std::size_t>(components);
  PackedField field;
  field.name = name;
  field.components = components;
  field.bits = bits_;
  field.imaginary = imaginary;
  std::vector<std::uint16_t> codes;
  codes.reserve(c * value_.size());
  std::vector<double> own(value_.size());
  for (std::size_t k = 0; k < c; ++k) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::size_t at = c * static_cast<std::size_t>(value_[i]) + k;
      require(at < values.size(), "report: a field has fewer values than there are nodes");
      own[i] = values[at];
    }
    const Quantised quantised = quantise(own, bits_);
    field.low.push_back(quantised.low);
    field.high.push_back(quantised.high);
    codes.insert(codes.end(), quantised.codes.begin(), quantised.codes.end());
  }
  field.bytes = packed_codes(codes, c);
  to.fields.push_back(std::move(field));
}

bool ReportFrames::shrink() {
  if (bits_ > 12) {
    round_to(12);
    return true;
  }
  if (!without_tensors_) {
    without_tensors_ = true;
    for (PackedFrame& frame : frames_)
      std::erase_if(frame.fields, [](const PackedField& field) { return field.components == 6; });
    return true;
  }
  if (bits_ > fewest_bits) {
    round_to(fewest_bits);
    return true;
  }
  return thin_out();
}

void ReportFrames::round_to(int bits) {
  for (PackedFrame& frame : frames_) {
    for (PackedField& field : frame.fields) {
      const auto components = static_cast<std::size_t>(field.components);
      const std::vector<std::uint16_t> codes = unpacked_codes(field.bytes, value_.size(), components);
      field.bytes = packed_codes(in_fewer_bits(codes, field.bits, bits), components);
      field.bits = bits;
    }
  }
  bits_ = bits;
}

bool ReportFrames::thin_out() {
  const auto between = [](const PackedFrame& frame) { return is_motion(frame.kind) && !frame.last_of_step; };
  if (std::ranges::count_if(frames_, between) > 1) {
    bool drop = true;
    std::erase_if(frames_, [&](const PackedFrame& frame) { return between(frame) && (drop = !drop); });
    stride_ *= 2;
    return true;
  }
  const auto modes =
      std::ranges::count_if(frames_, [](const PackedFrame& one) { return is_shape(one.kind); });
  if (modes > 1) {
    most_modes_ = static_cast<std::size_t>(modes + 1) / 2;
    std::size_t seen = 0;
    std::erase_if(frames_,
                  [&](const PackedFrame& frame) { return is_shape(frame.kind) && seen++ >= most_modes_; });
    return true;
  }
  if (frames_.size() < 2) return false;
  frames_.erase(frames_.begin());  // the last state is what users ask for first
  return true;
}

void ReportFrames::count_bytes() {
  bytes_ = 0;
  for (const PackedFrame& frame : frames_) {
    bytes_ += bytes_of_a_frame;
    for (const PackedField& field : frame.fields) bytes_ += base64_size(field.bytes.size()) + 100;
  }
}

}  // namespace setka::io
