// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/gathered_amg.hpp"

#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "setka/exec/copy.hpp"
#include "setka/exec/letter.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/detail/team_coarsening.hpp"
#include "setka/solve/detail/team_rows.hpp"
#include "setka/sparse/pieces.hpp"
#include "setka/sparse/spgemm.hpp"

namespace setka::solve::detail {
namespace {

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

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
  std::vector<exec::Letter> to(static_cast<std::size_t>(member.size()));
  for (const exec::Link& link : a.links()) {
    std::vector<std::int32_t> sent = link.send;
    for (std::int32_t& block : sent) block += numbers.first[static_cast<std::size_t>(member.number())];
    to[static_cast<std::size_t>(link.with)].put(sent);
  }
  std::vector<exec::Letter> came = member.exchange(std::move(to));
  for (const exec::Link& link : a.links())
    append(came[static_cast<std::size_t>(link.with)].take<std::int32_t>(), own);
  return own;
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

void write(const Share& share, exec::Letter& letter) {
  const sparse::BlockCsr<double>& rows = share.rows;
  for (const int size : {rows.rows(), rows.columns(), rows.height(), rows.width()}) letter.put_one(size);
  letter.put(rows.offset().to_vector());
  letter.put(rows.column().to_vector());
  letter.put(rows.value().to_vector());
  letter.put(share.mode);
  letter.put(share.coordinates);
  const Interpolation& first = share.first;
  for (const auto* part : {&first.kept, &first.beside, &first.offset, &first.column}) letter.put(*part);
  for (const auto* part : {&first.value, &first.weight, &first.gap, &first.more_modes}) letter.put(*part);
  letter.put(first.unknown);
}

Share read_share(const exec::Device& device, exec::Letter& letter) {
  const int rows = letter.take_one<int>();
  const int columns = letter.take_one<int>();
  const int height = letter.take_one<int>();
  const int width = letter.take_one<int>();
  exec::Array<std::int32_t> offset(device, letter.take<std::int32_t>());
  exec::Array<std::int32_t> column(device, letter.take<std::int32_t>());
  exec::Array<double> value(device, letter.take<double>());
  Share made{{rows, columns, height, width, std::move(offset), std::move(column), std::move(value)},
             letter.take<double>(),
             letter.take<double>(),
             {}};
  Interpolation& first = made.first;
  for (auto* part : {&first.kept, &first.beside, &first.offset, &first.column})
    *part = letter.take<std::int32_t>();
  for (auto* part : {&first.value, &first.weight, &first.gap, &first.more_modes})
    *part = letter.take<double>();
  first.unknown = letter.take<std::int8_t>();
  return made;
}

/// What all members give, to the first of them: where they have memory in common it stays where it is.
std::vector<std::shared_ptr<const Share>> for_the_first(const exec::Member& member, Share own) {
  std::vector<std::shared_ptr<const Share>> all;
  auto share = std::make_shared<Share>(std::move(own));
  if (member.transport() == nullptr) {
    member.device().synchronize();  // the first member reads it
    for (const std::shared_ptr<void>& given : member.gather(share))
      all.push_back(std::static_pointer_cast<const Share>(given));
    return all;
  }
  std::vector<exec::Letter> to(static_cast<std::size_t>(member.size()));
  if (member.number() > 0) write(*share, to.front());
  std::vector<exec::Letter> came = member.exchange(std::move(to));
  if (member.number() > 0) return {};
  all.push_back(std::move(share));
  for (std::size_t other = 1; other < came.size(); ++other)
    all.push_back(std::make_shared<Share>(read_share(member.device(), came[other])));
  return all;
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
  const auto shares = for_the_first(
      member, {sparse::multiply(
                   sparse::side_by_side(a.own(), a.beside()),
                   sparse::rows_of_identity(device, a.height(), column_numbers(a, numbers), numbers.total())),
               geometry.mode.on_host(), geometry.coordinates, numbered(a, numbers, geometry.first)});
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
    for (const std::shared_ptr<const Share>& one : shares) {
      rows.push_back(one->rows.to(device));
      parts.push_back(&rows.back());
      append(one->mode, mode);
      append(one->coordinates, whole.coordinates);
      append(one->first, whole.first);
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
