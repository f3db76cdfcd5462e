// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// From the text of a case file to a GridCase. The only source that sees toml++.
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "setka/io/detail/toml_ascii.hpp"
#include "setka/io/detail/toml_section.hpp"
#include "setka/io/grid_case.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {

using model::GridCase;
using model::GridField;
using model::GridOutput;
using model::GridProbe;
using model::GridScheme;
using model::GridShape;
using model::GridSide;
namespace {

using detail::TomlSection;
constexpr std::int64_t most_steps = 1'000'000'000'000;
constexpr std::int64_t most_cells = std::int64_t{1} << 40;

const std::vector<std::string> all_axes{"x", "y", "z"};
const std::vector<std::string> shape_keys{"kind",   "value", "from",   "to",    "centre",
                                          "radius", "axis",  "period", "width", "offset"};

std::vector<std::string> axis_names(const GridCase& grid) {
  return {all_axes.begin(), all_axes.begin() + grid.axes};
}

std::array<double, 3> point(const std::vector<double>& numbers, double rest = 0) {
  std::array<double, 3> found{rest, rest, rest};
  std::copy(numbers.begin(), numbers.end(), found.begin());
  return found;
}

void read_grid(const TomlSection& section, GridCase& grid) {
  const toml::node* const node = section.find("cells");
  if (node == nullptr) section.refuse_missing("cells", "give the number of cells an axis, as [128, 64]");
  const toml::array* const cells = node->as_array();
  if (cells == nullptr || cells->size() < 2 || cells->size() > 3) {
    section.refuse("cells",
                   fmt::format("is {}", cells == nullptr ? TomlSection::kind_of(*node)
                                                         : TomlSection::values(cells->size())),
                   "give two or three integers in brackets, as [128, 64]");
  }
  grid.axes = static_cast<int>(cells->size());
  std::int64_t count = 1;
  for (std::size_t k = 0; k < cells->size(); ++k) {
    grid.cells[k] = section.integer("cells", (*cells)[k], 1, most_cells);
    if (grid.cells[k] > most_cells / count)
      section.refuse("cells", "are too many together",
                     fmt::format("a grid has at most {} cells", most_cells));
    count *= grid.cells[k];
  }
  const auto axes = static_cast<std::size_t>(grid.axes);
  if (section.has("spacing") == section.has("lengths")) {
    section.refuse(section.has("spacing") ? "spacing" : "lengths",
                   section.has("spacing") ? "stands beside grid.lengths" : "is missing",
                   "give either lengths, of the whole grid, or spacing, of a cell");
  }
  const std::string key = section.has("spacing") ? "spacing" : "lengths";
  const std::vector<double> sizes = section.numbers(key, axes, true);
  for (std::size_t k = 0; k < axes; ++k) {
    if (!(sizes[k] > 0)) section.refuse(key, fmt::format("has {}", sizes[k]), "give positive numbers");
    grid.lengths[k] = key == "lengths" ? sizes[k] : sizes[k] * static_cast<double>(grid.cells[k]);
  }
  if (section.has("origin")) grid.origin = point(section.numbers("origin", axes));
  for (std::size_t k = 0; k < axes; ++k) {
    const double end = grid.origin[k] + grid.lengths[k];
    if (!(grid.spacing(static_cast<int>(k)) > 0) || !std::isfinite(end) || !(end > grid.origin[k]))
      section.refuse(key, "leads to cells without a size", "give lengths that fit the origin and the cells");
  }
}

GridSide read_side(const TomlSection& boundary, const std::string& key) {
  GridSide side;
  side.line = boundary.line(key);
  const toml::node& node = *boundary.find(key);
  if (const toml::table* const table = node.as_table()) {
    const TomlSection section(*table, boundary.full(key), boundary.file(), {"kind", "value", "coefficient"});
    const std::optional<std::string> kind = section.text("kind");
    const std::vector<std::string> kinds{"dirichlet", "neumann", "robin", "periodic", "insulated"};
    if (!kind) section.refuse_missing("kind", "it can be " + join_words(kinds, "or"));
    const std::size_t which = section.word("kind", *kind, kinds);
    side.kind = which == 0   ? GridSide::Kind::dirichlet
                : which == 2 ? GridSide::Kind::robin
                : which == 3 ? GridSide::Kind::periodic
                             : GridSide::Kind::neumann;
    for (const char* const word : {"value", "coefficient"}) {
      const bool robin_only = std::string_view(word) == "coefficient";
      const bool wanted = robin_only ? which == 2 : which <= 2;
      if (section.has(word) && !wanted)
        section.refuse(word, fmt::format("means nothing for a side that is {}", *kind), "leave it out");
      if (!section.has(word) && wanted)
        section.refuse_missing(word, fmt::format("a {} side needs it", *kind));
    }
    if (which <= 2) side.value = *section.number("value");
    if (which == 2) side.coefficient = section.positive("coefficient");
    return side;
  }
  const std::string word = boundary.text(key, node);
  const std::size_t which = boundary.word(key, word, {"periodic", "insulated"});
  side.kind = which == 0 ? GridSide::Kind::periodic : GridSide::Kind::neumann;
  return side;
}

void read_boundary(const TomlSection& section, GridCase& grid) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(grid.axes); ++k) {
    const std::string& axis = all_axes[k];
    if (section.has(axis)) grid.sides[k] = {read_side(section, axis), read_side(section, axis)};
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      const std::string key = axis + (end == 0 ? "-low" : "-high");
      if (!section.has(key)) continue;
      if (section.has(axis)) section.refuse(key, "stands beside boundary." + axis, "give one of them");
      grid.sides[k][end] = read_side(section, key);
      if (grid.sides[k][end].kind == GridSide::Kind::periodic)
        section.refuse(key, "is periodic alone", fmt::format("write {} = \"periodic\" for both sides", axis));
    }
  }
}

