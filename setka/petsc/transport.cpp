// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/petsc/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#if __has_include(<mpi-ext.h>)  // of Open MPI
#  include <mpi-ext.h>
#  ifdef MPIX_CUDA_AWARE_SUPPORT
#    define SETKA_MPI_TELLS_OF_GPUS
#  endif
#endif

namespace setka::petsc {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30U;  // of what MPI can count

/// Does it for pieces that MPI can count.
template <class T, class Do>
void in_pieces(std::span<T> values, const Do& work) {
  for (std::size_t first = 0; first < values.size(); first += most_at_once) {
    const std::size_t count = std::min(most_at_once, values.size() - first);
    work(values.data() + first, static_cast<int>(count));
  }
}

class Messages final : public exec::Transport::Journey {
 public:
  explicit Messages(MPI_Comm all) : all_(all) {}

  void begin(std::span<const exec::Parcel> parcels) override {
    requests_.clear();
    for (const exec::Parcel& parcel : parcels) {
      in_pieces(parcel.in, [&](std::byte* values, int count) {
        MPI_Irecv(values, count, MPI_BYTE, parcel.with, 0, all_, &requests_.emplace_back());
      });
    }
    for (const exec::Parcel& parcel : parcels) {
      in_pieces(parcel.out, [&](const std::byte* values, int count) {
        MPI_Isend(values, count, MPI_BYTE, parcel.with, 0, all_, &requests_.emplace_back());
      });
    }
  }

  void finish() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

 private:
  MPI_Comm all_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

MpiTransport::MpiTransport(MPI_Comm all) : all_(all) {
  MPI_Comm_size(all, &size_);
  MPI_Comm_rank(all, &number_);
}

/// What MPI says of itself while it runs: it may have been built for GPUs and find none.
bool MpiTransport::takes_gpu_memory() const {
#ifdef SETKA_MPI_TELLS_OF_GPUS
  static const bool takes = MPIX_Query_cuda_support() == 1;
  return takes;
#else
  return false;
#endif
}

void MpiTransport::meet() const {
  MPI_Barrier(all_);
}

std::vector<double> MpiTransport::gather(std::span<const double> own) const {
  std::vector<double> of_all(own.size() * static_cast<std::size_t>(size_));
  const int count = static_cast<int>(own.size());
  MPI_Allgather(own.data(), count, MPI_DOUBLE, of_all.data(), count, MPI_DOUBLE, all_);
  return of_all;
}

void MpiTransport::sum(std::span<double> values) const {
  in_pieces(values, [&](double* piece, int count) {
    MPI_Allreduce(MPI_IN_PLACE, piece, count, MPI_DOUBLE, MPI_SUM, all_);
  });
}

exec::Letter MpiTransport::from_first(const exec::Letter& letter) const {
  std::int64_t size = std::ssize(letter.bytes());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, all_);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (number_ == 0) std::ranges::copy(letter.bytes(), bytes.begin());
  in_pieces(std::span(bytes),
            [&](std::byte* piece, int count) { MPI_Bcast(piece, count, MPI_BYTE, 0, all_); });
  return exec::Letter(std::move(bytes));
}

std::vector<exec::Letter> MpiTransport::exchange(const std::vector<exec::Letter>& to) const {
  std::vector<std::int64_t> out;
  out.reserve(to.size());
  for (const exec::Letter& letter : to) out.push_back(std::ssize(letter.bytes()));
  std::vector<std::int64_t> in(to.size());
  MPI_Alltoall(out.data(), 1, MPI_INT64_T, in.data(), 1, MPI_INT64_T, all_);
  std::vector<std::vector<std::byte>> came;
  came.reserve(in.size());
  std::vector<exec::Parcel> parcels;
  for (int other = 0; other < size_; ++other) {
    const auto at = static_cast<std::size_t>(other);
    came.emplace_back(static_cast<std::size_t>(in[at]));
    if (in[at] > 0 || out[at] > 0) parcels.push_back({other, to[at].bytes(), came[at]});
  }
  Messages messages(all_);
  messages.begin(parcels);
  messages.finish();
  return {std::make_move_iterator(came.begin()), std::make_move_iterator(came.end())};
}

std::unique_ptr<exec::Transport::Journey> MpiTransport::journey() const {
  return std::make_unique<Messages>(all_);
}

}  // namespace setka::petsc
