// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/assembly.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element_reduction.hpp"
#include "setka/fem/touched_blocks.hpp"

namespace setka::fem {
namespace {

// Less is not worth the microseconds that a team of threads takes to start.
constexpr std::int64_t rows_of_a_thread = 64;
constexpr std::int64_t few_elements = 4;

/// Matrices of elements that wait to be added: as many as caches hold, and enough for all threads.
std::int64_t batch_of(const TouchedBlocks& touched, std::int32_t components, const exec::Device& cpu) {
  constexpr double cached_bytes = 2e6;
  constexpr std::int64_t most = 1024;
  constexpr std::int64_t least_of_a_thread = 16;
  const auto elements = static_cast<double>(std::max<std::size_t>(touched.first.size() - 1, 1));
  const double unknowns = components * std::max(1.0, static_cast<double>(touched.index.size()) / elements);
  const auto cached = static_cast<std::int64_t>(cached_bytes / (sizeof(double) * unknowns * unknowns));
  return std::clamp(cached, std::min(most, least_of_a_thread * cpu.threads()), most);
}

/// Into how many parts rows are shared out.
std::int64_t parts_of(std::int64_t rows, const exec::Device& cpu) {
  return std::clamp<std::int64_t>(rows / rows_of_a_thread, 1, cpu.threads());
}

/// A matrix of zeros whose rows have all blocks of the elements that touch them.
sparse::BlockCsr<double> empty_matrix(const TouchedBlocks& touched, const Space& space,
                                      const exec::Device& cpu) {
  const std::int32_t blocks = space.blocks();
  const int components = space.components();
  const int entries = components * components;  // of a block
  const TouchingElements touching(touched, static_cast<std::size_t>(blocks));
  const auto columns_of = [&](std::size_t row, std::vector<std::int32_t>& columns) {
    columns.clear();
    for (const std::int32_t e : touching.of(row)) {
      const auto own = touched.of(static_cast<std::size_t>(e));
      columns.insert(columns.end(), own.begin(), own.end());
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  };
  // Each thread collects the columns of a run of rows; then all are put one after the other.
  const std::int64_t runs = parts_of(blocks, cpu);
  std::vector<std::vector<std::int32_t>> collected(static_cast<std::size_t>(runs));
  exec::Array<std::int32_t> offset(cpu, std::int64_t{blocks} + 1);
  offset.data()[0] = 0;
  exec::host::for_each(cpu.threads(), runs, 1, [&](std::int64_t run) {
    std::vector<std::int32_t> columns;
    auto& all = collected[static_cast<std::size_t>(run)];
    for (std::int64_t row = blocks * run / runs; row < blocks * (run + 1) / runs; ++row) {
      columns_of(static_cast<std::size_t>(row), columns);
      all.insert(all.end(), columns.begin(), columns.end());
      offset.data()[row + 1] = static_cast<std::int32_t>(columns.size());
    }
  });
  std::int64_t sum = 0;
  for (std::int64_t row = 0; row < blocks; ++row) {
    sum += offset.data()[row + 1];
    require(sum <= std::numeric_limits<std::int32_t>::max(),
            "assemble: the matrix has more blocks than 32 bits count");
    offset.data()[row + 1] = static_cast<std::int32_t>(sum);
  }
  exec::Array<std::int32_t> column(cpu, sum);
  exec::Array<double> value(cpu, entries * sum);
  exec::host::for_each(cpu.threads(), runs, 1, [&](std::int64_t run) {
    const std::int32_t begin = offset.data()[blocks * run / runs];
    const auto& all = collected[static_cast<std::size_t>(run)];
    std::copy(all.begin(), all.end(), column.data() + begin);
    std::fill_n(value.data() + entries * std::int64_t{begin}, static_cast<std::size_t>(entries) * all.size(),
                0.0);
  });
  return {blocks, blocks, components, components, std::move(offset), std::move(column), std::move(value)};
}

/// An element's share of T'KT, over its blocks, and of T'Kg.
struct Reduced {
  std::vector<double> matrix;       // [unknowns, unknowns], those of its blocks
  std::vector<double> from_shifts;  // [unknowns]
};

/// K g of an element. k: [dofs, dofs]
void multiply(const std::vector<double>& k, const std::vector<double>& g, std::vector<double>& kg) {
  kg.assign(g.size(), 0.0);
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::size_t j = 0; j < g.size(); ++j) kg[i] += k[i * g.size() + j] * g[j];
  }
}

void reduce(const Space& space, std::int32_t e, std::span<const std::int32_t> blocks,
            const ElementMatrix& element_matrix, Reduced& reduced) {
  const Constraints& constraints = space.constraints();
  const std::int32_t components = space.components();
  const auto nodes = space.region().nodes(e);
  const std::size_t dofs = static_cast<std::size_t>(components) * nodes.size();
  const std::size_t unknowns = static_cast<std::size_t>(components) * blocks.size();
  thread_local std::vector<double> k;
  k.assign(dofs * dofs, 0.0);
  element_matrix(e, k);

  // T and g of this element. Most elements pick unknowns one to one; then rows and columns are only copied.
  bool picks = true;
  bool shifted = false;
  thread_local ElementTransform t;
  thread_local std::vector<double> g;
  thread_local std::vector<std::int8_t> taken;
  thread_local std::vector<std::int32_t> pick;  // of each displacement, -1: none
  t.clear();
  g.clear();
  pick.assign(dofs, -1);
  taken.assign(unknowns, 0);
  for (const std::int32_t node : nodes) {
    for (std::int32_t dof = components * node; dof < components * (node + 1); ++dof) {
      g.push_back(constraints.shift(dof));
      shifted = shifted || g.back() != 0;
      const auto row = constraints.row(dof);
      picks = picks && (row.empty() || (row.size() == 1 && row[0].coefficient == 1));
      for (const Term& term : row) {
        const std::int32_t place = space.place(term);
        const auto block =
            std::lower_bound(blocks.begin(), blocks.end(), place / components) - blocks.begin();
        const auto at = components * static_cast<std::int32_t>(block) + place % components;
        picks = picks && taken[static_cast<std::size_t>(at)] == 0;
        taken[static_cast<std::size_t>(at)] = 1;
        t.add_term({at, term.coefficient});
        pick[t.rows()] = at;
      }
      t.end_row();
    }
  }
  reduced.from_shifts.assign(unknowns, 0.0);
  reduced.matrix.assign(unknowns * unknowns, 0.0);
  if (shifted) {
    thread_local std::vector<double> kg;
    multiply(k, g, kg);
    t.reduce(kg, reduced.from_shifts);
  }
  if (!picks) return t.reduce(k, reduced.matrix, unknowns);
  for (std::size_t i = 0; i < dofs; ++i) {
    if (pick[i] < 0) continue;
    double* const to = reduced.matrix.data() + static_cast<std::size_t>(pick[i]) * unknowns;
    for (std::size_t j = 0; j < dofs; ++j) {
      if (pick[j] >= 0) to[pick[j]] = k[i * dofs + j];
    }
  }
}

/// Rows of one node's block of an element, added to the matrix.
template <int c>
void add_rows(std::span<const std::int32_t> blocks, const Reduced& own, std::size_t a,
              const sparse::BlockCsrView<double>& matrix, double* value, double* from_shifts) {
  const std::int32_t row = blocks[a];
  const std::size_t unknowns = c * blocks.size();
  for (std::size_t r = 0; r < c; ++r)
    from_shifts[c * static_cast<std::size_t>(row) + r] += own.from_shifts[c * a + r];
  const std::int32_t* const begin = matrix.column + matrix.offset[row];
  const std::int32_t* const end = matrix.column + matrix.offset[row + 1];
  const std::int64_t width = c * (end - begin);
  double* const values = value + std::int64_t{c} * c * matrix.offset[row];
  const std::int32_t* at = begin;
  for (std::size_t b = 0; b < blocks.size(); ++b) {  // both ascend: from here on
    at = std::lower_bound(at, end, blocks[b]);
    for (std::size_t r = 0; r < c; ++r) {
      double* const target = values + static_cast<std::int64_t>(r) * width + c * (at - begin);
      const double* const source = own.matrix.data() + (c * a + r) * unknowns + c * b;
      for (int i = 0; i < c; ++i) target[i] += source[i];
    }
  }
}

}  // namespace

