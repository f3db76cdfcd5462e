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
#include "setka/exec/gpu_transport.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::exec {

namespace {

/// Whether what a member exchanges with other processes passes through the memory of the host.
bool far_by_host(const Member& member) {
  return member.device().is_cuda() && member.transport() != nullptr && !takes_gpu_memory(*member.transport());
}

}  // namespace

template <class T>
bool Ghosts<T>::reaches(int other) const {
  if (member_.transport() != nullptr) return false;
  const Device& here = member_.device();
  const Device& there = member_.device(other);
  return here.is_cuda() == there.is_cuda() && (!here.is_cuda() || here.ordinal() == there.ordinal());
}

template <class T>
Ghosts<T>::Ghosts(const Member& member, int block, const std::vector<Link>& links)
    : member_(member),
      block_(block),
      send_(member.device()),
      link_of_(member.device()),
      place_of_(member.device()),
      box_(std::make_shared<Box>()),
      targets_{Array<T*>(member.device()), Array<T*>(member.device())},
      beside_(member.device().make_stream()) {
  box_->in.push_back(0);
  box_->out.push_back(0);
  for (const Link& link : links) {
    box_->with.push_back(link.with);
    box_->in.push_back(box_->in.back() + link.receive);
    box_->out.push_back(box_->out.back() +
                        (reaches(link.with) ? 0 : static_cast<std::int64_t>(link.send.size())));
    to_cpu_ =
        to_cpu_ || far_by_host(member) ||
        (member.transport() == nullptr && member.device().is_cuda() && !member.device(link.with).is_cuda());
  }
  if (member.transport() == nullptr) {
    know_neighbours(links);
  } else {
    know_far_neighbours(links);
  }
}

/// Blocks are sent in the order of the links.
template <class T>
void Ghosts<T>::know_far_neighbours(const std::vector<Link>& links) {
  std::vector<std::int32_t> send;
  std::vector<std::int32_t> place_of;
  for (std::size_t l = 0; l < links.size(); ++l) {
    const auto count = static_cast<std::int64_t>(links[l].send.size());
    far_.push_back({links[l].with, box_->out[l], count, box_->in[l], links[l].receive});
    send.insert(send.end(), links[l].send.begin(), links[l].send.end());
  }
  for (std::size_t i = 0; i < send.size(); ++i) place_of.push_back(static_cast<std::int32_t>(i));
  send_ = Array<std::int32_t>(member_.device(), send);
  link_of_ = Array<std::int32_t>(member_.device(), std::vector<std::int32_t>(send.size(), 0));
  place_of_ = Array<std::int32_t>(member_.device(), place_of);
  journey_ = member_.transport()->journey();
}

template <class T>
void Ghosts<T>::know_neighbours(const std::vector<Link>& links) {
  const Member& member = member_;
  const std::vector<std::shared_ptr<void>> of_all = member.gather(box_);
  std::vector<std::int32_t> send;
  std::vector<std::int32_t> link_of;
  std::vector<std::int32_t> place_of;
  for (std::size_t l = 0; l < links.size(); ++l) {
    const Link& link = links[l];
    const auto from = std::static_pointer_cast<const Box>(of_all[static_cast<std::size_t>(link.with)]);
    const auto at = std::ranges::find(from->with, member.number());
    const auto k = static_cast<std::size_t>(at - from->with.begin());
    const std::int64_t wanted = at == from->with.end() ? -1 : from->in[k + 1] - from->in[k];
    require(std::ssize(link.send) == wanted, [&] {
      return fmt::format("Ghosts: member {} sends {} blocks to member {}, which waits for {}",
                         member.number(), link.send.size(), link.with,
                         wanted < 0 ? "none" : std::to_string(wanted));
    });
    inlets_.push_back({from, reaches(link.with), !member.device().is_cuda() && !reaches(link.with),
                       from->out[k], box_->in[l], link.receive});
    send.insert(send.end(), link.send.begin(), link.send.end());
    link_of.insert(link_of.end(), link.send.size(), static_cast<std::int32_t>(l));
    const std::int64_t place = reaches(link.with) ? from->in[k] : box_->out[l];
    for (std::int64_t i = 0; i < wanted; ++i) place_of.push_back(static_cast<std::int32_t>(place + i));
  }
  send_ = Array<std::int32_t>(member.device(), send);
  link_of_ = Array<std::int32_t>(member.device(), link_of);
  place_of_ = Array<std::int32_t>(member.device(), place_of);
}

