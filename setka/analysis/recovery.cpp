// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include "setka/analysis/beam_section_forces.hpp"
#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/nodal_values.hpp"
#include "setka/analysis/preload.hpp"
#include "setka/analysis/reactions.hpp"
#include "setka/analysis/section_forces.hpp"
#include "setka/analysis/stress_error.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/local_system.hpp"
#include "setka/model/shell_axes.hpp"

namespace setka::analysis {
namespace {

/// Of the linear material that the state knows.
void linear_values(const Setup& setup, const ElementState& state, const ElementPoints& at) {
  thread_local std::vector<double> d;
  thread_local std::vector<double> total;
  thread_local std::vector<double> e0;
  thread_local std::vector<double> s0;
  state.stiffness(at.element, d);
  total.assign(6 * at.count, 0.0);
  const bool stressed = state.has_strainless_stress(at.element) && state.strainless_stress(at.element, d, s0);
  const bool strained = stressed && state.free_strain(at.element, e0);
  fem::strains(at.type, at.coordinates, at.displacements, d, total,
               stressed ? std::span<const double>(s0) : std::span<const double>());
  if (!state.preload().empty()) {
    thread_local std::vector<double> before;
    element_values(setup.solids, at.element, state.preload(), before);
    add_preload_strains(at.type, at.coordinates, before, at.displacements, total);
  }
  for (std::size_t p = 0; p < at.count; ++p) {
    double energy = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      double stress = stressed ? s0[6 * p + i] : 0.0;
      for (std::size_t j = 0; j < 6; ++j) stress += d[36 * p + 6 * i + j] * total[6 * p + j];
      const double mechanical = total[6 * p + i] - (strained ? e0[6 * p + i] : 0.0);
      const double shear = i < 3 ? 1.0 : 0.5;
      if (!at.stress.empty()) at.stress[6 * p + i] = stress;
      if (!at.strain.empty()) at.strain[6 * p + i] = shear * total[6 * p + i];
      if (!at.mechanical.empty()) at.mechanical[6 * p + i] = shear * mechanical;
      energy += stress * mechanical / 2;
    }
    if (!at.energy.empty()) at.energy[p] = energy;
  }
}

/// Whether an element has directions of its own that results may be in: shells always do.
bool has_axes(const Setup& setup, std::int32_t element) {
  const std::int32_t section = setup.section_of[static_cast<std::size_t>(element)];
  return section >= 0 &&
         (model::family(setup.model->mesh, setup.solids.mesh_element(element)) == model::Family::shell ||
          setup.model->sections[static_cast<std::size_t>(section)].orientation >= 0);
}

/// Tensors at points, [points, 6], in the directions of their elements. place: [points, 3]
std::vector<double> in_local_axes(const Setup& setup, const std::vector<double>& place,
                                  std::vector<double> tensors) {
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (!has_axes(setup, e)) continue;
    const auto section = static_cast<std::size_t>(setup.section_of[static_cast<std::size_t>(e)]);
    const std::int32_t orientation = setup.model->sections[section].orientation;
    const model::LocalSystem* const system =
        orientation < 0 ? nullptr : &setup.model->orientations[static_cast<std::size_t>(orientation)];
    const std::int32_t of_mesh = setup.solids.mesh_element(e);
    const bool shell = model::family(setup.model->mesh, of_mesh) == model::Family::shell;
    model::Axes axes{};
    if (shell) axes = model::shell_axes(setup.model->mesh, of_mesh, system);
    for (auto p = static_cast<std::size_t>(setup.first_point(e));
         p < static_cast<std::size_t>(setup.first_point(e + 1)); ++p) {
      if (!shell) axes = model::axes_at(*system, std::span<const double, 3>(place.data() + 3 * p, 3));
      const auto local = model::to_local(axes, std::span<const double, 6>(tensors.data() + 6 * p, 6));
      std::ranges::copy(local, tensors.begin() + static_cast<std::ptrdiff_t>(6 * p));
    }
  }
  return tensors;
}

}  // namespace

PointValues::PointValues(std::int64_t points, const PointFields& fields) {
  const auto resize = [&](std::vector<double>& values, bool computed, std::size_t components) {
    if (computed) values.resize(components * static_cast<std::size_t>(points));
  };
  resize(stress, fields.stress, 6);
  resize(strain, fields.strain, 6);
  resize(mechanical, fields.mechanical, 6);
  resize(energy, fields.energy, 1);
  resize(place, fields.place, 3);
  resize(volume, fields.volume, 1);
}

