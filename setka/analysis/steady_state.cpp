// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/modal_field.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/periodic.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::analysis {
namespace {

using Complex = std::complex<double>;

/// The answer to loads of one frequency.
struct Response {
  std::vector<Complex> q;     // [modes]
  std::vector<Complex> base;  // [bases]
};

class SteadyState {
 public:
  SteadyState(const Setup& setup, const LoadState& loads, const model::Step& step, const ModalBasis& basis,
              const Computing& computing, Monitor& monitor)
      : setup_(setup),
        step_(step),
        basis_(basis),
        field_(modal_field(setup, loads, step, basis, computing, monitor)),
        loads_(field_->loads()),
        damped_(damped_modes(setup, step, basis)),
        threads_(computing.cpu.threads()) {
    if (!damped_.dashpots.empty()) require_dashpots_on_modes(setup, step, loads_);
  }

  std::vector<double> frequencies() const {
    const auto& procedure = std::get<model::SteadyStateStep>(step_.procedure);
    std::vector<double> natural;
    // Of a wheel's modes, which come in pairs, one of each.
    for (std::size_t j = 0; j < basis_.modes.size(); j += basis_.wheel ? 2 : 1)
      natural.push_back(basis_.modes[j].frequency());
    return dynamics::frequency_points(procedure.least_frequency, procedure.most_frequency, natural,
                                      procedure.points, procedure.bias);
  }

  dynamics::Curve curve(std::int32_t amplitude) const {
    if (amplitude < 0) return {};
    return dynamics::Curve(setup_.model->amplitudes[static_cast<std::size_t>(amplitude)].points);
  }

  /// factor_of: the complex factor of an amplitude.
  template <class FactorOf>
  Response response(double frequency, FactorOf factor_of) const {
    const double w = 2 * std::numbers::pi * frequency;
    const Complex i(0, 1);
    const auto factor = [&](const auto& load) {
      const Complex by = factor_of(load.amplitude);
      return load.imaginary ? i * by : by;
    };
    Response response;
    std::vector<Complex> load(damped_.modes.size());
    for (const ModalForce& force : loads_.forces) {
      const Complex by = factor(force);
      for (std::size_t j = 0; j < load.size(); ++j) load[j] += by * force.on_modes[j];
    }
    for (const BaseShape& base : loads_.bases) {
      Complex g = factor(base);
      if (base.acceleration) {
        if (w == 0)
          throw Error(Fault::input, "*BASE MOTION: an acceleration of frequency zero has no displacement",
                      "give *STEADY STATE DYNAMICS a lower frequency above zero");
        g /= -w * w;
      }
      response.base.push_back(g);
      for (std::size_t j = 0; j < load.size(); ++j)
        load[j] += (w * w - i * w * damped_.of_base) * base.on_modes[j] * g;
    }
    if (!damped_.dashpots.empty()) {
      response.q = coupled_response(frequency, load);
      return response;
    }
    double largest = 0;
    for (const Complex& on_mode : load) largest = std::max(largest, std::abs(on_mode));
    for (std::size_t j = 0; j < load.size(); ++j) {
      if (resonates(j, w)) {
        if (std::abs(load[j]) > hardly_loaded * largest) refuse_resonance(j, frequency);
        load[j] = 0;
      }
      response.q.push_back(dynamics::harmonic_response(damped_.modes[j], damped_.loss[j], w, load[j]));
      if (load[j] == 0.0) response.q.back() = 0;  // also in resonance
      if (!std::isfinite(std::abs(response.q.back()))) refuse_resonance(j, frequency);
    }
    return response;
  }

  /// Fields of one part of a response.
  template <class Part>
  void fill(const Response& response, Part part, model::Frame& frame) const {
    std::vector<double> q;
    std::vector<double> base;
    for (const Complex& value : response.q) q.push_back(part(value));
    for (const Complex& value : response.base) base.push_back(part(value));
    field_->fill(superposed(basis_, loads_, q, base, threads_), {}, {}, frame);
  }

  std::vector<model::ModeFactor> factors(const Response& response) const {
    std::vector<model::ModeFactor> all;
    for (std::size_t j = 0; j < response.q.size(); ++j) {
      all.push_back(
          {basis_.modes[j].number, basis_.modes[j].frequency(), response.q[j].real(), response.q[j].imag()});
    }
    return all;
  }

 private:
  /// Of the largest load on a mode: what modes across the load have of it by their own errors.
  static constexpr double hardly_loaded = 1e-6;

  /// Without damping at its own frequency, which by rounding is not hit exactly.
  bool resonates(std::size_t j, double w) const {
    const dynamics::Oscillator& mode = damped_.modes[j];
    return mode.damping == 0 && damped_.loss[j] == 0 &&
           std::abs(mode.stiffness - w * w) <= 1e-12 * mode.stiffness;
  }

  /// Of modes that dashpots couple: real and imaginary parts of (k + i loss k - w^2 + i w c) q = load.
  std::vector<Complex> coupled_response(double frequency, const std::vector<Complex>& load) const {
    const double w = 2 * std::numbers::pi * frequency;
    const auto count = static_cast<std::int64_t>(load.size());
    const Dense coupling = damped_.coupling(frequency);
    Dense a(2 * count, 2 * count);
    Dense b(2 * count, 1);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const dynamics::Oscillator& mode = damped_.modes[at];
      const auto add = [&](std::int64_t j, double real, double imaginary) {
        a(i, j) += real;
        a(count + i, count + j) += real;
        a(i, count + j) -= imaginary;
        a(count + i, j) += imaginary;
      };
      add(i, mode.stiffness - w * w, damped_.loss[at] * mode.stiffness + w * mode.damping);
      for (std::int64_t j = 0; j < count; ++j) add(j, 0, w * coupling(i, j));
      b(i, 0) = load[at].real();
      b(count + i, 0) = load[at].imag();
    }
    const Dense x = solution(a, b);
    std::vector<Complex> q;
    for (std::int64_t i = 0; i < count; ++i) {
      q.emplace_back(x(i, 0), x(count + i, 0));
      if (!std::isfinite(std::abs(q.back()))) refuse_resonance(static_cast<std::size_t>(i), frequency);
    }
    return q;
  }

