// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "report_document.hpp"

namespace setka::app {

/// Of the model: elements by type, materials, loads.
void add_model_tables(const RunRecord& run, nlohmann::ordered_json& tables);

/// Of the steps: frequencies, factors, solvers, largest values, reactions.
void add_result_tables(const RunRecord& run, const io::ReportWriter& report, nlohmann::ordered_json& tables);

/// Convergence, masses of modes, answers in time and over frequencies, spectra and amplitudes of the deck.
void add_plots(const RunRecord& run, const io::ReportWriter& report, nlohmann::ordered_json& plots);

/// What a field of a frame is called: "displacement" for U.
std::string name_of_field(const std::string& name);

/// "*FREQUENCY" and what there is to say about it.
std::string procedure_name(const model::Step& step);

}  // namespace setka::app
