// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/preconditioner.hpp"

#include <fmt/core.h>

#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/fsai.hpp"

namespace setka::solve {

std::unique_ptr<Operator> make_preconditioner(const sparse::BlockCsr<double>& a,
                                              const std::function<AmgGeometry()>& geometry,
                                              Preconditioning kind, Monitor& monitor) {
  const exec::Device& device = a.device();
  switch (kind) {
    case Preconditioning::jacobi:
      return std::make_unique<BlockJacobi>(device, 1, inverse_diagonal(a));
    case Preconditioning::block_jacobi:
      return std::make_unique<BlockJacobi>(device, a.height(), inverse_diagonal_blocks(a));
    case Preconditioning::fsai: {
      const Stage stage = monitor.stage("approximate inverse");
      auto fsai = std::make_unique<Fsai>(device, a, FsaiOptions{});
      log::debug("approximate inverse: {} of the {} blocks of the matrix, {}", fsai->blocks(), a.blocks(),
                 format_bytes(fsai->bytes()));
      return fsai;
    }
    default: {
      auto amg = std::make_unique<Amg>(device, a, geometry(), AmgOptions{}, monitor);
      std::string sizes;
      for (const Amg::LevelInfo& level : amg->levels()) sizes += fmt::format(" {}", level.unknowns);
      log::debug("multigrid: levels of{} unknowns, {:.2f} times the matrix, {}", sizes,
                 amg->operator_complexity(), format_bytes(amg->bytes()));
      return amg;
    }
  }
}

std::string name_of(Preconditioning kind) {
  switch (kind) {
    case Preconditioning::jacobi:
      return "CG with the diagonal";
    case Preconditioning::block_jacobi:
      return "CG with block diagonal";
    case Preconditioning::fsai:
      return "CG with approximate inverse";
    default:
      return "CG with multigrid";
  }
}

}  // namespace setka::solve
