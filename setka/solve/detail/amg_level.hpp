// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/chebyshev.hpp"
#include "setka/solve/detail/gathered_amg.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/team_csr.hpp"

namespace setka::solve {

/// One grid of the hierarchy with its vectors; the coarsest has an inverse and nothing below. Made by all
/// members of a team together.
struct Amg::Level {
  explicit Level(const sparse::TeamCsr<double>& a)
      : rows(a.scalar_rows()),
        unknowns(std::llround(a.sum(static_cast<double>(a.scalar_rows())))),
        values(std::llround(a.sum(
            static_cast<double>(a.own().value().size() + (a.member() ? a.beside().value().size() : 0))))),
        f(a.device(), a.scalar_rows()),
        x(a.device(), a.scalar_rows()),
        d(a.device(), a.scalar_rows()),
        work(a.device(), a.scalar_rows()) {}

  std::int64_t rows;      // that are here
  std::int64_t unknowns;  // over all members of a team
  std::int64_t values;    // of the matrix, over all as well
  std::optional<sparse::TeamCsr<float>> matrix;
  std::optional<sparse::BlockCsr<double>> tentative;  // what the prolongation is made from
  std::optional<sparse::BlockCsr<double>> gaps;       // of a given prolongation with springs
  std::vector<std::int32_t> beside;  // over a team: numbers of the columns of others in a given one
  bool smooths = true;               // the tentative prolongation; one that was given is taken as it is
  std::optional<sparse::TeamCsr<float>> prolongation;
  std::optional<sparse::TeamCsr<float>> restriction;
  std::optional<sparse::BlockCsr<float>> inverse;
  std::unique_ptr<detail::GatheredAmg> gathered;  // in the place of all that
  std::optional<Chebyshev<float>> smoother;
  double highest = 0;
  std::vector<ChebyshevStep> visits;  // empty: one

  /// Room for so many columns in each of the four.
  void make_room(std::int64_t columns) {
    const std::int64_t size = rows * columns;
    const auto grow = [&](exec::Array<float>& vector) {
      if (vector.size() >= size) return;
      vector = exec::Array<float>(f.device());  // gives its memory back first
      vector = exec::Array<float>(f.device(), size);
    };
    for (exec::Array<float>* vector : {&f, &x, &d, &work}) grow(*vector);
    if (visits.empty()) return;
    for (exec::Array<float>* vector : {&load, &sum, &step}) grow(*vector);
  }

  // An apply() fills them anew; one host thread drives a device at a time. They grow to the most columns that
  // were asked for.
  exec::Array<float> f;
  exec::Array<float> x;
  exec::Array<float> d;
  exec::Array<float> work;

  // Of several visits, empty where there is one.
  exec::Array<float> load{f.device()};
  exec::Array<float> sum{f.device()};
  exec::Array<float> step{f.device()};
};

}  // namespace setka::solve
