// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include "setka/exec/gpu_transport.hpp"
#include "setka/exec/letter.hpp"

namespace setka::petsc {

/// Members of a team as processes of MPI.
class MpiTransport final : public exec::GpuTransport {
 public:
  explicit MpiTransport(MPI_Comm all);

  int size() const override { return size_; }
  int number() const override { return number_; }
  bool takes_gpu_memory() const override;
  void meet() const override;
  std::vector<double> gather(std::span<const double> own) const override;
  void sum(std::span<double> values) const override;
  exec::Letter from_first(const exec::Letter& letter) const override;
  std::vector<exec::Letter> exchange(const std::vector<exec::Letter>& to) const override;
  std::unique_ptr<Journey> journey() const override;

 private:
  MPI_Comm all_;
  int size_ = 1;
  int number_ = 0;
};

}  // namespace setka::petsc
