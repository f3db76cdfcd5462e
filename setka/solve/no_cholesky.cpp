// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for cholesky.cpp in a build without CHOLMOD.
#include "setka/base/error.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/detail/side_by_side.hpp"

namespace setka::solve {

struct Cholesky::State {};

bool Cholesky::available() {
  return false;
}

namespace {
[[noreturn]] void refuse() {
  throw Error(Fault::usage, "no sparse Cholesky: this Setka was built without CHOLMOD",
              "use an iterative solver, or install libsuitesparse-dev and build again");
}
}  // namespace

Cholesky::Cholesky() {
  refuse();
}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;
void Cholesky::order(const sparse::SymmetricCsr&) {}
std::int32_t Cholesky::factorise(const sparse::SymmetricCsr&) {
  return -1;
}
std::int32_t Cholesky::factorise(const sparse::SymmetricRows&) {
  return -1;
}
std::int32_t Cholesky::factorise_roughly(const sparse::SymmetricCsr&, double) {
  return -1;
}
std::int32_t Cholesky::factorise_roughly(const sparse::SymmetricRows&, double) {
  return -1;
}
bool Cholesky::rough() const {
  return false;
}
void Cholesky::solve(std::span<const double>, std::span<double>) const {}
void Cholesky::solve(std::span<const double>, std::span<double>, std::int64_t) const {}
Cholesky::Pivot Cholesky::min_pivot() const {
  return {};
}

std::int64_t Cholesky::factor_entries() const {
  return 0;
}

std::optional<FactorSize> size_of_factor(const FactorGraph&) {
  return std::nullopt;
}

void side_by_side(int threads, std::int64_t count, const std::function<void(std::int64_t)>& body) {
  detail::loop_side_by_side(threads, count, body);
}

std::optional<std::int64_t> negative_pivots(const sparse::SymmetricCsr&, double) {
  refuse();
}

}  // namespace setka::solve
