// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/chebyshev.hpp"
#include "setka/solve/interpolation.hpp"
#include "setka/solve/mode_values.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve {

struct AmgOptions {
  double strength_threshold = 2.2;  // in distances to the nearest neighbour; see strong_neighbours()
  int smoother_degree = 2;          // of the polynomial, before and after the coarse level
  double smoothing_ratio = 8;       // of the highest to the lowest eigenvalue that the smoother damps
  double smoothing_ratio_above_given =
      14;                             // the same on a level whose prolongation is given, and not smoothed
  double spring_share = 0.003;        // of springs in a given interpolation; see add_springs()
  int max_members_below_springs = 8;  // of an aggregate there, but for those that are left over
  double patch_coupling = 0.6;        // above it rows are smoothed together there; see strong_patches()
  int max_patch_members = 8;          // of those
  int max_coarse_size = 600;          // unknowns that are solved directly
  int max_levels = 12;
  int max_visits = 4;          // of a coarse level in a cycle, where one leaves too much of the error
  bool refreshable = false;    // keep what refresh() needs: about a tenth more memory
  bool keeps_coarse = false;   // for coarse(), as on one device: about a quarter of the matrix
  bool visits_finest = false;  // several times as well, for there is a level above it
  bool springs_above = false;  // that level has a given interpolation with springs
  /// Bytes of a level's matrix, in single precision and a member of a team, that take less time to pass than
  /// members take to tell each other of it; 0: of the device.
  std::int64_t gathered_below = 0;
};

/// What multigrid is told of a matrix beside its values.
struct AmgGeometry {
  int modes = 0;                         // the width of the near-nullspace
  ModeValues mode = {};                  // [rows, modes] row-major
  std::vector<double> coordinates = {};  // [block rows, 3]; may be empty
  /// Makes the first coarse level where it is given: corners for second-order elements.
  Interpolation first = {};
};

/// Algebraic multigrid by smoothed aggregation (Vanek, Mandel, Brezina 1996) as a preconditioner: one V-cycle
/// in single precision. The hierarchy reproduces the given modes, for elasticity the rigid motions, so that
/// blocks of 2 become blocks of 3 and those of 3 become blocks of 6 on the coarser levels. A first level of
/// another kind can be given.
///
/// Thin parts make coarse levels that the levels below them approximate badly. The spectrum of what a level
/// is approximated by is measured, and where it is wide the level is visited several times in a cycle, as
/// steps of Chebyshev's method (algebraic multilevel iteration; Axelsson, Vassilevski 1990, who fix the
/// degree).
class Amg final : public Operator {
 public:
  /// a: symmetric, with blocks of 1 to 6; modes: up to as many as a block has unknowns, up to 3 for blocks of
  /// 2 and up to 6 for blocks of 3 (block_shapes.hpp). Entries of the modes at places that are no unknowns (a
  /// constrained degree of freedom kept to fill a block) are zero.
  /// The hierarchy is made on the device, where a matrix that lies elsewhere is copied to; only the choice of
  /// the aggregates is the host's.
  Amg(const exec::Device& device, const sparse::BlockCsr<double>& a, AmgGeometry geometry,
      const AmgOptions& options, Monitor& monitor);

  /// Of the rows that members of a team have, by all of them together. Aggregates lie within the parts, and
  /// prolongations are smoothed across them. Each member has the coarse rows of its aggregates, until a level
  /// is so small that the first member takes it over. geometry: that of the member's rows, without a first
  /// level of another kind.
  Amg(const sparse::TeamCsr<double>& a, AmgGeometry geometry, const AmgOptions& options, Monitor& monitor);
  ~Amg() override;

  /// For a matrix of the same structure and modes with other values: aggregates and tentative prolongations
  /// stay, everything that depends on values is made anew.
  void refresh(const sparse::BlockCsr<double>& a, Monitor& monitor);

