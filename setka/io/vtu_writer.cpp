// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/vtu_writer.hpp"

#include <algorithm>
#include <exception>
#include <sstream>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/base/meanwhile.hpp"
#include "setka/exec/throw_together.hpp"
#include "setka/io/mesh_piece.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/output_names.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/io/vtk_mesh.hpp"

namespace setka::io {
namespace {

using Clock = std::chrono::steady_clock;

/// From one time that processes wait for their pieces to the next: a disk takes some ten milliseconds.
constexpr std::chrono::seconds between_listings{1};

int pieces_of_frames(const mesh::Mesh& mesh, const exec::Transport* processes) {
  if (processes == nullptr || processes->size() == 1) return 0;
  return std::clamp(mesh.element_count(), 1, processes->size());
}

std::unique_ptr<const VtuMesh> mesh_of(const model::Model& model, int piece, int pieces,
                                       const model::ShownSolids* shown) {
  auto mesh = pieces == 0 ? std::make_unique<VtuMesh>(model)
                          : std::make_unique<VtuMesh>(model, elements_of_piece(model.mesh, piece, pieces));
  if (shown != nullptr) mesh->take_values_of(*shown);
  return mesh;
}

}  // namespace

VtuWriter::VtuWriter(std::filesystem::path stem, const model::Model& model,
                     std::shared_ptr<const exec::Transport> processes,
                     std::shared_ptr<const model::ShownSolids> shown)
    : stem_(std::move(stem)),
      shown_(std::move(shown)),
      model_(shown_ == nullptr ? model : shown_->model),
      processes_(std::move(processes)),
      number_(processes_ ? processes_->number() : 0),
      pieces_(pieces_of_frames(model_.mesh, processes_.get())),
      mesh_(meanwhile(number_ < std::max(pieces_, 1) ? model_.mesh.node_count() : 0,
                      [this] { return mesh_of(model_, number_, pieces_, shown_.get()); })
                .share()),
      folder_(stem_) {}

std::filesystem::path VtuWriter::with_suffix(const std::string& suffix) const {
  std::filesystem::path path = stem_;
  path += suffix;
  return path;
}

std::filesystem::path VtuWriter::numbered(int number) const {
  return with_suffix(fmt::format(".{:04}.{}", number, pieces_ == 0 ? "vtu" : "pvtu"));
}

double VtuWriter::time_of(const model::Frame& frame) {
  const double time = frame.mode       ? frame.time - 1 + frame.mode->number
                      : frame.buckling ? frame.time + frame.buckling->number
                                       : frame.time;
  if (written_.empty()) return time;
  const double last = written_.back().time;
  // Two states at one time would hide each other; what follows modes, or begins a period anew, is moved as a
  // whole.
  if (time + shift_ < last || (has_modes_ && time + shift_ == last)) shift_ = last + 1 - time;
  return time + shift_;
}

void VtuWriter::write(const model::Step& step, const model::Frame& frame) {
  if (!output_is_due(step, frame) || !frame.nodes.empty()) return;
  const mesh::Mesh& mesh = model_.mesh;
  for (const model::NodeField& field : frame.node_fields) {
    const std::int64_t wanted = std::int64_t{field.components} * mesh.node_count();
    const auto found = static_cast<std::int64_t>(field.values.size());
    require(shown_ == nullptr ? found == wanted : found >= wanted, [&] {
      return fmt::format(".vtu: {} has {} values in the frame where the mesh needs {}", field.name,
                         field.values.size(), wanted);
    });
  }
  const double time = time_of(frame);
  const int number = static_cast<int>(written_.size()) + 1;
  if (number_ < std::max(pieces_, 1)) write_file(frame, time, number);
  files_.push_back(numbered(number));
  written_.push_back({files_.back(), time, pieces_});
  has_modes_ = has_modes_ || frame.mode.has_value() || frame.buckling.has_value();
}

void VtuWriter::write_file(const model::Frame& frame, double time, int number) {
  if (pieces_ > 0) folder_.make();
  const VtuFrame shown(*mesh_.get(), frame, time);
  OutputFile file(pieces_ == 0 ? numbered(number)
                               : folder_.path() / PieceName{number, number_ + 1, pieces_}.text());
  shown.write(file);
  file.commit(frames_);
  if (pieces_ == 0 || !leads()) return;
  std::vector<std::string> files;
  for (int piece = 1; piece <= pieces_; ++piece)
    files.push_back((folder_.path().filename() / PieceName{number, piece, pieces_}.text()).string());
  listings_.push_back({numbered(number), shown.pvtu(files)});
}

void VtuWriter::meet() {
  if (pieces_ == 0 || published_ == written_.size()) return;
  // Clocks differ: what the first one finds holds.
  const double due = !published_at_ || Clock::now() - *published_at_ >= between_listings ? 1 : 0;
  if (processes_->gather({&due, 1}).front() != 0) publish();
}

void VtuWriter::publish() {
  std::exception_ptr failure;
  try {
    frames_.finish();
  } catch (...) {
    failure = std::current_exception();
  }
  exec::throw_together(*processes_, failure);
  for (const Listing& listing : listings_) {
    OutputFile file(listing.path);
    file.write(listing.text);
    file.commit(frames_);
  }
  listings_.clear();
  published_ = written_.size();
  published_at_ = Clock::now();
}

void VtuWriter::complete() {
  if (pieces_ > 0) publish();
  frames_.finish();
}

std::string VtuWriter::position() {
  complete();  // what a checkpoint refers to is there as long as it is
  std::string text = fmt::format("{} {} {}\n", shift_, has_modes_ ? 1 : 0, written_.size());
  for (const Written& frame : written_)
    text += fmt::format("{} {} {}\n", frame.time, frame.pieces, frame.path.string());
  return text;
}

void VtuWriter::require_there(const Written& frame, int number) const {
  std::vector<std::filesystem::path> files{frame.path};
  for (int piece = 1; piece <= frame.pieces; ++piece)
    files.push_back(folder_.path() / PieceName{number, piece, frame.pieces}.text());
  for (const std::filesystem::path& file : files) {
    if (!std::filesystem::exists(file))
      throw Error(Fault::input, fmt::format("{} is needed to go on and is gone", file.string()),
                  "run the deck from the beginning");
  }
}

void VtuWriter::go_on(const std::string& position) {
  std::istringstream text(position);
  std::size_t count = 0;
  text >> shift_ >> has_modes_ >> count;
  written_.clear();
  files_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    Written frame;
    std::string path;
    text >> frame.time >> frame.pieces;
    text.ignore(1);
    std::getline(text, path);
    frame.path = stem_.parent_path() / std::filesystem::path(path).filename();
    if (leads()) require_there(frame, static_cast<int>(i) + 1);
    files_.push_back(frame.path);
    written_.push_back(std::move(frame));
  }
  published_ = written_.size();
}

