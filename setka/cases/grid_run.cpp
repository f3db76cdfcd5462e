// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/cases/grid_run.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/cases/grid_checkpoint.hpp"

namespace setka::cases {

template <class T>
GridRun<T>::GridRun(const model::GridCase& grid, GridCount count, bool go_on, GridOutcome& outcome)
    : grid_(grid),
      count_(std::move(count)),
      go_on_(go_on),
      outcome_(outcome),
      path_(cases::GridWriter::path(grid, ".checkpoint")) {}

template <class T>
std::vector<T> GridRun<T>::begin(const std::function<std::vector<T>()>& initial) {
  std::optional<std::vector<T>> values = resume();
  return values ? std::move(*values) : initial();
}

template <class T>
std::optional<std::vector<T>> GridRun<T>::resume() {
  std::optional<std::vector<T>> values;
  kept_ = go_on_ ? cases::read_checkpoint_of(grid_, path_) : cases::checkpoint_of(grid_);
  if (go_on_) {
    outcome_.first = outcome_.done = kept_.get<std::int64_t>(cases::grid_done_part).front();
    if (outcome_.done > count_.last) {
      throw Error(Fault::input,
                  fmt::format("{} has {} {}s already, and the case asks for {}", path_.string(),
                              outcome_.done, count_.unit, count_.last),
                  fmt::format("raise {} to go on", count_.how_to_add));
    }
    if (outcome_.done == count_.last) {
      log::info("{} has all {} {}s: results are written from it; raise {} to go on", path_.string(),
                outcome_.done, count_.unit, count_.how_to_add);
    }
    outcome_.change = kept_.get<double>(cases::grid_change_part).front();
    rows_ = kept_.get<double>(cases::grid_probes_part);
    values = kept_.get<T>(cases::grid_values_part);
    kept_.parts.erase(cases::grid_values_part);  // they are as large as the grid
  }
  // Frames of earlier runs are listed; stationary states have none on the way.
  writer_.emplace(grid_, model::is_stationary(grid_.scheme) ? 0 : outcome_.first);
  return values;
}

template <class T>
void GridRun<T>::until_stopped(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.fault() != Fault::interrupted) throw;
    outcome_.stopped = fmt::format("interrupted after {} {} of {}; {} is written", count_.unit, outcome_.done,
                                   count_.last, path_.string());
  }
}

template <class T>
void GridRun<T>::note(double time, const std::vector<double>& values) {
  const std::size_t row = 1 + values.size();
  if (rows_.size() >= row && rows_[rows_.size() - row] == time) return;  // as the checkpoint has it
  rows_.push_back(time);
  rows_.insert(rows_.end(), values.begin(), values.end());
}

template <class T>
void GridRun<T>::save(std::span<const T> values) {
  kept_.put(cases::grid_done_part, std::vector<std::int64_t>{outcome_.done});
  kept_.put(cases::grid_change_part, std::vector<double>{outcome_.change});
  // What is on the disk stays there.
  kept_.put(cases::grid_values_part, grid_.on_disk ? std::span<const T>() : values);
  kept_.put(cases::grid_probes_part, rows_);
  io::write_checkpoint(path_, kept_);
  kept_.parts.erase(cases::grid_values_part);
  saved_ = true;
}

template <class T>
void GridRun<T>::forget() {
  std::error_code ignored;  // it is only in the way now
  std::filesystem::remove(path_, ignored);
}

template <class T>
void GridRun<T>::finish(std::span<const T> values, bool keep) {
  if (outcome_.stopped.empty()) {
    writer_->write_probes(rows_);
    if (!model::is_stationary(grid_.scheme)) writer_->finish();
  }
  outcome_.files = writer_->files();
  if (keep || !outcome_.stopped.empty()) {
    outcome_.files.push_back(path_);
  } else if (go_on_ || saved_) {
    forget();
  }
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  outcome_.least = static_cast<double>(*least);
  outcome_.largest = static_cast<double>(*largest);
}

template class GridRun<float>;
template class GridRun<double>;

}  // namespace setka::cases