GridShape read_shape(const toml::table& table, const std::string& path, const GridCase& grid) {
  const std::string file = grid.file.string();
  const std::vector<std::string> kinds = grid.axes == 2
                                             ? std::vector<std::string>{"box", "disc", "stripes"}
                                             : std::vector<std::string>{"box", "cylinder", "ball", "stripes"};
  std::vector<std::string> keys{"kind", "value", "from", "to"};
  const TomlSection any(table, path, file, shape_keys);
  const std::optional<std::string> kind = any.text("kind");
  if (!kind) any.refuse_missing("kind", "it can be " + join_words(kinds, "or"));
  const std::string& word = kinds[any.word("kind", *kind, kinds)];
  const bool round = word == "disc" || word == "cylinder" || word == "ball";
  if (round) keys.insert(keys.end(), {"centre", "radius"});
  if (word == "cylinder" || word == "stripes") keys.emplace_back("axis");
  if (word == "stripes") keys.insert(keys.end(), {"period", "width", "offset"});
  const TomlSection section(table, fmt::format("{} ({})", path, word), file, keys);

  const auto axes = static_cast<std::size_t>(grid.axes);
  GridShape shape;
  shape.kind = round               ? GridShape::Kind::disc
               : word == "stripes" ? GridShape::Kind::stripes
                                   : GridShape::Kind::box;
  const std::optional<double> value = section.number("value");
  if (!value) section.refuse_missing("value", "give the value that cells inside have");
  shape.value = *value;
  if (section.has("from")) shape.from = point(section.numbers("from", axes), -GridShape::anywhere);
  if (section.has("to")) shape.to = point(section.numbers("to", axes), GridShape::anywhere);
  for (std::size_t k = 0; k < axes; ++k) {
    if (shape.from[k] > shape.to[k])
      section.refuse("to", fmt::format("lies below from along {}", all_axes[k]), "swap the two");
  }
  if (word == "disc") shape.axis = 2;
  if (word == "cylinder" || word == "stripes") {
    const std::optional<std::string> axis = section.text("axis");
    if (!axis) section.refuse_missing("axis", "it can be " + join_words(axis_names(grid), "or"));
    shape.axis = static_cast<int>(section.word("axis", *axis, axis_names(grid)));
  }
  if (round) {
    shape.centre = point(section.numbers("centre", axes));
    shape.radius = section.positive("radius");
  }
  if (word == "stripes") {
    shape.period = section.positive("period");
    shape.width = section.positive("width");
    if (shape.width > shape.period)
      section.refuse("width", "is larger than the period", "give a part of the period");
    shape.offset = section.number("offset").value_or(0);
  }
  return shape;
}

