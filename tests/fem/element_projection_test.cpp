// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_projection.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/streamed_projection.hpp"
#include "setka/sparse/projection.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using exec::MultiVector;
using fem::Element;
using setka::test::by_rows;
using setka::test::from_rows;

class ElementProjectionOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ElementProjectionOn);

/// Both schemes; groups that hold all, that end in the midst, and of a single block.
std::vector<ProjectionChoice> choices(const exec::Device& device) {
  std::vector<ProjectionChoice> all{{}};
  for (const std::int64_t group : {0, 64, 1}) all.push_back({ProjectionScheme::grouped, group, {}});
  if (!device.is_cuda()) return all;
  for (const int warps : {2, 8}) {
    for (const int elements : {4, 16, 32}) all.push_back({ProjectionScheme::fused, 0, {warps, elements}});
  }
  return all;
}

std::string name(const ProjectionChoice& choice) {
  return choice.scheme == ProjectionScheme::fused
             ? "fused by " + std::to_string(choice.tuning.warps) + " warps, " +
                   std::to_string(choice.tuning.elements) + " elements"
             : "grouped by " + std::to_string(choice.group);
}

/// X on a device, in a view with room for more columns: rows that begin at odd and at even words.
MultiVector<double> wide_vectors(const exec::Device& device, const Dense& x, std::int64_t more) {
  Dense wide(x.rows(), x.columns() + more);
  std::ranges::fill(wide.values(), std::numeric_limits<double>::quiet_NaN());
  copy(x, wide.column_range(0, x.columns()));
  return {device, wide.rows(), wide.columns(), by_rows(wide)};
}

Dense matrix_of(const MultiVector<double>& s) {
  return from_rows(s.values().to_vector(), s.rows(), s.columns());
}

Dense random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
  return from_rows(setka::test::random_values<double>(rows * columns, seed), rows, columns);
}

double sum_of_sizes(const Dense& a) {
  double sum = 0;
  for (const double value : a.values()) sum += std::abs(value);
  return sum;
}

void expect_near(const Dense& computed, const Dense& right, double size) {
  // Sums in another order: relative to the sum of the sizes of what is added.
  EXPECT_TRUE(setka::test::all_near(computed.values(), right.values(), 1e-13 * size));
  EXPECT_EQ(largest(computed - computed.transposed()), 0.0) << "not symmetric to the last bit";
}

void expect_projections(const ElementProjection& projection, const ElementMatrices& matrices,
                        const Dense& dense, const std::vector<std::int64_t>& columns) {
  const exec::Device& device = projection.set().device();
  ASSERT_EQ(projection.rows(), dense.rows());
  const double size = sum_of_sizes(dense);
  for (const std::int64_t n : columns) {
    const Dense x = random_matrix(dense.rows(), n, 41);
    const Dense right = x.transposed() * dense * x;
    for (const ProjectionChoice& choice : choices(device)) {
      for (const std::int64_t more : {0, 1, 2}) {
        SCOPED_TRACE(::testing::Message() << n << " columns of " << n + more << ", " << name(choice));
        const MultiVector<double> from = wide_vectors(device, x, more);
        MultiVector<double> s(device, n, n);
        projection.apply(device, matrices, from.view().leading_columns(n), s, choice);
        expect_near(matrix_of(s), right, size);
      }
    }
  }
}

TEST_P(ElementProjectionOn, EveryTypeIsThatOfTheAssembledMatrix) {
  for (const Element type : solids) {
    SCOPED_TRACE(std::string(fem::name(type)));
    const SmallModel model = small_model(type, Elasticity::isotropic, {2, 2, 1});
    for (const Tied tied : {Tied::free, Tied::picks, Tied::equations}) {
      SCOPED_TRACE(::testing::Message() << "constraints " << static_cast<int>(tied));
      const Constraints constraints = constraints_of(model, tied);
      const Parts parts(device(), model, constraints);
      expect_projections({parts.set, parts.unknowns}, *parts.matrices,
                         assembled(model, constraints, stiffness_by_host(model)), {1, 30, 33});
    }
  }
}

