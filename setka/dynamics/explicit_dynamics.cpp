// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_dynamics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"

namespace setka::dynamics {
namespace {

using exec::Array;
using exec::Device;

constexpr std::int64_t sample_batch = 64;

template <class T>
Array<T> from_host(const Device& device, std::span<const double> values) {
  return Array<T>(device, std::vector<T>(values.begin(), values.end()));
}

template <class T>
Array<T> zeros(const Device& device, std::int64_t size) {
  Array<T> made(device, size);
  exec::fill<T>(device, made, T(0));
  return made;
}

template <class T>
std::vector<double> to_host(const Array<T>& values) {
  const std::vector<T> own = values.to_vector();
  return {own.begin(), own.end()};
}

double value_of(const std::function<double(double)>& factor, double time) {
  return factor ? factor(time) : 1.0;
}

double chosen_step(const ExplicitOptions& options, double stable) {
  require(options.safety > 0 && options.safety <= 1, [&] {
    return fmt::format("ExplicitDynamics: the safety factor is {}; above 0 and at most 1 is right",
                       options.safety);
  });
  require(options.damping >= 0, [&] {
    return fmt::format("ExplicitDynamics: the damping is {}; 0 or more is right", options.damping);
  });
  if (options.step == 0) return options.safety * stable;
  if (!(options.step > 0 && options.step < stable)) {
    throw Error(Fault::input, fmt::format("explicit dynamics: a step of {:g} is not stable", options.step),
                fmt::format("the stable step is {:.6g}; take at most {:.6g}, or leave the choice to Setka",
                            stable, options.safety * stable));
  }
  return options.step;
}

}  // namespace

template <class T>
ExplicitDynamics<T>::ExplicitDynamics(std::shared_ptr<const ExplicitElements<T>> elements,
                                      const ExplicitOptions& options, std::optional<ExplicitShare<T>> share)
    : elements_(std::move(elements)),
      options_(options),
      share_(std::move(share)),
      u_(zeros<T>(elements_->device(), 3 * elements_->node_count())),
      v_(zeros<T>(elements_->device(), u_.size())),
      mass_(elements_->device()),
      forces_(elements_->device(), elements_->set().element_vector_size(3)),
      loads_(elements_->device()),
      motions_(elements_->device()),
      held_(elements_->device()),
      work_(elements_->device()),
      loss_(elements_->device()),
      of_nodes_(elements_->device()),
      node_samples_(elements_->device()),
      internal_samples_(elements_->device()),
      seen_v_(elements_->device()),
      seen_f_(elements_->device()),
      watched_(elements_->device()),
      stable_(options.stable.element >= 0 ? options.stable
                                          : elements_->least_stable_step(elements_->device(), u_)),
      step_(chosen_step(options, stable_.step)) {
  const Device& device = elements_->device();
  if (share_) {
    require(options.stable.element >= 0 && options.energy_every == 0,
            "ExplicitDynamics: a member of a team is given the stable step, and samples no energies");
    ghosts_.emplace(share_->member, 3, share_->links);
    require(3 * share_->nodes + ghosts_->rows() == u_.size(),
            "ExplicitDynamics: the links of a member do not fit its nodes");
  }
  Array<double> mass(device, elements_->node_count());
  exec::copy_async<double>(device, elements_->mass(), mass);
  mass_ = from_host<T>(device, mass.to_vector());
  if (options.damping > 0) loss_ = zeros<double>(device, elements_->node_count());
  if (options.energy_every > 0) {
    of_nodes_ = Array<kernel::NodeEnergies>(device, elements_->node_count());
    node_samples_ = Array<kernel::NodeEnergies>(device, sample_batch);
    internal_samples_ = Array<double>(device, sample_batch);
  }
}

template <class T>
void ExplicitDynamics<T>::check_size(std::span<const double> values, const char* what) const {
  require(static_cast<std::int64_t>(values.size()) == u_.size(), [&] {
    return fmt::format("ExplicitDynamics: {} {}; 3 for each of {} nodes are right", values.size(), what,
                       elements_->node_count());
  });
}

template <class T>
void ExplicitDynamics<T>::check_not_started(const char* what) const {
  require(done_ == 0, [&] {
    return fmt::format("ExplicitDynamics: {} are given after {} steps; give them before the first", what,
                       done_);
  });
}

template <class T>
void ExplicitDynamics<T>::set_displacements(std::span<const double> u) {
  check_size(u, "displacements");
  check_not_started("displacements");
  u_ = from_host<T>(u_.device(), u);
}

template <class T>
void ExplicitDynamics<T>::set_velocities(std::span<const double> v) {
  check_size(v, "velocities");
  check_not_started("velocities");
  v_ = from_host<T>(u_.device(), v);
}

template <class T>
void ExplicitDynamics<T>::set_load(std::span<const double> force, Factor factor) {
  check_size(force, "forces");
  loads_.patterns.clear();
  add_load(force, std::move(factor));
}

template <class T>
void ExplicitDynamics<T>::add_load(std::span<const double> force, Factor factor) {
  check_size(force, "forces");
  loads_.patterns.push_back({from_host<T>(u_.device(), force), std::move(factor)});
  loads_.factors.clear();
  if (work_.empty()) work_ = zeros<double>(u_.device(), elements_->node_count());
}

template <class T>
void ExplicitDynamics<T>::add_motion(std::span<const double> values, Factor factor) {
  check_size(values, "displacements");
  check_not_started("motions of held directions");
  motions_.patterns.push_back({from_host<T>(u_.device(), values), std::move(factor)});
  motions_.factors.clear();
  if (work_.empty()) work_ = zeros<double>(u_.device(), elements_->node_count());
}

template <class T>
auto ExplicitDynamics<T>::Varying::at(double time) -> Now {
  if (patterns.empty()) return {};
  if (patterns.size() == 1)
    return {patterns[0].values.data(), static_cast<T>(value_of(patterns[0].factor, time))};
  std::vector<double> now;
  for (const Pattern& pattern : patterns) now.push_back(value_of(pattern.factor, time));
  if (now != factors) {
    const exec::Stream stream = sum.device().stream();
    if (sum.empty()) sum = exec::Array<T>(sum.device(), patterns[0].values.size());
    exec::fill<T>(stream, sum, T(0));
    for (std::size_t k = 0; k < now.size(); ++k)
      exec::axpy<T>(stream, static_cast<T>(now[k]), patterns[k].values, sum);
    factors = std::move(now);
  }
  return {sum.data(), T(1)};
}

template <class T>
void ExplicitDynamics<T>::hold(std::span<const std::int32_t> dofs, std::span<const double> values,
                               Factor factor) {
  check_not_started("held directions");
  require(values.empty() || values.size() == dofs.size(), [&] {
    return fmt::format("ExplicitDynamics: {} displacements for {} held directions", values.size(),
                       dofs.size());
  });
  std::vector<std::uint8_t> held(static_cast<std::size_t>(elements_->node_count()), 0);
  std::vector<double> motion(static_cast<std::size_t>(u_.size()), 0.0);
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    require(dofs[i] >= 0 && dofs[i] < u_.size(), [&] {
      return fmt::format("ExplicitDynamics: degree of freedom {} of {} is held", dofs[i], u_.size());
    });
    const auto dof = static_cast<std::size_t>(dofs[i]);
    held[dof / 3] = static_cast<std::uint8_t>(held[dof / 3] | 1U << dof % 3);
    if (!values.empty()) motion[dof] = values[i];
  }
  held_ = Array<std::uint8_t>(u_.device(), held);
  const bool moves = std::ranges::any_of(values, [](double value) { return value != 0; });
  motions_.patterns.clear();
  if (moves) add_motion(motion, std::move(factor));
}

