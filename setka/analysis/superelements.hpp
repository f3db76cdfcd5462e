// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/exec/device.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/space.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// Adds T'KT and T'Kg of the model's superelements to what elements gave, on the host.
void add_superelements(const model::Model& model, const fem::Space& space, const exec::Device& cpu,
                       fem::System& system);

/// f += K u of the model's superelements. u, f: [3 nodes] in global axes, the mesh's nodes first.
void add_superelement_forces(const model::Model& model, const std::vector<double>& u, std::vector<double>& f);

/// Error(Fault::input) where the model has superelements and the step would need their mass.
void refuse_superelements(const model::Model& model, const model::Step& step);

}  // namespace setka::analysis
