// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/mode_synthesis.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/modes/lanczos.hpp"

namespace setka::domains {
namespace {

constexpr double tolerance_of_reduced = 1e-9;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// From a list of its entries, those of one place added up; every row has its diagonal.
sparse::SymmetricCsr upper_triangle(sparse::Triplets list) {
  for (std::int32_t i = 0; i < list.rows; ++i) {
    list.row.push_back(i);
    list.column.push_back(i);
    list.value.push_back(0);
  }
  sparse::Csr upper = sparse::compressed(std::move(list), false, 1);
  return {upper.rows, std::move(upper.offset), std::move(upper.column), std::move(upper.value)};
}

void add(sparse::Triplets& list, std::int32_t i, std::int32_t j, double value) {
  list.row.push_back(std::min(i, j));
  list.column.push_back(std::max(i, j));
  list.value.push_back(value);
}

void add(sparse::Triplets& list, const Dense& a, const std::vector<std::int32_t>& place) {
  for (std::int64_t j = 0; j < a.columns(); ++j) {
    for (std::int64_t i = 0; i <= j; ++i) add(list, place[at(i)], place[at(j)], a(i, j));
  }
}

/// Rows of X that a part's boundary is: [boundary, modes]
Dense rows_of(const Dense& x, const std::vector<std::int32_t>& which) {
  Dense rows(static_cast<std::int64_t>(which.size()), x.columns());
  for (std::int64_t j = 0; j < x.columns(); ++j) {
    for (std::size_t i = 0; i < which.size(); ++i) rows(static_cast<std::int64_t>(i), j) = x(which[i], j);
  }
  return rows;
}

Dense columns_of(const modes::Modes& found) {
  Dense columns(found.rows, found.count());
  for (std::int64_t i = 0; i < found.rows; ++i) {
    for (std::int64_t j = 0; j < found.count(); ++j) columns(i, j) = found.shape[at(i * found.count() + j)];
  }
  return columns;
}

/// Pairs of unknowns behind the modes of parts, where those of the interface stand.
void add_behind(sparse::Triplets& list, std::int64_t inner, const sparse::SymmetricCsr& a) {
  const auto first = static_cast<std::int32_t>(inner);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t k = a.offset[at(i)]; k < a.offset[at(i) + 1]; ++k)
      add(list, first + i, first + a.column[at(k)], a.value[at(k)]);
  }
}

sparse::SymmetricCsr diagonal(std::span<const double> values) {
  sparse::SymmetricCsr made;
  made.rows = static_cast<std::int32_t>(values.size());
  made.value.assign(values.begin(), values.end());
  for (std::int32_t i = 0; i < made.rows; ++i) {
    made.column.push_back(i);
    made.offset.push_back(i + 1);
  }
  return made;
}

}  // namespace

ModeSynthesis::ModeSynthesis(std::vector<PlacedPart> parts, const sparse::SymmetricCsr& stiffness,
                             const sparse::SymmetricCsr& mass, std::int64_t interface_modes, Monitor& monitor)
    : parts_(std::move(parts)), first_{0}, interface_count_(stiffness.rows) {
  sparse::Triplets k{stiffness.rows, stiffness.rows, {}, {}, {}};
  sparse::Triplets m = k;
  add_behind(k, 0, stiffness);
  add_behind(m, 0, mass);
  for (const PlacedPart& one : parts_) {
    require(std::ssize(one.interface) == one.part.boundary_count(), [&] {
      return fmt::format("mode synthesis: {} places for a boundary of {}", one.interface.size(),
                         one.part.boundary_count());
    });
    add(k, one.part.stiffness(), one.interface);
    add(m, one.part.mass(), one.interface);
    first_.push_back(first_.back() + one.part.mode_count());
  }
  sparse::SymmetricCsr s = upper_triangle(std::move(k));
  sparse::SymmetricCsr n = upper_triangle(std::move(m));
  reduced_interface_ = interface_modes > 0 && interface_modes < stiffness.rows;
  if (reduced_interface_) {
    const Stage stage = monitor.stage("interface modes");
    const modes::Modes found = basis_modes(s, n, interface_modes, monitor);
    interface_ = columns_of(found);
    s = diagonal(found.lambda);
    n = diagonal(std::vector<double>(found.lambda.size(), 1.0));
  }
  assemble(s, n);
}

/// K = [Lambda 0; 0 S], M = [1 C; C' N], with S and N of what stands for the interface.
void ModeSynthesis::assemble(const sparse::SymmetricCsr& s, const sparse::SymmetricCsr& n) {
  const auto size = static_cast<std::int32_t>(first_.back()) + s.rows;
  sparse::Triplets k{size, size, {}, {}, {}};
  sparse::Triplets m = k;
  add_behind(k, first_.back(), s);
  add_behind(m, first_.back(), n);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const CraigBampton& part = parts_[p].part;
    const std::vector<std::int32_t>& interface = parts_[p].interface;
    const auto first = static_cast<std::int32_t>(first_[p]);
    for (std::int32_t i = 0; i < part.mode_count(); ++i) {
      add(k, first + i, first + i, part.lambda()[at(i)]);
      add(m, first + i, first + i, 1);
    }
    const auto couple = [&](std::int32_t unknown, std::span<const double> with_modes) {
      for (std::int32_t i = 0; i < part.mode_count(); ++i)
        add(m, first + i, static_cast<std::int32_t>(first_.back()) + unknown, with_modes[at(i)]);
    };
    if (reduced_interface_) {
      const Dense coupling = product(part.coupling(), rows_of(interface_, interface));
      for (std::int32_t j = 0; j < coupling.columns(); ++j) couple(j, coupling.column(j));
    } else {
      for (std::size_t j = 0; j < interface.size(); ++j)
        couple(interface[j], part.coupling().column(static_cast<std::int64_t>(j)));
    }
  }
  stiffness_ = upper_triangle(std::move(k));
  mass_ = upper_triangle(std::move(m));
}

modes::Modes ModeSynthesis::modes(std::int64_t count, Monitor& monitor) const {
  const Stage stage = monitor.stage("reduced modes");
  modes::Request request;
  request.count = std::min(count, size());
  request.tolerance = tolerance_of_reduced;
  return modes::lanczos(stiffness_, mass_, request, monitor);
}

Dense ModeSynthesis::at_interface(ConstDenseView shapes) const {
  const ConstDenseView own = shapes.block(first_.back(), 0, interface_modes(), shapes.columns);
  return reduced_interface_ ? product(interface_, own) : Dense(own);
}

Dense ModeSynthesis::inside(std::size_t p, ConstDenseView shapes) const {
  const CraigBampton& part = parts_[p].part;
  return part.inner(rows_of(at_interface(shapes), parts_[p].interface),
                    shapes.block(first_[p], 0, part.mode_count(), shapes.columns));
}

}  // namespace setka::domains
