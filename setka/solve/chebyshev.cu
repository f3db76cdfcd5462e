// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/chebyshev_kernel.hpp"
#include "setka/sparse/block_csr_columns.cuh"
#include "setka/sparse/block_csr_product.cuh"

#define SETKA_CHEBYSHEV(T)                                                                      \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(1, 1, T, setka::solve::kernel::ChebyshevStep<T>)              \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(2, 2, T, setka::solve::kernel::ChebyshevStep<T>)              \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(3, 3, T, setka::solve::kernel::ChebyshevStep<T>)              \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(3, 6, T, setka::solve::kernel::ChebyshevStep<T>)              \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(6, 3, T, setka::solve::kernel::ChebyshevStep<T>)              \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(6, 6, T, setka::solve::kernel::ChebyshevStep<T>)              \
  template void setka::exec::cuda::for_each(const setka::exec::Stream&, std::int64_t,           \
                                            const setka::solve::kernel::ChebyshevStart<1, T>&); \
  template void setka::exec::cuda::for_each(const setka::exec::Stream&, std::int64_t,           \
                                            const setka::solve::kernel::ChebyshevStart<2, T>&); \
  template void setka::exec::cuda::for_each(const setka::exec::Stream&, std::int64_t,           \
                                            const setka::solve::kernel::ChebyshevStart<3, T>&); \
  template void setka::exec::cuda::for_each(const setka::exec::Stream&, std::int64_t,           \
                                            const setka::solve::kernel::ChebyshevStart<6, T>&);
SETKA_CHEBYSHEV(float)
SETKA_CHEBYSHEV(double)

#define SETKA_CHEBYSHEV_COLUMNS(H, T)                                               \
  SETKA_INSTANTIATE_COLUMNS(H, H, T, setka::solve::kernel::ChebyshevColumnsStep<T>) \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::ChebyshevColumnsStart<H, T>)
SETKA_CHEBYSHEV_COLUMNS(1, float)
SETKA_CHEBYSHEV_COLUMNS(2, float)
SETKA_CHEBYSHEV_COLUMNS(3, float)
SETKA_CHEBYSHEV_COLUMNS(6, float)
SETKA_CHEBYSHEV_COLUMNS(1, double)
SETKA_CHEBYSHEV_COLUMNS(2, double)
SETKA_CHEBYSHEV_COLUMNS(3, double)
SETKA_CHEBYSHEV_COLUMNS(6, double)
