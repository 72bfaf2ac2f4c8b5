#include "harness/measure/scoreboard_file.h"

#include <cstdio>

#include "corpus/corpus_files.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"

namespace fixpoint::measure {

using document::Result;

using reports::Scoreboard;

std::string scores_path() { return corpus::work_corpus_folder() + "/scoreboard.json"; }

Result<Scoreboard> read_scores(const std::string& path) {
  const auto documents = document::read_documents(path);
  if (!documents) return documents.error();
  if (documents->size() != 1) return document::Error{"expected one Scoreboard", path};
  auto board = reports::read_scoreboard(documents->front());
  if (!board) return std::move(board).error().within(path);
  return board;
}

std::optional<document::Error> save_scores(const Scoreboard& board) {
  if (auto problem =
          document::write_file(scores_path(), document::write_json_pretty(reports::write_scoreboard(board))))
    return problem;
  return document::write_file(corpus::work_corpus_folder() + "/scoreboard.md",
                              reports::scoreboard_text(board));
}

}  // namespace fixpoint::measure
