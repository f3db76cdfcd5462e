// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/monitor.hpp"

#include <chrono>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/base/text.hpp"

namespace setka {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void append_lines(const StageTime& stage, double parent_seconds, int depth, std::string& text) {
  const std::string label = std::string(2 * static_cast<std::size_t>(depth), ' ') + stage.name;
  text += fmt::format("{:<40} {:>12}", label, format_seconds(stage.seconds));
  if (parent_seconds > 0) text += fmt::format(" {:5.1f} %", 100 * stage.seconds / parent_seconds);
  if (stage.visits > 1) text += fmt::format("  in {} visits", stage.visits);
  text += "\n";
  for (const StageTime& part : stage.parts) append_lines(part, stage.seconds, depth + 1, text);
}

}  // namespace

std::string format_stage_times(const StageTime& root) {
  std::string text;
  append_lines(root, 0, 0, text);
  return text;
}

Monitor::Monitor() : Monitor(ProgressDisplay::silent()) {}

Monitor::Monitor(ProgressDisplay display) : Monitor(std::move(display), steady_seconds) {}

Monitor::Monitor(ProgressDisplay display, Clock clock)
    : display_(std::move(display)), clock_(std::move(clock)), began_(clock_()), nodes_(1) {
  nodes_[0].time.name = "total";
  nodes_[0].time.visits = 1;
}

Stage Monitor::stage(std::string name, std::int64_t total, std::string unit) {
  std::size_t node = 0;
  for (const std::size_t part : nodes_[current_].parts) {
    if (nodes_[part].time.name == name) node = part;
  }
  if (node == 0) {
    node = nodes_.size();
    Node fresh;
    fresh.time.name = std::move(name);
    fresh.parent = current_;
    nodes_.push_back(std::move(fresh));
    nodes_[current_].parts.push_back(node);
  }
  ++nodes_[node].time.visits;
  current_ = node;
  return {*this, node, total, std::move(unit)};
}

StageTime Monitor::times() const {
  StageTime root = collect(0);
  root.seconds = clock_() - began_;
  return root;
}

StageTime Monitor::collect(std::size_t node) const {
  StageTime time = nodes_[node].time;
  for (const std::size_t part : nodes_[node].parts) time.parts.push_back(collect(part));
  return time;
}

Stage::Stage(Monitor& monitor, std::size_t node, std::int64_t total, std::string unit)
    : monitor_(&monitor), node_(node), total_(total), unit_(std::move(unit)), began_(monitor.clock_()) {}

Stage::Stage(Stage&& other) noexcept
    : monitor_(std::exchange(other.monitor_, nullptr)),
      node_(other.node_),
      done_(other.done_),
      total_(other.total_),
      unit_(std::move(other.unit_)),
      note_(std::move(other.note_)),
      began_(other.began_) {}

Stage::~Stage() {
  if (monitor_ == nullptr) return;
  Monitor::Node& node = monitor_->nodes_[node_];
  node.time.seconds += seconds();
  // Stages end in the order of scopes; one that was moved out of its scope closes those inside it as well.
  monitor_->current_ = node.parent;
  monitor_->display_.finish(state(), node.parent == 0);
}

void Stage::advance(std::int64_t units) {
  done_ += units;
  throw_if_interrupted();
  monitor_->display_.update(state());
}

double Stage::seconds() const {
  return monitor_->clock_() - began_;
}

ProgressState Stage::state() const {
  return {monitor_->nodes_[node_].time.name, done_, total_, unit_, note_, seconds()};
}

}  // namespace setka
