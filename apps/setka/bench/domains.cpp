// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/domains.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <utility>

#include "bench/block_model.hpp"
#include "bench/timing.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/team_matrix.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/problem.hpp"
#include "setka/io/matrix_market.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/sparse/blocked.hpp"

namespace setka::bench {
namespace {

constexpr std::array<PaperMatrix, 4> table_5{{
    {"Flan_1565", 1564794, 117406044, 1675.5, {144.6, 101.4, 77.9, 83.5, 95.5}},
    {"audikw_1", 943695, 77651847, 846.5, {85.3, 66.4, 57.1, 65.7, 78.9}},
    {"Emilia_923", 923136, 41005206, 706.5, {94.7, 78.6, 74.1, 86.3, 107.7}},
    {"inline_1", 503712, 36816342, 1537, {166.3, 163.9, 169.0, 220.3, 279.1}},
}};

/// A matrix in the memory of the host, with places of its block rows where they are known.
struct Matrix {
  sparse::BlockCsr<double> values;
  std::vector<double> place;
};

/// A cube of elements with as many unknowns, and about as many entries: hexahedra have 81 a row inside, and
/// tetrahedra 45.
Matrix generated(std::int64_t rows, std::int64_t entries, Monitor& monitor) {
  constexpr double between = 60;  // entries a row
  const bool dense = static_cast<double>(entries) > between * static_cast<double>(rows);
  const int cells =
      std::max(2, static_cast<int>(std::lround(std::cbrt(static_cast<double>(rows) / 3.0))) - 1);
  const BlockModel model =
      block_model(dense ? fem::Element::hex8 : fem::Element::tet4, {cells, cells, cells});
  const fem::Constraints constraints = fixed_at_x0(model);
  const fem::Space space = space_of(model, constraints);
  fem::Problem problem(exec::Device::cpu(), space);
  const auto& elastic = model.materials.front().d;
  problem.add(fem::FormKind::elasticity, std::span<const double>(elastic.data(), elastic.size()));
  return {problem.matrix(monitor).to(exec::Device::cpu(1)),
          space.amg_geometry(exec::Device::cpu()).coordinates};
}

std::optional<std::filesystem::path> file_of(const DomainsBench& bench, std::string_view name) {
  if (bench.folder.empty()) return {};
  for (const char* const ending : {".mtx", ".mtx.gz"}) {
    std::filesystem::path path = bench.folder / (std::string(name) + ending);
    if (std::filesystem::exists(path)) return path;
  }
  return {};
}

Matrix read(const std::filesystem::path& path, Monitor& monitor) {
  const exec::Device cpu = exec::Device::cpu();
  io::MatrixMarket file = io::read_matrix_market(path, {cpu.threads(), 0}, monitor);
  const bool mirrored = file.symmetry == io::MatrixMarket::Symmetry::symmetric;
  const sparse::Csr rows = sparse::compressed(std::move(file.entries), mirrored, cpu.threads());
  return {sparse::blocked(exec::Device::cpu(1), rows, rows.rows % 3 == 0 ? 3 : 1), {}};
}

exec::Team team_of(const exec::Device& device, int members) {
  std::vector<exec::Device> devices;
  devices.reserve(static_cast<std::size_t>(members));
  for (int i = 0; i < members; ++i) {
    devices.push_back(device.is_cuda() ? exec::Device::cuda(device.ordinal())
                                       : exec::Device::cpu(std::max(1, device.threads() / members)));
  }
  return exec::Team(std::move(devices));
}

std::vector<double> random_load(std::int64_t rows) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> load(static_cast<std::size_t>(rows));
  for (double& value : load) value = uniform(generator);
  return load;
}

std::vector<plan::TeamPart> shares_of(const domains::MatrixParts& parts) {
  std::vector<plan::TeamPart> shares;
  for (int p = 0; p < parts.count(); ++p) {
    const double block = parts.block();
    shares.push_back({block * static_cast<double>(parts.part(p).rows.size()),
                      static_cast<double>(parts.own(p).bytes()), static_cast<double>(parts.beside(p).bytes()),
                      block * static_cast<double>(parts.part(p).ghosts.size())});
  }
  return shares;
}

DomainsTime solved(const DomainsBench& bench, const domains::MatrixParts& parts, std::int64_t rows) {
  DomainsTime time;
  time.parts = parts.count();
  const std::vector<double> load = random_load(rows);
  team_of(bench.device, parts.count()).run([&](const exec::Member& member) {
    const exec::Device& device = member.device();
    const domains::TeamMatrix a(member, parts);
    const solve::BlockJacobi jacobi(device, 1, solve::inverse_diagonal(a.matrix().own()));
    const exec::Array<double> b(device, parts.values_of(member.number(), load));
    exec::Array<double> x(device, b.size());
    solve::SolverOptions options;
    options.tolerance = bench.tolerance;
    solve::Cg cg(options);
    Monitor silent;
    for (int round = 0; round < 2; ++round) {  // the first warms up
      exec::fill(device, x, 0.0);
      device.synchronize();
      member.meet();
      const auto began = std::chrono::steady_clock::now();
      const solve::Outcome found = cg.solve(device, a, jacobi, b, x, silent);
      device.synchronize();
      member.meet();
      if (member.number() != 0) continue;
      time.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      time.iterations = found.iterations;
      time.converged = found.converged();
    }
  });
  return time;
}

DomainsRow measured(const DomainsBench& bench, const PaperMatrix& paper, const plan::TeamMachine& machine,
                    Monitor& monitor) {
  DomainsRow row;
  row.name = paper.name;
  row.paper_cpu = paper.cpu;
  const std::optional<std::filesystem::path> file = file_of(bench, paper.name);
  row.given = file.has_value();
  const double smaller = bench.quick ? 1000 : 1;
  const auto rows = static_cast<std::int64_t>(static_cast<double>(paper.rows) / smaller);
  const auto entries = static_cast<std::int64_t>(static_cast<double>(paper.entries) / smaller);
  row.skipped = lack_of_memory(bench.device, 1.5 * 12 * static_cast<double>(entries));
  if (!row.skipped.empty()) return row;
  const Matrix matrix = file ? read(*file, monitor) : generated(rows, entries, monitor);
  row.rows = matrix.values.scalar_rows();
  row.entries = matrix.values.value().size();
  const domains::Graph graph =
      domains::matrix_graph(matrix.values, matrix.place, exec::Device::cpu().threads());
  double once = 0;  // seconds of an iteration, against what is predicted of it
  for (std::size_t k = 0; k < paper_gpus.size(); ++k) {
    const domains::MatrixParts parts(matrix.values, domains::partition(graph, paper_gpus[k]));
    DomainsTime time = solved(bench, parts, row.rows);
    const std::vector<plan::TeamPart> shares = shares_of(parts);
    const double formula = plan::cg_iteration(shares, machine).seconds();
    const double of_iteration = time.seconds / std::max(1, time.iterations);
    // One device is measured: what the formula leaves out there is left out for all.
    if (k == 0) once = of_iteration / formula;
    if (k > 0) time.predicted = once * formula * time.iterations;
    if (!bench.quick) time.paper = paper.gpus[k];
    row.times.push_back(time);
  }
  return row;
}

}  // namespace