TEST_P(ElementProjectionOn, SeveralTypesAndAllNumbersOfColumns) {
  const SmallModel model = mixed_model();
  const Constraints constraints = constraints_of(model, Tied::picks);
  const Parts parts(device(), model, constraints);
  expect_projections({parts.set, parts.unknowns}, *parts.matrices,
                     assembled(model, constraints, stiffness_by_host(model)),
                     {1, 2, 7, 8, 9, 16, 17, 24, 30, 31, 32, 33, 40, 48, 63, 64});
}

/// A body moved as a whole: the kinetic energy is that of its mass, a truth that needs no reference.
TEST_P(ElementProjectionOn, TranslationsMeetTheMassAndNoStiffness) {
  const SmallModel model = small_model(Element::hex20_reduced, Elasticity::isotropic, {3, 2, 2});
  const Parts parts(device(), model, constraints_of(model, Tied::free));
  const ElementProjection projection(parts.set, parts.unknowns);
  Dense x(model.dofs(), 3);
  for (std::int64_t i = 0; i < x.rows(); ++i) x(i, i % 3) = 1;
  const MultiVector<double> from = wide_vectors(device(), x, 0);
  MultiVector<double> s(device(), 3, 3);
  projection.apply(device(), *parts.matrices, from, s);
  EXPECT_LT(largest(matrix_of(s)), 1e-9);
  model.mass(parts.set)->integrate(device(), *parts.matrices);
  projection.apply(device(), *parts.matrices, from, s);
  const Dense mass = matrix_of(s);
  double total = 0;
  for (std::size_t e = 0; e < model.type.size(); ++e) {
    const std::vector<double> own = model.x(e);
    Dense m = square(own.size());
    fem::mass(model.type[e], own, model.density(e), m.values());
    for (const double value : m.values()) total += value / 3;
  }
  EXPECT_GT(total, 1);
  EXPECT_LT(largest(mass - total * Dense::identity(3)), 1e-12 * total);
}

/// Random matrices of one order with random rows of X, held ones and repeated ones among them.
struct RandomElements {
  int rows;
  std::int64_t size;
  std::int64_t unknowns = 200;
  std::vector<double> triangle;     // [blocks, entries, 32]
  std::vector<std::int32_t> index;  // [blocks, rows, 32]

  RandomElements(int order, std::int64_t count, unsigned seed) : rows(order), size(count) {
    const std::int64_t blocks = (count + block_lanes - 1) / block_lanes;
    triangle = setka::test::random_values<double>(blocks * triangle_size(order) * block_lanes, seed);
    for (const double r : setka::test::random_values<double>(blocks * order * block_lanes, seed + 1))
      index.push_back(r < -0.9 ? -1 : static_cast<std::int32_t>((r + 1) / 2 * 199));
    for (std::size_t i = 0; i < index.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (at / block_lanes / order * block_lanes + at % block_lanes >= count) index[i] = -1;
    }
  }
  std::int64_t blocks() const { return (size + block_lanes - 1) / block_lanes; }
  PackedElements packed() const { return {rows, blocks(), index.data(), triangle.data()}; }

  /// By the definition, element after element.
  Dense projected(const Dense& x) const {
    Dense sum(x.columns(), x.columns());
    for (std::int64_t e = 0; e < size; ++e) {
      const auto lane = static_cast<int>(e % block_lanes);
      Dense own(rows, x.columns());
      Dense l(rows, rows);
      for (int i = 0; i < rows; ++i) {
        const std::int32_t q = index[static_cast<std::size_t>(interleaved(e / block_lanes, rows, i, lane))];
        for (std::int64_t j = 0; q >= 0 && j < x.columns(); ++j) own(i, j) = x(q, j);
        for (int j = i; j < rows; ++j) {
          l(i, j) = l(j, i) = triangle[static_cast<std::size_t>(
              interleaved(e / block_lanes, triangle_size(rows), triangle_entry(rows, i, j), lane))];
        }
      }
      sum = sum + own.transposed() * l * own;
    }
    return sum;
  }
};

/// The elements' arrays on a device.
struct OnThatDevice {
  exec::Array<std::int32_t> index;
  exec::Array<double> triangle;
  PackedElements packed;

  OnThatDevice(const exec::Device& device, const RandomElements& elements)
      : index(device, elements.index),
        triangle(device, elements.triangle),
        packed{elements.rows, elements.blocks(), index.data(), triangle.data()} {}
};

