// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/element_run.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/transport.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/recovery.hpp"
#include "setka/model/results.hpp"

namespace setka::analysis {

/// Names of the results that a step's output asks for, "U", "RF", "S", ...; S and E of nodes as "S" too.
struct Wanted {
  std::set<std::string> at_nodes;       // *NODE PRINT, *NODE FILE, and *EL FILE extrapolated to nodes; SF is
                                        // S with the section forces of beams in the place of theirs
  std::set<std::string> in_local_axes;  // those of *EL FILE with GLOBAL=NO
  std::set<std::string> at_points;      // *EL PRINT
  std::set<std::int32_t> surfaces;      // *SECTION PRINT
};

Wanted wanted_results(const model::Step& step);

/// Whether any of it comes from elements: their stresses, strains or energies.
bool needs_elements(const Wanted& wanted);

/// What is computed at integration points.
struct PointFields {
  bool stress = true;
  bool strain = true;
  bool mechanical = true;
  bool energy = true;
  bool place = true;
  bool volume = true;
};

/// Those that the wanted results are made of.
PointFields point_fields(const Setup& setup, const Wanted& wanted);

/// U of a frame: of Setup::result_nodes(), which are the first ones of the solids.
void recover_displacements(const Setup& setup, std::vector<double> u, model::Frame& frame);

/// What stresses and strains are at the integration points of all elements; empty where it is not computed.
struct PointValues {
  std::vector<double> stress;      // [points, 6]
  std::vector<double> strain;      // [points, 6] total, tensor shear
  std::vector<double> mechanical;  // [points, 6] without thermal and initial strains, tensor shear
  std::vector<double> energy;      // [points] per volume
  std::vector<double> place;       // [points, 3]
  std::vector<double> volume;      // [points]

  PointValues(std::int64_t points, const PointFields& fields);
};

/// The part of one element that has points; what is not computed is empty.
struct ElementPoints {
  std::int32_t element;
  fem::Element type;
  std::size_t count;                      // of points
  std::span<const double> coordinates;    // [nodes, 3]
  std::span<const double> displacements;  // [nodes, 3]
  std::span<double> stress;               // [points, 6]
  std::span<double> strain;               // [points, 6]
  std::span<double> mechanical;           // [points, 6]
  std::span<double> energy;               // [points]
};

/// Places and volumes, and what `compute` makes of the displacements u of the solids' nodes, [nodes, 3]; it
/// is called by many threads at once.
PointValues point_values(const Setup& setup, const std::vector<double>& u, const PointFields& fields,
                         int threads, const std::function<void(const ElementPoints&)>& compute);
PointValues point_values(const Setup& setup, const ElementRun& run, const std::vector<double>& u,
                         const PointFields& fields, int threads,
                         const std::function<void(const ElementPoints&)>& compute);

/// Fills a frame with what is wanted of them, U apart.
void recover_elements(const Setup& setup, PointValues values, const Wanted& wanted, int threads,
                      model::Frame& frame);

/// Whether all that is wanted are values at nodes, of stresses that displacements alone make, which a
/// fem::Recovery has.
bool device_recovers(const Setup& setup, const ElementState& state, const Wanted& wanted);

/// Fills a frame from the displacements of the solids' nodes, [3 nodes], with what is wanted and what that is
/// made of; all but RF, which needs the loads. on_device: of the same elements, where it recovers all that is
/// wanted. together: processes that all call it; each computes a run of the elements where values at nodes
/// are all that is wanted.
void recover(const Setup& setup, const ElementState& state, const std::vector<double>& u,
             const Wanted& wanted, int threads, model::Frame& frame, fem::Recovery* on_device = nullptr,
             const exec::Transport* together = nullptr);

/// For recover() on a GPU; none where it would not serve, or where there is no room for it. form: of the
/// elements, made anew where there is none.
std::unique_ptr<fem::Recovery> recovery_on(const exec::Device& device, const Setup& setup,
                                           const ElementState& state, const Wanted& wanted,
                                           std::shared_ptr<const fem::Form> form = nullptr);

}  // namespace setka::analysis