  [[noreturn]] void refuse_resonance(std::size_t j, double frequency) const {
    const auto& procedure = std::get<model::SteadyStateStep>(step_.procedure);
    throw Error(
        Fault::input,
        fmt::format("*STEADY STATE DYNAMICS: mode {} is in resonance at frequency {:g} and is not damped",
                    basis_.modes[j].number, frequency),
        "add *MODAL DAMPING", setup_.model->source(procedure.line));
  }

  const Setup& setup_;
  const model::Step& step_;
  const ModalBasis& basis_;
  std::unique_ptr<const ModalField> field_;
  const ModalLoads& loads_;
  DampedModes damped_;
  int threads_;
};

/// Hands a frame over where output is due.
template <class Fill>
void hand_over(const model::Step& step, model::Frame frame, const MotionSink& sink, MotionReport& report,
               Fill fill) {
  ++report.increments;
  frame.increment = static_cast<int>(report.increments);  // frequencies held in memory: far below its range
  if (!io::output_is_due(step, frame)) return;
  fill(frame);
  sink(frame);
  ++report.frames;
}

void harmonic(const SteadyState& steady, const model::Step& step, int number, const MotionSink& sink,
              MotionReport& report) {
  const std::vector<double> frequencies = steady.frequencies();
  for (const double frequency : frequencies) {
    const Response response = steady.response(frequency, [&](std::int32_t amplitude) {
      return Complex(steady.curve(amplitude).before(frequency));
    });
    model::Frame frame;
    frame.step = number;
    frame.time = frequency;
    frame.last_of_step = frequency == frequencies.back();
    hand_over(step, std::move(frame), sink, report, [&](model::Frame& filled) {
      filled.factors = steady.factors(response);
      steady.fill(
          response, [](const Complex& value) { return value.real(); }, filled);
      model::Frame& imaginary = filled.imaginary.emplace_back();
      imaginary.step = number;
      imaginary.increment = filled.increment;
      imaginary.time = filled.time;
      steady.fill(
          response, [](const Complex& value) { return value.imag(); }, imaginary);
    });
  }
}

void periodic(const Setup& setup, const SteadyState& steady, const model::Step& step, int number,
              const MotionSink& sink, MotionReport& report) {
  const auto& procedure = std::get<model::SteadyStateStep>(step.procedure);
  // Coefficients of every amplitude, the last ones those of no amplitude.
  const double period = procedure.last_time - procedure.first_time;
  std::vector<std::vector<Complex>> coefficients;
  for (std::size_t a = 0; a <= setup.model->amplitudes.size(); ++a) {
    const dynamics::Curve curve =
        steady.curve(a < setup.model->amplitudes.size() ? static_cast<std::int32_t>(a) : -1);
    std::vector<double> samples(static_cast<std::size_t>(procedure.terms));
    for (std::size_t l = 0; l < samples.size(); ++l)
      samples[l] = curve.before(procedure.first_time + period * static_cast<double>(l) / procedure.terms);
    coefficients.push_back(dynamics::fourier_coefficients(samples));
  }
  const std::vector<double> frequencies = steady.frequencies();
  for (const double frequency : frequencies) {
    std::vector<Response> responses;
    for (std::size_t k = 0; k < coefficients.back().size(); ++k) {
      responses.push_back(steady.response(static_cast<double>(k) * frequency, [&](std::int32_t amplitude) {
        return amplitude < 0 ? coefficients.back()[k] : coefficients[static_cast<std::size_t>(amplitude)][k];
      }));
    }
    for (int l = 0; l < procedure.terms; ++l) {
      model::Frame frame;
      frame.step = number;
      frame.time = l / (procedure.terms * frequency);
      frame.last_of_step = frequency == frequencies.back() && l + 1 == procedure.terms;
      hand_over(step, std::move(frame), sink, report, [&](model::Frame& filled) {
        Response sum = responses.front();
        for (std::size_t k = 1; k < responses.size(); ++k) {
          const double angle = 2 * std::numbers::pi * static_cast<double>(k) * l / procedure.terms;
          const Complex turn = std::polar(1.0, angle);
          // CalculiX takes the highest term of an even number of samples twice.
          const double twice = 2 * k == static_cast<std::size_t>(procedure.terms) ? 2 : 1;
          for (std::size_t j = 0; j < sum.q.size(); ++j) sum.q[j] += twice * turn * responses[k].q[j];
          for (std::size_t b = 0; b < sum.base.size(); ++b) sum.base[b] += turn * responses[k].base[b];
        }
        steady.fill(
            sum, [](const Complex& value) { return value.real(); }, filled);
      });
    }
  }
}

}  // namespace

MotionReport solve_steady_state(const Setup& setup, const LoadState& loads, const model::Step& step,
                                int number, const ModalBasis& basis, const Computing& computing,
                                const MotionSink& sink, Monitor& monitor) {
  check_modal(setup, loads, step, &basis);
  const SteadyState steady(setup, loads, step, basis, computing, monitor);
  const Stage stage = monitor.stage("response of modes");
  MotionReport report;
  if (std::get<model::SteadyStateStep>(step.procedure).harmonic)
    harmonic(steady, step, number, sink, report);
  else
    periodic(setup, steady, step, number, sink, report);
  return report;
}

}  // namespace setka::analysis
