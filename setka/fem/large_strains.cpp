// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/large_strains.hpp"

#include <cstddef>

#include "setka/base/error.hpp"
#include "setka/fem/large_strain_kernel.hpp"

namespace setka::fem {
namespace {

constexpr int first_of[6] = {0, 1, 2, 0, 0, 1};
constexpr int second_of[6] = {0, 1, 2, 1, 2, 2};

/// From g: dU_i / dX_b at [i, b].
template <class Law>
void at_point(const double* g, const Law& law, double* stress, double* strain, double* energy) {
  const double before[Law::history_size + 1] = {};
  double after[Law::history_size + 1];
  const kernel::History<double> history{before, after};
  double s[6];
  kernel::green_strain(g, strain);
  law.stress(g, strain, history, s);
  *energy = law.energy(g, strain, history);
  const double full[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
  double f[9];
  for (int i = 0; i < 9; ++i) f[i] = g[i] + (i % 4 == 0 ? 1 : 0);
  const double j = 1 + kernel::dilation(g);
  for (int k = 0; k < 6; ++k) {  // F S F' / J
    stress[k] = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b)
        stress[k] += f[3 * first_of[k] + a] * full[3 * a + b] * f[3 * second_of[k] + b] / j;
    }
  }
}

}  // namespace

void large_strains(Element type, std::span<const double> x, std::span<const double> u,
                   const LawMaterial& material, std::span<double> stress, std::span<double> strain,
                   std::span<double> energy) {
  with_large_strains(type, material.law, [&]<Element t, template <class> class Law>() {
    const auto law = Law<double>::of([&](int i) { return material.constants[static_cast<std::size_t>(i)]; });
    using Solid = kernel::Solid<t>;
    constexpr auto points = static_cast<std::size_t>(Solid::points);
    constexpr auto nodes = static_cast<std::size_t>(Solid::nodes);
    require(x.size() == 3 * nodes && u.size() == 3 * nodes && stress.size() == 6 * points &&
                strain.size() == 6 * points && energy.size() == points,
            "large_strains: arrays of another type of element");
    for (std::size_t p = 0; p < points; ++p) {
      double g[9] = {};
      double dn[3 * nodes];
      if constexpr (t == Element::hex8_uniform) {
        kernel::UniformStrain::mean_gradients(x.data(), dn);
        double h[9];
        kernel::slopes<Solid::nodes>(u.data(), dn, h);
        for (int i = 0; i < 9; ++i) g[3 * (i % 3) + i / 3] = h[i];
      } else {
        double r[3];
        double j[9];
        double c[9];
        double h[9];
        Solid::Points::at(static_cast<int>(p), r);
        Solid::Functions::gradients(r, dn);
        kernel::slopes<Solid::nodes>(x.data(), dn, j);
        kernel::slopes<Solid::nodes>(u.data(), dn, h);
        const double det = kernel::adjugate3(j, c);
        for (int i = 0; i < 3; ++i) {
          for (int b = 0; b < 3; ++b) {
            for (int a = 0; a < 3; ++a) g[3 * i + b] += c[3 * b + a] * h[3 * a + i] / det;
          }
        }
      }
      at_point(g, law, stress.data() + 6 * p, strain.data() + 6 * p, energy.data() + p);
    }
  });
}

}  // namespace setka::fem
