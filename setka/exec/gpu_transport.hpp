// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/transport.hpp"

namespace setka::exec {

/// A transport whose parcels may lie in the memory of a GPU, if it says so while it runs.
class GpuTransport : public Transport {
 public:
  virtual bool takes_gpu_memory() const = 0;
};

inline bool takes_gpu_memory(const Transport& transport) {
  const auto* const of_gpus = dynamic_cast<const GpuTransport*>(&transport);
  return of_gpus != nullptr && of_gpus->takes_gpu_memory();
}

}  // namespace setka::exec
