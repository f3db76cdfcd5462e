// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/dat_tables.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/io/numbers.hpp"
#include "setka/model/element_type.hpp"
#include "setka/model/local_system.hpp"
#include "setka/model/shell_axes.hpp"

namespace setka::io::detail {
namespace {

constexpr std::array node_forms{
    TableForm{"U", Location::node, 3, "displacements (vx,vy,vz)", "", true},
    TableForm{"RF", Location::node, 3, "forces (fx,fy,fz)", "total force (fx,fy,fz)", true},
    TableForm{"V", Location::node, 3, "velocities (vx,vy,vz)", "", true},
    TableForm{"A", Location::node, 3, "accelerations (ax,ay,az)", "", true},
    TableForm{"NT", Location::node, 1, "temperatures", ""},
    TableForm{"RFL", Location::node, 1, "heat generation", "total heat generation", false, true},
};

constexpr std::array element_forms{
    TableForm{"S", Location::point, 6, "stresses (elem, integ.pnt.,sxx,syy,szz,sxy,sxz,syz)", "", true},
    TableForm{"E", Location::point, 6, "strains (elem, integ.pnt.,exx,eyy,ezz,exy,exz,eyz)", "", true},
    TableForm{"ME", Location::point, 6, "mechanical strains (elem, integ.pnt.,exx,eyy,ezz,exy,exz,eyz)", "",
              true},
    TableForm{"ENER", Location::point, 1, "internal energy density (elem, integ.pnt.,energy)", ""},
    // CalculiX writes the name of the set without a blank before it.
    TableForm{"HFL", Location::point, 3, "heat flux (elem, integ.pnt.,qx,qy,qz)", "", true, true, " for set"},
    TableForm{"COORD", Location::point, 3, "global coordinates (elem, integ.pnt.,x,y,z)", ""},
    TableForm{"ELSE", Location::element, 1, "internal energy (element, energy)", "total internal energy"},
    TableForm{"ELKE", Location::element, 1, "kinetic energy (elem, energy)", "total kinetic energy"},
    TableForm{"EVOL", Location::element, 1, "volume (element, volume)", "total volume"},
};

[[noreturn]] void lacks(const TableForm& form) {
  throw Error(Fault::usage,
              fmt::format(".dat: {} is asked for but the frame has no {}", form.variable, form.title));
}

void require_size(const TableForm& form, std::size_t found, std::size_t wanted) {
  require(found == wanted, [&] {
    return fmt::format(".dat: {} has {} values in the frame where the mesh needs {}", form.variable, found,
                       wanted);
  });
}

}  // namespace

const TableForm* table_form(model::OutputKind kind, std::string_view variable) {
  const auto search = [&](const auto& forms) -> const TableForm* {
    const auto found =
        std::find_if(forms.begin(), forms.end(), [&](const auto& f) { return f.variable == variable; });
    return found == forms.end() ? nullptr : &*found;
  };
  if (kind == model::OutputKind::node_print) return search(node_forms);
  if (kind == model::OutputKind::element_print) return search(element_forms);
  return nullptr;
}

void DatTables::print_title(std::string_view title, std::string_view set, std::string_view before_set) {
  std::string& text = file.text();
  fmt::format_to(std::back_inserter(text), "\n {}{}{} and time ", title, before_set, set);
  append_fortran_fraction(text, frame.time);
  text += "\n\n";
}

void DatTables::print_numbers(std::span<const double> numbers) {
  for (const double number : numbers) {
    file.text() += ' ';
    append_fortran(file.text(), number);
  }
}

void DatTables::print_total(const TableForm& form, std::string_view set, std::span<const double> sum) {
  print_title(form.total_title, set, form.before_set);
  file.text().append(6, ' ');
  print_numbers(sum);
  file.text() += '\n';
}

void DatTables::print(const TableForm& form, const model::OutputRequest& request) {
  const auto set = static_cast<std::size_t>(request.set);
  const std::string& name =
      form.location == Location::node ? model.node_sets[set].name : model.element_sets[set].name;
  const bool rows = request.totals != model::Totals::only || form.total_title.empty();
  if (rows) print_title(form.title, name, form.before_set);
  if (form.location == Location::point) {
    point_rows(form, request);
    return;
  }
  const std::vector<double> sum =
      form.location == Location::node ? node_rows(form, request, rows) : element_rows(form, request, rows);
  if (request.totals != model::Totals::no && !form.total_title.empty()) print_total(form, name, sum);
}

/// The sum is of global components, whatever the rows show.
std::vector<double> DatTables::node_rows(const TableForm& form, const model::OutputRequest& request,
                                         bool rows) {
  const model::NodeField* field = frame.node_field(std::string(form.variable));
  if (field == nullptr || field->empty()) lacks(form);
  const auto width = static_cast<std::size_t>(form.components);
  // With OUTPUT=3D nodes of solids follow.
  const std::size_t wanted = width * static_cast<std::size_t>(model.mesh.node_count());
  require_size(form, std::min(field->values.size(), wanted), wanted);
  std::vector<double> sum(width);
  for (const std::int32_t node : model.node_sets[static_cast<std::size_t>(request.set)].nodes) {
    const std::span values(field->values.data() + width * static_cast<std::size_t>(node), width);
    for (std::size_t i = 0; i < width; ++i) sum[i] += values[i];
    if (!rows) continue;
    append_integer(file.text(), model.mesh.node_label(node), 10);
    const std::int32_t transform =
        form.turns && !request.global ? transform_of_node[static_cast<std::size_t>(node)] : -1;
    if (transform < 0) {
      print_numbers(values);
    } else {
      const model::LocalSystem& system = model.transforms[static_cast<std::size_t>(transform)].system;
      print_numbers(model::to_local(model::axes_at(system, model.mesh.coordinates(node)), values.first<3>()));
      file.text() += " L";
    }
    file.text() += '\n';
    file.flush_if_full();
  }
  return sum;
}

std::span<const double> DatTables::values_at_elements(const TableForm& form) {
  const std::vector<double>& values = form.variable == "EVOL"   ? frame.element_volume
                                      : form.variable == "ELSE" ? frame.element_energy
                                                                : frame.element_kinetic_energy;
  if (values.empty()) lacks(form);
  require_size(form, values.size(), static_cast<std::size_t>(model.mesh.element_count()));
  return values;
}

std::vector<double> DatTables::element_rows(const TableForm& form, const model::OutputRequest& request,
                                            bool rows) {
  const std::span<const double> values = values_at_elements(form);
  double sum = 0;
  for (const std::int32_t element : model.element_sets[static_cast<std::size_t>(request.set)].elements) {
    const double value = values[static_cast<std::size_t>(element)];
    sum += value;
    if (!rows) continue;
    append_integer(file.text(), model.mesh.element_label(element), 10);
    print_numbers({&value, 1});
    file.text() += '\n';
    file.flush_if_full();
  }
  return {sum};
}

model::Axes DatTables::axes_of_point(std::int32_t element, std::int32_t orientation, std::int64_t point) {
  const model::LocalSystem* const system =
      orientation < 0 ? nullptr : &model.orientations[static_cast<std::size_t>(orientation)];
  if (model::family(model.mesh, element) == model::Family::shell)
    return model::shell_axes(model.mesh, element, system);
  if (!system->cylindrical) return model::axes_at(*system, std::array{0.0, 0.0, 0.0});
  const model::PointField* places = frame.point_field("COORD");
  require(places != nullptr && !places->empty(), [&] {
    return fmt::format(
        ".dat: the cylindrical orientation {} needs COORD, the places of the integration points",
        system->name);
  });
  return model::axes_at(*system, std::span<const double, 3>(places->values.data() + 3 * point, 3));
}

const model::Section* DatTables::section_of_point(std::int32_t element, std::int64_t point) const {
  const auto e = static_cast<std::size_t>(element);
  const auto section_at = [&](std::int32_t s) {
    return s < 0 ? nullptr : &model.sections[static_cast<std::size_t>(s)];
  };
  const model::Section* section = section_at(section_of_element[e]);
  if (section == nullptr || section->layer_above < 0) return section;
  std::int64_t layers = 0;
  for (const model::Section* layer = section; layer != nullptr; layer = section_at(layer->layer_above))
    ++layers;
  const std::int64_t of_layer = (layout.first_point[e + 1] - layout.first_point[e]) / layers;
  for (std::int64_t i = (point - layout.first_point[e]) / of_layer; i > 0; --i)
    section = section_at(section->layer_above);
  return section;
}

void DatTables::print_in_orientation(std::int32_t element, const model::Section& section, std::int64_t point,
                                     std::span<const double> values) {
  const model::Axes axes = axes_of_point(element, section.orientation, point);
  if (values.size() == 3)
    print_numbers(model::to_local(axes, values.first<3>()));
  else
    print_numbers(model::to_local(axes, values.first<6>()));
  std::string name;
  if (section.orientation >= 0) name = model.orientations[static_cast<std::size_t>(section.orientation)].name;
  if (model::family(model.mesh, element) == model::Family::shell)
    name += fmt::format("_shell_{:010}", model.mesh.element_label(element));
  fmt::format_to(std::back_inserter(file.text()), " {:<20.20}", name);
}

void DatTables::point_rows(const TableForm& form, const model::OutputRequest& request) {
  const model::PointField* field = frame.point_field(std::string(form.variable));
  const bool no_points = layout.first_point.back() == 0;  // springs alone
  if (field == nullptr || (field->empty() && !no_points)) lacks(form);
  const auto width = static_cast<std::size_t>(form.components);
  require_size(form, field->values.size(), width * static_cast<std::size_t>(layout.first_point.back()));
  for (const std::int32_t element : model.element_sets[static_cast<std::size_t>(request.set)].elements) {
    const auto e = static_cast<std::size_t>(element);
    const bool shell = model::family(model.mesh, element) == model::Family::shell;
    const std::int64_t first = layout.first_point[e];
    for (std::int64_t point = first; point < layout.first_point[e + 1]; ++point) {
      const std::span values(field->values.data() + width * static_cast<std::size_t>(point), width);
      append_integer(file.text(), model.mesh.element_label(element), 10);
      append_integer(file.text(), point - first + 1, 4);
      const model::Section* const section =
          form.turns && !request.global ? section_of_point(element, point) : nullptr;
      if (section != nullptr && (shell || section->orientation >= 0))
        print_in_orientation(element, *section, point, values);
      else
        print_numbers(values);
      file.text() += '\n';
      file.flush_if_full();
    }
  }
}

void DatTables::print(const model::SectionForces& section) {
  std::string& text = file.text();
  const auto row = [&](std::string_view title, std::initializer_list<std::span<const double>> groups) {
    fmt::format_to(std::back_inserter(text), "\n   {}\n\n  ", title);
    for (const std::span<const double> numbers : groups) print_numbers(numbers);
    text += '\n';
  };
  fmt::format_to(std::back_inserter(text), "\n\n\n statistics for surface set {} and time ",
                 model.surfaces[static_cast<std::size_t>(section.surface)].name);
  append_fortran_fraction(text, frame.time);
  text += '\n';
  row("total surface force (fx,fy,fz) and moment about the origin(mx,my,mz)",
      {section.force, section.moment});
  row("center of gravity and mean normal", {section.center, section.normal});
  row("moment about the center of gravity(mx,my,mz)", {section.moment_about_center});
  const std::array sizes{section.area, section.normal_force, section.shear_force, section.torque,
                         section.bending_moment};
  row("area, normal force (+ = tension), shear force (size), torque and bending moment (size)", {sizes});
}

}  // namespace setka::io::detail
