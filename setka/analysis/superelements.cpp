// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/superelements.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {
namespace {

std::int32_t number(const model::NodalDof& dof) {
  return 3 * dof.node + dof.direction - 1;
}

double entry(const model::Superelement& element, std::size_t i, std::size_t j) {
  if (i < j) std::swap(i, j);
  return element.stiffness[i * (i + 1) / 2 + j];
}

/// The blocks that a superelement couples, ascending.
std::vector<std::int32_t> blocks_of(const model::Superelement& element, const fem::Space& space) {
  std::vector<std::int32_t> blocks;
  for (const model::NodalDof& dof : element.dofs) {
    for (const fem::Term& term : space.constraints().row(number(dof)))
      blocks.push_back(space.place(term) / 3);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

/// The same matrix with room for blocks between all of these, of zeros where there were none.
sparse::BlockCsr<double> widened(const sparse::BlockCsr<double>& matrix,
                                 const std::vector<std::int32_t>& blocks, const exec::Device& cpu) {
  const sparse::BlockCsrView<double> a = matrix.view();
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  auto next = blocks.begin();
  for (std::int32_t row = 0; row < a.rows; ++row) {
    const std::int32_t* const begin = a.column + a.offset[row];
    const std::int32_t* const end = a.column + a.offset[row + 1];
    const std::size_t first = column.size();
    if (next != blocks.end() && *next == row) {
      std::set_union(begin, end, blocks.begin(), blocks.end(), std::back_inserter(column));
      ++next;
    } else {
      column.insert(column.end(), begin, end);
    }
    const std::size_t width = 3 * (column.size() - first);
    const std::size_t to = value.size();
    value.resize(to + 3 * width, 0.0);
    const std::int64_t old_width = 3 * (end - begin);
    const double* const from = a.value + 9 * std::int64_t{a.offset[row]};
    for (std::size_t k = first, l = 0; k < column.size() && begin + l != end; ++k) {
      if (begin[l] != column[k]) continue;
      for (std::size_t r = 0; r < 3; ++r)
        std::copy_n(from + static_cast<std::int64_t>(r) * old_width + 3 * static_cast<std::int64_t>(l), 3,
                    value.begin() + static_cast<std::ptrdiff_t>(to + r * width + 3 * (k - first)));
      ++l;
    }
    offset.push_back(static_cast<std::int32_t>(column.size()));
  }
  return {a.rows,
          a.columns,
          3,
          3,
          exec::Array<std::int32_t>(cpu, offset),
          exec::Array<std::int32_t>(cpu, column),
          exec::Array<double>(cpu, value)};
}

void add_entry(const sparse::BlockCsrView<double>& a, double* value, std::int32_t i, std::int32_t j,
               double summand) {
  const std::int32_t* const begin = a.column + a.offset[i / 3];
  const std::int32_t* const end = a.column + a.offset[i / 3 + 1];
  const std::int64_t across = 3 * (std::lower_bound(begin, end, j / 3) - begin) + j % 3;
  value[9 * std::int64_t{a.offset[i / 3]} + 3 * (end - begin) * (i % 3) + across] += summand;
}

void add(const model::Superelement& element, const fem::Space& space, const exec::Device& cpu,
         fem::System& system) {
  const fem::Constraints& constraints = space.constraints();
  system.matrix = widened(system.matrix, blocks_of(element, space), cpu);
  const sparse::BlockCsrView<double> a = system.matrix.view();
  double* const value = system.matrix.value().data();
  for (std::size_t i = 0; i < element.dofs.size(); ++i) {
    for (const fem::Term& left : constraints.row(number(element.dofs[i]))) {
      const std::int32_t row = space.place(left);
      for (std::size_t j = 0; j < element.dofs.size(); ++j) {
        const double k = left.coefficient * entry(element, i, j);
        const std::int32_t dof = number(element.dofs[j]);
        system.from_shifts[static_cast<std::size_t>(row)] += k * constraints.shift(dof);
        for (const fem::Term& right : constraints.row(dof))
          add_entry(a, value, row, space.place(right), k * right.coefficient);
      }
    }
  }
}

}  // namespace

void add_superelements(const model::Model& model, const fem::Space& space, const exec::Device& cpu,
                       fem::System& system) {
  for (const model::Superelement& element : model.superelements) add(element, space, cpu, system);
}

void add_superelement_forces(const model::Model& model, const std::vector<double>& u,
                             std::vector<double>& f) {
  for (const model::Superelement& element : model.superelements) {
    for (std::size_t i = 0; i < element.dofs.size(); ++i) {
      double force = 0;
      for (std::size_t j = 0; j < element.dofs.size(); ++j)
        force += entry(element, i, j) * u[static_cast<std::size_t>(number(element.dofs[j]))];
      f[static_cast<std::size_t>(number(element.dofs[i]))] += force;
    }
  }
}

void refuse_superelements(const model::Model& model, const model::Step& step) {
  if (model.superelements.empty() || std::holds_alternative<model::StaticStep>(step.procedure) ||
      std::holds_alternative<model::SubstructureStep>(step.procedure))
    return;
  const model::Superelement& first = model.superelements.front();
  const bool buckles = std::holds_alternative<model::BuckleStep>(step.procedure);
  throw Error(Fault::input,
              fmt::format("matrix {} has a stiffness and no {}, and a step of the deck is of {}", first.name,
                          buckles ? "stresses" : "mass", buckles ? "buckling" : "motion"),
              "superelements are for *STATIC and *SUBSTRUCTURE GENERATE; mesh the part for other steps",
              model.source(first.line));
}

}  // namespace setka::analysis
