// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <slepceps.h>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/modes/symmetric.hpp"
#include "setka/petsc/matrix.hpp"
#include "setka/petsc/objects.hpp"
#include "setka/petsc/session.hpp"

namespace setka::petsc {
namespace {

using EigenSolver = Object<EPS, EPSDestroy>;

/// Beyond it a factor is too large for the memory of most machines, and LOBPCG takes its place.
constexpr std::int64_t most_factorised = 3'000'000;

// As modes::find() has them.
constexpr double usual_tolerance_of_factors = 1e-8;
constexpr double usual_tolerance_of_iterations = 1e-6;

/// The mean length of a shape of unit modal mass: LOBPCG holds residuals against lambda alone.
double length_of_shapes(Mat mass, const Layout& layout) {
  const Vector ones = layout.vector();
  const Vector sums = layout.vector();
  PetscScalar total = 0;
  SETKA_PETSC(VecSet(ones, 1));
  SETKA_PETSC(MatMult(mass, ones, sums));
  SETKA_PETSC(VecSum(sums, &total));
  return std::sqrt(total / static_cast<double>(layout.parts().scalar_rows()));
}

double trace(Mat a, const Layout& layout) {
  const Vector diagonal = layout.vector();
  PetscScalar sum = 0;
  SETKA_PETSC(MatGetDiagonal(a, diagonal));
  SETKA_PETSC(VecSum(diagonal, &sum));
  return sum;
}

bool everything_has_mass(Mat mass, const Layout& layout) {
  const Vector diagonal = layout.vector();
  PetscReal least = 0;
  SETKA_PETSC(MatGetDiagonal(mass, diagonal));
  SETKA_PETSC(VecMin(diagonal, nullptr, &least));
  return least > 0;
}

/// |K x| and |M x| of a random x.
struct Noise {
  PetscReal stiffness = 0;
  PetscReal mass = 0;
};

Noise noise_of(Mat k, Mat m, const Layout& layout) {
  const Vector x = layout.vector();
  const Vector y = layout.vector();
  Noise noise;
  SETKA_PETSC(VecSetRandom(x, nullptr));
  SETKA_PETSC(MatMult(k, x, y));
  SETKA_PETSC(VecNorm(y, NORM_2, &noise.stiffness));
  SETKA_PETSC(MatMult(m, x, y));
  SETKA_PETSC(VecNorm(y, NORM_2, &noise.mass));
  return noise;
}

/// As modes::Request::tolerance has it.
struct Residual {
  const Layout& layout;
  Mat k;
  Mat m;
  double zero_level;

  double of(double lambda, Vec x) const {
    const Vector kx = layout.vector();
    const Vector mx = layout.vector();
    PetscReal size = 0;
    PetscReal mass = 0;
    PetscReal rest = 0;
    SETKA_PETSC(MatMult(k, x, kx));
    SETKA_PETSC(MatMult(m, x, mx));
    SETKA_PETSC(VecNorm(kx, NORM_2, &size));
    SETKA_PETSC(VecNorm(mx, NORM_2, &mass));
    SETKA_PETSC(VecAXPY(kx, -lambda, mx));
    SETKA_PETSC(VecNorm(kx, NORM_2, &rest));
    return rest / std::max(size, zero_level * mass);
  }
};

/// A mode, of unit modal mass.
struct Mode {
  double lambda = 0;
  Vector shape;
  double residual = -1;  // not known yet
};

/// SLEPc's solver, and the modes that it has found so far, ascending.
class Search {
 public:
  Search(Mat k, Mat m, const Layout& layout) : layout_(layout) {
    SETKA_PETSC(EPSCreate(PETSC_COMM_WORLD, eps_.out()));
    SETKA_PETSC(EPSSetOperators(eps_, k, m));
    SETKA_PETSC(EPSSetProblemType(eps_, EPS_GHEP));
  }

  void set_tolerance(double tolerance, int max_iterations) {
    SETKA_PETSC(EPSSetTolerances(eps_, tolerance, max_iterations > 0 ? max_iterations : PETSC_DEFAULT));
  }