template <class T>
kernel::ExplicitStep<T> ExplicitDynamics<T>::step_body() const {
  const auto present = [](const auto& array) { return array.empty() ? nullptr : array.data(); };
  const auto writable = [](const auto& array) {
    return const_cast<std::remove_cvref_t<decltype(*array.data())>*>(array.empty() ? nullptr : array.data());
  };
  kernel::ExplicitStep<T> body{};
  body.first_of_node = elements_->set().first_of_node().data;
  body.slot = elements_->set().slot().data;
  body.forces = forces_.data();
  body.mass = mass_.data();
  body.held = present(held_);
  body.dt = static_cast<T>(step_);
  body.damping = static_cast<T>(options_.damping);
  body.u = writable(u_);
  body.v = writable(v_);
  body.work = writable(work_);
  body.loss = writable(loss_);
  return body;
}

template <class T>
void ExplicitDynamics<T>::set_factors(kernel::ExplicitStep<T>& body) {
  const auto load = loads_.at(time());
  const auto motion = motions_.at(time() + step_);
  body.load = load.values;
  body.load_factor = load.factor;
  body.motion = motion.values;
  body.motion_factor = motion.factor;
  body.start = done_ == 0;
}

template <class T>
void ExplicitDynamics<T>::exchange(const exec::Stream& stream) {
  if (!ghosts_) return;
  ghosts_->begin(stream, exec::MultiView<const T>{u_.data(), 3 * moved(), 1, 1});
  const exec::MultiView<const T> came = ghosts_->finish(stream);
  exec::copy_async<T>(stream, exec::View<const T>{came.data, came.rows},
                      exec::View<T>{u_.data() + 3 * moved(), came.rows});
}

