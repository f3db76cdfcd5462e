// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_matrices.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_fields.hpp"
#include "setka/fem/element_lane_data.hpp"
#include "setka/fem/element_matrices_kernel.hpp"
#include "setka/fem/elements.hpp"

namespace setka::fem {
namespace {

using exec::Stream;
using kernel::MatrixKind;
using kernel::NodePair;
using mesh::row;

template <class Solid>
void stiffness_on_host(const Stream& stream, const ElementGroupView& group, double* k) {
  constexpr int n = Solid::nodes;
  constexpr int points = Solid::points;
  constexpr int entries = triangle_size(3 * n);
  for_lanes(stream, group.blocks, [&](LaneRange at) {
    Lanes x[3 * n];
    Lanes d[36];
    Lanes g[points * 3 * n];
    Lanes w[points];
    load_coordinates<n>(group, at, x);
    const bool isotropic = group.lame != nullptr;
    load_material(group, at, isotropic ? group.lame : group.d, isotropic ? 2 : 36, d);
    for (int p = 0; p < points; ++p) {
      w[p] = group.reference.weights[p] *
             kernel::map_gradients<n>(x, row<3 * n>(group.reference.gradients, p), row<3 * n>(g, p));
    }
    Lanes weighted[3 * points];
    NodePair pair{0, 0};
    for (int count = 0; count < n * (n + 1) / 2; ++count, pair.next(n)) {
      if (pair.a == pair.b) {
        for (int i = 0; i < 3 * points; ++i) weighted[i] = w[i / 3] * g[i / 3 * 3 * n + 3 * pair.a + i % 3];
      }
      Lanes s[9];
      for (Lanes& value : s) value = 0;
      for (int p = 0; p < points; ++p) {
        kernel::add_moments<3>(row<3>(weighted, p), row<3>(g, p * n + pair.b), s);
      }
      Lanes block[9];
      if (isotropic) {
        kernel::block_from_moments(s, d[0], d[1], block);
      } else {
        kernel::block_from_moments<3>(s, d, block);
      }
      kernel::for_block_entries<3>(n, pair, [&](int entry, int i, int j) {
        block[3 * i + j].store(k + interleaved(at.block, entries, entry, at.first));
      });
    }
  });
}

template <class Solid>
void mass_on_host(const Stream& stream, const ElementGroupView& group, double* m) {
  constexpr int n = Solid::nodes;
  constexpr int points = Solid::points;
  constexpr int entries = triangle_size(3 * n);
  for_lanes(stream, group.blocks, [&](LaneRange at) {
    Lanes x[3 * n];
    Lanes density;
    Lanes w[points];
    load_coordinates<n>(group, at, x);
    load_material(group, at, group.density, 1, &density);
    for (int p = 0; p < points; ++p) {
      Lanes j[9];
      kernel::jacobian<n>(x, row<3 * n>(group.reference.gradients, p), j);
      w[p] = group.reference.weights[p] * density * kernel::determinant3(j);
    }
    NodePair pair{0, 0};
    for (int count = 0; count < n * (n + 1) / 2; ++count, pair.next(n)) {
      Lanes sum = 0;
      for (int p = 0; p < points; ++p) {
        sum += w[p] * (group.reference.values[p * n + pair.a] * group.reference.values[p * n + pair.b]);
      }
      kernel::for_block_entries<3>(n, pair, [&](int entry, int i, int j) {
        (i == j ? sum : Lanes(0)).store(m + interleaved(at.block, entries, entry, at.first));
      });
    }
  });
}

void quads_on_host(const Stream& stream, const ElementGroupView& group, double* k) {
  constexpr int entries = triangle_size(2 * kernel::PlaneQuad::nodes);
  for_lanes(stream, group.blocks, [&](LaneRange at) {
    Lanes x[2 * kernel::PlaneQuad::nodes];
    Lanes d[36];
    Lanes own[entries];
    load_coordinates<kernel::PlaneQuad::nodes, 2>(group, at, x);
    load_material(group, at, group.d, 36, d);
    kernel::quad_stiffness(x, d, group.reference, own);
    for (int entry = 0; entry < entries; ++entry)
      own[entry].store(k + interleaved(at.block, entries, entry, at.first));
  });
}

void integrate_quads(const Stream& stream, const ElementGroupView& group, IntegrationLevel level, double* k) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      switch (level) {
        case IntegrationLevel::thread_per_point:
          return cuda::integrate_quads_by_points(stream, group, 1, k);
        case IntegrationLevel::shared_blocks:
          return cuda::integrate_quads_by_points(stream, group, 8, k);
        default:  // one thread an element is the best for quadrilaterals: 36 sums stay in registers
          return cuda::integrate_quads(stream, group, k);
      }
    }
  }
  quads_on_host(stream, group, k);
}