/// Memory for more columns. Everybody makes it at the same call, as all have the same columns.
template <class T>
void Ghosts<T>::make_room(std::int64_t columns) {
  const Device& device = member_.device();
  device.synchronize();
  if (!journey_) member_.meet();  // nobody reads or writes what there was
  room_ = columns;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    const std::int64_t sent = box_->out.back() * block_ * columns;
    box_->ghosts[turn].emplace(device, rows() * columns);
    box_->sent[turn].emplace(device, sent);
    if (to_cpu_) box_->sent_on_host[turn].emplace(host_array_for<T>(device, sent));
  }
  if (far_by_host(member_)) far_ghosts_ = host_array_for<T>(device, rows() * columns);
  if (!journey_) member_.meet();
  for (std::size_t turn = 0; turn < 2; ++turn) {
    std::vector<T*> targets;
    targets.reserve(inlets_.size());
    if (journey_) targets.push_back(box_->sent[turn]->data());
    for (const Inlet& inlet : inlets_) {
      const Array<T>& place = inlet.reaches ? *inlet.from->ghosts[turn] : *box_->sent[turn];
      targets.push_back(const_cast<T*>(place.data()));
    }
    targets_[turn] = Array<T*>(device, targets);
  }
}

template <class T>
void Ghosts<T>::begin(const Stream& stream, MultiView<const T> x) {
  if (x.columns > room_) make_room(x.columns);
  turn_ = 1 - turn_;
  columns_ = x.columns;
  stream.mark(ready_);
  beside_.wait(ready_);
  parallel_for(beside_, send_.size() * block_ * columns_,
               kernel::PushBlocks<T>{x, block_, send_.data(), link_of_.data(), place_of_.data(),
                                     targets_[turn_].data()});
  if (to_cpu_) {
    const std::int64_t size = box_->out.back() * block_ * columns_;
    copy_async<T>(beside_, View<const T>{box_->sent[turn_]->data(), size},
                  View<T>{box_->sent_on_host[turn_]->data(), size});
  }
  beside_.mark(box_->event[turn_]);
  if (journey_ && !member_.device().is_cuda()) begin_journey();
}

/// Of what lies ready, once the stream beside has done what it was given.
template <class T>
void Ghosts<T>::begin_journey() {
  beside_.synchronize();
  const auto bytes = static_cast<std::size_t>(block_ * columns_) * sizeof(T);
  const bool by_host = far_by_host(member_);
  const T* const out = by_host ? box_->sent_on_host[turn_]->data() : box_->sent[turn_]->data();
  T* const in = by_host ? far_ghosts_.data() : box_->ghosts[turn_]->data();
  std::vector<Parcel> parcels;
  parcels.reserve(far_.size());
  const auto at = [&](std::int64_t blocks) { return static_cast<std::size_t>(blocks) * bytes; };
  for (const Far& far : far_) {
    parcels.push_back({far.with,
                       {reinterpret_cast<const std::byte*>(out) + at(far.out), at(far.out_count)},
                       {reinterpret_cast<std::byte*>(in) + at(far.in), at(far.in_count)}});
  }
  journey_->begin(parcels);
}

template <class T>
MultiView<const T> Ghosts<T>::finish(const Stream& stream) {
  T* const ghosts = box_->ghosts[turn_]->data();
  if (journey_) {
    if (member_.device().is_cuda()) begin_journey();
    journey_->finish();
    if (far_by_host(member_)) {
      const std::int64_t size = rows() * columns_;
      copy_async<T>(beside_, View<const T>{far_ghosts_.data(), size}, View<T>{ghosts, size});
      beside_.mark(fetched_);
      stream.wait(fetched_);
    }
    return {ghosts, rows(), columns_, columns_};
  }
  member_.meet();  // all have begun
  for (const Inlet& inlet : inlets_) {
    beside_.wait(inlet.from->event[turn_]);
    if (inlet.reaches) continue;
    const std::int64_t blocks = block_ * columns_;
    const Array<T>& from = *(inlet.by_host ? inlet.from->sent_on_host : inlet.from->sent)[turn_];
    copy_async<T>(beside_, View<const T>{from.data() + inlet.first * blocks, inlet.count * blocks},
                  View<T>{ghosts + inlet.place * blocks, inlet.count * blocks});
  }
  beside_.mark(fetched_);
  stream.wait(fetched_);  // and so for x to be sent
  return {ghosts, rows(), columns_, columns_};
}

template class Ghosts<float>;
template class Ghosts<double>;

}  // namespace setka::exec