void read_field(const TomlSection& all, const std::string& key, GridCase& grid, GridField& field) {
  field.line = all.line(key);
  if (!all.has(key)) return;
  const auto check = [&](const TomlSection& section, std::string_view at, double value) {
    if (!(value >= field.least))
      section.refuse(at, fmt::format("is {}", value), "give zero or a positive number");
  };
  if (all.find(key)->is_number()) {
    field.value = *all.number(key);
    check(all, key, field.value);
    return;
  }
  const TomlSection section(all.table_at(key), key, all.file(), {"value", "file", "shape"});
  if (section.has("value") && section.has("file"))
    section.refuse("value", fmt::format("stands beside {}.file", key),
                   "give one of them, and shapes over it");
  field.value = section.number("value").value_or(field.value);
  check(section, "value", field.value);
  if (const std::optional<std::string> file = section.text("file")) {
    if (file->empty()) section.refuse("file", "is empty", "give the name of a .npy file");
    field.file = grid.file.parent_path() / *file;
    field.line = section.line("file");
  }
  for (const toml::table* const table : section.tables("shape")) {
    field.shapes.push_back(read_shape(*table, key + ".shape", grid));
    check(TomlSection(*table, key + ".shape", all.file(), shape_keys), "value", field.shapes.back().value);
  }
}

void read_time(const TomlSection& section, GridCase& grid) {
  grid.step = section.positive("step");
  grid.step_line = section.line("step");
  if (section.has("steps") == section.has("end")) {
    section.refuse(section.has("steps") ? "steps" : "end",
                   section.has("steps") ? "stands beside time.end" : "is missing",
                   "give either steps, their number, or end, the time to reach");
  }
  if (section.has("steps")) {
    grid.steps = *section.integer("steps", 1, most_steps);
    return;
  }
  const double end = section.positive("end");
  const double steps = std::round(end / grid.step);
  if (!(steps >= 1 && steps <= static_cast<double>(most_steps)) ||
      std::abs(end / grid.step - steps) > 1e-6 * steps) {
    section.refuse("end", fmt::format("is {} steps", end / grid.step),
                   fmt::format("give a whole number of them, as end = {}",
                               std::max(1.0, std::min(steps, 1e12)) * grid.step));
  }
  grid.steps = static_cast<std::int64_t>(steps);
}

