#include "harness/score/score_command.h"

#include <algorithm>
#include <cstdio>

#include "harness/cli/interrupt.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"

namespace fixpoint::score {

using cli::is_interrupted;
using enum campaign::ExitCode;

namespace {

void print_line(const char* what, const std::string& text) {
  std::printf("%s %s\n", what, document::printable(text).c_str());
}

int check(const Scoreboard& board, const BoardFlags& flags) {
  const auto lost = losses(*flags.committed, board, !flags.names.empty() || is_interrupted());
  for (const std::string& line : lost) print_line("LOST  ", line);
  std::size_t not_run = 0;
  for (const Score& score : board.scores) {
    not_run += score.not_run.empty() ? 0 : 1;
    for (const ReportedItem& alarm : score.alarms)
      print_line("ALARM ", score.name + ": " + alarm.severity + " " + alarm.property + " in " +
                               alarm.webhook + ": " + alarm.reason);
  }
  if (lost.empty() && !is_interrupted()) {
    std::printf("%zu %s over %lld seeds, %zu of them not run: nothing lost against %s\n", board.scores.size(),
                flags.things.c_str(), static_cast<long long>(board.seeds), not_run, flags.check.c_str());
  }
  return lost.empty() ? kNothingFound : kFound;
}

int cut_short(std::size_t tried, std::size_t known, const BoardFlags& flags) {
  std::fflush(stdout);
  std::fprintf(stderr, "fixpoint: interrupted: %zu of %zu %s were tried%s\n", tried, known,
               flags.things.c_str(), flags.saves ? "; nothing is written" : "");
  return kInterrupted;
}

}  // namespace

void add_board_options(cli::Options& line, BoardFlags& flags) {
  line.positionals("NAME", flags.names, "names from the scoreboard; default: all");
  line.value("--check FILE", flags.check, "compare with this scoreboard: exit code 1 for anything lost");
  line.flag("--save", flags.saves, "write the committed scoreboard, as JSON and as Markdown");
  line.flag("--json", flags.json, "the scoreboard as JSON instead of tables");
}

std::optional<int> prepare(BoardFlags& flags) {
  if (flags.saves && !flags.names.empty())
    return cli::bad_input("--save writes the scores of all " + flags.things);
  if (!flags.check.empty()) {
    auto read = read_scoreboard_file(flags.check);
    if (!read) return cli::bad_input(read.error());
    if (read->family != flags.things)
      return cli::bad_input({"expected a scoreboard of " + flags.things, flags.check});
    flags.committed = *std::move(read);
  }
  if (flags.saves) {
    if (const auto problem = document::cannot_write(flags.file + ".json")) return cli::unfinished(*problem);
  }
  cli::heed_interrupts();
  return std::nullopt;
}

int conclude(const Scoreboard& board, std::size_t known, const BoardFlags& flags) {
  const std::size_t tried = board.scores.size();
  if (flags.committed) {
    const int code = check(board, flags);
    return is_interrupted() ? cut_short(tried, known, flags) : code;
  }
  if (is_interrupted() && tried == 0) return cut_short(0, known, flags);
  const std::string text =
      flags.json ? document::write_json_pretty(write_scoreboard(board)) : scoreboard_text(board);
  std::fputs(text.c_str(), stdout);
  if (is_interrupted()) return cut_short(tried, known, flags);
  if (flags.saves) {
    if (const auto problem = save_scoreboard(board, flags.file)) return cli::unfinished(*problem);
  }
  return is_perfect(board) ? kNothingFound : kFound;
}

}  // namespace fixpoint::score
