// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/coarse_start.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "setka/base/log.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/operator.hpp"

namespace setka::modes {
namespace {

/// What the coarse level leaves out is some hundredths of its modes: nearer than this they need not be known.
constexpr double tolerance_of_start = 0.05;
constexpr int max_iterations_of_start = 12;

/// A level of fewer unknowns a column has no room for so many modes.
constexpr std::int64_t min_unknowns_a_column = 20;

/// Multigrid from its first coarse level on.
class Below final : public solve::Operator {
 public:
  explicit Below(const solve::Amg& multigrid) : multigrid_(multigrid) {}
  const exec::Device& device() const override { return multigrid_.device(); }
  std::int64_t rows() const override { return multigrid_.coarse()->scalar_rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    multigrid_.apply_below(stream, {x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
  }
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    multigrid_.apply_below(stream, x, y);
  }

 private:
  const solve::Amg& multigrid_;
};

}  // namespace

Start coarse_start(const exec::Stream& stream, solve::Amg& multigrid, const sparse::BlockCsr<double>* a,
                   const sparse::BlockCsr<double>* b, std::int64_t columns, Monitor& monitor) {
  Start start{multigrid.rows(), 0, exec::Array<double>(stream.device())};
  const sparse::BlockCsr<double>* const own = multigrid.coarse();
  columns = std::min(columns, max_lobpcg_columns);
  if (own == nullptr) return start;
  if (own->scalar_rows() >= min_unknowns_a_column * columns) {
    const Stage stage = monitor.stage("modes of a coarse level");
    const sparse::BlockCsr<double> other = multigrid.coarse_of(a != nullptr ? *a : *b);
    Request request;
    request.count = columns;
    request.guards = 0;
    request.tolerance = tolerance_of_start;
    request.max_iterations = max_iterations_of_start;
    LobpcgOptions options;
    options.search_iterations = 0;
    const solve::BlockCsrOperator coarse_a(a != nullptr ? other : *own);
    const solve::BlockCsrOperator coarse_b(b != nullptr ? other : *own);
    const Modes coarse = lobpcg(stream, coarse_a, coarse_b, Below(multigrid), request, monitor, options);
    start.columns = static_cast<std::int64_t>(coarse.lambda.size());
    const exec::Array<double> shapes(stream.device(), coarse.shape);
    start.values = exec::Array<double>(stream.device(), start.rows * start.columns);
    multigrid.prolong(stream, {shapes.data(), coarse.rows, start.columns, start.columns},
                      {start.values.data(), start.rows, start.columns, start.columns});
    stream.synchronize();  // `shapes` ends
    log::debug("modes: {} iterations on a level of {} unknowns to begin with", coarse.iterations,
               coarse.rows);
  }
  multigrid.release_coarse();
  return start;
}

}  // namespace setka::modes
