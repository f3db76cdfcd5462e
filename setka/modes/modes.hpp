// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// Natural frequencies: K phi = lambda M phi with K and M symmetric, K positive semidefinite (zero for rigid
/// motions), M positive semidefinite. lambda is the square of the angular frequency.
namespace setka::modes {

/// Which modes are wanted, and how well.
struct Request {
  /// So many of the lowest; 0: all those up to `upper`, however many they are.
  std::int64_t count = 0;

  /// Modes outside of [lower, upper] are left out of the answer.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// Of |K phi - lambda M phi| / |K phi| of each mode. Where |K phi| is so small that rounding would spoil
  /// the quotient, as of rigid motions, a bound takes its place: see zero_level().
  double tolerance = 1e-6;

  /// Vectors that are iterated beside the wanted ones, so that the last of those converges as fast as the
  /// first; -1: as many as suit the count.
  std::int64_t guards = -1;

  int max_iterations = 1000;
};

/// How it was checked that no mode is missing below the highest that was found.
enum class Check {
  none,     // it was not; Modes::check_text says why
  all,      // every mode of a small problem was computed
  inertia,  // the number of negative pivots of K - mu M, which is proof
  search,   // a search from another start found no further one, which makes it likely
};

struct Modes {
  std::int64_t rows = 0;
  std::vector<double> lambda;    // ascending
  std::vector<double> shape;     // [rows, modes], last index fastest; M-orthonormal
  std::vector<double> residual;  // of each, as in Request::tolerance; computed from the shapes
  std::vector<double> history;   // the largest residual (or its estimate) of the wanted modes by iterations
  int iterations = 0;            // products of K or solutions with it, of a whole block each
  std::string method;            // "Lanczos", "LOBPCG", "dense"
  Check check = Check::none;
  std::string check_text;  // "12 below 3.1e+07, as many as found"
  bool converged = false;  // all wanted modes have residuals within the tolerance, and none is known missing
  std::string trouble;     // why not; or that fewer modes exist than were asked for

  double zero = 0;  // an eigenvalue that is no larger is rounding: nothing holds its shape

  std::int64_t count() const { return static_cast<std::int64_t>(lambda.size()); }
};

/// Throws Error(Fault::usage) for a request that makes no sense for a problem of so many unknowns: more modes
/// than unknowns, neither a count nor a limit, a tolerance that is not positive.
void check_request(const Request& request, std::int64_t rows);

/// What |K phi| is at least taken for, over |M phi|, so that rounding does not spoil the residuals of zeros:
/// it leaves some 1e-16 of the spectrum's root mean square in K phi, of which |K x| / |M x| of a random x is
/// an estimate. 4e-15 of that is within the tolerance: 4e-9 of it for a tolerance of 1e-6.
double zero_level(double stiffness_of_noise, double mass_of_noise, double tolerance);

/// Modes::zero, from the same: 1e-12 of the spectrum's root mean square.
double rounding_of_zero(double stiffness_of_noise, double mass_of_noise);

/// How many modes are rigid motions or mechanisms: their eigenvalues are rounding.
std::int64_t motions_without_stiffness(const Modes& modes);

/// The sign of each shape becomes such that its entry of largest magnitude is positive: the first one of
/// those that are equal to it within 1e-6. threads: of the host; 0: all.
void fix_signs(Modes& modes, int threads = 0);

/// Leaves only the modes within the limits of the request, and of them no more than its count.
void keep_requested(const Request& request, Modes& modes, int threads = 0);

/// A number of host threads, where 0 stands for all of them.
int threads_of(int wanted);

}  // namespace setka::modes
