// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "python.hpp"
#include "setka/model/model.hpp"

namespace setka::python {

/// What a mesh is made of, as arrays: points, labels, cells by element type, sets. `owner` keeps the model.
py::dict mesh_of(const model::Model& model, const std::shared_ptr<void>& owner);

}  // namespace setka::python
