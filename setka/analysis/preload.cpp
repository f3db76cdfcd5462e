// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/preload.hpp"

#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::analysis {
namespace {

/// A node's part of the strain operator at the deformation f = 1 + du/dx, [6, 3], of Green's strain with
/// engineering shear; g: the gradient of its shape function.
std::array<double, 18> strain_operator(const double* g, const std::array<double, 9>& f) {
  std::array<double, 18> b{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double* row = f.data() + 3 * c;  // d x_c / d X
    b[0 + c] = row[0] * g[0];
    b[3 + c] = row[1] * g[1];
    b[6 + c] = row[2] * g[2];
    b[9 + c] = row[0] * g[1] + row[1] * g[0];
    b[12 + c] = row[0] * g[2] + row[2] * g[0];
    b[15 + c] = row[1] * g[2] + row[2] * g[1];
  }
  return b;
}

/// k += w b' d b for all pairs of nodes; b: [n, 6, 3]
template <std::size_t n>
void add_product(const std::array<std::array<double, 18>, n>& b, const double* d, double w, double* k) {
  for (std::size_t j = 0; j < n; ++j) {
    std::array<double, 18> db{};
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t s = 0; s < 6; ++s) {
        for (std::size_t c = 0; c < 3; ++c) db[3 * r + c] += w * d[6 * r + s] * b[j][3 * s + c];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t c = 0; c < 3; ++c) {
          double sum = 0;
          for (std::size_t r = 0; r < 6; ++r) sum += b[i][3 * r + a] * db[3 * r + c];
          k[(3 * i + a) * 3 * n + 3 * j + c] += sum;
        }
      }
    }
  }
}

constexpr std::array<double, 9> at_rest{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// 1 + du/dx; g: [n, 3] gradients of the shape functions.
template <std::size_t n>
std::array<double, 9> deformation(const std::array<double, 3 * n>& g, const double* u) {
  std::array<double, 9> f = at_rest;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t c = 0; c < 3; ++c) f[3 * a + c] += u[3 * i + a] * g[3 * i + c];
    }
  }
  return f;
}

template <class Functions, class Points>
void add_strains(const double* x, const double* u, const double* du, double* e) {
  constexpr std::size_t n = Functions::nodes;
  for (int p = 0; p < Points::points; ++p) {
    std::array<double, 3> r{};
    std::array<double, 3 * n> g{};
    Points::at(p, r.data());
    fem::kernel::space_gradients<Functions>(x, r.data(), g.data());
    const std::array<double, 9> f = deformation<n>(g, u);
    double* own = e + 6 * static_cast<std::ptrdiff_t>(p);
    for (std::size_t i = 0; i < n; ++i) {
      const std::array<double, 18> bent = strain_operator(g.data() + 3 * i, f);
      const std::array<double, 18> straight = strain_operator(g.data() + 3 * i, at_rest);
      for (std::size_t k = 0; k < 6; ++k) {
        for (std::size_t c = 0; c < 3; ++c) own[k] += (bent[3 * k + c] - straight[3 * k + c]) * du[3 * i + c];
      }
    }
  }
}

/// k += w g_i . stress g_j on the diagonal of every pair of nodes.
template <std::size_t n>
void add_at_point(const std::array<double, 3 * n>& g, const double* stress, double w, double* k) {
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 3> t{};
    fem::kernel::add_force(g.data() + 3 * i, stress, w, t.data());
    for (std::size_t j = 0; j < n; ++j) {
      const double own = t[0] * g[3 * j] + t[1] * g[3 * j + 1] + t[2] * g[3 * j + 2];
      for (std::size_t c = 0; c < 3; ++c) k[(3 * i + c) * 3 * n + 3 * j + c] += own;
    }
  }
}

template <class Functions, class Points>
void add(const double* x, const double* u, const double* stress, const double* d, double* k) {
  constexpr std::size_t n = Functions::nodes;
  for (int p = 0; p < Points::points; ++p) {
    std::array<double, 3> r{};
    std::array<double, 3 * n> g{};
    const double weight = Points::at(p, r.data());
    const double w = weight * fem::kernel::space_gradients<Functions>(x, r.data(), g.data());
    const std::array<double, 9> f = deformation<n>(g, u);
    std::array<std::array<double, 18>, n> bent;
    std::array<std::array<double, 18>, n> straight;
    for (std::size_t i = 0; i < n; ++i) {
      bent[i] = strain_operator(g.data() + 3 * i, f);
      straight[i] = strain_operator(g.data() + 3 * i, at_rest);
    }
    const double* material = d + 36 * static_cast<std::ptrdiff_t>(p);
    add_product<n>(bent, material, w, k);
    add_product<n>(straight, material, -w, k);
    add_at_point<n>(g, stress + 6 * static_cast<std::ptrdiff_t>(p), w, k);
  }
}

template <class Functions, class Points>
void add_of_stresses(const double* x, const double* stress, double* k) {
  constexpr std::size_t n = Functions::nodes;
  for (int p = 0; p < Points::points; ++p) {
    std::array<double, 3> r{};
    std::array<double, 3 * n> g{};
    const double weight = Points::at(p, r.data());
    const double w = weight * fem::kernel::space_gradients<Functions>(x, r.data(), g.data());
    add_at_point<n>(g, stress + 6 * static_cast<std::ptrdiff_t>(p), w, k);
  }
}

}  // namespace

void add_preload(fem::Element type, std::span<const double> x, std::span<const double> u,
                 std::span<const double> stress, std::span<const double> d, std::span<double> k) {
  with_solid("add_preload", type, [&]<fem::Element t>() {
    using Solid = fem::kernel::Solid<t>;
    constexpr std::size_t n = Solid::nodes;
    constexpr std::size_t points = Solid::points;
    require(x.size() == 3 * n && u.size() == 3 * n && k.size() == 9 * n * n && stress.size() == 6 * points &&
                d.size() == 36 * points,
            [&] { return fmt::format("add_preload: a span does not fit {}", name(t)); });
    add<typename Solid::Functions, typename Solid::Points>(x.data(), u.data(), stress.data(), d.data(),
                                                           k.data());
  });
}

void add_stress_stiffness(fem::Element type, std::span<const double> x, std::span<const double> stress,
                          std::span<double> k) {
  with_solid("add_stress_stiffness", type, [&]<fem::Element t>() {
    using Solid = fem::kernel::Solid<t>;
    constexpr std::size_t n = Solid::nodes;
    require(x.size() == 3 * n && k.size() == 9 * n * n &&
                stress.size() == 6 * static_cast<std::size_t>(Solid::points),
            [&] { return fmt::format("add_stress_stiffness: a span does not fit {}", name(t)); });
    add_of_stresses<typename Solid::Functions, typename Solid::Points>(x.data(), stress.data(), k.data());
  });
}

void add_preload_strains(fem::Element type, std::span<const double> x, std::span<const double> u,
                         std::span<const double> du, std::span<double> e) {
  with_solid("add_preload_strains", type, [&]<fem::Element t>() {
    using Solid = fem::kernel::Solid<t>;
    constexpr std::size_t n = Solid::nodes;
    require(x.size() == 3 * n && u.size() == 3 * n && du.size() == 3 * n &&
                e.size() == 6 * static_cast<std::size_t>(Solid::points),
            [&] { return fmt::format("add_preload_strains: a span does not fit {}", name(t)); });
    add_strains<typename Solid::Functions, typename Solid::Points>(x.data(), u.data(), du.data(), e.data());
  });
}

}  // namespace setka::analysis
