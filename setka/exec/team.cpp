// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/team.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/detail/team_state.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/team_kernel.hpp"

namespace setka::exec {
namespace detail {

TeamState::TeamState(std::vector<Device> devices, const Transport* transport)
    : devices_(std::move(devices)),
      transport_(transport),
      members_(devices_.size()),
      mixed_(std::ranges::any_of(devices_, &Device::is_cuda) &&
             !std::ranges::all_of(devices_, &Device::is_cuda)) {}

void TeamState::begin() {
  if (transport_ == nullptr) meeting_.emplace(static_cast<std::ptrdiff_t>(devices_.size()));
  failed_ = false;
  for (OfMember& member : members_) {  // a work that failed may have left them apart
    member.leaves = false;
    member.turn = 0;
    member.number_turn = 0;
    member.reached_turn = 0;
    member.given.reset();
  }
}

void TeamState::meet() {
  if (transport_ != nullptr) return transport_->meet();
  meeting_->arrive_and_wait();
  if (failed_) throw TeamStopped{};
}

void TeamState::leave(bool failed) {
  if (failed) failed_ = true;
  meeting_->arrive_and_drop();
}

void TeamState::wait_for_all(int member, const Stream& stream) {
  if (transport_ != nullptr) {
    stream.synchronize();
    return transport_->meet();
  }
  const int turn = std::exchange(of(member).reached_turn, 1 - of(member).reached_turn);
  const auto at = static_cast<std::size_t>(turn);
  stream.mark(of(member).reached[at]);
  meet();
  for (int other = 0; other < size(); ++other) {
    if (other != member) stream.wait(of(other).reached[at]);
  }
}

View<double> TeamState::room_for_sum(int member, std::int64_t size) {
  require(!std::exchange(of(member).leaves, true), "Member: values are left for a sum already");
  Told& told = of(member).told[static_cast<std::size_t>(of(member).turn)];
  const bool to_cpu = mixed_ && device(member).is_cuda();
  if (!told.own || told.own->size() < size) told.own.emplace(device(member), size);
  if (to_cpu && (!told.on_host || told.on_host->size() < size))
    told.on_host.emplace(host_array_for<double>(device(member), size));
  return told.own->view().part(0, size);
}

const double* TeamState::read_directly(int reader, int teller, int turn) {
  const double* const place = of(teller).told[static_cast<std::size_t>(turn)].own->data();
  if (reader == teller) return place;
  if (device(reader).is_cuda() != device(teller).is_cuda()) return nullptr;
  return !device(reader).is_cuda() || device(reader).ordinal() == device(teller).ordinal() ? place : nullptr;
}

void TeamState::sum_left(int member, const Stream& stream, View<double> values) {
  require(std::exchange(of(member).leaves, false), "Member: nothing is left for a sum");
  const int turn = std::exchange(of(member).turn, 1 - of(member).turn);
  const auto at = static_cast<std::size_t>(turn);
  Told& own = of(member).told[at];
  if (transport_ != nullptr) return sum_far(stream, own, values);
  if (own.on_host)
    copy_async<double>(stream, View<const double>{own.own->data(), values.size},
                       own.on_host->view().part(0, values.size));
  stream.mark(own.event);
  meet();
  kernel::SumOfMembers direct{{}, size(), values.data};
  bool reads_all = size() <= kernel::SumOfMembers::max_members;
  for (int other = 0; other < size(); ++other) {
    if (other != member) stream.wait(of(other).told[at].event);
    if (!reads_all) continue;
    direct.of_member[other] = read_directly(member, other, turn);
    reads_all = direct.of_member[other] != nullptr;
  }
  if (reads_all) return parallel_for(stream, values.size, direct);
  const Scratch<double> gathered(stream, size() * values.size);
  for (int other = 0; other < size(); ++other) {
    const Told& told = of(other).told[at];
    const bool by_host = device(other).is_cuda() && !device(member).is_cuda();
    const Array<double>& from = by_host ? *told.on_host : *told.own;
    copy_async<double>(stream, View<const double>{from.data(), values.size},
                       View<double>{gathered.data() + other * values.size, values.size});
  }
  parallel_for(stream, values.size, kernel::SumOfRows{gathered.data(), values.size, size(), values.data});
}

void TeamState::sum_far(const Stream& stream, Told& own, View<double> values) {
  const auto count = static_cast<std::size_t>(values.size);
  std::vector<double> left(count);
  copy_async<double>(stream, View<const double>{own.own->data(), values.size},
                     View<double>{left.data(), values.size});
  stream.synchronize();
  const std::vector<double> of_all = transport_->gather(left);
  std::ranges::fill(left, 0.0);
  for (std::size_t i = 0; i < of_all.size(); ++i) left[i % count] += of_all[i];
  copy_async<double>(stream, View<const double>{left.data(), values.size}, values);
  stream.synchronize();
}

std::vector<double> TeamState::each(int member, double value) {
  if (transport_ != nullptr) return transport_->gather({&value, 1});
  const int turn = std::exchange(of(member).number_turn, 1 - of(member).number_turn);
  const auto at = static_cast<std::size_t>(turn);
  of(member).number[at] = value;
  meet();
  std::vector<double> all;
  all.reserve(members_.size());
  for (const OfMember& other : members_) all.push_back(other.number[at]);
  return all;
}

std::vector<Letter> TeamState::exchange(int member, std::vector<Letter> to) {
  require(std::ssize(to) == size(), "Member: a letter to each member, if an empty one, is expected");
  if (transport_ != nullptr) return transport_->exchange(to);
  const auto of_all = gather(member, std::make_shared<std::vector<Letter>>(std::move(to)));
  std::vector<Letter> came;
  came.reserve(of_all.size());
  for (const std::shared_ptr<void>& from : of_all) {
    auto& letters = *std::static_pointer_cast<std::vector<Letter>>(from);
    came.push_back(std::move(letters[static_cast<std::size_t>(member)]));  // nobody else reads it
  }
  return came;
}

std::vector<std::shared_ptr<void>> TeamState::gather(int member, std::shared_ptr<void> own) {
  require(transport_ == nullptr, "Member: what members of other processes give is not to be had");
  of(member).given = std::move(own);
  meet();
  std::vector<std::shared_ptr<void>> all;
  all.reserve(members_.size());
  for (const OfMember& other : members_) all.push_back(other.given);
  meet();  // before another one is given
  return all;
}

}  // namespace detail

int Member::size() const {
  return team_->size();
}

const Device& Member::device() const {
  return team_->device(number_);
}

const Device& Member::device(int other) const {
  return team_->device(other);
}

const Transport* Member::transport() const {
  return team_->transport();
}

void Member::meet() const {
  team_->meet();
}

void Member::wait_for_all(const Stream& stream) const {
  if (size() > 1) team_->wait_for_all(number_, stream);
}

View<double> Member::room_for_sum(std::int64_t size) const {
  return team_->room_for_sum(number_, size);
}

void Member::sum_left(const Stream& stream, View<double> values) const {
  team_->sum_left(number_, stream, values);
}

void Member::sum(const Stream& stream, View<double> values) const {
  if (size() == 1) return;
  copy_async<double>(stream, values, room_for_sum(values.size));
  sum_left(stream, values);
}

double Member::sum(double value) const {
  double all = 0;
  for (const double own : each(value)) all += own;
  return all;
}

std::vector<double> Member::each(double own) const {
  return size() > 1 ? team_->each(number_, own) : std::vector<double>{own};
}

std::vector<Letter> Member::exchange(std::vector<Letter> to) const {
  return size() > 1 ? team_->exchange(number_, std::move(to)) : to;
}

std::vector<std::shared_ptr<void>> Member::gather(std::shared_ptr<void> own) const {
  return team_->gather(number_, std::move(own));
}

bool Member::has_gpu() const {
  for (int other = 0; other < size(); ++other) {
    if (device(other).is_cuda()) return true;
  }
  return false;
}

bool Member::all(bool own) const {
  return sum(own ? 0.0 : 1.0) == 0;
}

Team::Team(std::vector<Device> devices, std::vector<double> shares)
    : devices_(std::move(devices)),
      shares_(std::move(shares)),
      state_(std::make_shared<detail::TeamState>(devices_, nullptr)) {
  require(!devices_.empty(), "Team: no devices");
  if (shares_.empty()) shares_.assign(devices_.size(), 1.0);
  require(shares_.size() == devices_.size(), "Team: as many shares as devices are right");
  require(std::ranges::all_of(shares_, [](double share) { return share > 0 && std::isfinite(share); }),
          "Team: shares are above 0");
  const double whole = std::accumulate(shares_.begin(), shares_.end(), 0.0);
  for (double& share : shares_) share /= whole;
}

Team::Team(const Device& device, std::shared_ptr<const Transport> transport)
    : devices_(static_cast<std::size_t>(transport->size()), device),
      shares_(devices_.size(), 1.0 / static_cast<double>(devices_.size())),
      transport_(std::move(transport)),
      state_(std::make_shared<detail::TeamState>(devices_, transport_.get())) {}

void Team::run(const std::function<void(const Member&)>& work) const {
  detail::TeamState& state = *state_;
  state.begin();
  if (transport_) return work(Member(state, transport_->number()));
  if (size() == 1) return work(Member(state, 0));
  std::vector<std::exception_ptr> failures(devices_.size());
  const auto of_member = [&](int number) {
    try {
      work(Member(state, number));
      state.leave(false);
      return;
    } catch (const detail::TeamStopped&) {
    } catch (...) {
      failures[static_cast<std::size_t>(number)] = std::current_exception();
    }
    state.leave(true);
  };
  std::vector<std::jthread> threads;
  threads.reserve(devices_.size());
  for (int number = 0; number < size(); ++number) {
    try {
      threads.emplace_back(of_member, number);
    } catch (const std::system_error&) {
      // Those that have begun must not wait for the rest.
      for (int missing = number; missing < size(); ++missing) state.leave(true);
      failures[static_cast<std::size_t>(number)] = std::make_exception_ptr(
          Error(Fault::resource, "no thread is to be had for a device of the team", "end other programs"));
      break;
    }
  }
  threads.clear();                                             // when they have ended
  for (const Device& device : devices_) device.synchronize();  // what they told each other is read until then
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace setka::exec
