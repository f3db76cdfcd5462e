// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_projection_kernel.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"

/// The projection K* = X'KX from element matrices, K never assembled: the sum over elements of X_i' L_i X_i,
/// where X_i are the rows of X that the element's index vector picks (the paper on modal analysis, UZOR).
namespace setka::fem {

inline constexpr int most_projected_columns = 64;

/// How the sum over elements is taken.
enum class ProjectionScheme {
  fused,    // an element at a time, each matrix read once: nothing but the small sums is written
  grouped,  // as the paper does: Y_i = L_i X_i for a group of elements, then X'Y of the group as one product
};

struct ProjectionChoice {
  ProjectionScheme scheme = ProjectionScheme::fused;
  std::int64_t group = 0;  // elements a group; 0: what fills the device. The last group may be shorter
  kernel::FusedTuning tuning;
};

/// S += X'KX; S: [n, n], X: [rows, n], n <= 64, all in the memory of the stream's device. Indices are not
/// checked. S stays symmetric to the last bit when it was. Same bits at every run on a device; on the CPU the
/// number of threads does not change them, nor does it whether elements come at once or in several calls of
/// whole chunks (see projection_chunk). On a GPU it returns before the work is done.
///
/// Bytes an element of l rows: 4 l (l + 1) for the triangle, 4 l for indices, and the rows of X, which
/// neighbours share. Flops: 2 l^2 n + l n^2. C3D8, 30 columns: 2496 bytes and 56 thousand flops.
void add_projection(const exec::Stream& stream, const PackedElements& elements,
                    exec::MultiView<const double> x, exec::MultiView<double> s,
                    const ProjectionChoice& choice = {});

/// Blocks of 32 elements that the CPU sums up before it adds them to the rest.
inline constexpr std::int64_t projection_chunk = 32;

/// The projection of a model's matrices, stiffness or mass, on a device: makes the index vectors once. Rows
/// of X are the unknowns. Where constraints do not just pick unknowns, TX of all degrees of freedom is made
/// first.
class ElementProjection {
 public:
  ElementProjection(std::shared_ptr<const ElementSet> set, std::shared_ptr<const DofMap> unknowns);

  const ElementSet& set() const { return *set_; }
  const std::shared_ptr<const ElementSet>& shared_set() const { return set_; }
  const std::shared_ptr<const DofMap>& unknowns() const { return unknowns_; }
  std::int64_t rows() const { return unknowns_->size(); }

  /// S = X'KX.
  void apply(const exec::Stream& stream, const ElementMatrices& matrices, exec::MultiView<const double> x,
             exec::MultiView<double> s, const ProjectionChoice& choice = {}) const;

  /// The same of a form on these elements, whose matrices are integrated in ranges of so many bytes.
  void apply(const exec::Stream& stream, const Form& form, exec::MultiView<const double> x,
             exec::MultiView<double> s, std::int64_t bytes_at_once,
             const ProjectionChoice& choice = {}) const;

  /// A group of the set with its matrices; its indices are rows of X where constraints pick unknowns, degrees
  /// of freedom otherwise.
  PackedElements group(std::size_t g, const ElementMatrices& matrices) const;

 private:
  /// S = what `add` makes of X over the unknowns, or of TX over all degrees of freedom.
  void project(const exec::Stream& stream, exec::MultiView<const double> x, exec::MultiView<double> s,
               const std::function<void(exec::MultiView<const double>)>& add) const;

  std::shared_ptr<const ElementSet> set_;
  std::shared_ptr<const DofMap> unknowns_;
  std::vector<exec::Array<std::int32_t>> index_;
};

}  // namespace setka::fem
