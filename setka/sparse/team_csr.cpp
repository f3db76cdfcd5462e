// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/team_csr.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/sparse/pieces.hpp"

namespace setka::sparse {

template <class T>
TeamCsr<T>::TeamCsr(const exec::Member& member, BlockCsr<T> own, BlockCsr<T> beside,
                    std::vector<exec::Link> links)
    : own_(std::move(own)) {
  exec::Ghosts<T> ghosts(member, own_.width(), links);
  require(beside.rows() <= own_.rows() && beside.height() == own_.height() &&
              beside.scalar_columns() == ghosts.rows(),
          [&] {
            return fmt::format("TeamCsr: {} rows, and {} with {} columns of others for {} entries of ghosts",
                               own_.rows(), beside.rows(), beside.scalar_columns(), ghosts.rows());
          });
  team_.reset(new OfTeam{member, std::move(beside), std::move(links), std::move(ghosts)});
}

template <class T>
template <class U>
TeamCsr<U> TeamCsr<T>::cast() const {
  if (!team_) return own_.template cast<U>();
  return {team_->member, own_.template cast<U>(), team_->beside.template cast<U>(), team_->links};
}

template <class T>
void TeamCsr<T>::begin(const exec::Stream& stream, exec::MultiView<const T> x) const {
  if (team_) team_->ghosts.begin(stream, x);
}

template <class T>
exec::MultiView<const T> TeamCsr<T>::finish(const exec::Stream& stream) const {
  return team_ ? team_->ghosts.finish(stream) : exec::MultiView<const T>{nullptr, 0, 0, 0};
}

TeamCsr<double> shared_out(const exec::Member& member, const BlockCsr<double>& rows, std::int32_t own_columns,
                           std::vector<exec::Link> links) {
  return shared_out(member, columns_between(rows, 0, own_columns),
                    columns_between(rows, own_columns, rows.columns()), std::move(links));
}

TeamCsr<double> shared_out(const exec::Member& member, BlockCsr<double> own, const BlockCsr<double>& beside,
                           std::vector<exec::Link> links) {
  const std::vector<std::int32_t> offset = beside.offset().to_vector();
  const auto first = static_cast<std::int32_t>(std::ranges::upper_bound(offset, 0) - offset.begin() - 1);
  return {member, std::move(own), rows_between(beside, std::min(first, beside.rows()), beside.rows()),
          std::move(links)};
}

template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const TeamCsr<T>& a,
              exec::ViewOf<const T> x, std::type_identity_t<T> t, exec::ViewOf<const T> z,
              exec::ViewOf<T> y) {
  a.begin(stream, {x.data, x.size, 1, 1});
  multiply<T>(stream, s, a.own(), x, t, z, y);
  const exec::MultiView<const T> ghosts = a.finish(stream);
  if (!a.has_beside()) return;
  const exec::View<T> last = y.part(a.first_beside(), y.size - a.first_beside());
  multiply<T>(stream, s, a.beside(), exec::View<const T>{ghosts.data, ghosts.rows}, T(1), last, last);
}

template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const TeamCsr<T>& a,
              exec::MultiViewOf<const T> x, std::type_identity_t<T> t, exec::MultiViewOf<const T> z,
              exec::MultiViewOf<T> y) {
  a.begin(stream, x);
  if (s == T(1) && t == T(0)) {
    multiply<T>(stream, a.own(), x, y);  // has faster kernels
  } else {
    multiply<T>(stream, s, a.own(), x, t, z, y);
  }
  const exec::MultiView<const T> ghosts = a.finish(stream);
  if (!a.has_beside()) return;
  const exec::MultiView<T> last{y.data + a.first_beside() * y.stride, y.rows - a.first_beside(), y.columns,
                                y.stride};
  multiply<T>(stream, s, a.beside(), ghosts, T(1), last, last);
}

template <class T>
void multiply(const exec::Stream& stream, const TeamCsr<T>& a, exec::ViewOf<const T> x, exec::ViewOf<T> y) {
  multiply<T>(stream, T(1), a, x, T(0), y, y);
}

template <class T>
void multiply(const exec::Stream& stream, const TeamCsr<T>& a, exec::MultiViewOf<const T> x,
              exec::MultiViewOf<T> y) {
  multiply<T>(stream, T(1), a, x, T(0), y, y);
}

#define SETKA_TEAM_CSR(T)                                                                                \
  template class TeamCsr<T>;                                                                             \
  template void multiply<T>(const exec::Stream&, T, const TeamCsr<T>&, exec::View<const T>, T,           \
                            exec::View<const T>, exec::View<T>);                                         \
  template void multiply<T>(const exec::Stream&, T, const TeamCsr<T>&, exec::MultiView<const T>, T,      \
                            exec::MultiView<const T>, exec::MultiView<T>);                               \
  template void multiply<T>(const exec::Stream&, const TeamCsr<T>&, exec::View<const T>, exec::View<T>); \
  template void multiply<T>(const exec::Stream&, const TeamCsr<T>&, exec::MultiView<const T>,            \
                            exec::MultiView<T>);
SETKA_TEAM_CSR(float)
SETKA_TEAM_CSR(double)
template TeamCsr<float> TeamCsr<double>::cast<float>() const;

}  // namespace setka::sparse