template <class T>
double ExplicitDynamics<T>::hourglass_energy() {
  const exec::Stream stream = u_.device().stream();
  double own = elements_->form().hourglass_energy(stream, u_, forces_);
  if (share_ && share_->beside) {
    const exec::Scratch<T> values(stream, share_->beside->set().element_vector_size(3));
    own -= share_->beside->hourglass_energy(stream, u_, values);
  }
  return over_team(own);
}

template <class T>
ExplicitEnergies ExplicitDynamics<T>::look() {
  const exec::Stream stream = u_.device().stream();
  const std::int64_t nodes = moved();
  if (seen_v_.empty()) {
    seen_v_ = Array<T>(u_.device(), u_.size());
    seen_f_ = Array<T>(u_.device(), u_.size());
  }
  const exec::Scratch<double> internal(stream, 1);
  const exec::Scratch<kernel::NodeEnergies> of_nodes(stream, nodes);
  const exec::Scratch<kernel::NodeEnergies> sum(stream, 1);
  kernel::ExplicitStep<T> body = step_body();
  set_factors(body);
  body.energies = of_nodes.data();
  elements_->form().forces(stream, u_, forces_, internal.data());
  exec::parallel_for(stream, nodes, kernel::ExplicitLook<T>{body, seen_v_.data(), seen_f_.data()});
  exec::reduce(stream, nodes, kernel::NodeEnergySum{of_nodes.data()}, sum.data());
  double own = 0;
  kernel::NodeEnergies all{};
  exec::copy_async<double>(stream, internal, {&own, 1});
  exec::copy_async<kernel::NodeEnergies>(stream, sum, {&all, 1});
  double of_others = 0;
  if (share_ && share_->beside) {
    const exec::Scratch<T> values(stream, share_->beside->set().element_vector_size(3));
    share_->beside->forces(stream, u_, values, internal.data());
    exec::copy_async<double>(stream, internal, {&of_others, 1});
  }
  stream.synchronize();
  return {time(), over_team(all.kinetic), over_team(own - of_others), over_team(all.external),
          over_team(all.damping)};
}

template <class T>
std::vector<double> ExplicitDynamics<T>::seen_at(const Array<std::int32_t>& nodes) const {
  const exec::Stream stream = u_.device().stream();
  const exec::Scratch<double> picked(stream, 9 * nodes.size());
  exec::parallel_for(
      stream, nodes.size(),
      kernel::PickNodes<T>{nodes.data(), u_.data(), seen_v_.data(), seen_f_.data(), picked.data()});
  std::vector<double> made(static_cast<std::size_t>(picked.size()));
  exec::copy_async<double>(stream, picked, {made.data(), picked.size()});
  stream.synchronize();
  return made;
}

template <class T>
double ExplicitDynamics<T>::seconds_of_forces(int computations) {
  using Clock = std::chrono::steady_clock;
  const exec::Stream stream = u_.device().stream();
  double least = std::numeric_limits<double>::infinity();
  stream.synchronize();
  for (int k = 0; k < computations; ++k) {
    const Clock::time_point began = Clock::now();
    elements_->form().forces(stream, u_, forces_, nullptr);
    stream.synchronize();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - began).count());
  }
  return least;
}

