// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/deck_formulas.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/plan/deck_factors.hpp"
#include "setka/plan/deck_memory.hpp"

namespace setka::plan {
namespace {

/// "hex20_reduced of shells": the cell, its formulation, and what the element stands for.
struct Kind {
  std::string_view cell;
  std::string_view element;
  std::string_view part;

  explicit Kind(std::string_view text) {
    const std::size_t blank = text.find(' ');
    element = text.substr(0, blank);
    part = blank == std::string_view::npos ? std::string_view() : text.substr(blank);
    cell = element.substr(0, element.find('_'));
  }

  bool second_order() const { return cell == "tet10" || cell == "wedge15" || cell == "hex20"; }
  bool tetrahedron() const { return cell.starts_with("tet"); }

  int alike(const Kind& other) const {
    return 8 * static_cast<int>(part == other.part) +
           4 * static_cast<int>(second_order() == other.second_order()) +
           2 * static_cast<int>(tetrahedron() == other.tetrahedron()) + static_cast<int>(cell == other.cell) +
           static_cast<int>(element == other.element);
  }
};

/// The stage of a curve's name, without the kind of element.
std::size_t end_of_stage(std::string_view curve) {
  // Kinds begin with the name of a cell, stages do not.
  for (const std::string_view cell : {" tet", " hex", " wedge", " spring", " tri", " quad"}) {
    const std::size_t at = curve.find(cell);
    if (at != std::string_view::npos) return at;
  }
  return curve.size();
}

/// The curve of that name; null: there is none.
const Curve* exact_curve(const DeviceProfile& profile, const std::string& wanted) {
  const auto found = profile.curves.find(wanted);
  return found == profile.curves.end() ? nullptr : &found->second;
}

/// That of the stage for the most alike kind; null: there is none.
const Curve* alike_curve(const DeviceProfile& profile, const std::string& wanted) {
  const std::size_t end = end_of_stage(wanted);
  if (end == wanted.size()) return nullptr;
  const std::string stage = wanted.substr(0, end);
  const Kind kind(std::string_view(wanted).substr(end + 1));
  const Curve* best = nullptr;
  int most = -1;
  for (auto at = profile.curves.lower_bound(stage); at != profile.curves.end(); ++at) {
    if (!at->first.starts_with(stage)) break;
    if (end_of_stage(at->first) != end || at->first.size() <= end) continue;
    const int alike = kind.alike(Kind(std::string_view(at->first).substr(end + 1)));
    if (alike > most) {
      most = alike;
      best = &at->second;
    }
  }
  return best;
}

/// In whose place another stage's curve stands, where no deck of the calibration went through it, and how
/// many times that takes.
struct Stand {
  std::string_view curve;
  std::string_view instead;
  double times;
};
constexpr Stand stands[] = {
    {"deck assemble of cg", "deck assemble", 1},
    {"deck assemble of modes", "deck assemble", 1.6},
    {"deck assemble", "deck assemble of cg", 1},
    {"deck constraints of modes", "deck constraints", 1},
    {"deck count of large", "deck pattern", 1.5},
    {"deck count", "deck count of large", 1},
    {"deck between of modes", "deck between", 10},
    {"deck set up of modes", "deck set up", 1},
    {"deck factorise of modes", "deck factorise", 1},
    {"deck factorise roughly", "deck factorise", 0.6},
    {"deck recover u", "deck recover", 0.3},
    {"deck write u", "deck write", 0.4},
    {"deck write of modes", "deck write", 0.4},
    {"deck lanczos", "deck solve by factor", 2},
    {"deck dense", "deck factorise", 10},
};

/// Outside its points a curve of a deck's stage goes on as it goes from the first to the last: what it takes
/// to begin, as to open a file, does not grow. One point alone is in proportion.
double seconds_at(const Curve& curve, double size) {
  const double first = curve.size.front();
  const double last = curve.size.back();
  if (first <= size && size <= last) return curve.at(size);
  if (curve.size.size() < 2) return curve.seconds.front() * size / first;
  // Points that lie close together, or are of bodies of another shape, say little of the slope.
  const double slope = std::clamp((curve.seconds.back() - curve.seconds.front()) / (last - first), 0.0,
                                  curve.seconds.back() / last);
  if (size > last) return curve.seconds.back() + slope * (size - last);
  return std::max(curve.seconds.front() * size / first, curve.seconds.front() - slope * (first - size));
}

/// Of this kind of elements and stage; else of a stage that stands for it; else of a kind that is alike.
double seconds_of(const DeviceProfile& profile, const StageWork& work) {
  const std::size_t end = end_of_stage(work.curve);
  const std::string_view stage = std::string_view(work.curve).substr(0, end);
  const auto* const stand = std::ranges::find(stands, stage, &Stand::curve);
  const bool stood_for = stand != std::end(stands);
  const std::string instead =
      stood_for ? std::string(stand->instead) + work.curve.substr(end) : std::string();
  for (const auto curve_of : {exact_curve, alike_curve}) {
    if (const Curve* const curve = curve_of(profile, work.curve))
      return work.times * seconds_at(*curve, work.size);
    if (const Curve* const curve = stood_for ? curve_of(profile, instead) : nullptr)
      return work.times * stand->times * seconds_at(*curve, work.size);
  }
  // The stages of a GPU are those that its own decks went through: it finds patterns while it assembles.
  if (profile.device != "cpu" && work.curve.starts_with("deck pattern")) return 0;
  throw Error(Fault::input,
              fmt::format("the profile of {} has no times of \"{}\"", profile.device, work.curve),
              "run setka calibrate");
}

double correction_of(const DeviceProfile& profile, const std::string& stage) {
  const auto found = profile.corrections.find(stage);
  return found == profile.corrections.end() ? 1 : found->second;
}

void keep(Curve& curve, double size, double seconds) {
  const auto at = std::lower_bound(curve.size.begin(), curve.size.end(), size);
  const auto place = curve.seconds.begin() + (at - curve.size.begin());
  if (at != curve.size.end() && *at == size) {
    *place = std::min(*place, seconds);
    return;
  }
  curve.seconds.insert(place, seconds);
  curve.size.insert(at, size);
}

/// More work never takes less time: where it seems so, the time of less was disturbed.
void straighten(Curve& curve) {
  for (std::size_t i = curve.seconds.size(); i-- > 1;)
    curve.seconds[i - 1] = std::min(curve.seconds[i - 1], curve.seconds[i]);
}

}  // namespace

bool knows_decks(const DeviceProfile& profile) {
  const auto at = profile.curves.lower_bound("deck ");
  return at != profile.curves.end() && at->first.starts_with("deck ");
}

double common_spread() {
  return factors::machine_spread;
}

Cost deck_cost(const DeviceProfile& profile, const DeckCounts& counts, const DeckWay& way,
               std::uint64_t resident) {
  if (!knows_decks(profile))
    throw Error(Fault::input,
                fmt::format("the profile of {} was made before decks were measured", profile.device),
                "run setka calibrate");
  Cost cost;
  std::map<std::string, std::size_t> place;
  const auto iterations = [&](const StepCounts& step) { return iterations_of(way, counts, step); };
  for (const StageWork& work : stages_of(counts, way, iterations)) {
    const double seconds = correction_of(profile, work.stage) * seconds_of(profile, work);
    const auto [known, is_new] = place.try_emplace(work.stage, cost.terms.size());
    if (is_new) {
      cost.add(work.stage, seconds, work.spread);
      continue;
    }
    // What is of one stage spreads together.
    Term& term = cost.terms[known->second];
    term.spread = (term.spread * term.seconds + work.spread * seconds) / (term.seconds + seconds);
    term.seconds += seconds;
  }
  const MemoryPlan memory = memory_of(counts, way, profile.device != "cpu", resident);
  cost.host_bytes = memory.host_peak;
  cost.device_bytes = memory.device_peak;
  cost.disk_bytes = memory.disk;
  return cost;
}

void learn(DeviceProfile& profile, const DeckCounts& counts, const DeckWay& way,
           const IterationsOf& iterations, std::span<const MeasuredStage> measured) {
  if (counts.kinds.size() != 1) return;  // times of several cannot be told apart
  const std::vector<StageWork> works = stages_of(counts, way, iterations);
  for (const MeasuredStage& stage : measured) {
    const StageWork* own = nullptr;
    double others = 0;
    for (const StageWork& work : works) {
      if (work.stage != stage.stage) continue;
      if (own == nullptr) {
        own = &work;
      } else if (const Curve* const known = exact_curve(profile, work.curve)) {
        others += work.times * seconds_at(*known, work.size);
      }
    }
    if (own == nullptr) continue;
    constexpr double most_of_others = 0.7;  // clocks and guesses leave something for the stage itself
    const double seconds = (stage.seconds - std::min(others, most_of_others * stage.seconds)) / own->times;
    if (!(seconds > 0)) continue;
    Curve& curve = profile.curves[own->curve];
    keep(curve, own->size, seconds);
    straighten(curve);
  }
}

}  // namespace setka::plan
