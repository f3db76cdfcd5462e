// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_projection.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/fem/element_fields.hpp"
#include "setka/fem/element_lanes.hpp"
#include "setka/sparse/projection_kernel.hpp"

namespace setka::fem {
namespace {

using exec::MultiView;
using exec::Scratch;
using exec::Stream;

constexpr int wide = Lanes::count;  // columns in a vector register
constexpr int tall = 6;             // rows at once: their sums fill the registers, and nodes come in pairs

constexpr int rounded_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// c = sum over k of a_k b_k' for `tall` entries of a and `wide` of b; both rows have their strides.
[[gnu::always_inline]] inline void multiply_tile(int count, const double* a, std::ptrdiff_t a_stride,
                                                 const double* b, std::ptrdiff_t b_stride, Lanes (&c)[tall]) {
  for (int k = 0; k < count; ++k, a += a_stride, b += b_stride) {
    Lanes row;
    row.load(b);
    for (int r = 0; r < tall; ++r) c[r].v += a[r] * row.v;  // broadcast within the instruction
  }
}

/// The arithmetic of one block of elements on the CPU, with room for it; one a thread. Rows of X and Y are
/// `width` long, with zeros past the last column.
class HostProjector {
 public:
  void prepare(int rows, std::int64_t columns) {
    rows_ = rows;
    columns_ = static_cast<int>(columns);
    width_ = rounded_up(rounded_up(columns_, tall), wide);
    pitch_ = rounded_up(rows, tall);
    matrix_.assign(static_cast<std::size_t>(wide) * static_cast<std::size_t>(rows * pitch_), 0.0);
  }
  int width() const { return width_; }

  /// X_i of an element, [rows, width].
  void gather(const PackedElements& elements, std::int64_t block, int lane, MultiView<const double> x,
              double* to) const {
    for (int i = 0; i < rows_; ++i, to += width_) {
      const std::int32_t q = elements.index[interleaved(block, rows_, i, lane)];
      if (q < 0) {
        std::fill_n(to, width_, 0.0);
      } else {
        std::copy_n(&x(q, 0), columns_, to);
        std::fill(to + columns_, to + width_, 0.0);
      }
    }
  }

  /// Brings the matrices of eight neighbouring elements into place, for multiply().
  void unpack(const PackedElements& elements, std::int64_t block, int first_lane) {
    const double* entry = elements.triangle + interleaved(block, triangle_size(rows_), 0, first_lane);
    const std::ptrdiff_t apart = std::ptrdiff_t{rows_} * pitch_;
    for (int i = 0; i < rows_; ++i) {
      double* const row = matrix_.data() + std::ptrdiff_t{i} * pitch_;
      double* const column = matrix_.data() + i;
      for (int j = i; j < rows_; ++j, entry += block_lanes) {
        for (int lane = 0; lane < wide; ++lane) {
          row[lane * apart + j] = entry[lane];
          column[lane * apart + std::ptrdiff_t{j} * pitch_] = entry[lane];
        }
      }
    }
  }

  /// Y_i = L_i X_i of the element `lane` places after the first that was unpacked.
  void multiply(int lane, const double* x, double* y) const {
    const double* const matrix = matrix_.data() + std::ptrdiff_t{lane} * rows_ * pitch_;
    for (int first = 0; first < rows_; first += tall) {
      for (int column = 0; column < columns_; column += wide) {
        Lanes sum[tall];
        for (Lanes& row : sum) row = 0;
        multiply_tile(rows_, matrix + first, pitch_, x + column, width_, sum);
        for (int r = 0; r < tall && first + r < rows_; ++r)
          sum[r].store(y + std::ptrdiff_t{first + r} * width_ + column);
      }
    }
  }

  /// s += X'Y over so many rows, of s the tiles on and above the diagonal; s: [width, width]
  void add_inner(int count, const double* x, const double* y, double* s) const {
    for (int first = 0; first < columns_; first += tall) {
      for (int column = first / wide * wide; column < columns_; column += wide) {
        Lanes sum[tall];
        double* const tile = s + std::ptrdiff_t{first} * width_ + column;
        for (int r = 0; r < tall; ++r) sum[r].load(tile + std::ptrdiff_t{r} * width_);
        multiply_tile(count, x + first, width_, y + column, width_, sum);
        for (int r = 0; r < tall; ++r) sum[r].store(tile + std::ptrdiff_t{r} * width_);
      }
    }
  }

