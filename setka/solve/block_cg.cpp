// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/block_cg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/iterations.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/attainable_residual.hpp"
#include "setka/solve/block_cg_kernel.hpp"
#include "setka/solve/detail/krylov.hpp"
#include "setka/solve/small_matrix.hpp"
#include "setka/solve/stagnation.hpp"

namespace setka::solve {
namespace {

using Block = exec::MultiView<double>;
using ConstBlock = exec::MultiView<const double>;

/// Of directions of the residual, which had unit length an iteration before: a shorter one changes a column's
/// residual by less than that part. The second is of directions that rounding had hidden, at 3e-7.
constexpr double shortest = 1e-12;
constexpr double shortest_hidden = 1e-5;
constexpr int max_passes = 3;

/// Of eigenvalues of matrices scaled to a unit diagonal: how far below zero rounding may put them. The
/// preconditioner may be in single precision and have eigenvalues far apart.
constexpr double slack_of_matrix = 1e-10;
constexpr double slack_of_preconditioner = 1e-4;

/// Takes small matrices from the host to the device and back.
class Ferry {
 public:
  explicit Ferry(const exec::Stream& stream)
      : stream_(stream),
        on_device_(stream.device(), places * room),
        on_host_(exec::host_array_for<double>(stream.device(), places * room)) {}

  /// member: of a team that has the other rows of all blocks.
  void take(const exec::Stream& stream, const exec::Member* member) {
    stream_ = stream;
    member_ = member;
  }

  /// X'Y of each pair, on the host; waits for the stream, once.
  std::vector<SmallMatrix> inner(std::initializer_list<std::pair<ConstBlock, ConstBlock>> pairs) {
    std::vector<SmallMatrix> products;
    std::int64_t size = 0;  // they lie one after the other
    for (const auto& [x, y] : pairs) {
      exec::inner(stream_, x, y, {on_device_.data() + size, x.columns, y.columns, y.columns});
      size += x.columns * y.columns;
      products.emplace_back(x.columns, y.columns);
    }
    if (member_ != nullptr) member_->sum(stream_, {on_device_.data(), size});
    exec::copy_async<double>(stream_, exec::View<const double>{on_device_.data(), size},
                             {on_host_.data(), size});
    stream_.synchronize();
    const double* from = on_host_.data();
    for (SmallMatrix& product : products) {
      std::copy_n(from, product.value.size(), product.value.data());
      from += product.value.size();
    }
    return products;
  }

  /// The matrix on the device, for the operation that is given next. Waits for nothing: between two uses of a
  /// place inner() waits.
  ConstBlock to_device(const SmallMatrix& a) {
    const std::int64_t place = downward + next_++ % upward;
    std::copy(a.value.begin(), a.value.end(), on_host(place));
    const auto size = static_cast<std::int64_t>(a.value.size());
    exec::copy_async<double>(stream_, exec::View<const double>{on_host(place), size},
                             {on_device(place), size});
    return {on_device(place), a.rows, a.columns, a.columns};
  }

 private:
  static constexpr std::int64_t room = max_block_columns * max_block_columns;
  static constexpr std::int64_t downward = 2;
  static constexpr std::int64_t upward = 6;
  static constexpr std::int64_t places = downward + upward;

  double* on_device(std::int64_t place) { return on_device_.data() + place * room; }
  double* on_host(std::int64_t place) { return on_host_.data() + place * room; }

  exec::Stream stream_;
  const exec::Member* member_ = nullptr;
  exec::Array<double> on_device_;
  exec::Array<double> on_host_;
  std::int64_t next_ = 0;
};

/// A right-hand side on its way.
struct Column {
  double size = 0;      // |b|
  double residual = 0;  // |b - A x| as computed from x
  bool active = false;  // takes part in the rounds to come
  int reached = -1;     // the iteration at which the recurrence came below its target; -1: it is above
};

/// Blocks of the size of X, and what small matrices travel in.
struct Memory {
  Memory(const exec::Stream& stream, std::int64_t entries)
      : w(stream.device(), entries),
        q(stream.device(), entries),
        s(stream.device(), entries),
        z(stream.device(), entries),
        spare(stream.device(), entries),
        ferry(stream) {}

  exec::Array<double> w;
  exec::Array<double> q;
  exec::Array<double> s;
  exec::Array<double> z;
  exec::Array<double> spare;
  Ferry ferry;
};

enum class RoundEnd { not_yet, reached, max_iterations, stagnated, singular, indefinite, not_finite };

class Run {
 public:
  Run(const exec::Stream& stream, const Operator& a, const Operator& preconditioner, ConstBlock b, Block x,
      const SolverOptions& options, Memory& memory)
      : stream_(stream),
        a_(a),
        preconditioner_(preconditioner),
        b_(b),
        x_(x),
        options_(options),
        ferry_(memory.ferry),
        w_(memory.w),
        q_(memory.q),
        s_(memory.s),
        z_(memory.z),
        spare_(memory.spare) {}

