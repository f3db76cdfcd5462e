// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/result_writer.hpp"

#include <algorithm>

namespace setka::io {

ResultWriter::~ResultWriter() = default;

bool output_is_due(const model::Step& step, const model::Frame& frame) {
  int frequency = 1;
  for (const model::OutputRequest& request : step.output) {
    if (request.time_points >= 0) return frame.last_of_step || frame.time_point > 0;
    if (request.frequency > 1) frequency = request.frequency;  // 1 is what a card without the word has
  }
  return frame.last_of_step || frame.increment % frequency == 0;
}

}  // namespace setka::io
