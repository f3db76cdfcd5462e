// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/petsc/transport.hpp"

#include <algorithm>
#include <cstddef>

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

void MpiTransport::spread(std::span<std::int32_t> values) const {
  in_pieces(values, [&](std::int32_t* piece, int count) { MPI_Bcast(piece, count, MPI_INT32_T, 0, all_); });
}

std::unique_ptr<exec::Transport::Journey> MpiTransport::journey() const {
  return std::make_unique<Messages>(all_);
}

}  // namespace setka::petsc
