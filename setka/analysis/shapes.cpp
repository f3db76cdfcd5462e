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

/// Counts an element that is beyond the limit, and keeps it where it is among the worst.
void rate(PoorElements& poor, std::int32_t element, double value) {
  const auto worse = [&](double a, double b) { return poor.above ? a > b : a < b; };
  if (!worse(value, poor.limit)) return;
  ++poor.count;
  const auto place =
      std::ranges::find_if(poor.worst, [&](const RatedElement& other) { return worse(value, other.value); });
  poor.worst.insert(place, {element, value});
  if (poor.worst.size() > few) poor.worst.pop_back();
}

}  // namespace

BadElements::BadElements(const mesh::Mesh& mesh, std::vector<fem::RatedShape> elements)
    : Error(
          Fault::input, bad_elements_text(mesh, elements),
          fmt::format("check the order and the places of {} nodes", elements.size() == 1 ? "its" : "their")),
      elements_(std::move(elements)) {}

ShapeSurvey survey_shapes(const mesh::Mesh& mesh, Monitor& monitor) {
  ShapeSurvey survey;
  survey.poor = {PoorElements{"aspect ratio", true, most_aspect_ratio, 0, {}},
                 PoorElements{"ratio of least to greatest Jacobian", false, least_jacobian_ratio, 0, {}},
                 PoorElements{"scaled Jacobian", false, least_scaled_jacobian, 0, {}}};
  const Stage stage = monitor.stage("check the elements");
  std::vector<fem::ElementShape> shapes(static_cast<std::size_t>(mesh.element_count()));
#pragma omp parallel for schedule(static)
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    shapes[static_cast<std::size_t>(e)] = fem::element_shape(mesh, e);
  }
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const fem::ElementShape& shape = shapes[static_cast<std::size_t>(e)];
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
