// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What most sources of the command include, compiled once; see setka/precompiled.hpp.
#include "setka/precompiled.hpp"

#include <nlohmann/json.hpp>
