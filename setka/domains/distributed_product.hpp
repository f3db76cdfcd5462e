// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

namespace setka::domains {

/// Products of what a team has in parts with vectors over all rows, in the memory of the host: for what is
/// done a few times.
class DistributedProduct final : public solve::Operator {
 public:
  explicit DistributedProduct(const DistributedMatrix& matrix);
  explicit DistributedProduct(const DistributedOperator& a);

  const exec::Device& device() const override { return cpu_; }
  std::int64_t rows() const override { return parts_.scalar_rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  const exec::Team& team_;
  const RowParts& parts_;
  std::function<const solve::Operator&(const exec::Member&)> of_;
  exec::Device cpu_ = exec::Device::cpu(1);
};

}  // namespace setka::domains