  /// The modes next to sigma, by a factor of K - sigma M by MUMPS.
  void use_factor(double sigma, bool everything_has_mass) {
    SETKA_PETSC(EPSSetType(eps_, EPSKRYLOVSCHUR));
    // What has no mass gets into the basis by rounding, and out of it by a solution a mode.
    SETKA_PETSC(EPSSetPurify(eps_, everything_has_mass ? PETSC_FALSE : PETSC_TRUE));
    widens_ = true;
    SETKA_PETSC(EPSSetWhichEigenpairs(eps_, EPS_TARGET_MAGNITUDE));
    SETKA_PETSC(EPSSetTarget(eps_, sigma));
    PC pc = transformed_by(STSINVERT);
    SETKA_PETSC(PCSetType(pc, PCCHOLESKY));
    SETKA_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    // Of MUMPS: the root of the tree is not shared out by ScaLAPACK, which does not count signs.
    SETKA_PETSC(PetscOptionsSetValue(nullptr, "-st_mat_mumps_icntl_13", "1"));
    SETKA_PETSC(STSetMatStructure(transform(), SAME_NONZERO_PATTERN));
    SETKA_PETSC(EPSSetFromOptions(eps_));
    sigma_ = sigma;
  }

  /// How many modes are below a limit, by the negative pivots of a factor there: its values take the place of
  /// those that modes are found by, and what is known of its structure serves both.
  PetscInt count_by_inertia(double limit) {
    factorise(limit);
    PC pc = nullptr;
    Mat factor = nullptr;
    PetscInt negative = 0;
    SETKA_PETSC(KSPGetPC(solver_of_transform(), &pc));
    SETKA_PETSC(PCFactorGetMatrix(pc, &factor));
    SETKA_PETSC(MatGetInertia(factor, &negative, nullptr, nullptr));
    return negative;
  }

  /// The lowest modes by iterations with multigrid.
  void use_multigrid(PetscInt count) {
    SETKA_PETSC(EPSSetType(eps_, EPSLOBPCG));
    SETKA_PETSC(EPSLOBPCGSetBlockSize(eps_, count + std::max<PetscInt>(4, count / 4)));
    SETKA_PETSC(EPSLOBPCGSetLocking(eps_, PETSC_FALSE));
    SETKA_PETSC(EPSSetWhichEigenpairs(eps_, EPS_SMALLEST_REAL));
    PC pc = transformed_by(STPRECOND);
    use_gamg(pc);
  }

  /// So many more, beside those that were found.
  void find(PetscInt count) {
    if (sigma_) factorise(*sigma_);
    std::vector<Vec> known;
    known.reserve(found_.size());
    for (const Mode& mode : found_) known.push_back(mode.shape);
    // A basis in which the last mode converges without a restart, for most models.
    const auto most = static_cast<PetscInt>(layout_.parts().scalar_rows());
    const PetscInt basis = std::min(most, 2 * count + 16);
    SETKA_PETSC(EPSSetDimensions(eps_, count, widens_ ? basis : PETSC_DEFAULT, PETSC_DEFAULT));
    SETKA_PETSC(EPSSetFromOptions(eps_));
    if (!known.empty())
      SETKA_PETSC(EPSSetDeflationSpace(eps_, static_cast<PetscInt>(known.size()), known.data()));
    SETKA_PETSC(EPSSolve(eps_));
    throw_if_interrupted();
    PetscInt converged = 0;
    PetscInt iterations = 0;
    SETKA_PETSC(EPSGetConverged(eps_, &converged));
    SETKA_PETSC(EPSGetIterationNumber(eps_, &iterations));
    iterations_ += static_cast<int>(iterations);
    for (PetscInt j = 0; j < std::min(converged, count); ++j) {
      Mode mode{0, layout_.vector(), -1};
      PetscScalar value = 0;
      SETKA_PETSC(EPSGetEigenpair(eps_, j, &value, nullptr, mode.shape, nullptr));
      mode.lambda = value;
      found_.push_back(std::move(mode));
    }
    std::ranges::sort(found_, {}, &Mode::lambda);
  }

