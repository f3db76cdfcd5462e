// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/reduced_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/graph.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/mode_synthesis.hpp"
#include "setka/domains/partition.hpp"
#include "setka/modes/rayleigh_ritz.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::domains {
namespace {

using sparse::SymmetricCsr;

/// Of the residuals of the shapes: what counts as zero stiffness.
constexpr double tolerance_of_residuals = 1e-6;

/// Unknowns of a part while the number of parts is ours to choose: fewer make borders a larger share of the
/// model, more make factors and borders of each part dearer.
constexpr std::int64_t unknowns_a_part = 6000;

/// Modes of all held parts together for each mode that is wanted. The number of modes of a body grows with
/// the cube of the frequency, in parts or whole: these reach to about 2.5 times the highest one wanted.
constexpr std::int64_t modes_of_parts = 16;
constexpr std::int64_t least_modes_a_part = 6;

/// Of the interface, which has fewer high ones: the mass of all parts moves with it.
constexpr std::int64_t interface_modes = 3;

/// Of small_shift(). Where constraint modes see a shift above the lowest eigenvalue they die out within the
/// part instead of following the boundary, so it has to be below those of slender bodies too; a pivot of a
/// free body is then still some thousand times what rounding leaves.
constexpr double part_of_shift = 1e-6;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Calls take(i, j) for every pair of unknowns that a matrix couples.
template <class Take>
void each_pair(const SymmetricCsr& a, const Take& take) {
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t l = a.offset[at(i)]; l < a.offset[at(i) + 1]; ++l) take(i, a.column[at(l)]);
  }
}

/// Unknowns between parts and within them.
struct Division {
  std::vector<std::int32_t> interface;            // unknowns, ascending
  std::vector<std::vector<std::int32_t>> inner;   // of each part, ascending
  std::vector<std::vector<std::int32_t>> beside;  // of each part: places in the interface that it touches
};

Division divided(const SymmetricCsr& k, const SymmetricCsr& m, std::span<const std::int32_t> part_of,
                 int parts) {
  std::vector<char> between(at(k.rows), 0);
  for (const SymmetricCsr* const a : {&k, &m}) {
    each_pair(*a, [&](std::int32_t i, std::int32_t j) {
      if (part_of[at(i)] < part_of[at(j)]) between[at(i)] = 1;
      if (part_of[at(j)] < part_of[at(i)]) between[at(j)] = 1;
    });
  }
  Division made;
  made.inner.resize(at(parts));
  made.beside.resize(at(parts));
  std::vector<std::int32_t> place(at(k.rows), -1);
  for (std::int32_t i = 0; i < k.rows; ++i) {
    if (between[at(i)] != 0) {
      place[at(i)] = static_cast<std::int32_t>(made.interface.size());
      made.interface.push_back(i);
    } else {
      made.inner[at(part_of[at(i)])].push_back(i);
    }
  }
  std::vector<std::vector<char>> touched(at(parts), std::vector<char>(made.interface.size(), 0));
  for (const SymmetricCsr* const a : {&k, &m}) {
    each_pair(*a, [&](std::int32_t i, std::int32_t j) {
      if ((place[at(i)] < 0) == (place[at(j)] < 0)) return;
      const bool first_inside = place[at(i)] < 0;
      touched[at(part_of[at(first_inside ? i : j)])][at(place[at(first_inside ? j : i)])] = 1;
    });
  }
  for (std::size_t p = 0; p < at(parts); ++p) {
    for (std::size_t b = 0; b < made.interface.size(); ++b) {
      if (touched[p][b] != 0) made.beside[p].push_back(static_cast<std::int32_t>(b));
    }
  }
  return made;
}

/// The rows and columns of some unknowns, in the order of the list; those of a pair with both at `left_out`
/// or beyond are not among them.
SymmetricCsr extracted(const SymmetricCsr& a, std::span<const std::int32_t> which, std::size_t left_out,
                       std::vector<std::int32_t>& place) {
  for (std::size_t i = 0; i < which.size(); ++i) place[at(which[i])] = static_cast<std::int32_t>(i);
  sparse::Triplets list;
  list.rows = list.columns = static_cast<std::int32_t>(which.size());
  for (const std::int32_t row : which) {
    for (std::int64_t l = a.offset[at(row)]; l < a.offset[at(row) + 1]; ++l) {
      const std::int32_t i = place[at(row)];
      const std::int32_t j = place[at(a.column[at(l)])];
      if (j < 0 || (at(i) >= left_out && at(j) >= left_out)) continue;
      list.row.push_back(std::min(i, j));
      list.column.push_back(std::max(i, j));
      list.value.push_back(a.value[at(l)]);
    }
  }
  for (const std::int32_t row : which) place[at(row)] = -1;
  sparse::Csr upper = sparse::compressed(std::move(list), false, 1);
  return {upper.rows, std::move(upper.offset), std::move(upper.column), std::move(upper.value)};
}

