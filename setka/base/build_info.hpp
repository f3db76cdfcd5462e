// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace setka {

/// A library this build was configured with or without.
struct Library {
  std::string name;
  std::string version;  // empty where it was not found
  bool found = false;
  std::string purpose;
  std::string without;  // what its absence means and how to mend it; empty for required ones
};

/// How this library was built; the part of `setka info` that needs no device.
struct BuildInfo {
  std::string version;
  std::string revision;  // git commit, "+changes" when the tree differed from it, or "unknown"
  std::string compiler;
  std::string build_type;
  std::string cuda_compiler;       // empty without CUDA
  std::string cuda_architectures;  // empty without CUDA
  std::vector<Library> libraries;
};

const BuildInfo& build_info();

}  // namespace setka
