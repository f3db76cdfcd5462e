// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/error.hpp"
#include "support/sweep_peers.hpp"

namespace setka::bench {

struct CusparseSweeps::State {};

CusparseSweeps::CusparseSweeps(const exec::Device&, std::int64_t, bool, exec::Array<double>&,
                               exec::Array<double>&, exec::Array<double>&, exec::Array<double>&) {
  throw Error(Fault::usage, "built without CUDA: there is no cuSPARSE");
}

CusparseSweeps::~CusparseSweeps() = default;

void CusparseSweeps::solve() const {}

}  // namespace setka::bench