  /// s += the block's share.
  void add_block(const PackedElements& elements, std::int64_t block, MultiView<const double> x, double* s) {
    constexpr int rows_at_once = 64;  // of X and Y, which so stay in the first-level cache
    const int together = std::clamp(rows_at_once / rows_, 1, wide);
    const std::ptrdiff_t size = std::ptrdiff_t{rows_} * width_;
    x_.resize(static_cast<std::size_t>(together * size));
    y_.resize(static_cast<std::size_t>(together * size));
    for (int first = 0; first < block_lanes; first += wide) {
      unpack(elements, block, first);
      for (int lane = 0; lane < wide; lane += together) {
        const int count = std::min(together, wide - lane);
        for (int e = 0; e < count; ++e) {
          gather(elements, block, first + lane + e, x, x_.data() + e * size);
          multiply(lane + e, x_.data() + e * size, y_.data() + e * size);
        }
        add_inner(count * rows_, x_.data(), y_.data(), s);
      }
    }
  }

 private:
  int rows_ = 0;
  int columns_ = 0;
  int width_ = 0;
  int pitch_ = 0;
  std::vector<double> matrix_;  // [8, rows, pitch], symmetric
  std::vector<double> x_;
  std::vector<double> y_;
};

/// Sums of chunks of blocks by all threads, then the chunks one after the other.
void add_fused_on_host(const Stream& stream, const PackedElements& elements, MultiView<const double> x,
                       MultiView<double> s) {
  const int threads = stream.device().threads();
  const std::int64_t chunks = (elements.blocks + projection_chunk - 1) / projection_chunk;
  const std::int64_t n = x.columns;
  const Scratch<double> partial(stream, chunks * n * n);
  exec::host::for_each(threads, chunks, 1, [&](std::int64_t c) {
    thread_local HostProjector projector;
    thread_local std::vector<double> sums;
    projector.prepare(elements.rows, n);
    const auto width = static_cast<std::size_t>(projector.width());
    sums.assign(width * width, 0.0);
    const std::int64_t end = std::min(elements.blocks, (c + 1) * projection_chunk);
    for (std::int64_t block = c * projection_chunk; block < end; ++block)
      projector.add_block(elements, block, x, sums.data());
    double* to = partial.data() + c * n * n;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j)
        *to++ =
            sums[static_cast<std::size_t>(std::min(i, j)) * width + static_cast<std::size_t>(std::max(i, j))];
    }
  });
  exec::host::for_each(threads, n * n, 256, [=, from = partial.data()](std::int64_t e) {
    double& sum = s(e / n, e % n);
    for (std::int64_t c = 0; c < chunks; ++c) sum += from[c * n * n + e];
  });
}

void multiply_group_on_host(const Stream& stream, const PackedElements& elements, MultiView<const double> x,
                            std::int64_t width, double* gathered, double* product) {
  const std::int64_t size = elements.rows * width;
  exec::host::for_each(stream.device().threads(), elements.blocks, 1, [&](std::int64_t block) {
    thread_local HostProjector projector;
    projector.prepare(elements.rows, x.columns);
    for (int lane = 0; lane < block_lanes; ++lane) {
      if (lane % wide == 0) projector.unpack(elements, block, lane);
      const std::int64_t at = (block * block_lanes + lane) * size;
      projector.gather(elements, block, lane, x, gathered + at);
      projector.multiply(lane % wide, gathered + at, product + at);
    }
  });
}

/// Blocks a group: what fills the device, with both arrays of a group within some of its memory.
std::int64_t blocks_of_group(const Stream& stream, const PackedElements& elements, std::int64_t width,
                             std::int64_t wanted) {
  if (wanted > 0) return (wanted + block_lanes - 1) / block_lanes;
  const std::int64_t bytes = std::int64_t{stream.is_cuda() ? 256 : 16} << 20;
  return std::max<std::int64_t>(1, bytes / (elements.rows * width * block_lanes * 8));
}

/// The paper's two stages, group after group.
void add_grouped(const Stream& stream, const PackedElements& elements, MultiView<const double> x,
                 MultiView<double> s, std::int64_t wanted) {
  const std::int64_t n = x.columns;
  const std::int64_t width = stream.is_cuda() ? n : rounded_up(rounded_up(static_cast<int>(n), tall), wide);
  const std::int64_t group = std::min(elements.blocks, blocks_of_group(stream, elements, width, wanted));
  const std::int64_t block_rows = std::int64_t{elements.rows} * block_lanes;
  const Scratch<double> gathered(stream, group * block_rows * width);
  const Scratch<double> product(stream, group * block_rows * width);
  const Scratch<double> sums(stream, n * n);
  const MultiView<double> p{sums.data(), n, n, n};
  for (std::int64_t first = 0; first < elements.blocks; first += group) {
    const PackedElements part = elements.part(first, std::min(group, elements.blocks - first));
    const std::int64_t rows = part.blocks * block_rows;
    if (stream.is_cuda()) {
      const auto split = kernel::RowAndColumn::of(n);
      exec::parallel_for(stream, split.count(rows),
                         kernel::GatherProjected{part.index, x, split, gathered.data()});
      exec::parallel_for(
          stream, split.count(rows),
          kernel::MultiplyGathered{part.triangle, part.rows, n, split, gathered.data(), product.data()});
    } else {
      multiply_group_on_host(stream, part, x, width, gathered.data(), product.data());
    }
    exec::inner(stream, {gathered.data(), rows, n, width}, {product.data(), rows, n, width}, p);
    exec::parallel_for(stream, n * n, sparse::kernel::Symmetrize{p, s, true});
  }
}

