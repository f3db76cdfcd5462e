// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/explicit_body.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "setka/dynamics/explicit_dynamics.hpp"
#include "setka/exec/array.hpp"

namespace setka::analysis {
namespace {

using dynamics::StableStep;

/// All elements on one device.
template <class T>
class BodyOnDevice final : public dynamics::ExplicitBody<T> {
 public:
  BodyOnDevice(const exec::Device& device, const Setup& setup, const ExplicitModel& model)
      : elements_(std::make_shared<const dynamics::ExplicitElements<T>>(device, setup.solids.region(),
                                                                        model.laws, model.material_of)) {}

  StableStep least_stable_step(std::span<const double> u) const override {
    std::vector<T> own(u.begin(), u.end());
    own.resize(static_cast<std::size_t>(3 * elements_->node_count()), T(0));
    return elements_->least_stable_step(elements_->device(), exec::Array<T>(elements_->device(), own));
  }
  std::unique_ptr<dynamics::ExplicitMotion<T>> motion(
      const dynamics::ExplicitOptions& options) const override {
    return std::make_unique<dynamics::ExplicitDynamics<T>>(elements_, options);
  }

 private:
  std::shared_ptr<const dynamics::ExplicitElements<T>> elements_;
};

}  // namespace

template <class T>
std::unique_ptr<dynamics::ExplicitBody<T>> explicit_body(const exec::Device& device, const Setup& setup,
                                                         const ExplicitModel& model) {
  return std::make_unique<BodyOnDevice<T>>(device, setup, model);
}

template std::unique_ptr<dynamics::ExplicitBody<float>> explicit_body(const exec::Device&, const Setup&,
                                                                      const ExplicitModel&);
template std::unique_ptr<dynamics::ExplicitBody<double>> explicit_body(const exec::Device&, const Setup&,
                                                                       const ExplicitModel&);

}  // namespace setka::analysis
