// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <omp.h>

#include "setka/io/output_file.hpp"

namespace setka::io::detail {

/// Pieces of a file that threads make and that are written in their order. A thread that has made one writes
/// all that are ready, unless another is at it; none waits for its turn, only for room where writing is what
/// takes the time.
class PiecesInOrder {
 public:
  PiecesInOrder(OutputFile& file, std::size_t pieces, int threads)
      : file_(file), pieces_(pieces), slots_(std::min(pieces, 2 * static_cast<std::size_t>(threads) + 2)) {}

  /// Makes and writes pieces until there are no more; all threads call it.
  template <class Make>
  void work(const Make& make) {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return failure_ || taken_ == pieces_ || taken_ - written_ < slots_.size(); });
      if (failure_ || taken_ == pieces_) return;
      const std::size_t piece = taken_++;
      Slot& slot = slots_[piece % slots_.size()];
      lock.unlock();
      try {
        slot.size = make(slot.text, piece);
      } catch (...) {
        lock.lock();
        fail();
        return;
      }
      lock.lock();
      slot.ready = true;
      if (!writing_) write_ready(lock);
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Slot {
    std::string text;
    std::size_t size = 0;
    bool ready = false;
  };

  void write_ready(std::unique_lock<std::mutex>& lock) {
    writing_ = true;
    while (!failure_ && written_ < taken_ && slots_[written_ % slots_.size()].ready) {
      Slot& slot = slots_[written_ % slots_.size()];
      lock.unlock();
      try {
        file_.write(std::string_view(slot.text).substr(0, slot.size));
      } catch (...) {
        lock.lock();
        fail();
        break;
      }
      lock.lock();
      slot.ready = false;
      ++written_;
      room_.notify_one();
    }
    writing_ = false;
    if (written_ == pieces_) room_.notify_all();
  }

  void fail() {
    if (!failure_) failure_ = std::current_exception();
    room_.notify_all();
  }

  OutputFile& file_;
  std::size_t pieces_;
  std::vector<Slot> slots_;
  std::size_t taken_ = 0;
  std::size_t written_ = 0;
  bool writing_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable room_;
};

/// Pieces made by all threads and written in their order: make(text, piece) puts one at the start of the
/// text, which keeps the length that another piece has given it, and returns how long it is.
template <class Make>
void write_in_order(OutputFile& file, std::size_t pieces, const Make& make) {
  const int threads = pieces > 1 ? omp_get_max_threads() : 1;
  PiecesInOrder queue(file, pieces, threads);
#pragma omp parallel num_threads(threads) if (threads > 1)
  queue.work(make);
  queue.rethrow();
}

/// Rows of at most so many bytes: put_row(at, row) writes one and returns where it ends.
template <class PutRow>
void write_rows(OutputFile& file, std::size_t rows, std::size_t most_bytes, const PutRow& put_row) {
  constexpr std::size_t bytes_of_piece = std::size_t{1} << 18;  // stays in the caches until it is written
  const std::size_t rows_of_piece = bytes_of_piece / most_bytes + 1;
  write_in_order(file, (rows + rows_of_piece - 1) / rows_of_piece, [&](std::string& text, std::size_t piece) {
    const std::size_t begin = piece * rows_of_piece;
    const std::size_t end = std::min(rows, begin + rows_of_piece);
    if (text.size() < (end - begin) * most_bytes) text.resize((end - begin) * most_bytes);
    char* at = text.data();
    for (std::size_t row = begin; row < end; ++row) at = put_row(at, row);
    return static_cast<std::size_t>(at - text.data());
  });
}

}  // namespace setka::io::detail
