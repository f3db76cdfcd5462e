// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/deck/element_names.hpp"

namespace setka::analysis {
namespace {

constexpr std::size_t few = 5;

bool is_worse(const PoorElements& poor, double a, double b) {
  return poor.above ? a > b : a < b;
}

/// Keeps it where it is among the worst; of equal ones those that come first.
void keep_worst(PoorElements& poor, const RatedElement& rated) {
  const auto place = std::ranges::find_if(
      poor.worst, [&](const RatedElement& other) { return is_worse(poor, rated.value, other.value); });
  poor.worst.insert(place, rated);
  if (poor.worst.size() > few) poor.worst.pop_back();
}

/// Counts an element that is beyond the limit.
void rate(PoorElements& poor, std::int32_t element, double value) {
  if (!is_worse(poor, value, poor.limit)) return;
  ++poor.count;
  keep_worst(poor, {element, value});
}

ShapeSurvey empty_survey() {
  ShapeSurvey survey;
  survey.poor = {PoorElements{"aspect ratio", true, most_aspect_ratio, 0, {}},
                 PoorElements{"ratio of least to greatest Jacobian", false, least_jacobian_ratio, 0, {}},
                 PoorElements{"scaled Jacobian", false, least_scaled_jacobian, 0, {}}};
  return survey;
}

ShapeSurvey survey_of(const mesh::Mesh& mesh, std::int32_t first, std::int32_t last) {
  ShapeSurvey survey = empty_survey();
  for (std::int32_t e = first; e < last; ++e) {
    const fem::ElementShape shape = fem::element_shape(mesh, e);
    if (shape.fault != fem::ShapeFault::none) {
      survey.bad.push_back({e, shape});
      continue;
    }
    rate(survey.poor[0], e, shape.aspect_ratio);
    rate(survey.poor[1], e, shape.jacobian_ratio);
    rate(survey.poor[2], e, shape.scaled_jacobian);
  }
  return survey;
}

}  // namespace

BadElements::BadElements(const mesh::Mesh& mesh, std::vector<fem::RatedShape> elements)
    : Error(
          Fault::input, bad_elements_text(mesh, elements),
          fmt::format("check the order and the places of {} nodes", elements.size() == 1 ? "its" : "their")),
      elements_(std::move(elements)) {}

ShapeSurvey survey_shapes(const mesh::Mesh& mesh, Monitor& monitor) {
  const Stage stage = monitor.stage("check the elements");
  constexpr std::int32_t piece = 4096;
  const std::int32_t elements = mesh.element_count();
  const std::int32_t pieces = (elements + piece - 1) / piece;
  std::vector<ShapeSurvey> parts(static_cast<std::size_t>(pieces));
#pragma omp parallel for schedule(dynamic) if (pieces > 1)
  for (std::int32_t p = 0; p < pieces; ++p)
    parts[static_cast<std::size_t>(p)] =
        survey_of(mesh, p * piece, p + 1 < pieces ? (p + 1) * piece : elements);
  ShapeSurvey all = empty_survey();
  for (const ShapeSurvey& part : parts) {
    all.bad.insert(all.bad.end(), part.bad.begin(), part.bad.end());
    for (std::size_t k = 0; k < all.poor.size(); ++k) {
      all.poor[k].count += part.poor[k].count;
      for (const RatedElement& rated : part.poor[k].worst) keep_worst(all.poor[k], rated);
    }
  }
  return all;
}

std::string bad_elements_text(const mesh::Mesh& mesh, const std::vector<fem::RatedShape>& bad) {
  std::vector<std::string> words;
  for (const fem::RatedShape& entry : bad) {
    if (words.size() == few) break;
    words.push_back(fmt::format("{} ({}) is {}", mesh.element_label(entry.element),
                                deck::name(mesh, entry.element), fem::in_words(entry.shape.fault)));
  }
  if (bad.size() == 1) return "element " + words.front();
  if (bad.size() > few) words.push_back(fmt::format("{} more", bad.size() - few));
  return fmt::format("{} elements have no proper shape: {}", bad.size(), join_words(words));
}

std::string poor_elements_text(const mesh::Mesh& mesh, const PoorElements& poor) {
  std::vector<std::string> words;
  for (const RatedElement& entry : poor.worst)
    words.push_back(fmt::format("{} ({:.3g})", mesh.element_label(entry.element), entry.value));
  if (poor.count > static_cast<std::int64_t>(words.size()))
    words.push_back(fmt::format("{} more", poor.count - static_cast<std::int64_t>(words.size())));
  return fmt::format("{}: {} element{} {} {:.3g}, the worst first: {}", poor.measure, poor.count,
                     poor.count == 1 ? "" : "s", poor.above ? "above" : "below", poor.limit,
                     join_words(words));
}

}  // namespace setka::analysis
