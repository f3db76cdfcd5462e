// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_matrix.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/sparse/pieces.hpp"

namespace setka::domains {

namespace {

sparse::TeamCsr<double> rows_of(const exec::Member& member, const MatrixParts& parts) {
  require(parts.count() == member.size(),
          [&] { return fmt::format("TeamMatrix: {} parts for {} members", parts.count(), member.size()); });
  const int p = member.number();
  return {member, parts.own(p).to(member.device()), parts.beside(p).to(member.device()), parts.part(p).links};
}

}  // namespace

TeamMatrix::TeamMatrix(const exec::Member& member, const MatrixParts& parts)
    : rows_(rows_of(member, parts)) {}

void TeamMatrix::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  sparse::multiply<double>(stream, rows_, x, y);
}

void TeamMatrix::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                       exec::MultiView<double> y) const {
  sparse::multiply<double>(stream, rows_, x, y);
}

sparse::TeamCsr<double> rows_of_part(const exec::Member& member, const RowsOfPart& part,
                                     sparse::BlockCsr<double> all) {
  const auto own = static_cast<std::int32_t>(part.rows.size());
  const sparse::BlockCsr<double> beside = sparse::columns_between(all, own, own, all.columns());
  const bool nothing_else = all.rows() == own && all.columns() == own;
  sparse::BlockCsr<double> inside = nothing_else ? std::move(all) : sparse::columns_between(all, own, 0, own);
  return sparse::shared_out(member, std::move(inside), beside, part.links);
}

sparse::BlockCsr<double> no_rows(const exec::Device& device, int block) {
  return {0,
          0,
          block,
          block,
          exec::Array<std::int32_t>(device, std::vector<std::int32_t>{0}),
          exec::Array<std::int32_t>(device),
          exec::Array<double>(device)};
}

solve::AmgGeometry geometry_of_part(const MatrixParts& parts, int p, const solve::AmgGeometry& whole) {
  solve::AmgGeometry own;
  own.modes = whole.modes;
  own.mode = parts.values_of(p, whole.mode.on_host(), parts.block() * whole.modes);
  if (!whole.coordinates.empty()) own.coordinates = parts.values_of(p, whole.coordinates, 3);
  return own;
}

}  // namespace setka::domains
