// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/lumped_mass.hpp"

#include <cstddef>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/lumped_mass_kernel.hpp"

namespace setka::fem {

exec::Array<double> lumped_mass(const Form& mass_form) {
  require(mass_form.kind() == FormKind::mass && !mass_form.varies(),
          "lumped_mass: not the mass of one density an element");
  const ElementSet& set = *mass_form.set();
  const exec::Device& device = set.device();
  exec::Array<double> mass(device, set.node_count());
  const exec::Scratch<double> values(device, set.element_vector_size(1));
  for (std::size_t g = 0; g < set.groups().size(); ++g) {
    with_solid("lumped_mass", set.groups()[g].type(), [&]<Element type>() {
      exec::parallel_for(device, set.groups()[g].blocks() * block_lanes,
                         kernel::ElementMass<type>{mass_form.view(g), values.data() + set.first_slot(g)});
    });
  }
  exec::parallel_for(device, set.node_count(),
                     kernel::NodeMass{set.first_of_node().data, set.slot().data, values.data(), mass.data()});
  return mass;
}

}  // namespace setka::fem
