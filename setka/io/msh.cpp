// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/msh.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/detail/msh_content.hpp"
#include "setka/io/detail/msh_source.hpp"
#include "setka/io/text_file.hpp"
#include "setka/model/element_type.hpp"

namespace setka::io {

using mesh::Cell;
using model::Family;

MshOptions::MshOptions() {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const auto cell = static_cast<Cell>(i);
    types_[i] = {cell, mesh::dimension(cell) == 2 ? Family::plane_stress : Family::solid};
  }
}

void MshOptions::use(const model::ElementType& type) {
  require(mesh::dimension(type.cell) >= 2, [&] {
    return fmt::format("{} is no element of a Gmsh mesh; solids and plane elements are",
                       mesh::name(type.cell));
  });
  if (mesh::dimension(type.cell) == 2) {
    for (model::ElementType& other : types_) {
      if (mesh::dimension(other.cell) == 2 && other.family != type.family) other = {other.cell, type.family};
    }
  }
  types_[static_cast<std::size_t>(type.cell)] = type;
}

model::Model read_msh(const std::filesystem::path& path, const MshOptions& options, Monitor& monitor) {
  const TextFile file(path);
  return read_msh_text(file.text(), path.string(), options, monitor);
}

model::Model read_msh_text(std::string_view bytes, const std::string& name, const MshOptions& options,
                           Monitor& monitor) {
  Stage stage = monitor.stage("read mesh", static_cast<std::int64_t>(bytes.size()), "B");
  detail::MshSource source(bytes, name, stage);
  return detail::make_msh_model(detail::read_msh_content(source), name, options);
}

}  // namespace setka::io