void check(MultiView<const double> x, MultiView<double> s) {
  require(x.columns >= 1 && x.columns <= most_projected_columns, [&] {
    return fmt::format("projection: X has {} columns; 1 to {} are right", x.columns, most_projected_columns);
  });
  require(s.rows == x.columns && s.columns == x.columns, [&] {
    return fmt::format("projection: X has {} columns, but the result is [{} x {}]", x.columns, s.rows,
                       s.columns);
  });
}

}  // namespace

void add_projection(const Stream& stream, const PackedElements& elements, MultiView<const double> x,
                    MultiView<double> s, const ProjectionChoice& choice) {
  check(x, s);
  if (elements.blocks == 0 || elements.rows == 0) return;
  if (choice.scheme == ProjectionScheme::grouped) return add_grouped(stream, elements, x, s, choice.group);
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      if (elements.rows > cuda::most_fused_rows) return add_grouped(stream, elements, x, s, choice.group);
      return cuda::add_fused_projection(stream, elements, x, s, choice.tuning);
    }
  }
  add_fused_on_host(stream, elements, x, s);
}

ElementProjection::ElementProjection(std::shared_ptr<const ElementSet> set,
                                     std::shared_ptr<const DofMap> unknowns)
    : set_(std::move(set)), unknowns_(std::move(unknowns)) {
  require(set_->device() == unknowns_->device(), [&] {
    return fmt::format("ElementProjection: the elements are on {}, the unknowns on {}",
                       set_->device().label(), unknowns_->device().label());
  });
  require_field("ElementProjection", *set_, unknowns_->components(), *unknowns_);
  const std::int32_t* const unknown = unknowns_->picks() ? unknowns_->place().data : nullptr;
  for (std::size_t g = 0; g < set_->groups().size(); ++g) {
    const ElementGroup& group = set_->groups()[g];
    const int rows = unknowns_->components() * group.nodes();
    auto& index = index_.emplace_back(set_->device(), group.blocks() * rows * block_lanes);
    exec::parallel_for(
        set_->device(), index.size(),
        kernel::IndexElements{set_->view(g).node, group.nodes(), rows, group.size(), unknown, index.data()});
  }
}

PackedElements ElementProjection::group(std::size_t g, const ElementMatrices& matrices) const {
  require(matrices.fit(*set_) && matrices.components() == unknowns_->components(),
          "ElementProjection: the matrices are not those of this set of elements");
  const ElementGroup& own = set_->groups()[g];
  return {unknowns_->components() * own.nodes(), own.blocks(), index_[g].data(), matrices.group(g).data};
}

void ElementProjection::project(const Stream& stream, MultiView<const double> x, MultiView<double> s,
                                const std::function<void(MultiView<const double>)>& add) const {
  check(x, s);
  require(x.rows == rows(), [&] {
    return fmt::format("ElementProjection: there are {} unknowns, but X has {} rows", rows(), x.rows);
  });
  exec::parallel_for(stream, s.rows * s.columns, kernel::ClearSquare{s});
  if (unknowns_->picks()) return add(x);
  const std::int64_t dofs = unknowns_->dof_count();
  const Scratch<double> all(stream, dofs * x.columns);
  const MultiView<double> u{all.data(), dofs, x.columns, x.columns};
  unknowns_->expand(stream, x, u);
  add(u);
}

void ElementProjection::apply(const Stream& stream, const ElementMatrices& matrices,
                              MultiView<const double> x, MultiView<double> s,
                              const ProjectionChoice& choice) const {
  project(stream, x, s, [&](MultiView<const double> from) {
    for (std::size_t g = 0; g < index_.size(); ++g)
      add_projection(stream, group(g, matrices), from, s, choice);
  });
}

void ElementProjection::apply(const Stream& stream, const Form& form, MultiView<const double> x,
                              MultiView<double> s, std::int64_t bytes_at_once,
                              const ProjectionChoice& choice) const {
  require(form.set() == set_ && form.components() == unknowns_->components(),
          "ElementProjection: the form is not one of this set of elements");
  project(stream, x, s, [&](MultiView<const double> from) {
    form.integrate_in_ranges(stream, bytes_at_once, [&](const Form::Range& range) {
      const int rows = unknowns_->components() * set_->groups()[range.group].nodes();
      const std::int32_t* const index =
          index_[range.group].data() + interleaved(range.first_block, rows, 0, 0);
      add_projection(stream, {rows, range.count, index, range.k}, from, s, choice);
    });
  });
}

}  // namespace setka::fem
