// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/modes/modes.hpp"
#include "setka/modes/motions_of_parts.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

/// The one place that chooses a method and runs it.
namespace setka::modes {

enum class Method { automatic, dense, lanczos, lobpcg, subspace };

/// What becomes of an iteration that needs more memory than its device has free.
enum class Shortage {
  use_cpu,  // it runs on the CPU, with a line that says so
  stop,     // Error(Fault::resource) with the numbers
};

/// The words of the command line; an unknown one is an Error(Fault::usage) that lists them, and also a word
/// that the caller understands by itself.
Method method_of(std::string_view word, std::string_view also = {});

/// How modes are found.
struct Choice {
  Choice(Method wanted = Method::automatic, std::string by = "auto")  // NOLINT: a method is a choice
      : method(wanted), preconditioner(std::move(by)) {}

  Method method;
  /// Of LOBPCG and subspace iteration, by the words of solve::preconditioner_of(). auto: multigrid, or
  /// Chebyshev's polynomial where nothing is assembled.
  std::string preconditioner;
  /// What automatic stands for beside dense, by who knows more than the number of unknowns; none: by that.
  Method preferred = Method::automatic;
};

/// K or M: assembled, or known by what it does. What points somewhere has to outlive the search for modes.
struct SystemMatrix {
  /// In blocks of 1 to 6 unknowns, on any device: multigrid and factors are made from it. None: nothing is
  /// assembled; the product and the diagonal blocks are there then.
  const sparse::BlockCsr<double>* assembled = nullptr;

  /// On the device that iterates; none: the product with the assembled matrix.
  const solve::Operator* product = nullptr;

  /// All columns of the rows that a member of a team has; the assembled matrix is of its own columns then,
  /// and the product is there.
  const sparse::TeamCsr<double>* team = nullptr;

  /// [rows / n, n, n] on the device that iterates, for preconditioners where nothing is assembled.
  std::function<exec::Array<double>(int n)> diagonal_blocks;

  /// X'AX by other means than the product, as from element matrices, for subspace iteration; none: by it.
  Projection projection;

  std::int64_t rows() const { return assembled != nullptr ? assembled->scalar_rows() : product->rows(); }
};

/// K phi = lambda M phi, and what methods may want to know of it.
struct EigenSystem {
  /// Of the same rows, both assembled, on one device, or neither.
  SystemMatrix stiffness;
  SystemMatrix mass;

  /// Of the unknowns among the rows, as sparse::over_unknowns() takes it.
  std::span<const std::int32_t> place;

  /// Of multigrid, whose motions are looked at for free ones; asked for when needed.
  std::function<solve::AmgGeometry()> geometry;

  /// Of each block of rows the part of the model that it belongs to, from 0 on, -1: none; where nothing is
  /// assembled, and without it all is one part.
  std::function<std::vector<std::int32_t>()> parts;

  /// Shapes to begin an iteration with, [unknowns, start_count] row-major, by ascending frequency; none:
  /// noise.
  std::span<const double> start;
  std::int64_t start_count = 0;

  /// The motions of the parts, in the place of what is found out from the matrix and the geometry; none:
  /// that.
  std::function<Motions()> motions;

  bool free = false;  // something is known to be held by nothing

  bool assembled() const { return stiffness.assembled != nullptr && mass.assembled != nullptr; }
  /// The iteration can be on any device: no product ties it to its own.
  bool moves() const { return assembled() && stiffness.product == nullptr && mass.product == nullptr; }
  std::int64_t unknown_count() const {
    return place.empty() ? stiffness.rows() : static_cast<std::int64_t>(place.size());
  }
};

/// What automatic stands for where matrices are assembled: dense for some hundred unknowns, Lanczos while a
/// factorisation is a matter of seconds, LOBPCG beyond and wherever a preconditioner is named.
Method chosen_method(const Choice& choice, std::int64_t unknowns, const Request& request,
                     const exec::Device& device);

/// The modes of a request by a method; shapes over the unknowns. LOBPCG and subspace iteration run on the
/// device, the others on the host's threads (cpu).
///
/// Where nothing is assembled, automatic is LOBPCG, and methods that factorise are an Error(Fault::usage), as
/// are preconditioners made of matrices. So is a preconditioner that is named for a method that factorises.
///
/// Request::tolerance 0: what suits the method, 1e-8 for those that factorise and 1e-6 for the others.
///
/// Where LOBPCG was chosen automatically and does not converge, Lanczos takes its place if a factorisation
/// fits into memory, with a line that says so. What was asked for by name is not replaced. A K that a preload
/// has made indefinite is shifted by every method.
///
/// What an iteration needs of the device's memory is estimated before it begins (memory_need.hpp); where that
/// is not free, or an allocation fails later, `shortage` decides. A device that is the CPU already stops,
/// and so does an iteration whose products are on the device alone.
Modes find(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system, Request request,
           const Choice& choice, Monitor& monitor, Shortage shortage = Shortage::use_cpu);

/// Leaves of shapes over all rows those of the unknowns.
void keep_unknowns(std::span<const std::int32_t> place, const exec::Device& cpu, Modes& modes);

}  // namespace setka::modes
