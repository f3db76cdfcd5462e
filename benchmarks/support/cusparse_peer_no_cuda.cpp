// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/error.hpp"
#include "support/cusparse_peer.hpp"

namespace setka::bench {

struct CusparsePeer::State {};

CusparsePeer::CusparsePeer(const exec::Device&, const sparse::BlockCsr<double>&, std::int64_t, CusparseWay) {
  throw Error(Fault::usage, "built without CUDA: there is no cuSPARSE");
}

CusparsePeer::~CusparsePeer() = default;

void CusparsePeer::multiply(exec::View<const double>, exec::View<double>) {}

}  // namespace setka::bench
