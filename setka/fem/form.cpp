// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/form.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/element_fields.hpp"
#include "setka/fem/element_lane_data.hpp"

namespace setka::fem {
namespace {

using exec::Stream;
using kernel::NodePair;
using mesh::row;

std::string_view name(FormKind kind) {
  switch (kind) {
#define SETKA_CASE(name, ...) \
  case FormKind::name:        \
    return #name;
    SETKA_FORMS(SETKA_CASE)
#undef SETKA_CASE
  }
  return {};
}

/// Coefficients of a point of eight elements.
template <class Form, int points>
class LaneCoefficients {
 public:
  LaneCoefficients(const CoefficientView& from, LaneRange at) : varies_(from.varies) {
    int rows_of_element = 1;
    if (varies_) rows_of_element = points;
    for (int p = 0; p < rows_of_element; ++p) {
      const std::int32_t* const rows = from.row + interleaved(at.block, rows_of_element, p, at.first);
      for (int i = 0; i < Form::coefficients; ++i) {
        for (int l = 0; l < Lanes::count; ++l)
          value_[p * Form::coefficients + i].set(l,
                                                 from.table[std::int64_t{rows[l]} * Form::coefficients + i]);
      }
    }
  }
  const Lanes* operator()(int p) const { return row<Form::coefficients>(value_, varies_ ? p : 0); }
  bool varies() const { return varies_; }

 private:
  bool varies_;
  Lanes value_[points * Form::coefficients];
};

template <Element type, class Form>
void integrate_on_host(const Stream& stream, const ElementGroupView& group,
                       const CoefficientView& coefficients, double* k) {
  using Own = kernel::Integrated<type>;
  constexpr int n = Own::nodes;
  constexpr int m = Own::dimension;
  constexpr int c = Form::components;
  constexpr int moments = Form::of_gradients ? m * m : 1;
  constexpr int entries = triangle_size(c * n);
  for_lanes(stream, group.blocks, [&](LaneRange at) {
    Lanes x[m * n];
    Lanes g[Own::points * m * n];
    Lanes w[Own::points];
    load_coordinates<n, m>(group, at, x);
    const LaneCoefficients<Form, Own::points> coefficient(coefficients, at);
    for (int p = 0; p < Own::points; ++p) {
      w[p] = group.reference.weights[p] *
             kernel::space_gradients_of<n, m>(x, row<m * n>(group.reference.gradients, p), row<m * n>(g, p));
    }
    NodePair pair{0, 0};
    for (int count = 0; count < n * (n + 1) / 2; ++count, pair.next(n)) {
      Lanes block[c * c];
      for (Lanes& value : block) value = 0;
      Lanes s[moments];
      for (Lanes& value : s) value = 0;
      const auto add_block = [&](int p) {
        Lanes own[c * c];
        kernel::form_block<Form, m>(coefficient(p), s, own);
        for (int i = 0; i < c * c; ++i) block[i] += own[i];
        for (Lanes& value : s) value = 0;
      };
      for (int p = 0; p < Own::points; ++p) {
        if constexpr (Form::of_gradients) {
          Lanes weighted[m];
          for (int i = 0; i < m; ++i) weighted[i] = w[p] * g[(p * n + pair.a) * m + i];
          kernel::add_moments<m>(weighted, row<m>(g, p * n + pair.b), s);
        } else {
          const double* const value = row<n>(group.reference.values, p);
          s[0] += w[p] * (value[pair.a] * value[pair.b]);
        }
        if (coefficient.varies()) add_block(p);
      }
      if (!coefficient.varies()) add_block(0);
      kernel::for_block_entries<c>(n, pair, [&](int entry, int i, int j) {
        block[c * i + j].store(k + interleaved(at.block, entries, entry, at.first));
      });
    }
  });
}

template <Element type, class Form>
void multiply_on_host(const Stream& stream, const ElementGroupView& group,
                      const CoefficientView& coefficients, const kernel::DofSource& u, int columns,
                      double* values) {
  using Own = kernel::Integrated<type>;
  constexpr int n = Own::nodes;
  constexpr int rows = Form::components * n;
  const kernel::GatheredRows<Form::components> gathered{group.node, n, u};
  for_lanes(stream, group.blocks, [&](LaneRange at) {
    Lanes x[Own::dimension * n];
    load_coordinates<n, Own::dimension>(group, at, x);
    const LaneCoefficients<Form, Own::points> coefficient(coefficients, at);
    for (int column = 0; column < columns; ++column) {
      Lanes own[rows];
      Lanes f[rows];
      for (int i = 0; i < rows; ++i) {
        for (int l = 0; l < Lanes::count; ++l) own[i].set(l, gathered(at.block, i, at.first + l, column));
      }
      kernel::form_product<type, Form>(x, own, group.reference, coefficient, f);
      for (int i = 0; i < rows; ++i) {
        for (int l = 0; l < Lanes::count; ++l)
          values[interleaved(at.block, rows, i, at.first + l) * columns + column] = f[i][l];
      }
    }
  });
}

/// Lambda and mu of each D; empty unless all are isotropic.
std::vector<double> lame_constants(std::span<const double> table) {
  std::vector<double> lame;
  for (std::size_t i = 0; i + 36 <= table.size(); i += 36) {
    const double* const d = table.data() + i;
    // Within the rounding of lambda + 2 mu; what is further off is computed with all of D.
    if (!kernel::is_isotropic(d, 4 * std::numeric_limits<double>::epsilon() * d[0])) return {};
    lame.insert(lame.end(), {d[1], d[21]});
  }
  return lame;
}

bool is_standard(Element type) {
  return !is_solid(type) || is_plain(type);
}

std::size_t coefficients_of(FormKind kind, int components, Element element) {
  std::size_t width = 0;
  // Elements with a formulation of their own have the coefficients of the standard one on their cell.
  const Element standard = is_standard(element) ? element : Element::hex8;
  with_form(kind, components, standard,
            [&]<Element, class Kind>() { width = static_cast<std::size_t>(Kind::coefficients); });
  return width;
}

}  // namespace

Form::Form(FormKind kind, std::shared_ptr<const ElementSet> set, int components,
           std::span<const double> table, std::span<const std::int32_t> row_of,
           std::span<const double> elasticity)
    : kind_(kind),
      set_(std::move(set)),
      components_(components),
      table_(set_->device(), table),
      lame_(set_->device()),
      elasticity_(set_->device(), elasticity) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(set_->element_count()) + 1, 0);  // points before
  std::size_t width = 0;
  for (const ElementGroup& group : set_->groups()) {
    for (const std::int32_t e : group.elements()) first[static_cast<std::size_t>(e) + 1] = group.points();
    width = is_field(components, group.dimension()) ? coefficients_of(kind, components, group.type()) : 0;
    require(width > 0, [&] {
      return fmt::format("Form: {} of {} components on {} is nothing that exists", name(kind), components,
                         fem::name(group.type()));
    });
  }
  for (std::size_t e = 1; e < first.size(); ++e) first[e] += first[e - 1];
  const std::size_t elements = first.size() - 1;
  varies_ = row_of.size() != elements;
  for (const ElementGroup& group : set_->groups()) {
    require(is_standard(group.type()) || tuned(group) || kind == FormKind::stress_stiffness, [&] {
      return fmt::format("Form: {} on {}, which has a formulation of its own", name(kind),
                         fem::name(group.type()));
    });
  }
  if (kind == FormKind::elasticity && components == 3)
    lame_ = exec::Array<double>(set_->device(), lame_constants(table));
  require(row_of.size() == elements || row_of.size() == static_cast<std::size_t>(first.back()), [&] {
    return fmt::format("Form: rows for {} places, but there are {} elements with {} points", row_of.size(),
                       elements, first.back());
  });
  require(width == 0 || table.size() % width == 0,
          [&] { return fmt::format("Form: {} coefficients are no table of {} each", table.size(), width); });
  const auto rows = static_cast<std::int32_t>(width == 0 ? 0 : table.size() / width);
  require(elasticity.empty() || elasticity.size() == 36 * static_cast<std::size_t>(rows),
          "Form: there are not as many rows of elasticity as of the table");
  for (const std::int32_t of : row_of) {
    require(of >= 0 && of < rows, [&] { return fmt::format("Form: row {} of a table of {}", of, rows); });
  }
  for (const ElementGroup& group : set_->groups()) {
    const auto row_at = [&](std::size_t element, int p) {
      return varies_ ? row_of[static_cast<std::size_t>(first[element] + p)] : row_of[element];
    };
    row_.emplace_back(set_->device(), group.in_lanes(varies_ ? group.points() : 1, row_at));
  }
}

