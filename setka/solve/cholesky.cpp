// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <vector>

#include <cholmod.h>
#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/solve/detail/blas_threads.hpp"
#include "setka/solve/detail/cholmod.hpp"
#include "setka/solve/detail/front_solve.hpp"
#include "setka/solve/detail/front_tree.hpp"
#include "setka/solve/detail/multifrontal.hpp"
#include "setka/solve/detail/ordering.hpp"
#include "setka/solve/detail/side_by_side.hpp"

namespace setka::solve {
namespace {

constexpr double many_flops = 1e11;           // by columns, or by a BLAS without the kernels of fronts
constexpr double min_flops_of_threads = 1e8;  // of fronts: some milliseconds

/// visit(column, entry) for the diagonal of the factor L.
template <class Visit>
void each_diagonal_entry(const cholmod_factor& factor, const Visit& visit) {
  const auto* const values = static_cast<const double*>(factor.x);
  if (factor.is_super == 0) {
    const auto* const first = static_cast<const SuiteSparse_long*>(factor.p);
    for (std::size_t j = 0; j < factor.n; ++j) visit(j, values[first[j]]);
    return;
  }
  // A supernode is a dense block of columns, whose first rows are those of its diagonal.
  const auto* const column = static_cast<const SuiteSparse_long*>(factor.super);
  const auto* const row = static_cast<const SuiteSparse_long*>(factor.pi);
  const auto* const value = static_cast<const SuiteSparse_long*>(factor.px);
  for (std::size_t s = 0; s < factor.nsuper; ++s) {
    const SuiteSparse_long rows = row[s + 1] - row[s];
    for (SuiteSparse_long j = 0; j < column[s + 1] - column[s]; ++j)
      visit(static_cast<std::size_t>(column[s] + j), values[value[s] + j * rows + j]);
  }
}

Cholesky::Pivot min_pivot_of(const cholmod_factor& factor, const sparse::SymmetricCsr& a) {
  const auto* const order = static_cast<const SuiteSparse_long*>(factor.Perm);
  Cholesky::Pivot min;
  each_diagonal_entry(factor, [&](std::size_t j, double entry) {
    const auto row = static_cast<std::size_t>(order[j]);
    const double diagonal = a.value[static_cast<std::size_t>(a.offset[row])];  // the first of an upper row
    const double share = entry * entry / diagonal;
    if (share < min.share) min = {static_cast<std::int32_t>(row), share};
  });
  return min;
}

/// A matrix as CHOLMOD sees it: the upper triangle by rows is the lower triangle by columns. CHOLMOD's 64-bit
/// interface wants wide row numbers too.
struct Lower {
  std::vector<SuiteSparse_long> offset;
  std::vector<SuiteSparse_long> row;
  cholmod_sparse matrix;

  explicit Lower(const sparse::SymmetricCsr& a)
      : offset(a.offset.begin(), a.offset.end()),
        row(a.column.begin(), a.column.end()),
        matrix(detail::lower_triangle(offset, row, a.value.data())) {}
};

/// A pivot that is a smaller part of its diagonal may have got its sign from rounding.
constexpr double min_share_of_sign = 1e-12;

/// pivot_of(place in the order, entry of the diagonal); nothing where a sign is not certain.
template <class PivotOf>
std::optional<std::int64_t> count_negative(const cholmod_factor& factor, const sparse::SymmetricCsr& a,
                                           const PivotOf& pivot_of) {
  std::int64_t negative = 0;
  bool certain = true;
  const auto* const order = static_cast<const SuiteSparse_long*>(factor.Perm);
  each_diagonal_entry(factor, [&](std::size_t j, double entry) {
    const double diagonal = a.value[static_cast<std::size_t>(a.offset[static_cast<std::size_t>(order[j])])];
    const double pivot = pivot_of(j, entry);
    certain = certain && std::abs(pivot) > min_share_of_sign * std::abs(diagonal);
    if (pivot < 0) ++negative;
  });
  return certain ? std::optional(negative) : std::nullopt;
}

}  // namespace

namespace detail {

/// A factor with what CHOLMOD and fronts do with it.
struct Factor : Cholmod {
  cholmod_factor* factor = nullptr;
  std::optional<FrontTree> tree;  // of the factor, where fronts were factorised