/// By the functions of the element itself, whatever its formulation.
template <Element type, MatrixKind kind>
void whole_on_host(const Stream& stream, const ElementGroupView& group, double* out) {
  exec::host::for_each(stream.device().threads(), group.blocks * block_lanes, block_lanes,
                       kernel::IntegrateWhole<type, kind>{group, out});
}

void integrate_solids(const Stream& stream, Element element, const ElementGroupView& group,
                      IntegrationLevel level, double* k) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      switch (level) {
        case IntegrationLevel::thread_per_element:
          return cuda::integrate_hexa_by_elements(stream, group, k);
        case IntegrationLevel::thread_per_point:
          return cuda::integrate_hexa_by_points(stream, group, 1, k);
        case IntegrationLevel::shared_blocks:
          return cuda::integrate_hexa_by_points(stream, group, 4, k);
        default:
          return cuda::integrate_stiffness(stream, element, group, k);
      }
    }
  }
  with_solid("integrate_stiffness", element, [&]<Element type>() {
    if constexpr (kernel::Solid<type>::plain) {
      stiffness_on_host<kernel::Solid<type>>(stream, group, k);
    } else {
      whole_on_host<type, MatrixKind::stiffness>(stream, group, k);
    }
  });
}

}  // namespace

void integrate_mass(const Stream& stream, Element element, const ElementGroupView& group, double* m) {
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::integrate_mass(stream, element, group, m);
  }
  with_solid("integrate_mass", element, [&]<Element type>() {
    if constexpr (kernel::Solid<type>::plain) {
      mass_on_host<kernel::Solid<type>>(stream, group, m);
    } else {
      whole_on_host<type, MatrixKind::mass>(stream, group, m);
    }
  });
}

void integrate_stiffness(const Stream& stream, Element element, const ElementGroupView& group,
                         IntegrationLevel level, double* k) {
  if (is_solid(element)) return integrate_solids(stream, element, group, level, k);
  integrate_quads(stream, group, level, k);
}

ElementMatrices::ElementMatrices(const ElementSet& set)
    : ElementMatrices(set, std::max(set.dimension(), 1)) {}

ElementMatrices::ElementMatrices(const ElementSet& set, int components) : components_(components) {
  require(is_field(components, set.dimension()), [&] {
    return fmt::format("ElementMatrices: {} components; 1, or {} as the elements have dimensions, are right",
                       components, set.dimension());
  });
  for (const ElementGroup& group : set.groups()) {
    values_.emplace_back(set.device(),
                         group.blocks() * triangle_size(components * group.nodes()) * block_lanes);
  }
}

bool ElementMatrices::fit(const ElementSet& set) const {
  bool fit = group_count() == set.groups().size();
  for (std::size_t g = 0; fit && g < group_count(); ++g) {
    const ElementGroup& own = set.groups()[g];
    fit = values_[g].size() == own.blocks() * triangle_size(components_ * own.nodes()) * block_lanes;
  }
  return fit;
}

std::size_t ElementMatrices::bytes() const {
  std::size_t sum = 0;
  for (const exec::Array<double>& values : values_) sum += values.bytes();
  return sum;
}

}  // namespace setka::fem
