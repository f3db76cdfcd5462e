// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_matrix.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::domains {

TeamMatrix::TeamMatrix(const exec::Member& member, const MatrixParts& parts)
    : member_(member),
      own_(parts.own(member.number()).to(member.device())),
      beside_(parts.beside(member.number()).to(member.device())),
      inner_(std::int64_t{parts.part(member.number()).inner} * own_.height()),
      ghosts_(std::make_unique<exec::Ghosts>(member, own_.height(), parts.part(member.number()).links)) {
  require(parts.count() == member.size(),
          [&] { return fmt::format("TeamMatrix: {} parts for {} members", parts.count(), member.size()); });
}

void TeamMatrix::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  ghosts_->begin(stream, {x.data, x.size, 1, 1});
  sparse::multiply<double>(stream, own_, x, y);
  const exec::MultiView<const double> ghosts = ghosts_->finish(stream);
  const exec::View<double> boundary = y.part(inner_, y.size - inner_);
  if (!boundary.empty())
    sparse::multiply<double>(stream, 1.0, beside_, exec::View<const double>{ghosts.data, ghosts.rows}, 1.0,
                             boundary, boundary);
}

void TeamMatrix::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                       exec::MultiView<double> y) const {
  ghosts_->begin(stream, x);
  sparse::multiply<double>(stream, own_, x, y);
  const exec::MultiView<const double> ghosts = ghosts_->finish(stream);
  const exec::MultiView<double> boundary{y.data + inner_ * y.stride, y.rows - inner_, y.columns, y.stride};
  if (boundary.rows > 0) sparse::multiply<double>(stream, 1.0, beside_, ghosts, 1.0, boundary, boundary);
}

}  // namespace setka::domains