  Factor() : Cholmod(CHOLMOD_AUTO, true) {}
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
  ~Factor() { cholmod_l_free_factor(&factor, &common); }

  /// The structure, without values; of an earlier factor nothing is left.
  Order analyse(const sparse::SymmetricCsr& a) {
    tree.reset();
    cholmod_l_free_factor(&factor, &common);
    throw_if_interrupted();  // CHOLMOD itself does not stop on its way
    Order order = fill_reducing_order(a, common);
    factor = order.supernodes;
    if (order.row.empty()) check("analyze");
    log::debug("factorisation: {} unknowns, {:.3g} entries of the factor, {:.3g} operations", a.rows,
               order.entries, order.flops);
    return order;
  }

  /// The factor has its structure already. sign: as factorise_fronts() of multifrontal.hpp has it.
  void factorise_fronts(const sparse::SymmetricCsr& a, double flops, std::int8_t* sign = nullptr) {
    const BlasThreads one(1);
    const int threads = flops < min_flops_of_threads ? 1 : max_callers_of_blas();
    // As zeroed pages, which nobody has written to before the threads put the matrix there.
    factor->x = cholmod_l_calloc(factor->xsize, sizeof(double), &common);
    check("calloc");
    factor->xtype = CHOLMOD_REAL;
    try {
      tree.emplace(*factor);
      const std::int64_t bad = detail::factorise_fronts(*tree, a, threads, sign);
      factor->minor = bad < 0 ? factor->n : static_cast<std::size_t>(bad);
    } catch (const std::bad_alloc&) {
      common.status = CHOLMOD_OUT_OF_MEMORY;
      check("factorize");
    }
  }

  void solve_fronts(std::span<const double> b, std::span<double> x, std::int64_t columns) const {
    const BlasThreads one(1);
    const int threads = max_callers_of_blas();
    const std::span<const SuiteSparse_long> order = tree->order();
    std::vector<double> ordered(b.size());
    for (std::size_t j = 0; j < b.size(); j += order.size()) {
      for (std::size_t i = 0; i < order.size(); ++i)
        ordered[j + i] = b[j + static_cast<std::size_t>(order[i])];
    }
    detail::solve_fronts(*tree, ordered.data(), columns, threads);
    for (std::size_t j = 0; j < b.size(); j += order.size()) {
      for (std::size_t i = 0; i < order.size(); ++i)
        x[j + static_cast<std::size_t>(order[i])] = ordered[j + i];
    }
  }

  /// By CHOLMOD, in the order that was found.
  void factorise_columns(const sparse::SymmetricCsr& a, Order& order) {
    cholmod_l_free_factor(&factor, &common);
    Lower lower(a);
    const int methods = common.nmethods;
    const int ordering = common.method[0].ordering;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    factor = cholmod_l_analyze_p(&lower.matrix, order.row.data(), nullptr, 0, &common);
    common.nmethods = methods;
    common.method[0].ordering = ordering;
    check("analyze");
    throw_if_interrupted();
    const BlasThreads team(common.fl < many_flops ? 1 : max_blas_threads());
    cholmod_l_factorize(&lower.matrix, factor, &common);
    check("factorize");
  }

