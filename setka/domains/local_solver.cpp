// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/local_solver.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/base/text.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/cholesky_inverse.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::domains {
namespace {

/// Diagonals know nothing of parts: they are preconditioners of the whole.
constexpr std::array<std::string_view, 5> words{"auto", "cholesky", "amg", "chebyshev", "fsai"};

/// A factor that is the operator's own.
class Factor final : public solve::Operator {
 public:
  Factor(const sparse::BlockCsr<double>& a, std::vector<std::int32_t> place)
      : place_(std::move(place)), inverse_(a.device(), a.scalar_rows(), factor_, place_) {
    if (factor_.factorise(sparse::over_unknowns(a, place_)) < 0) return;
    throw Error(Fault::input, "the matrix of a part is not positive definite",
                "is a boundary condition missing?");
  }

  const exec::Device& device() const override { return inverse_.device(); }
  std::int64_t rows() const override { return inverse_.rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    inverse_.apply(stream, x, y);
  }
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    inverse_.apply(stream, x, y);
  }

 private:
  std::vector<std::int32_t> place_;
  solve::Cholesky factor_;
  solve::CholeskyInverse inverse_;
};

}  // namespace

std::vector<std::int32_t> rows_in_use(const sparse::BlockCsr<double>& a) {
  const auto offset = a.offset().host();
  const auto column = a.column().host();
  const auto value = a.value().host();
  const auto n = static_cast<std::size_t>(a.height());
  std::vector<std::int32_t> rows;
  for (std::int32_t i = 0; i < a.rows(); ++i) {
    const auto first = static_cast<std::size_t>(offset[static_cast<std::size_t>(i)]);
    const auto count = static_cast<std::size_t>(offset[static_cast<std::size_t>(i) + 1]) - first;
    for (std::size_t k = 0; k < count; ++k) {
      if (column[first + k] != i) continue;
      for (std::size_t c = 0; c < n; ++c) {
        if (value[first * n * n + c * count * n + k * n + c] != 0)
          rows.push_back(static_cast<std::int32_t>(static_cast<std::size_t>(i) * n + c));
      }
    }
  }
  return rows;
}

void require_local_solver(std::string_view word) {
  if (word == "cholesky" && !solve::Cholesky::available()) {
    throw Error(Fault::usage, "this build of setka has no Cholesky factorisation",
                "build it with SuiteSparse (libsuitesparse-dev), or solve parts by amg");
  }
  if (std::ranges::find(words, word) != words.end()) return;
  throw Error(Fault::usage, fmt::format("'{}' solves no parts", word),
              "give " + join_words({words.begin(), words.end()}, "or"));
}

std::unique_ptr<solve::Operator> local_solver(std::string_view word, sparse::BlockCsr<double> a,
                                              solve::AmgGeometry geometry) {
  std::vector<std::int32_t> used = rows_in_use(a);
  if (used.empty()) return nullptr;
  if (word == "cholesky" || (word == "auto" && solve::Cholesky::available()))
    return std::make_unique<Factor>(a, std::move(used));
  Monitor silent;
  const auto product = std::make_shared<const solve::BlockCsrOperator>(std::move(a));
  solve::PreconditionerInput input;
  input.matrix = &product->matrix();
  input.geometry = [&] { return geometry; };
  input.product = product;
  return solve::preconditioner_of(word).make(input, silent);  // keeps the product where it needs it
}

}  // namespace setka::domains