PointValues point_values(const Setup& setup, const std::vector<double>& u, const PointFields& fields,
                         int threads, const std::function<void(const ElementPoints&)>& compute) {
  return point_values(setup, ElementRun::of(setup), u, fields, threads, compute);
}

PointValues point_values(const Setup& setup, const ElementRun& run, const std::vector<double>& u,
                         const PointFields& fields, int threads,
                         const std::function<void(const ElementPoints&)>& compute) {
  PointValues all(run.first_point(setup, run.last), fields);
  exec::host::for_each(threads, run.count(), 64, [&](std::int64_t index) {
    const auto e = run.first + static_cast<std::int32_t>(index);
    const fem::Element type = setup.solids.type[static_cast<std::size_t>(e)];
    const auto first = static_cast<std::size_t>(run.first_point(setup, e));
    const auto count = static_cast<std::size_t>(fem::point_count(type));
    if (count == 0) return;
    thread_local std::vector<double> x;
    thread_local std::vector<double> own;
    element_coordinates(setup.solids, e, x);
    element_values(setup.solids, e, u, own);
    const auto part = [&](std::vector<double>& values, std::size_t components) {
      return values.empty() ? std::span<double>()
                            : std::span(values).subspan(components * first, components * count);
    };
    if (fields.place) fem::point_coordinates(type, x, part(all.place, 3));
    if (fields.volume) fem::point_volumes(type, x, part(all.volume, 1));
    compute({e, type, count, x, own, part(all.stress, 6), part(all.strain, 6), part(all.mechanical, 6),
             part(all.energy, 1)});
  });
  return all;
}

Wanted wanted_results(const model::Step& step) {
  Wanted wanted;
  for (const model::OutputRequest& request : step.output) {
    const bool print = request.kind == model::OutputKind::element_print;
    auto& names = print ? wanted.at_points : wanted.at_nodes;
    if (request.kind == model::OutputKind::section_print) {
      if (request.set >= 0) wanted.surfaces.insert(request.set);
      continue;
    }
    names.insert(request.variables.begin(), request.variables.end());
    if (request.kind == model::OutputKind::element_file && !request.global)
      wanted.in_local_axes.insert(request.variables.begin(), request.variables.end());
  }
  return wanted;
}

bool needs_elements(const Wanted& wanted) {
  static const std::set<std::string> of_nodes{"U", "V", "A", "RF", "NT"};
  return !wanted.at_points.empty() || !wanted.surfaces.empty() ||
         std::ranges::any_of(wanted.at_nodes,
                             [](const std::string& name) { return !of_nodes.contains(name); });
}

PointFields point_fields(const Setup& setup, const Wanted& wanted) {
  const auto any = [&](const char* name) {
    return wanted.at_nodes.contains(name) || wanted.at_points.contains(name);
  };
  const bool printed = !wanted.at_points.empty() || !wanted.in_local_axes.empty();
  PointFields fields;
  fields.stress = any("S") || any("SF") || any("ERR") || !wanted.surfaces.empty();
  fields.strain = any("E");
  fields.mechanical = any("ME");
  fields.energy = any("ENER") || any("ELSE");
  fields.place = any("COORD") || (printed && !setup.model->orientations.empty());
  fields.volume = any("EVOL") || any("ELSE");
  return fields;
}

void recover_displacements(const Setup& setup, std::vector<double> u, model::Frame& frame) {
  u.resize(3 * setup.result_nodes());
  frame.node_fields.push_back({"U", 3, std::move(u)});
}

bool device_recovers(const Setup& setup, const ElementState& state, const Wanted& wanted) {
  const PointFields fields = point_fields(setup, wanted);
  const bool strains = fields.strain || fields.mechanical || fields.energy;
  if (wanted.at_nodes.contains("SF")) return false;
  if (!wanted.at_points.empty() || !wanted.surfaces.empty() || fields.place || !state.preload().empty())
    return false;
  for (std::int32_t e = 0; e < setup.solids.element_count(); ++e) {
    if (state.has_strainless_stress(e)) return false;
    if (strains && !fem::is_plain(setup.solids.type[static_cast<std::size_t>(e)])) return false;
  }
  return true;
}

