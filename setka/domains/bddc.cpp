// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/bddc.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/solve/column_by_column.hpp"

namespace setka::domains {
namespace {

/// A smaller pivot, as a part of its diagonal, is rounding: a motion without stiffness is left.
constexpr double lost_pivot = 1e-12;

/// Share of the mean diagonal that holds such a motion: little beside what other motions meet, enough for a
/// factor.
constexpr double softness = 1e-6;

/// Means over more unknowns are added to K where those over fewer do not hold it: each couples all of its
/// unknowns, which makes the factor of a cube of 8x8x8 elements several times as dear.
constexpr std::size_t few_unknowns = 64;

constexpr std::int64_t columns_at_a_time = 32;

}  // namespace

/// A part as the preconditioner sees it. Means that reach it are numbered through.
struct Bddc::Part {
  const Substructure* of = nullptr;
  std::vector<double> share;                // [boundary] of the residual
  std::vector<std::int32_t> mean;           // numbers of its means
  Dense c;                                  // [means, boundary]
  std::unique_ptr<solve::Cholesky> factor;  // of K~, over inner and boundary unknowns
  Dense shape;                              // K~^-1 C' on the boundary, [boundary, means]
  std::unique_ptr<DenseCholesky> f;         // of F
  std::vector<double> rho;                  // [means] 0: not added to K
  bool softened = false;

