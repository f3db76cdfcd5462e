// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec {

/// What a member of a team shares with another one, in blocks of rows of a vector.
struct Link {
  int with = 0;
  std::vector<std::int32_t> send;  // blocks of its own that the other needs
  std::int32_t receive = 0;        // how many come from there
};

/// Blocks that a member computes with and others own: fetched from them, while the member does other work.
/// Each of two members has a link to the other, or neither has.
template <class T>
class Ghosts {
 public:
  /// By all members together. block: rows. Ghosts lie in the order of the links, and of what each sends.
  Ghosts(const Member& member, int block, const std::vector<Link>& links);

  std::int64_t rows() const { return block_ * ghosts_; }

  /// Sets what the others need of x, [blocks, columns], on its way. By all members together; what is given to
  /// the stream until finish() is done meanwhile.
  void begin(const Stream& stream, MultiView<const T> x);

  /// What came from the others: [rows(), columns], there for what is given to the stream from now on, until
  /// the next begin().
  MultiView<const T> finish(const Stream& stream);

 private:
  /// What others read. In turns of two, as all that members tell each other.
  struct Outbox {
    std::vector<int> with;            // [links]
    std::vector<std::int64_t> first;  // [links + 1] blocks
    std::array<std::optional<Array<T>>, 2> values;
    std::array<std::optional<Array<T>>, 2> on_host;  // of a GPU with a CPU among its neighbours
    std::array<std::optional<Event>, 2> sent;
  };

  /// Of one link: where its blocks lie at the other member.
  struct Inlet {
    std::shared_ptr<const Outbox> from;
    std::int64_t first = 0;  // block there
    std::int64_t count = 0;
    bool by_host = false;
  };

  Member member_;
  std::int64_t block_;
  std::int64_t ghosts_ = 0;
  bool to_cpu_ = false;
  std::size_t turn_ = 0;
  std::int64_t columns_ = 0;
  Array<std::int32_t> send_;  // blocks, of all links
  std::shared_ptr<Outbox> outbox_;
  std::vector<Inlet> inlets_;
  std::optional<Array<T>> values_;
  Stream beside_;  // what comes in passes what is computed
};

}  // namespace setka::exec