TEST_P(ElementProjectionOn, EveryOrder) {
  for (const int order : {1, 2, 3, 7, 8, 9, 12, 16, 17, 18, 24, 25, 30, 31, 33, 45, 48, 57, 60, 64, 65, 81}) {
    for (const std::int64_t size : {1, 50}) {
      const RandomElements elements(order, size, 51);
      const OnThatDevice there(device(), elements);
      for (const std::int64_t n : {5, 12, 39}) {
        const Dense x = random_matrix(elements.unknowns, n, 53);
        const Dense right = elements.projected(x);
        const MultiVector<double> from = wide_vectors(device(), x, 0);
        for (const ProjectionScheme scheme : {ProjectionScheme::fused, ProjectionScheme::grouped}) {
          SCOPED_TRACE(::testing::Message() << size << " of order " << order << ", " << n
                                            << " columns, scheme " << static_cast<int>(scheme));
          const Dense before = right + right.transposed();
          MultiVector<double> s(device(), n, n, by_rows(before));
          add_projection(device(), there.packed, from, s, {scheme, 0, {}});
          expect_near(matrix_of(s), before + right, static_cast<double>(size * order * order));
        }
      }
    }
  }
}

std::vector<double> projected(const exec::Device& device, const RandomElements& elements, const Dense& x,
                              const ProjectionChoice& choice) {
  const OnThatDevice there(device, elements);
  const MultiVector<double> from = wide_vectors(device, x, 0);
  MultiVector<double> s(device, x.columns(), x.columns(),
                        std::vector<double>(static_cast<std::size_t>(x.columns() * x.columns()), 0.0));
  add_projection(device, there.packed, from, s, choice);
  return s.values().to_vector();
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST_P(ElementProjectionOn, SameBitsAtEveryRun) {
  const RandomElements elements(24, 5000, 61);
  const Dense x = random_matrix(elements.unknowns, 30, 62);
  for (const ProjectionChoice& choice : choices(device())) {
    SCOPED_TRACE(name(choice));
    EXPECT_TRUE(
        same_bits(projected(device(), elements, x, choice), projected(device(), elements, x, choice)));
  }
}

TEST(ElementProjections, ThreadsChangeNoBit) {
  const RandomElements elements(24, 5000, 63);
  const Dense x = random_matrix(elements.unknowns, 30, 64);
  for (const ProjectionScheme scheme : {ProjectionScheme::fused, ProjectionScheme::grouped}) {
    const auto one = projected(exec::Device::cpu(1), elements, x, {scheme, 0, {}});
    for (const int threads : {2, 3, 5})
      EXPECT_TRUE(same_bits(one, projected(exec::Device::cpu(threads), elements, x, {scheme, 0, {}})));
  }
}

/// Two groups in host memory, streamed in pieces of different sizes.
TEST_P(ElementProjectionOn, StreamedIsTheSame) {
  const RandomElements first(24, 5000, 71);
  const RandomElements second(30, 333, 72);
  const Dense x = random_matrix(first.unknowns, 30, 73);
  const Dense right = first.projected(x) + second.projected(x);
  const MultiVector<double> from = wide_vectors(device(), x, 0);
  const std::vector<PackedElements> groups{first.packed(), {}, second.packed()};
  for (const std::int64_t bytes : {1, 200000, 5000000, 1000000000}) {
    SCOPED_TRACE(::testing::Message() << "pieces of " << bytes << " bytes");
    PiecesInMemory pieces(groups, bytes);
    StreamedProjection projection(device(), pieces.largest());
    for (int run = 0; run < 2; ++run) {
      MultiVector<double> s(device(), 30, 30, std::vector<double>(900, 0.0));
      const StreamedTimes times = projection.run(pieces, from, s);
      pieces.rewind();
      expect_near(matrix_of(s), right, 5000.0 * 24 * 24);
      EXPECT_EQ(times.pieces, bytes == 1         ? 157 + 11
                              : bytes == 200000  ? 79 + 11
                              : bytes == 5000000 ? 5 + 1
                                                 : 2);
      EXPECT_GT(times.total, 0.0);
    }
  }
}

TEST(ElementProjections, WholeChunksInPiecesChangeNoBit) {
  const exec::Device cpu = exec::Device::cpu(2);
  const RandomElements elements(24, 5000, 74);
  const Dense x = random_matrix(elements.unknowns, 30, 75);
  const std::vector<PackedElements> groups{elements.packed()};
  PiecesInMemory pieces(groups, 5000000);
  const MultiVector<double> from = wide_vectors(cpu, x, 0);
  MultiVector<double> s(cpu, 30, 30, std::vector<double>(900, 0.0));
  EXPECT_EQ(StreamedProjection(cpu, pieces.largest()).run(pieces, from, s).pieces, 5);
  EXPECT_TRUE(same_bits(s.values().to_vector(), projected(cpu, elements, x, {})));
}

TEST_P(ElementProjectionOn, AssembledMatrixToo) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {4, 3, 2});
  const Dense dense = assembled(model, constraints_of(model, Tied::free), stiffness_by_host(model));
  const auto nodes = static_cast<std::int32_t>(dense.rows() / 3);
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  for (std::int32_t i = 0; i < nodes; ++i) {
    for (std::int32_t j = 0; j < nodes; ++j) column.push_back(j);
    offset.push_back(static_cast<std::int32_t>(column.size()));
    for (std::int64_t r = 0; r < 3; ++r) {
      for (std::int64_t c = 0; c < dense.columns(); ++c) value.push_back(dense(std::int64_t{3} * i + r, c));
    }
  }
  const sparse::BlockCsr<double> k(nodes, nodes, 3, 3, exec::Array<std::int32_t>(device(), offset),
                                   exec::Array<std::int32_t>(device(), column),
                                   exec::Array<double>(device(), value));
  for (const std::int64_t n : {1, 7, 30, 33, 64}) {
    SCOPED_TRACE(::testing::Message() << n << " columns");
    const Dense x = random_matrix(dense.rows(), n, 81);
    const MultiVector<double> from = wide_vectors(device(), x, 0);
    MultiVector<double> s(device(), n, n);
    sparse::project(device(), k, from, s);
    expect_near(matrix_of(s), x.transposed() * dense * x, sum_of_sizes(dense));
  }
}

