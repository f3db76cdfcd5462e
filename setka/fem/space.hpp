// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/region.hpp"
#include "setka/solve/amg.hpp"

namespace setka::fem {

inline constexpr int max_components = 6;

/// Calls body.operator()<components>() with the number as a constant.
template <class Body>
auto with_components(int components, Body&& body) {
  switch (components) {
    case 1:
      return body.template operator()<1>();
    case 2:
      return body.template operator()<2>();
    case 3:
      return body.template operator()<3>();
    case 4:
      return body.template operator()<4>();
    case 5:
      return body.template operator()<5>();
    case 6:
      return body.template operator()<6>();
    default:
      throw Error(Fault::usage, "a field has 1 to 6 components");
  }
}

/// Motions that hardly any form resists: what multigrid has to keep, [places, modes] row-major.
struct NearNullspace {
  int modes = 0;
  exec::Array<double> values;
};

/// A field on a region: 1 to 6 components at each node, constraints u = T q + g, and where the unknowns q
/// stand in vectors and matrices. Immutable, and cheap to copy; the region's arrays and nothing else are
/// somebody else's.
///
/// Vectors are made of blocks, one a node that has an unknown, of as many places as there are components. The
/// places of constrained components hold zeros and couple to nothing, so that solvers see blocks of one size.
class Space {
 public:
  /// constraints: of components * nodes degrees of freedom, that of component c at node i being components *
  /// i
  /// + c; an Error(Fault::usage) otherwise. order: [nodes] places of nodes among each other, as of
  /// order_along_curve(); empty: as they are numbered. Unknowns of no node (a thickness that changes) come
  /// last.
  Space(const Region& region, int components, Constraints constraints,
        std::span<const std::int32_t> order = {});

  /// The same unknowns in the same places; `constraints` differ in what they prescribe alone.
  Space prescribing(const Constraints& constraints) const;

  const Region& region() const { return data_->region; }
  int components() const { return data_->components; }
  const Constraints& constraints() const { return data_->constraints; }

  std::int32_t unknown_count() const { return constraints().unknown_count(); }
  std::int32_t blocks() const { return data_->blocks; }
  std::int64_t size() const { return std::int64_t{components()} * blocks(); }  // of a vector

  /// The place of each unknown; ascending, unless nodes were ordered.
  std::span<const std::int32_t> places() const { return data_->place; }
  std::int32_t place(const Term& term) const { return data_->place[static_cast<std::size_t>(term.index)]; }

  /// Whether T only picks: every row none or one unknown, as it is, and every unknown once.
  bool picks() const { return data_->picks; }

  /// Where T picks: the place of each degree of freedom, -1 where it is no unknown, and back (-1 at a place
  /// that fills a block). Empty otherwise.
  std::span<const std::int32_t> place_of_dof() const { return data_->place_of_dof; }
  std::span<const std::int32_t> dof_of_place() const { return data_->dof_of_place; }

  /// From values of the unknowns to a vector of blocks, and back.
  std::vector<double> spread(std::span<const double> q) const;
  std::vector<double> collect(std::span<const double> blocked) const;

  /// T'f of forces on all degrees of freedom, and u = T q + g, with vectors of blocks.
  std::vector<double> restrict_forces(std::span<const double> f, const exec::Device& cpu) const;
  std::vector<double> expand(std::span<const double> blocked, const exec::Device& cpu) const;

  /// Half of the longest side of the box about the region, or about the whole that it is a part of; 1 for a
  /// point: the unit of lengths in rotations.
  double length() const;

  /// For three components the six rigid motions, for two the three of the plane, with rotations about the
  /// middle of that box in units of 1 / length(); otherwise each component by itself. Where constraints
  /// forbid a motion it is the nearest one they allow. Made on the device where T picks, and copied there
  /// otherwise.
  NearNullspace near_nullspace(const exec::Device& device) const;

  /// [blocks, 3] where they are.
  std::vector<double> block_coordinates(const exec::Device& cpu) const;

  /// All that multigrid wants to know, corner_interpolation() included.
  solve::AmgGeometry amg_geometry(const exec::Device& cpu) const;

  /// Of it motions and places of blocks alone.
  solve::AmgGeometry amg_motions(const exec::Device& cpu) const;

 private:
  struct Data {
    Region region;
    int components = 0;
    Constraints constraints;
    std::int32_t blocks = 0;
    bool picks = false;
    std::vector<std::int32_t> place;         // [unknowns] components * block + component
    std::vector<std::int32_t> place_of_dof;  // [dofs]
    std::vector<std::int32_t> dof_of_place;  // [places]
  };
  explicit Space(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  static void number(Data& data, std::span<const std::int32_t> order);
  static void find_picks(Data& data);

  std::shared_ptr<const Data> data_;
};

}  // namespace setka::fem
