// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/exec/vector_kernel.hpp"

namespace setka::exec::cuda {

template void transform(const Stream&, std::int64_t, const kernel::Fill<float>&, float*);
template void transform(const Stream&, std::int64_t, const kernel::Fill<double>&, double*);
template void transform(const Stream&, std::int64_t, const kernel::Scale<float>&, float*, const float*);
template void transform(const Stream&, std::int64_t, const kernel::Scale<double>&, double*, const double*);
template void transform(const Stream&, std::int64_t, const kernel::AddScaled<float>&, float*, const float*,
                        const float*);
template void transform(const Stream&, std::int64_t, const kernel::AddScaled<double>&, double*, const double*,
                        const double*);
template void transform(const Stream&, std::int64_t, const kernel::Combine<float>&, float*, const float*,
                        const float*);
template void transform(const Stream&, std::int64_t, const kernel::Combine<double>&, double*, const double*,
                        const double*);
template void transform(const Stream&, std::int64_t, const kernel::Multiply<float>&, float*, const float*,
                        const float*);
template void transform(const Stream&, std::int64_t, const kernel::Multiply<double>&, double*, const double*,
                        const double*);
template void transform(const Stream&, std::int64_t, const kernel::Reciprocal<float>&, float*, const float*);
template void transform(const Stream&, std::int64_t, const kernel::Reciprocal<double>&, double*,
                        const double*);

}  // namespace setka::exec::cuda

SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::SumOf<float>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::SumOf<double>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::DotOf<float>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::DotOf<double>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::TwoDotsOf<float>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::TwoDotsOf<double>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::LargestOf<float>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::LargestOf<double>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::NotFiniteIn<float>)
SETKA_INSTANTIATE_REDUCE(setka::exec::kernel::NotFiniteIn<double>)
SETKA_INSTANTIATE_FOR(setka::exec::kernel::Convert<float, double>)
SETKA_INSTANTIATE_FOR(setka::exec::kernel::Convert<double, float>)
