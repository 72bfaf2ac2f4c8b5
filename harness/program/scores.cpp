#include "harness/program/scores.h"

#include <cstdio>

#include "harness/document/json.h"
#include "harness/program/output_file.h"
#include "harness/program/program.h"

namespace fixpoint::program {

using reports::Scoreboard;

std::string scores_path() { return corpus_folder() + "/scoreboard.json"; }

Result<Scoreboard> read_scores(const std::string& path) {
  const auto documents = read_documents(path);
  if (!documents) return documents.error();
  if (documents->size() != 1) return document::Error{"expected one Scoreboard", path};
  auto board = reports::read_scoreboard(documents->front());
  if (!board) return std::move(board).error().within(path);
  return board;
}

int save_scores(const Scoreboard& board) {
  auto problem = write_file(scores_path(), document::write_json_pretty(reports::write_scoreboard(board)));
  if (!problem) problem = write_file(corpus_folder() + "/scoreboard.md", reports::scoreboard_text(board));
  if (!problem) return kNothingFound;
  std::fprintf(stderr, "fixpoint: %s\n", problem->text().c_str());
  return kUnfinished;
}

}  // namespace fixpoint::program
