// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "setka/exec/ghosts.hpp"
#include "setka/exec/team.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::sparse {

/// The rows of a matrix that a member of a team has; or all of a matrix, where there is no team. Members have
/// rows and entries of vectors each. What a product needs of the entries of others comes while the columns of
/// its own are multiplied.
template <class T>
class TeamCsr {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a matrix alone is the simplest case
  TeamCsr(BlockCsr<T> whole) : own_(std::move(whole)) {}

  /// By all members together. own: columns of the member's own entries; beside: those of ghosts, which lie in
  /// the order of the links, and of nothing but the last rows.
  TeamCsr(const exec::Member& member, BlockCsr<T> own, BlockCsr<T> beside, std::vector<exec::Link> links);

  const exec::Device& device() const { return own_.device(); }
  const exec::Member* member() const { return team_ ? &team_->member : nullptr; }
  const BlockCsr<T>& own() const { return own_; }
  BlockCsr<T>& own() { return own_; }
  const BlockCsr<T>& beside() const { return team_->beside; }
  const std::vector<exec::Link>& links() const { return team_->links; }

  std::int64_t scalar_rows() const { return own_.scalar_rows(); }
  int height() const { return own_.height(); }
  std::size_t bytes() const { return own_.bytes() + (team_ ? team_->beside.bytes() : 0); }

  /// A number that each member has, over the team.
  double sum(double value) const { return team_ ? team_->member.sum(value) : value; }

  /// In another precision; by all members together.
  template <class U>
  TeamCsr<U> cast() const;

  /// Sets what others need of x on its way, and gives what came from them: [ghosts, columns]. By all members
  /// together; work that is given to the stream between the two passes meanwhile. Nothing without a team.
  void begin(const exec::Stream& stream, exec::MultiView<const T> x) const;
  exec::MultiView<const T> finish(const exec::Stream& stream) const;

  /// The stream that exchanges, of a team.
  const exec::Stream& exchanging() const { return team_->ghosts.exchanging(); }

  /// The first scalar row that has columns of ghosts.
  std::int64_t first_beside() const { return own_.scalar_rows() - (team_ ? team_->beside.scalar_rows() : 0); }
  bool has_beside() const { return team_ && team_->beside.rows() > 0; }

 private:
  struct OfTeam {
    exec::Member member;
    BlockCsr<T> beside;
    std::vector<exec::Link> links;
    exec::Ghosts<T> ghosts;
  };

  BlockCsr<T> own_;
  std::unique_ptr<OfTeam> team_;
};

/// Of rows with all their columns: those of the member's own entries first, then ghosts.
TeamCsr<double> shared_out(const exec::Member& member, const BlockCsr<double>& rows, std::int32_t own_columns,
                           std::vector<exec::Link> links);

/// Of columns of the member's own entries, and those of ghosts, for as many rows.
TeamCsr<double> shared_out(const exec::Member& member, BlockCsr<double> own, const BlockCsr<double>& beside,
                           std::vector<exec::Link> links);

/// y = s A x + t z; z may be y, and is not read when t = 0. By all members together.
template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const TeamCsr<T>& a,
              exec::ViewOf<const T> x, std::type_identity_t<T> t, exec::ViewOf<const T> z, exec::ViewOf<T> y);

/// The same for every column.
template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const TeamCsr<T>& a,
              exec::MultiViewOf<const T> x, std::type_identity_t<T> t, exec::MultiViewOf<const T> z,
              exec::MultiViewOf<T> y);

/// y = A x
template <class T>
void multiply(const exec::Stream& stream, const TeamCsr<T>& a, exec::ViewOf<const T> x, exec::ViewOf<T> y);
template <class T>
void multiply(const exec::Stream& stream, const TeamCsr<T>& a, exec::MultiViewOf<const T> x,
              exec::MultiViewOf<T> y);

}  // namespace setka::sparse
