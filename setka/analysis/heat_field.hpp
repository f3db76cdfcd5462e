// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "setka/analysis/heat_loads.hpp"
#include "setka/analysis/heat_materials.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/region.hpp"
#include "setka/fem/space.hpp"
#include "setka/model/results.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {

/// Degree of freedom of temperatures in *BOUNDARY and *EQUATION.
constexpr int temperature_direction = 11;

/// One field as DofMap takes it.
template <class T>
exec::MultiView<T> column(exec::View<T> values) {
  return {values.data, values.size, 1, 1};
}

/// What u = T q + g is for the temperatures of the solids' nodes at a time. before: [mesh nodes], where the
/// step began.
fem::Constraints temperature_constraints(const Setup& setup, const LoadState& loads,
                                         std::span<const double> before, const HeatTime& time);
fem::Constraints temperature_constraints(const Setup& setup, const LoadState& loads,
                                         std::span<const double> before, const PrescribedNow& value_of);

/// Whether a temperature is not prescribed itself, as amid the sides of a beam whose node is: it has an
/// unknown of its own, and does not jump.
bool is_unknown(const fem::Constraints& constraints, std::int32_t node);

/// The solids' elements as heat sees them: none has a formulation of its own.
std::vector<fem::Element> heat_elements(const Setup& setup);

/// Temperatures of the solids' nodes as one field of one component, with what the region stands in.
struct HeatSpace {
  std::shared_ptr<const std::vector<fem::Element>> types;
  fem::Space space;
};
HeatSpace heat_space(const Setup& setup, fem::Constraints constraints);

/// A node of a part of the model that takes any temperature: nothing is prescribed in it, and none of its
/// elements loses heat by itself. space: of all solids.
std::optional<std::int32_t> not_held(const Setup& setup, const fem::Space& space,
                                     std::span<const std::int32_t> losing);

/// What a frame of temperatures is made of, of all solids.
struct HeatFrame {
  std::vector<double> temperature;     // [solid nodes]
  std::vector<double> conducted;       // [solid nodes]; where RFL is wanted
  std::vector<double> flux_at_points;  // [points, 3]; where HFL is, but for the next
  std::vector<double> flux_at_nodes;   // [solid nodes, 3]; where it is known without that of points
};

/// What conducts and keeps heat in a space, and matrices of both, on a device. Setup outlives it.
class HeatField {
 public:
  /// Of all solids, on the device of the computing. with_capacity: materials have to have one.
  HeatField(const Setup& setup, const Computing& computing, fem::Constraints constraints, bool with_capacity);
  HeatField(const Setup& setup, const Computing& computing, HeatSpace space, bool with_capacity);

  /// Of a member's part of a space of them, on its device; cpu: what the host has for all members here. The
  /// parts outlive it.
  HeatField(const Setup& setup, const exec::Member& member, const exec::Device& cpu,
            const domains::SpaceParts& parts, bool with_capacity);

  std::int32_t node_count() const { return region_.node_count(); }
  const fem::Space& space() const { return dofs_->space(); }
  const fem::DofMap& dofs() const { return *dofs_; }
  const std::shared_ptr<const fem::DofMap>& all_nodes() const { return all_; }  // as if nothing were held
  const HeatMaterials& materials() const { return materials_; }

  // Of materials at temperatures, [nodes].
  std::shared_ptr<const fem::Form> conduction(std::span<const double> temperature) const;
  std::shared_ptr<const fem::Form> capacity(std::span<const double> temperature) const;

  /// Over the unknowns of the space.
  sparse::BlockCsr<double> assemble(const fem::Form& form, Monitor& monitor);

  /// Heat that temperatures, [nodes], conduct to the nodes.
  std::vector<double> conducted(const std::shared_ptr<const fem::Form>& conduction,
                                const exec::Array<double>& temperature) const;

  /// [points of the elements as Setup::points counts them, 3]
  std::vector<double> flux_at_points(const fem::Form& conduction,
                                     const exec::Array<double>& temperature) const;

  /// Of all solids: fluxes at nodes alone, where no others are wanted and heat has the points that
  /// Setup::points counts, else those at points.
  void take_flux(const fem::Form& conduction, const exec::Array<double>& temperature, const Wanted& wanted,
                 HeatFrame& values) const;

 private:
  HeatField(const Setup& setup, const exec::Device& device, const exec::Device& cpu,
            std::shared_ptr<const std::vector<fem::Element>> types, const fem::Space& space,
            std::span<const std::int32_t> elements, bool with_capacity);

  /// Whether elements have the points that Setup::points counts.
  bool points_agree() const;
  /// The flux at the points of the set, on the device, which has it when the stream is done.
  exec::Array<double> device_flux(const fem::PointPlaces& places, const fem::Form& conduction,
                                  const exec::Array<double>& temperature) const;

  const Setup& setup_;
  exec::Device device_;
  exec::Device cpu_;
  std::shared_ptr<const std::vector<fem::Element>> types_;  // none: of others
  fem::Region region_;
  std::span<const std::int32_t> elements_;  // of the model; empty: all of them
  HeatMaterials materials_;
  std::shared_ptr<const fem::ElementSet> set_;
  std::shared_ptr<const fem::DofMap> dofs_;
  std::shared_ptr<const fem::DofMap> all_;
  std::optional<fem::DeviceAssembly> pattern_;
};

bool wants_conducted(const Wanted& wanted);
bool wants_flux(const Wanted& wanted);

/// NT, and of RFL and HFL what is wanted.
void fill_heat_frame(const Setup& setup, HeatFrame values, const Wanted& wanted, int threads,
                     model::Frame& frame);
void fill_heat_frame(const Setup& setup, const HeatField& of_all,
                     const std::shared_ptr<const fem::Form>& conduction,
                     const exec::Array<double>& temperature, const Wanted& wanted, int threads,
                     model::Frame& frame);

}  // namespace setka::analysis
