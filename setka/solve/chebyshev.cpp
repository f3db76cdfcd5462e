// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/chebyshev.hpp"

#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/chebyshev_kernel.hpp"
#include "setka/sparse/block_csr_columns_host.hpp"
#include "setka/sparse/block_csr_product.hpp"
#include "setka/sparse/block_shapes.hpp"

namespace setka::solve {
namespace {

template <class T>
exec::MultiView<T> one_column(exec::View<T> vector) {
  return {vector.data, vector.size, 1, 1};
}

}  // namespace

std::vector<ChebyshevStep> chebyshev_steps(double lowest, double highest, int degree) {
  const double centre = (highest + lowest) / 2;
  const double radius = (highest - lowest) / 2;
  double rho = radius / centre;
  std::vector<ChebyshevStep> steps{{0, 1 / centre}};
  for (int k = 1; k < degree; ++k) {
    const double next = 1 / (2 * centre / radius - rho);
    steps.push_back({next * rho, 2 * next / radius});
    rho = next;
  }
  return steps;
}

template <class T>
Chebyshev<T>::Chebyshev(exec::Array<T> inverse_blocks, double highest, double ratio, int degree,
                        std::optional<Patches> patches)
    : degree_(degree), inverse_(std::move(inverse_blocks)), patches_(std::move(patches)) {
  require(degree >= 1 && highest > 0 && ratio > 1,
          "Chebyshev: degree >= 1, highest > 0 and ratio > 1 are needed");
  step_ = chebyshev_steps(highest / ratio, highest, degree);
}

template <class T>
void Chebyshev<T>::correct_patches(const exec::Stream& stream, const sparse::BlockCsr<T>& a, T step,
                                   exec::MultiView<const T> f, exec::MultiView<const T> from,
                                   exec::MultiView<T> d, exec::MultiView<T> to) const {
  const exec::Scratch<T> room(stream, f.rows * f.columns);
  const exec::MultiView<T> residual{room.data(), f.rows, f.columns, f.columns};
  residual_of_rows(stream, *patches_, a, f, from, residual);
  add_product(stream, *patches_, step, residual, d, to);
}

template <class T>
void Chebyshev<T>::correct_patches_beside(const exec::Stream& stream, const sparse::TeamCsr<T>& a, T step,
                                          exec::MultiView<const T> ghosts, exec::MultiView<T> d,
                                          exec::MultiView<T> to) const {
  const exec::Scratch<T> room(stream, d.rows * d.columns);
  const exec::MultiView<T> sum{room.data(), d.rows, d.columns, d.columns};
  exec::fill<T>(stream, room, T{0});
  const std::int64_t first = a.first_beside();
  sparse::multiply<T>(
      stream, a.beside(), ghosts,
      exec::MultiView<T>{room.data() + first * d.columns, d.rows - first, d.columns, d.columns});
  add_product(stream, *patches_, -step, sum, d, to);
}

template <class T>
void Chebyshev<T>::steps(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::View<const T> f,
                         exec::View<T> from, exec::View<T> to, exec::View<T> d, int first) const {
  for (int k = first; k < degree_; ++k) {
    const ChebyshevStep& s = step_[static_cast<std::size_t>(k)];
    const auto step = static_cast<T>(s.step);
    a.begin(stream, one_column<const T>(from));
    sparse::product<T>(stream, a.own(), from.data,
                       kernel::ChebyshevStep<T>{static_cast<T>(s.momentum), step, inverse_.data(), f.data,
                                                from.data, d.data, to.data});
    if (patches_) {
      correct_patches(stream, a.own(), step, one_column(f), one_column<const T>(from), one_column(d),
                      one_column(to));
    }
    const exec::MultiView<const T> ghosts = a.finish(stream);
    if (a.has_beside()) {
      const std::int64_t last = a.first_beside();
      sparse::product<T>(stream, a.beside(), ghosts.data,
                         kernel::ChebyshevBeside<T>{step, inverse_.data() + last * a.height(), d.data + last,
                                                    to.data + last});
      if (patches_) correct_patches_beside(stream, a, step, ghosts, one_column(d), one_column(to));
    }
    std::swap(from, to);
  }
}

template <class T>
void Chebyshev<T>::smooth_from_zero(const exec::Stream& stream, const sparse::TeamCsr<T>& a,
                                    exec::View<const T> f, exec::View<T> x, exec::View<T> d,
                                    exec::View<T> work) const {
  exec::View<T> from = x;
  exec::View<T> to = work;
  if (degree_ % 2 == 0) std::swap(from, to);  // an odd number of steps follows the first
  sparse::with_block_size("Chebyshev", a.height(), [&](auto height) {
    exec::parallel_for(stream, a.own().rows(),
                       kernel::ChebyshevStart<height(), T>{static_cast<T>(step_[0].step), inverse_.data(),
                                                           f.data, d.data, from.data});
  });
  if (patches_) {
    add_product(stream, *patches_, static_cast<T>(step_[0].step), one_column(f), one_column(d),
                one_column(from));
  }
  steps(stream, a, f, from, to, d, 1);
}

template <class T>
void Chebyshev<T>::smooth(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::View<const T> f,
                          exec::View<T> x, exec::View<T> d, exec::View<T> work) const {
  const exec::View<T> from = start(x, work);
  steps(stream, a, f, from, from.data == x.data ? work : x, d, 0);
}

template <class T>
void Chebyshev<T>::steps(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::MultiView<const T> f,
                         exec::MultiView<T> from, exec::MultiView<T> to, exec::MultiView<T> d,
                         int first) const {
  for (int k = first; k < degree_; ++k) {
    const ChebyshevStep& s = step_[static_cast<std::size_t>(k)];
    const auto step = static_cast<T>(s.step);
    a.begin(stream, from);
    sparse::product_columns<T>(
        stream, a.own(), from,
        kernel::ChebyshevColumnsStep<T>{static_cast<T>(s.momentum), step, inverse_.data(), f, from, d, to});
    if (patches_) correct_patches(stream, a.own(), step, f, from, d, to);
    const exec::MultiView<const T> ghosts = a.finish(stream);
    if (a.has_beside()) {
      const std::int64_t begin = a.first_beside();
      const auto last = [&](exec::MultiView<T> x) {
        return exec::MultiView<T>{x.data + begin * x.stride, x.rows - begin, x.columns, x.stride};
      };
      sparse::product_columns<T>(
          stream, a.beside(), ghosts,
          kernel::ChebyshevColumnsBeside<T>{step, inverse_.data() + begin * a.height(), last(d), last(to)});
      if (patches_) correct_patches_beside(stream, a, step, ghosts, d, to);
    }
    std::swap(from, to);
  }
}

template <class T>
void Chebyshev<T>::smooth_from_zero(const exec::Stream& stream, const sparse::TeamCsr<T>& a,
                                    exec::MultiView<const T> f, exec::MultiView<T> x, exec::MultiView<T> d,
                                    exec::MultiView<T> work) const {
  exec::MultiView<T> from = x;
  exec::MultiView<T> to = work;
  if (degree_ % 2 == 0) std::swap(from, to);  // an odd number of steps follows the first
  sparse::with_block_size("Chebyshev", a.height(), [&](auto height) {
    const kernel::ChebyshevColumnsStart<height(), T> body{static_cast<T>(step_[0].step), inverse_.data(), f,
                                                          d, from};
    if (stream.is_cuda()) {
      exec::parallel_for(stream, a.own().rows() * f.columns, body);
    } else {
      exec::host::for_each(stream.device().threads(), a.own().rows(), 64,
                           [&](std::int64_t i) { body.row(i); });
    }
  });
  if (patches_) add_product(stream, *patches_, static_cast<T>(step_[0].step), f, d, from);
  steps(stream, a, f, from, to, d, 1);
}

template <class T>
void Chebyshev<T>::smooth(const exec::Stream& stream, const sparse::TeamCsr<T>& a, exec::MultiView<const T> f,
                          exec::MultiView<T> x, exec::MultiView<T> d, exec::MultiView<T> work) const {
  const exec::MultiView<T> from = start(x, work);
  steps(stream, a, f, from, from.data == x.data ? work : x, d, 0);
}

template class Chebyshev<float>;  // preconditioners are of single precision

}  // namespace setka::solve
