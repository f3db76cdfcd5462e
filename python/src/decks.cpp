// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Decks: read, checked and run, with the frames of results kept in memory.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "meshes.hpp"
#include "report.hpp"
#include "setka/analysis/check.hpp"
#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::python {
namespace {

using exec::Device;

/// A deck that was read, and the frames that its run made; alive as long as an array of them is.
struct Deck {
  deck::Deck deck;
  std::string path;
};

/// A frame of results, kept.
struct Frame {
  model::Frame frame;
};

using FramePointer = std::shared_ptr<Frame>;

template <class Values>
py::object view_of(const FramePointer& self, const Values& values, std::vector<std::int64_t> shape) {
  return shown(std::span(values.data(), values.size()), std::move(shape), self);
}

template <class Field>
py::object field_of(const FramePointer& self, const Field& field) {
  const auto rows = static_cast<std::int64_t>(field.values.size()) / field.components;
  if (field.components == 1) return view_of(self, field.values, {rows});
  return view_of(self, field.values, {rows, field.components});
}

template <class Fields>
py::dict fields_of(const FramePointer& self, const Fields& fields) {
  py::dict made;
  for (const auto& field : fields) {
    if (!field.empty()) made[py::str(field.name)] = field_of(self, field);
  }
  return made;
}

py::dict element_fields_of(const FramePointer& self) {
  const model::Frame& frame = self->frame;
  py::dict made;
  const auto add = [&](const char* name, const std::vector<double>& values) {
    if (!values.empty()) made[name] = view_of(self, values, {static_cast<std::int64_t>(values.size())});
  };
  add("MISES", frame.element_mises);
  add("EVOL", frame.element_volume);
  add("ELSE", frame.element_energy);
  add("ELKE", frame.element_kinetic_energy);
  return made;
}

py::object mode_of(const Frame& self) {
  if (self.frame.mode) {
    const model::Mode& mode = *self.frame.mode;
    py::dict made;
    made["number"] = mode.number;
    made["eigenvalue"] = mode.eigenvalue;
    made["frequency"] = mode.frequency();
    made["participation"] = std::vector<double>(mode.participation.begin(), mode.participation.end());
    made["residual"] = mode.residual;
    made["nodal_diameter"] = mode.nodal_diameter;
    return made;
  }
  if (self.frame.buckling) {
    py::dict made;
    made["number"] = self.frame.buckling->number;
    made["factor"] = self.frame.buckling->factor;
    made["residual"] = self.frame.buckling->residual;
    return made;
  }
  return py::none();
}

py::list sections_of(const Frame& self, const Deck& deck) {
  py::list made;
  const auto three = [](const std::array<double, 3>& v) { return std::vector<double>(v.begin(), v.end()); };
  for (const model::SectionForces& section : self.frame.sections) {
    py::dict row;
    row["surface"] = deck.deck.model.surfaces[static_cast<std::size_t>(section.surface)].name;
    row["force"] = three(section.force);
    row["moment"] = three(section.moment);
    row["center"] = three(section.center);
    row["area"] = section.area;
    made.append(row);
  }
  return made;
}

py::object extreme(const std::optional<analysis::Extreme>& found) {
  if (!found) return py::none();
  return py::make_tuple(found->value, found->label);
}

py::dict table_dict(const model::ModeTable& table) {
  py::list rows;
  for (const model::Mode& mode : table.modes) {
    rows.append(py::make_tuple(mode.number, mode.eigenvalue, mode.frequency(),
                               std::vector<double>(mode.participation.begin(), mode.participation.end()),
                               mode.residual, mode.in_range));
  }
  py::dict made;
  made["modes"] = rows;
  made["total_mass"] = std::vector<double>(table.total_mass.begin(), table.total_mass.end());
  made["method"] = table.method;
  made["iterations"] = table.iterations;
  made["check"] = table.check;
  made["converged"] = table.converged;
  return made;
}

py::dict summary_dict(const analysis::StepSummary& summary) {
  py::dict made;
  made["step"] = summary.step;
  made["time"] = summary.time;
  made["solved"] = as_dict(summary.solved);
  if (summary.motion) {
    made["increments"] = summary.motion->increments;
    made["trouble"] = summary.motion->trouble;
  }
  made["modes"] = summary.modes ? py::object(table_dict(*summary.modes)) : py::none();
  if (summary.buckling) {
    py::list factors;
    for (const model::BucklingMode& mode : summary.buckling->modes) factors.append(mode.factor);
    made["factors"] = factors;
  }
  made["largest_displacement"] = extreme(summary.displacement);
  made["hottest"] = extreme(summary.hottest);
  made["coldest"] = extreme(summary.coldest);
  made["largest_mises"] = extreme(summary.mises);
  return made;
}

struct RunOptions {
  Device device;
  Device cpu;
  solve::SolverChoice solver;
  std::string modes = "auto";
  std::string operator_kind = "auto";
  std::optional<double> mode_tolerance{};
  bool single_precision = false;
  bool all_frames = false;
  bool stop_on_shortage = false;
};

template <class... Procedures>
bool has_step(const model::Model& model) {
  return std::ranges::any_of(model.steps, [](const model::Step& step) {
    return (std::holds_alternative<Procedures>(step.procedure) || ...);
  });
}

/// What is asked for and would have no say.
void refuse_options_of_other_steps(const RunOptions& options, const model::Model& model) {
  const auto refuse = [](const std::string& what, const char* steps) {
    throw Error(Fault::usage, what + " is of " + steps + ", and the deck has no such step", "leave it out");
  };
  if (options.single_precision && !has_step<model::ExplicitStep>(model))
    refuse("run: precision=\"single\"", "*DYNAMIC, EXPLICIT");
  if (options.modes != "auto" && !has_step<model::FrequencyStep, model::BuckleStep>(model))
    refuse("run: modes=\"" + options.modes + "\"", "*FREQUENCY and *BUCKLE");
  if (options.operator_kind != "auto" &&
      !has_step<model::StaticStep, model::FrequencyStep, model::DynamicStep>(model))
    refuse("run: operator=\"" + options.operator_kind + "\"", "*STATIC, *FREQUENCY and *DYNAMIC");
}

/// frame(frame): called with each frame as soon as it is there; what it raises ends the run.
py::list run(const std::shared_ptr<Deck>& self, const RunOptions& options, const py::object& on_frame,
             py::object progress) {
  Watch watch(std::move(progress));
  std::vector<analysis::StepSummary> summaries;
  unlocked([&] {
    deck::refuse_unsupported(self->deck);
    const std::vector<Error> missing = deck::missing_from(self->deck);
    if (!missing.empty()) throw Error(missing.front());
    analysis::Computing computing;
    computing.device = options.device;
    computing.cpu = options.cpu;
    computing.solver = options.solver;
    computing.modes = modes::method_of(options.modes);
    computing.operator_kind = analysis::operator_of(options.operator_kind);
    computing.mode_tolerance = options.mode_tolerance;
    computing.single_precision = options.single_precision;
    if (options.stop_on_shortage) computing.shortage = modes::Shortage::stop;
    refuse_options_of_other_steps(options, self->deck.model);
    const analysis::Setup setup = analysis::prepare(self->deck.model, watch.monitor());
    summaries = analysis::run_steps(
        setup, computing,
        [&](const model::Step& step, const model::Frame& frame) {
          if (!options.all_frames && !io::output_is_due(step, frame)) return;
          auto own = std::make_shared<Frame>(Frame{frame});
          const py::gil_scoped_acquire locked;
          on_frame(own);
        },
        watch.monitor());
  });
  py::list made;
  for (const analysis::StepSummary& summary : summaries) made.append(summary_dict(summary));
  return made;
}

py::dict check(const Deck& self, py::object progress) {
  Watch watch(std::move(progress));
  const analysis::DeckCheck found =
      unlocked([&] { return analysis::check_deck(self.deck, watch.monitor()); });
  py::dict made;
  made["nodes"] = found.nodes;
  made["elements"] = found.element_count();
  py::dict types;
  for (const analysis::ElementCount& row : found.elements)
    types[py::str(std::string(deck::name(row.type)))] = row.count;
  made["element_types"] = types;
  made["equations"] = found.equations;
  made["parts"] = found.parts;
  py::list steps;
  for (const analysis::StepCheck& step : found.steps) {
    py::dict row;
    row["step"] = step.step;
    row["kind"] = step.kind;
    row["unknowns"] = step.unknowns;
    row["prescribed"] = step.prescribed;
    row["free_motions"] = step.free_motions;
    steps.append(row);
  }
  made["steps"] = steps;
  py::list materials;
  for (const analysis::MaterialSummary& material : found.materials) {
    py::dict row;
    row["name"] = material.name;
    row["defined"] = material.defined;
    row["elements"] = material.elements;
    row["volume"] = material.volume;
    row["mass"] = material.mass;
    materials.append(row);
  }
  made["materials"] = materials;
  made["volume"] = found.volume;
  made["mass"] = found.mass;
  py::list unsupported;
  for (const deck::Unsupported& one : found.unsupported) unsupported.append(one.text());
  made["unsupported"] = unsupported;
  made["errors"] = found.errors;
  made["warnings"] = found.warnings;
  made["could_run"] = found.could_run();
  return made;
}

py::tuple write_example(const std::string& name, const std::string& path, std::int64_t size,
                        const std::string& element, std::int64_t modes) {
  const deck::ExampleRequest request{name, size, element, modes};
  const deck::ExampleSize made = unlocked([&] {
    io::OutputFile file(path);
    deck::ExampleSize written =
        deck::write_example(request, [&](std::string_view text) { file.write(text); });
    file.commit();
    return written;
  });
  return py::make_tuple(made.nodes, made.elements, made.unknowns);
}

}  // namespace