/// Inner unknowns and those of the interface beside them; what the interface has of its own is left out.
SplitMatrix split_part(const SymmetricCsr& a, const Division& division, std::size_t p,
                       std::vector<std::int32_t>& place) {
  std::vector<std::int32_t> which = division.inner[p];
  const std::size_t inner = which.size();
  for (const std::int32_t b : division.beside[p]) which.push_back(division.interface[at(b)]);
  std::vector<std::int32_t> boundary;
  for (std::size_t i = inner; i < which.size(); ++i) boundary.push_back(static_cast<std::int32_t>(i));
  return split(extracted(a, which, inner, place), boundary);
}

/// Shapes over the whole model, a column each.
Dense expanded(const ModeSynthesis& synthesis, const Division& division, std::int64_t unknowns,
               const modes::Modes& found) {
  const ConstDenseView shapes{found.shape.data(), found.rows, found.count(), found.count(), 1};
  Dense whole(unknowns, found.count());
  const auto put = [&](const std::vector<std::int32_t>& which, const Dense& values) {
    for (std::int64_t j = 0; j < found.count(); ++j) {
      for (std::size_t i = 0; i < which.size(); ++i)
        whole(which[i], j) = values(static_cast<std::int64_t>(i), j);
    }
  };
  put(division.interface, synthesis.at_interface(shapes));
  for (std::size_t p = 0; p < division.inner.size(); ++p) put(division.inner[p], synthesis.inside(p, shapes));
  return whole;
}

}  // namespace

double ReducedModes::worst_residual() const {
  const auto worst = std::ranges::max_element(modes.residual);
  return worst == modes.residual.end() ? 0.0 : *worst;
}

Reduction chosen_reduction(const Reduction& wanted, std::int64_t unknowns, std::int64_t modes) {
  Reduction chosen = wanted;
  if (chosen.parts == 0)
    chosen.parts = static_cast<int>(std::clamp<std::int64_t>(unknowns / unknowns_a_part, 2, 64));
  if (chosen.modes_a_part == 0)
    chosen.modes_a_part = std::max(least_modes_a_part, modes_of_parts * modes / chosen.parts);
  if (chosen.interface_modes == 0) chosen.interface_modes = interface_modes * (modes + 8);
  return chosen;
}

ReducedModes reduced_modes(const SymmetricCsr& k, const SymmetricCsr& m,
                           std::span<const std::int32_t> part_of, std::int64_t count,
                           const Reduction& reduction, Monitor& monitor) {
  require(k.rows == m.rows && std::ssize(part_of) == k.rows, [&] {
    return fmt::format("reduced modes: K has {} rows, M {}, and {} have a part", k.rows, m.rows,
                       part_of.size());
  });
  const Reduction chosen = chosen_reduction(reduction, k.rows, count);
  const Division division = divided(k, m, part_of, chosen.parts);
  // A body that nothing holds may be a part by itself: K + sigma M is definite, and as a basis its modes are
  // as good as those of K.
  const SymmetricCsr held = modes::sum(k, part_of_shift * modes::small_shift(k, m), m);
  std::vector<std::int32_t> place(at(k.rows), -1);
  std::vector<PlacedPart> parts;
  {
    Stage stage = monitor.stage("reduce parts", chosen.parts, "parts");
    for (std::size_t p = 0; p < at(chosen.parts); ++p) {
      parts.push_back({CraigBampton(split_part(held, division, p, place), split_part(m, division, p, place),
                                    chosen.modes_a_part, monitor),
                       division.beside[p]});
      stage.advance();
    }
  }
  const std::size_t all = division.interface.size();
  const ModeSynthesis synthesis(std::move(parts), extracted(held, division.interface, all, place),
                                extracted(m, division.interface, all, place), chosen.interface_modes,
                                monitor);
  const modes::Modes small = synthesis.modes(count, monitor);
  ReducedModes made;
  const Stage stage = monitor.stage("expand modes");
  const Dense shapes = expanded(synthesis, division, k.rows, small);
  made.modes = modes::rayleigh_ritz(k, m, shapes.values(), shapes.columns(), tolerance_of_residuals);
  made.parts = chosen.parts;
  made.unknowns = k.rows;
  made.interface = synthesis.interface_count();
  made.interface_modes = synthesis.interface_modes();
  made.reduced = synthesis.size();
  return made;
}

ReducedModes reduced_modes(const sparse::BlockCsr<double>& k, const sparse::BlockCsr<double>& m,
                           std::span<const std::int32_t> place, std::int64_t count,
                           const Reduction& reduction, const exec::Device& cpu, Monitor& monitor) {
  if (k.device().is_cuda()) return reduced_modes(k.to(cpu), m, place, count, reduction, cpu, monitor);
  const SymmetricCsr stiffness = sparse::over_unknowns(k, place);
  const SymmetricCsr mass = sparse::over_unknowns(m, place);
  Reduction chosen = chosen_reduction(reduction, stiffness.rows, count);
  const Partition rows = partition(matrix_graph(k, {}, cpu.threads()), chosen.parts);
  std::vector<std::int32_t> part_of(at(stiffness.rows));
  for (std::int32_t q = 0; q < stiffness.rows; ++q) {
    const std::int32_t row = place.empty() ? q : place[at(q)];
    part_of[at(q)] = rows.of[at(row / k.height())];
  }
  return reduced_modes(stiffness, mass, part_of, count, chosen, monitor);
}

}  // namespace setka::domains