namespace {

void recover_on_device(const Setup& setup, const std::vector<double>& u, const Wanted& wanted, int threads,
                       fem::Recovery& recovery, model::Frame& frame) {
  const PointFields fields = point_fields(setup, wanted);
  const exec::Device& device = recovery.set().device();
  recovery.take(device, exec::Array<double>(device, u), fields.strain || fields.mechanical || fields.energy);
  std::vector<model::NodeField> made;
  const auto keep = [&](const char* name, int components, std::vector<double> values) {
    made.push_back({name, components, mesh_node_values(setup, components, std::move(values))});
  };
  const auto wants = [&](const char* name) { return wanted.at_nodes.contains(name); };
  if (wants("S")) keep("S", 6, recovery.node_stresses(device));
  if (wants("E") || wants("ME")) {
    std::vector<double> strains = recovery.node_strains(device);  // there are no others than mechanical ones
    if (wants("E") && wants("ME")) keep("E", 6, strains);
    keep(wants("ME") ? "ME" : "E", 6, std::move(strains));
  }
  if (wants("ENER")) keep("ENER", 1, recovery.node_energies(device));
  if (fields.stress) {
    fem::Recovery::OfElements of_elements = recovery.of_elements(device);
    frame.element_mises = std::move(of_elements.mises);
    keep("ERR", 1, errors_of_variation(setup, of_elements.variation, threads));  // CalculiX adds it to S
  }
  std::ranges::move(made, std::back_inserter(frame.node_fields));
}

/// Whether all that is wanted are values at nodes, in the axes of the model.
bool is_of_nodes(const Setup& setup, const Wanted& wanted) {
  return wanted.at_points.empty() && wanted.surfaces.empty() && wanted.in_local_axes.empty() &&
         !wanted.at_nodes.contains("SF") && !point_fields(setup, wanted).place;
}

/// The largest stress of von Mises at a point of each element of a run; 0 of others.
std::vector<double> mises_of_elements(const Setup& setup, const ElementRun& run,
                                      const std::vector<double>& stress) {
  std::vector<double> mises(static_cast<std::size_t>(setup.solids.element_count()), 0.0);
  for (std::int32_t e = run.first; e < run.last; ++e) {
    double& largest = mises[static_cast<std::size_t>(e)];
    for (std::int64_t p = run.first_point(setup, e); p < run.first_point(setup, e + 1); ++p) {
      const double* const s = stress.data() + 6 * static_cast<std::size_t>(p);
      const double normal = std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
      const double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
      largest = std::max(largest, std::sqrt(normal / 2 + 3 * shear));
    }
  }
  return mises;
}

/// Of nodes, by processes that compute a run of the elements each.
void recover_together(const Setup& setup, const ElementState& state, const std::vector<double>& u,
                      const Wanted& wanted, int threads, const exec::Transport& processes,
                      model::Frame& frame) {
  const ElementRun run = ElementRun::of(setup, &processes);
  const PointFields fields = point_fields(setup, wanted);
  const PointValues values = point_values(setup, run, u, fields, threads,
                                          [&](const ElementPoints& at) { linear_values(setup, state, at); });
  const auto keep = [&](const char* name, int components, const std::vector<double>& at_points) {
    if (!wanted.at_nodes.contains(name)) return;
    frame.node_fields.push_back(
        {name, components,
         mesh_node_values(setup, components, solid_node_values(setup, run, components, at_points, threads))});
  };
  keep("S", 6, values.stress);
  keep("E", 6, values.strain);
  keep("ME", 6, values.mechanical);
  keep("ENER", 1, values.energy);
  if (!fields.stress) return;
  frame.node_fields.push_back(
      {"ERR", 1, mesh_node_values(setup, 1, stress_errors(setup, run, values.stress, threads))});
  frame.element_mises = mises_of_elements(setup, run, values.stress);
  run.collect(frame.element_mises);
}

}  // namespace

void recover(const Setup& setup, const ElementState& state, const std::vector<double>& u,
             const Wanted& wanted, int threads, model::Frame& frame, fem::Recovery* on_device,
             const exec::Transport* together) {
  recover_displacements(setup, u, frame);
  if (!needs_elements(wanted)) return;
  if (on_device != nullptr) {
    try {
      return recover_on_device(setup, u, wanted, threads, *on_device, frame);
    } catch (const Error& error) {
      if (error.fault() != Fault::resource) throw;
      log::debug("stresses on the CPU: {}", error.message());
    }
  }
  if (together != nullptr && is_of_nodes(setup, wanted))
    return recover_together(setup, state, u, wanted, threads, *together, frame);
  PointValues values = point_values(setup, u, point_fields(setup, wanted), threads,
                                    [&](const ElementPoints& at) { linear_values(setup, state, at); });
  recover_elements(setup, std::move(values), wanted, threads, frame);
  std::vector<double> spring_force;
  for (std::int32_t e = 0; !frame.element_energy.empty() && e < setup.solids.mesh_element_count(); ++e) {
    if (setup.is_spring(e))
      frame.element_energy[static_cast<std::size_t>(e)] = element_forces(setup, state, e, u, spring_force);
  }
}

