// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/subspace.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bench/modal_model.hpp"
#include "bench/recorded_operator.hpp"
#include "bench/timing.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_matrices.hpp"
#include "setka/fem/element_projection.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/unassembled_matrix.hpp"
#include "setka/modes/subspace.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/chebyshev_preconditioner.hpp"
#include "setka/solve/operators.hpp"

namespace setka::bench {
namespace {

using exec::Device;

struct Span {
  exec::Event begin;
  exec::Event end;
};

double total(const std::vector<Span>& spans) {
  double sum = 0;
  for (const Span& span : spans) sum += span.end.seconds_since(span.begin);
  return sum;
}

/// K and M with what makes a preconditioner of them.
struct Matrices {
  std::unique_ptr<const solve::Operator> k_of_matrix, m_of_matrix;
  std::unique_ptr<const fem::UnassembledMatrix> k_of_elements, m_of_elements;
  std::shared_ptr<const solve::Operator> preconditioner;

  const solve::Operator& k() const { return k_of_elements ? k_of_elements->product() : *k_of_matrix; }
  const solve::Operator& m() const { return m_of_elements ? m_of_elements->product() : *m_of_matrix; }
};

Matrices assembled(const fem::Form& stiffness, const fem::Form& mass, const fem::Space& space,
                   Monitor& monitor) {
  const fem::ElementSet& set = *stiffness.set();
  const Device& device = set.device();
  const fem::DofMap unknowns(device, space);
  const fem::DeviceAssembly assembly(device, set, unknowns);
  const auto matrix = [&](const fem::Form& form) {
    return std::make_unique<const solve::BlockCsrOperator>(assembly.assemble(device, form, unknowns).matrix);
  };
  Matrices made;
  auto k = matrix(stiffness);
  made.m_of_matrix = matrix(mass);
  made.preconditioner = std::make_shared<solve::Amg>(device, k->matrix(), space.amg_geometry(Device::cpu()),
                                                     solve::AmgOptions(), monitor);
  made.k_of_matrix = std::move(k);
  return made;
}

Matrices by_elements(const std::shared_ptr<const fem::Form>& stiffness,
                     const std::shared_ptr<const fem::Form>& mass, const fem::Space& space, bool stored) {
  const Device& device = stiffness->set()->device();
  const auto elements = std::make_shared<const fem::ElementProjection>(
      stiffness->set(), std::make_shared<const fem::DofMap>(device, space));
  const auto matrix = [&](const std::shared_ptr<const fem::Form>& form) {
    if (!stored) return std::make_unique<const fem::UnassembledMatrix>(elements, form);
    auto matrices = std::make_shared<fem::ElementMatrices>(*form->set());
    form->integrate(device, *matrices);
    return std::make_unique<const fem::UnassembledMatrix>(elements, std::move(matrices));
  };
  Matrices made;
  made.k_of_elements = matrix(stiffness);
  made.m_of_elements = matrix(mass);
  exec::Array<double> diagonal = made.k_of_elements->diagonal_blocks(3);
  solve::invert_blocks(device, 3, diagonal);
  made.preconditioner = std::make_shared<solve::ChebyshevPreconditioner>(
      solve::borrowed(made.k()), std::make_shared<solve::BlockJacobi>(device, 3, std::move(diagonal)),
      solve::ChebyshevOptions::within_cg());
  return made;
}

void solve(const ModalModel& model, const Device& device, SubspaceRow& row, Monitor& monitor) {
  const exec::Stream stream = device.stream();
  Matrices matrices;
  {
    const Stage stage = monitor.stage("set-up");
    const auto set = std::make_shared<const fem::ElementSet>(device, model.solids.region());
    const auto stiffness = fem::elastic_form(set, model.materials, model.material_of);
    const auto mass = fem::mass_form(set, model.materials, model.material_of);
    const fem::Space space(model.solids.region(), 3, model.constraints);
    matrices = row.kind == SubspaceOperator::assembled
                   ? assembled(*stiffness, *mass, space, monitor)
                   : by_elements(stiffness, mass, space, row.kind == SubspaceOperator::elements);
    device.synchronize();
    row.set_up_seconds = stage.seconds();
  }
  std::vector<RecordedCall> products;
  const RecordedOperator k(matrices.k(), Recorded::stiffness, products);
  const RecordedOperator m(matrices.m(), Recorded::mass, products);
  std::vector<Span> projections;
  modes::LobpcgOptions options;
  if (matrices.k_of_elements) {
    const auto recorded = [&](const fem::UnassembledMatrix& matrix) -> modes::Projection {
      return [&matrix, &projections](const exec::Stream& on, exec::MultiView<const double> x,
                                     exec::MultiView<double> s) {
        const exec::Event begin = on.record();
        matrix.project(on, x, s);
        projections.push_back({begin, on.record()});
      };
    };
    options.project_stiffness = recorded(*matrices.k_of_elements);
    options.project_mass = recorded(*matrices.m_of_elements);
  }
  modes::Request request;
  request.count = row.request.modes;
  request.tolerance = row.request.tolerance;
  const auto inverse = modes::block_cg_inverse(matrices.k(), *matrices.preconditioner);
  std::vector<RecordedCall> solves;
  const RecordedOperator solver(*inverse, Recorded::preconditioner, solves);
  options.keeps_directions = false;
  const exec::Event begin = stream.record();
  const modes::Modes found = modes::lobpcg(stream, k, m, solver, request, monitor, options);
  const exec::Event end = stream.record();

  row.solution_seconds = end.seconds_since(begin);
  row.projection_seconds = total(projections);
  row.projections = static_cast<int>(projections.size()) / 2;
  const auto sum = [](const std::vector<RecordedCall>& calls) {
    double seconds = 0;
    for (const RecordedCall& call : calls) seconds += call.end.seconds_since(call.begin);
    return seconds;
  };
  row.product_seconds = sum(products);
  row.solve_seconds = sum(solves);
  row.steps = static_cast<int>(solves.size());
  for (const RecordedCall& call : solves) row.columns = std::max(row.columns, static_cast<int>(call.columns));
  row.iterations = found.iterations;
  row.converged = found.converged;
  row.trouble = found.trouble;
  if (!found.residual.empty()) row.residual = *std::max_element(found.residual.begin(), found.residual.end());
}

}  // namespace

const char* name(SubspaceOperator kind) {
  switch (kind) {
    case SubspaceOperator::assembled:
      return "assembled";
    case SubspaceOperator::elements:
      return "elements";
    case SubspaceOperator::matrix_free:
      return "matrix-free";
  }
  return "";
}

SubspaceRow measure_subspace(const ModesRequest& request, SubspaceOperator kind, const Device& device,
                             Monitor& monitor) {
  SubspaceRow row;
  row.request = request;
  row.kind = kind;
  row.size = deck::example_size(request.model);
  ModalModel model;
  {
    const Stage stage = monitor.stage("model");
    model = modal_model(request.model, monitor);
  }
  row.unknowns = model.constraints.unknown_count();
  row.skipped = unless_out_of_memory([&] { solve(model, device, row, monitor); });
  return row;
}

}  // namespace setka::bench