bool Form::tuned(const ElementGroup& group) const {
  if (components_ != group.dimension()) return false;
  if (kind_ != FormKind::elasticity && kind_ != FormKind::mass) return false;
  if (group.dimension() == 3) return !varies_ || !is_standard(group.type());
  return !varies_ && kind_ == FormKind::elasticity && group.type() == Element::quad4;
}

ElementGroupView Form::view(std::size_t group) const {
  return view(group, 0, set_->groups()[group].blocks());
}

ElementGroupView Form::view(std::size_t group, std::int64_t first_block, std::int64_t count) const {
  ElementGroupView view = set_->view(group);
  view.blocks = count;
  view.node += interleaved(first_block, set_->groups()[group].nodes(), 0, 0);
  view.material = coefficients(group, first_block).row;
  view.varies = varies_;
  if (kind_ == FormKind::mass) {
    view.density = table_.data();
    view.d = elasticity_.size() > 0 ? elasticity_.data() : nullptr;
  } else if (kind_ == FormKind::elasticity) {
    view.d = table_.data();
    view.lame = lame_.size() > 0 ? lame_.data() : nullptr;
  }
  return view;
}

CoefficientView Form::coefficients(std::size_t group, std::int64_t first_block) const {
  const int points = varies_ ? set_->groups()[group].points() : 1;
  return {table_.data(), row_[group].data() + interleaved(first_block, points, 0, 0), varies_};
}

