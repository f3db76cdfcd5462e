// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/letter.hpp"
#include "setka/exec/transport.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

namespace detail {
class TeamState;
}

/// One device of a team, as the work sees it that its host thread does. All members call what is here equally
/// often and in the same order.
class Member {
 public:
  int number() const { return number_; }
  int size() const;
  const Device& device() const;
  const Device& device(int other) const;
  bool has_gpu() const;                // some member, or this one
  const Transport* transport() const;  // to members of other processes; null: all are of this one

  /// Waits until the host threads of all members have come so far. Ends the work where another member failed.
  void meet() const;

  /// Work given to the stream from now on begins when what every member gave to the stream it calls this with
  /// is done. Host threads wait for each other, never for a GPU.
  void wait_for_all(const Stream& stream) const;

  /// values = their sums over all members, added in the order of the members: the same bits everywhere and at
  /// every run. In memory of the member's device, as many everywhere; a few, since each member adds them all
  /// up. Ordered in the stream: host threads wait for each other, never for a GPU.
  void sum(const Stream& stream, View<double> values) const;

  /// Where the member may leave so many values for the next sum_left() to add up: what is computed there is
  /// spared a copy. Until then nothing else is summed on devices.
  View<double> room_for_sum(std::int64_t size) const;

  /// values = the sums of what all members left.
  void sum_left(const Stream& stream, View<double> values) const;

  /// The same of a number that the host has.
  double sum(double value) const;

  /// Whether it is so for all members.
  bool all(bool own) const;

  /// What each member says, in their order.
  std::vector<double> each(double own) const;

  /// What each member has written to this one, in their order. to: [members] what this one writes to each.
  std::vector<Letter> exchange(std::vector<Letter> to) const;

  /// What each member gives, in their order. Of one process alone: others do not find it.
  std::vector<std::shared_ptr<void>> gather(std::shared_ptr<void> own) const;

  /// What the first member makes, for all: where the same numbers might come out different in the last bit,
  /// as libraries make them whose order of sums depends on where memory lies, and members decide by them.
  /// Of a type that Letter::write() takes.
  template <class Make>
  auto agreed(const Make& make) const {
    using Value = decltype(make());
    if (size() == 1) return make();
    if (transport() != nullptr) {
      Value said = number_ == 0 ? make() : Value{};
      Letter letter;
      if (number_ == 0) letter.write(said);
      letter = transport()->from_first(letter);
      letter.read(said);
      return said;
    }
    std::shared_ptr<Value> own;
    if (number_ == 0) own = std::make_shared<Value>(make());
    return *std::static_pointer_cast<Value>(gather(std::move(own)).front());
  }

 private:
  friend class Team;
  Member(detail::TeamState& team, int number) : team_(&team), number_(number) {}
  detail::TeamState* team_;
  int number_;
};

/// Devices that compute one thing together, each driven by a host thread of its own. A device may be there
/// several times, as Devices of its own: made by Device::cuda(0) twice, or CPU teams that share the threads.
/// Copies are the same team, which does one work at a time.
class Team {
 public:
  /// shares: how much of the work each device is to have, in a unit of the caller's; none: all the same.
  explicit Team(std::vector<Device> devices, std::vector<double> shares = {});

  /// A member a process, on such a device each.
  Team(const Device& device, std::shared_ptr<const Transport> transport);

  int size() const { return static_cast<int>(devices_.size()); }
  const std::vector<Device>& devices() const { return devices_; }
  /// The member that this process is, of many; -1: it has them all.
  int only() const { return transport_ ? transport_->number() : -1; }
  bool here(int member) const { return !transport_ || member == transport_->number(); }
  const Transport* transport() const { return transport_.get(); }
  /// Of values that are 0 but for what members of this process know: what all know. Nothing to do for one
  /// process.
  void collect(std::span<double> values) const {
    if (transport_) transport_->sum(values);
  }
  /// [members] of one whole.
  const std::vector<double>& shares() const { return shares_; }

  /// Does the work of every member, and returns when all is done; in the calling thread where there is only
  /// one. Where a member fails the others end at their next meeting, and its failure is thrown: of several
  /// that of the first.
  /// A Member may be kept for works to come, by what was made with it, while there is the team.
  void run(const std::function<void(const Member&)>& work) const;

 private:
  std::vector<Device> devices_;
  std::vector<double> shares_;
  std::shared_ptr<const Transport> transport_;
  std::shared_ptr<detail::TeamState> state_;
};

}  // namespace setka::exec
