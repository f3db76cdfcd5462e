// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/schwarz.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/local_solver.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/column_by_column.hpp"

namespace setka::domains {
namespace {

/// Values of some block rows: [rows, width].
std::vector<double> values_at(std::span<const double> all, std::span<const std::int32_t> rows,
                              std::size_t width) {
  std::vector<double> made;
  made.reserve(rows.size() * width);
  for (const std::int32_t row : rows) {
    const auto own = all.subspan(width * static_cast<std::size_t>(row), width);
    made.insert(made.end(), own.begin(), own.end());
  }
  return made;
}

/// Times the root of the weight of each vertex.
void weigh(const OverlappingPart& part, std::vector<double>& values) {
  const std::size_t n = part.vertices.empty() ? 0 : values.size() / part.vertices.size();
  for (std::size_t i = 0; i < part.vertices.size(); ++i) {
    const double root = std::sqrt(part.weight[i]);
    for (std::size_t c = 0; c < n; ++c) values[n * i + c] *= root;
  }
}

}  // namespace

Schwarz::Schwarz(const exec::Device& device, const sparse::BlockCsr<double>& a, const Partition& rows,
                 const solve::AmgGeometry& geometry, const SchwarzOptions& options, Monitor& monitor)
    : device_(device),
      options_(options),
      rows_(a.scalar_rows()),
      block_(a.height()),
      threads_(device.is_cuda() ? exec::Device::cpu().threads() : device.threads()) {
  require(a.rows() == a.columns() && rows.of.size() == static_cast<std::size_t>(a.rows()), [&] {
    return fmt::format("Schwarz: {} x {} blocks in parts of {}", a.rows(), a.columns(), rows.of.size());
  });
  if (a.device().is_cuda()) {
    set_up(a.to(exec::Device::cpu()), rows, geometry, monitor);
  } else {
    set_up(a, rows, geometry, monitor);
  }
}

void Schwarz::set_up(const sparse::BlockCsr<double>& a, const Partition& rows,
                     const solve::AmgGeometry& geometry, Monitor& monitor) {
  const Graph graph = matrix_graph(a, geometry.coordinates, threads_);
  parts_ = overlapping_parts(graph, rows, options_.overlap, threads_);
  places_.emplace(a.rows(), parts_);
  const std::vector<double> mode = geometry.mode.on_host();
  const auto width = static_cast<std::size_t>(block_) * static_cast<std::size_t>(geometry.modes);
  {
    const Stage stage = monitor.stage("solvers of parts");
    local_.resize(parts_.size());
    solve::side_by_side(threads_, static_cast<std::int64_t>(parts_.size()), [&](std::int64_t at) {
      const auto p = static_cast<std::size_t>(at);
      const std::vector<std::int32_t>& own = parts_[p].vertices;
      solve::AmgGeometry of_part;
      of_part.modes = geometry.modes;
      of_part.mode = values_at(mode, own, width);
      if (!geometry.coordinates.empty()) of_part.coordinates = values_at(geometry.coordinates, own, 3);
      local_[p] = local_solver(options_.local, principal_submatrix(a, own), std::move(of_part));
    });
  }
  if (options_.coarse) {
    const Stage stage = monitor.stage("coarse space");
    coarse_.emplace(a, parts_, *places_, mode, geometry.modes, threads_);
  }
  if (options_.method == SchwarzMethod::multiplicative) colour_parts(graph);
  if (options_.coarse || options_.method == SchwarzMethod::multiplicative) a_.emplace(a.to(a.device()));
}

/// Greedily in the order of parts: each gets the first colour that no part has whose vertices are its own or
/// neighbours of them.
void Schwarz::colour_parts(const Graph& graph) {
  std::vector<int> colour_of(parts_.size(), -1);
  std::vector<bool> taken;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (local_[p] == nullptr) continue;
    taken.assign(colour_.size() + 1, false);
    const auto avoid = [&](std::int32_t vertex) {
      for (const PartsOfVertices::Place& place : places_->of(vertex)) {
        const int colour = colour_of[static_cast<std::size_t>(place.part)];
        if (colour >= 0) taken[static_cast<std::size_t>(colour)] = true;
      }
    };
    for (const std::int32_t vertex : parts_[p].vertices) {
      avoid(vertex);
      for (const std::int32_t neighbour : graph.neighbours(vertex)) avoid(neighbour);
    }
    const auto free = static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin());
    if (free == colour_.size()) colour_.emplace_back();
    colour_[free].push_back(static_cast<std::int32_t>(p));
    colour_of[p] = static_cast<int>(free);
  }
}

std::vector<double> Schwarz::solve_part(std::size_t part, std::span<const double> right) const {
  std::vector<double> x(right.size());
  const auto size = static_cast<std::int64_t>(x.size());
  const solve::Operator& inverse = *local_[part];
  inverse.apply(inverse.device(), exec::View<const double>{right.data(), size},
                exec::View<double>{x.data(), size});
  return x;
}