  /// Whether refresh() takes the matrix, as far as its sizes tell.
  bool refreshes(const sparse::BlockCsr<double>& a) const;

  const exec::Device& device() const override { return device_; }
  const exec::Member* member() const override { return member_ ? &*member_ : nullptr; }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  /// Up to 64 columns go through one cycle together. More columns than ever before make the vectors of the
  /// levels grow, which on a GPU waits for the device.
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

  struct LevelInfo {
    std::int64_t unknowns;
    std::int64_t values;  // stored in the matrix
    double highest;       // eigenvalue of D^-1 A; 0 on the coarsest level
    int visits;           // in one visit of the level above
  };
  std::vector<LevelInfo> levels() const;
  std::size_t bytes() const;

  /// Values of all levels over those of the finest.
  double operator_complexity() const;

  /// The matrix of the first coarse level, P'AP, where options kept it and there is such a level: methods
  /// that look for smooth vectors begin there, at a fraction of the price. Null otherwise, and once it was
  /// released.
  const sparse::BlockCsr<double>* coarse() const { return coarse_ ? &*coarse_ : nullptr; }
  void release_coarse() { coarse_.reset(); }
  /// P'BP of a matrix in blocks like those of A, on its device.
  sparse::BlockCsr<double> coarse_of(const sparse::BlockCsr<double>& b) const;
  /// y = P x, by way of single precision.
  void prolong(const exec::Stream& stream, exec::MultiView<const double> x, exec::MultiView<double> y) const;
  /// As apply(), of the hierarchy from the first coarse level on.
  void apply_below(const exec::Stream& stream, exec::MultiView<const double> x,
                   exec::MultiView<double> y) const;

  /// The vectors of the finest level, for so many columns: what it is given, and what it makes of it. For a
  /// level above, in single precision.
  struct LevelVectors {
    exec::MultiView<float> f;
    exec::MultiView<float> x;
  };
  LevelVectors finest(std::int64_t columns) const;
  void visit_finest(const exec::Stream& stream, std::int64_t columns) const;

 private:
  struct Level;
  void check(const sparse::BlockCsr<double>& a, const AmgGeometry& geometry) const;
  void make_levels(const sparse::TeamCsr<double>& a, AmgGeometry& geometry, Monitor& monitor);
  bool is_gathered() const;
  bool set_structure(Level& level, const sparse::TeamCsr<double>& shared, AmgGeometry& geometry,
                     exec::Array<double>& modes, Monitor& monitor) const;
  std::optional<sparse::TeamCsr<double>> set_values(Level& level, const sparse::TeamCsr<double>& shared,
                                                    bool is_given, Monitor& monitor) const;
  sparse::TeamCsr<double> coarsen(Level& level, const sparse::TeamCsr<double>& shared,
                                  exec::View<const double> inverse, Monitor& monitor) const;
  void finish(const sparse::TeamCsr<double>& a, Monitor& monitor);
  void set_visits(Monitor& monitor);
  void visit_in_double(const exec::Stream& stream, std::size_t at, exec::MultiView<const double> x,
                       exec::MultiView<double> y) const;
  void visit_columns(const exec::Stream& stream, std::size_t at, std::int64_t columns) const;
  LevelVectors vectors(std::size_t at, std::int64_t columns) const;
  template <class Shape>  // of the levels' vectors: one column or many
  void cycle(const exec::Stream& stream, std::size_t at, const Shape& shape) const;
  template <class Shape>
  void visit(const exec::Stream& stream, std::size_t at, const Shape& shape) const;

  exec::Device device_;
  std::optional<exec::Member> member_;
  std::int64_t rows_;
  AmgOptions options_;
  bool springs_ = false;  // the first coarse level has some
  std::vector<std::unique_ptr<Level>> levels_;
  std::optional<sparse::BlockCsr<double>> coarse_;
};

struct PreconditionerInput;
std::unique_ptr<Operator> make_amg(const PreconditionerInput& input, Monitor& monitor);

}  // namespace setka::solve
