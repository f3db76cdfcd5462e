// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <utility>

#include <fmt/core.h>
#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::analysis {
namespace {

using Dense = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr std::int32_t dense_with_cholesky = 500;  // unknowns up to which dense is the faster way
constexpr std::int32_t dense_without = 2500;
constexpr double massless = 1e-13;  // of the largest 1 / lambda: an unknown without mass
constexpr double tolerance = 1e-10;
constexpr double acceptable = 1e-6;  // after so many iterations
constexpr int most_iterations = 500;

Dense dense(const sparse::SymmetricCsr& a) {
  Dense full = Dense::Zero(a.rows, a.rows);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int64_t l = a.offset[static_cast<std::size_t>(i)];
         l < a.offset[static_cast<std::size_t>(i) + 1]; ++l) {
      const std::int32_t j = a.column[static_cast<std::size_t>(l)];
      full(i, j) = full(j, i) = a.value[static_cast<std::size_t>(l)];
    }
  }
  return full;
}

Dense product(const sparse::SymmetricCsr& a, const Dense& x) {
  Dense y = Dense::Zero(x.rows(), x.cols());
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    for (std::int32_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (std::int64_t l = a.offset[static_cast<std::size_t>(i)];
           l < a.offset[static_cast<std::size_t>(i) + 1]; ++l) {
        const std::int32_t j = a.column[static_cast<std::size_t>(l)];
        const double value = a.value[static_cast<std::size_t>(l)];
        sum += value * x(j, c);
        if (j != i) y(j, c) += value * x(i, c);
      }
      y(i, c) += sum;
    }
  }
  return y;
}

double trace(const sparse::SymmetricCsr& a) {
  double sum = 0;
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const auto first = static_cast<std::size_t>(a.offset[static_cast<std::size_t>(i)]);
    if (a.offset[static_cast<std::size_t>(i) + 1] > a.offset[static_cast<std::size_t>(i)] &&
        a.column[first] == i)
      sum += a.value[first];
  }
  return sum;
}

/// K + alpha M; both have the same pattern.
sparse::SymmetricCsr shifted(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, double alpha) {
  require(k.column == m.column, "lowest_modes: K and M have different patterns");
  sparse::SymmetricCsr sum = k;
  for (std::size_t i = 0; i < sum.value.size(); ++i) sum.value[i] += alpha * m.value[i];
  return sum;
}

/// Calls attempt(alpha) with growing shifts until it returns true: with 0 first, which serves a body that is
/// held and does not buckle.
template <class Attempt>
double find_shift(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, Attempt&& attempt) {
  if (attempt(0.0)) return 0;
  const double mass = trace(m);
  double alpha = mass > 0 ? 1e-9 * trace(k) / mass : 0;
  for (int i = 0; i < 12 && alpha > 0; ++i, alpha *= 30) {
    if (attempt(alpha)) return alpha;
  }
  throw Error(Fault::input, "no modes are found: parts of the model have neither stiffness nor mass",
              "look for unknowns that nothing holds, and for materials without density");
}

/// Modes as they are reported, from x: [unknowns, any] M-orthonormal and their lambda.
FoundModes report(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, double alpha, Dense x,
                  Vector lambda, std::string method) {
  FoundModes found;
  found.method = std::move(method);
  const Dense kx = product(k, x);
  const Dense mx = product(m, x);
  const auto modes = static_cast<std::size_t>(x.cols());
  found.shapes.resize(static_cast<std::size_t>(x.rows()) * modes);
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    found.lambda.push_back(lambda[j]);
    const double scale = kx.col(j).norm() + (std::abs(lambda[j]) + alpha) * mx.col(j).norm();
    found.residual.push_back(scale > 0 ? (kx.col(j) - lambda[j] * mx.col(j)).norm() / scale : 0.0);
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      found.shapes[static_cast<std::size_t>(i) * modes + static_cast<std::size_t>(j)] = x(i, j);
  }
  return found;
}

/// From M x = mu (K + alpha M) x with x orthonormal in K + alpha M, mu ascending: the largest mu are the
/// lowest modes, and those with mu = 0 have no mass and are none.
FoundModes from_inverse(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, double alpha,
                        const Vector& mu, const Dense& x, int count, std::string method) {
  const Eigen::Index last = mu.size() - 1;
  Eigen::Index modes = 0;
  while (modes < std::min<Eigen::Index>(count, mu.size()) && mu[last - modes] > massless * mu[last]) ++modes;
  Dense chosen(x.rows(), modes);
  Vector lambda(modes);
  for (Eigen::Index j = 0; j < modes; ++j) {
    const double inverse = mu[last - j];
    chosen.col(j) = x.col(last - j) / std::sqrt(inverse);
    lambda[j] = 1 / inverse - alpha;
  }
  return report(k, m, alpha, std::move(chosen), std::move(lambda), std::move(method));
}

