// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/block_algebra.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/small_matrix.hpp"

namespace setka::modes {

/// K phi = lambda M phi on a device, or over a team whose members have some rows each.
struct Problem {
  exec::Stream stream;
  const solve::Operator& k;
  const solve::Operator& m;
  const solve::Operator& preconditioner;
  const Projection* project_k = nullptr;  // as in LobpcgOptions; both or none
  const Projection* project_m = nullptr;
  std::int64_t unknowns = 0;  // rows of all members
  double zero_level = 0;      // see zero_level()
  double rounding = 0;        // see rounding_of_zero()

  Problem(const exec::Stream& on, const solve::Operator& stiffness, const solve::Operator& mass,
          const solve::Operator& approximate_inverse, double tolerance);

  /// Of noise: another one at each member of a team.
  std::uint64_t own_seed(std::uint64_t seed) const;
};

/// Columns and their products with M, with room for more.
struct MassBlock {
  exec::Array<double> x;
  exec::Array<double> mx;
  std::int64_t rows;
  std::int64_t columns;

  MassBlock(const exec::Device& device, std::int64_t row_count, std::int64_t room)
      : x(device, row_count * room), mx(device, row_count * room), rows(row_count), columns(room) {}

  Block view() { return {x.data(), rows, columns, columns}; }
  ConstBlock view() const { return {x.data(), rows, columns, columns}; }
  Block mass() { return {mx.data(), rows, columns, columns}; }
  ConstBlock mass() const { return {mx.data(), rows, columns, columns}; }

  /// [rows, columns] row-major, on the host.
  std::vector<double> values() const;
};

/// What LOBPCG iterates: approximations X to the lowest modes, M-orthonormal, the directions P that the last
/// step went, and the new ones W; all M-orthogonal to given blocks that they are kept off.
///
/// P and W stay as they come: the small problem has their Gram matrix, of which all but the products with W
/// follow from the coordinates of the last step. Only where that matrix shows that they depend on each other
/// are they made orthonormal first. A step of n rows, c columns and w active ones takes 2 n w (2 c + 4 w)
/// flops of inner products and 2 n c (3 c + 6 w) of combinations.
///
/// Where the problem has projections, W'KW and W'MW come from those: there are no K W and M W then and no P,
/// and K X and M X are computed after each step. What is between X and W follows from them.
class LobpcgSpace {
 public:
  /// X from noise, seen through the preconditioner; fewer columns where M cannot tell so many apart. The
  /// blocks `off` have to outlive the space. start: in place of the noise of the first columns, on the host.
  LobpcgSpace(const Problem& problem, std::vector<const MassBlock*> off, std::int64_t columns,
              std::uint64_t seed, ConstBlock start = {});

  /// X from the span of given columns, [rows, columns] row-major.
  LobpcgSpace(const Problem& problem, exec::View<const double> values, std::int64_t columns);

  std::int64_t columns() const { return x_->columns; }
  const MassBlock& x() const { return *x_; }
  const std::vector<double>& lambda() const { return lambda_; }  // ascending

  /// |K x - lambda M x| / |K x| of each column, as in Request::tolerance.
  std::vector<double> residuals();

  /// Whether the lowest value belongs to an eigenvalue above another number, with ten times the room that is
  /// needed: an eigenvalue lies within |K x - lambda M x| of it in the norm of M^-1, which is r / (1 - r) of
  /// it for a relative residual r where the mass is even. A mode below that number is then likely to be none
  /// of the space's complement: it would have been the lowest, unless the start held next to nothing of it in
  /// all columns.
  bool settled_above(double number, const std::vector<double>& residual) const;

  /// |K x| of each column over what counts as zero.
  std::vector<double> stiffness_over_zero_level();

  /// X becomes the best of the space [X P W], W from the columns whose residual is above `lock`; residuals()
  /// came before. False when there is no new direction. keep_directions: P is what this step went; none
  /// otherwise, and where the problem has projections.
  bool step(const std::vector<double>& residual, double lock, bool keep_directions = true);

  /// Computes the products with K and M anew, and makes everything M-orthonormal again.
  void refresh();

  /// The last columns of X become the first of another block that is M-orthonormal to X.
  void replace_last(const MassBlock& other, std::int64_t count);

  /// A copy of some columns of X, for others.
  std::unique_ptr<MassBlock> columns_of_x(const std::vector<std::int64_t>& which);

 private:
  LobpcgSpace(const Problem& problem, std::vector<const MassBlock*> off, std::int64_t columns);

  Block part(exec::Array<double>& memory, std::int64_t columns) const {
    return {memory.data(), problem_.k.rows(), columns, columns};
  }
  static void require_finite(const solve::SmallMatrix& a);
  std::vector<double> project_off(MassBlock& w, const std::vector<const MassBlock*>& off);
  void orthonormalise(MassBlock& w, const std::vector<const MassBlock*>& off);
  void rotate_x();
  void set_products_of_p();
  void project_w();
  void multiply_w();
  std::vector<solve::SmallMatrix> products_with_w();
  void orthonormalise_directions();
  std::optional<SmallEigen> best_of_space(bool orthonormal);
  void combine(const solve::SmallMatrix& coordinates, const std::vector<std::int64_t>& active);
  void combine_x(const solve::SmallMatrix& coordinates);

  /// [X P W]'A[X P W] for A = M or K, of which the part without W is known.
  struct Projected {
    solve::SmallMatrix xp;     // X'AP
    solve::SmallMatrix pp;     // P'AP
    solve::SmallMatrix whole;  // all of it, from the last call of best_of_space()
  };
  void fill_whole(Projected& projected, const std::vector<double>& of_x, const solve::SmallMatrix& xw,
                  const solve::SmallMatrix& pw, const solve::SmallMatrix& ww) const;

  const Problem& problem_;
  std::vector<const MassBlock*> off_;
  BlockAlgebra algebra_;
  std::unique_ptr<MassBlock> x_;
  MassBlock p_;
  MassBlock w_;
  exec::Array<double> kx_;
  exec::Array<double> kp_;
  exec::Array<double> kw_;
  exec::Array<double> spare_;
  exec::Array<double> spare_p_;
  exec::Array<double> residual_;  // K X - M X lambda
  std::vector<double> lambda_;
  Projected mass_;
  Projected stiffness_;
};

}  // namespace setka::modes
