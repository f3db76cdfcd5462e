// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <cholmod.h>
#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/huge_pages.hpp"
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

/// visit(column, entry) for the diagonal of the factor L with these values.
template <class Value, class Visit>
void each_diagonal_entry(const cholmod_factor& factor, const Value* values, const Visit& visit) {
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
      visit(static_cast<std::size_t>(column[s] + j), double{values[value[s] + j * rows + j]});
  }
}

const double* values_of(const cholmod_factor& factor) {
  return static_cast<const double*>(factor.x);
}

double diagonal_of(const sparse::SymmetricRows& a, std::size_t i) {
  return a.diagonal(static_cast<std::int64_t>(i));
}

/// The matrix with values of its own.
sparse::SymmetricCsr filled(const sparse::SymmetricRows& a) {
  sparse::SymmetricCsr matrix = *a.pattern;
  matrix.value.resize(static_cast<std::size_t>(matrix.stored()));
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    a.values(i, matrix.value.data() + matrix.offset[static_cast<std::size_t>(i)]);
  return matrix;
}

/// diagonal(row): that from which a pivot came.
template <class Value, class Diagonal>
Cholesky::Pivot min_pivot_of(const cholmod_factor& factor, const Value* values, const Diagonal& diagonal) {
  const auto* const order = static_cast<const SuiteSparse_long*>(factor.Perm);
  Cholesky::Pivot min;
  each_diagonal_entry(factor, values, [&](std::size_t j, double entry) {
    const auto row = static_cast<std::size_t>(order[j]);
    const double share = entry * entry / diagonal(row);
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
std::optional<std::int64_t> count_negative(const cholmod_factor& factor, const sparse::SymmetricRows& a,
                                           const PivotOf& pivot_of) {
  std::int64_t negative = 0;
  bool certain = true;
  const auto* const order = static_cast<const SuiteSparse_long*>(factor.Perm);
  each_diagonal_entry(factor, values_of(factor), [&](std::size_t j, double entry) {
    const double diagonal = diagonal_of(a, static_cast<std::size_t>(order[j]));
    const double pivot = pivot_of(j, entry);
    certain = certain && std::abs(pivot) > min_share_of_sign * std::abs(diagonal);
    if (pivot < 0) ++negative;
  });
  return certain ? std::optional(negative) : std::nullopt;
}

}  // namespace

namespace detail {

/// 1 / sqrt(a_ii): D A D has ones on its diagonal, and values that single precision holds whatever the units.
/// Nothing where an entry is not positive.
std::vector<double> to_unit_diagonal(const sparse::SymmetricRows& a) {
  std::vector<double> scale(static_cast<std::size_t>(a.pattern->rows));
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const double diagonal = diagonal_of(a, i);
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return {};
    scale[i] = 1 / std::sqrt(diagonal);
  }
  return scale;
}

/// Zeroed pages, which nobody has written to before the threads put the matrix there.
struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using SingleValues = std::unique_ptr<float[], Free>;

/// A factor with what CHOLMOD and fronts do with it.
struct Factor : Cholmod {
  cholmod_factor* factor = nullptr;
  std::optional<FrontTree> tree;  // of the factor, where fronts were factorised
  SingleValues single;            // of D A D, in the place of the factor's own
  std::vector<double> scale;      // [rows] D of it

  Factor() : Cholmod(CHOLMOD_AUTO, true) {}
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
  ~Factor() { cholmod_l_free_factor(&factor, &common); }

  /// The structure, without values; of an earlier factor nothing is left.
  Order analyse(const sparse::SymmetricCsr& a) {
    tree.reset();
    single.reset();
    cholmod_l_free_factor(&factor, &common);
    throw_if_interrupted();  // CHOLMOD itself does not stop on its way
    Order order = fill_reducing_order(a, common);
    factor = order.supernodes;
    if (order.row.empty()) check("analyze");
    log::debug("factorisation: {} unknowns, {:.3g} entries of the factor, {:.3g} operations", a.rows,
               order.entries, order.flops);
    return order;
  }

  /// The factor has its structure already. sign: as Elimination of multifrontal.hpp has it.
  void factorise_fronts(const sparse::SymmetricRows& a, double flops, std::int8_t* sign = nullptr) {
    // As zeroed pages, too.
    factor->x = cholmod_l_calloc(factor->xsize, sizeof(double), &common);
    check("calloc");
    prefer_huge_pages(factor->x, factor->xsize * sizeof(double));
    factor->xtype = CHOLMOD_REAL;
    Elimination how;
    how.sign = sign;
    const std::int64_t bad = eliminate(static_cast<double*>(factor->x), a, flops, how);
    factor->minor = bad < 0 ? factor->n : static_cast<std::size_t>(bad);
  }

  /// The same in single precision; false where that is not safe.
  bool factorise_in_single(const sparse::SymmetricRows& a, double flops) {
    scale = to_unit_diagonal(a);
    if (scale.empty()) return false;
    single.reset(static_cast<float*>(std::calloc(factor->xsize, sizeof(float))));
    if (single == nullptr) return false;
    prefer_huge_pages(single.get(), factor->xsize * sizeof(float));
    Elimination how;
    how.scale = scale;
    how.min_pivot = rough_factor_min_pivot;
    const std::int64_t bad = eliminate(single.get(), a, flops, how);
    if (bad >= 0) {
      single.reset();
      log::debug("factorisation: not in single precision, for want of digits at row {}", tree->order()[bad]);
    }
    return bad < 0;
  }

  template <class Value>
  std::int64_t eliminate(Value* values, const sparse::SymmetricRows& a, double flops, Elimination how) {
    const BlasThreads one(1);
    how.threads = flops < min_flops_of_threads ? 1 : max_callers_of_blas();
    try {
      if (!tree) tree.emplace(*factor);
      return detail::factorise_fronts(*tree, values, a, how);
    } catch (const std::bad_alloc&) {
      common.status = CHOLMOD_OUT_OF_MEMORY;
      check("factorize");
      throw;
    }
  }

  void solve_fronts(std::span<const double> b, std::span<double> x, std::int64_t columns) const {
    const BlasThreads one(1);
    const int threads = max_callers_of_blas();
    const std::span<const SuiteSparse_long> order = tree->order();
    if (single != nullptr) return solve_in_single(b, x, columns, threads);
    std::vector<double> ordered(b.size());
    for (std::size_t j = 0; j < b.size(); j += order.size()) {
      for (std::size_t i = 0; i < order.size(); ++i)
        ordered[j + i] = b[j + static_cast<std::size_t>(order[i])];
    }
    detail::solve_fronts(*tree, static_cast<const double*>(factor->x), ordered.data(), columns, threads);
    for (std::size_t j = 0; j < b.size(); j += order.size()) {
      for (std::size_t i = 0; i < order.size(); ++i)
        x[j + static_cast<std::size_t>(order[i])] = ordered[j + i];
    }
  }

  void solve_in_single(std::span<const double> b, std::span<double> x, std::int64_t columns,
                       int threads) const {
    const std::span<const SuiteSparse_long> order = tree->order();
    std::vector<float> ordered(b.size());
    std::vector<double> size;  // of the columns, which single precision might not hold
    for (std::size_t j = 0; j < b.size(); j += order.size()) {
      double most = 0;
      for (std::size_t i = 0; i < order.size(); ++i) most = std::max(most, std::abs(scale[i] * b[j + i]));
      size.push_back(most > 0 ? most : 1);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto row = static_cast<std::size_t>(order[i]);
        ordered[j + i] = static_cast<float>(scale[row] * b[j + row] / size.back());
      }
    }
    detail::solve_fronts(*tree, static_cast<const float*>(single.get()), ordered.data(), columns, threads);
    for (std::size_t j = 0; j < b.size(); j += order.size()) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto row = static_cast<std::size_t>(order[i]);
        x[j + row] = scale[row] * size[j / order.size()] * ordered[j + i];
      }
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
  std::optional<detail::Order> ordered;  // for the next factorisation

  std::int32_t factorise(const sparse::SymmetricRows& a, double rough_from);
};

bool Cholesky::available() {
  return true;
}

Cholesky::Cholesky() : state_(std::make_unique<State>()) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

void Cholesky::order(const sparse::SymmetricCsr& pattern) {
  state_->ordered = state_->analyse(pattern);
}

std::int32_t Cholesky::factorise(const sparse::SymmetricCsr& a) {
  return factorise(sparse::rows_of(a));
}

std::int32_t Cholesky::factorise(const sparse::SymmetricRows& a) {
  return state_->factorise(a, std::numeric_limits<double>::infinity());
}

std::int32_t Cholesky::factorise_roughly(const sparse::SymmetricRows& a, double min_flops) {
  return state_->factorise(a, min_flops);
}

std::int32_t Cholesky::factorise_roughly(const sparse::SymmetricCsr& a, double min_flops) {
  return factorise_roughly(sparse::rows_of(a), min_flops);
}

bool Cholesky::rough() const {
  return state_->single != nullptr;
}

/// rough_from: operations from which single precision is tried.
std::int32_t Cholesky::State::factorise(const sparse::SymmetricRows& a, double rough_from) {
  const std::int32_t rows = a.pattern->rows;
  detail::Order order = ordered ? std::move(*ordered) : analyse(*a.pattern);
  ordered.reset();
  SETKA_ASSERT(factor == nullptr || static_cast<std::int32_t>(factor->n) == rows);
  if (rows == 0 || !order.worth_supernodes(common) || !detail::can_factorise_fronts()) {
    factorise_columns(filled(a), order);
  } else if (order.flops >= rough_from && factorise_in_single(a, order.flops)) {
    min = min_pivot_of(*factor, single.get(), [](std::size_t /*row*/) { return 1.0; });
    log::debug("factorisation: in single precision, pivots down to {:.1e} of their diagonals", min.share);
    return -1;
  } else {
    factorise_fronts(a, order.flops);
  }
  throw_if_interrupted();
  if (common.status == CHOLMOD_NOT_POSDEF || factor->minor < factor->n) {
    const auto* row = static_cast<const SuiteSparse_long*>(factor->Perm);
    return static_cast<std::int32_t>(row[std::min(factor->minor, factor->n - 1)]);
  }
  min = min_pivot_of(*factor, values_of(*factor), [&](std::size_t row) { return diagonal_of(a, row); });
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

std::optional<FactorSize> size_of_factor(const FactorGraph& graph) {
  const FactorSize size = detail::size_of_factor(graph);
  return size.entries > 0 ? std::optional(size) : std::nullopt;
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
        const sparse::SymmetricRows by_rows = sparse::rows_of(a);
        own.factorise_fronts(by_rows, order.flops, sign.data());
        if (own.factor->minor < own.factor->n) return std::nullopt;
        return count_negative(*own.factor, by_rows,
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
      negative = count_negative(*factor, sparse::rows_of(a),
                                [](std::size_t /*row*/, double pivot) { return pivot; });
  }
  cholmod_l_free_factor(&factor, &common);
  return negative;
}

}  // namespace setka::solve
