// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/fem/large_strain_kernel.hpp"
#include "setka/fem/lumped_mass_kernel.hpp"

/// The highest frequency of an element, by which the stable step is found.
namespace setka::dynamics::kernel {

using fem::Element;
using fem::kernel::uniform_size;

SETKA_HD inline double square_root(double x) {
  return std::sqrt(x);
}

/// Entries one after the other.
template <class Real>
struct OwnSource {
  const Real* first;
  SETKA_HD Real load(int i) const { return first[i]; }
};

/// What the highest frequency of an element is found from.
template <Element type, class Real>
struct FrequencyData {
  static constexpr int nodes = fem::kernel::Solid<type>::nodes;
  Real x[3 * nodes];
  Real u[3 * nodes];
  Real mass[nodes];
  Real small;  // a displacement by which it changes little
  Real uniform[type == Element::hex8_uniform ? uniform_size : 1];
};

/// The highest angular frequency of an element with its own lumped mass, linearised about u: by Irons and
/// Treharne (1971) none of the whole body is above the highest of them. Power iteration from a rough field,
/// with differences of the forces for the stiffness.
template <Element type, class Real, class Law>
SETKA_HD inline Real highest_frequency(const fem::kernel::LargeStrainGroup<double>& group,
                                       const FrequencyData<type, Real>& on, const Law& law,
                                       const Real& resistance) {
  constexpr int rows = 3 * FrequencyData<type, Real>::nodes;
  constexpr int iterations = 40;
  const OwnSource<Real> uniform{on.uniform};
  constexpr int remembered = fem::kernel::Solid<type>::points * Law::history_size;
  Real before[remembered > 0 ? remembered : 1] = {};
  Real after[remembered > 0 ? remembered : 1];
  const fem::kernel::History<Real> fresh{before, after};
  Real total = Real(0);
  Real size = Real(0);
  Real v[rows];
  for (int i = 0; i < rows; ++i) {
    const int rough = (i * 37 + 11 * (i % 7) * (i % 5)) % 23;  // no pattern that a mode could be free of
    v[i] = Real(rough / 11.5 - 1);
    size += on.mass[i / 3] * v[i] * v[i];
    total += on.mass[i / 3];
  }
  Real f0[rows];
  fem::kernel::element_forces<type, false>(group, uniform, on.x, on.u, law, resistance, fresh, false, f0);
  Real square = Real(0);
  for (int k = 0; k < iterations; ++k) {
    const Real scale = square_root(total / size);
    Real moved[rows];
    Real f[rows];
    for (int i = 0; i < rows; ++i) moved[i] = on.u[i] + on.small * scale * v[i];
    fem::kernel::element_forces<type, false>(group, uniform, on.x, moved, law, resistance, fresh, false, f);
    size = Real(0);
    for (int i = 0; i < rows; ++i) {
      v[i] = (f[i] - f0[i]) / (on.small * on.mass[i / 3]);
      size += on.mass[i / 3] * v[i] * v[i];
    }
    square = square_root(size / total);
  }
  return square_root(square);
}

struct FrequencySource {
  fem::kernel::LargeStrainGroup<double> group;
  const double* density;  // [materials]
  const double* u;        // [mesh nodes, 3]

  template <Element type>
  SETKA_HD void load(std::int64_t e, FrequencyData<type, double>& on) const {
    constexpr int nodes = fem::kernel::Solid<type>::nodes;
    const std::int64_t block = e / fem::block_lanes;
    const int lane = static_cast<int>(e % fem::block_lanes);
    for (int i = 0; i < nodes; ++i) {
      const std::int64_t at = 3 * std::int64_t{group.node[fem::interleaved(block, nodes, i, lane)]};
      for (int c = 0; c < 3; ++c) {
        on.x[3 * i + c] = group.coordinates[at + c];
        on.u[3 * i + c] = u[at + c];
      }
    }
    const double rho = density[group.material[e]];
    fem::kernel::lumped_mass<type>(on.x, rho, on.mass);
    double mass = 0;
    for (int i = 0; i < nodes; ++i) mass += on.mass[i];
    on.small = 1e-6 * std::cbrt(mass / rho);
    if constexpr (type == Element::hex8_uniform) fem::kernel::uniform_geometry(on.x, on.uniform);
  }
};

/// A thread an element: GPUs.
template <Element type, template <class> class Law>
struct ElementFrequency {
  FrequencySource from;
  double* frequency;  // [blocks, 32]

  SETKA_HD void operator()(std::int64_t e) const {
    FrequencyData<type, double> on;
    from.load(e, on);
    constexpr int width = Law<double>::constants + 1;
    const fem::kernel::ConstantsOf<double> constant{from.group.constants +
                                                    std::int64_t{from.group.material[e]} * width};
    frequency[e] = highest_frequency(from.group, on, Law<double>::of(constant), constant(width - 1));
  }
};

struct Widen {
  const float* from;
  double* to;
  SETKA_HD void operator()(std::int64_t i) const { to[i] = static_cast<double>(from[i]); }
};

}  // namespace setka::dynamics::kernel

namespace setka::dynamics::cuda {

/// Defined in explicit_elements.cu. frequency: [blocks, 32]
void element_frequencies(const exec::Stream& stream, fem::Element element, fem::Law law,
                         const kernel::FrequencySource& from, double* frequency);

}  // namespace setka::dynamics::cuda