  /// The boundary's part of K~^-1 of forces there.
  std::vector<double> answer(std::span<const double> forces) const {
    const std::size_t inner = of->inner().size();
    std::vector<double> b(inner + forces.size(), 0.0);
    std::vector<double> x(b.size());
    std::ranges::copy(forces, b.begin() + static_cast<std::ptrdiff_t>(inner));
    factor->solve(b, x);
    x.erase(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(inner));
    return x;
  }
};

namespace {

/// K + C' rho C + soft of a part; unknowns on the boundary come last.
sparse::SymmetricCsr augmented(const Substructure& part, const Dense& c, const std::vector<double>& rho,
                               double soft) {
  const sparse::SymmetricCsr k = part.upper();
  const std::size_t inner = part.inner().size();
  const std::size_t boundary = part.boundary().size();
  std::vector<std::vector<std::int32_t>> means_of(boundary);
  for (std::size_t j = 0; j < boundary; ++j) {
    for (std::int64_t m = 0; m < c.rows(); ++m) {
      if (rho[static_cast<std::size_t>(m)] > 0 && c(m, static_cast<std::int64_t>(j)) != 0)
        means_of[j].push_back(static_cast<std::int32_t>(m));
    }
  }
  std::vector<std::vector<std::int32_t>> reach(static_cast<std::size_t>(c.rows()));  // unknowns of each mean
  for (std::size_t j = 0; j < boundary; ++j) {
    for (const std::int32_t m : means_of[j])
      reach[static_cast<std::size_t>(m)].push_back(static_cast<std::int32_t>(j));
  }
  sparse::SymmetricCsr made;
  made.rows = k.rows;
  std::vector<double> row(boundary, 0.0);
  std::vector<std::int32_t> touched;
  std::vector<bool> is_touched(boundary, false);
  for (std::size_t i = 0; i < static_cast<std::size_t>(k.rows); ++i) {
    const auto first = static_cast<std::size_t>(k.offset[i]);
    const auto last = static_cast<std::size_t>(k.offset[i + 1]);
    if (i < inner) {
      made.column.insert(made.column.end(), k.column.begin() + static_cast<std::ptrdiff_t>(first),
                         k.column.begin() + static_cast<std::ptrdiff_t>(last));
      made.value.insert(made.value.end(), k.value.begin() + static_cast<std::ptrdiff_t>(first),
                        k.value.begin() + static_cast<std::ptrdiff_t>(last));
      made.value[made.value.size() - (last - first)] += soft;
      made.offset.push_back(static_cast<std::int64_t>(made.column.size()));
      continue;
    }
    touched.clear();
    const auto add = [&](std::size_t j, double value) {
      if (!is_touched[j]) touched.push_back(static_cast<std::int32_t>(j));
      is_touched[j] = true;
      row[j] += value;
    };
    const std::size_t own = i - inner;
    for (std::size_t l = first; l < last; ++l)
      add(static_cast<std::size_t>(k.column[l]) - inner, l == first ? k.value[l] + soft : k.value[l]);
    for (const std::int32_t m : means_of[own]) {
      const double scale = rho[static_cast<std::size_t>(m)] * c(m, static_cast<std::int64_t>(own));
      for (const std::int32_t j : reach[static_cast<std::size_t>(m)]) {
        if (static_cast<std::size_t>(j) >= own) add(static_cast<std::size_t>(j), scale * c(m, j));
      }
    }
    std::ranges::sort(touched);
    for (const std::int32_t j : touched) {
      made.column.push_back(static_cast<std::int32_t>(inner) + j);
      made.value.push_back(row[static_cast<std::size_t>(j)]);
      row[static_cast<std::size_t>(j)] = 0;
      is_touched[static_cast<std::size_t>(j)] = false;
    }
    made.offset.push_back(static_cast<std::int64_t>(made.column.size()));
  }
  return made;
}

}  // namespace

Bddc::Bddc(const exec::Device& device, std::span<const std::unique_ptr<Substructure>> parts,
           const Interface& interface, const std::vector<PrimalClass>& classes)
    : device_(device), rows_(interface.size()) {
  std::vector<double> sum(interface.row.size(), 0.0);
  for (const std::unique_ptr<Substructure>& part : parts) {
    if (part->boundary().empty()) continue;
    parts_.push_back(std::make_unique<Part>());
    parts_.back()->of = part.get();
    parts_.back()->share = part->diagonal();
    for (std::size_t i = 0; i < part->boundary().size(); ++i)
      sum[static_cast<std::size_t>(part->boundary()[i])] += parts_.back()->share[i];
  }
  for (const std::unique_ptr<Part>& part : parts_) {
    for (std::size_t i = 0; i < part->share.size(); ++i)
      part->share[i] /= sum[static_cast<std::size_t>(part->of->boundary()[i])];
  }
  for (const PrimalClass& one : classes) coarse_size_ += one.count;
  solve::side_by_side(device.threads(), static_cast<std::int64_t>(parts_.size()),
                      [&](std::int64_t p) { make(*parts_[static_cast<std::size_t>(p)], classes); });
  make_coarse();
}

Bddc::~Bddc() = default;

void Bddc::make(Part& part, const std::vector<PrimalClass>& classes) const {
  const std::span<const std::int32_t> boundary = part.of->boundary();
  std::vector<const PrimalClass*> own;
  for (const PrimalClass& one : classes) {  // all of a class are there or none
    if (std::ranges::binary_search(boundary, one.unknown.front())) own.push_back(&one);
  }
  for (const PrimalClass* one : own) {
    for (std::int32_t m = 0; m < one->count; ++m) part.mean.push_back(one->first + m);
  }
  const auto means = static_cast<std::int64_t>(part.mean.size());
  part.c = Dense(means, static_cast<std::int64_t>(boundary.size()));
  std::int64_t first = 0;
  for (const PrimalClass* one : own) {
    for (std::size_t i = 0; i < one->unknown.size(); ++i) {
      const auto at = std::ranges::lower_bound(boundary, one->unknown[i]) - boundary.begin();
      for (std::int32_t m = 0; m < one->count; ++m)
        part.c(first + m, at) = one->value[static_cast<std::size_t>(m) * one->unknown.size() + i];
    }
    first += one->count;
  }
  double mean_diagonal = 0;
  for (const double value : part.of->diagonal())
    mean_diagonal += value / static_cast<double>(boundary.size());
  const auto factorise = [&](std::size_t most, double soft) {
    part.rho.clear();
    for (const PrimalClass* one : own) {
      part.rho.insert(part.rho.end(), static_cast<std::size_t>(one->count),
                      one->unknown.size() <= most ? mean_diagonal : 0.0);
    }
    part.factor = std::make_unique<solve::Cholesky>();
    return part.factor->factorise(augmented(*part.of, part.c, part.rho, soft * mean_diagonal)) < 0 &&
           part.factor->min_pivot().share > lost_pivot;
  };
  const std::size_t all = boundary.size();
  if (!factorise(few_unknowns, 0) && !factorise(all, 0)) {
    part.softened = true;
    require(factorise(all, softness), "Bddc: the matrix of a part is not positive semidefinite");
  }
  part.shape = Dense(static_cast<std::int64_t>(boundary.size()), means);
  const std::size_t inner = part.of->inner().size();
  const std::size_t rows = inner + boundary.size();
  for (std::int64_t next = 0; next < means; next += columns_at_a_time) {
    const std::int64_t count = std::min(columns_at_a_time, means - next);
    std::vector<double> b(rows * static_cast<std::size_t>(count), 0.0);  // [count, rows]
    std::vector<double> x(b.size());
    for (std::int64_t m = 0; m < count; ++m) {
      for (std::size_t i = 0; i < boundary.size(); ++i)
        b[static_cast<std::size_t>(m) * rows + inner + i] = part.c(next + m, static_cast<std::int64_t>(i));
    }
    part.factor->solve(b, x, count);
    for (std::int64_t m = 0; m < count; ++m)
      std::ranges::copy(std::span(x).subspan(static_cast<std::size_t>(m) * rows + inner, boundary.size()),
                        part.shape.column(next + m).begin());
  }
  part.f = std::make_unique<DenseCholesky>(symmetric_part(product(part.c, part.shape)));
  require(part.f->definite(), "Bddc: means of a part depend on each other");
}

void Bddc::make_coarse() {
  if (coarse_size_ == 0) return;
  sparse::Triplets list;
  list.rows = list.columns = static_cast<std::int32_t>(coarse_size_);
  for (const std::unique_ptr<Part>& part : parts_) {
    Dense stiffness = Dense::identity(static_cast<std::int64_t>(part->mean.size()));
    part->f->solve(stiffness);
    for (std::size_t i = 0; i < part->mean.size(); ++i) {
      for (std::size_t j = 0; j < part->mean.size(); ++j) {
        if (part->mean[i] > part->mean[j]) continue;
        list.row.push_back(part->mean[i]);
        list.column.push_back(part->mean[j]);
        list.value.push_back(stiffness(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) -
                             (i == j ? part->rho[i] : 0.0));
      }
    }
  }
  sparse::Csr upper = sparse::compressed(std::move(list), false, device_.threads());
  coarse_ = std::make_unique<solve::Cholesky>();
  if (coarse_->factorise(
          {upper.rows, std::move(upper.offset), std::move(upper.column), std::move(upper.value)}) < 0)
    return;
  throw Error(Fault::input, "the stiffness matrix is singular: a part of the model is not held",
              "look for parts that hang together by nothing, or by a hinge");
}

int Bddc::softened() const {
  return static_cast<int>(std::ranges::count_if(parts_, [](const auto& part) { return part->softened; }));
}

void Bddc::apply(const exec::Stream& /*stream*/, exec::View<const double> x, exec::View<double> y) const {
  const auto count = static_cast<std::int64_t>(parts_.size());
  std::vector<std::vector<double>> answer(parts_.size());
  std::vector<Dense> mu(parts_.size());
  solve::side_by_side(device_.threads(), count, [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    const Part& part = *parts_[p];
    const std::span<const std::int32_t> boundary = part.of->boundary();
    std::vector<double> forces(boundary.size());
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = part.share[i] * x.data[boundary[i]];
    answer[p] = part.answer(forces);
    const auto size = static_cast<std::int64_t>(forces.size());
    mu[p] = product(part.c, {answer[p].data(), size, 1, 1, size});
    part.f->solve(mu[p]);
  });
  std::vector<double> right(static_cast<std::size_t>(coarse_size_), 0.0);
  std::vector<double> means(right.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (std::size_t m = 0; m < parts_[p]->mean.size(); ++m)
      right[static_cast<std::size_t>(parts_[p]->mean[m])] += mu[p](static_cast<std::int64_t>(m), 0);
  }
  if (coarse_) coarse_->solve(right, means);
  solve::side_by_side(device_.threads(), count, [&](std::int64_t at) {
    const auto p = static_cast<std::size_t>(at);
    const Part& part = *parts_[p];
    Dense own(static_cast<std::int64_t>(part.mean.size()), 1);
    for (std::size_t m = 0; m < part.mean.size(); ++m)
      own(static_cast<std::int64_t>(m), 0) = means[static_cast<std::size_t>(part.mean[m])];
    part.f->solve(own);
    for (std::int64_t m = 0; m < own.rows(); ++m) own(m, 0) -= mu[p](m, 0);
    const auto size = static_cast<std::int64_t>(answer[p].size());
    multiply(1, part.shape, own, 1, {answer[p].data(), size, 1, 1, size});
  });
  std::fill_n(y.data, rows_, 0.0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::span<const std::int32_t> boundary = parts_[p]->of->boundary();
    for (std::size_t i = 0; i < boundary.size(); ++i)
      y.data[boundary[i]] += parts_[p]->share[i] * answer[p][i];
  }
}

void Bddc::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                 exec::MultiView<double> y) const {
  solve::apply_column_by_column(stream, *this, x, y);
}

}  // namespace setka::domains