std::unique_ptr<fem::Recovery> recovery_on(const exec::Device& device, const Setup& setup,
                                           const ElementState& state, const Wanted& wanted,
                                           std::shared_ptr<const fem::Form> form) {
  if (!device.is_cuda() || !needs_elements(wanted) || !device_recovers(setup, state, wanted)) return nullptr;
  try {
    if (form == nullptr) form = elastic_form_on(device, setup, state);
    return form == nullptr ? nullptr : std::make_unique<fem::Recovery>(std::move(form));
  } catch (const Error& error) {
    if (error.fault() != Fault::resource) throw;
    log::debug("stresses on the CPU: {}", error.message());
    return nullptr;
  }
}

void recover_elements(const Setup& setup, PointValues values, const Wanted& wanted, int threads,
                      model::Frame& frame) {
  bool oriented = false;
  for (std::int32_t e = 0; e < setup.solids.mesh_element_count() && !oriented; ++e)
    oriented = has_axes(setup, e);
  const auto at_node = [&](const char* name, int components, const std::vector<double>& field) {
    const auto mean = [&](const std::vector<double>& at_points) {
      return mesh_node_values(setup, components, solid_node_values(setup, components, at_points, threads));
    };
    if (wanted.at_nodes.contains(name)) frame.node_fields.push_back({name, components, mean(field)});
    if (oriented && components == 6 && wanted.in_local_axes.contains(name)) {
      frame.local_node_fields.push_back({name, components, mean(in_local_axes(setup, values.place, field))});
    }
  };
  at_node("S", 6, values.stress);
  if (wanted.at_nodes.contains("SF")) {
    std::vector<double> at_solids = solid_node_values(setup, 6, values.stress, threads);
    std::vector<double> forces = mesh_node_values(setup, 6, at_solids);
    put_section_forces(setup, at_solids, forces);
    frame.node_fields.push_back({"SF", 6, std::move(forces)});
  }
  at_node("E", 6, values.strain);
  at_node("ME", 6, values.mechanical);
  at_node("ENER", 1, values.energy);
  if (wanted.at_nodes.contains("S") || wanted.at_nodes.contains("SF") ||
      wanted.at_nodes.contains("ERR")) {  // CalculiX adds ERR to S
    frame.node_fields.push_back(
        {"ERR", 1, mesh_node_values(setup, 1, stress_errors(setup, values.stress, threads))});
  }
  if (!wanted.surfaces.empty()) {
    const std::vector<double> stress = solid_node_values(setup, 6, values.stress, threads);
    for (const std::int32_t surface : wanted.surfaces)
      frame.sections.push_back(section_forces(setup, stress, surface));
  }
  const auto elements = static_cast<std::size_t>(setup.solids.element_count());
  const auto over_points = [&](const char* name, std::vector<double>& sums, const auto& value) {
    if (!wanted.at_points.contains(name)) return;
    sums.assign(elements, 0.0);
    for (std::size_t e = 0; e < elements; ++e) {
      for (std::int64_t p = setup.points.first_point[e]; p < setup.points.first_point[e + 1]; ++p)
        sums[e] += value(static_cast<std::size_t>(p));
    }
    add_up_parts(setup, sums);
  };
  over_points("EVOL", frame.element_volume, [&](std::size_t p) { return values.volume[p]; });
  over_points("ELSE", frame.element_energy,
              [&](std::size_t p) { return values.volume[p] * values.energy[p]; });
  if (wanted.at_points.contains("ELKE"))
    frame.element_kinetic_energy.assign(static_cast<std::size_t>(setup.solids.mesh_element_count()), 0.0);
  const auto keep = [&](const char* name, int components, bool computed, std::vector<double>& field) {
    if (computed)
      frame.point_fields.push_back(
          {name, components, result_point_values(setup, components, std::move(field))});
  };
  const PointFields fields = point_fields(setup, wanted);
  keep("S", 6, fields.stress, values.stress);
  keep("E", 6, fields.strain, values.strain);
  keep("ME", 6, fields.mechanical, values.mechanical);
  keep("ENER", 1, fields.energy, values.energy);
  keep("COORD", 3, fields.place, values.place);
}

}  // namespace setka::analysis