/// What parts share is weighted before and after, by the root of the partition of unity so that it stays
/// symmetric: counted once instead of as often as parts have it, forces are answered by half as many
/// iterations. The restricted method counts once by leaving out.
void Schwarz::add_solutions(std::span<const double> r, std::span<double> z) const {
  const auto n = static_cast<std::size_t>(block_);
  const bool restricted = options_.method == SchwarzMethod::restricted;
  std::vector<std::vector<double>> x(parts_.size());
  solve::side_by_side(threads_, static_cast<std::int64_t>(parts_.size()), [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    if (local_[p] == nullptr) return;
    std::vector<double> right = values_at(r, parts_[p].vertices, n);
    if (!restricted) weigh(parts_[p], right);
    x[p] = solve_part(p, right);
    if (!restricted) weigh(parts_[p], x[p]);
  });
  const auto vertices = static_cast<std::int64_t>(places_->offset.size()) - 1;
  exec::host::for_each(threads_, vertices, exec::host::serial_below, [&](std::int64_t v) {
    for (std::size_t c = 0; c < n; ++c) {
      double sum = 0;
      for (const PartsOfVertices::Place& place : places_->of(static_cast<std::int32_t>(v))) {
        const auto p = static_cast<std::size_t>(place.part);
        const auto at = static_cast<std::size_t>(place.position);
        if (x[p].empty() || (restricted && !parts_[p].own[at])) continue;
        sum += x[p][n * at + c];
      }
      z[n * static_cast<std::size_t>(v) + c] += sum;
    }
  });
}

/// b - A x at some block rows.
std::vector<double> Schwarz::residual(const std::vector<std::int32_t>& vertices, std::span<const double> b,
                                      std::span<const double> x) const {
  const sparse::BlockCsrView<double> a = a_->view();
  const auto n = static_cast<std::size_t>(block_);
  std::vector<double> r = values_at(b, vertices, n);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto first = static_cast<std::size_t>(a.offset[vertices[i]]);
    const auto count = static_cast<std::size_t>(a.offset[vertices[i] + 1]) - first;
    for (std::size_t c = 0; c < n; ++c) {
      const double* const value = a.value + first * n * n + c * count * n;
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const double* const at = x.data() + n * static_cast<std::size_t>(a.column[first + k]);
        for (std::size_t j = 0; j < n; ++j) sum += value[k * n + j] * at[j];
      }
      r[n * i + c] -= sum;
    }
  }
  return r;
}

/// Parts of one colour neither share rows nor couple: what one adds to x no other reads.
void Schwarz::correct(const std::vector<std::int32_t>& colour, std::span<const double> b,
                      std::span<double> x) const {
  const auto n = static_cast<std::size_t>(block_);
  solve::side_by_side(threads_, static_cast<std::int64_t>(colour.size()), [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(colour[static_cast<std::size_t>(at)]);
    const std::vector<std::int32_t>& own = parts_[p].vertices;
    const std::vector<double> change = solve_part(p, residual(own, b, x));
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t c = 0; c < n; ++c) x[n * static_cast<std::size_t>(own[i]) + c] += change[n * i + c];
    }
  });
}

/// b - A x; by all threads.
std::vector<double> Schwarz::residual(std::span<const double> b, std::span<const double> x) const {
  std::vector<double> r(b.begin(), b.end());
  const exec::View<double> made{r.data(), rows_};
  sparse::multiply<double>(a_->device(), -1, *a_, exec::View<const double>{x.data(), rows_}, 1, made, made);
  return r;
}

/// From the coarse space through all parts and back to it, so that the whole is symmetric. Parts get what the
/// coarse space has left, which takes fewer iterations than its solution beside theirs. Of colours
/// the last is the turning point and has one turn.
void Schwarz::apply_on_host(std::span<const double> b, std::span<double> x) const {
  std::ranges::fill(x, 0.0);
  if (coarse_) coarse_->add_correction(b, x);
  if (options_.method == SchwarzMethod::multiplicative) {
    for (const auto& colour : colour_) correct(colour, b, x);
    for (std::size_t c = colour_.size(); c-- > 1;) correct(colour_[c - 1], b, x);
  } else if (coarse_) {
    add_solutions(residual(b, x), x);
  } else {
    add_solutions(b, x);
  }
  if (coarse_) coarse_->add_correction(residual(b, x), x);
}

void Schwarz::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  const auto size = static_cast<std::size_t>(rows_);
  if (!stream.is_cuda()) return apply_on_host({x.data, size}, {y.data, size});
  std::vector<double> r(size);
  std::vector<double> z(size);
  exec::copy_async<double>(stream, x, exec::View<double>{r.data(), x.size});
  stream.synchronize();
  apply_on_host(r, z);
  exec::copy_async<double>(stream, exec::View<const double>{z.data(), y.size}, y);
  stream.synchronize();
}

void Schwarz::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                    exec::MultiView<double> y) const {
  solve::apply_column_by_column(stream, *this, x, y);
}

}  // namespace setka::domains