System assemble(const Space& space, const ElementMatrix& element_matrix, const exec::Device& cpu,
                Monitor& monitor, const std::function<void(const sparse::BlockCsr<double>&)>& structured) {
  std::optional<Stage> finding(monitor.stage("find the matrix pattern"));
  const TouchedBlocks touched(space);
  System system{empty_matrix(touched, space, cpu),
                std::vector<double>(static_cast<std::size_t>(space.size()), 0.0)};
  finding.reset();
  if (structured) structured(system.matrix);

  // Batches of element matrices are made by all threads; then each thread adds to its own range of rows,
  // element after element, so that every entry is summed in the order of the elements.
  const std::int64_t batch = batch_of(touched, space.components(), cpu);
  std::vector<Reduced> reduced(static_cast<std::size_t>(batch));
  const std::int64_t elements = space.region().element_count();
  const std::int64_t rows = space.blocks();
  const std::int64_t ranges = parts_of(rows, cpu);
  const sparse::BlockCsrView<double> matrix = system.matrix.view();
  double* const value = system.matrix.value().data();
  Stage stage = monitor.stage("assemble", elements, "elements");
  for (std::int64_t first = 0; first < elements; first += batch) {
    const std::int64_t count = std::min(batch, elements - first);
    exec::host::for_each(cpu.threads(), count, few_elements, [&](std::int64_t i) {
      reduce(space, static_cast<std::int32_t>(first + i), touched.of(static_cast<std::size_t>(first + i)),
             element_matrix, reduced[static_cast<std::size_t>(i)]);
    });
    with_components(space.components(), [&]<int components>() {
      exec::host::for_each(cpu.threads(), ranges, 1, [&](std::int64_t range) {
        const std::int64_t begin = rows * range / ranges;
        const std::int64_t end = rows * (range + 1) / ranges;
        for (std::int64_t i = 0; i < count; ++i) {
          const auto blocks = touched.of(static_cast<std::size_t>(first + i));
          for (std::size_t a = 0; a < blocks.size(); ++a) {
            if (blocks[a] < begin || blocks[a] >= end) continue;
            add_rows<components>(blocks, reduced[static_cast<std::size_t>(i)], a, matrix, value,
                                 system.from_shifts.data());
          }
        }
      });
    });
    stage.advance(count);
  }
  return system;
}

}  // namespace setka::fem