void VtuWriter::remove_stale() const {
  std::vector<std::filesystem::path> old{with_suffix(".vtu"), with_suffix(".pvtu")};
  for (const char* const ending : {".vtu", ".pvtu"}) {
    for (std::filesystem::path& file : files_of_series({with_suffix("."), ending}))
      old.push_back(std::move(file));
  }
  std::unordered_set<std::string> own;
  for (const Written& frame : written_) own.insert(frame.path.string());
  std::erase_if(old, [&](const std::filesystem::path& file) { return own.contains(file.string()); });
  for (std::filesystem::path& file : files_of_series({folder_.path() / "", ".vtu"})) {
    const std::optional<PieceName> name = PieceName::of(file.filename().string());
    if (!name) continue;
    const auto frame = static_cast<std::size_t>(name->frame) - 1;
    if (frame >= written_.size() || written_[frame].pieces != name->pieces) old.push_back(std::move(file));
  }
  if (!old.empty()) old.push_back(folder_.path());  // stays where there is more in it
  for (const std::filesystem::path& file : old) {
    std::error_code ignored;  // it is only confusing
    std::filesystem::remove(file, ignored);
  }
}

void VtuWriter::finish() {
  complete();  // before the file that lists them
  if (!leads()) return;
  if (written_.size() == 1) {
    const std::filesystem::path plain = with_suffix(written_[0].path.extension().string());
    std::error_code reason;
    std::filesystem::rename(written_[0].path, plain, reason);
    if (reason) {
      throw Error(Fault::resource,
                  fmt::format("{} cannot be given its name: {}", plain.string(), reason.message()));
    }
    written_[0].path = files_[0] = plain;
  }
  OutputFile file(with_suffix(".pvd"));
  warn_unless_told(file.path());
  file.write(vtk_file_line("Collection", "") + "<Collection>\n");
  for (const Written& frame : written_) {
    file.write(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                           xml_escaped(frame.path.filename().string())));
  }
  file.write("</Collection>\n</VTKFile>\n");
  file.commit();
  files_.push_back(file.path());
  remove_stale();
}

}  // namespace setka::io