  int iterations() const { return iterations_; }

  /// W = B - A X; the norms of its columns.
  std::vector<double> residuals() {
    a_.apply(stream_, x_, block(q_, x_.columns));
    exec::parallel_for(stream_, x_.rows * x_.columns,
                       kernel::BlockResidual{b_, block(q_, x_.columns), block(w_, x_.columns)});
    return column_norms(block(w_, x_.columns));
  }

  std::vector<double> column_norms(ConstBlock block) {
    exec::Array<double> sums(stream_.device(), block.columns);
    exec::column_dots(stream_, block, block, sums);
    if (a_.member() != nullptr) a_.member()->sum(stream_, sums);
    stream_.synchronize();  // the copy is ordered after the main stream
    std::vector<double> norms = sums.to_vector();
    for (double& norm : norms) norm = std::sqrt(norm);
    return norms;
  }

  /// From the residuals that lie in W, of the active columns.
  RoundEnd round(std::vector<Column>& columns, Iterations& progress);

 private:
  Block block(exec::Array<double>& memory, std::int64_t columns) const {
    return {memory.data(), x_.rows, columns, columns};
  }

  /// What is made of small matrices, the same to the last bit at all members of a team.
  template <class Make>
  auto agreed(const Make& make) const {
    return a_.member() == nullptr ? make() : a_.member()->agreed(make);
  }

  void take_active(const std::vector<Column>& columns);
  bool orthonormalise();
  RoundEnd judge(std::vector<Column>& columns, Iterations& progress);
  RoundEnd step(bool first);
  void turn();

  exec::Stream stream_;
  const Operator& a_;
  const Operator& preconditioner_;
  ConstBlock b_;
  Block x_;
  SolverOptions options_;
  Ferry& ferry_;
  int iterations_ = 0;

  std::vector<std::int64_t> taken_;     // columns of X that the round is about
  std::vector<Stagnation> stagnation_;  // of each
  std::int64_t width_ = 0;              // columns of W, and of S
  SmallMatrix sigma_;                   // [width, columns of X]: R = W sigma, zero for columns not taken
  SmallMatrix curvature_;               // S'AS
  exec::Array<double>& w_;
  exec::Array<double>& q_;
  exec::Array<double>& s_;
  exec::Array<double>& z_;
  exec::Array<double>& spare_;
};

/// W becomes its active columns, scaled to unit length.
void Run::take_active(const std::vector<Column>& columns) {
  taken_.clear();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].active) taken_.push_back(static_cast<std::int64_t>(j));
  }
  width_ = static_cast<std::int64_t>(taken_.size());
  stagnation_.assign(taken_.size(), Stagnation(options_.stagnation_window));
  sigma_ = SmallMatrix(width_, x_.columns);
  SmallMatrix choice(2, width_);
  for (std::int64_t k = 0; k < width_; ++k) {
    const std::int64_t j = taken_[static_cast<std::size_t>(k)];
    const double size = columns[static_cast<std::size_t>(j)].residual;
    sigma_(k, j) = size;
    choice(0, k) = static_cast<double>(j);
    choice(1, k) = 1 / size;
  }
  const ConstBlock there = ferry_.to_device(choice);
  exec::parallel_for(
      stream_, x_.rows * width_,
      kernel::TakeColumns{block(w_, x_.columns), there.data, there.data + width_, block(spare_, width_)});
  std::swap(w_, spare_);
}

/// W sigma = W' sigma' with orthonormal W', of no more columns than W. False when W holds a NaN.
bool Run::orthonormalise() {
  for (int pass = 1; width_ > 0; ++pass) {
    const SmallMatrix gram = ferry_.inner({{block(w_, width_), block(w_, width_)}})[0];
    if (agreed([&] { return definiteness(gram, 0); }) == Definiteness::not_finite) return false;
    const auto [made, sigma] = agreed([&] {
      Orthonormaliser own = orthonormaliser(gram, pass == 1 ? shortest : shortest_hidden, pass == max_passes);
      SmallMatrix of_residuals = own.factor * sigma_;
      return std::pair(std::move(own), std::move(of_residuals));
    });
    const std::int64_t fewer = made.transform.columns;
    if (fewer > 0) {
      exec::multiply_small(stream_, 1.0, block(w_, width_), ferry_.to_device(made.transform), 0.0,
                           block(spare_, fewer));
      std::swap(w_, spare_);
    }
    sigma_ = sigma;
    width_ = fewer;
    if (made.complete) break;
  }
  return true;
}

