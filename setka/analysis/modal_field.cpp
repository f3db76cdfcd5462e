// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modal_field.hpp"

#include <cstddef>
#include <utility>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/heat_modes.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/analysis/recovery.hpp"

namespace setka::analysis {
namespace {

class Displacements final : public ModalField {
 public:
  Displacements(const Setup& setup, const LoadState& loads, const model::Step& step, const ModalBasis& basis,
                ElementState state, const Computing& computing, Monitor& monitor)
      : ModalField(modal_loads(setup, loads, step, basis, state, computing, monitor)),
        setup_(setup),
        state_(std::move(state)),
        wanted_(wanted_results(step)),
        threads_(computing.cpu.threads()) {}

  bool has_velocities() const override {
    return wanted_.at_nodes.contains("V") || wanted_.at_points.contains("ELKE");
  }
  bool has_accelerations() const override { return wanted_.at_nodes.contains("A"); }

  void fill(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& a,
            model::Frame& frame) const override {
    fill_motion_frame(setup_, state_, wanted_, u, v, threads_, frame);
    if (a.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(3 * setup_.result_nodes());
    frame.node_fields.push_back({"A", 3, {a.begin(), a.begin() + count}});
  }

 private:
  const Setup& setup_;
  ElementState state_;
  Wanted wanted_;
  int threads_;
};

}  // namespace

std::unique_ptr<const ModalField> modal_field(const Setup& setup, const LoadState& loads,
                                              const model::Step& step, const ModalBasis& basis,
                                              const Computing& computing, Monitor& monitor) {
  if (basis.of_temperature) return temperatures_of_modes(setup, loads, step, basis, computing, monitor);
  return std::make_unique<Displacements>(setup, loads, step, basis, modal_state(setup, basis), computing,
                                         monitor);
}

}  // namespace setka::analysis
