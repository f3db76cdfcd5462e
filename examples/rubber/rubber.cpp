// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of rubber, stretched to twice its length: large strains by Newton's method, on CPU or GPU.
//
// The material is Mooney and Rivlin's. Three faces slide in their planes and one is pulled, so that the block
// stays a block: its width and its force follow from the energy by a scalar equation, which the elements have
// to meet. Each step of Newton's method takes the tangent at the present displacements, as a matrix for
// conjugate gradients with multigrid, or without one.
//
// Sample runs:
//   rubber 3
//   rubber 3 cpu matrix-free
//
// Usage: rubber [cells along an edge] [auto|cpu|cuda] [assembled|matrix-free]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/select.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/large_strain_tangent.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/operators.hpp"

namespace {

namespace exec = setka::exec;
namespace fem = setka::fem;
namespace solve = setka::solve;

constexpr double c10 = 0.4;  // MPa
constexpr double c01 = 0.1;
constexpr double d1 = 0.1;
constexpr double stretch = 2;

/// The energy of a unit cube with one stretch along and another across.
double energy(double along, double across) {
  const double j = along * across * across;
  const double i1 = along * along + 2 * across * across;
  const double i2 = 2 * along * along * across * across + std::pow(across, 4);
  return c10 * (i1 / std::pow(j, 2.0 / 3) - 3) + c01 * (i2 / std::pow(j, 4.0 / 3) - 3) +
         (j - 1) * (j - 1) / d1;
}

/// The stretch across at which the sides bear no load, by halving; then the force along, by a difference.
std::array<double, 2> by_hand() {
  const double h = 1e-5;
  const auto slope = [&](double across) { return energy(stretch, across + h) - energy(stretch, across - h); };
  double low = 0.5;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (slope(middle) < 0 ? low : high) = middle;
  }
  return {low, (energy(stretch + h, low) - energy(stretch - h, low)) / (2 * h)};
}

class Block {
 public:
  Block(const exec::Device& device, int cells) : device_(device) {
    setka::mesh::BlockGrid grid;
    for (auto& axis : grid.cells) axis = {cells};
    const setka::mesh::BlockMesh block =
        setka::mesh::block_mesh(grid, setka::mesh::Cell::hex8, [](double s, double t, double r) {
          return std::array{s, t, r};
        });
    x_.assign(block.mesh.coordinates().begin(), block.mesh.coordinates().end());
    for (std::int32_t e = 0; e < block.mesh.element_count(); ++e) {
      const auto nodes = block.mesh.nodes(e);
      node_.insert(node_.end(), nodes.begin(), nodes.end());
      first_.push_back(static_cast<std::int64_t>(node_.size()));
      type_.push_back(fem::Element::hex8);
    }
    std::vector<std::int32_t> held;
    for (std::size_t dof = 0; dof < x_.size(); ++dof) {
      if (x_[dof] == 0 || (dof % 3 == 0 && x_[dof] == 1)) held.push_back(static_cast<std::int32_t>(dof));
    }
    const fem::Region region{x_, type_, first_, node_};
    const auto dofs = static_cast<std::int32_t>(x_.size());
    space_ = std::make_unique<fem::Space>(region, 3, fem::Constraints::fixed(dofs, held));
    form_ = std::make_shared<const fem::LargeStrainForm<double>>(
        device, region, std::vector{fem::mooney_rivlin(c10, c01, d1, 1)},
        std::vector<std::int32_t>(type_.size(), 0));
    dofs_ = std::make_shared<const fem::DofMap>(device, *space_);
  }

  const std::vector<double>& x() const { return x_; }
  const fem::Space& space() const { return *space_; }

  std::vector<double> forces(const std::vector<double>& u) const {
    exec::Array<double> f(device_, static_cast<std::int64_t>(u.size()));
    fem::node_forces(device_, *form_, exec::Array<double>(device_, u), f);
    return f.to_vector();
  }