/// X += S alpha sigma, W = (W - Q alpha), not orthonormal yet.
RoundEnd Run::step(bool first) {
  const Block s = block(s_, width_);
  const Block q = block(q_, width_);
  const Block w = block(w_, width_);
  a_.apply(stream_, s, q);
  std::vector<SmallMatrix> products = ferry_.inner({{s, q}, {s, w}});
  curvature_ = std::move(products[0]);
  struct Decided {
    RoundEnd end;
    SmallMatrix alpha;
    SmallMatrix of_x;  // alpha sigma

    auto parts() { return std::tie(end, alpha, of_x); }
  };
  const Decided decided = agreed([&]() -> Decided {
    const Definiteness matrix = definiteness(curvature_, slack_of_matrix);
    const Definiteness preconditioner = definiteness(products[1], slack_of_preconditioner);
    for (const Definiteness found : {matrix, preconditioner}) {
      if (found == Definiteness::not_finite) return {RoundEnd::not_finite, {}, {}};
      if (found == Definiteness::indefinite) return {RoundEnd::indefinite, {}, {}};
    }
    if (matrix == Definiteness::singular) return {first ? RoundEnd::indefinite : RoundEnd::singular, {}, {}};
    SmallMatrix alpha = solve_positive(curvature_, products[1]);
    SmallMatrix of_x = alpha * sigma_;
    return {RoundEnd::not_yet, std::move(alpha), std::move(of_x)};
  });
  if (decided.end != RoundEnd::not_yet) return decided.end;
  exec::multiply_small(stream_, 1.0, s, ferry_.to_device(decided.of_x), 1.0, x_);
  exec::multiply_small(stream_, -1.0, q, ferry_.to_device(decided.alpha), 1.0, w);
  return RoundEnd::not_yet;
}

/// S = M W, made conjugate to the S before it.
void Run::turn() {
  const std::int64_t before = curvature_.rows;
  const Block z = block(z_, width_);
  preconditioner_.apply(stream_, block(w_, width_), z);
  if (before > 0) {
    const SmallMatrix overlap = ferry_.inner({{block(q_, before), z}})[0];
    const SmallMatrix beta = agreed([&] { return solve_positive(curvature_, overlap); });
    exec::multiply_small(stream_, -1.0, block(s_, before), ferry_.to_device(beta), 1.0, z);
  }
  std::swap(s_, z_);
}

/// Notes which columns have reached their target, and whether the round is at its end.
RoundEnd Run::judge(std::vector<Column>& columns, Iterations& progress) {
  double largest = 0;
  bool all_reached = true;
  bool some_falls = false;
  for (std::size_t k = 0; k < taken_.size(); ++k) {
    Column& column = columns[static_cast<std::size_t>(taken_[k])];
    double square = 0;  // of the residual: W is orthonormal
    for (std::int64_t i = 0; i < width_; ++i) square += sigma_(i, taken_[k]) * sigma_(i, taken_[k]);
    const double relative = std::sqrt(square) / column.size;
    largest = std::max(largest, relative);
    if (relative <= 0.99 * options_.tolerance) {  // the recurrence may be a little better than the truth
      if (column.reached < 0) column.reached = iterations_;
      continue;
    }
    column.reached = -1;
    all_reached = false;
    if (!stagnation_[k].reached(iterations_, square)) some_falls = true;
  }
  progress.advance("residual", largest, options_.tolerance);
  if (all_reached) return RoundEnd::reached;
  return some_falls ? RoundEnd::not_yet : RoundEnd::stagnated;
}

RoundEnd Run::round(std::vector<Column>& columns, Iterations& progress) {
  take_active(columns);
  if (!orthonormalise()) return RoundEnd::not_finite;
  curvature_ = SmallMatrix();
  for (bool first = true;; first = false) {
    if (width_ == 0) return RoundEnd::reached;  // nothing is left of the residual but rounding
    if (iterations_ == options_.max_iterations) return RoundEnd::max_iterations;
    turn();
    RoundEnd end = step(first);
    if (end != RoundEnd::not_yet) return end;
    ++iterations_;
    if (!orthonormalise()) return RoundEnd::not_finite;
    end = judge(columns, progress);
    if (end != RoundEnd::not_yet) return end;
  }
}

Status status_of(RoundEnd end) {
  switch (end) {
    case RoundEnd::not_yet:
    case RoundEnd::reached:
      return Status::converged;
    case RoundEnd::max_iterations:
      return Status::max_iterations;
    case RoundEnd::stagnated:
      return Status::stagnated;
    case RoundEnd::singular:
    case RoundEnd::indefinite:
      return Status::not_positive_definite;
    case RoundEnd::not_finite:
      return Status::not_a_number;
  }
  return Status::stagnated;
}

