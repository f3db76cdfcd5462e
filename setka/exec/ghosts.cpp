// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/ghosts.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/ghosts_kernel.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::exec {
namespace {

/// Room for so many values, made anew where there is less.
template <class T>
T* room_for(std::optional<Array<T>>& room, std::int64_t size, const auto& make) {
  if (!room || room->size() < size) room.emplace(make(size));
  return room->data();
}

std::vector<std::int32_t> all_sent(const std::vector<Link>& links) {
  std::vector<std::int32_t> all;
  for (const Link& link : links) all.insert(all.end(), link.send.begin(), link.send.end());
  return all;
}

}  // namespace

template <class T>
Ghosts<T>::Ghosts(const Member& member, int block, const std::vector<Link>& links)
    : member_(member),
      block_(block),
      send_(member.device(), all_sent(links)),
      outbox_(std::make_shared<Outbox>()),
      beside_(member.device().make_stream()) {
  outbox_->first.push_back(0);
  for (const Link& link : links) {
    outbox_->with.push_back(link.with);
    outbox_->first.push_back(outbox_->first.back() + static_cast<std::int64_t>(link.send.size()));
    to_cpu_ = to_cpu_ || (member.device().is_cuda() && !member.device(link.with).is_cuda());
  }
  const std::vector<std::shared_ptr<void>> of_all = member.gather(outbox_);
  for (const Link& link : links) {
    const auto from = std::static_pointer_cast<const Outbox>(of_all[static_cast<std::size_t>(link.with)]);
    const auto at = std::ranges::find(from->with, member.number());
    const auto k = static_cast<std::size_t>(at - from->with.begin());
    const std::int64_t sent = at == from->with.end() ? -1 : from->first[k + 1] - from->first[k];
    require(sent == link.receive, [&] {
      return fmt::format("Ghosts: member {} waits for {} blocks of member {}, which sends {}",
                         member.number(), link.receive, link.with, sent < 0 ? "none" : std::to_string(sent));
    });
    inlets_.push_back(
        {from, from->first[k], sent, !member.device().is_cuda() && member.device(link.with).is_cuda()});
    ghosts_ += sent;
  }
}

template <class T>
void Ghosts<T>::begin(const Stream& stream, MultiView<const T> x) {
  turn_ = 1 - turn_;
  columns_ = x.columns;
  const std::int64_t size = send_.size() * block_ * columns_;
  const Device& device = member_.device();
  T* const to = room_for(outbox_->values[turn_], size, [&](std::int64_t n) { return Array<T>(device, n); });
  parallel_for(stream, size, kernel::PackBlocks<T>{x, send_.data(), block_, to});
  if (to_cpu_) {
    T* const host =
        room_for(outbox_->on_host[turn_], size, [&](std::int64_t n) { return host_array_for<T>(device, n); });
    copy_async<T>(stream, View<const T>{to, size}, View<T>{host, size});
  }
  outbox_->sent[turn_] = stream.record();
}

template <class T>
MultiView<const T> Ghosts<T>::finish(const Stream& stream) {
  member_.meet();  // all have begun
  T* to = room_for(values_, rows() * columns_, [&](std::int64_t n) { return Array<T>(member_.device(), n); });
  const MultiView<const T> made{to, rows(), columns_, columns_};
  beside_.wait(*outbox_->sent[turn_]);  // what was computed with the last ones is done
  for (const Inlet& inlet : inlets_) {
    const std::int64_t size = inlet.count * block_ * columns_;
    const Array<T>& from = *(inlet.by_host ? inlet.from->on_host : inlet.from->values)[turn_];
    beside_.wait(*inlet.from->sent[turn_]);
    copy_async<T>(beside_, View<const T>{from.data() + inlet.first * block_ * columns_, size},
                  View<T>{to, size});
    to += size;
  }
  stream.wait(beside_.record());
  return made;
}

template class Ghosts<float>;
template class Ghosts<double>;

}  // namespace setka::exec