FoundModes dense_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, int count) {
  const Dense mass = dense(m);
  const Dense stiffness = dense(k);
  const double alpha = find_shift(k, m, [&](double shift) {
    const Eigen::LLT<Dense> factor(stiffness + shift * mass);
    if (factor.info() != Eigen::Success) return false;
    return factor.rcond() > 1e-13;
  });
  const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> solver(mass, stiffness + alpha * mass);
  if (solver.info() != Eigen::Success) throw Error(Fault::internal, "the dense eigenvalue solver failed");
  return from_inverse(k, m, alpha, solver.eigenvalues(), solver.eigenvectors(), count, "dense");
}

FoundModes subspace_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, int count,
                          Monitor& monitor) {
  solve::Cholesky factor;
  const double alpha = find_shift(k, m, [&](double shift) {
    const Stage stage = monitor.stage("factorise");
    return factor.factorise(shifted(k, m, shift)) < 0 && factor.least_pivot().share > 1e-12;
  });
  const Eigen::Index width = std::min<Eigen::Index>(2 * Eigen::Index{count} + 8, k.rows);
  Dense x(k.rows, width);
  std::mt19937 random(1);  // the same start at every run
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Eigen::Index j = 0; j < width; ++j) {
    for (Eigen::Index i = 0; i < x.rows(); ++i) x(i, j) = uniform(random);
  }
  Stage stage = monitor.stage("subspace iteration", most_iterations, "iterations");
  Vector mu = Vector::Zero(width);
  Dense mx = product(m, x);
  double worst_before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (Eigen::Index j = 0; j < width; ++j)
      factor.solve(std::span(mx.col(j).data(), static_cast<std::size_t>(k.rows)),
                   std::span(x.col(j).data(), static_cast<std::size_t>(k.rows)));
    // In x = (K + alpha M)^-1 m: x'(K + alpha M) x = x' m, and x' M x.
    const Dense stiffness = x.transpose() * mx;
    const Dense image = product(m, x);
    const Dense mass = x.transpose() * image;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> small((mass + mass.transpose()) / 2,
                                                                (stiffness + stiffness.transpose()) / 2);
    if (small.info() != Eigen::Success)
      throw Error(Fault::input, "the modes asked for are more than the mass of the model has",
                  "ask for fewer modes");
    x = x * small.eigenvectors();
    mx = image * small.eigenvectors();
    const Vector before = mu;
    mu = small.eigenvalues();
    stage.advance(1);
    const auto wanted = mu.tail(std::min<Eigen::Index>(count, width));
    const auto moved = (wanted - before.tail(wanted.size())).cwiseAbs();
    if (iteration > 1 && (moved.array() <= 1e-15 * wanted.array()).all()) break;
    if (iteration % 4 != 3 || !(moved.array() <= 1e-9 * wanted.array()).all()) continue;
    FoundModes found = from_inverse(k, m, alpha, mu, x, count, "subspace iteration");
    const double worst = *std::ranges::max_element(found.residual);
    if (worst <= tolerance) return found;
    // K x of a soft mode is a small difference of large numbers: its residual may end at rounding before.
    if ((moved.array() <= 1e-13 * wanted.array()).all() && worst > 0.9 * worst_before) return found;
    worst_before = worst;
  }
  FoundModes found = from_inverse(k, m, alpha, mu, x, count, "subspace iteration");
  found.converged = found.residual.empty() || *std::ranges::max_element(found.residual) <= acceptable;
  return found;
}

}  // namespace

FoundModes lowest_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, int count,
                        Monitor& monitor) {
  require(count > 0 && k.rows == m.rows, [&] {
    return fmt::format("lowest_modes: {} modes of K with {} rows and M with {}", count, k.rows, m.rows);
  });
  const bool sparse_way = solve::Cholesky::available();
  // Where many of the modes are wanted, the subspace would be the whole space.
  if (k.rows <= (sparse_way ? dense_with_cholesky : dense_without) ||
      (2 * count + 8 >= k.rows && k.rows <= 4000)) {
    const Stage stage = monitor.stage("dense eigenvalues");
    return dense_modes(k, m, count);
  }
  if (!sparse_way)
    throw Error(Fault::usage,
                fmt::format("modes of {} unknowns need CHOLMOD, which this build lacks", k.rows),
                "build Setka with SuiteSparse");
  modes::Request request;
  request.count = count;
  request.tolerance = 1e-8;
  modes::Modes found = modes::lanczos(k, m, request, monitor);
  if (found.converged) {
    return {std::move(found.lambda), std::move(found.shape),      std::move(found.residual),
            std::move(found.method), std::move(found.check_text), true};
  }
  log::debug("modes: {}; trying subspace iteration", found.trouble);
  return subspace_modes(k, m, count, monitor);
}

}  // namespace setka::analysis
