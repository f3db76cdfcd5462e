// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "setka/base/error.hpp"

namespace setka::python {

/// An array that is not of the right type, shape, order or device; setka.ArrayError in Python.
class ArrayError : public Error {
 public:
  ArrayError(std::string message, std::string remedy)
      : Error(Fault::usage, std::move(message), std::move(remedy)) {}
};

}  // namespace setka::python
