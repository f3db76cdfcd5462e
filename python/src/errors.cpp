// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include <exception>
#include <utility>

#include "python.hpp"

namespace setka::python {
namespace {

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::input:
      return "input";
    case Fault::usage:
      return "usage";
    case Fault::resource:
      return "resource";
    case Fault::interrupted:
      return "interrupted";
    default:
      return "internal";
  }
}

/// Raises what setka/errors.py makes of it.
void raise(const Error& error, bool of_array) {
  try {
    const py::object made =
        py::module_::import("setka.errors")
            .attr("_error_of")(of_array ? "array" : name_of(error.fault()), error.what(), error.message(),
                               error.remedy(), error.where().file, error.where().line);
    PyErr_SetObject(py::type::handle_of(made).ptr(), made.ptr());
  } catch (py::error_already_set& broken) {
    broken.restore();
  }
}

}  // namespace

std::shared_ptr<void> kept(py::object object) {
  return {object.release().ptr(), [](PyObject* held) {
            if (Py_IsInitialized() == 0) return;  // the interpreter has gone, and took it along
            const py::gil_scoped_acquire locked;
            Py_DECREF(held);
          }};
}

void add_errors(py::module_& /*module*/) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const ArrayError& error) {
      raise(error, true);
    } catch (const Error& error) {
      raise(error, false);
    }
  });
}

}  // namespace setka::python