bool explained_by_rounding(const exec::Stream& stream, const Operator& a, ConstBlock x, std::int64_t j,
                           const Column& column) {
  // With forces that nothing balances x grows without end, and rounding would explain any residual: hence the
  // first bound.
  if (column.residual > 1e-5 * column.size) return false;
  const exec::Array<double> choice(stream.device(), std::vector<double>{static_cast<double>(j), 1.0});
  exec::Array<double> alone(stream.device(), x.rows);
  exec::parallel_for(stream, x.rows,
                     kernel::TakeColumns{x, choice.data(), choice.data() + 1, {alone.data(), x.rows, 1, 1}});
  return column.residual <= attainable_residual(stream, a, alone);
}

}  // namespace

bool BlockOutcome::converged() const {
  return std::all_of(column.begin(), column.end(),
                     [](const ColumnOutcome& one) { return one.status == Status::converged; });
}

struct BlockCg::Vectors : Memory {
  using Memory::Memory;
};

BlockCg::BlockCg(const SolverOptions& options) : options_(options) {}
BlockCg::~BlockCg() = default;

BlockOutcome BlockCg::solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                            exec::MultiView<const double> b, exec::MultiView<double> x, Monitor& monitor) {
  const std::int64_t n = a.rows();
  require(a.columns() == n && b.rows == n && x.rows == n && preconditioner.rows() == n &&
              preconditioner.columns() == n && b.columns == x.columns,
          [&] {
            return fmt::format(
                "BlockCg: the operator is [{} x {}] and the preconditioner [{} x {}], but B is [{} x {}] and "
                "X [{} x {}]",
                n, a.columns(), preconditioner.rows(), preconditioner.columns(), b.rows, b.columns, x.rows,
                x.columns);
          });
  require(x.columns <= max_block_columns, [&] {
    return fmt::format("BlockCg: {} right-hand sides; at most {} go together", x.columns, max_block_columns);
  });
  BlockOutcome outcome;
  outcome.column.resize(static_cast<std::size_t>(x.columns));
  // A member of a team without rows still takes part in the sums.
  if ((n == 0 && a.member() == nullptr) || x.columns == 0) return outcome;
  detail::check_reach("BlockCg", stream.device(), b.data, x.data);
  Iterations progress(monitor, "block conjugate gradients");
  if (vectors_ == nullptr || !(vectors_->w.device() == stream.device()) ||
      vectors_->w.size() < x.rows * x.columns) {
    vectors_ = std::make_unique<Vectors>(stream, x.rows * x.columns);
  }
  vectors_->ferry.take(stream, a.member());
  Run run(stream, a, preconditioner, b, x, options_, *vectors_);
  std::vector<Column> columns(outcome.column.size());
  const std::vector<double> sizes = run.column_norms(b);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j].size = sizes[j] > 0 ? std::max(sizes[j], options_.min_rhs_norm) : sizes[j];
    columns[j].active = true;
    if (sizes[j] == 0) {
      exec::parallel_for(stream, n, kernel::FillColumn{x, static_cast<std::int64_t>(j), 0.0});
    }
  }
  std::vector<double> residuals = run.residuals();
  RoundEnd end = RoundEnd::reached;
  for (bool first = true;; first = false) {
    bool some_left = false;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      Column& column = columns[j];
      const double before = std::exchange(column.residual, residuals[j]);
      if (!column.active) continue;
      ColumnOutcome& one = outcome.column[j];
      if (column.residual <= options_.tolerance * column.size) {
        one.iterations = first ? 0 : column.reached >= 0 ? column.reached : run.iterations();
        one.status = Status::converged;
        column.active = false;
        continue;
      }
      one.iterations = run.iterations();
      const bool goes_on = end == RoundEnd::reached || end == RoundEnd::singular;
      if (!std::isfinite(column.residual) || !std::isfinite(column.size)) {
        one.status = Status::not_a_number;
        column.active = false;
      } else if (!goes_on || (!first && column.residual > 0.5 * before)) {
        one.status = end == RoundEnd::reached ? Status::stagnated : status_of(end);
        column.active = false;
      } else {
        some_left = true;
      }
    }
    if (!some_left) break;
    for (Column& column : columns) column.reached = -1;
    end = run.round(columns, progress);
    residuals = run.residuals();
  }
  outcome.iterations = run.iterations();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    ColumnOutcome& one = outcome.column[j];
    one.residual = columns[j].size > 0 ? columns[j].residual / columns[j].size : columns[j].residual;
    if (one.status == Status::stagnated &&
        explained_by_rounding(stream, a, x, static_cast<std::int64_t>(j), columns[j])) {
      one.status = Status::converged;
    }
  }
  return outcome;
}

}  // namespace setka::solve
