// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>

/// The extension module setka._setka: thin, flat functions over the library. Defaults, names and what people
/// read are in Python, beside it.
namespace setka::python {

namespace py = pybind11;

// Each source adds its part of the module.
void add_errors(py::module_& module);
void add_devices(py::module_& module);
void add_arrays(py::module_& module);
void add_grid(py::module_& module);
void add_operators(py::module_& module);
void add_solvers(py::module_& module);
void add_modes(py::module_& module);
void add_decks(py::module_& module);
void add_problems(py::module_& module);
void add_motion(py::module_& module);
void add_plan(py::module_& module);

/// An object of Python that parts of the library keep alive; the last of them may go in any thread.
std::shared_ptr<void> kept(py::object object);

}  // namespace setka::python
