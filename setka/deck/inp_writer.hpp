// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/io/output_file.hpp"
#include "setka/model/model.hpp"

namespace setka::deck {

/// Writes *NODE, *ELEMENT, *NSET, *ELSET and *SURFACE of a model, to be *INCLUDEd in a deck; materials, loads
/// and steps are left to that deck. Coordinates read as the same bits unless they need more than the 20
/// characters that CalculiX looks at. The caller commits the file.
void write_inp_mesh(const model::Model& model, io::OutputFile& file);

}  // namespace setka::deck