void add_decks(py::module_& module) {
  py::class_<Deck, std::shared_ptr<Deck>>(module, "Deck")
      .def_property_readonly("path", [](const Deck& self) { return self.path; })
      .def_property_readonly("warnings", [](const Deck& self) { return self.deck.warnings; })
      .def_property_readonly("unsupported",
                             [](const Deck& self) {
                               std::vector<std::string> made;
                               for (const deck::Unsupported& one : self.deck.unsupported)
                                 made.push_back(one.text());
                               return made;
                             })
      .def_property_readonly("step_count", [](const Deck& self) { return self.deck.model.steps.size(); })
      .def("mesh", [](const std::shared_ptr<Deck>& self) { return mesh_of(self->deck.model, self); })
      .def("check", &check, py::arg("progress"))
      .def("run", &run, py::arg("options"), py::arg("on_frame"), py::arg("progress"));
  py::class_<RunOptions>(module, "RunOptions")
      .def(py::init([](const Device& device, const Device& cpu, const std::string& solver,
                       const std::string& preconditioner, double tolerance, int max_iterations) {
        solve::SolverChoice choice;
        choice.method = solve::method_of(solver);
        choice.preconditioner = preconditioner;
        choice.tolerance = tolerance;
        choice.max_iterations = max_iterations;
        RunOptions made{device, cpu, choice};
        return made;
      }))
      .def_readwrite("modes", &RunOptions::modes)
      .def_readwrite("operator", &RunOptions::operator_kind)
      .def_readwrite("mode_tolerance", &RunOptions::mode_tolerance)
      .def_readwrite("single_precision", &RunOptions::single_precision)
      .def_readwrite("all_frames", &RunOptions::all_frames)
      .def_readwrite("stop_on_shortage", &RunOptions::stop_on_shortage);
  py::class_<Frame, FramePointer>(module, "Frame")
      .def_property_readonly("step", [](const Frame& self) { return self.frame.step; })
      .def_property_readonly("increment", [](const Frame& self) { return self.frame.increment; })
      .def_property_readonly("time", [](const Frame& self) { return self.frame.time; })
      .def_property_readonly("last_of_step", [](const Frame& self) { return self.frame.last_of_step; })
      .def_property_readonly("mode", &mode_of)
      .def("sections", &sections_of, py::arg("deck"))
      .def("node_fields", [](const FramePointer& self) { return fields_of(self, self->frame.node_fields); })
      .def("point_fields", [](const FramePointer& self) { return fields_of(self, self->frame.point_fields); })
      .def("element_fields", &element_fields_of)
      .def("imaginary", [](const FramePointer& self) -> py::object {
        if (self->frame.imaginary.empty()) return py::none();
        return py::cast(FramePointer(std::make_shared<Frame>(Frame{self->frame.imaginary.front()})));
      });
  module.def(
      "read_deck",
      [](const std::string& path, py::object progress) {
        Watch watch(std::move(progress));
        return unlocked([&] {
          return std::make_shared<Deck>(
              Deck{deck::read_inp(path, watch.monitor(), deck::Completeness::unchecked), path});
        });
      },
      py::arg("path"), py::arg("progress"));
  module.def(
      "read_deck_text",
      [](const std::string& text, const std::string& name, py::object progress) {
        Watch watch(std::move(progress));
        return unlocked([&] {
          return std::make_shared<Deck>(
              Deck{deck::read_inp_text(text, name, watch.monitor(), deck::Completeness::unchecked), name});
        });
      },
      py::arg("text"), py::arg("name"), py::arg("progress"));
  module.def("write_example", &write_example, py::arg("name"), py::arg("path"), py::arg("size"),
             py::arg("element"), py::arg("modes"));
  module.def("examples", [] {
    py::dict made;
    for (const deck::Example& example : deck::examples()) made[py::str(example.name)] = example.what;
    return made;
  });
}

}  // namespace setka::python
