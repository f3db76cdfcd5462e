// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/stress_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "setka/analysis/element_batches.hpp"
#include "setka/base/dense.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

using mesh::Cell;
using model::Integration;

/// Error in percent from variation in percent: the larger of two lines, the second less its offset.
struct Curve {
  double slope = 0;
  double steep = 0;
  double offset = 0;
  double at(double variation) const { return std::max(slope * variation, steep * variation - offset); }
};

/// By the user's type of element. Found by running single elements through ccx 2.20, to five figures. Types
/// with one point see no variation; CalculiX has no curve for wedges of first order.
Curve curve_of(const model::ElementType& type) {
  const bool reduced = type.integration == Integration::reduced;
  switch (type.cell) {
    case Cell::line2:  // a truss
      return {5 / 16.5, 1.39535, 18.023};
    case Cell::quad4:
      return {20 / 27.0};
    case Cell::tri6:
    case Cell::wedge15:
      return {0.46189};
    case Cell::quad8:
      return reduced ? Curve{20 / 37.0} : Curve{0.09538, 0.53695, 14.351};
    case Cell::hex8:
      return type.integration == Integration::incompatible ? Curve{5 / 16.5, 1.39535, 18.023}
                                                           : Curve{5 / 15.7, 0.85324, 8.396};
    case Cell::tet10:
      return {0.3};
    case Cell::line3:  // a beam
    case Cell::hex20:
      return reduced ? Curve{3.65 / 18, 0.74318, 9.727} : Curve{0.05115, 0.27792, 5.895};
    default:
      return {};
  }
}

/// The least and the largest of values, and the largest of their sizes.
struct Range {
  double least = 0;
  double most = 0;
  bool empty = true;
  void add(double value) {
    least = empty ? value : std::min(least, value);
    most = empty ? value : std::max(most, value);
    empty = false;
  }
  double size() const { return std::max(std::abs(least), std::abs(most)); }
};

/// s: [points, 6]
double variation_in_percent(const double* s, std::int64_t points) {
  Range first;
  Range third;
  thread_local std::vector<double> principal;
  const auto count = static_cast<std::size_t>(points);
  principal.resize(3 * count);
  principal_values({s, 6 * count}, principal);
  for (std::size_t p = 0; p < count; ++p) {
    third.add(principal[3 * p]);
    first.add(principal[3 * p + 2]);
  }
  const Range& worst = first.size() >= third.size() ? first : third;
  return worst.size() > 0 ? 100 * (worst.most - worst.least) / worst.size() : 0;
}

std::span<const std::int32_t> corners(const Solids& solids, std::int32_t element) {
  const Cell cell = fem::cell_of(solids.type[static_cast<std::size_t>(element)]);
  return solids.nodes(element).first(static_cast<std::size_t>(mesh::corner_count(cell)));
}

/// As in CalculiX: a node amid an edge has the mean of the edge's ends.
void take_means_amid_edges(const Solids& solids, const NodeShare& share, std::vector<double>& values) {
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    const Cell cell = fem::cell_of(solids.type[static_cast<std::size_t>(e)]);
    const auto nodes = solids.nodes(e);
    const auto value = [&](int local) -> double& {
      return values[static_cast<std::size_t>(nodes[static_cast<std::size_t>(local)])];
    };
    int amid = mesh::corner_count(cell);
    for (const auto& ends : mesh::edges_with_nodes(cell)) {
      if (share.has(nodes[static_cast<std::size_t>(amid)]))
        value(amid) = (value(ends[0]) + value(ends[1])) / 2;
      ++amid;
    }
  }
}

}  // namespace

std::vector<double> stress_errors(const Setup& setup, const std::vector<double>& stress, int threads) {
  return stress_errors(setup, ElementRun::of(setup), stress, threads);
}

std::vector<double> stress_errors(const Setup& setup, const ElementRun& run,
                                  const std::vector<double>& stress, int threads) {
  std::vector<double> variation(static_cast<std::size_t>(setup.solids.element_count()));
  exec::host::for_each(threads, run.count(), 64, [&](std::int64_t index) {
    const auto e = run.first + static_cast<std::int32_t>(index);
    const std::int64_t first = run.first_point(setup, e);
    std::int64_t points = run.first_point(setup, e + 1) - first;
    constexpr std::int64_t of_gauss = 8;
    if (setup.solids.type[static_cast<std::size_t>(e)] == fem::Element::hex20_kronrod) points = of_gauss;
    variation[static_cast<std::size_t>(e)] =
        variation_in_percent(stress.data() + 6 * static_cast<std::size_t>(first), points);
  });
  run.collect(variation);
  return errors_of_variation(setup, variation, threads);
}

std::vector<double> errors_of_variation(const Setup& setup, const std::vector<double>& variation,
                                        int threads) {
  std::vector<double> of_element(variation.size());
  exec::host::for_each(threads, setup.solids.element_count(), 512, [&](std::int64_t index) {
    const auto e = static_cast<std::size_t>(index);
    const model::ElementType type =
        model::element_type(setup.model->mesh, setup.solids.mesh_element(static_cast<std::int32_t>(index)));
    of_element[e] = curve_of(type).at(variation[e]);
  });
  std::vector<double> errors(static_cast<std::size_t>(setup.solids.node_count()), 0.0);
  for_each_share(threads, [&](const NodeShare& share) {
    for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
      for (const std::int32_t node : corners(setup.solids, e)) {
        if (!share.has(node)) continue;
        double& known = errors[static_cast<std::size_t>(node)];
        known = std::max(known, of_element[static_cast<std::size_t>(e)]);
      }
    }
  });
  for_each_share(threads,
                 [&](const NodeShare& share) { take_means_amid_edges(setup.solids, share, errors); });
  return errors;
}

}  // namespace setka::analysis
