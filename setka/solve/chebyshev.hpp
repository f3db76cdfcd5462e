// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/solve/patches.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve {

/// One of the steps d = momentum d + step r, x = x + d, r = b - A x.
struct ChebyshevStep {
  double momentum;
  double step;
};

/// Steps whose polynomial is 1 at zero and least on [lowest, highest], which holds the spectrum of A.
std::vector<ChebyshevStep> chebyshev_steps(double lowest, double highest, int degree);

/// Smoother of multigrid: a Chebyshev polynomial in D^-1 A, D the diagonal blocks of A, that damps the part
/// of the spectrum from highest / ratio to highest. A step reads A once; nothing else leaves the caches on
/// its way. Where there are patches, D is A over each of them in their rows. Over a team all members smooth
/// together, each with the diagonal blocks and the patches of its own rows.
template <class T>
class Chebyshev {
 public:
  /// inverse_blocks: [block rows, n, n] of A, zeros in the rows of patches; highest: an upper bound of the
  /// eigenvalues of D^-1 A.
  Chebyshev(exec::Array<T> inverse_blocks, double highest, double ratio, int degree,
            std::optional<Patches> patches = {});

  int degree() const { return degree_; }
  std::size_t bytes() const { return inverse_.bytes() + (patches_ ? patches_->bytes() : 0); }

  /// x = p(A) f, from zero. d and work: room for a vector each.
  void smooth_from_zero(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::View<const T> f,
                        exec::View<T> x, exec::View<T> d, exec::View<T> work) const;

  /// x = x0 + p(A) (f - A x0), where the start x0 lies in start(x, work).
  void smooth(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::View<const T> f, exec::View<T> x,
              exec::View<T> d, exec::View<T> work) const;

  /// The same for every column of a block.
  void smooth_from_zero(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::MultiView<const T> f,
                        exec::MultiView<T> x, exec::MultiView<T> d, exec::MultiView<T> work) const;
  void smooth(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::MultiView<const T> f,
              exec::MultiView<T> x, exec::MultiView<T> d, exec::MultiView<T> work) const;

  /// Steps go from one of the two vectors to the other; this is the one to begin in for the last to end in x.
  exec::View<T> start(exec::View<T> x, exec::View<T> work) const { return degree_ % 2 == 0 ? x : work; }
  exec::MultiView<T> start(exec::MultiView<T> x, exec::MultiView<T> work) const {
    return degree_ % 2 == 0 ? x : work;
  }

 private:
  /// What the diagonal blocks have left out of a step from `from` to `to`: their rows are zero where patches
  /// are.
  void correct_patches(const exec::Stream& stream, const sparse::BlockCsr<T>& a, T step,
                       exec::MultiView<const T> f, exec::MultiView<const T> from, exec::MultiView<T> d,
                       exec::MultiView<T> to) const;
  /// What the columns of other members have left out of it, in the rows of patches.
  void correct_patches_beside(const exec::Stream& stream, const sparse::TeamCsr<T>& a, T step,
                              exec::MultiView<const T> ghosts, exec::MultiView<T> d,
                              exec::MultiView<T> to) const;
  void steps(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::View<const T> f,
             exec::View<T> from, exec::View<T> to, exec::View<T> d, int first) const;
  void steps(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::MultiView<const T> f,
             exec::MultiView<T> from, exec::MultiView<T> to, exec::MultiView<T> d, int first) const;

  int degree_;
  std::vector<ChebyshevStep> step_;
  exec::Array<T> inverse_;
  std::optional<Patches> patches_;
};

}  // namespace setka::solve
