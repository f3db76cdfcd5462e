// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/transport.hpp"

namespace setka::exec::detail {

/// Of a thread that ends because another member failed.
struct TeamStopped {};

/// What members of a team tell each other while they work. Everything that is told has two places, taken in
/// turn: who tells something for the third time has met all others since they read the first.
class TeamState {
 public:
  /// transport: of a process that is one member; null: it is all of them.
  TeamState(std::vector<Device> devices, const Transport* transport);

  int size() const { return static_cast<int>(devices_.size()); }
  const Device& device(int member) const { return devices_[static_cast<std::size_t>(member)]; }

  const Transport* transport() const { return transport_; }

  /// Before the members' threads, for each work.
  void begin();

  void meet();
  /// Nobody waits for this member any more.
  void leave(bool failed);
  void wait_for_all(int member, const Stream& stream);

  View<double> room_for_sum(int member, std::int64_t size);
  void sum_left(int member, const Stream& stream, View<double> values);
  std::vector<double> each(int member, double value);
  std::vector<Letter> exchange(int member, std::vector<Letter> to);
  std::vector<std::shared_ptr<void>> gather(int member, std::shared_ptr<void> own);

 private:
  /// Values of one member on their way to the others.
  struct Told {
    std::optional<Array<double>> own;      // on its device
    std::optional<Array<double>> on_host;  // the same where some members are CPUs and this one is not
    Event event;                           // when they are there
  };
  struct OfMember {
    std::array<Told, 2> told;
    std::array<double, 2> number{};
    std::array<Event, 2> reached;  // how far its stream is
    std::shared_ptr<void> given;
    bool leaves = false;  // values for a sum
    int turn = 0;         // of told
    int number_turn = 0;  // of number
    int reached_turn = 0;
  };

  OfMember& of(int member) { return members_[static_cast<std::size_t>(member)]; }
  /// Where a member reads what another told; null: it cannot, by a kernel.
  const double* read_directly(int reader, int teller, int turn);

  /// sum_left() of members of other processes, by the host.
  void sum_far(const Stream& stream, Told& own, View<double> values);

  std::vector<Device> devices_;
  const Transport* transport_;
  std::vector<OfMember> members_;
  std::optional<std::barrier<>> meeting_;  // of the work that is done
  std::atomic<bool> failed_ = false;
  bool mixed_;  // CPUs and GPUs
};

}  // namespace setka::exec::detail
