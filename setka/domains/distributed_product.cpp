// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/distributed_product.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"

namespace setka::domains {

DistributedProduct::DistributedProduct(const DistributedMatrix& matrix)
    : team_(matrix.team()),
      parts_(matrix.parts()),
      of_([&matrix](const exec::Member& member) -> const solve::Operator& { return *matrix.of(member); }) {}

DistributedProduct::DistributedProduct(const DistributedOperator& a)
    : team_(a.team()),
      parts_(a.parts()),
      of_([&a](const exec::Member& member) -> const solve::Operator& { return *a.of(member).product; }) {}

void DistributedProduct::apply(const exec::Stream& stream, exec::View<const double> x,
                               exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1},
        exec::MultiView<double>{y.data, y.size, 1, 1});
}

void DistributedProduct::apply(const exec::Stream& /*stream*/, exec::MultiView<const double> x,
                               exec::MultiView<double> y) const {
  require(x.stride == x.columns && y.stride == y.columns, "DistributedProduct: columns beside each other");
  const int width = parts_.block() * static_cast<int>(x.columns);
  const std::span<const double> given(x.data, static_cast<std::size_t>(x.rows * x.columns));
  const std::span<double> made(y.data, static_cast<std::size_t>(y.rows * y.columns));
  if (team_.transport() != nullptr) std::ranges::fill(made, 0.0);
  team_.run([&](const exec::Member& member) {
    const solve::Operator& own = of_(member);
    const int p = member.number();
    const exec::Array<double> in(member.device(), parts_.values_of(p, given, width));
    exec::Array<double> out(member.device(), in.size());
    own.apply(member.device(), exec::MultiView<const double>{in.data(), own.rows(), x.columns, x.columns},
              exec::MultiView<double>{out.data(), own.rows(), x.columns, x.columns});
    parts_.put(p, out.to_vector(), made, width);
  });
  team_.collect(made);
}

}  // namespace setka::domains
