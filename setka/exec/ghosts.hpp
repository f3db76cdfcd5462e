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

/// Blocks that a member computes with and others own: they come while the member does other work. Who reaches
/// the memory of another puts them there himself; else they are fetched. Each of two members has a link to
/// the other, or neither has.
template <class T>
class Ghosts {
 public:
  /// By all members together. block: rows. Ghosts lie in the order of the links, and of what each sends.
  Ghosts(const Member& member, int block, const std::vector<Link>& links);

  std::int64_t rows() const { return block_ * box_->in.back(); }

  /// Sets what the others need of x, [blocks, columns], on its way. By all members together; what is given to
  /// the stream until finish() is done meanwhile, and leaves x as it is.
  void begin(const Stream& stream, MultiView<const T> x);

  /// What came from the others: [rows(), columns], there for what is given to the stream from now on, until
  /// the next begin().
  MultiView<const T> finish(const Stream& stream);

  /// The stream that exchanges: what it is given after finish() comes after all that came.
  const Stream& exchanging() const { return beside_; }

 private:
  /// What the others see of a member. Memory is there twice, taken in turn, as all that members tell each
  /// other.
  struct Box {
    std::vector<int> with;          // [links]
    std::vector<std::int64_t> in;   // [links + 1] blocks of ghosts
    std::vector<std::int64_t> out;  // [links + 1] blocks for those who cannot be reached
    std::array<std::optional<Array<T>>, 2> ghosts;
    std::array<std::optional<Array<T>>, 2> sent;
    std::array<std::optional<Array<T>>, 2> sent_on_host;  // of a GPU with a CPU among its neighbours
    std::array<Event, 2> event;                           // when all is sent
  };

  /// One link as the receiver sees it.
  struct Inlet {
    std::shared_ptr<const Box> from;
    bool reaches = true;     // the other puts blocks into our memory itself
    bool by_host = false;    // they lie in host memory there
    std::int64_t first = 0;  // block there, where it does not
    std::int64_t place = 0;  // and here
    std::int64_t count = 0;
  };

  /// A neighbour of another process.
  struct Far {
    int with = 0;
    std::int64_t out = 0;  // first block of what is sent there
    std::int64_t out_count = 0;
    std::int64_t in = 0;
    std::int64_t in_count = 0;
  };

  void know_neighbours(const std::vector<Link>& links);
  void know_far_neighbours(const std::vector<Link>& links);
  void begin_journey();

  bool reaches(int other) const;
  void make_room(std::int64_t columns);

  Member member_;
  std::int64_t block_;
  std::size_t turn_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t room_ = 0;  // columns
  bool to_cpu_ = false;
  Array<std::int32_t> send_;      // blocks, of all links
  Array<std::int32_t> link_of_;   // [blocks]
  Array<std::int32_t> place_of_;  // [blocks] at the other, or in what is sent
  std::shared_ptr<Box> box_;
  std::vector<Inlet> inlets_;
  std::vector<Far> far_;  // of a team of processes, in the place of inlets
  std::unique_ptr<Transport::Journey> journey_;
  Array<T> far_ghosts_{Device::cpu(1)};  // as they come, where the device is a GPU
  std::array<Array<T*>, 2> targets_;     // [links]
  Stream beside_;                        // what is exchanged passes what is computed
  Event ready_;                          // what is sent
  Event fetched_;
};

}  // namespace setka::exec
