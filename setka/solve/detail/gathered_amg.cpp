// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/gathered_amg.hpp"

#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "setka/exec/copy.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/detail/team_coarsening.hpp"
#include "setka/solve/detail/team_rows.hpp"
#include "setka/sparse/pieces.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve::detail {
namespace {

/// What a member gives of the level.
struct Share {
  sparse::BlockCsr<double> rows;  // with columns by their numbers over the team
  std::vector<double> mode;
  std::vector<double> coordinates;
  Interpolation first;  // with columns by their numbers over the team
};

/// Numbers over the team of the columns of a member: its own, and those of ghosts.
std::vector<std::int32_t> column_numbers(const sparse::TeamCsr<double>& a, const TeamNumbers& numbers) {
  const exec::Member& member = *a.member();
  std::vector<std::int32_t> own(static_cast<std::size_t>(a.own().rows()));
  std::iota(own.begin(), own.end(), numbers.first[static_cast<std::size_t>(member.number())]);
  using Sent = std::vector<exec::Link>;
  const auto of_all = member.gather(std::make_shared<Sent>(a.links()));
  for (const exec::Link& link : a.links()) {
    const std::int32_t first = numbers.first[static_cast<std::size_t>(link.with)];
    for (const exec::Link& back :
         *std::static_pointer_cast<Sent>(of_all[static_cast<std::size_t>(link.with)])) {
      if (back.with != member.number()) continue;
      for (const std::int32_t block : back.send) own.push_back(first + block);
    }
  }
  return own;
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

/// With kept blocks and columns by their numbers over the team.
Interpolation numbered(const sparse::TeamCsr<double>& a, const TeamNumbers& rows, const Interpolation& own) {
  if (own.empty()) return {};
  const exec::Member& member = *a.member();
  const TeamNumbers kept(member, static_cast<std::int32_t>(own.kept.size()));
  std::vector<std::int32_t> number(own.kept.size());
  std::iota(number.begin(), number.end(), kept.first[static_cast<std::size_t>(member.number())]);
  append(numbers_of_kept(a, own.kept, own.beside), number);
  Interpolation made = renumbered(own, a.height(), number);
  for (std::int32_t& row : made.kept) row += rows.first[static_cast<std::size_t>(member.number())];
  if (!made.unknown.empty()) made.unknown.resize(static_cast<std::size_t>(a.scalar_rows()));
  return made;
}

/// One above the other.
void append(const Interpolation& from, Interpolation& to) {
  if (from.empty()) return;
  if (to.offset.empty()) to.offset.push_back(0);
  const std::int32_t first = to.offset.back();
  for (std::size_t i = 1; i < from.offset.size(); ++i) to.offset.push_back(first + from.offset[i]);
  append(from.kept, to.kept);
  append(from.column, to.column);
  append(from.value, to.value);
  append(from.weight, to.weight);
  append(from.unknown, to.unknown);
  append(from.gap, to.gap);
  append(from.more_modes, to.more_modes);
}

exec::MultiView<float> rows_from(exec::MultiView<float> x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.stride, count, x.columns, x.stride};
}

}  // namespace

GatheredAmg::GatheredAmg(const sparse::TeamCsr<double>& a, const AmgGeometry& geometry,
                         const AmgOptions& options, Monitor& monitor) {
  const exec::Member& member = *a.member();
  const exec::Device& device = member.device();
  const TeamNumbers numbers(member, a.own().rows());
  auto share = std::make_shared<Share>(
      Share{sparse::multiply(
                sparse::side_by_side(a.own(), a.beside()),
                sparse::rows_of_identity(device, a.height(), column_numbers(a, numbers), numbers.total())),
            geometry.mode.on_host(), geometry.coordinates, numbered(a, numbers, geometry.first)});
  device.synchronize();  // the first member reads it
  const auto shares = member.gather(share);
  std::vector<exec::Link> collect;
  std::vector<exec::Link> deal;
  const auto all_of = [&](int of, std::int32_t first) {
    std::vector<std::int32_t> blocks(static_cast<std::size_t>(numbers.count(of)));
    std::iota(blocks.begin(), blocks.end(), first);
    return blocks;
  };
  if (member.number() == 0) {
    std::vector<sparse::BlockCsr<double>> rows;
    std::vector<const sparse::BlockCsr<double>*> parts;
    AmgGeometry whole;
    whole.modes = geometry.modes;
    std::vector<double> mode;
    rows.reserve(shares.size());
    for (const std::shared_ptr<void>& given : shares) {
      const auto& one = *std::static_pointer_cast<const Share>(given);
      rows.push_back(one.rows.to(device));
      parts.push_back(&rows.back());
      append(one.mode, mode);
      append(one.coordinates, whole.coordinates);
      append(one.first, whole.first);
    }
    whole.mode = std::move(mode);
    AmgOptions inner = options;
    inner.visits_finest = true;
    amg_ = std::make_unique<Amg>(device, sparse::stacked(parts), std::move(whole), inner, monitor);
    for (int other = 1; other < member.size(); ++other) {
      collect.push_back({other, {}, numbers.count(other)});
      deal.push_back({other, all_of(other, numbers.first[static_cast<std::size_t>(other)]), 0});
    }
  } else {
    collect.push_back({0, all_of(member.number(), 0), 0});
    deal.push_back({0, {}, numbers.count(member.number())});
  }
  member.meet();  // what the first member read may go
  collect_ = std::make_unique<exec::Ghosts<float>>(member, a.height(), collect);
  deal_ = std::make_unique<exec::Ghosts<float>>(member, a.height(), deal);
}

GatheredAmg::~GatheredAmg() = default;

void GatheredAmg::apply(const exec::Stream& stream, exec::MultiView<const float> f,
                        exec::MultiView<float> x) {
  collect_->begin(stream, f);
  const exec::MultiView<const float> others = collect_->finish(stream);
  if (!amg_) {
    deal_->begin(stream, f);  // nothing of it
    return exec::copy_rows_async<float>(stream, deal_->finish(stream), x);
  }
  const Amg::LevelVectors whole = amg_->finest(f.columns);
  exec::copy_rows_async<float>(stream, f, rows_from(whole.f, 0, f.rows));
  exec::copy_rows_async<float>(stream, others, rows_from(whole.f, f.rows, others.rows));
  amg_->visit_finest(stream, f.columns);
  deal_->begin(stream, amg_->finest(f.columns).x);
  exec::copy_rows_async<float>(stream, rows_from(amg_->finest(f.columns).x, 0, x.rows), x);
  deal_->finish(stream);
}

}  // namespace setka::solve::detail
