// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/team_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/sparse/pieces.hpp"

namespace setka::solve::detail {
TeamNumbers::TeamNumbers(const exec::Member& member, std::int32_t own) : first{0} {
  for (const double count : member.each(own))
    first.push_back(first.back() + static_cast<std::int32_t>(count));
}

int TeamNumbers::owner(std::int32_t number) const {
  return static_cast<int>(std::ranges::upper_bound(first, number) - first.begin()) - 1;
}

std::int32_t MemberColumns::place(std::int32_t number) const {
  if (number >= begin_ && number < begin_ + own_) return number - begin_;
  return own_ + static_cast<std::int32_t>(std::ranges::lower_bound(others_, number) - others_.begin());
}

std::vector<std::int32_t> MemberColumns::numbers() const {
  std::vector<std::int32_t> all(static_cast<std::size_t>(own_));
  std::iota(all.begin(), all.end(), begin_);
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

std::vector<std::int32_t> MemberColumns::places_of(const std::vector<std::int32_t>& numbers) const {
  std::vector<std::int32_t> places;
  places.reserve(numbers.size());
  for (const std::int32_t number : numbers) places.push_back(place(number));
  return places;
}

std::vector<std::int32_t> MemberColumns::take_in(std::span<const std::int32_t> numbers) {
  const std::vector<std::int32_t> before = this->numbers();
  for (const std::int32_t number : numbers) {
    if (number < begin_ || number >= begin_ + own_) others_.push_back(number);
  }
  std::ranges::sort(others_);
  others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
  return places_of(before);
}

std::vector<std::int32_t> MemberColumns::keep(std::span<const std::int32_t> used) {
  const std::vector<std::int32_t> before = numbers();
  std::vector<bool> kept(before.size(), false);
  for (const std::int32_t at : used) kept[static_cast<std::size_t>(at)] = true;
  others_.clear();
  for (auto at = static_cast<std::size_t>(own_); at < before.size(); ++at) {
    if (kept[at]) others_.push_back(before[at]);
  }
  return places_of(before);
}

std::vector<exec::Link> links_of(const exec::Member& member, const TeamNumbers& numbers,
                                 const MemberColumns& columns) {
  const std::span<const std::int32_t> wishes = columns.others();  // ascending, so owner after owner
  std::vector<exec::Letter> to(static_cast<std::size_t>(member.size()));
  std::vector<std::int32_t> receive(to.size(), 0);
  for (std::size_t at = 0; at < wishes.size();) {
    const auto owner = static_cast<std::size_t>(numbers.owner(wishes[at]));
    const auto end = std::ranges::lower_bound(wishes.subspan(at), numbers.first[owner + 1]);
    const auto count = static_cast<std::size_t>(end - wishes.subspan(at).begin());
    to[owner].put(wishes.subspan(at, count));
    receive[owner] = static_cast<std::int32_t>(count);
    at += count;
  }
  std::vector<exec::Letter> came = member.exchange(std::move(to));
  const std::int32_t begin = numbers.first[static_cast<std::size_t>(member.number())];
  std::vector<exec::Link> links;
  for (std::size_t other = 0; other < came.size(); ++other) {
    if (came[other].empty() && receive[other] == 0) continue;
    exec::Link link{static_cast<int>(other), {}, receive[other]};
    if (!came[other].empty()) link.send = came[other].take<std::int32_t>();
    for (std::int32_t& block : link.send) block -= begin;
    links.push_back(std::move(link));
  }
  return links;
}

HostRows::HostRows(const sparse::BlockCsr<double>& rows, std::vector<std::int32_t> names,
                   const MemberColumns& columns)
    : height(rows.height()),
      width(rows.width()),
      row(std::move(names)),
      offset(rows.offset().to_vector()),
      column(rows.column().to_vector()),
      value(rows.value().to_vector()) {
  const std::vector<std::int32_t> number = columns.numbers();
  for (std::int32_t& at : column) at = number[static_cast<std::size_t>(at)];
}

void HostRows::append(const HostRows& other, std::size_t from, std::size_t to) {
  const auto size = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  const auto begin = static_cast<std::size_t>(other.offset[from]);
  const auto end = static_cast<std::size_t>(other.offset[to]);
  const auto shift = static_cast<std::int32_t>(column.size()) - other.offset[from];
  for (std::size_t i = from; i < to; ++i) {
    row.push_back(other.row[i]);
    offset.push_back(other.offset[i + 1] + shift);
  }
  const auto copy = [](const auto& source, std::size_t first, std::size_t last, auto& target) {
    target.insert(target.end(), source.begin() + static_cast<std::ptrdiff_t>(first),
                  source.begin() + static_cast<std::ptrdiff_t>(last));
  };
  copy(other.column, begin, end, column);
  copy(other.value, begin * size, end * size, value);
}

void HostRows::write(exec::Letter& letter) const {
  letter.put_one(height);
  letter.put_one(width);
  letter.put(row);
  letter.put(offset);
  letter.put(column);
  letter.put(value);
}

HostRows::HostRows(exec::Letter& letter)
    : height(letter.take_one<int>()),
      width(letter.take_one<int>()),
      row(letter.take<std::int32_t>()),
      offset(letter.take<std::int32_t>()),
      column(letter.take<std::int32_t>()),
      value(letter.take<double>()) {}

sparse::BlockCsr<double> HostRows::on(const exec::Device& device, const MemberColumns& columns) const {
  const auto w = static_cast<std::size_t>(width);
  std::vector<std::int32_t> places;
  std::vector<double> values;
  places.reserve(column.size());
  values.reserve(value.size());
  std::vector<std::pair<std::int32_t, std::size_t>> order;  // place, and block of the row
  for (std::size_t i = 0; i + 1 < offset.size(); ++i) {
    const auto begin = static_cast<std::size_t>(offset[i]);
    const auto count = static_cast<std::size_t>(offset[i + 1]) - begin;
    order.clear();
    for (std::size_t k = 0; k < count; ++k) order.emplace_back(columns.place(column[begin + k]), k);
    std::ranges::sort(order);
    for (const auto& [at, k] : order) places.push_back(at);
    const double* const from = value.data() + begin * static_cast<std::size_t>(height) * w;
    for (std::size_t r = 0; r < static_cast<std::size_t>(height); ++r) {
      for (const auto& [at, k] : order) {
        const double* const block = from + (r * count + k) * w;
        values.insert(values.end(), block, block + w);
      }
    }
  }
  return {static_cast<std::int32_t>(offset.size()) - 1,
          columns.count(),
          height,
          width,
          exec::Array<std::int32_t>(device, offset),
          exec::Array<std::int32_t>(device, places),
          exec::Array<double>(device, values)};
}

HostRows rows_of_ghosts(const exec::Member& member, const std::vector<exec::Link>& links,
                        const sparse::BlockCsr<double>& rows, const MemberColumns& columns) {
  std::vector<std::int32_t> wanted;  // by others
  for (const exec::Link& link : links) wanted.insert(wanted.end(), link.send.begin(), link.send.end());
  const HostRows sent(sparse::rows_of(rows, wanted), wanted, columns);
  std::vector<exec::Letter> to(static_cast<std::size_t>(member.size()));
  std::size_t first = 0;
  for (const exec::Link& link : links) {
    HostRows part(rows.height(), rows.width());
    part.append(sent, first, first + link.send.size());
    part.write(to[static_cast<std::size_t>(link.with)]);
    first += link.send.size();
  }
  std::vector<exec::Letter> came = member.exchange(std::move(to));
  HostRows found(rows.height(), rows.width());
  for (const exec::Link& link : links) {
    const HostRows from(came[static_cast<std::size_t>(link.with)]);
    require(std::ssize(from.row) == link.receive, "rows_of_ghosts: links that do not fit");
    found.append(from, 0, from.row.size());
  }
  return found;
}

HostRows rows_for(const exec::Member& member, const TeamNumbers& numbers, const HostRows& rows) {
  std::vector<exec::Letter> to(static_cast<std::size_t>(member.size()));
  for (std::size_t at = 0; at < rows.row.size();) {
    const int owner = numbers.owner(rows.row[at]);
    HostRows part(rows.height, rows.width);
    std::size_t end = at;
    while (end < rows.row.size() && numbers.owner(rows.row[end]) == owner) ++end;
    part.append(rows, at, end);
    part.write(to[static_cast<std::size_t>(owner)]);
    at = end;
  }
  HostRows found(rows.height, rows.width);
  for (exec::Letter& letter : member.exchange(std::move(to))) {
    if (letter.empty()) continue;
    const HostRows from(letter);
    found.append(from, 0, from.row.size());
  }
  const std::int32_t begin = numbers.first[static_cast<std::size_t>(member.number())];
  for (std::int32_t& row : found.row) row -= begin;
  return found;
}

}  // namespace setka::solve::detail