TEST_P(ElementProjectionOn, WithoutElementsIsZero) {
  SmallModel nodes;  // that no element has
  nodes.coordinates.assign(12, 0.0);
  const Parts idle(device(), nodes, constraints_of(nodes, Tied::free));
  const MultiVector<double> x = wide_vectors(device(), random_matrix(12, 3, 1), 0);
  MultiVector<double> s(device(), 3, 3, std::vector<double>(9, 5.0));
  ElementProjection(idle.set, idle.unknowns).apply(device(), *idle.matrices, x, s);
  EXPECT_THAT(s.values().to_vector(), ::testing::Each(0.0));
}

TEST(ElementProjections, RefuseWhatDoesNotFit) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {2, 1, 1});
  const Parts parts(cpu, model, constraints_of(model, Tied::picks));
  const ElementProjection projection(parts.set, parts.unknowns);
  const auto apply = [&](std::int64_t rows, std::int64_t columns, std::int64_t result) {
    const MultiVector<double> x(cpu, rows, columns);
    MultiVector<double> s(cpu, result, result);
    return refusal([&] { projection.apply(cpu, *parts.matrices, x, s); });
  };
  EXPECT_THAT(apply(36, 0, 0), ::testing::HasSubstr("X has 0 columns; 1 to 64 are right"));
  EXPECT_THAT(apply(36, 65, 65), ::testing::HasSubstr("X has 65 columns; 1 to 64 are right"));
  EXPECT_THAT(apply(36, 4, 5), ::testing::HasSubstr("X has 4 columns, but the result is [5 x 5]"));
  EXPECT_THAT(apply(31, 4, 4), ::testing::HasSubstr("there are 36 unknowns, but X has 31 rows"));
  const SmallModel other = small_model(Element::hex8, Elasticity::isotropic, {5, 4, 3});
  const Parts others(cpu, other, constraints_of(other, Tied::free));
  EXPECT_THAT(refusal([&] { const ElementProjection wrong(parts.set, others.unknowns); }),
              ::testing::HasSubstr("360 degrees of freedom for 12 nodes"));
  EXPECT_THAT(refusal([&] { projection.group(0, *others.matrices); }),
              ::testing::HasSubstr("the matrices are not those of this set"));
}

}  // namespace
}  // namespace setka::fem::test