void Form::integrate(const Stream& stream, ElementMatrices& matrices, IntegrationLevel level) const {
  require(matrices.fit(*set_) && (set_->groups().empty() || matrices.components() == components_),
          "Form: the matrices are not those of this form's elements");
  for (std::size_t g = 0; g < set_->groups().size(); ++g)
    integrate(stream, g, 0, set_->groups()[g].blocks(), matrices.group(g).data, level);
}

void Form::integrate_in_ranges(const Stream& stream, std::int64_t bytes_at_once,
                               const std::function<void(const Range&)>& use) const {
  constexpr std::int64_t whole = 32;  // blocks that sums of the CPU are taken over
  for (std::size_t g = 0; g < set_->groups().size(); ++g) {
    const ElementGroup& group = set_->groups()[g];
    const std::int64_t words = std::int64_t{triangle_size(components_ * group.nodes())} * block_lanes;
    const auto room = static_cast<std::int64_t>(sizeof(double)) * words;
    std::int64_t range = std::clamp<std::int64_t>(bytes_at_once / room, 1, group.blocks());
    if (range >= whole) range = range / whole * whole;
    const exec::Scratch<double> matrices(stream, range * words);
    for (std::int64_t first = 0; first < group.blocks(); first += range) {
      const std::int64_t count = std::min(range, group.blocks() - first);
      integrate(stream, g, first, count, matrices.data());
      use({g, first, count, matrices.data()});
    }
  }
}

void Form::integrate(const Stream& stream, std::size_t group, std::int64_t first_block, std::int64_t count,
                     double* k, IntegrationLevel level) const {
  require(stream.device() == set_->device(), "Form: the stream is not on the device of the elements");
  const Element element = set_->groups()[group].type();
  const ElementGroupView on = view(group, first_block, count);
  const bool tuned = this->tuned(set_->groups()[group]);
  require(level == IntegrationLevel::best || (tuned && kind_ == FormKind::elasticity && stream.is_cuda() &&
                                              (element == Element::quad4 || element == Element::hex8)),
          [&] {
            return fmt::format("Form: {} of {} on {} has no levels of integration; use the best", name(kind_),
                               fem::name(element), stream.device().label());
          });
  if (tuned) {
    if (kind_ == FormKind::elasticity) return integrate_stiffness(stream, element, on, level, k);
    require(element != Element::hex8_incompatible || on.d != nullptr,
            "Form: the mass of elements with internal modes depends on their elasticity; give it");
    return integrate_mass(stream, element, on, k);
  }
  const CoefficientView own = coefficients(group, first_block);
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::integrate_form(stream, kind_, components_, element, on, own, k);
  }
  with_form(kind_, components_, element,
            [&]<Element type, class Kind>() { integrate_on_host<type, Kind>(stream, on, own, k); });
}

namespace {

std::vector<double> elasticity_of(std::span<const ElementMaterial> materials) {
  std::vector<double> table;
  for (const ElementMaterial& material : materials)
    table.insert(table.end(), material.d.begin(), material.d.end());
  return table;
}

}  // namespace

std::shared_ptr<const Form> elastic_form(const std::shared_ptr<const ElementSet>& set,
                                         std::span<const ElementMaterial> materials,
                                         std::span<const std::int32_t> row_of) {
  return std::make_shared<const Form>(FormKind::elasticity, set, std::max(set->dimension(), 1),
                                      elasticity_of(materials), row_of);
}

std::shared_ptr<const Form> mass_form(const std::shared_ptr<const ElementSet>& set,
                                      std::span<const ElementMaterial> materials,
                                      std::span<const std::int32_t> row_of) {
  std::vector<double> density;
  for (const ElementMaterial& material : materials) density.push_back(material.density);
  return std::make_shared<const Form>(FormKind::mass, set, std::max(set->dimension(), 1), density, row_of,
                                      elasticity_of(materials));
}

FormOperator::FormOperator(std::shared_ptr<const Form> form, std::shared_ptr<const DofMap> unknowns)
    : ElementOperator(form->set(), std::move(unknowns), form->components(), std::nullopt),
      form_(std::move(form)) {
  for (const ElementGroup& group : set().groups()) {
    require(is_standard(group.type()) || form_->kind() == FormKind::stress_stiffness, [&] {
      return fmt::format("FormOperator: {} has a formulation of its own; use StoredElementOperator for it",
                         fem::name(group.type()));
    });
  }
}

void FormOperator::multiply(const Stream& stream, const kernel::DofSource& u, int columns,
                            double* values) const {
  for (std::size_t g = 0; g < set().groups().size(); ++g) {
    const Element element = set().groups()[g].type();
    double* const own = values + form_->components() * set().first_slot(g) * columns;
    if constexpr (with_cuda) {
      if (stream.is_cuda()) {
        cuda::multiply_form(stream, form_->kind(), form_->components(), element, set().view(g),
                            form_->coefficients(g), u, columns, own);
        continue;
      }
    }
    with_form(form_->kind(), form_->components(), element, [&]<Element type, class Kind>() {
      multiply_on_host<type, Kind>(stream, set().view(g), form_->coefficients(g), u, columns, own);
    });
  }
}

}  // namespace setka::fem
