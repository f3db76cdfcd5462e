// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/block_model.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/form.hpp"

namespace setka::bench {

/// Integration of element stiffness as a caller without a GPU of its own sees it: coordinates and nodes of
/// the elements go to the device, the upper triangles come back, all from and to pinned memory.
class IntegrationWithTransfers {
 public:
  IntegrationWithTransfers(const exec::Device& device, const BlockModel& model);

  /// Puts both transfers and the integration between them into the device's stream.
  void run(fem::IntegrationLevel level);

  /// The integration alone.
  void integrate(fem::IntegrationLevel level);

  std::size_t matrix_bytes() const { return matrices_.bytes(); }

 private:
  exec::Device device_;
  std::shared_ptr<const fem::Form> stiffness_;
  fem::ElementMatrices matrices_;
  exec::Array<double> host_coordinates_;
  exec::Array<std::int32_t> host_node_;
  exec::Array<double> host_matrices_;
  // The set has its own copies in the layout of its kernels; what travels has their size.
  exec::Array<double> coordinates_;
  exec::Array<std::int32_t> node_;
};

/// One way to share the work out on a GPU; seconds.
struct LevelTimes {
  std::string level;  // "I", "II", "IIa", "best"
  double alone = 0;
  double with_transfers = 0;
  std::optional<double> paper_speed_up;
};

/// One size of the paper's table; seconds.
struct IntegrationRow {
  fem::Element type;
  std::int64_t elements = 0;
  std::string skipped;      // why nothing was measured on the CPU; empty: it was
  std::string gpu_skipped;  // the same of the GPU, where there is one
  double one_core = 0;
  double team = 0;                         // all threads of the CPU device
  double paper_cpu = 0;                    // one core of a Xeon E5-2609
  std::array<double, 3> paper_speed_up{};  // of a GTX 680 over it at levels I, II, IIa, with both transfers
  std::vector<LevelTimes> gpu;
};

/// The table of the paper on FEStudio, measured here: plane quadrilaterals (CPS4) and hexahedra (C3D8).
/// quick: the smallest size of each. show is called with each row when it has been measured.
std::vector<IntegrationRow> integration_table(const exec::Device& cpu, const std::optional<exec::Device>& gpu,
                                              bool quick,
                                              const std::function<void(const IntegrationRow&)>& show,
                                              Monitor& monitor);

}  // namespace setka::bench
