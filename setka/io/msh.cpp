// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/msh.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/detail/msh_content.hpp"
#include "setka/io/detail/msh_source.hpp"
#include "setka/io/detail/text_file.hpp"

namespace setka::io {

using mesh::ElementType;

MshOptions::MshOptions() {
  for (const ElementType type :
       {ElementType::c3d4, ElementType::c3d6, ElementType::c3d8, ElementType::c3d10, ElementType::c3d15,
        ElementType::c3d20, ElementType::cps3, ElementType::cps4, ElementType::cps6, ElementType::cps8})
    types_[static_cast<std::size_t>(mesh::info(type).shape)] = type;
}

void MshOptions::use(ElementType type) {
  const mesh::ElementTypeInfo& chosen = mesh::info(type);
  require(mesh::dimension(chosen.shape) >= 2, [&] {
    return fmt::format("{} is no element of a Gmsh mesh; solids and plane elements are", chosen.name);
  });
  if (mesh::dimension(chosen.shape) == 2) {
    for (int i = 0; i < mesh::element_type_count; ++i) {
      const auto other = static_cast<ElementType>(i);
      const mesh::ElementTypeInfo& about = mesh::info(other);
      ElementType& current = types_[static_cast<std::size_t>(about.shape)];
      if (about.family == chosen.family && about.integration == mesh::Integration::full &&
          mesh::info(current).family != chosen.family)
        current = other;
    }
  }
  types_[static_cast<std::size_t>(chosen.shape)] = type;
}

model::Model read_msh(const std::filesystem::path& path, const MshOptions& options, Monitor& monitor) {
  const detail::TextFile file(path);
  return read_msh_text(file.text(), path.string(), options, monitor);
}

model::Model read_msh_text(std::string_view bytes, const std::string& name, const MshOptions& options,
                           Monitor& monitor) {
  Stage stage = monitor.stage("read mesh", static_cast<std::int64_t>(bytes.size()), "B");
  detail::MshSource source(bytes, name, stage);
  return detail::make_msh_model(detail::read_msh_content(source), name, options);
}

}  // namespace setka::io