  /// Residuals of what was found, better ones where there is a factor and they are above the tolerance.
  void look(const Residual& residual, double tolerance) {
    for (Mode& mode : found_) {
      if (mode.residual >= 0) continue;
      mode.residual = residual.of(mode.lambda, mode.shape);
      if (sigma_ && mode.residual > tolerance) polish(mode, residual);
    }
  }

  const std::vector<Mode>& found() const { return found_; }
  PetscInt count_below(double limit) const {
    return static_cast<PetscInt>(
        std::ranges::count_if(found_, [&](const Mode& mode) { return mode.lambda < limit; }));
  }
  int iterations() const { return iterations_; }
  std::string method() const {
    EPSType type = nullptr;
    SETKA_PETSC(EPSGetType(eps_, &type));
    return type;
  }

 private:
  /// Takes out of a mode what others have left in it, by a solution.
  void polish(Mode& mode, const Residual& residual) {
    Vector better = layout_.vector();
    const Vector image = layout_.vector();
    PetscScalar modal_mass = 0;
    PetscScalar modal_stiffness = 0;
    SETKA_PETSC(STApply(transform(), mode.shape, better));
    SETKA_PETSC(MatMult(residual.m, better, image));
    SETKA_PETSC(VecDot(better, image, &modal_mass));
    SETKA_PETSC(VecScale(better, 1 / std::sqrt(modal_mass)));
    SETKA_PETSC(MatMult(residual.k, better, image));
    SETKA_PETSC(VecDot(better, image, &modal_stiffness));
    mode.lambda = modal_stiffness;
    mode.shape = std::move(better);
    mode.residual = residual.of(mode.lambda, mode.shape);
  }

  void factorise(double sigma) {
    if (sigma == factorised_) return;
    SETKA_PETSC(STSetShift(transform(), sigma));
    SETKA_PETSC(STSetUp(transform()));
    factorised_ = sigma;
  }

  ST transform() const {
    ST found = nullptr;
    SETKA_PETSC(EPSGetST(eps_, &found));
    return found;
  }

  KSP solver_of_transform() const {
    KSP found = nullptr;
    SETKA_PETSC(STGetKSP(transform(), &found));
    return found;
  }

  PC transformed_by(STType type) {
    PC pc = nullptr;
    SETKA_PETSC(STSetType(transform(), type));
    SETKA_PETSC(KSPSetType(solver_of_transform(), KSPPREONLY));
    SETKA_PETSC(KSPGetPC(solver_of_transform(), &pc));
    return pc;
  }