/// 1000000, "500 MB" or "2GiB".
std::uint64_t read_bytes(const TomlSection& section, std::string_view key) {
  const toml::node& node = *section.find(key);
  if (node.is_integer())
    return static_cast<std::uint64_t>(
        section.integer(key, node, 1, std::numeric_limits<std::int64_t>::max()));
  const std::string text = section.text(key, node);
  std::size_t used = 0;
  double number = 0;
  try {
    number = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  std::string unit = text.substr(used);
  std::erase(unit, ' ');
  const std::vector<std::pair<std::string, double>> units{{"", 1},
                                                          {"B", 1},
                                                          {"kB", 1e3},
                                                          {"KB", 1e3},
                                                          {"MB", 1e6},
                                                          {"GB", 1e9},
                                                          {"TB", 1e12},
                                                          {"KiB", 1024.0},
                                                          {"MiB", 1 << 20},
                                                          {"GiB", 1 << 30},
                                                          {"TiB", 1099511627776.0}};
  for (const auto& [name, factor] : units) {
    const double bytes = number * factor;
    if (used > 0 && unit == name && bytes >= 1 && bytes < 9e18) return static_cast<std::uint64_t>(bytes);
  }
  section.refuse(key, fmt::format("is '{}'", detail::shown(text)),
                 R"(give bytes, as 500000000, "500MB" or "2GiB")");
}

void read_stationary(const TomlSection& section, GridCase& grid) {
  grid.stationary_line = section.line("");
  if (section.has("tolerance")) grid.tolerance = section.positive("tolerance");
  grid.most_iterations = section.integer("max-iterations", 1, most_steps).value_or(grid.most_iterations);
  grid.relaxation = section.number("relaxation");
  if (grid.relaxation && !(*grid.relaxation > 0 && *grid.relaxation < 2))
    section.refuse("relaxation", fmt::format("is {}", *grid.relaxation), "give a number between 0 and 2");
  grid.height = section.integer("height", 1, most_steps);
  grid.planes = section.integer("planes", 1, most_steps);
  if (section.has("memory")) grid.memory = read_bytes(section, "memory");
  grid.on_disk = section.word("storage", section.text("storage").value_or("memory"), {"memory", "disk"}) == 1;
}

void read_output(const TomlSection& section, GridCase& grid) {
  GridOutput& output = grid.output;
  if (const std::optional<std::string> folder = section.text("folder")) output.folder /= *folder;
  output.every = section.integer("every", 0, most_steps).value_or(0);
  output.probes_every = section.integer("probes-every", 1, most_steps).value_or(1);
  if (const toml::node* const node = section.find("formats")) {
    const toml::array* const list = node->as_array();
    if (list == nullptr)
      section.refuse("formats", "is " + TomlSection::kind_of(*node), R"(give a list, as ["vti", "png"])");
    output.vti = false;
    for (const toml::node& item : *list) {
      switch (section.word("formats", section.text("formats", item), {"vti", "npy", "png"})) {
        case 0:
          output.vti = true;
          break;
        case 1:
          output.npy = true;
          break;
        default:
          output.png = true;
      }
    }
  }
  if (section.has("range")) {
    const std::vector<double> range = section.numbers("range", 2);
    if (!(range[0] < range[1]))
      section.refuse("range", fmt::format("is {} to {}", range[0], range[1]),
                     "give the smaller number first");
    output.range = {range[0], range[1]};
  }
  if (!section.has("slice")) return;
  if (grid.axes == 2) section.refuse("slice", "is of three axes", "a plane grid is shown whole");
  const TomlSection slice(section.table_at("slice"), section.full("slice"), section.file(), {"axis", "at"});
  output.slice_axis = static_cast<int>(slice.word("axis", slice.text("axis").value_or("z"), all_axes));
  output.slice_at = slice.number("at");
  const auto k = static_cast<std::size_t>(output.slice_axis);
  if (output.slice_at &&
      !(*output.slice_at >= grid.origin[k] && *output.slice_at <= grid.origin[k] + grid.lengths[k])) {
    slice.refuse("at", fmt::format("is {}", *output.slice_at),
                 fmt::format("give a place from {} to {}", grid.origin[k], grid.origin[k] + grid.lengths[k]));
  }
}

void read_probes(const TomlSection& all, GridCase& grid) {
  for (const toml::table* const table : all.tables("probe")) {
    const TomlSection section(*table, "probe", all.file(), {"name", "at"});
    GridProbe probe;
    probe.at = point(section.numbers("at", static_cast<std::size_t>(grid.axes)));
    probe.name = section.text("name").value_or(fmt::format("probe{}", grid.probes.size() + 1));
    if (probe.name.empty() || probe.name.find_first_of(",\"\n\r") != std::string::npos)
      section.refuse("name", "would break the columns of a .csv file", "leave out commas and quotes");
    if (std::ranges::any_of(grid.probes, [&](const GridProbe& other) { return other.name == probe.name; }))
      section.refuse(section.has("name") ? "name" : "at",
                     fmt::format("makes a second probe '{}'", detail::shown(probe.name)),
                     "give each probe a name of its own");
    for (std::size_t k = 0; k < static_cast<std::size_t>(grid.axes); ++k) {
      const double low = grid.origin[k];
      const double high = low + grid.lengths[k];
      if (!(probe.at[k] >= low && probe.at[k] <= high))
        section.refuse("at", fmt::format("lies outside the grid along {}", all_axes[k]),
                       fmt::format("give a place from {} to {} there", low, high));
    }
    grid.probes.push_back(probe);
  }
}

GridScheme read_scheme(const TomlSection& all, int axes) {
  const std::optional<std::string> word = all.text("scheme");
  const std::vector<std::string> words{"lod", "adi", "explicit", "jacobi", "weighted-jacobi", "sor"};
  if (!word) all.refuse_missing("scheme", "it can be " + join_words(words, "or"));
  const std::size_t which = all.word("scheme", *word, words);
  constexpr std::array<GridScheme, 6> schemes{
      GridScheme::lod,    GridScheme::douglas,         GridScheme::explicit_euler,
      GridScheme::jacobi, GridScheme::weighted_jacobi, GridScheme::red_black_sor};
  const std::optional<std::string> method = all.text("method");
  if (!method) return schemes[which];
  if (which != 1) all.refuse("method", "is of scheme = \"adi\" alone", "leave it out");
  if (all.word("method", *method, {"douglas", "peaceman-rachford"}) == 0) return GridScheme::douglas;
  if (axes == 3) all.refuse("method", "is for two axes alone", "take method = \"douglas\"");
  return GridScheme::peaceman_rachford;
}

/// What lies on the disk is its own result; other formats would take memory.
void only_as_npy(const TomlSection& all, GridCase& grid) {
  const bool given = all.has("output") && all.table_at("output").contains("formats");
  if (given && (grid.output.vti || grid.output.png || !grid.output.npy))
    all.refuse("output", "has formats that a grid on the disk is not written in",
               R"(leave formats out or give ["npy"], or take stationary.storage = "memory")");
  grid.output.vti = false;
  grid.output.npy = true;
}

GridCase read_case(const toml::table& table, const std::filesystem::path& file) {
  GridCase grid;
  grid.file = file;
  const std::string name = file.string();
  const TomlSection all(
      table, "", name,
      {"title", "scheme", "method", "precision", "grid", "boundary", "diffusivity", "source", "reaction",
       "initial", "time", "stationary", "output", "probe", "checkpoint"});
  const auto section = [&](const std::string& key, std::vector<std::string> keys) {
    return TomlSection(all.table_at(key), key, name, std::move(keys));
  };
  if (!all.has("grid")) all.refuse_missing("grid", "write [grid] with cells and lengths");
  read_grid(section("grid", {"cells", "lengths", "spacing", "origin"}), grid);
  grid.title = all.text("title").value_or(file.stem().string());
  grid.scheme = read_scheme(all, grid.axes);
  grid.scheme_line = all.line("scheme");
  grid.single_precision =
      all.word("precision", all.text("precision").value_or("double"), {"double", "single"}) == 1;
  if (all.has("boundary")) {
    std::vector<std::string> keys;
    for (const std::string& axis : axis_names(grid))
      keys.insert(keys.end(), {axis, axis + "-low", axis + "-high"});
    read_boundary(section("boundary", keys), grid);
  }
  grid.diffusivity.value = 1;
  grid.diffusivity.least = 0;
  grid.reaction.least = 0;
  read_field(all, "diffusivity", grid, grid.diffusivity);
  read_field(all, "source", grid, grid.source);
  read_field(all, "reaction", grid, grid.reaction);
  read_field(all, "initial", grid, grid.initial);

  const bool stationary = is_stationary(grid.scheme);
  const std::string wrong = stationary ? "time" : "stationary";
  if (all.has(wrong)) {
    all.refuse(wrong, fmt::format("means nothing for scheme = \"{}\"", *all.text("scheme")),
               fmt::format("leave [{}] out, or choose another scheme", wrong));
  }
  if (!stationary) {
    if (!all.has("time")) all.refuse_missing("time", "write [time] with step and steps");
    read_time(section("time", {"step", "steps", "end"}), grid);
  } else if (all.has("stationary")) {
    read_stationary(section("stationary", {"tolerance", "max-iterations", "relaxation", "height", "planes",
                                           "memory", "storage"}),
                    grid);
  }
  grid.output.folder = file.parent_path();
  if (all.has("output"))
    read_output(section("output", {"folder", "every", "probes-every", "formats", "range", "slice"}), grid);
  if (grid.on_disk) only_as_npy(all, grid);
  read_probes(all, grid);
  if (all.has("checkpoint"))
    grid.checkpoint_every = *section("checkpoint", {"every"}).integer("every", 1, most_steps);
  return grid;
}

}  // namespace

bool can_read_grid_cases() {
  return true;
}

GridCase read_grid_case_text(std::string_view text, const std::filesystem::path& file) {
  const std::string ascii = detail::TomlInAscii::written(text, file.string());
  toml::table table;
  try {
    table = toml::parse(ascii, file.string());
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    for (char& c : what) {
      if (c == '\n') c = ' ';
    }
    throw Error(Fault::input, "this is not TOML: " + what, "docs/grid-case.md shows a case file",
                {file.string(), TomlSection::line_of(error.source())});
  } catch (const detail::NotToml&) {
    throw Error(Fault::input, "this is not TOML: a key has a character that no key may have",
                "docs/grid-case.md shows a case file", {file.string()});
  }
  return read_case(table, file);
}

GridCase read_grid_case(const std::filesystem::path& path) {
  const TextFile file(path, case_text);
  return read_grid_case_text(file.text(), path);
}

}  // namespace setka::io