  /// The change of u that would balance the forces were the body linear.
  std::vector<double> correction(const std::vector<double>& u, const std::vector<double>& f, bool assembled,
                                 setka::Monitor& monitor) const {
    const exec::Array<double> state(device_, u);
    const exec::Device cpu = exec::Device::cpu();
    std::vector<double> b = space_->restrict_forces(f, cpu);
    for (double& value : b) value = -value;
    if (!assembled) {
      const fem::TangentOperator tangent(form_, dofs_, state);
      exec::Array<double> x(device_, std::vector<double>(b.size(), 0.0));
      solve::SolverOptions options;
      options.tolerance = 1e-10;
      const solve::IdentityOperator none(device_, tangent.rows());
      solve::Cg(options).solve(device_, tangent, none, exec::Array<double>(device_, b), x, monitor);
      return space_->expand(x.to_vector(), cpu);
    }
    fem::ElementMatrices elements(form_->set());
    fem::integrate_tangent(device_, *form_, state, elements);
    const fem::DeviceSystem system = fem::assemble(device_, form_->set(), elements, *dofs_);
    solve::LinearSystem linear;
    linear.matrix = &system.matrix;
    linear.unknown_count = space_->unknown_count();
    linear.place = space_->places();
    linear.geometry = [&] { return space_->amg_geometry(cpu); };
    solve::SolverChoice choice;
    choice.method = solve::Method::cg;
    choice.preconditioner = "amg";
    choice.tolerance = 1e-10;
    return space_->expand(solve::solve(device_, linear, b, choice, monitor).x, cpu);
  }

 private:
  exec::Device device_;
  std::vector<double> x_;
  std::vector<fem::Element> type_;
  std::vector<std::int64_t> first_{0};
  std::vector<std::int32_t> node_;
  std::unique_ptr<fem::Space> space_;
  std::shared_ptr<const fem::LargeStrainForm<double>> form_;
  std::shared_ptr<const fem::DofMap> dofs_;
};

int run(int cells, const std::string& backend, bool assembled) {
  const exec::Device device = exec::select_devices(backend).front();
  setka::Monitor monitor;
  const Block block(device, cells);
  const std::vector<double>& x = block.x();
  std::vector<double> u(x.size(), 0.0);
  std::vector<double> f;
  double unbalanced = 1;
  constexpr int parts = 4;
  for (int part = 1; part <= parts; ++part) {
    // A first guess: rubber hardly changes its volume.
    const double along = 1 + part * (stretch - 1) / parts;
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = ((i % 3 == 0 ? along : 1 / std::sqrt(along)) - 1) * x[i];
    for (int step = 0; step < 12; ++step) {
      f = block.forces(u);
      unbalanced = 0;
      for (const double value : block.space().restrict_forces(f, exec::Device::cpu()))
        unbalanced = std::max(unbalanced, std::abs(value));
      fmt::print("stretched to {:.2f}, step {}: forces out of balance {:.1e}\n", along, step, unbalanced);
      if (unbalanced < 1e-9) break;
      const std::vector<double> change = block.correction(u, f, assembled, monitor);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] += change[i];
    }
  }
  double force = 0;
  double width = 0;
  for (std::size_t i = 0; i < u.size(); i += 3) {
    if (x[i] == 1) force += f[i];
    if (x[i + 1] == 1) width = 1 + u[i + 1];
  }
  const auto [expected_width, expected_force] = by_hand();
  fmt::print("{} unknowns on {}: width {:.8f}, force {:.8f}; by hand {:.8f} and {:.8f}\n",
             block.space().unknown_count(), device.label(), width, force, expected_width, expected_force);
  const bool right = std::abs(width - expected_width) < 1e-6 && std::abs(force - expected_force) < 1e-6;
  return unbalanced < 1e-9 && right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string product = argc > 3 ? argv[3] : "assembled";
    if (product != "assembled" && product != "matrix-free") {
      throw setka::Error(setka::Fault::usage, fmt::format("'{}' is no product", product),
                         "give assembled or matrix-free");
    }
    return run(argc > 1 ? std::atoi(argv[1]) : 6, argc > 2 ? argv[2] : "auto", product == "assembled");
  } catch (const setka::Error& error) {
    fmt::print(stderr, "rubber: error: {}\n", error.what());
    return static_cast<int>(setka::exit_code(error.fault()));
  }
}
