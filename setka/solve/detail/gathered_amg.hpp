// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/amg.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve::detail {

/// A level of multigrid that the first member of a team has whole, with all that is below it: it takes less
/// time than members would take to tell each other of it.
class GatheredAmg {
 public:
  /// By all members together.
  GatheredAmg(const sparse::TeamCsr<double>& a, const AmgGeometry& geometry, const AmgOptions& options,
              Monitor& monitor);
  ~GatheredAmg();

  /// x from f of the level, of each member's rows; by all members together.
  void apply(const exec::Stream& stream, exec::MultiView<const float> f, exec::MultiView<float> x);

  /// Of the first member; null elsewhere.
  const Amg* amg() const { return amg_.get(); }

 private:
  std::unique_ptr<Amg> amg_;
  std::unique_ptr<exec::Ghosts<float>> collect_;
  std::unique_ptr<exec::Ghosts<float>> deal_;
};

}  // namespace setka::solve::detail
