// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/transport.hpp"

namespace setka::test {

/// Members of a team as threads of a test, which stand for processes: what they tell each other is copied
/// from the one's memory to the other's.
class ThreadTransport final : public exec::Transport {
 public:
  struct Board {
    explicit Board(int size) : meeting(size), shown(static_cast<std::size_t>(size)) {}
    std::barrier<> meeting;
    std::vector<const void*> shown;  // by each member
    std::int64_t told = 0;           // bytes that the first member got from others
  };

  ThreadTransport(Board& board, int number) : board_(board), number_(number) {}

  int size() const override { return static_cast<int>(board_.shown.size()); }
  int number() const override { return number_; }
  void meet() const override { board_.meeting.arrive_and_wait(); }

  std::vector<double> gather(std::span<const double> own) const override {
    std::vector<double> of_all;
    all_show(own, [&](int, std::span<const double> shown) {
      of_all.insert(of_all.end(), shown.begin(), shown.end());
    });
    return of_all;
  }

  void sum(std::span<double> values) const override {
    const std::vector<double> of_all = gather(values);
    std::ranges::fill(values, 0.0);
    for (std::size_t i = 0; i < of_all.size(); ++i) values[i % values.size()] += of_all[i];
  }

  exec::Letter from_first(const exec::Letter& letter) const override {
    exec::Letter first;
    all_show(letter, [&](int member, const exec::Letter& shown) {
      if (member == 0) first = shown;
    });
    return first;
  }

  std::vector<exec::Letter> exchange(const std::vector<exec::Letter>& to) const override {
    std::vector<exec::Letter> came;
    all_show(to, [&](int member, const std::vector<exec::Letter>& shown) {
      came.push_back(shown[static_cast<std::size_t>(number_)]);
      count(member, came.back().bytes().size());
    });
    return came;
  }

  std::unique_ptr<Journey> journey() const override { return std::make_unique<Copies>(*this); }

 private:
  class Copies final : public Journey {
   public:
    explicit Copies(const ThreadTransport& own) : own_(own) {}
    void begin(std::span<const exec::Parcel> parcels) override {
      parcels_.assign(parcels.begin(), parcels.end());
    }
    void finish() override {
      own_.all_show(parcels_, [&](int member, const std::vector<exec::Parcel>& shown) {
        auto sent = shown.begin();
        for (const exec::Parcel& parcel : parcels_) {
          if (parcel.with != member || parcel.in.empty()) continue;
          sent = std::find_if(sent, shown.end(), [&](const exec::Parcel& other) {
            return other.with == own_.number_ && !other.out.empty();
          });
          std::ranges::copy(sent->out, parcel.in.begin());
          own_.count(member, sent->out.size());
          ++sent;
        }
      });
    }

   private:
    const ThreadTransport& own_;
    std::vector<exec::Parcel> parcels_;
  };

  /// see(member, what it shows), of one member after the other, while all show theirs.
  template <class T, class See>
  void all_show(const T& own, const See& see) const {
    board_.shown[static_cast<std::size_t>(number_)] = &own;
    meet();
    for (int member = 0; member < size(); ++member)
      see(member, *static_cast<const T*>(board_.shown[static_cast<std::size_t>(member)]));
    meet();
  }

  void count(int from, std::size_t bytes) const {
    if (number_ == 0 && from != 0) board_.told += static_cast<std::int64_t>(bytes);
  }

  Board& board_;
  int number_;
};

/// member(transport) by so many threads at once; returns the bytes that the first of them was told.
template <class Member>
std::int64_t by_threads(int count, const Member& member) {
  ThreadTransport::Board board(count);
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) threads.emplace_back([&, i] { member(ThreadTransport(board, i)); });
  threads.clear();
  return board.told;
}

/// Work of so many members at the same time; what each has thrown, empty where it has not.
inline std::vector<std::string> run_members(
    int members, const std::function<void(const std::shared_ptr<const exec::Transport>&)>& work) {
  ThreadTransport::Board board(members);
  std::vector<std::string> thrown(static_cast<std::size_t>(members));
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(members));
  for (int m = 0; m < members; ++m) {
    threads.emplace_back([&, m] {
      try {
        work(std::make_shared<const ThreadTransport>(board, m));
      } catch (const Error& error) {
        thrown[static_cast<std::size_t>(m)] = error.what();
      }
    });
  }
  threads.clear();
  return thrown;
}

}  // namespace setka::test
