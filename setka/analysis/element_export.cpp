// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_export.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_reduction.hpp"
#include "setka/io/element_file.hpp"

namespace setka::analysis {
namespace {

/// Takes in the steps up to the first one of modes, or the first one; values that are held do not matter.
LoadState loads_of_modes(const model::Model& model) {
  LoadState loads(model);
  const auto& steps = model.steps;
  auto chosen = std::find_if(steps.begin(), steps.end(), [](const model::Step& step) {
    return std::holds_alternative<model::FrequencyStep>(step.procedure);
  });
  if (chosen == steps.end()) chosen = steps.begin();
  const std::vector<double> still(3 * static_cast<std::size_t>(model.mesh.node_count()), 0.0);
  for (auto step = steps.begin(); step != steps.end() && step <= chosen; ++step) loads.begin(*step, still);
  return loads;
}

/// The unknowns of an element, and what its own displacements are of them.
class ElementRows {
 public:
  ElementRows(const Setup& setup, const fem::Constraints& constraints)
      : setup_(setup), constraints_(constraints) {}

  /// Where every displacement is an unknown or held: the unknown of each, -1 where it is held. Otherwise the
  /// unknowns that the element has, ascending, each once.
  void indices(std::int32_t e, std::vector<std::int32_t>& to) const {
    to.clear();
    const bool plain = picks(e);
    for_rows(e, [&](std::size_t, std::span<const fem::Term> row) {
      if (plain) {
        to.push_back(row.empty() ? -1 : row[0].index);
      } else {
        for (const fem::Term& term : row) to.push_back(term.index);
      }
    });
    if (plain) return;
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }

  /// T'KT with the rows that indices() gives, upper triangle row by row. k: [3n, 3n]
  void reduce(std::int32_t e, const std::vector<double>& k, std::span<const std::int32_t> indices,
              double* triangle) const {
    if (picks(e)) return store(k, indices.size(), triangle);
    thread_local fem::ElementTransform t;
    thread_local std::vector<double> reduced;
    t.clear();
    for_rows(e, [&](std::size_t, std::span<const fem::Term> row) {
      for (const fem::Term& term : row) {
        const auto at = std::lower_bound(indices.begin(), indices.end(), term.index) - indices.begin();
        t.add_term({static_cast<std::int32_t>(at), term.coefficient});
      }
      t.end_row();
    });
    reduced.assign(indices.size() * indices.size(), 0.0);
    t.reduce(k, reduced, indices.size());
    store(reduced, indices.size(), triangle);
  }

 private:
  template <class Body>
  void for_rows(std::int32_t e, const Body& body) const {
    std::size_t i = 0;
    for (const std::int32_t node : setup_.solids.nodes(e)) {
      for (std::int32_t c = 0; c < 3; ++c) body(i++, constraints_.row(3 * node + c));
    }
  }

  bool picks(std::int32_t e) const {
    bool all = true;
    for_rows(e, [&](std::size_t, std::span<const fem::Term> row) {
      all = all && (row.empty() || (row.size() == 1 && row[0].coefficient == 1));
    });
    return all;
  }

  /// matrix: [order, order]
  static void store(const std::vector<double>& matrix, std::size_t order, double* triangle) {
    for (std::size_t i = 0; i < order; ++i) {
      for (std::size_t j = i; j < order; ++j)
        *triangle++ = (matrix[i * order + j] + matrix[j * order + i]) / 2;
    }
  }