  /// Throws when the last call failed for want of memory or because of its size.
  void check(const char* call) const {
    if (common.status >= 0) return;
    if (common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE) {
      throw Error(Fault::resource,
                  fmt::format("out of memory for the sparse factorisation ({} in use by it)",
                              format_bytes(common.memory_inuse)),
                  "use a smaller model, or an iterative solver");
    }
    throw Error(Fault::internal, fmt::format("CHOLMOD failed in {} with status {}", call, common.status));
  }
};

}  // namespace detail

struct Cholesky::State : detail::Factor {
  Cholesky::Pivot min;
};

bool Cholesky::available() {
  return true;
}

Cholesky::Cholesky() : state_(std::make_unique<State>()) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

std::int32_t Cholesky::factorise(const sparse::SymmetricCsr& a) {
  const cholmod_common& common = state_->common;
  detail::Order order = state_->analyse(a);
  if (a.rows > 0 && order.worth_supernodes(common) && detail::can_factorise_fronts()) {
    state_->factorise_fronts(a, order.flops);
  } else {
    state_->factorise_columns(a, order);
  }
  throw_if_interrupted();
  if (common.status == CHOLMOD_NOT_POSDEF || state_->factor->minor < state_->factor->n) {
    const auto* row = static_cast<const SuiteSparse_long*>(state_->factor->Perm);
    return static_cast<std::int32_t>(row[std::min(state_->factor->minor, state_->factor->n - 1)]);
  }
  state_->min = min_pivot_of(*state_->factor, a);
  return -1;
}

Cholesky::Pivot Cholesky::min_pivot() const {
  return state_->min;
}

void Cholesky::solve(std::span<const double> b, std::span<double> x) const {
  solve(b, x, 1);
}

void Cholesky::solve(std::span<const double> b, std::span<double> x, std::int64_t columns) const {
  SETKA_ASSERT(state_->factor != nullptr);
  const std::size_t n = state_->factor->n;
  const auto width = static_cast<std::size_t>(columns);
  require(b.size() == n * width && x.size() == n * width, [&] {
    return fmt::format("Cholesky::solve: the matrix has {} rows, the vectors {} and {} entries in {} columns",
                       n, b.size(), x.size(), columns);
  });
  if (state_->tree && detail::can_solve_fronts()) return state_->solve_fronts(b, x, columns);
  cholmod_dense right{};
  right.nrow = right.d = n;
  right.nzmax = n * width;
  right.ncol = width;
  right.x = const_cast<double*>(b.data());  // read only there
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  const detail::BlasThreads one(1);
  cholmod_dense* solution = cholmod_l_solve(CHOLMOD_A, state_->factor, &right, &state_->common);
  state_->check("solve");
  const auto* values = static_cast<const double*>(solution->x);
  std::copy(values, values + n * width, x.begin());
  cholmod_l_free_dense(&solution, &state_->common);
}

std::int64_t Cholesky::factor_entries() const {
  if (state_->factor == nullptr) return 0;
  return static_cast<std::int64_t>(state_->factor->is_super != 0 ? state_->factor->xsize
                                                                 : state_->factor->nzmax);
}

void side_by_side(int threads, std::int64_t count, const std::function<void(std::int64_t)>& body) {
  // What each body asks for is then what there is already: none changes it under another.
  const detail::BlasThreads one(1);
  detail::loop_side_by_side(threads, count, body);
}

std::optional<std::int64_t> negative_pivots(const sparse::SymmetricCsr& a, double max_flops) {
  throw_if_interrupted();
  if (a.rows > 0 && detail::can_factorise_fronts()) {
    try {
      detail::Factor own;
      const detail::Order order = own.analyse(a);
      if (order.flops > max_flops) return std::nullopt;
      if (order.worth_supernodes(own.common)) {
        std::vector<std::int8_t> sign(static_cast<std::size_t>(a.rows));
        own.factorise_fronts(a, order.flops, sign.data());
        if (own.factor->minor < own.factor->n) return std::nullopt;
        return count_negative(*own.factor, a,
                              [&](std::size_t j, double entry) { return sign[j] * entry * entry; });
      }
    } catch (const Error& error) {
      if (error.fault() != Fault::resource) throw;
      return std::nullopt;
    }
  }
  // The supernodal kind of CHOLMOD knows positive definite matrices alone.
  detail::Cholmod cholmod(CHOLMOD_SIMPLICIAL, false);
  cholmod_common& common = cholmod.common;
  Lower lower(a);
  std::optional<std::int64_t> negative;
  cholmod_factor* factor = cholmod_l_analyze(&lower.matrix, &common);
  if (factor != nullptr && common.fl <= max_flops) {
    cholmod_l_factorize(&lower.matrix, factor, &common);
    if (common.status == CHOLMOD_OK && factor->minor >= factor->n)
      negative = count_negative(*factor, a, [](std::size_t /*row*/, double pivot) { return pivot; });
  }
  cholmod_l_free_factor(&factor, &common);
  return negative;
}

}  // namespace setka::solve