std::span<const PaperMatrix> paper_matrices() {
  return table_5;
}

plan::TeamMachine measured_machine(const exec::Device& device, const plan::Transfer& link) {
  const std::int64_t size = device.is_cuda() ? 1 << 26 : 1 << 24;
  exec::Array<double> x(device, size);
  exec::Array<double> y(device, size);
  exec::fill(device, x, 1.0);
  exec::fill(device, y, 1.0);
  const exec::Stream stream = device;
  const double large = median_seconds(device, [&] { exec::axpy<double>(stream, 1.0, x, y); });
  const auto few = [&](exec::Array<double>& of) { return of.view().part(0, 16); };
  constexpr int in_a_row = 50;
  const double small = median_seconds(device, [&] {
    for (int i = 0; i < in_a_row; ++i) exec::axpy<double>(stream, 1.0, few(x), few(y));
  });
  return {3 * 8 * static_cast<double>(size) / large, small / in_a_row, link};
}

std::vector<DomainsRow> domains_table(const DomainsBench& bench,
                                      const std::function<void(const DomainsRow&)>& show, Monitor& monitor) {
  const plan::TeamMachine machine = measured_machine(bench.device, bench.link);
  std::vector<DomainsRow> table;
  for (const PaperMatrix& paper : table_5) {
    DomainsRow row = measured(bench, paper, machine, monitor);
    if (show) show(row);
    table.push_back(std::move(row));
    if (bench.quick) break;
  }
  return table;
}

}  // namespace setka::bench