  const Setup& setup_;
  const fem::Constraints& constraints_;
};

/// Elements whose matrices have one order, with their index vectors one after the other.
struct Group {
  std::vector<std::int32_t> elements;
  std::vector<std::int32_t> indices;
};
using Groups = std::map<std::int64_t, Group>;  // by order

Groups group_elements(const Setup& setup, const ElementRows& rows) {
  Groups groups;
  std::vector<std::int32_t> own;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    rows.indices(e, own);
    if (own.empty()) continue;
    const auto order = static_cast<std::int64_t>(own.size());
    if (order > io::ElementFile::most_rows) {
      throw Error(Fault::input,
                  fmt::format("element {} has {} unknowns through equations; a file of element matrices has "
                              "at most {} an element",
                              setup.element_label(e), order, io::ElementFile::most_rows),
                  "tie fewer nodes by one equation, or leave out --write-elements");
    }
    Group& group = groups[order];
    group.elements.push_back(e);
    group.indices.insert(group.indices.end(), own.begin(), own.end());
  }
  return groups;
}

void write(const std::filesystem::path& path, const Setup& setup, const ElementRows& rows,
           const Groups& groups, std::int64_t unknowns, const fem::ElementMatrix& matrix,
           const exec::Device& cpu, Stage& stage) {
  std::vector<io::ElementFileGroup> sizes;
  for (const auto& [order, group] : groups)
    sizes.push_back({order, static_cast<std::int64_t>(group.elements.size())});
  io::ElementFileWriter file(path, unknowns, sizes);
  for (const auto& entry : groups) {
    const Group& group = entry.second;
    const auto order = static_cast<std::size_t>(entry.first);
    const auto entries = static_cast<std::size_t>(fem::triangle_size(static_cast<int>(order)));
    file.add_indices(group.indices);
    const std::size_t batch = std::max<std::size_t>(1, (std::size_t{1} << 21) / entries);
    std::vector<double> triangles;
    for (std::size_t first = 0; first < group.elements.size(); first += batch) {
      const std::size_t count = std::min(batch, group.elements.size() - first);
      triangles.resize(count * entries);
      exec::host::for_each(cpu.threads(), static_cast<std::int64_t>(count), 16, [&](std::int64_t i) {
        thread_local std::vector<double> k;
        const std::size_t at = first + static_cast<std::size_t>(i);
        const std::int32_t e = group.elements[at];
        const std::size_t n = 3 * setup.solids.nodes(e).size();
        k.assign(n * n, 0.0);
        matrix(e, k);
        rows.reduce(e, k, std::span(group.indices).subspan(at * order, order),
                    triangles.data() + static_cast<std::size_t>(i) * entries);
      });
      file.add_triangles(triangles);
      stage.advance(static_cast<std::int64_t>(count));
    }
  }
  file.commit();
}

/// The name of a material that has no density, "" where all have one.
std::string without_density(const Setup& setup) {
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (!setup.is_spring(e) && setup.material(e).density.empty()) return setup.material(e).name;
  }
  return {};
}

}  // namespace

std::vector<std::filesystem::path> write_element_matrices(const Setup& setup,
                                                          const std::filesystem::path& stem,
                                                          const exec::Device& cpu, Monitor& monitor) {
  if (!setup.model->superelements.empty()) {
    const model::Superelement& first = setup.model->superelements.front();
    throw Error(Fault::input, fmt::format("--write-elements: matrix {} is of no element", first.name),
                "leave its *MATRIX ASSEMBLE out", setup.model->source(first.line));
  }
  const LoadState loads = loads_of_modes(*setup.model);
  fem::Constraints constraints = user_constraints(setup, loads, 1, 1).homogeneous();
  if (!setup.solids.rows.empty()) constraints = constraints.compose(setup.solids.rows);
  if (constraints.unknown_count() == 0) {
    throw Error(Fault::input, "--write-elements: the model has no unknowns; all is prescribed",
                "leave some nodes free");
  }
  const ElementRows rows(setup, constraints);
  const Groups groups = group_elements(setup, rows);
  ElementState state(setup, {});
  state.leave_out_free_strains();
  const std::string bare = without_density(setup);
  std::vector<std::pair<const char*, fem::ElementMatrix>> kinds{
      {".stiffness.elements", [&](std::int32_t e, std::span<double> k) { state.element_matrix(e, k); }}};
  if (bare.empty()) {
    kinds.emplace_back(".mass.elements", modal_mass(setup, state));
  } else {
    log::warning("material {} has no density: element masses are not written; add *DENSITY", bare);
  }
  Stage stage =
      monitor.stage("write element matrices",
                    static_cast<std::int64_t>(kinds.size()) * setup.solids.element_count(), "elements");
  std::vector<std::filesystem::path> files;
  for (const auto& [ending, matrix] : kinds) {
    std::filesystem::path path = stem;
    path += ending;
    write(path, setup, rows, groups, constraints.unknown_count(), matrix, cpu, stage);
    files.push_back(path);
  }
  return files;
}

}  // namespace setka::analysis
