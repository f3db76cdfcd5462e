// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/domains/coarse_space.hpp"
#include "setka/domains/overlap.hpp"
#include "setka/domains/partition.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

enum class SchwarzMethod {
  additive,        // solutions of all parts from one residual, added up by weights
  restricted,      // the same, each part's kept at its own rows alone: unsymmetric, for GMRES
  multiplicative,  // one colour of parts after the other and back, each from the residual that is left
};

/// "additive", "restricted" or "multiplicative"; an Error(Fault::usage) for other words.
SchwarzMethod schwarz_method_of(std::string_view word);

struct SchwarzOptions {
  SchwarzMethod method = SchwarzMethod::additive;
  int parts = 0;               // 0: as many as make parts of some thousand unknowns
  int overlap = 1;             // in layers of the matrix graph
  std::string local = "auto";  // see local_solver()
  bool coarse = true;          // a CoarseSpace besides
};

/// Schwarz's method of overlapping parts as a preconditioner of a symmetric positive definite matrix. Parts
/// are solved side by side by the threads of the CPU, and added up in their order: the number of threads does
/// not change a bit. All of it is the host's: vectors of a GPU cross the bus in each product, which waits.
///
/// Cost of a product: the local solutions of all parts, twice for a multiplicative sweep, which also
/// multiplies with A twice; twice more with a coarse space. Both keep a copy of A.
class Schwarz final : public solve::Operator {
 public:
  /// device: of the vectors; a: on any device, and not kept; rows: parts of its block rows, of which some may
  /// be empty. Error(Fault::input) where a part's matrix is not positive definite.
  Schwarz(const exec::Device& device, const sparse::BlockCsr<double>& a, const Partition& rows,
          const solve::AmgGeometry& geometry, const SchwarzOptions& options, Monitor& monitor);

  const exec::Device& device() const override { return device_; }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

  std::int64_t coarse_size() const { return coarse_ ? coarse_->size() : 0; }
  int colours() const { return static_cast<int>(colour_.size()); }

 private:
  void set_up(const sparse::BlockCsr<double>& a, const Partition& rows, const solve::AmgGeometry& geometry,
              Monitor& monitor);
  void colour_parts(const Graph& graph);
  void apply_on_host(std::span<const double> b, std::span<double> x) const;
  void add_solutions(std::span<const double> r, std::span<double> z) const;
  void correct(const std::vector<std::int32_t>& colour, std::span<const double> b, std::span<double> x) const;
  std::vector<double> residual(const std::vector<std::int32_t>& vertices, std::span<const double> b,
                               std::span<const double> x) const;
  std::vector<double> residual(std::span<const double> b, std::span<const double> x) const;
  std::vector<double> solve_part(std::size_t part, std::span<const double> right) const;

  exec::Device device_;
  SchwarzOptions options_;
  std::int64_t rows_;
  int block_;
  int threads_;
  std::vector<OverlappingPart> parts_;
  std::vector<std::unique_ptr<solve::Operator>> local_;  // null: nothing to solve
  std::optional<PartsOfVertices> places_;
  std::optional<CoarseSpace> coarse_;
  std::optional<sparse::BlockCsr<double>> a_;      // of residuals in between
  std::vector<std::vector<std::int32_t>> colour_;  // parts that do not couple, to be solved at once
};

/// The preconditioner for solve::SolverChoice::use(). Its parts are those of a partition of the matrix graph;
/// more parts than block rows are an Error(Fault::usage), as the restricted method is for other solvers than
/// GMRES, and an unsymmetric matrix.
solve::PreconditionerKind schwarz(const SchwarzOptions& options);

}  // namespace setka::domains