  const Layout& layout_;
  EigenSolver eps_;
  std::vector<Mode> found_;
  int iterations_ = 0;
  bool widens_ = false;
  std::optional<double> sigma_;       // where modes are found
  std::optional<double> factorised_;  // what there is a factor of
};

/// How often modes that were missed are looked for: a Krylov space of one vector has a mode of several once.
constexpr int most_rounds = 12;

}  // namespace

bool Session::is_told_of_modes() const {
  PetscBool is_told = PETSC_FALSE;
  SETKA_PETSC(PetscOptionsHasName(nullptr, nullptr, "-eps_type", &is_told));
  return is_told == PETSC_TRUE;
}

modes::Modes Session::find_modes(const domains::RankEigenSystem& system, const modes::Request& request,
                                 modes::Method method, Monitor& monitor) const {
  const std::int64_t rows = system.stiffness.parts().scalar_rows();
  const bool factorises =
      method == modes::Method::lanczos || (method == modes::Method::automatic && rows <= most_factorised);
  if (!factorises && method != modes::Method::automatic && method != modes::Method::lobpcg)
    throw Error(Fault::usage, "SLEPc finds modes by Lanczos's method (Krylov-Schur) or LOBPCG here",
                "leave --modes out, or give lanczos, lobpcg, or subspace without -eps_type");
  if (!factorises && request.count <= 0)
    throw Error(Fault::usage, "LOBPCG of several processes is told how many modes it is to find",
                "give their number, or --modes lanczos");
  std::optional<Stage> stage(monitor.stage("hand over"));
  const SharedMatrix stiffness(system.stiffness);
  const SharedMatrix mass(system.mass, SharedMatrix::Filling::nothing);
  const Layout& layout = stiffness.layout();
  const Noise noise = noise_of(stiffness.mat(), mass.mat(), layout);
  stage.reset();

  auto wanted = static_cast<PetscInt>(request.count);
  double above = request.upper;
  PetscInt below = -1;
  const double usual = factorises ? usual_tolerance_of_factors : usual_tolerance_of_iterations;
  const double tolerance = request.tolerance > 0 ? request.tolerance : usual;
  stage.emplace(monitor.stage("modes"));
  if (factorises) SETKA_PETSC(MatSetOption(stiffness.mat(), MAT_SPD, PETSC_FALSE));  // of K - sigma M
  Search search(stiffness.mat(), mass.mat(), layout);
  if (factorises) {
    // Errors of 1 / (lambda - sigma) are larger ones of a lambda that is smaller than sigma.
    search.set_tolerance(1e-4 * tolerance, request.max_iterations);
    // Bodies may be free.
    search.use_factor(-modes::small_shift(trace(stiffness.mat(), layout), trace(mass.mat(), layout), rows),
                      everything_has_mass(mass.mat(), layout));
  } else {
    set_near_nullspace(stiffness.mat(), stiffness.layout(), system.geometry());
    search.set_tolerance(tolerance * length_of_shapes(mass.mat(), layout), request.max_iterations);
    search.use_multigrid(wanted);
  }
  if (std::isfinite(request.upper) && factorises) {
    const Stage counting = monitor.stage("count");
    below = search.count_by_inertia(above);
    if (wanted > 0 && wanted < below) {
      below = -1;
    } else {
      wanted = below;
    }
  }
  if (wanted > 0) search.find(wanted);
  const Residual residual{layout, stiffness.mat(), mass.mat(),
                          modes::zero_level(noise.stiffness, noise.mass, tolerance)};
  search.look(residual, tolerance);

  modes::Modes made;
  made.rows = rows;
  made.zero = modes::rounding_of_zero(noise.stiffness, noise.mass);
  made.check_text = "not looked for: LOBPCG has no factor whose inertia would tell; --modes lanczos has";
  if (factorises) {
    made.check = modes::Check::inertia;
    if (below < 0 && !search.found().empty()) {  // above the last mode by less than modes are apart
      const double last = search.found().back().lambda;
      above = last + std::max(1e-6 * std::abs(last), made.zero);
      const Stage counting = monitor.stage("count");
      below = search.count_by_inertia(above);
    }
    for (int round = 0; round < most_rounds && search.count_below(above) < below; ++round) {
      search.find(below - search.count_below(above));
      search.look(residual, tolerance);
    }
    made.check_text = fmt::format("{} modes below {:g} by inertia, {} found", std::max<PetscInt>(below, 0),
                                  above, search.count_below(above));
  }

  const std::size_t count = std::min(search.found().size(), static_cast<std::size_t>(wanted));
  made.iterations = search.iterations();
  made.method = fmt::format("SLEPc: {} on {} process{}", search.method(), size(), size() == 1 ? "" : "es");
  made.shape.resize(static_cast<std::size_t>(rows) * count);
  made.converged = count == static_cast<std::size_t>(wanted);
  for (std::size_t k = 0; k < count; ++k) {
    const Mode& mode = search.found()[k];
    made.lambda.push_back(mode.lambda);
    made.residual.push_back(mode.residual);
    made.converged = made.converged && made.residual.back() <= 10 * tolerance;
    const std::vector<double> whole = layout.whole(mode.shape);
    for (std::size_t i = 0; i < whole.size(); ++i) made.shape[i * count + k] = whole[i];
  }
  if (!made.converged)
    made.trouble = fmt::format("SLEPc found {} of {} modes, or not all of them well enough", count, wanted);
  if (factorises && search.count_below(above) < below) {
    made.converged = false;
    made.trouble = made.check_text;
  }
  modes::keep_requested(request, made, 1);
  modes::fix_signs(made, 1);
  return made;
}

}  // namespace setka::petsc
