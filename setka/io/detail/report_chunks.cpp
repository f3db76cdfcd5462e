// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/report_chunks.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "setka/model/attributes.hpp"

namespace setka::io::detail {
namespace {

constexpr std::size_t most_sets = 60;
constexpr std::size_t most_chunks = 300;

template <class Kind>
std::string name_in(const std::vector<Kind>& all, std::int32_t at) {
  return at < 0 ? std::string() : all[static_cast<std::size_t>(at)].name;
}

std::string section_name(const model::Model& model, const model::Section& section) {
  const std::string set = name_in(model.element_sets, section.element_set);
  const std::string material = name_in(model.materials, section.material);
  if (set.empty() || material.empty()) return set + material;
  return set + ": " + material;
}

using Members = std::vector<std::int32_t>;

Members members_of(const model::ElementSet& set) {
  Members members = set.elements;
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

/// [elements] the sets that each is in, those left out that would switch nothing that a section does not.
std::vector<std::vector<std::int32_t>> sets_of_elements(const model::Model& model,
                                                        const std::vector<std::int32_t>& section_of,
                                                        std::vector<ReportPart>& parts) {
  std::vector<Members> known(model.sections.size());
  for (std::size_t e = 0; e < section_of.size(); ++e) {
    if (section_of[e] >= 0)
      known[static_cast<std::size_t>(section_of[e])].push_back(static_cast<std::int32_t>(e));
  }
  std::vector<std::vector<std::int32_t>> sets(section_of.size());
  std::size_t taken = 0;
  for (const model::ElementSet& set : model.element_sets) {
    Members members = members_of(set);
    if (members.empty() || members.size() == section_of.size() || std::ranges::count(known, members) > 0)
      continue;
    if (++taken > most_sets) break;
    for (const std::int32_t e : members)
      sets[static_cast<std::size_t>(e)].push_back(static_cast<std::int32_t>(parts.size()));
    parts.push_back({set.name, false});
    known.push_back(std::move(members));
  }
  return sets;
}

}  // namespace

ReportChunks report_chunks(const model::Model& model, const model::ShownSolids* shown) {
  ReportChunks made;
  const model::Model& drawn = shown != nullptr ? shown->model : model;
  const std::vector<std::int32_t> section_of = model::sections_of_elements(drawn);
  // Sections of the same set and material are one part; sections of shown solids are those of the model.
  std::map<std::string, std::int32_t> part_named;
  std::vector<std::int32_t> part_of_section(model.sections.size(), -1);
  const auto part = [&](const std::string& name) {
    const auto [at, fresh] = part_named.try_emplace(name, static_cast<std::int32_t>(made.parts.size()));
    if (fresh) made.parts.push_back({name, true});
    return at->second;
  };
  const auto part_of = [&](std::int32_t section) {
    if (section < 0) return part("no section");
    std::int32_t& known = part_of_section[static_cast<std::size_t>(section)];
    if (known < 0) known = part(section_name(model, model.sections[static_cast<std::size_t>(section)]));
    return known;
  };
  std::vector<std::vector<std::int32_t>> parts_of(section_of.size());
  for (std::size_t e = 0; e < section_of.size(); ++e) parts_of[e] = {part_of(section_of[e])};
  if (shown == nullptr) {
    std::vector<ReportPart> with_sets = made.parts;
    const std::vector<std::vector<std::int32_t>> sets = sets_of_elements(model, section_of, with_sets);
    std::set<std::vector<std::int32_t>> ways(sets.begin(), sets.end());
    made.sets_left_out = ways.size() > most_chunks;
    if (!made.sets_left_out) {
      made.parts = std::move(with_sets);
      for (std::size_t e = 0; e < sets.size(); ++e)
        parts_of[e].insert(parts_of[e].end(), sets[e].begin(), sets[e].end());
    }
  }
  std::map<std::vector<std::int32_t>, std::int32_t> chunk_of;
  made.of_element.reserve(parts_of.size());
  for (const std::vector<std::int32_t>& parts : parts_of) {
    const auto [at, fresh] =
        chunk_of.try_emplace(parts, static_cast<std::int32_t>(made.parts_of_chunk.size()));
    if (fresh) made.parts_of_chunk.push_back(parts);
    made.of_element.push_back(at->second);
  }
  return made;
}

}  // namespace setka::io::detail