template <class T>
ExplicitMemory<T> ExplicitDynamics<T>::memory() const {
  return {done_, u_.to_vector(), v_.to_vector(), work_.to_vector(), loss_.to_vector()};
}

template <class T>
void ExplicitDynamics<T>::restore(const ExplicitMemory<T>& memory) {
  const auto fits = [](const auto& array, const auto& values) {
    return array.size() == static_cast<std::int64_t>(values.size());
  };
  require(fits(u_, memory.u) && fits(v_, memory.v) && fits(work_, memory.work) && fits(loss_, memory.loss),
          "ExplicitDynamics: what is restored belongs to another body or to other loads");
  const Device& device = u_.device();
  u_ = Array<T>(device, memory.u);
  v_ = Array<T>(device, memory.v);
  work_ = Array<double>(device, memory.work);
  loss_ = Array<double>(device, memory.loss);
  done_ = memory.steps_done;
}

template <class T>
std::vector<ExplicitEnergies> ExplicitDynamics<T>::run(std::int64_t steps) {
  const exec::Stream stream = u_.device().stream();
  std::vector<ExplicitEnergies> samples;
  kernel::ExplicitStep<T> body = step_body();
  for (std::int64_t s = 0; s < steps; ++s) {
    const bool sample = options_.energy_every > 0 && done_ % options_.energy_every == 0;
    const auto slot = static_cast<std::int64_t>(sample_times_.size());
    set_factors(body);
    body.energies = sample ? of_nodes_.data() : nullptr;
    elements_->form().forces(stream, u_, forces_, sample ? internal_samples_.data() + slot : nullptr);
    exec::parallel_for(stream, moved(), body);
    exchange(stream);
    if (sample) {
      exec::reduce(stream, elements_->node_count(), kernel::NodeEnergySum{of_nodes_.data()},
                   node_samples_.data() + slot);
      sample_times_.push_back(time());
    }
    ++done_;
    if (slot + 1 == sample_batch && sample) collect(samples);
  }
  if (!sample_times_.empty()) collect(samples);
  return samples;
}

template <class T>
void ExplicitDynamics<T>::collect(std::vector<ExplicitEnergies>& samples) {
  const std::vector<kernel::NodeEnergies> of_nodes = node_samples_.to_vector();
  const std::vector<double> internal = internal_samples_.to_vector();
  for (std::size_t i = 0; i < sample_times_.size(); ++i) {
    const kernel::NodeEnergies& nodes = of_nodes[i];
    samples.push_back({sample_times_[i], nodes.kinetic, internal[i], nodes.external, nodes.damping});
    check_balance(samples.back());
  }
  sample_times_.clear();
}

template <class T>
void ExplicitDynamics<T>::check_balance(const ExplicitEnergies& sample) {
  const double balance = sample.balance();
  if (!first_balance_) first_balance_ = balance;
  largest_energy_ = std::max({largest_energy_, std::abs(sample.kinetic), std::abs(sample.internal),
                              std::abs(sample.external), std::abs(sample.damping)});
  const double drift = std::abs(balance - *first_balance_);
  if (drift <= options_.energy_drift * largest_energy_) return;  // not so where it is not a number
  throw Error(
      Fault::input,
      fmt::format("explicit dynamics: at the time {:g} the balance of energies has drifted by {:g}, "
                  "the largest of them being {:g}",
                  sample.time, drift, largest_energy_),
      fmt::format("the step is {:g}, stable for the undeformed body below {:g}; elements may have been "
                  "crushed since: take a smaller step, or less load",
                  step_, stable_.step));
}

template <class T>
std::vector<double> ExplicitDynamics<T>::displacements() const {
  return to_host(u_);
}

template <class T>
std::vector<double> ExplicitDynamics<T>::velocities() const {
  return to_host(v_);
}

template <class T>
std::vector<double> ExplicitDynamics<T>::seen_velocities() const {
  return to_host(seen_v_);
}

template <class T>
std::vector<double> ExplicitDynamics<T>::seen_forces() const {
  return to_host(seen_f_);
}

template class ExplicitDynamics<float>;
template class ExplicitDynamics<double>;

}  // namespace setka::dynamics
